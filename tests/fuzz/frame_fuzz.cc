#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "executor/protocol/frame.h"
#include "tests/fuzz/fuzz_target.h"

using namespace medley;
using namespace medley::executor;

namespace {

struct Read {
    std::vector<std::string> payloads;
    bool failed = false;
};

Read read_in_pieces(std::string_view bytes, std::size_t piece) {
    FrameReader reader(ConnectionKey{}, true);
    Read result;
    for (std::size_t start = 0; start < bytes.size(); start += piece) {
        reader.feed(bytes.substr(start, piece));
        while (auto payload = reader.next()) { result.payloads.push_back(std::move(*payload)); }
    }
    result.failed = reader.failed();
    return result;
}

// Whatever is accepted is what the one who holds the key sealed, whatever the pieces it came in.
void try_frames(std::string_view bytes) {
    const Read read = read_in_pieces(bytes, bytes.size() + 1);
    FrameWriter writer(ConnectionKey{}, true);
    std::string sealed;
    for (const std::string& payload : read.payloads) { sealed += writer.seal(payload); }
    MEDLEY_ASSERT(bytes.starts_with(sealed));
    for (const std::size_t piece : {std::size_t{1}, std::size_t{7}}) {
        const Read again = read_in_pieces(bytes, piece);
        MEDLEY_ASSERT(again.payloads == read.payloads && again.failed == read.failed);
    }
}

Nonce nonce_in(std::string_view answer) {
    Nonce nonce;
    std::copy_n(answer.begin() + 9, nonce.size(), nonce.begin());
    return nonce;
}

// An accepted answer is the one that a connector with the secret gives.
void try_answer(std::string_view bytes) {
    const AcceptorHandshake acceptor(Secret{}, Nonce{});
    const auto accepted = acceptor.check(bytes);
    if (!accepted) { return; }
    ConnectorHandshake connector(Secret{}, accepted->role, nonce_in(bytes));
    MEDLEY_ASSERT(connector.answer(acceptor.greeting()) == bytes);
    MEDLEY_ASSERT(connector.check(accepted->reply) == accepted->key);
}

void try_greeting_and_reply(std::string_view bytes) {
    ConnectorHandshake connector(Secret{}, Role::kWorker, Nonce{});
    const auto answer = connector.answer(bytes);
    MEDLEY_ASSERT(!answer || answer->size() == AcceptorHandshake::kAnswerBytes);
    connector.check(bytes);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes = fuzz::as_text(data, size);
    try_frames(bytes);
    try_answer(bytes);
    try_greeting_and_reply(bytes);
    return 0;
}
