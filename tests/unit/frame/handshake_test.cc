#include <algorithm>

#include <gtest/gtest.h>

#include "executor/protocol/frame.h"

namespace medley::executor {
namespace {

Secret secret_of(unsigned char first) {
    Secret secret{};
    secret[0] = first;
    return secret;
}

struct Conversation {
    std::string greeting;
    std::string answer;
    std::string reply;
    ConnectionKey acceptors{};
    ConnectionKey connectors{};
};

Conversation talk(const Secret& secret, Role role) {
    const AcceptorHandshake acceptor(secret, fresh_nonce());
    ConnectorHandshake connector(secret, role, fresh_nonce());
    Conversation said{.greeting = acceptor.greeting(), .answer = *connector.answer(acceptor.greeting())};
    const auto accepted = acceptor.check(said.answer);
    said.reply = accepted->reply;
    said.acceptors = accepted->key;
    said.connectors = *connector.check(said.reply);
    return said;
}

TEST(Handshake, TwoWhoKnowTheSecretAgreeOnARoleAndAKey) {
    for (const Role role : {Role::kWorker, Role::kOperator}) {
        const AcceptorHandshake acceptor(secret_of(1), fresh_nonce());
        ConnectorHandshake connector(secret_of(1), role, fresh_nonce());
        const auto accepted = acceptor.check(*connector.answer(acceptor.greeting()));
        ASSERT_TRUE(accepted);
        EXPECT_EQ(accepted->role, role);
        EXPECT_EQ(connector.check(accepted->reply), accepted->key);
    }
}

TEST(Handshake, MessagesHaveTheSizesThatTheHeaderStates) {
    const Conversation said = talk(secret_of(1), Role::kWorker);
    EXPECT_EQ(said.greeting.size(), ConnectorHandshake::kGreetingBytes);
    EXPECT_EQ(said.answer.size(), AcceptorHandshake::kAnswerBytes);
    EXPECT_EQ(said.reply.size(), ConnectorHandshake::kReplyBytes);
    EXPECT_LE(std::max({said.greeting.size(), said.answer.size(), said.reply.size()}), kMostHandshakeBytes);
}

TEST(Handshake, AnotherSecretIsRefusedByBothSides) {
    const AcceptorHandshake acceptor(secret_of(1), fresh_nonce());
    ConnectorHandshake connector(secret_of(2), Role::kWorker, fresh_nonce());
    EXPECT_FALSE(acceptor.check(*connector.answer(acceptor.greeting())));

    const AcceptorHandshake impostor(secret_of(3), fresh_nonce());
    ConnectorHandshake partner_of_impostor(secret_of(3), Role::kWorker, fresh_nonce());
    const auto accepted = impostor.check(*partner_of_impostor.answer(impostor.greeting()));
    ASSERT_TRUE(connector.answer(impostor.greeting()));
    EXPECT_FALSE(connector.check(accepted->reply));
}

TEST(Handshake, ARecordedAnswerDoesNotAnswerAFreshGreeting) {
    const Conversation recorded = talk(secret_of(1), Role::kWorker);
    EXPECT_FALSE(AcceptorHandshake(secret_of(1), fresh_nonce()).check(recorded.answer));
}

TEST(Handshake, ARecordedReplyDoesNotProveAnythingToAFreshConnector) {
    const Conversation recorded = talk(secret_of(1), Role::kWorker);
    ConnectorHandshake connector(secret_of(1), Role::kWorker, fresh_nonce());
    ASSERT_TRUE(connector.answer(recorded.greeting));
    EXPECT_FALSE(connector.check(recorded.reply));
}

// An attacker who opens a connection both ways and hands each side's words to itself must get nowhere.
TEST(Handshake, ReflectedWordsAreRefused) {
    const Secret secret = secret_of(1);
    const Conversation said = talk(secret, Role::kWorker);
    ConnectorHandshake connector(secret, Role::kWorker, fresh_nonce());
    const std::string answer = *connector.answer(said.greeting);
    EXPECT_FALSE(connector.check(answer.substr(answer.size() - ConnectorHandshake::kReplyBytes)));
    EXPECT_FALSE(AcceptorHandshake(secret, fresh_nonce())
                     .check(said.answer.substr(0, AcceptorHandshake::kAnswerBytes - ConnectorHandshake::kReplyBytes) + said.reply));
}

TEST(Handshake, EachAlteredByteOfAnAnswerIsFound) {
    const AcceptorHandshake acceptor(secret_of(1), fresh_nonce());
    ConnectorHandshake connector(secret_of(1), Role::kWorker, fresh_nonce());
    const std::string answer = *connector.answer(acceptor.greeting());
    for (std::size_t index = 0; index < answer.size(); ++index) {
        std::string altered = answer;
        altered[index] = static_cast<char>(altered[index] ^ 1);
        EXPECT_FALSE(acceptor.check(altered)) << index;
    }
}

TEST(Handshake, WordsOfAnotherLengthAreRefused) {
    const AcceptorHandshake acceptor(secret_of(1), fresh_nonce());
    ConnectorHandshake connector(secret_of(1), Role::kWorker, fresh_nonce());
    const std::string greeting = acceptor.greeting();
    const std::string answer = *connector.answer(greeting);
    const std::string reply = acceptor.check(answer)->reply;
    EXPECT_FALSE(acceptor.check(answer + "x"));
    EXPECT_FALSE(acceptor.check(answer.substr(1)));
    EXPECT_FALSE(acceptor.check(""));
    EXPECT_FALSE(connector.check(reply + "x"));
    EXPECT_FALSE(connector.check(""));
    EXPECT_FALSE(connector.answer(greeting + "x"));
    EXPECT_FALSE(connector.answer(""));
}

TEST(Handshake, AServerThatIsNotMedleysGetsNoAnswer) {
    ConnectorHandshake connector(secret_of(1), Role::kWorker, fresh_nonce());
    EXPECT_FALSE(connector.answer(std::string(ConnectorHandshake::kGreetingBytes, 'S')));
}

TEST(Handshake, ConnectionsHaveDifferentKeys) {
    const Conversation first = talk(secret_of(1), Role::kWorker);
    const Conversation second = talk(secret_of(1), Role::kWorker);
    EXPECT_EQ(first.acceptors, first.connectors);
    EXPECT_NE(first.acceptors, second.acceptors);
}

TEST(Handshake, TheSecretNeverTravels) {
    Secret secret{};
    std::fill(secret.begin(), secret.end(), static_cast<unsigned char>('s'));
    const Conversation said = talk(secret, Role::kWorker);
    EXPECT_EQ((said.greeting + said.answer + said.reply).find("ssss"), std::string::npos);
}

}  // namespace
}  // namespace medley::executor
