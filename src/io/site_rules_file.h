#pragma once
/// Rules files (YAML): what a site's administrators have laid down. The fields stand in docs/site-rules.md.

#include <filesystem>
#include <string>
#include <string_view>

#include "core/site_rules.h"

namespace medley::io {

/// Reads and validates rules. Throws medley::Error naming file, line and path inside it, value and expectation; unknown keys are refused
/// with the nearest known one.
SiteRules load_site_rules(const std::filesystem::path& path);
SiteRules parse_site_rules(std::string_view text, const std::string& file);

/// The file's text, every figure stated. Reading it gives the same rules.
std::string format_site_rules(const SiteRules& rules);

}  // namespace medley::io
