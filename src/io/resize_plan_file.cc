#include "io/resize_plan_file.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "io/document.h"
#include "io/text_file.h"
#include "io/yaml_text.h"

namespace medley::io {
namespace {

constexpr std::int64_t kMostSteps = 1'000'000'000'000;

ResizeStep read_step(const DocumentNode& node, const std::filesystem::path& folder) {
    node.allow_keys({"at_step", "to"});
    const DocumentNode& to = node.at("to");
    ResizeStep step{.at_step = node.at("at_step").whole(0, kMostSteps), .to = to.text(), .place = to.place()};
    if (names_plan_file(step.to)) { step.to = std::filesystem::absolute(folder / step.to).lexically_normal().string(); }
    return step;
}

}  // namespace

bool names_plan_file(std::string_view text) {
    constexpr std::array<std::string_view, 3> kEndings = {".yaml", ".yml", ".json"};
    return std::any_of(kEndings.begin(), kEndings.end(), [&](std::string_view ending) { return text.ends_with(ending); });
}

std::vector<ResizeStep> load_resize_plan(const std::filesystem::path& path) {
    return parse_resize_plan(read_text_file(path), path.string());
}

std::vector<ResizeStep> parse_resize_plan(std::string_view text, const std::string& file) {
    std::vector<ResizeStep> steps;
    read_document(text, file, [&](const DocumentNode& root) {
        root.allow_keys({"format", "resizes"});
        for (const DocumentNode& node : root.at("resizes").list_items()) {
            steps.push_back(read_step(node, std::filesystem::path(file).parent_path()));
            const bool ascending = steps.size() < 2 || steps[steps.size() - 2].at_step < steps.back().at_step;
            if (!ascending) { node.at("at_step").refuse("a step after the one before"); }
        }
    });
    return steps;
}

std::string format_resize_plan(const std::vector<ResizeStep>& steps) {
    std::string text = steps.empty() ? "format: 1\nresizes: []\n" : "format: 1\nresizes:\n";
    for (const ResizeStep& step : steps) { text += fmt::format("  - {{at_step: {}, to: {}}}\n", step.at_step, quoted_yaml(step.to)); }
    return text;
}

}  // namespace medley::io
