#include "cli/plan_svg.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "cli/table.h"

namespace medley::cli {
namespace {

using planner::PlannedJob;
using planner::PlanRequest;

constexpr double kWidth = 960;
constexpr double kLeft = 210;  // of the bars
constexpr double kRight = 30;
constexpr double kTop = 92;
constexpr double kRow = 56;
constexpr double kBar = 30;
constexpr double kLegendRow = 22;
constexpr double kLegendColumn = 178;
/// More virtual nodes than this in a bar are drawn as one piece for each size.
constexpr std::size_t kMostPieces = 120;
/// Okabe and Ito's colours, which people with any kind of colour vision tell apart; sizes beyond the last repeat them.
constexpr std::array<const char*, 6> kSizeColours = {"#0072b2", "#e69f00", "#009e73", "#56b4e9", "#d55e00", "#cc79a7"};

constexpr const char* kStyle =
    R"svg(<style>
text { font: 13px system-ui, sans-serif; fill: #1a1a1a }
.title { font-size: 18px; font-weight: 600 }
.small { font-size: 12px; fill: #555 }
.in { fill: #fff; text-anchor: middle; font-size: 12px }
.tick { text-anchor: middle; font-size: 12px; fill: #555 }
.rule { stroke: #d0d0d0 }
.waiting { fill: #ececec }
.paper { fill: #fff }
@media (prefers-color-scheme: dark) {
text { fill: #eee } .small, .tick { fill: #aaa } .in { fill: #fff }
.rule { stroke: #444 } .waiting { fill: #333 } .paper { fill: #16181d }
}
</style>
<defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
<rect width="6" height="6" fill="#777"/><rect width="2" height="6" fill="#ddd"/></pattern></defs>
)svg";

std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        switch (c) {
            case '&': out += "&amp;"; break;
            case '<': out += "&lt;"; break;
            case '>': out += "&gt;"; break;
            case '"': out += "&quot;"; break;
            default: out += c;
        }
    }
    return out;
}

/// 1, 2 or 5 times a power of ten, about a sixth of the whole.
double tick_step(double whole) {
    const double power = std::pow(10.0, std::floor(std::log10(whole / 6)));
    const double factor = whole / 6 / power;
    return power * (factor < 1.5 ? 1 : factor < 3.5 ? 2 : factor < 7.5 ? 5 : 10);
}

class Drawing {
 public:
    Drawing(const PlanRequest& request, const PlannedJob& job) : request_(request), job_(job) {
        for (const ReplicaGroup& group : job.plan.groups) {
            sizes_.insert(sizes_.end(), group.virtual_nodes.begin(), group.virtual_nodes.end());
        }
        std::sort(sizes_.begin(), sizes_.end(), std::greater<>());
        sizes_.erase(std::unique(sizes_.begin(), sizes_.end()), sizes_.end());
    }

    std::string draw() {
        const double axis = kTop + static_cast<double>(job_.plan.groups.size()) * kRow;
        const std::size_t legend_rows = (sizes_.size() + 2 + kLegendColumns - 1) / kLegendColumns;
        const double height = axis + 52 + static_cast<double>(legend_rows) * kLegendRow;
        out_ = fmt::format(R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0} {1}" width="{0}" height="{1}" role="img">)", kWidth,
                           height);
        out_ += "\n" + heading() + kStyle + fmt::format("<rect class=\"paper\" width=\"{}\" height=\"{}\"/>\n", kWidth, height);
        add_text(20, 34, "title", title());
        add_text(20, 58, "small", figures());
        add_axis(axis);
        for (std::size_t group = 0; group < job_.plan.groups.size(); ++group) { add_bar(group); }
        add_legend(axis + 48);
        return out_ + "</svg>\n";
    }

 private:
    static constexpr std::size_t kLegendColumns = 5;

    std::string title() const {
        std::string gpus;
        for (const TypeCount& count : counts_of(job_.plan)) {
            gpus += fmt::format("{}{} {}", gpus.empty() ? "" : " + ", count.gpus, count.type.text());
        }
        return fmt::format("{}: {} {}s a step on {}", request_.profile->model.text(), job_.plan.global_batch.value,
                           request_.profile->sample, gpus);
    }
    std::string figures() const {
        return fmt::format("{} s a step ({} s compute, {} s communication), {} {}s/s; {}", show_number(job_.cost.step.value),
                           show_number(job_.cost.compute.value), show_number(job_.cost.communication.value),
                           show_number(job_.cost.samples_per_s), request_.profile->sample,
                           job_.optimal ? "proved optimal" : "not proved optimal");
    }
    std::string heading() const { return fmt::format("<title>{}</title>\n<desc>{}</desc>\n", escaped(title()), escaped(figures())); }

    double scaled(double seconds) const { return seconds / job_.cost.step.value * (kWidth - kLeft - kRight); }

    void add_text(double x, double y, const char* style, const std::string& text) {
        out_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" class=\"{}\">{}</text>\n", x, y, style, escaped(text));
    }
    void add_piece(double from_s, double for_s, double y, const std::string& look, const std::string& says,
                   const std::string& inside = "") {
        const double x = kLeft + scaled(from_s);
        const double width = scaled(for_s);
        const double gap = width > 4 ? 1 : 0;
        out_ += fmt::format("<rect x=\"{:.2f}\" y=\"{:.1f}\" width=\"{:.2f}\" height=\"{}\" {}><title>{}</title></rect>\n", x, y,
                            std::max(0.0, width - gap), kBar, look, escaped(says));
        const double needed = 8 * static_cast<double>(inside.size()) + 4;
        if (!inside.empty() && width > needed) { add_text(x + width / 2, y + kBar / 2 + 4, "in", inside); }
    }

    void add_axis(double y) {
        const double whole = job_.cost.step.value;
        const double step = tick_step(whole);
        for (int tick = 0; tick * step <= whole * (1 + 1e-9); ++tick) {
            const double x = kLeft + scaled(tick * step);
            out_ += fmt::format("<line class=\"rule\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2}\"/>\n", x, kTop - 10, y);
            add_text(x, y + 18, "tick", fmt::format("{:.6g} s", tick * step));
        }
    }

    void add_bar(std::size_t index) {
        const ReplicaGroup& group = job_.plan.groups[index];
        const GroupCost& cost = job_.cost.groups[index];
        const double y = kTop + static_cast<double>(index) * kRow;
        add_text(20, y + 13, "", fmt::format("{} \u00d7 {}", group.gpus(), group.gpu_type.text()));
        std::string share = fmt::format("{} {}s each", group.batch_per_replica().value, request_.profile->sample);
        if (cost.memory) { share += ", " + show_bytes(*cost.memory); }
        add_text(20, y + 30, "small", share);
        add_virtual_nodes(group, y);
        const double compute = cost.compute.value;
        const double waiting = job_.cost.compute.value - compute;
        if (waiting > 0) {
            add_piece(compute, waiting, y, "class=\"waiting\"", fmt::format("waits {} s for the slowest", show_number(waiting)));
        }
        const double communication = job_.cost.communication.value;
        if (communication > 0) {
            add_piece(job_.cost.compute.value, communication, y, "fill=\"url(#hatch)\"",
                      fmt::format("communication: {} s", show_number(communication)));
        }
    }

    void add_virtual_nodes(const ReplicaGroup& group, double y) {
        const GpuProfile& gpu = *request_.profile->find(group.gpu_type);
        const bool one_by_one = group.virtual_nodes.size() <= kMostPieces;
        double at = 0;
        for (std::size_t first = 0; first < group.virtual_nodes.size();) {
            const Samples size = group.virtual_nodes[first];
            std::size_t count = 1;
            while (!one_by_one && first + count < group.virtual_nodes.size() && group.virtual_nodes[first + count] == size) { ++count; }
            const double seconds = profiled_point(gpu, size).seconds.value * static_cast<double>(count);
            add_piece(at, seconds, y, fmt::format("fill=\"{}\"", colour_of(size)),
                      fmt::format("{} virtual node{} of {} {}s: {} s", count, count == 1 ? "" : "s", size.value, request_.profile->sample,
                                  show_number(seconds)),
                      count == 1 ? fmt::format("{}", size.value) : fmt::format("{} x {}", count, size.value));
            at += seconds;
            first += count;
        }
    }

    const char* colour_of(Samples size) const {
        const auto place = static_cast<std::size_t>(std::find(sizes_.begin(), sizes_.end(), size) - sizes_.begin());
        return kSizeColours[place % kSizeColours.size()];
    }

    void add_legend(double y) {
        std::vector<std::pair<std::string, std::string>> entries;
        for (const Samples size : sizes_) {
            entries.emplace_back(fmt::format("fill=\"{}\"", colour_of(size)), fmt::format("virtual node of {}", size.value));
        }
        entries.emplace_back("class=\"waiting\"", "waits for the slowest");
        entries.emplace_back("fill=\"url(#hatch)\"", "communication");
        for (std::size_t index = 0; index < entries.size(); ++index) {
            const double x = 20 + static_cast<double>(index % kLegendColumns) * kLegendColumn;
            const double row = y + static_cast<double>(index / kLegendColumns) * kLegendRow;
            out_ += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"14\" height=\"14\" {}/>\n", x, row - 12, entries[index].first);
            add_text(x + 20, row, "small", entries[index].second);
        }
    }

    const PlanRequest& request_;
    const PlannedJob& job_;
    std::vector<Samples> sizes_;  ///< descending, each once
    std::string out_;
};

}  // namespace

std::string plan_svg(const PlanRequest& request, const PlannedJob& job) { return Drawing(request, job).draw(); }

}  // namespace medley::cli
