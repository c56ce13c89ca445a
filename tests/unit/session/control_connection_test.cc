#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/error.h"
#include "executor/session/control_client.h"
#include "executor/session/control_server.h"

namespace medley::executor {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr Milliseconds kPatience = 20000;

Secret secret_of(unsigned char first) {
    Secret secret{};
    secret[0] = first;
    return secret;
}

/// Connects, and says nothing.
class SilentPeer {
 public:
    explicit SilentPeer(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        EXPECT_EQ(::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    }
    ~SilentPeer() { ::close(socket_); }
    SilentPeer(const SilentPeer&) = delete;
    SilentPeer& operator=(const SilentPeer&) = delete;
    /// After the greeting comes the end.
    bool was_closed() const {
        char bytes[ConnectorHandshake::kGreetingBytes + 1];
        return ::recv(socket_, bytes, sizeof bytes, MSG_WAITALL) < static_cast<ssize_t>(sizeof bytes);
    }

 private:
    int socket_;
};

/// A server and a client in one loop; both note what happens to them.
class ControlConnection : public testing::Test {
 protected:
    void listen(ServerLimits limits = {}) {
        server_ = std::make_unique<ControlServer>(
            loop_, secret_of(1), "127.0.0.1", std::uint16_t{0}, limits,
            ServerHandlers{.opened =
                               [this](ConnectionId id, Role role) {
                                   last_ = id;
                                   note(role == Role::kWorker ? "server: worker" : "server: operator");
                               },
                           .received = [this](ConnectionId, Message message) { note("server: " + text_of(message)); },
                           .closed = [this](ConnectionId) { note("server: closed"); },
                           .dropped = [this](const std::string&) { note("server: dropped"); }});
    }
    std::unique_ptr<ControlClient> client(Role role = Role::kWorker) {
        return std::make_unique<ControlClient>(loop_, role,
                                               ClientHandlers{.connected = [this] { note("client: connected"); },
                                                              .failed = [this](const std::string& why) { note("client: " + why); },
                                                              .received = [this](Message message) { note("client: " + text_of(message)); },
                                                              .closed = [this] { note("client: closed"); }});
    }
    Endpoint endpoint() const { return {.host = "127.0.0.1", .port = server_->port()}; }
    void connect(ControlClient& client, unsigned char secret = 1) { client.connect(endpoint(), secret_of(secret), 2000); }

    static Message say(const std::string& text) { return Failed{text}; }
    static std::string text_of(const Message& message) { return std::get<Failed>(message).reason; }

    void note(const std::string& line) {
        notes_.push_back(line);
        if (notes_.size() >= wanted_) { loop_.stop(); }
    }
    /// Runs until so many things have happened since the last call, and says which.
    std::vector<std::string> happens(std::size_t count) {
        wanted_ = count;
        ControlLoop::Alarm patience(loop_, [this] { loop_.stop(); });
        patience.set(loop_.now() + kPatience);
        if (notes_.size() < wanted_) { loop_.run(); }
        std::vector<std::string> notes = std::move(notes_);
        notes_.clear();
        return notes;
    }

    ControlLoop loop_;
    std::unique_ptr<ControlServer> server_;
    ConnectionId last_ = 0;
    std::vector<std::string> notes_;
    std::size_t wanted_ = 0;
};

TEST_F(ControlConnection, CarriesMessagesBothWaysInOrder) {
    listen();
    const auto worker = client();
    connect(*worker);
    EXPECT_THAT(happens(2), testing::UnorderedElementsAre("server: worker", "client: connected"));
    for (const char* text : {"one", "two", "three"}) { worker->send(say(text)); }
    EXPECT_THAT(happens(3), ElementsAre("server: one", "server: two", "server: three"));
    server_->send(last_, say("answer"));
    EXPECT_THAT(happens(1), ElementsAre("client: answer"));
}

TEST_F(ControlConnection, KnowsAnOperatorFromAWorker) {
    listen();
    const auto operator_client = client(Role::kOperator);
    connect(*operator_client);
    EXPECT_THAT(happens(2), testing::Contains("server: operator"));
}

TEST_F(ControlConnection, LargeMessagesPass) {
    listen();
    const auto worker = client();
    connect(*worker);
    happens(2);
    const std::string large(5000000, 'x');
    worker->send(say(large));
    EXPECT_THAT(happens(1), ElementsAre("server: " + large));
}

TEST_F(ControlConnection, AClientWithAnotherSecretIsDroppedWithoutAWord) {
    listen();
    const auto stranger = client();
    connect(*stranger, 2);
    EXPECT_THAT(happens(2), testing::UnorderedElementsAre("server: dropped", "client: it closed the connection"));
    EXPECT_EQ(server_->connections(), 0U);
}

TEST_F(ControlConnection, APeerThatStaysSilentIsDroppedInTime) {
    listen({.handshake = 30});
    const SilentPeer silent(server_->port());
    EXPECT_THAT(happens(1), ElementsAre("server: dropped"));
}

TEST_F(ControlConnection, OfTooManySilentPeersTheLongestWaitingOnesAreDropped) {
    listen({.handshake = kPatience, .unproven = 3});
    std::vector<std::unique_ptr<SilentPeer>> silent;
    for (int index = 0; index < 5; ++index) { silent.push_back(std::make_unique<SilentPeer>(server_->port())); }
    EXPECT_THAT(happens(2), ElementsAre("server: dropped", "server: dropped"));
    EXPECT_TRUE(silent[0]->was_closed());
    EXPECT_TRUE(silent[1]->was_closed());
    const auto worker = client();
    connect(*worker);
    EXPECT_THAT(happens(3), testing::IsSupersetOf({"server: worker", "client: connected"})) << "an honest one still gets in";
}

TEST_F(ControlConnection, NobodyListeningIsAFailureThatSaysSo) {
    listen();
    const Endpoint gone = endpoint();
    server_->stop_accepting();
    const auto worker = client();
    worker->connect(gone, secret_of(1), 2000);
    EXPECT_THAT(happens(1), ElementsAre(HasSubstr("refused")));
}

TEST_F(ControlConnection, TheOtherSidesEndIsTold) {
    listen();
    auto worker = client();
    connect(*worker);
    happens(2);
    server_->send(last_, say("last word"));
    server_->close(last_);
    EXPECT_THAT(happens(2), ElementsAre("client: last word", "client: closed")) << "what was said before the end arrives";
    connect(*worker);
    happens(2);
    worker.reset();
    EXPECT_THAT(happens(1), ElementsAre("server: closed"));
}

TEST_F(ControlConnection, FlushingSendsTheLastWord) {
    listen();
    const auto worker = client();
    connect(*worker);
    happens(2);
    worker->send(say("farewell"));
    worker->flush(kPatience, [this] { note("client: flushed"); });
    EXPECT_THAT(happens(3), ElementsAre("server: farewell", "server: closed", "client: flushed"));
}

TEST_F(ControlConnection, APeerThatTakesNothingIsCutOffAtTheLimit) {
    listen({.queued_bytes = 1000});
    const auto worker = client();
    connect(*worker);
    happens(2);
    server_->send(last_, say(std::string(2000, 'x')));
    EXPECT_THAT(happens(3), testing::UnorderedElementsAre("server: dropped", "server: closed", "client: closed"));
}

TEST_F(ControlConnection, AnAddressThatIsNotOursIsAnErrorThatNamesIt) {
    const auto try_to_listen = [this](const std::string& address) {
        try {
            const ControlServer server(loop_, secret_of(1), address, 0, {}, {});
            return std::string();
        } catch (const Error& error) { return std::string(error.what()); }
    };
    EXPECT_THAT(try_to_listen("192.0.2.1"), HasSubstr("cannot listen on 192.0.2.1"));
    EXPECT_THAT(try_to_listen("nonsense"), HasSubstr("found 'nonsense'"));
}

}  // namespace
}  // namespace medley::executor
