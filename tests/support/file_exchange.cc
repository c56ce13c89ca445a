#include "tests/support/file_exchange.h"

#include <fstream>
#include <iterator>
#include <optional>
#include <thread>

#include <fmt/format.h>

namespace medley::test {
namespace {

namespace fs = std::filesystem;

void put(const fs::path& file, const std::string& blob) {
    const fs::path unfinished = file.string() + ".new";
    std::ofstream(unfinished, std::ios::binary) << blob;
    fs::rename(unfinished, file);
}

std::optional<std::string> awaited(const fs::path& file, std::chrono::steady_clock::time_point end) {
    while (!fs::exists(file)) {
        if (std::chrono::steady_clock::now() > end) { return std::nullopt; }
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    std::ifstream stream(file, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(stream), {});
}

}  // namespace

executor::ExchangeBlobs exchange_through(const fs::path& folder, int rank, int size, std::chrono::milliseconds deadline) {
    return [=, round = 0](const std::string& mine) mutable {
        const auto file = [&](int of) { return folder / fmt::format("round-{}-rank-{}", round, of); };
        const auto end = std::chrono::steady_clock::now() + deadline;
        put(file(rank), mine);
        std::vector<std::string> all;
        for (int other = 0; other < size; ++other) {
            auto blob = awaited(file(other), end);
            if (!blob) { return std::vector<std::string>(); }
            all.push_back(std::move(*blob));
        }
        ++round;
        return all;
    };
}

}  // namespace medley::test
