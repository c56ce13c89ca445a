#include "executor/training/meeting.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "executor/protocol/archive.h"

namespace medley::executor {

/// What a member says of itself.
struct Holding {
    std::string fingerprint;
    std::string layout;
    Step step = 0;
    bool held = false;
    std::uint64_t hash = 0;
    double loss = 0;
};

template <class Archive>
void visit_fields(Archive& archive, Holding& value) {
    archive(value.fingerprint, value.layout, value.step, value.held, value.hash, value.loss);
}

namespace {

// Each piece has the collective's deadline for itself.
constexpr std::size_t kPieceBytes = std::size_t{32} << 20;

void prepare(TrainingState& state, const Form& form, const std::string& job_fingerprint) {
    if (form.from_start) {
        state.initialise();
    } else if (!form.checkpoint.empty()) {
        state.restore(read_checkpoint(form.checkpoint, job_fingerprint));
    }
}

Holding holding_of(TrainingState& state, const std::string& job_fingerprint) {
    const std::vector<StateSection> sections = state.sections();
    return {.fingerprint = job_fingerprint,
            .layout = layout_of(sections),
            .step = state.step,
            .held = state.held,
            .hash = state.held ? quick_hash(sections) : 0,
            .loss = state.loss};
}

std::vector<Holding> decoded(const std::vector<std::string>& blobs) {
    std::vector<Holding> holdings;
    for (const std::string& blob : blobs) {
        const auto holding = decode<Holding>(blob);
        if (!holding) { throw Error("a member of the generation speaks another protocol"); }
        holdings.push_back(*holding);
    }
    return holdings;
}

void require_same_job(const std::vector<Holding>& holdings, const Holding& mine) {
    for (std::size_t rank = 0; rank < holdings.size(); ++rank) {
        if (holdings[rank].fingerprint != mine.fingerprint) { throw Error(fmt::format("the member of rank {} runs another job", rank)); }
        if (holdings[rank].layout == mine.layout) { continue; }
        throw Error(fmt::format("the state of rank {} has other parts ({}) than here ({})", rank, holdings[rank].layout, mine.layout));
    }
}

Outcome broadcast_pieces(Collective& collective, std::span<std::byte> bytes, int root) {
    while (!bytes.empty()) {
        const std::span<std::byte> piece = bytes.first(std::min(kPieceBytes, bytes.size()));
        Outcome outcome = collective.broadcast(piece, root);
        if (!outcome) { return outcome; }
        bytes = bytes.subspan(piece.size());
    }
    return {};
}

// Out of the source's state, into the others'.
Outcome broadcast_sections(TrainingState& state, Collective& collective, int source) {
    for (const StateSection& section : state.sections()) {
        Outcome outcome = broadcast_pieces(collective, section.bytes, source);
        if (!outcome) { return outcome; }
    }
    return {};
}

// In a copy, so that a state that is held stays whole until another one is.
Outcome take_beside(TrainingState& state, Collective& collective, int source) {
    StateSnapshot received;
    for (const StateSection& section : state.sections()) {
        std::string bytes(section.bytes.size(), '\0');
        Outcome outcome = broadcast_pieces(collective, std::as_writable_bytes(std::span(bytes)), source);
        if (!outcome) { return outcome; }
        received.sections.emplace_back(section.name, std::move(bytes));
    }
    state.restore(received);
    return {};
}

Outcome take_in_place(TrainingState& state, Collective& collective, int source) {
    Outcome outcome = broadcast_sections(state, collective, source);
    if (!outcome) { return outcome; }
    state.engine->state_changed();
    state.held = true;
    return {};
}

}  // namespace

Outcome share_state(TrainingState& state, Collective& collective, const Form& form, const std::string& job_fingerprint) {
    prepare(state, form, job_fingerprint);
    const Holding mine = holding_of(state, job_fingerprint);
    const auto blobs = collective.all_gather(encode(mine));
    if (!blobs) { return tl::unexpected(blobs.error()); }
    const std::vector<Holding> holdings = decoded(*blobs);
    require_same_job(holdings, mine);
    const Holding& source = holdings.at(form.source);
    if (!source.held || source.step != form.step) {
        return tl::unexpected(CollectiveFailure{.detail = fmt::format("rank {} does not hold step {}", form.source, form.step)});
    }
    const bool all_same = std::all_of(holdings.begin(), holdings.end(), [&](const Holding& holding) {
        return holding.held && holding.step == source.step && holding.hash == source.hash;
    });
    if (all_same) { return {}; }
    const int root = static_cast<int>(form.source);
    const bool gives = collective.rank() == root;
    // Whoever holds the same bytes loses nothing if it breaks off.
    const bool in_place = !state.held || mine.hash == source.hash;
    Outcome outcome = gives      ? broadcast_sections(state, collective, root)
                      : in_place ? take_in_place(state, collective, root)
                                 : take_beside(state, collective, root);
    if (!outcome) { return outcome; }
    state.step = source.step;
    state.loss = source.loss;
    return {};
}

}  // namespace medley::executor
