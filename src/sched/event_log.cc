#include "sched/event_log.h"

namespace medley {

const char* to_string(StopReason reason) {
    switch (reason) {
        case StopReason::kPreempted: return "preempted";
        case StopReason::kMigrating: return "migrating";
        case StopReason::kCapacityLost: return "capacity-lost";
    }
    return "unknown";
}

}  // namespace medley
