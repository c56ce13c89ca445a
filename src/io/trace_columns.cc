#include "io/trace_columns.h"

#include <iterator>

#include "io/scalar.h"

namespace medley::io {
namespace {

constexpr std::int64_t kMostGpus = 100'000'000;
constexpr std::int64_t kMostSamples = 1'000'000'000'000;
constexpr std::int64_t kMostSteps = 1'000'000'000'000'000;
constexpr double kMostWeight = 1e12;

constexpr std::string_view kText = "a text";
constexpr std::string_view kTime = "a number of seconds of at least 0, or one with ms, s, m, h or d";
constexpr std::string_view kDuration = "a number of seconds above 0, or one with ms, s, m, h or d";
constexpr std::string_view kCount = "a whole number from 1 to 100000000";

template <class Number>
bool read_whole(std::string_view cell, std::int64_t most, Number& target) {
    const auto value = to_whole(cell);
    if (!value || *value < 1 || *value > most) { return false; }
    target = static_cast<Number>(*value);
    return true;
}

bool read_number(std::string_view cell, double least, double most, double& target) {
    const auto value = to_number(cell);
    if (!value || *value < least || *value > most) { return false; }
    target = *value;
    return true;
}

template <class Target>
bool read_duration(std::string_view cell, Target& target) {
    const auto value = to_duration(cell);
    if (!value || !(value->value > 0)) { return false; }
    target = *value;
    return true;
}

template <class Value>
void append(fmt::memory_buffer& cell, const Value& value) {
    fmt::format_to(std::back_inserter(cell), "{}", value);
}

void append_text(fmt::memory_buffer& cell, std::string_view text) { cell.append(text.data(), text.data() + text.size()); }

// Appends unless the value says "not stated".
template <class Value>
void append_unless(fmt::memory_buffer& cell, const Value& value, const Value& not_stated) {
    if (value != not_stated) { append(cell, value); }
}

void append_optional(fmt::memory_buffer& cell, const std::optional<Seconds>& value) {
    if (value) { append(cell, value->value); }
}

template <class Text>
bool read_list(std::string_view cell, std::vector<Text>& list) {
    while (true) {
        const std::size_t bar = std::min(cell.find('|'), cell.size());
        if (bar == 0) { return false; }
        list.emplace_back(cell.substr(0, bar));
        if (bar == cell.size()) { return true; }
        cell.remove_prefix(bar + 1);
    }
}

std::string_view text_of(const Name& name) { return name.text(); }
std::string_view text_of(const std::string& text) { return text; }

template <class Text>
void append_list(fmt::memory_buffer& cell, const std::vector<Text>& list) {
    for (std::size_t index = 0; index < list.size(); ++index) {
        if (index > 0) { cell.push_back('|'); }
        append_text(cell, text_of(list[index]));
    }
}

template <Name Job::*kField>
constexpr TraceColumn name_column(std::string_view name) {
    return {.name = name,
            .expected = kText,
            .read = [](std::string_view cell, JobDraft& draft) { return draft.job.*kField = Name(cell), true; },
            .write = [](const Job& job, fmt::memory_buffer& cell) { append_text(cell, (job.*kField).text()); }};
}

template <Name JobExtras::*kField>
constexpr TraceColumn extra_name_column(std::string_view name) {
    return {.name = name,
            .expected = kText,
            .read = [](std::string_view cell, JobDraft& draft) { return draft.use_extras().*kField = Name(cell), true; },
            .write =
                [](const Job& job, fmt::memory_buffer& cell) {
                    if (job.extras) { append_text(cell, ((*job.extras).*kField).text()); }
                }};
}

template <auto kField, std::int64_t kMost>
constexpr TraceColumn whole_column(std::string_view name, std::string_view expected) {
    return {.name = name,
            .expected = expected,
            .read = [](std::string_view cell, JobDraft& draft) { return read_whole(cell, kMost, draft.job.*kField); },
            .write = [](const Job& job, fmt::memory_buffer& cell) { append_unless(cell, job.*kField, {}); }};
}

template <int JobExtras::*kField>
constexpr TraceColumn extra_count_column(std::string_view name) {
    return {.name = name,
            .expected = kCount,
            .read = [](std::string_view cell, JobDraft& draft) { return read_whole(cell, kMostGpus, draft.use_extras().*kField); },
            .write =
                [](const Job& job, fmt::memory_buffer& cell) {
                    if (job.extras) { append_unless(cell, (*job.extras).*kField, 0); }
                }};
}

template <std::optional<Seconds> Job::*kField>
constexpr TraceColumn limit_column(std::string_view name) {
    return {.name = name,
            .expected = kDuration,
            .read = [](std::string_view cell, JobDraft& draft) { return read_duration(cell, draft.job.*kField); },
            .write = [](const Job& job, fmt::memory_buffer& cell) { append_optional(cell, job.*kField); }};
}

template <auto kField>
constexpr TraceColumn list_column(std::string_view name, std::string_view expected) {
    return {.name = name,
            .expected = expected,
            .read = [](std::string_view cell, JobDraft& draft) { return read_list(cell, draft.use_extras().*kField); },
            .write =
                [](const Job& job, fmt::memory_buffer& cell) {
                    if (job.extras) { append_list(cell, (*job.extras).*kField); }
                }};
}

bool read_id(std::string_view cell, JobDraft& draft) {
    draft.job.id = cell;
    return true;
}

bool read_submit(std::string_view cell, JobDraft& draft) {
    const auto time = to_time(cell);
    if (!time || time->value < 0) { return false; }
    draft.job.submit = *time;
    return true;
}

bool read_gpus(std::string_view cell, JobDraft& draft) {
    if (cell != "pool") { return read_whole(cell, kMostGpus, draft.job.gpus); }
    draft.job.gpus = kWholePool;
    return true;
}

void write_gpus(const Job& job, fmt::memory_buffer& cell) {
    if (job.whole_pool()) {
        append_text(cell, "pool");
    } else {
        append(cell, job.gpus);
    }
}

bool read_priority(std::string_view cell, JobDraft& draft) {
    draft.has_priority = true;
    return read_number(cell, -kMostWeight, kMostWeight, draft.job.priority);
}

bool read_weight(std::string_view cell, JobDraft& draft) {
    return read_number(cell, 0, kMostWeight, draft.job.weight) && draft.job.weight > 0;
}

template <std::optional<SimTime> JobExtras::*kField>
constexpr TraceColumn moment_column(std::string_view name) {
    return {.name = name,
            .expected = kTime,
            .read =
                [](std::string_view cell, JobDraft& draft) {
                    const auto time = to_time(cell);
                    if (!time || time->value < 0) { return false; }
                    draft.use_extras().*kField = *time;
                    return true;
                },
            .write =
                [](const Job& job, fmt::memory_buffer& cell) {
                    if (job.extras && (*job.extras).*kField) { append_text(cell, seconds_text(*((*job.extras).*kField))); }
                }};
}

bool read_fraction(std::string_view cell, JobDraft& draft) {
    double& fraction = draft.use_extras().gpu_fraction;
    return read_number(cell, 0, 1, fraction) && fraction > 0;
}

constexpr TraceColumn kColumns[] = {
    {.name = "job_id",
     .required = true,
     .expected = "a name or number",
     .read = read_id,
     .write = [](const Job& job, fmt::memory_buffer& cell) { append_text(cell, job.id); }},
    {.name = "submit_s",
     .required = true,
     .expected = kTime,
     .read = read_submit,
     .write = [](const Job& job, fmt::memory_buffer& cell) { append_text(cell, seconds_text(job.submit)); }},
    {.name = "gpus", .required = true, .expected = "a whole number from 1 to 100000000, or pool", .read = read_gpus, .write = write_gpus},
    name_column<&Job::model>("model"),
    whole_column<&Job::batch_size, kMostSamples>("batch_size", "a whole number from 1 to 10^12"),
    whole_column<&Job::steps, kMostSteps>("steps", "a whole number from 1 to 10^15"),
    {.name = "duration_s",
     .expected = kDuration,
     .read = [](std::string_view cell, JobDraft& draft) { return read_duration(cell, draft.job.duration); },
     .write = [](const Job& job, fmt::memory_buffer& cell) { append_unless(cell, job.duration.value, 0.0); }},
    name_column<&Job::reference_gpu_type>("reference_gpu_type"),
    whole_column<&Job::min_gpus, kMostGpus>("min_gpus", kCount),
    whole_column<&Job::max_gpus, kMostGpus>("max_gpus", kCount),
    list_column<&JobExtras::gpu_types>("gpu_types", "GPU types with | between them"),
    {.name = "priority",
     .expected = "a number from -10^12 to 10^12",
     .read = read_priority,
     .write = [](const Job& job, fmt::memory_buffer& cell) { append_unless(cell, job.priority, job.weight); }},
    {.name = "weight",
     .expected = "a number above 0, up to 10^12",
     .read = read_weight,
     .write = [](const Job& job, fmt::memory_buffer& cell) { append_unless(cell, job.weight, 1.0); }},
    limit_column<&Job::deadline>("deadline_s"),
    limit_column<&Job::walltime>("walltime_s"),
    extra_name_column<&JobExtras::qos>("qos"),
    extra_name_column<&JobExtras::partition>("partition"),
    list_column<&JobExtras::depends_on>("depends_on", "job ids with | between them"),
    extra_name_column<&JobExtras::recorded_state>("state"),
    extra_name_column<&JobExtras::user>("user"),
    extra_name_column<&JobExtras::tenant>("tenant"),
    extra_name_column<&JobExtras::reservation>("reservation"),
    extra_name_column<&JobExtras::array>("array_id"),
    extra_count_column<&JobExtras::array_limit>("array_limit"),
    extra_count_column<&JobExtras::nodes>("nodes"),
    extra_count_column<&JobExtras::cpus>("cpus"),
    {.name = "gpu_fraction",
     .expected = "a number above 0 and at most 1",
     .read = read_fraction,
     .write =
         [](const Job& job, fmt::memory_buffer& cell) {
             if (job.extras) { append_unless(cell, job.extras->gpu_fraction, 1.0); }
         }},
    moment_column<&JobExtras::recorded_start>("recorded_start_s"),
    moment_column<&JobExtras::recorded_end>("recorded_end_s"),
};

}  // namespace

std::span<const TraceColumn> trace_columns() { return kColumns; }

}  // namespace medley::io
