#include "lp_vertex_enumeration.h"

#include <cmath>
#include <utility>
#include <vector>

namespace medley::planner {
namespace {

struct HalfSpaceEdge {
    std::vector<double> normal;
    double value = 0;
};

std::vector<std::vector<double>> dense_rows(const LinearProgram& program) {
    std::vector<std::vector<double>> rows(program.rows.size(), std::vector<double>(program.columns.size(), 0.0));
    for (const LpEntry& entry : program.entries) { rows[entry.row][entry.column] = entry.coefficient; }
    return rows;
}

std::vector<HalfSpaceEdge> edges_of(const LinearProgram& program) {
    std::vector<HalfSpaceEdge> edges;
    const auto add = [&edges](const std::vector<double>& normal, double value) {
        if (std::isfinite(value)) { edges.push_back({normal, value}); }
    };
    const auto rows = dense_rows(program);
    for (std::size_t row = 0; row < rows.size(); ++row) {
        add(rows[row], program.rows[row].low);
        add(rows[row], program.rows[row].high);
    }
    for (std::size_t column = 0; column < program.columns.size(); ++column) {
        std::vector<double> unit(program.columns.size(), 0.0);
        unit[column] = 1;
        add(unit, program.columns[column].low);
        add(unit, program.columns[column].high);
    }
    return edges;
}

std::optional<std::vector<double>> intersection(std::vector<HalfSpaceEdge> chosen) {
    const std::size_t size = chosen.size();
    for (std::size_t pivot = 0; pivot < size; ++pivot) {
        std::size_t best = pivot;
        for (std::size_t row = pivot; row < size; ++row) {
            if (std::abs(chosen[row].normal[pivot]) > std::abs(chosen[best].normal[pivot])) { best = row; }
        }
        if (std::abs(chosen[best].normal[pivot]) < 1e-9) { return std::nullopt; }
        std::swap(chosen[pivot], chosen[best]);
        for (std::size_t row = 0; row < size; ++row) {
            if (row == pivot) { continue; }
            const double factor = chosen[row].normal[pivot] / chosen[pivot].normal[pivot];
            for (std::size_t column = 0; column < size; ++column) { chosen[row].normal[column] -= factor * chosen[pivot].normal[column]; }
            chosen[row].value -= factor * chosen[pivot].value;
        }
    }
    std::vector<double> point(size);
    for (std::size_t column = 0; column < size; ++column) { point[column] = chosen[column].value / chosen[column].normal[column]; }
    return point;
}

bool within(double value, double low, double high) { return value >= low - 1e-7 && value <= high + 1e-7; }

bool feasible(const LinearProgram& program, const std::vector<double>& point) {
    for (std::size_t column = 0; column < point.size(); ++column) {
        if (!within(point[column], program.columns[column].low, program.columns[column].high)) { return false; }
    }
    const auto rows = dense_rows(program);
    for (std::size_t row = 0; row < rows.size(); ++row) {
        double activity = 0;
        for (std::size_t column = 0; column < point.size(); ++column) { activity += rows[row][column] * point[column]; }
        if (!within(activity, program.rows[row].low, program.rows[row].high)) { return false; }
    }
    return true;
}

class Enumeration {
 public:
    explicit Enumeration(const LinearProgram& program) : program_(program), edges_(edges_of(program)) { choose(0); }
    std::optional<double> best() const { return best_; }

 private:
    void choose(std::size_t from) {
        if (chosen_.size() == program_.columns.size()) { return visit(); }
        for (std::size_t edge = from; edge < edges_.size(); ++edge) {
            chosen_.push_back(edges_[edge]);
            choose(edge + 1);
            chosen_.pop_back();
        }
    }

    void visit() {
        const auto point = intersection(chosen_);
        if (!point || !feasible(program_, *point)) { return; }
        double objective = 0;
        for (std::size_t column = 0; column < point->size(); ++column) {
            objective += program_.columns[column].objective * (*point)[column];
        }
        const double sign = program_.sense == Sense::kMaximize ? 1 : -1;
        if (!best_ || sign * objective > sign * *best_) { best_ = objective; }
    }

    const LinearProgram& program_;
    std::vector<HalfSpaceEdge> edges_;
    std::vector<HalfSpaceEdge> chosen_;
    std::optional<double> best_;
};

}  // namespace

std::optional<double> best_vertex_objective(const LinearProgram& program) { return Enumeration(program).best(); }

}  // namespace medley::planner
