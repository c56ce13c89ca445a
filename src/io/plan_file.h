#pragma once
/// Plan files (YAML or JSON): how one job's virtual nodes lie on devices. The fields stand in docs/formats.md.

#include <filesystem>
#include <string>
#include <string_view>

#include "core/plan.h"

namespace medley::io {

/// Reads and validates a plan: either `groups:` as `format_plan` writes them, or the result of `medley plan --json`, of which the
/// `assignments` are read. Throws medley::Error naming file, line and path inside it, value and expectation.
Plan load_plan(const std::filesystem::path& path);
Plan parse_plan(std::string_view text, const std::string& file);

/// The plan as YAML; reading it back gives the same plan.
std::string format_plan(const Plan& plan);

}  // namespace medley::io
