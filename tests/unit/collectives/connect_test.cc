#include <thread>

#include <gtest/gtest.h>

#include "core/error.h"
#include "executor/collectives/collective.h"
#include "executor/plugins/plugin.h"
#include "tests/support/rendezvous.h"

namespace medley::executor {
namespace {

using std::chrono::milliseconds;

TEST(ConnectCollective, RefusesAnUnknownNameAndListsTheKnown) {
    try {
        connect_collective("mpi", {});
        ADD_FAILURE() << "connected";
    } catch (const Error& error) { EXPECT_NE(std::string(error.what()).find("gloo, host, nccl"), std::string::npos) << error.what(); }
}

TEST(ConnectCollective, RefusesAnAddressThatIsNotOfThisMachine) {
    test::Rendezvous addresses(2);
    EXPECT_THROW(connect_collective("gloo", {.rank = 0, .size = 2, .bind_address = "203.0.113.7", .exchange = addresses.exchange_for(0)}),
                 Error);
}

TEST(ConnectCollective, WithoutAGpuNcclSaysSoInOneLine) {
    // Without the plug-in the message says that; with it, on a machine without a GPU, that there is none.
    try {
        const auto made = connect_collective("nccl", {.device = "cuda:0"});
        EXPECT_TRUE(made) << "a machine with a GPU";
    } catch (const Error& error) {
        const std::string message = error.what();
        EXPECT_EQ(message.find('\n'), std::string::npos);
        const bool has_plugin = !plugin_problem("nccl").has_value();
        EXPECT_TRUE(has_plugin ? message.starts_with("no GPU: ") : message.starts_with("the plug-in medley_nccl.so")) << message;
    }
}

// A member that has offered its addresses and then dies leaves the others waiting for it alone.
TEST(ConnectGloo, APeerThatNeverConnectsIsNoticedByTheDeadline) {
    test::Rendezvous addresses(2);
    std::string offer;
    std::jthread silent([&] { addresses.meet(1, "\x01"); });
    const auto made =
        connect_collective("gloo", {.rank = 0, .size = 2, .deadline = milliseconds(100), .exchange = addresses.exchange_for(0)});
    ASSERT_FALSE(made);
}

TEST(ConnectGloo, AStopEndsAnAttemptToConnect) {
    test::Rendezvous addresses(2);
    std::stop_source stop;
    CollectiveSetup setup{.rank = 0, .size = 2, .deadline = std::chrono::hours(1), .stop = stop.get_token()};
    // The other rank's addresses are this rank's own, turned round: nobody answers there.
    setup.exchange = [&](const std::string& mine) {
        stop.request_stop();
        std::string theirs = mine;
        theirs.front() = '\0';  // "rank 0 is awaited here"
        return std::vector<std::string>{mine, theirs};
    };
    const auto made = connect_collective("gloo", setup);
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().kind, CollectiveFailure::Kind::kAborted);
}

}  // namespace
}  // namespace medley::executor
