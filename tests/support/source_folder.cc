#include "tests/support/source_folder.h"

namespace medley::test {

std::filesystem::path source_folder() { return MEDLEY_SOURCE_DIR; }

std::string source_path(const std::string& inside) { return (source_folder() / inside).string(); }

}  // namespace medley::test
