#pragma once
/// Parts that are opened only when asked for, so that the program starts fast and runs without them: the Torch engine, NCCL.

#include <optional>
#include <string>

namespace medley::executor {

/// The address of `symbol` in the plug-in `medley_<name>.so`, which stays loaded. Looked for in $MEDLEY_PLUGINS, beside the program, in
/// ../lib/medley from it. Throws medley::Error saying where it was looked for, or why it cannot be opened (a missing library, say), or that
/// it belongs to another build of Medley (each plug-in exports `medley_plugin_version`).
void* plugin_symbol(const std::string& name, const char* symbol);

/// Why the plug-in cannot be used; empty if it can.
std::optional<std::string> plugin_problem(const std::string& name);

}  // namespace medley::executor
