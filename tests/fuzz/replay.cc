/// Replays a corpus and mutations of it through a fuzz target: `PROGRAM CORPUS MUTATIONS [SEED]`. An input that ends the program is left
/// in the working folder as fuzz-failure.bin.

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/mutation.h"

namespace {

// Read by the signal handler: the input under test.
const std::string* current_input = nullptr;

extern "C" void keep_input(int signal) {
    const int file = open("fuzz-failure.bin", O_CREAT | O_WRONLY | O_TRUNC, 0644);
    if (file < 0 || write(file, current_input->data(), current_input->size()) < 0) { _exit(1); }
    close(file);
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

void run(const std::string& input) {
    current_input = &input;
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
}

std::vector<std::string> read_corpus(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) { paths.push_back(entry.path()); }
    std::sort(paths.begin(), paths.end());
    std::vector<std::string> corpus;
    for (const auto& path : paths) {
        std::ifstream file(path, std::ios::binary);
        corpus.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
    return corpus;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 3) {
        std::fprintf(stderr, "usage: %s CORPUS MUTATIONS [SEED]\n", argv[0]);
        return 2;
    }
    const std::vector<std::string> corpus = read_corpus(argv[1]);
    const auto mutations = std::strtoull(argv[2], nullptr, 10);
    medley::Rng rng(argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 0);
    if (corpus.empty()) {
        std::fprintf(stderr, "%s: the corpus is empty\n", argv[1]);
        return 1;
    }
    for (const int signal : {SIGABRT, SIGSEGV}) { std::signal(signal, keep_input); }
    for (const std::string& input : corpus) { run(input); }
    for (unsigned long long count = 0; count < mutations; ++count) { run(medley::fuzz::mutated(corpus, rng)); }
    std::printf("%zu inputs and %llu mutations\n", corpus.size(), mutations);
    return 0;
}
