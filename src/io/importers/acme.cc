#include "io/importers/acme.h"

#include "io/importers/job_log.h"
#include "io/importers/single_file_importer.h"

namespace medley::io {
namespace {

Import read_acme(ByteSource& source, const ImportOptions& options) {
    static const JobLogFormat format{.zone = "+08:00", .tenant = nullptr, .kept = {{"type", "type"}}};
    JobLogReader reader(source, options, format);
    reader.jobs().report().notes.emplace_back("all GPUs are A100-SXM 80 GB; the log of Kalos is likely incomplete (at most 70 % in use)");
    reader.read();
    return reader.jobs().finish();
}

}  // namespace

const Importer& acme_importer() {
    static const SingleFileImporter importer("acme", "ACME 2023: the job log of Seren or Kalos (trace_seren.csv, trace_kalos.csv)",
                                             read_acme);
    return importer;
}

}  // namespace medley::io
