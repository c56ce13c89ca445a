#pragma once
/// Job files (YAML): what `medley run` trains. The fields stand in docs/formats.md.

#include <filesystem>
#include <string>
#include <string_view>

#include "core/training.h"

namespace medley::io {

struct JobFile {
    TrainingJob job;
    std::string profile;  ///< the model whose profile predicts the job's times; empty = not stated
};

/// Reads and validates a job. A name not stated is the file's, without its ending; files that it names are looked for from the job file's
/// folder and come out as absolute paths. Throws medley::Error naming file, line and path inside it, value and expectation.
JobFile load_job(const std::filesystem::path& path);
JobFile parse_job(std::string_view text, const std::string& file);

/// The job as YAML, every field stated; reading it back gives the same job.
std::string format_job(const JobFile& job);

}  // namespace medley::io
