#include <algorithm>

#include <fmt/format.h>

#include "io/scalar.h"
#include "io/slurm/records.h"
#include "io/slurm/rule_parts.h"
#include "io/slurm/times.h"

namespace medley::io::slurm {
namespace {

std::optional<Seconds> read_limit(const Record& record, std::string_view key) {
    const std::string_view text = record.value(key);
    if (is_unlimited(text)) { return std::nullopt; }
    const auto limit = to_span(text);
    if (!limit) { record.refuse(key, "a limit such as 2-00:00:00, or UNLIMITED"); }
    return limit;
}

double read_number(const Record& record, std::string_view key, double otherwise) {
    if (record.value(key).empty()) { return otherwise; }
    const auto number = to_number(record.value(key));
    if (!number) { record.refuse(key, "a number"); }
    return *number;
}

PartitionRule read_partition(const Record& record, RulesContext& context) {
    PartitionRule rule{.name = Name(record.value("PartitionName"))};
    rule.priority_factor = read_number(record, "PriorityJobFactor", rule.priority_factor);
    rule.priority_tier = static_cast<std::int64_t>(read_number(record, "PriorityTier", 1));
    rule.max_walltime = read_limit(record, "MaxTime");
    rule.default_walltime = read_limit(record, "DefaultTime");
    rule.is_default = record.value("Default") == "YES";
    rule.qos = Name(record.value("QoS"));
    std::size_t partial = 0;
    rule.nodes = context.groups_in(record.value("Nodes"), partial);
    const std::string name = rule.name.text();
    if (partial > 0) {
        context.note(fmt::format("partition {}: {} of its nodes share a group with others and are left out", name, partial));
    }
    const std::string_view state = record.value("State");
    if (!state.empty() && state != "UP") { context.note(fmt::format("partition {}: its state {} is taken for UP", name, state)); }
    return rule;
}

/// One for the whole site: Slurm has one for each partition, and counts CPUs where none is set.
void read_billing(const Record& record, RulesContext& context, SiteRules& rules, bool first) {
    auto billing = context.resources(record.value("TRESBillingWeights"), "TRESBillingWeights");
    if (billing.empty()) { billing.push_back({.resource = "cpu", .weight = 1}); }
    if (first) {
        rules.priority.billing = billing;
    } else if (billing != rules.priority.billing) {
        context.note(fmt::format("partition {}: its TRESBillingWeights are not those of the first partition and are left out",
                                 record.value("PartitionName")));
    }
}

SimTime read_moment(const Record& record, std::string_view key, const RulesChoices& choices) {
    const auto moment = to_moment(record.value(key), choices.zone);
    if (!moment) { record.refuse(key, "a time such as 2026-06-24T06:26:44, or seconds since 1970"); }
    return *moment - choices.origin;
}

void read_flags(const Record& record, RulesContext& context, SiteReservation& reservation) {
    for_each_part(record.value("Flags"), [&](std::string_view flag) {
        if (flag == "MAINT") {
            reservation.maintenance = true;
        } else if (flag != "SPEC_NODES" && flag != "IGNORE_JOBS" && flag != "ALL_NODES") {
            context.note(fmt::format("reservation {}: the flag {} is left out", reservation.name.text(), flag));
        }
    });
}

void read_reservation(const Record& record, RulesContext& context, SiteRules& rules) {
    SiteReservation reservation{.name = Name(record.value("ReservationName"))};
    std::size_t partial = 0;
    reservation.nodes = context.groups_in(record.value("Nodes"), partial);
    reservation.start = read_moment(record, "StartTime", context.choices());
    reservation.end = read_moment(record, "EndTime", context.choices());
    for_each_part(record.value("Users"), [&](std::string_view name) { reservation.users.emplace_back(name); });
    for_each_part(record.value("Accounts"), [&](std::string_view name) { reservation.accounts.emplace_back(name); });
    read_flags(record, context, reservation);
    const std::string name = reservation.name.text();
    if (partial > 0) {
        context.note(fmt::format("reservation {}: {} of its nodes share a group with others and are left out", name, partial));
    }
    if (reservation.nodes.empty()) {
        context.note(fmt::format("reservation {}: it holds no node of the cluster and is left out", name));
    } else if (reservation.end <= SimTime{0}) {
        context.note(fmt::format("reservation {}: it ended before the trace begins and is left out", name));
    } else {
        reservation.start = std::max(reservation.start, SimTime{0});
        rules.reservations.push_back(std::move(reservation));
    }
}

}  // namespace

void read_partitions(const OutputFile& file, RulesContext& context, SiteRules& rules) {
    for (const Record& record : read_records(file.text, "PartitionName")) {
        PartitionRule rule = read_partition(record, context);
        if (rule.nodes.empty()) {
            context.note(fmt::format("partition {}: it holds no node of the cluster and is left out", rule.name.text()));
            continue;
        }
        if (rule.nodes.size() == context.cluster().groups.size()) { rule.nodes.clear(); }  // all
        read_billing(record, context, rules, rules.partitions.empty());
        if (!rule.qos.empty() && rules.find_qos(rule.qos) == nullptr) {
            context.note(fmt::format("partition {}: its QOS {} is not listed and is left out", rule.name.text(), rule.qos.text()));
            rule.qos = Name();
        }
        rules.partitions.push_back(std::move(rule));
    }
}

void read_reservations(const OutputFile& file, RulesContext& context, SiteRules& rules) {
    const std::vector<Record> records = read_records(file.text, "ReservationName");
    if (!context.choices().has_origin) {
        if (!records.empty()) { context.note("reservations are left out: the trace's second 0 was not given"); }
        return;
    }
    for (const Record& record : records) { read_reservation(record, context, rules); }
}

}  // namespace medley::io::slurm
