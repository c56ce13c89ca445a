#pragma once
/// The made-up sources of tests/data/importers, and looks into what an import gives.

#include <filesystem>
#include <stdexcept>

#include "io/importers/importer.h"
#include "tests/support/source_folder.h"

namespace medley::io {

inline std::filesystem::path sample(const std::string& path) { return test::source_folder() / "tests/data/importers" / path; }

inline Import import_sample(const std::string& format, const std::string& path, const ImportOptions& options = {}) {
    return find_importer(format).import(sample(path), options);
}

inline Import import_text(const std::string& format, const std::string& text, const ImportOptions& options = {}) {
    return find_importer(format).import(ImportSource::of_text("input", text), options);
}

inline const Job& job_of(const Import& imported, const std::string& id) {
    for (const Job& job : imported.trace.jobs) {
        if (job.id == id) { return job; }
    }
    throw std::runtime_error("no job " + id);
}

inline SimTime at(double seconds) { return to_sim_time(Seconds{seconds}); }

}  // namespace medley::io
