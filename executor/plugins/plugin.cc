#include "executor/plugins/plugin.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/error.h"

namespace medley::executor {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> places_of(const std::string& file) {
    std::vector<std::string> places;
    if (const char* folder = std::getenv("MEDLEY_PLUGINS"); folder != nullptr && *folder != '\0') {
        places.push_back(fs::path(folder) / file);
    }
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    if (!error) {
        places.push_back(program.parent_path() / file);
        places.push_back(program.parent_path().parent_path() / "lib" / "medley" / file);
    }
    return places;
}

void require_same_build(void* library, const std::string& path) {
    using Version = const char* (*)();
    const auto version = reinterpret_cast<Version>(dlsym(library, "medley_plugin_version"));
    const std::string found = version == nullptr ? "none" : version();
    if (found != MEDLEY_PLUGIN_VERSION) {
        throw Error(Problem{.file = path, .place = "plug-in version", .found = found, .expected = MEDLEY_PLUGIN_VERSION});
    }
}

void* open_plugin(const std::string& name) {
    const std::string file = fmt::format("medley_{}.so", name);
    const std::vector<std::string> places = places_of(file);
    for (const std::string& path : places) {
        if (!fs::exists(path)) { continue; }
        void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (library == nullptr) { throw Error(fmt::format("the plug-in {} cannot be opened: {}", path, dlerror())); }
        require_same_build(library, path);
        return library;
    }
    throw Error(fmt::format("the plug-in {} is not installed (looked for in {})", file, fmt::join(places, ", ")));
}

void* opened_plugin(const std::string& name) {
    static std::mutex mutex;
    static std::map<std::string, void*> opened;
    const std::lock_guard lock(mutex);
    const auto known = opened.find(name);
    if (known != opened.end()) { return known->second; }
    void* library = open_plugin(name);
    opened.emplace(name, library);
    return library;
}

}  // namespace

void* plugin_symbol(const std::string& name, const char* symbol) {
    void* address = dlsym(opened_plugin(name), symbol);
    if (address == nullptr) { throw Error(fmt::format("the plug-in medley_{}.so has no {}", name, symbol)); }
    return address;
}

std::optional<std::string> plugin_problem(const std::string& name) {
    try {
        opened_plugin(name);
        return std::nullopt;
    } catch (const Error& error) { return error.what(); }
}

}  // namespace medley::executor
