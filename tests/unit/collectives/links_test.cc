#include "executor/collectives/gloo/links.h"

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <functional>
#include <memory>
#include <thread>

#include <gtest/gtest.h>

namespace medley::executor {
namespace {

using Kind = CollectiveFailure::Kind;
using std::chrono::milliseconds;

std::vector<std::byte> pattern(std::size_t bytes, unsigned seed) {
    std::vector<std::byte> values(bytes);
    for (std::size_t index = 0; index < bytes; ++index) { values[index] = static_cast<std::byte>((index * 7 + index / 251 + seed) & 0xff); }
    return values;
}

/// Two ranks and the connection between them.
class LinkedPair : public testing::Test {
 protected:
    LinkedPair() { start(std::chrono::seconds(60)); }
    ~LinkedPair() override {
        for (const int socket : sockets_) { ::close(socket); }
    }
    void start(milliseconds deadline) {
        if (sockets_[0] < 0) { EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, sockets_.data()), 0); }
        zero_ = std::make_unique<Links>(2, deadline);
        one_ = std::make_unique<Links>(2, deadline);
        zero_->add(1, sockets_[0]);
        one_->add(0, sockets_[1]);
    }
    static Kind failure_of(const std::function<void()>& call) {
        try {
            call();
        } catch (const MeshFailure& failure) { return failure.failure().kind; }
        ADD_FAILURE() << "nothing failed";
        return Kind::kAborted;
    }

    std::array<int, 2> sockets_ = {-1, -1};
    std::unique_ptr<Links> zero_;
    std::unique_ptr<Links> one_;
};

TEST_F(LinkedPair, MessagesArriveInTheOrderOfTheirSending) {
    const auto first = pattern(100, 1);
    const auto second = pattern(1, 2);
    const auto third = pattern(3000, 3);
    for (const auto* message : {&first, &second, &third}) { zero_->send(1, *message); }
    std::vector<std::byte> a(100);
    std::vector<std::byte> b(1);
    std::vector<std::byte> c(3000);
    const auto receipt = one_->receive(0, a);
    one_->receive(0, b);
    one_->wait(receipt);
    EXPECT_EQ(a, first);
    one_->receive(0, c);
    one_->finish();
    EXPECT_EQ(b, second);
    EXPECT_EQ(c, third);
}

TEST_F(LinkedPair, RanksThatSendToEachOtherMoreThanTheKernelHoldsBothFinish) {
    constexpr std::size_t kBytes = 9 << 20;
    const auto exchange = [](Links& links, int peer, unsigned seed) {
        const auto mine = pattern(kBytes, seed);
        std::vector<std::byte> theirs(kBytes);
        const std::span all(mine);
        for (std::size_t third = 0; third < 3; ++third) { links.send(peer, all.subspan(third * kBytes / 3, kBytes / 3)); }
        links.wait(links.receive(peer, theirs));
        links.finish();
        EXPECT_TRUE(theirs == pattern(kBytes, 1 - seed));
    };
    std::jthread other([&] { exchange(*one_, 0, 1); });
    exchange(*zero_, 1, 0);
}

TEST_F(LinkedPair, NothingIsReadThatWasNotAskedFor) {
    const auto message = pattern(64, 5);
    zero_->send(1, message);
    zero_->send(1, message);
    std::vector<std::byte> one(64);
    one_->wait(one_->receive(0, one));
    std::vector<std::byte> rest(64);
    EXPECT_EQ(::recv(sockets_[1], rest.data(), rest.size(), MSG_DONTWAIT), 64);
}

TEST_F(LinkedPair, EmptyMessagesNeedNoWait) {
    zero_->send(1, {});
    zero_->wait(zero_->receive(1, {}));
    zero_->finish();
}

TEST_F(LinkedPair, WhatWasSentBeforeTheEndStillArrives) {
    const auto message = pattern(1000, 9);
    zero_->send(1, message);
    ::shutdown(sockets_[0], SHUT_RDWR);
    std::vector<std::byte> received(1000);
    one_->wait(one_->receive(0, received));
    EXPECT_EQ(received, message);
    const auto beyond = one_->receive(0, received);
    EXPECT_EQ(failure_of([&] { one_->wait(beyond); }), Kind::kPeer);
}

TEST_F(LinkedPair, SendingToAPeerThatHasGoneFails) {
    ::shutdown(sockets_[1], SHUT_RDWR);
    const auto message = pattern(10, 0);
    EXPECT_EQ(failure_of([&] { zero_->send(1, message); }), Kind::kPeer);
}

TEST_F(LinkedPair, APeerThatIsSilentForTheDeadlineFails) {
    start(milliseconds(5));
    std::vector<std::byte> nothing(1);
    const auto receipt = one_->receive(0, nothing);
    EXPECT_EQ(failure_of([&] { one_->wait(receipt); }), Kind::kDeadline);
}

}  // namespace
}  // namespace medley::executor
