#include <array>
#include <span>
#include <string>
#include <vector>

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/rng.h"
#include "executor/protocol/frame.h"
#include "executor/protocol/message_codec.h"
#include "executor/session/operator_client.h"
#include "executor/session/run_folder.h"
#include "executor/training/checkpoint.h"
#include "tests/support/real_run.h"
#include "tests/support/temporary_folder.h"

namespace medley::test {
namespace {

using namespace medley::executor;

/// A plain connection to the run's control port, for saying whatever one likes.
class Intruder {
 public:
    explicit Intruder(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        connected_ = ::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
        const timeval patience{.tv_sec = 10, .tv_usec = 0};
        ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
        ::setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    }
    ~Intruder() { ::close(socket_); }
    Intruder(Intruder&& other) noexcept : socket_(std::exchange(other.socket_, -1)), connected_(other.connected_) {}
    Intruder& operator=(Intruder&&) = delete;

    bool connected() const { return connected_; }
    void say(const std::string& bytes) { ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL); }
    /// Exactly so many bytes, or fewer if the connection ends.
    std::string hear(std::size_t bytes) {
        std::string heard(bytes, '\0');
        std::size_t size = 0;
        while (size < bytes) {
            const ssize_t got = ::recv(socket_, heard.data() + size, bytes - size, 0);
            if (got <= 0) { break; }
            size += static_cast<std::size_t>(got);
        }
        return heard.substr(0, size);
    }

 private:
    int socket_;
    bool connected_ = false;
};

std::string random_bytes(Rng& random, std::size_t size) {
    std::string bytes;
    for (std::size_t index = 0; index < size; ++index) { bytes.push_back(static_cast<char>(random.below(256))); }
    return bytes;
}

/// All that one sends who knows the secret and asks for the status: for a replay.
struct Recording {
    std::string answer;
    std::string frame;
};

Recording record(std::uint16_t port, const Secret& secret, Role role, const Message& message) {
    Intruder honest(port);
    ConnectorHandshake handshake(secret, role, fresh_nonce());
    Recording recording{.answer = handshake.answer(honest.hear(ConnectorHandshake::kGreetingBytes)).value()};
    honest.say(recording.answer);
    FrameWriter writer(handshake.check(honest.hear(ConnectorHandshake::kReplyBytes)).value(), false);
    recording.frame = writer.seal(encode_message(message));
    honest.say(recording.frame);
    honest.hear(4);
    return recording;
}

std::string greeting_of(Intruder& intruder) { return intruder.hear(ConnectorHandshake::kGreetingBytes); }

void say_noise(Intruder& intruder, Rng& random) { intruder.say(random_bytes(random, random.below(300))); }
void say_more_than_enough(Intruder& intruder, Rng& random) { intruder.say(random_bytes(random, 1 << 20)); }
void guess_the_secret(Intruder& intruder, Rng& random) {
    Secret guess{};
    guess[0] = static_cast<unsigned char>(random.below(256));
    ConnectorHandshake handshake(guess, Role::kWorker, fresh_nonce());
    intruder.say(handshake.answer(greeting_of(intruder)).value_or("") + std::string(100, '\xff'));
}
void speak_another_protocol(Intruder& intruder, Rng&) { intruder.say("GET /status HTTP/1.1\r\nHost: localhost\r\n\r\n"); }
void announce_a_giant(Intruder& intruder, Rng&) { intruder.say(greeting_of(intruder) + std::string(33, 'x') + std::string(4, '\xff')); }

using Attack = void (*)(Intruder&, Rng&);
constexpr std::array<Attack, 5> kAttacks = {say_noise, say_more_than_enough, guess_the_secret, speak_another_protocol, announce_a_giant};

std::string digest_of_checkpoint(const RealRun& run, Step step) {
    StateSnapshot snapshot = read_checkpoint(checkpoint_path(run.directory(), step), fingerprint(read_run(run.directory()).setup));
    std::vector<StateSection> sections;
    for (auto& [name, bytes] : snapshot.sections) { sections.push_back({.name = name, .bytes = std::as_writable_bytes(std::span(bytes))}); }
    return state_digest(snapshot.step, sections);
}

TEST(HostilePeers, AThousandOfThemChangeNothing) {
    const TemporaryFolder folder;
    RealRun run(folder / "run", {.steps = 1000000});
    run.start();
    ASSERT_TRUE(run.wait_for_step(2));
    const std::uint16_t port = read_endpoint(run.directory()).port;
    const Secret secret = read_secret(run.directory());
    const Recording recorded = record(port, secret, Role::kOperator, StatusRequest{});
    Rng random(1);
    std::vector<Intruder> silent;
    for (int index = 0; index < 1000; ++index) {
        Intruder intruder(port);
        ASSERT_TRUE(intruder.connected());
        run.lines();  // what it says must be taken, or it could not go on
        if (index % 10 < 5) {
            kAttacks[static_cast<std::size_t>(index % 10)](intruder, random);
        } else if (index % 10 < 8) {
            intruder.say(recorded.answer + recorded.frame);
        } else {
            silent.push_back(std::move(intruder));
        }
    }
    // The honest get through meanwhile.
    EXPECT_EQ(std::get<StatusReply>(ask_coordinator(run.directory(), StatusRequest{})).workers.size(), 3U);
    silent.clear();
    const auto dropped = [&] { return run.count("detail dropped a connection"); };
    // Training goes on, while the coordinator notices that the silent ones are gone.
    int steps = 0;
    do { ASSERT_TRUE(run.wait_for_step(run.last_step() + 1)); } while (dropped() < 1000 && ++steps < 2000);
    ask_coordinator(run.directory(), StopRequest{"seen enough"});
    run.wait();
    EXPECT_EQ(digest_of_checkpoint(run, run.last_step()), run.job().digest_after(run.last_step()));
    EXPECT_EQ(run.count("lost "), 0);
    EXPECT_EQ(run.count("generation "), 1);
    EXPECT_NE(run.wait_for("dropped 1000"), "") << "each of them is counted, and nobody else";
    EXPECT_EQ(run.left_behind(), "");
}

TEST(HostilePeers, NothingThatTheyGetBackHoldsTheSecret) {
    const TemporaryFolder folder;
    RealRun run(folder / "run", {.steps = 60});
    run.start();
    ASSERT_TRUE(run.wait_for_step(1));
    Intruder intruder(read_endpoint(run.directory()).port);
    intruder.say(std::string(AcceptorHandshake::kAnswerBytes, 'x'));
    const std::string heard = intruder.hear(1000);
    EXPECT_EQ(heard.size(), ConnectorHandshake::kGreetingBytes) << "a greeting, and then nothing more";
    EXPECT_EQ(run.wait(), 0);
}

// One who knows the secret but sends what is not for it to say is dropped as well, and hurts nobody but itself.
TEST(HostilePeers, AnAuthenticatedPeerThatTalksNonsenseIsDropped) {
    const TemporaryFolder folder;
    RealRun run(folder / "run", {.steps = 100});
    run.start();
    ASSERT_TRUE(run.wait_for_step(2));
    const std::uint16_t port = read_endpoint(run.directory()).port;
    const Secret secret = read_secret(run.directory());
    record(port, secret, Role::kOperator, Shutdown{.reason = "not an operator's to say"});
    record(port, secret, Role::kWorker, StopRequest{"not a worker's to say"});
    record(port, secret, Role::kWorker, Heartbeat{.step = 1});
    record(port, secret, Role::kWorker, Stepped{.generation = 1, .step = 1000});
    EXPECT_EQ(run.wait(), 0);
    EXPECT_EQ(run.digest(), run.job().digest());
    EXPECT_EQ(run.count("generation "), 1);
    EXPECT_NE(run.wait_for("dropped 4"), "");
}

// The control: the same words under the right secret, and sent once, do what they say.
TEST(HostilePeers, TheyAreRefusedForWantOfTheSecretAndForNothingElse) {
    const TemporaryFolder folder;
    RealRun run(folder / "run", {.steps = 100000});
    run.start();
    ASSERT_TRUE(run.wait_for_step(2));
    record(read_endpoint(run.directory()).port, read_secret(run.directory()), Role::kOperator, StopRequest{"by one who may"});
    run.wait();
    EXPECT_EQ(run.count("stopped "), 1);
    EXPECT_EQ(run.left_behind(), "");
}

}  // namespace
}  // namespace medley::test
