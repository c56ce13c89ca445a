#include "cli/data_folder.h"

#include <cstdlib>
#include <vector>

#include "cli/build_info.h"
#include "core/error.h"

namespace medley::cli {
namespace {

namespace fs = std::filesystem;

fs::path beside_program() {
    std::error_code failed;
    const fs::path program = fs::read_symlink("/proc/self/exe", failed);
    return failed ? fs::path() : program.parent_path().parent_path() / "share" / "medley" / "profiles";
}

}  // namespace

fs::path profiles_folder(const std::string& given) {
    if (!given.empty()) { return given; }
    if (const char* from_environment = std::getenv("MEDLEY_PROFILES"); from_environment != nullptr && *from_environment != '\0') {
        return from_environment;
    }
    for (const fs::path& candidate : {fs::path("profiles"), beside_program(), fs::path(kSourceDirectory) / "profiles"}) {
        std::error_code failed;
        if (fs::is_directory(candidate, failed)) { return candidate; }
    }
    throw Error(Problem{.expected = "--profiles DIR, or MEDLEY_PROFILES in the environment", .message = "no folder of profiles found"});
}

fs::path gpu_catalogue() { return profiles_folder("") / "gpu_types.yaml"; }

}  // namespace medley::cli
