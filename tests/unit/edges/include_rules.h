#pragma once
/// Who may include whom: the table of docs/architecture.md, and the check of a source tree against it.

#include <string>
#include <string_view>
#include <vector>

#include "tests/unit/edges/source_tree.h"

namespace medley::edges {

struct Include {
    int line = 0;
    std::string target;
    bool quoted = false;  ///< "…", one of ours; else <…>
};

/// The includes of a file, in order; those in comments and literals do not count.
std::vector<Include> includes_of(const SourceFile& file);

/// The module a file belongs to ("core", "planner", …); empty if none.
std::string_view module_of(std::string_view path);

/// The file's path for an include of ours: "core/units.h" -> "src/core/units.h", "planner/x.h" stays. Empty if in neither root.
std::string path_of(std::string_view include);

/// One line per include that the tables do not permit: a wrong edge between modules, a path that is not written from a root, a
/// library's header outside its module. Empty = the tree is in order.
std::vector<std::string> include_violations(const std::vector<SourceFile>& files);

/// One line for the files, and one for the folders, that include one another in a circle.
std::vector<std::string> include_circles(const std::vector<SourceFile>& files);

}  // namespace medley::edges
