#pragma once
/// Levels of capacity over time, as sources state them, turned into a cluster and the changes of an availability file.

#include <map>
#include <string>
#include <vector>

#include "core/cluster.h"
#include "io/availability_file.h"

namespace medley::io {

/// For each target (a GPU type, or a group of nodes) the level from a moment on. The cluster that goes with it is as large as each target
/// ever was; rows at the beginning take away what was not there yet.
class CapacityTimeline {
 public:
    /// From `time` on there are `level` of `target`. Calls for one target come in order of time; of several at one moment the last holds.
    void set(SimTime time, Name target, std::int64_t level);

    bool empty() const { return levels_.empty(); }
    /// The most that was ever there, by target in order of name.
    std::map<Name, std::int64_t> most() const;
    /// Changes against `most`, times counted from the earliest of all; ordered by time, then by name.
    std::vector<CapacityRow> rows() const;
    SimTime begin() const;

 private:
    struct Level {
        SimTime time;
        std::int64_t level;
    };
    std::map<Name, std::vector<Level>> levels_;
};

}  // namespace medley::io
