#include "io/trace_file.h"

#include <algorithm>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "core/error.h"
#include "io/csv_table.h"
#include "io/text_file.h"
#include "io/trace_columns.h"

namespace medley::io {
namespace {

/// Reads row after row; columns that are not known are kept as text.
class TraceReader {
 public:
    explicit TraceReader(std::string_view text) : table_(text) {
        for (const TraceColumn& column : trace_columns()) {
            if (column.required) { table_.require(column.name); }
        }
        for (const std::string& name : table_.columns()) { readers_.push_back(Reader{.known = find_column(name), .name = Name(name)}); }
    }

    Trace read() {
        Trace trace;
        while (table_.next()) {
            trace.jobs.push_back(read_job());
            lines_.push_back(table_.line());
        }
        validate(trace);
        return trace;
    }

 private:
    struct Reader {
        const TraceColumn* known;
        Name name;
    };

    static const TraceColumn* find_column(std::string_view name) {
        const auto columns = trace_columns();
        const auto found = std::find_if(columns.begin(), columns.end(), [&](const TraceColumn& column) { return column.name == name; });
        return found == columns.end() ? nullptr : &*found;
    }

    Job read_job() {
        JobDraft draft;
        for (std::size_t column = 0; column < readers_.size(); ++column) { read_cell(column, draft); }
        if (!draft.has_priority) { draft.job.priority = draft.job.weight; }
        if (draft.has_extras) { draft.job.extras = std::make_shared<const JobExtras>(std::move(draft.extras)); }
        validate(draft.job);
        return std::move(draft.job);
    }

    void read_cell(std::size_t column, JobDraft& draft) const {
        const std::string_view cell = table_.cell(column);
        const Reader& reader = readers_[column];
        if (cell.empty()) {
            if (reader.known != nullptr && reader.known->required) { table_.refuse(column, reader.known->expected); }
            return;
        }
        if (reader.known == nullptr) {
            draft.use_extras().unknown_columns.emplace_back(reader.name, cell);
        } else if (!reader.known->read(cell, draft)) {
            table_.refuse(column, reader.known->expected);
        }
    }

    // The job's own rules name a column; the line is known here.
    void validate(const Job& job) const {
        if (job.steps > 0 && job.duration.value > 0) {
            refuse_value(fmt::format("line {}", table_.line()), "both steps and duration_s", "one of them");
        }
        try {
            job.validate();
        } catch (const Error& error) { throw at_line(error, table_.line()); }
    }

    void validate(const Trace& trace) const {
        try {
            trace.validate();
        } catch (const Error& error) {
            if (error.problem().place != "job_id") { throw; }
            throw at_line(error, lines_of(trace, error.problem().found).back());
        }
    }

    std::vector<std::size_t> lines_of(const Trace& trace, const std::string& id) const {
        std::vector<std::size_t> lines;
        for (std::size_t index = 0; index < lines_.size(); ++index) {
            if (trace.jobs[index].id == id) { lines.push_back(lines_[index]); }
        }
        return lines;
    }

    static Error at_line(const Error& error, std::size_t line) {
        Problem problem = error.problem();
        problem.place = fmt::format("line {}, column {}", line, problem.place);
        return Error(problem);
    }

    CsvTable table_;
    std::vector<Reader> readers_;
    std::vector<std::size_t> lines_;
};

}  // namespace

Trace load_trace(const std::filesystem::path& path) { return parse_trace(read_text_file(path), path.string()); }

Trace parse_trace(std::string_view text, const std::string& file) {
    Trace trace = naming_file(file, [&] { return TraceReader(text).read(); });
    trace.order_jobs();
    return trace;
}

}  // namespace medley::io
