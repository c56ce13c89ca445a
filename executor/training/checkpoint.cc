#include "executor/training/checkpoint.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <functional>

#include <fmt/format.h>

#include "core/error.h"
#include "executor/data/mapped_file.h"
#include "executor/protocol/archive.h"
#include "executor/protocol/message_fields.h"
#include "executor/storage/durable_file.h"
#include "executor/storage/sha256.h"
#include "executor/training/checkpoint_format.h"

namespace medley::executor {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "step-";
constexpr std::string_view kSuffix = ".ckpt";
constexpr std::string_view kUnfinished = ".tmp";

std::string_view bytes_of(std::span<const std::byte> bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

// The step in "step-<number>.ckpt<rest>".
std::optional<Step> step_of(const std::string& name, std::string_view rest_begins) {
    if (!name.starts_with(kPrefix)) { return std::nullopt; }
    Step step = 0;
    const auto [end, error] = std::from_chars(name.data() + kPrefix.size(), name.data() + name.size(), step);
    const std::string_view rest(end, static_cast<std::size_t>(name.data() + name.size() - end));
    const bool named = error == std::errc() && step >= 0 && rest.starts_with(kSuffix);
    if (!named || !rest.substr(kSuffix.size()).starts_with(rest_begins)) { return std::nullopt; }
    const bool whole = !rest_begins.empty() || rest.size() == kSuffix.size();
    return whole ? std::optional(step) : std::nullopt;
}

std::vector<std::pair<Step, fs::path>> files_in(const fs::path& folder, std::string_view rest_begins) {
    std::vector<std::pair<Step, fs::path>> files;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
        if (const auto step = step_of(entry->path().filename().string(), rest_begins)) { files.emplace_back(*step, entry->path()); }
    }
    std::sort(files.begin(), files.end(), std::greater<>());
    return files;
}

void remove_older(const fs::path& folder, Step step, int keep) {
    std::error_code ignored;
    int kept = 0;
    for (const auto& [number, path] : files_in(folder, "")) {
        if (number <= step && ++kept > std::max(keep, 1)) { fs::remove(path, ignored); }
    }
    for (const auto& [number, path] : files_in(folder, kUnfinished)) {
        if (number < step) { fs::remove(path, ignored); }
    }
}

}  // namespace

std::string fingerprint(const RunSetup& setup) {
    RunSetup same{.job = setup.job, .virtual_nodes = setup.virtual_nodes, .exact = setup.exact};
    same.job.name.clear();
    same.job.steps = 0;
    same.job.checkpoint = {};
    Sha256 hash;
    hash.add("medley job 1\n");
    hash.add(encode(same));
    return hexadecimal(hash.finish());
}

fs::path checkpoint_path(const fs::path& folder, Step step) { return folder / fmt::format("{}{}{}", kPrefix, step, kSuffix); }

Checkpointed write_checkpoint(const fs::path& folder, const StateSnapshot& snapshot, int keep) {
    const fs::path name = checkpoint_path(folder, snapshot.step);
    Checkpointed written{.step = snapshot.step, .file = name.string()};
    UnfinishedFile file(fmt::format("{}{}{}", name.string(), kUnfinished, ::getpid()), 0644);
    Sha256 hash;
    const auto put = [&](std::string_view bytes) {
        hash.add(bytes);
        file.write(bytes);
        written.bytes += static_cast<std::int64_t>(bytes.size());
    };
    put(checkpoint_head(snapshot));
    for (const auto& [section, bytes] : snapshot.sections) { put(bytes); }
    file.write(hash.finish());
    written.bytes += static_cast<std::int64_t>(Sha256::kBytes);
    file.commit(name);
    remove_older(folder, snapshot.step, keep);
    return written;
}

StateSnapshot read_checkpoint(const fs::path& file, const std::string& expected_fingerprint) {
    const MappedFile mapped(file.string());
    try {
        return parse_checkpoint(mapped.bytes(), expected_fingerprint);
    } catch (const Error& error) { throw error.in_file(file.string()); }
}

NewestCheckpoint find_checkpoint(const fs::path& folder, const std::string& expected_fingerprint) {
    NewestCheckpoint found;
    for (const auto& [step, path] : files_in(folder, "")) {
        try {
            found.step = read_checkpoint(path, expected_fingerprint).step;
            found.file = path;
            return found;
        } catch (const Error& error) { found.skipped.emplace_back(error.what()); }
    }
    return found;
}

std::string state_digest(Step step, const std::vector<StateSection>& sections) {
    Sha256 hash;
    hash.add(encode(step));
    for (const StateSection& section : sections) {
        hash.add(encode(section.name));
        hash.add(encode(static_cast<std::uint64_t>(section.bytes.size())));
        hash.add(bytes_of(section.bytes));
    }
    return hexadecimal(hash.finish());
}

}  // namespace medley::executor
