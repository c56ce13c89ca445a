#pragma once
/// Dates and times of day as sources write them, and the rule that places them on the time line. The host's zone plays no part.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/units.h"

namespace medley::io {

/// A date (proleptic Gregorian) and a time of day, with the zone if the text states it.
struct CivilTime {
    std::int64_t seconds = 0;  ///< since 1970-01-01 00:00:00 by the clock that was read
    std::int32_t nanoseconds = 0;
    std::optional<std::int32_t> offset_s;  ///< east of UTC
};

/// `YYYY-MM-DD HH:MM[:SS[.fraction]]`, `T` for the blank as well, a bare date, then optionally `Z`, `+HH:MM`, `+HHMM` or `+HH`; years 1970
/// to
/// 2199. Anything else is no value.
std::optional<CivilTime> parse_civil_time(std::string_view text);

/// Where a clock without a zone stands.
class ZoneRule {
 public:
    /// UTC.
    ZoneRule() = default;
    /// `UTC`, an offset (`+08:00`, `-8`), or POSIX's rule with daylight saving by month, week and day of the week
    /// (`PST8PDT,M3.2.0,M11.1.0`; IEEE 1003.1 section 8.3: offsets are west of UTC). Throws medley::Error{"time_zone"}.
    explicit ZoneRule(std::string_view text);

    /// Nanoseconds since 1970-01-01 00:00:00 UTC. A zone in `time` itself goes before this rule. An hour that the clock shows twice is
    /// taken for the first; one that it skips is counted on from before the gap.
    SimTime to_utc(const CivilTime& time) const;
    /// Does the clock show this time twice?
    bool ambiguous(const CivilTime& time) const;
    const std::string& text() const { return text_; }

 private:
    /// The `week`th (5 = last) `weekday` (0 = Sunday) of a month, so many seconds after its midnight.
    struct Change {
        int month = 0, week = 0, weekday = 0;
        std::int64_t second_of_day = 7200;
    };
    static Change parse_change(std::string_view text);
    void parse_posix(std::string_view text);
    bool summer(std::int64_t standard_s) const;

    std::string text_ = "UTC";
    std::int64_t standard_s_ = 0;  // east of UTC
    std::int64_t summer_s_ = 0;
    std::optional<Change> begin_, end_;  // of summer time, both or none
};

/// "2017-10-09 07:01:55", of nanoseconds since 1970 as the clock of `offset_s` east of UTC shows them, fractions cut off.
std::string civil_text(SimTime since_1970, std::int64_t offset_s = 0);

}  // namespace medley::io
