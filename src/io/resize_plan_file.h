#pragma once
/// Resize plans (YAML): when a run's devices change, and to what. The fields stand in docs/formats.md.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace medley::io {

struct ResizeStep {
    std::int64_t at_step = 0;  ///< asked for once this many steps are done
    std::string to;            ///< devices as `medley resize --to` takes them; the path of a plan is absolute
    std::string place;         ///< where `to` stands: "line 3, resizes[0].to"
};

/// In ascending order of `at_step`, each once. Throws medley::Error naming file, line and path inside it, value and expectation.
std::vector<ResizeStep> load_resize_plan(const std::filesystem::path& path);
std::vector<ResizeStep> parse_resize_plan(std::string_view text, const std::string& file);

/// The resize plan as YAML; reading it back gives the same one.
std::string format_resize_plan(const std::vector<ResizeStep>& steps);

/// Whether a text names a plan file rather than devices: it ends in .yaml, .yml or .json.
bool names_plan_file(std::string_view text);

}  // namespace medley::io
