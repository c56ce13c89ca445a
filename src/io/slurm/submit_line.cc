#include "io/slurm/submit_line.h"

#include <algorithm>
#include <array>
#include <optional>

#include "io/scalar.h"

namespace medley::io::slurm {
namespace {

constexpr int kMostTasks = 10'000'000;

std::string_view take_word(std::string_view& rest) {
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    const std::string_view word = rest.substr(0, rest.find(' '));
    rest.remove_prefix(word.size());
    return word;
}

/// The option's value: `--array=1-6` and `-a1-6` carry it, `--array 1-6` and `-a 1-6` have it in the next word.
std::optional<std::string_view> value_of(std::string_view word, std::string_view long_name, std::string_view short_name,
                                         std::string_view& rest) {
    if (word == long_name || (!short_name.empty() && word == short_name)) { return take_word(rest); }
    if (word.starts_with(long_name) && word[long_name.size()] == '=') { return word.substr(long_name.size() + 1); }
    if (!short_name.empty() && word.starts_with(short_name) && !word.starts_with("--")) { return word.substr(short_name.size()); }
    return std::nullopt;
}

bool waits_for_ends(std::string_view kind) {
    static constexpr std::array<std::string_view, 4> kKinds = {"afterok", "afterany", "afternotok", "aftercorr"};
    return std::find(kKinds.begin(), kKinds.end(), kind) != kKinds.end();
}

/// `afterok:12:13,afterany:14`: all of them. With `?` between, any of them is enough.
void read_dependency(std::string_view text, SubmitLine& line) {
    line.other_dependency = text.find('?') != std::string_view::npos;
    while (!text.empty() && !line.other_dependency) {
        std::string_view clause = text.substr(0, text.find(','));
        text.remove_prefix(std::min(text.size(), clause.size() + 1));
        std::size_t colon = clause.find(':');
        line.other_dependency = colon == std::string_view::npos || !waits_for_ends(clause.substr(0, colon));
        while (colon != std::string_view::npos && !line.other_dependency) {
            clause.remove_prefix(colon + 1);
            colon = clause.find(':');
            line.depends_on.emplace_back(clause.substr(0, colon));
        }
    }
    if (line.other_dependency) { line.depends_on.clear(); }
}

void read_array(std::string_view text, SubmitLine& line) {
    const std::size_t percent = text.find('%');
    if (percent == std::string_view::npos) { return; }
    const auto limit = to_whole(text.substr(percent + 1));
    if (limit && *limit > 0 && *limit <= kMostTasks) { line.array_limit = static_cast<int>(*limit); }
}

/// `gpu:a100:2` of --gres, `a100:2` of --gpus and its like; a number alone names no type.
void read_gpu_type(std::string_view text, bool gres, SubmitLine& line) {
    if (gres && !text.starts_with("gpu:")) { return; }
    if (gres) { text.remove_prefix(4); }
    const std::string_view type = text.substr(0, text.find_first_of(":,="));
    if (!type.empty() && !to_whole(type)) { line.gpu_type = type; }
}

}  // namespace

SubmitLine read_submit_line(std::string_view line) {
    SubmitLine result;
    take_word(line);  // sbatch
    while (!line.empty()) {
        const std::string_view word = take_word(line);
        if (word.empty()) { break; }
        if (word.front() != '-') { continue; }  // a value of an option that is none of ours, or the script
        if (const auto text = value_of(word, "--dependency", "-d", line)) { read_dependency(*text, result); }
        if (const auto text = value_of(word, "--array", "-a", line)) { read_array(*text, result); }
        if (const auto text = value_of(word, "--gres", "", line)) { read_gpu_type(*text, true, result); }
        for (const std::string_view option : {"--gpus", "--gpus-per-node", "--gpus-per-task"}) {
            if (const auto text = value_of(word, option, option == "--gpus" ? "-G" : "", line)) { read_gpu_type(*text, false, result); }
        }
    }
    return result;
}

}  // namespace medley::io::slurm
