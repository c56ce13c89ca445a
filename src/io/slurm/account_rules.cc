#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "io/scalar.h"
#include "io/slurm/rule_parts.h"
#include "io/slurm/times.h"

namespace medley::io::slurm {
namespace {

constexpr std::string_view kRoot = "root";
/// Users that stand directly below the root; they are part of the fair tree.
constexpr std::string_view kRootUsers = "root-users";

/// One row, cell by cell.
class RowReader {
 public:
    RowReader(const OutputTable& table, const OutputTable::Row& row) : table_(table), row_(row) {}

    std::string_view text(std::string_view column) const { return table_.cell(row_, column); }
    Name name(std::string_view column) const { return Name(text(column)); }

    double number(std::string_view column, double otherwise) const {
        if (text(column).empty()) { return otherwise; }
        const auto number = to_number(text(column));
        if (!number) { table_.refuse(row_, column, "a number"); }
        return *number;
    }
    std::optional<std::int64_t> limit(std::string_view column) const {
        if (text(column).empty()) { return std::nullopt; }
        const auto limit = to_whole(text(column));
        if (!limit) { table_.refuse(row_, column, "a whole number"); }
        return *limit >= 0 ? limit : std::nullopt;
    }
    std::optional<Seconds> span(std::string_view column) const {
        if (is_unlimited(text(column))) { return std::nullopt; }
        const auto span = to_span(text(column));
        if (!span) { table_.refuse(row_, column, "a span such as 2-00:00:00"); }
        return span;
    }

 private:
    const OutputTable& table_;
    const OutputTable::Row& row_;
};

template <std::size_t Size>
void note_stated(const RowReader& row, const std::string& what, const std::array<std::string_view, Size>& columns, RulesContext& context) {
    for (const std::string_view column : columns) {
        const std::string_view text = row.text(column);
        if (!text.empty()) { context.note(fmt::format("{}: {}={} is left out", what, column, text)); }
    }
}

std::optional<PreemptionMode> preemption_mode(std::string_view text) {
    if (text == "cancel") { return PreemptionMode::kCancel; }
    if (text == "requeue") { return PreemptionMode::kRequeue; }
    if (text == "suspend" || text == "gang,suspend") { return PreemptionMode::kSuspend; }
    return std::nullopt;
}

GroupLimits read_group(const RowReader& row, const std::string& what, RulesContext& context) {
    return {.gpus = context.gpu_limit(row.text("GrpTRES"), what), .jobs = row.limit("GrpJobs"), .submitted_jobs = row.limit("GrpSubmit")};
}

QosRule read_one_qos(const RowReader& row, RulesContext& context) {
    static constexpr std::array<std::string_view, 8> kLeftOut = {"GrpTRESMins", "GrpTRESRunMins", "GrpWall", "MaxTRESPerNode",
                                                                 "MaxTRESMins", "MaxSubmitPA",    "MinTRES", "UsageThres"};
    QosRule rule{.name = row.name("Name"), .priority = row.number("Priority", 0)};
    const std::string what = fmt::format("QOS {}", rule.name.text());
    for (std::string_view rest = row.text("Preempt"); !rest.empty();) {
        const std::size_t comma = rest.find(',');
        rule.preempts.emplace_back(rest.substr(0, comma));
        rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 1);
    }
    rule.mode = preemption_mode(row.text("PreemptMode"));
    rule.exempt = std::max(row.span("GraceTime").value_or(Seconds{0}), row.span("PreemptExemptTime").value_or(Seconds{0}));
    rule.usage_factor = row.number("UsageFactor", 1);
    rule.max_walltime = row.span("MaxWall");
    rule.group = read_group(row, what, context);
    rule.max_gpus_per_job = context.gpu_limit(row.text("MaxTRES"), what);
    rule.max_gpus_per_user = context.gpu_limit(row.text("MaxTRESPU"), what);
    rule.max_jobs_per_user = row.limit("MaxJobsPU");
    rule.max_submitted_per_user = row.limit("MaxSubmitPU");
    rule.max_gpus_per_account = context.gpu_limit(row.text("MaxTRESPA"), what);
    rule.max_jobs_per_account = row.limit("MaxJobsPA");
    note_stated(row, what, kLeftOut, context);
    return rule;
}

void drop_unknown_victims(SiteRules& rules, RulesContext& context) {
    for (QosRule& rule : rules.qos) {
        std::erase_if(rule.preempts, [&](Name victim) {
            if (rules.find_qos(victim) != nullptr) { return false; }
            context.note(fmt::format("QOS {}: it preempts {}, which is not listed", rule.name.text(), victim.text()));
            return true;
        });
    }
}

class AccountReader {
 public:
    AccountReader(RulesContext& context, SiteRules& rules) : context_(context), rules_(rules) {}

    /// Throws medley::Error naming line and column.
    void read(const OutputTable& table) {
        for (const OutputTable::Row& row : table.rows) { take(RowReader(table, row), table); }
        if (!table.has("ParentName") && !table.has("Par Name") && rules_.accounts.size() > 1) {
            context_.note("associations without ParentName: every account is taken to stand directly below the root");
        }
        place_parents();
    }

 private:
    void take(const RowReader& row, const OutputTable& table) {
        static constexpr std::array<std::string_view, 8> kLeftOut = {"GrpTRESMins", "GrpTRESRunMins", "GrpWall",     "MaxTRESPerNode",
                                                                     "MaxSubmit",   "MaxWall",        "MaxTRESMins", "MaxTRESRunMins"};
        const std::string_view cluster = row.text("Cluster");
        if (cluster_.empty()) { cluster_ = cluster; }
        if (cluster != cluster_) {
            context_.note(fmt::format("associations of cluster {} are left out (the first is {})", cluster, cluster_));
            return;
        }
        const std::string what =
            fmt::format("account {}{}{}", row.text("Account"), row.text("User").empty() ? "" : ", user ", row.text("User"));
        if (!row.text("Partition").empty()) {
            context_.note(fmt::format("{}: its association with partition {} is left out", what, row.text("Partition")));
            return;
        }
        row.text("User").empty() ? take_account(row, table, what) : take_user(row, what);
        note_stated(row, what, kLeftOut, context_);
    }

    double shares(const RowReader& row, const std::string& what) {
        if (row.text("Share") != "parent") { return row.number("Share", 1); }
        context_.note(fmt::format("{}: Fairshare=parent is taken for one share", what));
        return 1;
    }

    void take_account(const RowReader& row, const OutputTable& table, const std::string& what) {
        if (row.text("Account") == kRoot) { return; }
        AccountRule& account = account_of(row.name("Account"));
        account.parent = row.name(table.has("ParentName") ? "ParentName" : "Par Name");
        account.shares = shares(row, what);
        account.priority = row.number("Priority", 0);
        account.group = read_group(row, what, context_);
    }

    void take_user(const RowReader& row, const std::string& what) {
        const bool root = row.text("Account") == kRoot;
        AccountRule& account = account_of(root ? Name(kRootUsers) : row.name("Account"));
        UserRule user{.name = row.name("User"), .shares = shares(row, what), .priority = row.number("Priority", 0)};
        user.group = read_group(row, what, context_);
        user.max_gpus_per_job = context_.gpu_limit(row.text("MaxTRES"), what);
        user.max_jobs = row.limit("MaxJobs");
        account.users.push_back(user);
    }

    AccountRule& account_of(Name name) {
        const auto found =
            std::find_if(rules_.accounts.begin(), rules_.accounts.end(), [&](const AccountRule& account) { return account.name == name; });
        if (found != rules_.accounts.end()) { return *found; }
        rules_.accounts.push_back({.name = name});
        return rules_.accounts.back();
    }

    /// The root has no rule of its own; a parent that is not listed is taken for it.
    void place_parents() {
        std::set<Name> known;
        for (const AccountRule& account : rules_.accounts) { known.insert(account.name); }
        for (AccountRule& account : rules_.accounts) {
            if (!known.contains(account.parent)) { account.parent = Name(); }
        }
    }

    RulesContext& context_;
    SiteRules& rules_;
    std::string cluster_;
};

}  // namespace

void read_qos(const OutputFile& file, RulesContext& context, SiteRules& rules) {
    const OutputTable table = read_table(file.text);
    for (const OutputTable::Row& row : table.rows) { rules.qos.push_back(read_one_qos(RowReader(table, row), context)); }
    drop_unknown_victims(rules, context);
}

void read_associations(const OutputFile& file, RulesContext& context, SiteRules& rules) {
    AccountReader(context, rules).read(read_table(file.text));
}

}  // namespace medley::io::slurm
