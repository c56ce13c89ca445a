#pragma once
/// Profiles in a public format, as named on the command line.

#include <string>

#include "io/profile_formats/profile_format.h"

namespace medley::cli {

struct ProfileSource {
    std::string path;
    std::string format;
    std::string precision;
    std::string publisher;
    std::string renamed;  ///< "k80=K80,v100=V100"; empty = none
    std::string format_option = "--format";
};

/// Throws medley::Error naming the option, or file and place, that is wrong.
io::ProfileImport import_from(const ProfileSource& source);

}  // namespace medley::cli
