#include "tests/fuzz/mutation.h"

#include <algorithm>
#include <string_view>

namespace medley::fuzz {
namespace {

constexpr std::string_view kTokens[] = {"-1",
                                        "0",
                                        "1e18",
                                        "999999999999999999999",
                                        "nan",
                                        "inf",
                                        "-0",
                                        "1e-320",
                                        "0x10",
                                        "3.0",
                                        "10m",
                                        "pool",
                                        "null",
                                        "true",
                                        "\"",
                                        "\"\"",
                                        "'",
                                        ",",
                                        ",,",
                                        "\n",
                                        "\r\n",
                                        "\r",
                                        "\t",
                                        " ",
                                        "{",
                                        "}",
                                        "[",
                                        "]",
                                        ": ",
                                        "- ",
                                        "&a ",
                                        "*a",
                                        "!!binary ",
                                        "---\n",
                                        "...\n",
                                        "|",
                                        ">",
                                        "#",
                                        "\xEF\xBB\xBF",
                                        "\xFF",
                                        "\x80",
                                        "gpus",
                                        "job_id",
                                        "submit_s",
                                        "batch",
                                        "model",
                                        "K80",
                                        "V100"};

std::size_t position_in(const std::string& text, Rng& rng) { return rng.below(text.size() + 1); }

std::string piece_of(const std::string& text, Rng& rng) {
    constexpr std::size_t kLongest = 64;
    return text.substr(position_in(text, rng), rng.below(kLongest));
}

void change(std::string& text, const std::vector<std::string>& corpus, Rng& rng) {
    constexpr int kWays = 7;
    const std::size_t at = position_in(text, rng);
    switch (rng.below(kWays)) {
        case 0:
            if (at < text.size()) { text[at] = static_cast<char>(text[at] ^ (1 << rng.below(8))); }
            return;
        case 1: text.erase(at, rng.below(16)); return;
        case 2: text.insert(at, piece_of(text, rng)); return;
        case 3: text.insert(at, kTokens[rng.below(std::size(kTokens))]); return;
        case 4: text.insert(at, piece_of(corpus[rng.below(corpus.size())], rng)); return;
        case 5: text.resize(at); return;
        default: text.replace(at, rng.below(8), kTokens[rng.below(std::size(kTokens))]); return;
    }
}

}  // namespace

std::string mutated(const std::vector<std::string>& corpus, Rng& rng) {
    std::string text = corpus[rng.below(corpus.size())];
    for (std::int64_t changes = rng.between(1, 8); changes > 0; --changes) { change(text, corpus, rng); }
    return text;
}

}  // namespace medley::fuzz
