#include "io/job_file.h"

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <span>

#include <fmt/format.h>

#include "core/error.h"
#include "io/document.h"
#include "io/job_fields.h"
#include "io/scalar.h"
#include "io/text_file.h"
#include "io/yaml_text.h"

namespace medley::io {
namespace {

constexpr std::int64_t kMostWhole = 1'000'000'000'000;
constexpr std::int64_t kMostCount = 1'000'000;

const std::array<Choice<ModelSpec>, 7>& model_types() {
    static const std::array<Choice<ModelSpec>, 7> kTypes = {{{"mlp", MlpModel{}},
                                                             {"cnn", CnnModel{}},
                                                             {"resnet18", ResnetModel{.depth = 18}},
                                                             {"resnet50", ResnetModel{.depth = 50}},
                                                             {"gpt", GptModel{}},
                                                             {"torchscript", TorchScriptModel{}},
                                                             {"emulated", EmulatedModel{}}}};
    return kTypes;
}

const std::array<Choice<DataSpec>, 3>& data_types() {
    static const std::array<Choice<DataSpec>, 3> kTypes = {
        {{"synthetic", SyntheticData{}}, {"arrays", ArrayData{}}, {"tokens", TokenData{}}}};
    return kTypes;
}

/// The choice that the node's text names.
template <class Value>
const Value& chosen(const DocumentNode& node, std::span<const Choice<Value>> choices) {
    std::vector<std::string_view> known;
    for (const Choice<Value>& choice : choices) {
        if (choice.first == node.text()) { return choice.second; }
        known.push_back(choice.first);
    }
    node.refuse(expected_name(node.text(), known));
}

/// Fills values from the keys of one map; what is not stated keeps its value.
class JobReader {
 public:
    JobReader(const DocumentNode& map, std::filesystem::path folder) : map_(map), folder_(std::move(folder)) {}

    void whole(std::string_view key, std::int64_t& value) { read_whole(key, value, kMostWhole); }
    void count(std::string_view key, std::int64_t& value) { read_whole(key, value, kMostCount); }
    void wholes(std::string_view key, std::vector<std::int64_t>& values) {
        const DocumentNode* list = find(key);
        if (list == nullptr) { return; }
        values.clear();
        for (const DocumentNode& item : list->list_items()) { values.push_back(item.whole(0, kMostWhole)); }
    }
    void number(std::string_view key, double& value) {
        if (const DocumentNode* node = find(key)) { value = node->number(); }
    }
    void boolean(std::string_view key, bool& value) {
        if (const DocumentNode* node = find(key)) { value = node->boolean(); }
    }
    void text(std::string_view key, std::string& value) {
        if (const DocumentNode* node = find(key)) { value = node->text(); }
    }
    void path(std::string_view key, std::string& value) {
        const DocumentNode* node = find(key);
        if (node != nullptr) { value = std::filesystem::absolute(folder_ / node->text()).lexically_normal().string(); }
    }
    template <class Value, std::size_t Size>
    void choice(std::string_view key, Value& value, const std::array<Choice<Value>, Size>& choices) {
        if (const DocumentNode* node = find(key)) { value = chosen(*node, std::span<const Choice<Value>>(choices)); }
    }
    /// Keys that belong to another choice made beside them.
    void foreign(std::initializer_list<std::string_view> keys, std::string_view expected) {
        for (const std::string_view key : keys) {
            const DocumentNode* node = map_.find(key);
            if (node != nullptr) { refuse_value(node->place(), std::string(key), std::string(expected)); }
        }
    }
    /// The variant that `type` names, filled from the keys beside it.
    template <class Variant, std::size_t Size>
    void typed(Variant& value, const std::array<Choice<Variant>, Size>& types) {
        known_.push_back("type");
        value = chosen(map_.at("type"), std::span<const Choice<Variant>>(types));
        std::visit([this](auto& spec) { job_fields(*this, spec); }, value);
    }
    /// The value's own keys, in a map of their own.
    template <class Value>
    void inner(std::string_view key, Value& value) {
        const DocumentNode* node = find(key);
        if (node == nullptr) { return; }
        JobReader reader(*node, folder_);
        job_fields(reader, value);
        reader.finish();
    }

    const DocumentNode* find(std::string_view key) {
        known_.push_back(key);
        return map_.find(key);
    }
    /// Refuses keys that nothing asked for.
    void finish() const { map_.allow_keys(std::span<const std::string_view>(known_)); }

 private:
    void read_whole(std::string_view key, std::int64_t& value, std::int64_t most) {
        if (const DocumentNode* node = find(key)) { value = node->whole(0, most); }
    }

    const DocumentNode& map_;
    std::filesystem::path folder_;
    std::vector<std::string_view> known_;
};

/// One map on one line.
class JobWriter {
 public:
    void whole(std::string_view key, std::int64_t value) { add(key, fmt::format("{}", value)); }
    void count(std::string_view key, std::int64_t value) { whole(key, value); }
    void wholes(std::string_view key, const std::vector<std::int64_t>& values) {
        std::string list;
        for (const std::int64_t value : values) { list += fmt::format("{}{}", list.empty() ? "" : ", ", value); }
        add(key, "[" + list + "]");
    }
    void number(std::string_view key, double value) { add(key, fmt::format("{}", value)); }
    void boolean(std::string_view key, bool value) { add(key, value ? "true" : "false"); }
    void text(std::string_view key, const std::string& value) {
        if (!value.empty()) { add(key, quoted_yaml(value)); }
    }
    void path(std::string_view key, const std::string& value) { text(key, value); }
    void foreign(std::initializer_list<std::string_view>, std::string_view) {}
    template <class Value, std::size_t Size>
    void choice(std::string_view key, Value value, const std::array<Choice<Value>, Size>& choices) {
        add(key, std::string(name_of(value, choices)));
    }
    void add(std::string_view key, const std::string& value) { line_ += fmt::format("{}{}: {}", line_.empty() ? "" : ", ", key, value); }
    const std::string& line() const { return line_; }

    template <class Value, std::size_t Size>
    static std::string_view name_of(Value value, const std::array<Choice<Value>, Size>& choices) {
        return std::find_if(choices.begin(), choices.end(), [&](const auto& choice) { return choice.second == value; })->first;
    }

 private:
    std::string line_;
};

std::uint64_t read_seed(const DocumentNode& node) {
    return static_cast<std::uint64_t>(node.whole(0, std::numeric_limits<std::int64_t>::max()));
}

// 0 stands for dynamic scaling.
double read_loss_scale(const DocumentNode& node) {
    if (node.kind() == DocumentNode::Kind::kScalar && node.text() == "dynamic") { return 0; }
    const auto scale = node.kind() == DocumentNode::Kind::kScalar ? to_number(node.text()) : std::nullopt;
    if (!scale || !(*scale > 0)) { node.refuse("a number above 0, or dynamic"); }
    return *scale;
}

template <class Variant, std::size_t Size>
void read_typed(const DocumentNode& node, const std::filesystem::path& folder, Variant& value,
                const std::array<Choice<Variant>, Size>& types) {
    JobReader reader(node, folder);
    reader.typed(value, types);
    reader.finish();
}

JobFile read_job(const DocumentNode& root, const std::filesystem::path& file) {
    JobFile read;
    TrainingJob& job = read.job;
    const std::filesystem::path folder = file.parent_path();
    JobReader reader(root, folder);
    reader.find("format");
    job.name = file.stem().string();
    reader.text("name", job.name);
    reader.find("model");
    read_typed(root.at("model"), folder, job.model, model_types());
    if (const DocumentNode* data = reader.find("data")) { read_typed(*data, folder, job.data, data_types()); }
    reader.inner("optimizer", job.optimizer);
    reader.inner("schedule", job.schedule);
    reader.choice("loss", job.loss, kLosses);
    reader.choice("precision", job.precision, kPrecisions);
    if (const DocumentNode* scale = reader.find("loss_scale")) { job.loss_scale = read_loss_scale(*scale); }
    reader.whole("steps", job.steps);
    if (const DocumentNode* seed = reader.find("seed")) { job.seed = read_seed(*seed); }
    reader.inner("checkpoint", job.checkpoint);
    reader.text("profile", read.profile);
    reader.finish();
    job.validate();
    return read;
}

template <class Value>
std::string map_text(std::string_view key, Value value, const std::string& type = "") {
    JobWriter writer;
    if (!type.empty()) { writer.add("type", type); }
    job_fields(writer, value);
    return fmt::format("{}: {{{}}}\n", key, writer.line());
}

std::string model_text(const ModelSpec& model) {
    return std::visit([&](const auto& spec) { return map_text("model", spec, model_type(model)); }, model);
}

std::string data_text(const DataSpec& data) {
    const std::string type(data_types()[data.index()].first);
    return std::visit([&](const auto& spec) { return map_text("data", spec, type); }, data);
}

}  // namespace

JobFile load_job(const std::filesystem::path& path) { return parse_job(read_text_file(path), path.string()); }

JobFile parse_job(std::string_view text, const std::string& file) {
    JobFile job;
    read_document(text, file, [&](const DocumentNode& root) { job = read_job(root, file); });
    return job;
}

std::string format_job(const JobFile& file) {
    const TrainingJob& job = file.job;
    std::string text = fmt::format("format: 1\nname: {}\n", quoted_yaml(job.name));
    text += model_text(job.model) + data_text(job.data);
    text += map_text("optimizer", job.optimizer) + map_text("schedule", job.schedule);
    text += fmt::format("loss: {}\nprecision: {}\n", JobWriter::name_of(job.loss, kLosses), JobWriter::name_of(job.precision, kPrecisions));
    text += job.loss_scale == 0 ? "loss_scale: dynamic\n" : fmt::format("loss_scale: {}\n", job.loss_scale);
    text += fmt::format("steps: {}\nseed: {}\n", job.steps, job.seed) + map_text("checkpoint", job.checkpoint);
    if (!file.profile.empty()) { text += fmt::format("profile: {}\n", quoted_yaml(file.profile)); }
    return text;
}

}  // namespace medley::io
