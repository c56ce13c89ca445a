#pragma once
/// The choices of `trace import`, one row each in one table: option, what it may be, what it sets.

#include <map>
#include <string>
#include <string_view>

#include "io/importers/import_options.h"

namespace CLI {
class App;
}

namespace medley::cli {

/// The choices as given on the command line, by option; what is not given is not in it.
using ImportChoices = std::map<std::string, std::string, std::less<>>;

/// Adds every option of the table. `choices` outlives the parsing.
void add_import_options(CLI::App& app, ImportChoices& choices);

/// Reads them, cluster file included. Throws medley::Error naming the option, the value and what was expected.
io::ImportOptions read_import_options(const ImportChoices& choices, std::uint64_t seed);

}  // namespace medley::cli
