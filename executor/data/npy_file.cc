#include "executor/data/npy_file.h"

#include <utility>

#include "core/error.h"

namespace medley::executor {
namespace {

NpyHeader header_of(const MappedFile& file) {
    try {
        return parse_npy(file.bytes());
    } catch (const Error& error) { throw error.in_file(file.path()); }
}

}  // namespace

NpyFile::NpyFile(std::string path) : file_(std::move(path)), header_(header_of(file_)) {}

}  // namespace medley::executor
