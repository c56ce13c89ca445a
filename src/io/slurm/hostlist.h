#pragma once
/// Slurm's host lists: `n[001-016,020],login1`, `rack[1-2]node[0-7]`.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace medley::io::slurm {

/// More names than this in one list are refused (Slurm itself stops at 65,536 a bracket).
inline constexpr std::size_t kMostHosts = 1'000'000;

/// Every name of the list in order; none for an empty text, `(null)` and `None assigned`. Numbers keep the width of a range's first:
/// `n[08-10]` is n08, n09, n10. Throws medley::Error (found, expected) for brackets that do not close, ranges that go down, or too many
/// names.
std::vector<std::string> expand_hostlist(std::string_view list);

/// Only the first name, without expanding the others; empty if there is none. Throws as `expand_hostlist`.
std::string first_host(std::string_view list);

/// The shortest list of one bracket for names that differ in their last number alone (`n[1-4,7]`); else the names with commas between.
/// Expanding it gives the same names in the same order.
std::string fold_hosts(std::span<const std::string> names);

}  // namespace medley::io::slurm
