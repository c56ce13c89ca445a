#include "io/importers/model_assignment.h"

#include <fmt/format.h>

#include "core/error.h"
#include "io/scalar.h"

namespace medley::io {
namespace {

ModelChoice parse_choice(std::string_view text) {
    constexpr std::int64_t kMostSamples = 1'000'000'000'000;
    const std::size_t equals = text.find('=');
    ModelChoice choice{.model = Name(text.substr(0, equals))};
    if (choice.model.empty()) { refuse_value("models", std::string(text), "NAME or NAME=BATCH"); }
    if (equals == std::string_view::npos) { return choice; }
    const auto batch = to_whole(text.substr(equals + 1));
    if (!batch || *batch < 1 || *batch > kMostSamples) {
        refuse_value("models", std::string(text), "NAME=BATCH with a whole batch of at least 1");
    }
    choice.batch_size = *batch;
    return choice;
}

}  // namespace

std::vector<ModelChoice> parse_model_choices(std::string_view text) {
    std::vector<ModelChoice> choices;
    while (true) {
        const std::size_t comma = std::min(text.find(','), text.size());
        choices.push_back(parse_choice(text.substr(0, comma)));
        if (comma == text.size()) { return choices; }
        text.remove_prefix(comma + 1);
    }
}

ModelAssignment::ModelAssignment(const ImportOptions& options)
    : models_(options.models), reference_gpu_type_(options.reference_gpu_type), rng_(Rng(options.seed).fork("models")) {
    for (const ModelChoice& choice : models_) {
        if (choice.model.empty()) { refuse_value("models", "", "a name for every model"); }
        if (choice.batch_size < 0) { refuse_value("models", fmt::format("{}", choice.batch_size), "a batch size of at least 1"); }
    }
}

void ModelAssignment::assign(Job& job) const {
    if (job.reference_gpu_type.empty()) { job.reference_gpu_type = reference_gpu_type_; }
    if (models_.empty() || !job.model.empty()) { return; }
    Rng rng = rng_.fork(job.id);
    const ModelChoice& choice = models_[rng.below(models_.size())];
    job.model = choice.model;
    job.batch_size = choice.batch_size;
}

}  // namespace medley::io
