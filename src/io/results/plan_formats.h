#pragma once
/// Plans as JSON or YAML, whichever the file's name asks for.

#include <filesystem>
#include <string>

#include "core/plan.h"

namespace medley::io {

/// The fields of io/plan_file.h as JSON; reading it back gives the same plan.
std::string format_plan_json(const Plan& plan);

/// JSON for a name that ends in .json, else YAML.
std::string format_plan_for(const std::filesystem::path& file, const Plan& plan);

}  // namespace medley::io
