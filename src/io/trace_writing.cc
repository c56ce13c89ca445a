#include <algorithm>

#include <fmt/format.h>

#include "io/csv_writing.h"
#include "io/trace_columns.h"
#include "io/trace_file.h"

namespace medley::io {
namespace {

/// One column of the output: a known one, or an unknown one that was kept.
struct Writer {
    const TraceColumn* known;
    Name name;

    void append(const Job& job, fmt::memory_buffer& cell) const {
        if (known != nullptr) { return known->write(job, cell); }
        if (!job.extras) { return; }
        const auto& kept = job.extras->unknown_columns;
        const auto found = std::find_if(kept.begin(), kept.end(), [&](const auto& column) { return column.first == name; });
        if (found != kept.end()) { cell.append(found->second); }
    }
};

void append_unknown(const Job& job, std::vector<Writer>& writers) {
    if (!job.extras) { return; }
    for (const auto& [name, text] : job.extras->unknown_columns) {
        const auto same = [&, &column = name](const Writer& writer) { return writer.name == column; };
        if (std::none_of(writers.begin(), writers.end(), same)) { writers.push_back(Writer{.known = nullptr, .name = name}); }
    }
}

std::vector<Writer> writers_for(const Trace& trace) {
    std::vector<Writer> writers;
    fmt::memory_buffer cell;
    for (const TraceColumn& column : trace_columns()) {
        const auto states = [&](const Job& job) {
            cell.clear();
            column.write(job, cell);
            return cell.size() > 0;
        };
        const bool used = column.required || std::any_of(trace.jobs.begin(), trace.jobs.end(), states);
        if (used) { writers.push_back(Writer{.known = &column, .name = Name(column.name)}); }
    }
    for (const Job& job : trace.jobs) { append_unknown(job, writers); }
    return writers;
}

}  // namespace

std::string format_trace(const Trace& trace) {
    const std::vector<Writer> writers = writers_for(trace);
    std::string text;
    fmt::memory_buffer cell;
    const auto append_row = [&](auto&& append_cell) {
        for (std::size_t column = 0; column < writers.size(); ++column) {
            cell.clear();
            append_cell(writers[column]);
            if (column > 0) { text += ','; }
            append_csv_cell(std::string_view(cell.data(), cell.size()), text);
        }
        text += '\n';
    };
    append_row([&](const Writer& writer) { cell.append(writer.name.text()); });
    for (const Job& job : trace.jobs) {
        append_row([&](const Writer& writer) { writer.append(job, cell); });
    }
    return text;
}

}  // namespace medley::io
