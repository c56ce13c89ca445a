#pragma once
/// Options of a policy: what may be said (data in the table), and the values in force for one policy object.

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace medley::planner {

/// One `key=value` of a policy as users may write it.
struct PolicyOption {
    std::string_view name;
    std::string_view values;  ///< the allowed values, `|` between
    std::string_view default_value;
    std::string_view description;
};

/// Values in force: the defaults, overridden by what was given.
class PolicyOptions {
 public:
    using Given = std::vector<std::pair<std::string, std::string>>;

    /// Throws medley::Error for an option that `known` does not list (naming the nearest), one given twice, or a value not allowed.
    PolicyOptions(std::string_view policy, std::span<const PolicyOption> known, const Given& given);

    /// Requires an option of this name with the values true|false.
    bool is_true(std::string_view option) const;
    /// Every option with its value, in the table's order.
    const Given& in_force() const { return values_; }

 private:
    Given values_;
};

}  // namespace medley::planner
