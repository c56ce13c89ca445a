#pragma once
/// Slurm's fair-share tree: accounts, users below them, recorded usage that decays, and each user's factor.

#include <optional>
#include <unordered_map>
#include <vector>

#include "core/ids.h"
#include "core/name.h"
#include "core/site_rules.h"

namespace medley::planner {

/// A user in one account: what shares, usage and limits are kept for.
using AssociationId = Id<struct AssociationTag>;

/// A user or an account that the rules do not name is added when it is first met, with one share (an account below the root).
/// Thread rule: one thread.
class FairShareTree {
 public:
    explicit FairShareTree(const SiteRules& rules);

    AssociationId find_or_add(Name account, Name user);
    std::size_t size() const { return nodes_.size(); }
    /// The association above; invalid above those just below the root.
    AssociationId parent(AssociationId id) const { return nodes_[id.index()].parent; }
    double priority(AssociationId id) const { return nodes_[id.index()].priority; }
    double highest_priority() const { return highest_priority_; }
    const GroupLimits& limits(AssociationId id) const { return nodes_[id.index()].limits; }
    /// What the rules say of a user; null for accounts and those not named.
    const UserRule* user_rule(AssociationId id) const { return nodes_[id.index()].rule; }

    /// Usage, in billed seconds, of an association and of all above it.
    void charge(AssociationId id, double usage);
    void decay(double factor);
    void reset_usage() { decay(0); }
    double usage(AssociationId id) const { return nodes_[id.index()].usage; }

    /// Works every user's factor out anew from shares and usage. Cost: O(n log n).
    void calculate(const PriorityRules& rules);
    /// As last calculated; that of a user added since, 0.
    double factor(AssociationId id) const { return nodes_[id.index()].factor; }

 private:
    struct Node {
        Name name;
        AssociationId parent;
        bool is_user = false;
        double shares = 1;
        double priority = 0;
        GroupLimits limits;
        const UserRule* rule = nullptr;
        double usage = 0;
        double factor = 0;
        double level_shares = 0;  ///< of its siblings and itself
        double level_factor = 0;  ///< shares / usage among siblings (Fair Tree)
        double norm_shares = 0;   ///< of the whole tree (classic)
        double effective_usage = 0;
    };
    struct Key {
        AssociationId parent;
        Name name;
        bool operator==(const Key&) const = default;
    };
    struct KeyHash {
        std::size_t operator()(const Key& key) const noexcept { return std::hash<Name>{}(key.name) * 31 + key.parent.value; }
    };
    using Siblings = std::vector<std::size_t>;

    AssociationId add(Node node);
    AssociationId account(Name name);
    void add_account(const std::vector<AccountRule>& all, const AccountRule& rule);
    std::vector<Siblings> children() const;
    void sum_level_shares(const std::vector<Siblings>& children);
    void calculate_tree(const std::vector<Siblings>& children);
    void rank(Siblings siblings, bool parent_tied, const std::vector<Siblings>& children, struct Ranks& ranks);
    void calculate_classic(double damping);

    std::vector<Node> nodes_;  ///< parents before their children
    std::unordered_map<Name, AssociationId> accounts_;
    std::unordered_map<Key, AssociationId, KeyHash> users_;
    double root_usage_ = 0;
    std::size_t user_count_ = 0;
    double highest_priority_ = 0;
};

}  // namespace medley::planner
