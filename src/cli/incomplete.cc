#include "cli/incomplete.h"

#include <variant>

#include <fmt/format.h>

#include "cli/table.h"

namespace medley::cli {

// A job that can never run is rejected as soon as it is submitted; those that depend on it come later.
void FirstRejection::record(const LogRecord& record) {
    if (!text_.empty()) { return; }
    if (const auto* submit = std::get_if<SubmitRecord>(&record)) { last_id_ = submit->id; }
    if (const auto* reject = std::get_if<RejectRecord>(&record)) { text_ = fmt::format("job {}: {}", last_id_, reject->reason); }
}

Incomplete FirstRejection::of(const Summary& summary) const {
    return {.rejected = summary.jobs_rejected, .unfinished = summary.jobs_unfinished, .first_rejected = text_};
}

void note_incomplete(const Console& console, const Incomplete& incomplete, const std::string& where) {
    std::string text;
    if (incomplete.rejected > 0) {
        text = fmt::format("{} rejected ({})", count_of(incomplete.rejected, "job"), incomplete.first_rejected);
    }
    if (incomplete.unfinished > 0) {
        text += fmt::format("{}{} unfinished", text.empty() ? "" : ", ", count_of(incomplete.unfinished, "job"));
    }
    if (!text.empty()) { console.note(fmt::format("note: {}{}", text, where)); }
}

}  // namespace medley::cli
