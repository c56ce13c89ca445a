#pragma once
/// What every importer of jobs shares: the choices of `ImportOptions` applied in one place, every record accounted for, an ordered trace
/// out.

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/civil_time.h"
#include "io/importers/importer.h"
#include "io/importers/model_assignment.h"

namespace medley::io {

/// One record of a source before any choice is applied.
struct RecordedJob {
    Job job;           ///< `gpus` 0 = none; `duration` below 0 = not known; submission by the source's clock, below 0 = not known
    JobExtras extras;  ///< with recorded start and end by the same clock
    /// Set if it still ran when the source ended: since when. `duration` is then what it had run before.
    std::optional<SimTime> running_since;
};

/// What a source's clock counts from.
enum class SourceClock {
    kTraceStart,  ///< the source's own second 0, which is kept
    k1970,        ///< 1970-01-01 00:00:00 UTC; the trace begins with the first submission, or the origin of the options
};

/// Collects the jobs of one source. Cost: O(1) a record, O(n log n) at the end if the source is not in order.
class JobCollector {
 public:
    /// `options` outlive the collector. Throws medley::Error for options that are no models, states, times or zones.
    /// `zone` is that of the source's times, for an origin without one.
    JobCollector(const ImportOptions& options, SourceClock clock, const ZoneRule& zone = {});
    ~JobCollector();

    /// For the importer to fill: files, meanings, notes.
    ImportReport& report() { return import_.report; }
    /// A record that cannot be a job.
    void drop(std::string_view reason);
    void change(std::string_view reason, std::size_t records = 1);

    /// Keeps the record, or drops it with the first reason that applies. Requires an id.
    void add(RecordedJob&& record);
    /// Moves the end of the source on: what still runs then is taken to run until the last moment seen.
    void saw(SimTime time) { last_seen_ = std::max(last_seen_, time); }

    /// The end: widths are judged, times moved to the trace's start, jobs ordered. `capacity` stands on the source's clock, too.
    /// Nothing can be added afterwards.
    Import finish(std::optional<Cluster> cluster = std::nullopt, std::vector<CapacityRow> capacity = {});

 private:
    class Ids;

    std::string_view reason_to_drop(RecordedJob& record);
    bool state_wanted(const Name& state);
    void end_unfinished();
    void judge_widths();
    void place_on_time_line(std::vector<CapacityRow>& capacity);
    void shift_to_origin(std::vector<CapacityRow>& capacity);
    void keep_recorded_times_that_can_be(const Job& job);
    void keep_known_dependencies();
    void note_unseen_states();

    const ImportOptions& options_;
    SourceClock clock_;
    ModelAssignment assignment_;
    std::vector<std::string> wanted_states_;  // in lower case
    std::vector<bool> state_seen_;
    std::optional<SimTime> origin_;
    std::unique_ptr<Ids> ids_;
    std::vector<std::pair<std::size_t, SimTime>> running_;  // position in the trace, since when
    SimTime last_seen_;
    Import import_;
};

}  // namespace medley::io
