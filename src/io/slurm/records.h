#pragma once
/// Records of `scontrol show ...`: `NodeName=a1 CoresPerSocket=8 ...`, each on one line (`--oneliner`) or over several.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace medley::io::slurm {

/// One record; its texts lie in the text it was read from.
class Record {
 public:
    std::size_t line() const { return line_; }
    /// The key's value; empty if it is absent, `(null)` or `N/A`. Values may hold blanks (`Reason=no power [root@...]`).
    std::string_view value(std::string_view key) const;
    bool has(std::string_view key) const;
    /// Throws medley::Error{"line N, KEY", value, expected}.
    [[noreturn]] void refuse(std::string_view key, std::string_view expected) const;

 private:
    friend std::vector<Record> read_records(std::string_view text, std::string_view first_key);

    std::size_t line_ = 0;
    std::vector<std::pair<std::string_view, std::string_view>> pairs_;
};

/// Every record that begins with `first_key` ("NodeName"); what stands before the first is passed over. A key counts where it first
/// stands, so that free texts at a record's end cannot replace one.
std::vector<Record> read_records(std::string_view text, std::string_view first_key);

/// `Key = value` lines of `scontrol show config`.
class Settings {
 public:
    explicit Settings(std::string_view text);
    /// Empty if absent, `(null)` or `N/A`.
    std::string_view value(std::string_view key) const;
    [[noreturn]] void refuse(std::string_view key, std::string_view expected) const;

 private:
    struct Line {
        std::string_view key, value;
        std::size_t number = 0;
    };
    const Line* find(std::string_view key) const;

    std::vector<Line> lines_;
};

}  // namespace medley::io::slurm
