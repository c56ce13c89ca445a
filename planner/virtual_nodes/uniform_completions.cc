#include "planner/virtual_nodes/uniform_completions.h"

#include <algorithm>

namespace medley::planner {
namespace {

/// Rests of one residue class modulo `batch`, ascending: position k stands for residue + k x batch.
class Window {
 public:
    Window(const std::vector<double>& after, std::int64_t batch, double weight, int most)
        : after_(after), batch_(batch), weight_(weight), most_(most) {}

    /// Lowers `least` by what 1 to `most` GPUs of this batch allow.
    void relax(std::int64_t residue, std::vector<double>& least) {
        queue_.clear();
        std::size_t front = 0;
        const auto size = static_cast<std::int64_t>(after_.size());
        for (std::int64_t rest = residue, position = 0; rest < size; rest += batch_, ++position) {
            while (front < queue_.size() && queue_[front].position < position - most_) { ++front; }
            if (front < queue_.size()) {
                double& value = least[static_cast<std::size_t>(rest)];
                value = std::min(value, queue_[front].key + static_cast<double>(position) * weight_);
            }
            const double key = after_[static_cast<std::size_t>(rest)] - static_cast<double>(position) * weight_;
            if (key == UniformCompletions::kNone) { continue; }
            while (queue_.size() > front && queue_.back().key >= key) { queue_.pop_back(); }
            queue_.push_back({.position = position, .key = key});
        }
    }

 private:
    struct Entry {
        std::int64_t position;
        double key;
    };
    const std::vector<double>& after_;
    std::int64_t batch_;
    double weight_;
    int most_;
    std::vector<Entry> queue_;  ///< keys ascending, from the front on
};

std::vector<double> before(const std::vector<double>& after, const UniformItem& item, double weight, bool at_least_one) {
    std::vector<double> least = at_least_one ? std::vector<double>(after.size(), UniformCompletions::kNone) : after;
    for (const std::int64_t batch : item.batches) {
        Window window(after, batch, weight, item.most);
        const auto residues = std::min(batch, static_cast<std::int64_t>(after.size()));
        for (std::int64_t residue = 0; residue < residues; ++residue) { window.relax(residue, least); }
    }
    return least;
}

}  // namespace

UniformCompletions::UniformCompletions(const std::vector<UniformItem>& items, std::int64_t batch, bool every_type) {
    std::vector<double> nothing(static_cast<std::size_t>(batch) + 1, kNone);
    nothing[0] = 0;
    weight_.assign(items.size() + 1, nothing);
    gpus_.assign(items.size() + 1, nothing);
    for (std::size_t depth = items.size(); depth-- > 0;) {
        const bool unit_weight = std::all_of(items.begin(), items.end(), [](const UniformItem& item) { return item.weight == 1; });
        gpus_[depth] = before(gpus_[depth + 1], items[depth], 1, every_type);
        weight_[depth] = unit_weight ? gpus_[depth] : before(weight_[depth + 1], items[depth], items[depth].weight, every_type);
    }
}

}  // namespace medley::planner
