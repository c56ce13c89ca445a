#include "io/report/perfetto.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "io/report/track_slots.h"
#include "io/results/json_writer.h"
#include "io/results/number_text.h"

namespace medley::io {
namespace {

/// Writes events one a line, with commas between.
class EventList {
 public:
    explicit EventList(OutputFile& file) : file_(file) { file_.buffer() += "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n"; }

    void add(std::string_view event) {
        if (!first_) { file_.buffer() += ",\n"; }
        first_ = false;
        file_.buffer() += event;
        file_.flush_if_large();
    }
    void end() { file_.buffer() += "\n]}\n"; }

 private:
    OutputFile& file_;
    bool first_ = true;
};

std::string json_text(std::string_view text) {
    std::string json;
    append_json_string(json, text);
    return json;
}

/// Microseconds, exact to the nanosecond.
std::string microseconds(SimTime time) { return fmt::format("{}.{:03}", time.value / 1000, time.value % 1000); }

std::size_t process_of(GpuTypeId type) { return type.index() + 1; }

void add_name(EventList& events, std::string_view kind, std::size_t process, std::uint32_t thread, std::string_view name) {
    events.add(fmt::format(R"({{"ph":"M","name":"{}","pid":{},"tid":{},"args":{{"name":{}}}}})", kind, process, thread, json_text(name)));
}

void add_span(EventList& events, const JobSpan& span, std::uint32_t track, const JobRow& job) {
    const std::string name = json_text(job.id);
    events.add(fmt::format(R"({{"ph":"X","name":{},"cat":"{}","pid":{},"tid":{},"ts":{},"dur":{},)"
                           R"("args":{{"job":{},"model":{},"gpus":{},"phase":"{}","ends":"{}"}}}})",
                           name, to_string(span.phase), process_of(span.type), track + 1, microseconds(span.begin),
                           microseconds(span.end - span.begin), name, json_text(job.model.text()), span.lanes.count, to_string(span.phase),
                           to_string(span.ending)));
}

void add_counter(EventList& events, std::size_t process, std::string_view name, SimTime time, std::string_view unit, double value) {
    std::string number;
    append_number(number, value);
    events.add(fmt::format(R"({{"ph":"C","name":"{}","pid":{},"tid":0,"ts":{},"args":{{"{}":{}}}}})", name, process, microseconds(time),
                           unit, number));
}

void add_tracks(EventList& events, const JobSpans& spans, const std::vector<TrackSlots>& slots) {
    const std::vector<HeaderRecord::Type>& types = spans.header().gpu_types;
    add_name(events, "process_name", 0, 0, "cluster");
    for (std::size_t type = 0; type < types.size(); ++type) {
        const std::size_t process = process_of(GpuTypeId(type));
        add_name(events, "process_name", process, 0, fmt::format("{} ({} GPUs)", types[type].name.text(), types[type].gpus));
        for (std::uint32_t track = 0; track < slots[type].tracks(); ++track) {
            add_name(events, "thread_name", process, track + 1, fmt::format("jobs {}", track + 1));
        }
    }
}

void add_loads(EventList& events, const JobSpans& spans, const Metrics& metrics) {
    for (const UtilizationBin& bin : metrics.utilization()) {
        add_counter(events, 0, "waiting jobs", bin.start, "jobs", bin.waiting_jobs);
        add_counter(events, 0, "running jobs", bin.start, "jobs", bin.running_jobs);
    }
    const LedgerSeries& ledger = metrics.ledger_over_time();
    for (std::size_t type = 0; type < spans.header().gpu_types.size(); ++type) {
        for (std::size_t stretch = 0; stretch < ledger.stretches(); ++stretch) {
            double held = 0;
            for (std::size_t bin = 0; bin < kHeldBins; ++bin) {
                held += ledger.gpu_seconds(stretch, GpuTypeId(type), static_cast<LedgerBin>(bin));
            }
            const double width = to_seconds(ledger.end_of(stretch) - ledger.start_of(stretch)).value;
            add_counter(events, process_of(GpuTypeId(type)), "GPUs held", ledger.start_of(stretch), "GPUs", held / width);
        }
    }
}

std::vector<std::uint32_t> by_begin(const std::vector<JobSpan>& spans) {
    std::vector<std::uint32_t> order(spans.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return spans[a].begin < spans[b].begin; });
    return order;
}

}  // namespace

void write_perfetto(OutputFile& file, const JobSpans& spans, const Metrics& metrics) {
    const std::vector<std::uint32_t> order = by_begin(spans.spans());
    std::vector<std::uint32_t> tracks(order.size());
    std::vector<TrackSlots> slots(spans.header().gpu_types.size());
    for (std::size_t type = 0; type < slots.size(); ++type) { slots[type].place(spans.spans(), order, GpuTypeId(type), tracks); }
    EventList events(file);
    add_tracks(events, spans, slots);
    for (const std::uint32_t index : order) {
        const JobSpan& span = spans.spans()[index];
        add_span(events, span, tracks[index], metrics.row(span.job.index()));
    }
    add_loads(events, spans, metrics);
    events.end();
}

}  // namespace medley::io
