#include "executor/training/training_state.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"

namespace medley::executor {
namespace {

constexpr std::uint64_t kFactor = 0x9fb21c651e98df25ULL;

constexpr std::size_t kLanes = 4;  ///< independent of one another: one alone would wait for its own products

std::uint64_t mix(std::uint64_t hash, std::span<const std::byte> bytes) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), bytes.size());
    return std::rotl((hash ^ word) * kFactor, 29);
}

std::uint64_t hash_bytes(std::uint64_t hash, std::span<const std::byte> bytes) {
    constexpr std::size_t kWord = sizeof(std::uint64_t);
    std::array<std::uint64_t, kLanes> lanes{hash, hash + 1, hash + 2, hash + 3};
    for (; bytes.size() >= kLanes * kWord; bytes = bytes.subspan(kLanes * kWord)) {
        for (std::size_t lane = 0; lane < kLanes; ++lane) { lanes[lane] = mix(lanes[lane], bytes.subspan(lane * kWord, kWord)); }
    }
    for (const std::uint64_t lane : lanes) { hash = std::rotl((hash ^ lane) * kFactor, 29); }
    while (!bytes.empty()) {
        const std::size_t taken = std::min(bytes.size(), kWord);
        hash = mix(hash, bytes.first(taken));
        bytes = bytes.subspan(taken);
    }
    return hash;
}

}  // namespace

std::vector<StateSection> TrainingState::sections() {
    std::vector<StateSection> sections = engine->state();
    if (scales) { sections.push_back({.name = "scales", .bytes = scales->state()}); }
    return sections;
}

void TrainingState::initialise() {
    engine->initialise();
    if (scales) { scales.emplace(engine->reduced_tensors().size()); }
    step = 0;
    loss = 0;
    held = true;
}

StateSnapshot TrainingState::snapshot(const std::string& job_fingerprint) {
    StateSnapshot copy{.step = step, .loss = loss, .fingerprint = job_fingerprint};
    for (const StateSection& section : sections()) {
        copy.sections.emplace_back(section.name, std::string(reinterpret_cast<const char*>(section.bytes.data()), section.bytes.size()));
    }
    return copy;
}

void TrainingState::restore(const StateSnapshot& snapshot) {
    const std::vector<StateSection> mine = sections();
    const auto same = [](const StateSection& section, const std::pair<std::string, std::string>& copy) {
        return section.name == copy.first && section.bytes.size() == copy.second.size();
    };
    if (!std::equal(mine.begin(), mine.end(), snapshot.sections.begin(), snapshot.sections.end(), same)) {
        throw Error("the state that was saved has other parts than this engine's: " + layout_of(mine));
    }
    for (std::size_t index = 0; index < mine.size(); ++index) {
        const auto copy = std::as_bytes(std::span(snapshot.sections[index].second));
        std::copy(copy.begin(), copy.end(), mine[index].bytes.begin());
    }
    engine->state_changed();
    step = snapshot.step;
    loss = snapshot.loss;
    held = true;
}

std::string TrainingState::digest() { return state_digest(step, sections()); }

TrainingState make_training_state(std::unique_ptr<Engine> engine, const RunSetup& setup) {
    TrainingState state{.engine = std::move(engine)};
    // The emulated engine's gradients are whole numbers as they are.
    const bool fixed_point = setup.exact && setup.mode == Mode::kTrain && !std::holds_alternative<EmulatedModel>(setup.job.model);
    if (fixed_point) { state.scales.emplace(state.engine->reduced_tensors().size()); }
    return state;
}

std::string layout_of(const std::vector<StateSection>& sections) {
    std::string text;
    for (const StateSection& section : sections) {
        text += fmt::format("{}{} ({} bytes)", text.empty() ? "" : ", ", section.name, section.bytes.size());
    }
    return text;
}

std::uint64_t quick_hash(const std::vector<StateSection>& sections) {
    std::uint64_t hash = kFactor;
    for (const StateSection& section : sections) { hash = hash_bytes(hash ^ section.bytes.size(), section.bytes); }
    return hash;
}

}  // namespace medley::executor
