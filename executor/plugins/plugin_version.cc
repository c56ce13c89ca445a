/// Compiled into each plug-in: which build it belongs to.
extern "C" const char* medley_plugin_version() { return MEDLEY_PLUGIN_VERSION; }
