#include "planner/policies/slurm/fair_share.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/error.h"

namespace medley::planner {

/// The rank to be given next, and the last one given: users who are tied share it.
struct Ranks {
    std::size_t next = 0;
    std::size_t given = 0;
};

FairShareTree::FairShareTree(const SiteRules& rules) {
    for (const AccountRule& rule : rules.accounts) { add_account(rules.accounts, rule); }
    for (const AccountRule& rule : rules.accounts) {
        for (const UserRule& user : rule.users) {
            const AssociationId id = add({.name = user.name,
                                          .parent = accounts_.at(rule.name),
                                          .is_user = true,
                                          .shares = user.shares,
                                          .priority = user.priority,
                                          .limits = user.group,
                                          .rule = &user});
            charge(id, user.usage);
        }
    }
}

void FairShareTree::add_account(const std::vector<AccountRule>& all, const AccountRule& rule) {
    if (accounts_.contains(rule.name)) { return; }
    AssociationId parent;
    if (!rule.parent.empty()) {
        const auto above = std::find_if(all.begin(), all.end(), [&](const AccountRule& each) { return each.name == rule.parent; });
        add_account(all, *above);
        parent = accounts_.at(rule.parent);
    }
    accounts_[rule.name] =
        add({.name = rule.name, .parent = parent, .shares = rule.shares, .priority = rule.priority, .limits = rule.group});
}

AssociationId FairShareTree::add(Node node) {
    const AssociationId id(nodes_.size());
    highest_priority_ = std::max(highest_priority_, node.priority);
    if (node.is_user) {
        users_[{.parent = node.parent, .name = node.name}] = id;
        ++user_count_;
    }
    nodes_.push_back(std::move(node));
    return id;
}

AssociationId FairShareTree::account(Name name) {
    if (name.empty()) { return {}; }
    const auto known = accounts_.find(name);
    if (known != accounts_.end()) { return known->second; }
    return accounts_[name] = add({.name = name});
}

AssociationId FairShareTree::find_or_add(Name account_name, Name user) {
    const AssociationId parent = account(account_name);
    const auto known = users_.find({.parent = parent, .name = user});
    return known != users_.end() ? known->second : add({.name = user, .parent = parent, .is_user = true});
}

void FairShareTree::charge(AssociationId id, double usage) {
    root_usage_ += usage;
    for (; id.valid(); id = nodes_[id.index()].parent) { nodes_[id.index()].usage += usage; }
}

void FairShareTree::decay(double factor) {
    root_usage_ *= factor;
    for (Node& node : nodes_) { node.usage *= factor; }
}

void FairShareTree::calculate(const PriorityRules& rules) {
    const std::vector<Siblings> below = children();
    sum_level_shares(below);
    if (rules.fair_share == FairShareRule::kTree) { return calculate_tree(below); }
    calculate_classic(rules.damping);
}

// By node, and those below the root last.
std::vector<FairShareTree::Siblings> FairShareTree::children() const {
    std::vector<Siblings> below(nodes_.size() + 1);
    for (std::size_t index = 0; index < nodes_.size(); ++index) {
        const AssociationId parent = nodes_[index].parent;
        below[parent.valid() ? parent.index() : nodes_.size()].push_back(index);
    }
    return below;
}

void FairShareTree::sum_level_shares(const std::vector<Siblings>& children) {
    for (const Siblings& siblings : children) {
        double shares = 0;
        for (const std::size_t index : siblings) { shares += nodes_[index].shares; }
        for (const std::size_t index : siblings) { nodes_[index].level_shares = shares; }
    }
}

void FairShareTree::calculate_tree(const std::vector<Siblings>& children) {
    for (Node& node : nodes_) {
        const double level_usage = node.parent.valid() ? nodes_[node.parent.index()].usage : root_usage_;
        const double shares = node.level_shares > 0 ? node.shares / node.level_shares : 0;
        const double used = level_usage > 0 ? node.usage / level_usage : 0;
        node.level_factor = used > 0 ? shares / used : std::numeric_limits<double>::infinity();
        if (shares <= 0) { node.level_factor = 0; }
    }
    Ranks ranks{.next = user_count_, .given = user_count_};
    rank(children.back(), false, children, ranks);
}

// Siblings in descending order, users before accounts that are tied with them; tied accounts as if their children were one list's.
void FairShareTree::rank(Siblings siblings, bool parent_tied, const std::vector<Siblings>& children, Ranks& ranks) {
    const auto before = [this](std::size_t a, std::size_t b) {
        if (nodes_[a].level_factor != nodes_[b].level_factor) { return nodes_[a].level_factor > nodes_[b].level_factor; }
        return nodes_[a].is_user && !nodes_[b].is_user;
    };
    std::stable_sort(siblings.begin(), siblings.end(), before);
    for (std::size_t index = 0; index < siblings.size(); ++index) {
        Node& node = nodes_[siblings[index]];
        const bool tied = index == 0 ? parent_tied : nodes_[siblings[index - 1]].level_factor == node.level_factor;
        if (node.is_user) {
            if (!tied) { ranks.given = ranks.next; }
            node.factor = static_cast<double>(ranks.given) / static_cast<double>(user_count_);
            --ranks.next;
            continue;
        }
        Siblings below = children[siblings[index]];
        while (index + 1 < siblings.size() && nodes_[siblings[index + 1]].level_factor == node.level_factor) {
            const Siblings& more = children[siblings[++index]];
            below.insert(below.end(), more.begin(), more.end());
        }
        rank(std::move(below), tied, children, ranks);
    }
}

void FairShareTree::calculate_classic(double damping) {
    for (Node& node : nodes_) {
        const bool first_tier = !node.parent.valid();
        const double among_siblings = node.level_shares > 0 ? node.shares / node.level_shares : 0;
        const double actual = root_usage_ > 0 ? node.usage / root_usage_ : 0;
        node.norm_shares = among_siblings;
        node.effective_usage = actual;
        if (!first_tier) {
            const Node& parent = nodes_[node.parent.index()];
            node.norm_shares *= parent.norm_shares;
            node.effective_usage = actual + (parent.effective_usage - actual) * among_siblings;
        }
        node.factor = node.norm_shares > 0 ? std::exp2(-node.effective_usage / node.norm_shares / damping) : 0;
    }
}

}  // namespace medley::planner
