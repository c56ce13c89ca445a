#include "io/slurm/hostlist.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <optional>

#include <fmt/format.h>

#include "core/error.h"

namespace medley::io::slurm {
namespace {

constexpr std::size_t kMostDigits = 9;

[[noreturn]] void refuse_list(std::string_view list, std::string_view expected) {
    refuse_value("", std::string(list.substr(0, 80)), std::string(expected));
}

bool all_digits(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

/// A number as the list writes it: `008` is 8, at least three digits wide.
struct Number {
    std::int64_t value = 0;
    std::size_t width = 0;
};

Number read_number(std::string_view text, std::string_view list) {
    if (!all_digits(text) || text.size() > kMostDigits) { refuse_list(list, "numbers in brackets, as in n[001-016,020]"); }
    Number number{.width = text.size()};
    for (const char digit : text) { number.value = number.value * 10 + (digit - '0'); }
    return number;
}

/// Goes through the parts of `text` between separators that stand outside brackets.
template <class Take>
void split_outside_brackets(std::string_view text, std::string_view list, const Take& take) {
    std::size_t start = 0;
    bool inside = false;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '[' || text[at] == ']') {
            if (inside == (text[at] == '[')) { refuse_list(list, "brackets in pairs"); }
            inside = !inside;
        }
        if (text[at] == ',' && !inside) {
            if (!take(text.substr(start, at - start))) { return; }
            start = at + 1;
        }
    }
    if (inside) { refuse_list(list, "a closing bracket"); }
    take(text.substr(start));
}

class Expansion {
 public:
    Expansion(std::string_view list, std::size_t most) : list_(list), most_(most) {}

    std::vector<std::string> run() {
        split_outside_brackets(list_, list_, [&](std::string_view part) {
            if (!part.empty()) { expand("", part); }
            return names_.size() < most_;
        });
        return std::move(names_);
    }

 private:
    bool full() const { return names_.size() >= most_; }

    void expand(const std::string& prefix, std::string_view rest) {
        const std::size_t open = rest.find('[');
        if (open == std::string_view::npos) {
            if (names_.size() >= kMostHosts) { refuse_list(list_, fmt::format("at most {} hosts", kMostHosts)); }
            names_.push_back(prefix + std::string(rest));
            return;
        }
        const std::size_t close = rest.find(']', open);
        const std::string head = prefix + std::string(rest.substr(0, open));
        expand_ranges(head, rest.substr(open + 1, close - open - 1), rest.substr(close + 1));
    }

    void expand_ranges(const std::string& head, std::string_view ranges, std::string_view tail) {
        while (!full()) {
            const std::size_t comma = ranges.find(',');
            expand_range(head, ranges.substr(0, comma), tail);
            if (comma == std::string_view::npos) { return; }
            ranges.remove_prefix(comma + 1);
        }
    }

    void expand_range(const std::string& head, std::string_view range, std::string_view tail) {
        const std::size_t dash = range.find('-');
        const Number first = read_number(range.substr(0, dash), list_);
        const Number last = dash == std::string_view::npos ? first : read_number(range.substr(dash + 1), list_);
        if (last.value < first.value) { refuse_list(list_, "ranges that go up"); }
        for (std::int64_t value = first.value; value <= last.value && !full(); ++value) {
            expand(fmt::format("{}{:0{}}", head, value, first.width), tail);
        }
    }

    std::string_view list_;
    std::size_t most_;
    std::vector<std::string> names_;
};

bool names_nobody(std::string_view list) { return list.empty() || list == "(null)" || list == "None assigned" || list == "None"; }

/// A name cut before its last number; none if it does not end in one.
struct Numbered {
    std::string_view head;
    std::string_view digits;
};

std::optional<Numbered> numbered(std::string_view name) {
    std::size_t cut = name.size();
    while (cut > 0 && std::isdigit(static_cast<unsigned char>(name[cut - 1])) != 0 && name.size() - cut < kMostDigits) { --cut; }
    if (cut == name.size()) { return std::nullopt; }
    return Numbered{.head = name.substr(0, cut), .digits = name.substr(cut)};
}

bool fold_together(std::span<const std::string> names) {
    const auto first = numbered(names.front());
    return names.size() > 1 && first && std::all_of(names.begin(), names.end(), [&](const std::string& name) {
               const auto other = numbered(name);
               return other && other->head == first->head && name.find_first_of("[],") == std::string::npos;
           });
}

/// Does `next` follow `digits`, written as a range beginning with `first` would write it?
bool follows(std::string_view first, std::string_view digits, std::string_view next) {
    const std::int64_t value = read_number(digits, digits).value + 1;
    return fmt::format("{:0{}}", value, first.size()) == next;
}

std::string joined(std::span<const std::string> names) {
    std::string text;
    for (const std::string& name : names) { text += text.empty() ? name : "," + name; }
    return text;
}

}  // namespace

std::vector<std::string> expand_hostlist(std::string_view list) {
    return names_nobody(list) ? std::vector<std::string>() : Expansion(list, kMostHosts + 1).run();
}

std::string first_host(std::string_view list) {
    if (names_nobody(list)) { return ""; }
    const std::vector<std::string> names = Expansion(list, 1).run();
    return names.empty() ? "" : names.front();
}

std::string fold_hosts(std::span<const std::string> names) {
    if (names.empty() || !fold_together(names)) { return joined(names); }
    std::string ranges;
    for (std::size_t index = 0; index < names.size();) {
        const std::string_view first = numbered(names[index])->digits;
        std::string_view last = first;
        for (++index; index < names.size() && follows(first, last, numbered(names[index])->digits); ++index) {
            last = numbered(names[index])->digits;
        }
        ranges += fmt::format("{}{}{}", ranges.empty() ? "" : ",", first, last == first ? "" : fmt::format("-{}", last));
    }
    return fmt::format("{}[{}]", numbered(names.front())->head, ranges);
}

}  // namespace medley::io::slurm
