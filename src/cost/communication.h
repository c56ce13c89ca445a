#pragma once
/// How long the gradients of one step take to be summed over a job's GPUs.
///
/// Ring all-reduce over n devices (Patarasu and Yuan 2009): 2(n-1)/n x bytes / bandwidth + 2(n-1) x latency, with the smallest
/// bandwidth and the largest latency of the links that the ring crosses; one device communicates nothing. A ring passes a node's
/// network card once in each direction, however many of the node's GPUs take part, so the card is not shared.

#include <limits>
#include <span>
#include <vector>

#include "core/cluster.h"
#include "core/name.h"
#include "core/units.h"

namespace medley {

struct TypeCount {
    Name type;
    int gpus = 0;
};

/// GPU counts that fit one place of the network (a node, a rack, the cluster) and what a step's communication costs there.
struct CommunicationRegion {
    std::vector<int> most;  ///< by type, in the order of `Communication::types`; empty = no limit
    Seconds fixed;          ///< paid whatever is used
    Bytes gradient;
    Link link{.bandwidth = BytesPerSecond{std::numeric_limits<double>::infinity()}, .latency = Seconds{0}};

    /// Never falls as `gpus` grows. Requires gpus >= 1.
    Seconds seconds(int gpus) const;
};

/// The cost of given counts is the least over the regions that contain them. Every region contains all smaller counts too and its
/// cost never falls with the number of GPUs, hence more GPUs never communicate faster.
///
/// Thread rule: immutable after construction. Cost of `seconds`: O(regions x types); equal and dominated regions are kept once.
class Communication {
 public:
    /// None: communication costs nothing.
    Communication();
    /// VirtualFlow's additive term (section 3 of the paper): added to every step as given, whatever the plan uses.
    static Communication fixed(Seconds seconds);
    /// From the topology. A job takes the best place that its counts fit: one node (intra link; free if not stated), else one group
    /// of a level (its link / oversubscription, and the links below). Inside nodes, the intra link of a type counts once two of its
    /// GPUs are used. What lies beyond the last level's groups crosses the last level. Several nodes and no network
    /// stated: none.
    static Communication over(const Cluster& cluster, Bytes gradient);

    /// Requires counts of at least 0, one GPU in all, and (over a topology) types of the cluster, each once.
    Seconds seconds(std::span<const TypeCount> counts) const;

    /// Order of `CommunicationRegion::most`; empty where no region has limits.
    const std::vector<Name>& types() const { return types_; }
    const std::vector<CommunicationRegion>& regions() const { return regions_; }

 private:
    std::vector<Name> types_;
    std::vector<CommunicationRegion> regions_;
};

}  // namespace medley
