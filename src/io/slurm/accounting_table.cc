#include "io/slurm/accounting_table.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "core/error.h"

namespace medley::io::slurm {
namespace {

/// What sacct calls a column; several names where releases differ, the first that a file has counts.
struct ColumnName {
    std::string_view name;
    Column column;
};

constexpr std::array kNames = {
    ColumnName{"JobID", Column::kJobId},
    ColumnName{"User", Column::kUser},
    ColumnName{"Account", Column::kAccount},
    ColumnName{"Partition", Column::kPartition},
    ColumnName{"QOS", Column::kQos},
    ColumnName{"State", Column::kState},
    ColumnName{"Submit", Column::kSubmit},
    ColumnName{"Eligible", Column::kEligible},
    ColumnName{"Start", Column::kStart},
    ColumnName{"End", Column::kEnd},
    ColumnName{"Elapsed", Column::kElapsed},
    ColumnName{"ElapsedRaw", Column::kElapsedRaw},
    ColumnName{"Timelimit", Column::kTimelimit},
    ColumnName{"TimelimitRaw", Column::kTimelimitRaw},
    ColumnName{"NNodes", Column::kNodes},
    ColumnName{"AllocNodes", Column::kNodes},
    ColumnName{"NCPUS", Column::kCpus},
    ColumnName{"AllocCPUS", Column::kCpus},
    ColumnName{"ReqTRES", Column::kReqTres},
    ColumnName{"AllocTRES", Column::kAllocTres},
    ColumnName{"AllocGRES", Column::kAllocGres},
    ColumnName{"NodeList", Column::kNodeList},
    ColumnName{"Priority", Column::kPriority},
    ColumnName{"Reservation", Column::kReservation},
    ColumnName{"SubmitLine", Column::kSubmitLine},
};

/// Texts of users, which sacct prints as they are.
constexpr std::array<std::string_view, 8> kFreeTexts = {"JobName",    "Comment", "AdminComment", "SystemComment",
                                                        "SubmitLine", "WorkDir", "Container",    "Extra"};

bool same_name(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text.front() == ' ') { text.remove_prefix(1); }
    while (!text.empty() && text.back() == ' ') { text.remove_suffix(1); }
    return text;
}

}  // namespace

AccountingTable::AccountingTable(ByteSource& source) : lines_(source) { read_header(); }

void AccountingTable::read_header() {
    while (cells_.empty() && lines_.next()) {
        if (!trimmed(lines_.text()).empty()) { split(lines_.text()); }
    }
    if (!cells_.empty() && cells_.back().empty()) { cells_.pop_back(); }  // of `sacct -p`
    columns_ = cells_.size();
    first_name_ = cells_.empty() ? "" : std::string(cells_.front());
    std::size_t free_texts = 0;
    for (std::size_t place = 0; place < columns_; ++place) {
        const std::string_view cell = trimmed(cells_[place]);
        for (const ColumnName& known : kNames) {
            auto& own = places_[static_cast<std::size_t>(known.column)];
            if (same_name(known.name, cell) && !own) { own = place; }
        }
        const bool free = std::any_of(kFreeTexts.begin(), kFreeTexts.end(), [&](std::string_view name) { return same_name(name, cell); });
        free_texts += free ? 1 : 0;
        if (free) { free_text_ = place; }
    }
    if (free_texts != 1) { free_text_.reset(); }
    if (!has(Column::kJobId)) {
        refuse_value("line 1", std::string(lines_.text().substr(0, 80)), "a header of sacct --parsable2 with JobID");
    }
}

void AccountingTable::split(std::string_view line) {
    cells_.clear();
    while (true) {
        const std::size_t bar = line.find('|');
        cells_.push_back(line.substr(0, bar));
        if (bar == std::string_view::npos) { return; }
        line.remove_prefix(bar + 1);
    }
}

AccountingTable::Row AccountingTable::next() {
    while (lines_.next()) {
        if (lines_.text().empty()) { continue; }
        split(lines_.text());
        if (cells_.front() == first_name_) { continue; }
        if (cells_.size() > columns_ && cells_.back().empty()) { cells_.pop_back(); }
        if (cells_.size() < columns_) { return Row::kTooFew; }
        return cells_.size() == columns_ || join_free_text() ? Row::kGood : Row::kTooMany;
    }
    return Row::kEnd;
}

bool AccountingTable::join_free_text() {
    if (!free_text_) { return false; }
    const std::size_t extra = cells_.size() - columns_;
    const auto first = cells_.begin() + static_cast<std::ptrdiff_t>(*free_text_);
    const auto last = first + static_cast<std::ptrdiff_t>(extra);
    *first = std::string_view(first->data(), static_cast<std::size_t>(last->data() + last->size() - first->data()));
    cells_.erase(first + 1, last + 1);
    return true;
}

std::string_view AccountingTable::cell(Column column) const {
    const auto& place = places_[static_cast<std::size_t>(column)];
    return place ? trimmed(cells_[*place]) : std::string_view();
}

void AccountingTable::refuse(Column column, std::string_view expected) const {
    const auto* name = std::find_if(kNames.begin(), kNames.end(), [&](const ColumnName& known) { return known.column == column; });
    refuse_value(fmt::format("line {}, column {}", line(), name->name), std::string(cell(column)), std::string(expected));
}

}  // namespace medley::io::slurm
