#pragma once
/// The bytes of a checkpoint file. Little-endian:
///
///   8 bytes  magic "MEDLEYCK"
///   u32      version (1)
///   u32      length of the head that follows
///   head     step (i64), loss (f64), fingerprint, sections: name and size of each (archive.h)
///   bytes of the sections, one after another
///   32 bytes SHA-256 of all before

#include <string>
#include <string_view>

#include "executor/training/checkpoint.h"

namespace medley::executor {

/// Everything before the sections' bytes.
std::string checkpoint_head(const StateSnapshot& snapshot);

/// Total: any bytes give a snapshot or a medley::Error (without the file's name) that says whether they are cut short, damaged, another
/// format, or of another job. An empty `expected_fingerprint` takes any job's.
StateSnapshot parse_checkpoint(std::string_view bytes, const std::string& expected_fingerprint);

}  // namespace medley::executor
