#include "executor/training/checkpoint_format.h"

#include <cstdint>

#include <fmt/format.h>

#include "core/error.h"
#include "executor/protocol/archive.h"
#include "executor/storage/sha256.h"

namespace medley::executor {
namespace {

constexpr std::string_view kMagic = "MEDLEYCK";
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kPrefixBytes = 16;

}  // namespace

/// What stands before the sections' bytes, after the prefix.
struct CheckpointHead {
    Step step = 0;
    double loss = 0;
    std::string fingerprint;
    std::vector<std::pair<std::string, std::uint64_t>> sections;
};

template <class Archive>
void visit_fields(Archive& archive, CheckpointHead& head) {
    archive(head.step, head.loss, head.fingerprint, head.sections);
}

namespace {

[[noreturn]] void refuse_bytes(std::string message) { throw Error(Problem{.message = std::move(message)}); }

[[noreturn]] void refuse_short(std::size_t found, std::uint64_t expected) {
    refuse_bytes(fmt::format("the checkpoint is cut short: {} bytes of {}", found, expected));
}

std::uint32_t number_at(std::string_view bytes, std::size_t offset) {
    return decode<std::uint32_t>(bytes.substr(offset, sizeof(std::uint32_t))).value();
}

std::size_t head_bytes(std::string_view bytes) {
    const std::string_view magic = bytes.substr(0, kMagic.size());
    if (!kMagic.starts_with(magic)) { refuse_bytes("not a checkpoint of Medley"); }
    if (bytes.size() < kPrefixBytes) { refuse_short(bytes.size(), kPrefixBytes); }
    const std::uint32_t version = number_at(bytes, kMagic.size());
    if (version != kVersion) { refuse_value("checkpoint version", fmt::format("{}", version), fmt::format("{}", kVersion)); }
    return number_at(bytes, kMagic.size() + sizeof version);
}

CheckpointHead head_of(std::string_view bytes, std::size_t length) {
    if (bytes.size() - kPrefixBytes < length) { refuse_short(bytes.size(), kPrefixBytes + length); }
    std::optional<CheckpointHead> head = decode<CheckpointHead>(bytes.substr(kPrefixBytes, length));
    if (!head) { refuse_bytes("the checkpoint is damaged: its head cannot be read"); }
    return std::move(*head);
}

// Sizes are compared before they are added up, so that no lie overflows.
void require_whole(std::string_view bytes, std::size_t start, const CheckpointHead& head) {
    std::uint64_t left = bytes.size() - start;
    std::uint64_t expected = start;
    bool enough = true;
    for (const auto& [name, size] : head.sections) {
        if (size > UINT64_MAX / 2 - expected) { refuse_bytes("the checkpoint is damaged: its sizes are impossible"); }
        expected += size;
        enough = enough && size <= left;
        left -= enough ? size : 0;
    }
    expected += Sha256::kBytes;
    if (!enough || left < Sha256::kBytes) { refuse_short(bytes.size(), expected); }
    if (left > Sha256::kBytes) { refuse_bytes(fmt::format("the checkpoint is damaged: {} bytes beyond its end", left - Sha256::kBytes)); }
}

void require_digest(std::string_view bytes) {
    const std::string_view body = bytes.substr(0, bytes.size() - Sha256::kBytes);
    if (sha256(body) != bytes.substr(body.size())) { refuse_bytes("the checkpoint is damaged: its checksum is wrong"); }
}

}  // namespace

std::string checkpoint_head(const StateSnapshot& snapshot) {
    CheckpointHead head{.step = snapshot.step, .loss = snapshot.loss, .fingerprint = snapshot.fingerprint};
    for (const auto& [name, bytes] : snapshot.sections) { head.sections.emplace_back(name, bytes.size()); }
    const std::string text = encode(head);
    return std::string(kMagic) + encode(kVersion) + encode(static_cast<std::uint32_t>(text.size())) + text;
}

StateSnapshot parse_checkpoint(std::string_view bytes, const std::string& expected_fingerprint) {
    const std::size_t length = head_bytes(bytes);
    CheckpointHead head = head_of(bytes, length);
    require_whole(bytes, kPrefixBytes + length, head);
    require_digest(bytes);
    if (!expected_fingerprint.empty() && head.fingerprint != expected_fingerprint) {
        refuse_bytes("the checkpoint is of another job (another model, optimizer, data, seed or list of virtual nodes)");
    }
    StateSnapshot snapshot{.step = head.step, .loss = head.loss, .fingerprint = std::move(head.fingerprint)};
    std::size_t offset = kPrefixBytes + length;
    for (auto& [name, size] : head.sections) {
        snapshot.sections.emplace_back(std::move(name), std::string(bytes.substr(offset, size)));
        offset += size;
    }
    return snapshot;
}

}  // namespace medley::executor
