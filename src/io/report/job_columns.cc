#include "io/report/job_columns.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <optional>

namespace medley::io {
namespace {

/// Column by column, in the order in which they are added.
struct JobColumns {
    std::vector<std::uint32_t> id_bytes, model, submit, queueing, run, gpus, preemptions, resizes;
    std::vector<std::uint8_t> state, first_type;
    std::vector<float> gpu_seconds, waiting, slowdown, rho, cost;
    std::string ids;
};

float or_nan(const std::optional<double>& value) { return static_cast<float>(value.value_or(std::numeric_limits<double>::quiet_NaN())); }

std::uint32_t since(const Ticks& ticks, const std::optional<SimTime>& time, SimTime from) {
    return time ? ticks.at(*time) - ticks.at(from) : Ticks::kNone;
}

void append(JobColumns& columns, const JobRow& row, const SpanJob& job, const Ticks& ticks) {
    columns.ids += row.id;
    columns.id_bytes.push_back(static_cast<std::uint32_t>(row.id.size()));
    columns.submit.push_back(ticks.at(row.submit));
    columns.queueing.push_back(since(ticks, row.first_start, row.submit));
    columns.run.push_back(since(ticks, row.finish, row.first_start.value_or(row.submit)));
    columns.gpus.push_back(static_cast<std::uint32_t>(job.requested_gpus));
    columns.preemptions.push_back(row.preemptions);
    columns.resizes.push_back(row.resizes);
    columns.state.push_back(static_cast<std::uint8_t>(row.state));
    columns.first_type.push_back(static_cast<std::uint8_t>(job.first_type));
    columns.gpu_seconds.push_back(static_cast<float>(row.gpu_seconds));
    columns.waiting.push_back(static_cast<float>(row.waiting_s));
    columns.slowdown.push_back(or_nan(row.bounded_slowdown));
    columns.rho.push_back(or_nan(row.ftf_rho));
    columns.cost.push_back(or_nan(row.cost_usd));
}

void add_to(ColumnPack& pack, const JobColumns& columns) {
    pack.add_text("job.ids", columns.ids);
    pack.add("job.id_bytes", columns.id_bytes);
    pack.add("job.model", columns.model);
    pack.add_ascending("job.submit", columns.submit);
    pack.add("job.queueing", columns.queueing);
    pack.add("job.run", columns.run);
    pack.add("job.gpus", columns.gpus);
    pack.add("job.preemptions", columns.preemptions);
    pack.add("job.resizes", columns.resizes);
    pack.add("job.state", columns.state);
    pack.add("job.first_type", columns.first_type);
    pack.add("job.gpu_seconds", columns.gpu_seconds);
    pack.add("job.waiting_s", columns.waiting);
    pack.add("job.slowdown", columns.slowdown);
    pack.add("job.rho", columns.rho);
    pack.add("job.cost_usd", columns.cost);
}

struct SpanColumns {
    std::vector<std::uint32_t> job, begin, length, lane, lanes;
    std::vector<std::uint8_t> type, phase, ending;
};

void append(SpanColumns& columns, const JobSpan& span, const Ticks& ticks) {
    columns.job.push_back(span.job.value);
    columns.begin.push_back(ticks.at(span.begin));
    columns.length.push_back(ticks.at(span.end) - ticks.at(span.begin));
    columns.lane.push_back(span.lanes.first);
    columns.lanes.push_back(span.lanes.count);
    columns.type.push_back(static_cast<std::uint8_t>(span.type.value));
    columns.phase.push_back(static_cast<std::uint8_t>(span.phase));
    columns.ending.push_back(static_cast<std::uint8_t>(span.ending));
}

void add_to(ColumnPack& pack, const SpanColumns& columns) {
    pack.add("span.job", columns.job);
    pack.add_ascending("span.begin", columns.begin);
    pack.add("span.length", columns.length);
    pack.add("span.lane", columns.lane);
    pack.add("span.lanes", columns.lanes);
    pack.add("span.type", columns.type);
    pack.add("span.phase", columns.phase);
    pack.add("span.ending", columns.ending);
}

}  // namespace

Ticks::Ticks(SimTime begin, SimTime end) : begin_(begin) {
    while ((end - begin).value / tick_ >= std::int64_t{kNone}) { tick_ *= 10; }
}

std::vector<std::string> add_job_columns(ColumnPack& pack, const Metrics& metrics, const JobSpans& spans, const Ticks& ticks) {
    std::map<std::string, std::uint32_t> known;
    std::vector<std::string> models;
    JobColumns columns;
    for (std::size_t index = 0; index < metrics.job_count(); ++index) {
        const JobRow row = metrics.row(index);
        const auto [place, is_new] = known.try_emplace(row.model.text(), static_cast<std::uint32_t>(models.size()));
        if (is_new) { models.push_back(place->first); }
        columns.model.push_back(place->second);
        append(columns, row, spans.jobs()[index], ticks);
    }
    add_to(pack, columns);
    return models;
}

LeftOut add_span_columns(ColumnPack& pack, const JobSpans& spans, const Ticks& ticks, std::size_t most) {
    std::vector<std::uint32_t> order(spans.spans().size());
    std::iota(order.begin(), order.end(), 0U);
    const auto length = [&](std::uint32_t index) { return spans.spans()[index].end - spans.spans()[index].begin; };
    LeftOut left_out;
    if (order.size() > most) {
        const auto split = order.begin() + static_cast<std::ptrdiff_t>(most);
        std::nth_element(order.begin(), split, order.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return length(a) != length(b) ? length(a) > length(b) : a < b; });
        left_out = {.spans = order.size() - most, .longest = length(*split)};
        order.resize(most);
    }
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        const SimTime first = spans.spans()[a].begin;
        const SimTime second = spans.spans()[b].begin;
        return first != second ? first < second : a < b;
    });
    SpanColumns columns;
    for (const std::uint32_t index : order) { append(columns, spans.spans()[index], ticks); }
    add_to(pack, columns);
    return left_out;
}

}  // namespace medley::io
