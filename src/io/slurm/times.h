#pragma once
/// Slurm's spans and moments.

#include <optional>
#include <string_view>

#include "core/units.h"
#include "io/civil_time.h"

namespace medley::io::slurm {

/// `D-HH`, `D-HH:MM`, `D-HH:MM:SS`, `HH:MM:SS`, `MM:SS`, the last part with a fraction (`00:43.900`), and what `scontrol show config`
/// writes (`60 sec`, `5 min`). Anything else is no value; so is a plain number, because Slurm takes it for minutes in some places only.
std::optional<Seconds> to_span(std::string_view text);

/// A limit that is none: empty, `UNLIMITED`, `INFINITE`, `NONE`, `Partition_Limit`, `N/A`, in any case.
bool is_unlimited(std::string_view text);

/// A moment that has not come: empty, `Unknown`, `None`, `N/A`, `(null)`, in any case.
bool is_unknown_moment(std::string_view text);

/// `2026-06-24T06:26:44` (with an offset or by the rule), or seconds since 1970 (SLURM_TIME_FORMAT=%s). Nanoseconds since 1970; no value
/// for anything else.
std::optional<SimTime> to_moment(std::string_view text, const ZoneRule& zone);

}  // namespace medley::io::slurm
