#include "cost/communication.h"

#include <algorithm>
#include <set>

#include "core/error.h"

namespace medley {
namespace {

constexpr int kUnlimited = std::numeric_limits<int>::max();

Link free_link() { return CommunicationRegion{}.link; }

Link slower_of(const Link& a, const Link& b) {
    return Link{.bandwidth = std::min(a.bandwidth, b.bandwidth), .latency = std::max(a.latency, b.latency)};
}

bool no_slower(const Link& a, const Link& b) { return a.bandwidth >= b.bandwidth && a.latency <= b.latency; }

/// One group of a level: how many GPUs of each type, and the slowest link inside the nodes of each type.
struct Place {
    std::vector<int> gpus;
    std::vector<Link> intra;
    std::vector<bool> multi_gpu;  ///< by type: has it a node with two GPUs or more?

    explicit Place(std::size_t types) : gpus(types, 0), intra(types, free_link()), multi_gpu(types, false) {}

    void add(const NodeGroup& group, int nodes) {
        const std::size_t type = group.gpu.index();
        gpus[type] += nodes * group.gpus;
        if (group.gpus < 2) { return; }
        multi_gpu[type] = true;
        if (group.intra) { intra[type] = slower_of(intra[type], *group.intra); }
    }

    bool operator<(const Place& other) const { return key() < other.key(); }

 private:
    // Types without GPUs keep the free link, so equal keys are equal places.
    std::vector<double> key() const {
        std::vector<double> values(gpus.begin(), gpus.end());
        for (std::size_t type = 0; type < gpus.size(); ++type) {
            values.push_back(intra[type].bandwidth.value);
            values.push_back(intra[type].latency.value);
            values.push_back(multi_gpu[type] ? 1 : 0);
        }
        return values;
    }
};

/// The groups of a level with `nodes` nodes each, in file order; equal ones once.
std::set<Place> places_of(const Cluster& cluster, int nodes) {
    std::set<Place> places;
    Place current(cluster.gpu_types.size());
    int room = nodes;
    for (const NodeGroup& group : cluster.nodes) {
        for (int left = group.count; left > 0;) {
            const int taken = std::min(left, room);
            current.add(group, taken);
            left -= taken;
            room -= taken;
            if (room > 0) { continue; }
            places.insert(current);
            current = Place(cluster.gpu_types.size());
            room = nodes;
            // Whole groups inside one run of equal nodes are all alike.
            if (left >= nodes) {
                current.add(group, nodes);
                places.insert(current);
                current = Place(cluster.gpu_types.size());
                left %= nodes;
            }
        }
    }
    if (room < nodes) { places.insert(current); }
    return places;
}

/// Collects regions and leaves out those that another one makes useless.
class RegionSet {
 public:
    explicit RegionSet(Bytes gradient) : gradient_(gradient) {}

    void add(std::vector<int> most, const Link& link) {
        const auto covers = [](const CommunicationRegion& a, const std::vector<int>& limits) {
            return std::equal(a.most.begin(), a.most.end(), limits.begin(), std::greater_equal<>());
        };
        for (const CommunicationRegion& region : regions_) {
            if (covers(region, most) && no_slower(region.link, link)) { return; }
        }
        CommunicationRegion added{.most = std::move(most), .fixed = Seconds{0}, .gradient = gradient_, .link = link};
        std::erase_if(regions_,
                      [&](const CommunicationRegion& region) { return covers(added, region.most) && no_slower(link, region.link); });
        regions_.push_back(std::move(added));
    }

    /// A place whose ring between nodes crosses `outside`. For each choice of the slowest intra link allowed, the types with slower
    /// ones may use one GPU only.
    void add_place(const Place& place, const Link& outside, bool whole_cluster) {
        for (const Link& allowed : allowed_intra_links(place)) {
            std::vector<int> most(place.gpus.size());
            Link crossed = outside;
            for (std::size_t type = 0; type < most.size(); ++type) {
                const int capacity = whole_cluster ? kUnlimited : place.gpus[type];
                const bool usable = no_slower(place.intra[type], allowed);
                most[type] = usable ? capacity : std::min(capacity, 1);
                if (usable && place.multi_gpu[type]) { crossed = slower_of(crossed, place.intra[type]); }
            }
            add(std::move(most), crossed);
        }
    }

    std::vector<CommunicationRegion> take() { return std::move(regions_); }

 private:
    static std::vector<Link> allowed_intra_links(const Place& place) {
        std::vector<Link> allowed;
        for (const Link& a : place.intra) {
            for (const Link& b : place.intra) { allowed.push_back(slower_of(a, b)); }
        }
        const auto equal = [](const Link& a, const Link& b) { return no_slower(a, b) && no_slower(b, a); };
        std::sort(allowed.begin(), allowed.end(), [](const Link& a, const Link& b) {
            return a.bandwidth != b.bandwidth ? a.bandwidth > b.bandwidth : a.latency < b.latency;
        });
        allowed.erase(std::unique(allowed.begin(), allowed.end(), equal), allowed.end());
        return allowed;
    }

    Bytes gradient_;
    std::vector<CommunicationRegion> regions_;
};

void add_nodes(const Cluster& cluster, RegionSet& regions) {
    for (const NodeGroup& group : cluster.nodes) {
        std::vector<int> most(cluster.gpu_types.size(), 0);
        most[group.gpu.index()] = group.gpus;
        regions.add(std::move(most), group.intra.value_or(free_link()));
    }
}

bool nothing_known(const Cluster& cluster) {
    const bool one_node = cluster.nodes.size() == 1 && cluster.nodes.front().count == 1;
    return cluster.network.empty() && !one_node;
}

bool contains(const CommunicationRegion& region, const std::vector<int>& counts) {
    return region.most.empty() || std::equal(counts.begin(), counts.end(), region.most.begin(), std::less_equal<>());
}

}  // namespace

Seconds CommunicationRegion::seconds(int gpus) const {
    if (gpus < 2) { return fixed; }
    const double n = gpus;
    return fixed + Seconds{2 * (n - 1) / n * (gradient / Bytes{1}) / link.bandwidth.value} + link.latency * (2 * (n - 1));
}

Communication::Communication() : regions_(1) {}

Communication Communication::fixed(Seconds seconds) {
    Communication communication;
    communication.regions_.front().fixed = seconds;
    return communication;
}

Communication Communication::over(const Cluster& cluster, Bytes gradient) {
    if (nothing_known(cluster)) { return Communication(); }
    RegionSet regions(gradient);
    add_nodes(cluster, regions);
    Link crossed = free_link();
    for (const NetworkLevel& level : cluster.network) {
        const Link link{.bandwidth = level.link.bandwidth / level.oversubscription, .latency = level.link.latency};
        crossed = slower_of(crossed, link);
        if (!level.nodes) { break; }
        for (const Place& place : places_of(cluster, *level.nodes)) { regions.add_place(place, crossed, false); }
    }
    for (const Place& place : places_of(cluster, kUnlimited)) { regions.add_place(place, crossed, true); }

    Communication communication;
    communication.regions_ = regions.take();
    for (const GpuType& type : cluster.gpu_types) { communication.types_.push_back(type.name); }
    return communication;
}

Seconds Communication::seconds(std::span<const TypeCount> counts) const {
    std::vector<int> by_type(types_.size(), 0);
    int total = 0;
    for (const TypeCount& count : counts) {
        total += count.gpus;
        if (types_.empty()) { continue; }
        const auto found = std::find(types_.begin(), types_.end(), count.type);
        MEDLEY_ASSERT(found != types_.end());
        by_type[static_cast<std::size_t>(found - types_.begin())] += count.gpus;
    }
    MEDLEY_ASSERT(total > 0);
    Seconds least{std::numeric_limits<double>::infinity()};
    for (const CommunicationRegion& region : regions_) {
        if (contains(region, by_type)) { least = std::min(least, region.seconds(total)); }
    }
    return least;
}

}  // namespace medley
