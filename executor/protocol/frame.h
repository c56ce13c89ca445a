#pragma once
/// Frames on a control connection, and the proof at its beginning that both sides know the job's secret. Pure: bytes in, values out.
///
/// A frame is a length (4 bytes, little-endian), a tag (16 bytes: HMAC-SHA-256 under the connection's key over direction, running number
/// and payload, cut), and the payload (an encoded Message). Replayed, reordered, altered or foreign frames fail their tag.
///
/// Handshake: the acceptor sends a fresh nonce; the connector answers with its own nonce, its role and a proof; the acceptor answers with
/// its proof. Proofs and the connection's key are HMACs of the secret over both nonces and distinct labels, so neither a recorded
/// conversation nor a reflected message is of use, and the secret never travels.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace medley::executor {

inline constexpr std::size_t kNonceBytes = 32;
inline constexpr std::size_t kTagBytes = 16;
inline constexpr std::size_t kMostFrameBytes = 16u << 20;
inline constexpr std::size_t kMostHandshakeBytes = 128;

using Nonce = std::array<unsigned char, kNonceBytes>;
/// 32 random bytes; see session/run_folder.h for its file.
using Secret = std::array<unsigned char, 32>;
using ConnectionKey = std::array<unsigned char, 32>;

enum class Role : std::uint8_t { kWorker, kOperator };

/// From the operating system. Throws medley::Error if there are none.
Nonce fresh_nonce();

/// The acceptor's side. Feed it what arrives; send what it returns.
class AcceptorHandshake {
 public:
    AcceptorHandshake(const Secret& secret, const Nonce& nonce);
    std::string greeting() const;  ///< to be sent first
    struct Accepted {
        Role role = Role::kWorker;
        ConnectionKey key{};
        std::string reply;
    };
    static constexpr std::size_t kAnswerBytes = 8 + 1 + kNonceBytes + 32;
    /// Exactly kAnswerBytes. Empty = drop the connection.
    std::optional<Accepted> check(std::string_view answer) const;

 private:
    Secret secret_;
    Nonce nonce_;
};

class ConnectorHandshake {
 public:
    ConnectorHandshake(const Secret& secret, Role role, const Nonce& nonce);
    static constexpr std::size_t kGreetingBytes = 8 + kNonceBytes;
    static constexpr std::size_t kReplyBytes = 32;
    /// The answer to a greeting of exactly kGreetingBytes; empty if it is not Medley's.
    std::optional<std::string> answer(std::string_view greeting);
    /// The key, if the acceptor's reply of exactly kReplyBytes proves that it knows the secret.
    std::optional<ConnectionKey> check(std::string_view reply) const;

 private:
    Secret secret_;
    Role role_;
    Nonce mine_;
    Nonce theirs_{};
};

/// Computes tags under one key; made once per connection, since setting a key costs more than a small frame.
class FrameTagger;

/// One direction of a connection, sending.
class FrameWriter {
 public:
    FrameWriter(const ConnectionKey& key, bool from_acceptor);
    std::string seal(std::string_view payload);

 private:
    std::shared_ptr<FrameTagger> tagger_;
    bool from_acceptor_;
    std::uint64_t number_ = 0;
};

/// One direction of a connection, receiving: bytes arrive in any pieces.
class FrameReader {
 public:
    FrameReader(const ConnectionKey& key, bool from_acceptor);
    void feed(std::string_view bytes);
    /// The next whole payload; empty if more bytes are needed, or after a failure.
    std::optional<std::string> next();
    /// A frame was too large or its tag wrong: drop the connection.
    bool failed() const { return failed_; }

 private:
    std::shared_ptr<FrameTagger> tagger_;
    bool from_acceptor_;
    std::uint64_t number_ = 0;
    std::string buffer_;
    std::size_t start_ = 0;  ///< of what has not been handed out
    bool failed_ = false;
};

}  // namespace medley::executor
