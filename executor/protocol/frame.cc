#include "executor/protocol/frame.h"

#include <algorithm>
#include <initializer_list>

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/rand.h>

#include "core/error.h"

namespace medley::executor {
namespace {

using Digest = std::array<unsigned char, 32>;

constexpr std::string_view kMagic("MEDLEY\x01\n", 8);
constexpr std::size_t kHeaderBytes = 4 + kTagBytes;

std::string_view as_text(const Nonce& bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

EVP_MAC* hmac_algorithm() {
    static EVP_MAC* const algorithm = EVP_MAC_fetch(nullptr, "HMAC", nullptr);
    return algorithm;
}

/// HMAC-SHA-256 under one key. A failure of the library is no input's fault, and ends the program.
class Hmac {
 public:
    explicit Hmac(const Secret& key) : context_(EVP_MAC_CTX_new(hmac_algorithm())) {
        char name[] = "SHA256";
        const OSSL_PARAM parameters[] = {OSSL_PARAM_construct_utf8_string("digest", name, 0), OSSL_PARAM_construct_end()};
        MEDLEY_ASSERT(context_ != nullptr && EVP_MAC_init(context_, key.data(), key.size(), parameters) == 1);
    }
    ~Hmac() { EVP_MAC_CTX_free(context_); }
    Hmac(const Hmac&) = delete;
    Hmac& operator=(const Hmac&) = delete;

    Digest of(std::initializer_list<std::string_view> parts) {
        bool good = EVP_MAC_init(context_, nullptr, 0, nullptr) == 1;
        for (const std::string_view part : parts) {
            good = good && EVP_MAC_update(context_, reinterpret_cast<const unsigned char*>(part.data()), part.size()) == 1;
        }
        Digest digest{};
        std::size_t size = 0;
        good = good && EVP_MAC_final(context_, digest.data(), &size, digest.size()) == 1 && size == digest.size();
        MEDLEY_ASSERT(good);
        return digest;
    }

 private:
    EVP_MAC_CTX* context_;
};

Digest hmac(const Secret& key, std::initializer_list<std::string_view> parts) { return Hmac(key).of(parts); }

bool same(std::string_view left, std::string_view right) {
    return left.size() == right.size() && CRYPTO_memcmp(left.data(), right.data(), left.size()) == 0;
}

std::string_view role_text(const Role& role) { return {reinterpret_cast<const char*>(&role), 1}; }

// Labels differ in their first bytes and everything after them has a fixed length, so no two inputs coincide.
Digest connector_proof(const Secret& secret, Role role, const Nonce& acceptor, const Nonce& connector) {
    return hmac(secret, {"medley connector", role_text(role), as_text(acceptor), as_text(connector)});
}
Digest acceptor_proof(const Secret& secret, Role role, const Nonce& acceptor, const Nonce& connector) {
    return hmac(secret, {"medley acceptor", role_text(role), as_text(acceptor), as_text(connector)});
}
ConnectionKey connection_key(const Secret& secret, Role role, const Nonce& acceptor, const Nonce& connector) {
    return hmac(secret, {"medley key", role_text(role), as_text(acceptor), as_text(connector)});
}

Nonce nonce_of(std::string_view bytes) {
    Nonce nonce;
    std::copy(bytes.begin(), bytes.end(), nonce.begin());
    return nonce;
}

std::string little_endian(std::uint64_t value, int bytes) {
    std::string text;
    for (int index = 0; index < bytes; ++index) { text.push_back(static_cast<char>(value >> (8 * index))); }
    return text;
}

std::size_t length_at(std::string_view bytes) {
    std::size_t length = 0;
    for (std::size_t index = 4; index-- > 0;) { length = length << 8 | static_cast<unsigned char>(bytes[index]); }
    return length;
}

}  // namespace

Nonce fresh_nonce() {
    Nonce nonce;
    if (RAND_bytes(nonce.data(), static_cast<int>(nonce.size())) != 1) { throw Error("the system gives no random numbers"); }
    return nonce;
}

AcceptorHandshake::AcceptorHandshake(const Secret& secret, const Nonce& nonce) : secret_(secret), nonce_(nonce) {}

std::string AcceptorHandshake::greeting() const { return std::string(kMagic) + std::string(as_text(nonce_)); }

std::optional<AcceptorHandshake::Accepted> AcceptorHandshake::check(std::string_view answer) const {
    if (answer.size() != kAnswerBytes || !answer.starts_with(kMagic)) { return std::nullopt; }
    const auto role_byte = static_cast<unsigned char>(answer[kMagic.size()]);
    if (role_byte > static_cast<unsigned char>(Role::kOperator)) { return std::nullopt; }
    const auto role = static_cast<Role>(role_byte);
    const Nonce theirs = nonce_of(answer.substr(kMagic.size() + 1, kNonceBytes));
    const Digest expected = connector_proof(secret_, role, nonce_, theirs);
    if (!same(answer.substr(kMagic.size() + 1 + kNonceBytes), as_text(expected))) { return std::nullopt; }
    return Accepted{.role = role,
                    .key = connection_key(secret_, role, nonce_, theirs),
                    .reply = std::string(as_text(acceptor_proof(secret_, role, nonce_, theirs)))};
}

ConnectorHandshake::ConnectorHandshake(const Secret& secret, Role role, const Nonce& nonce) : secret_(secret), role_(role), mine_(nonce) {}

std::optional<std::string> ConnectorHandshake::answer(std::string_view greeting) {
    if (greeting.size() != kGreetingBytes || !greeting.starts_with(kMagic)) { return std::nullopt; }
    theirs_ = nonce_of(greeting.substr(kMagic.size()));
    const Digest proof = connector_proof(secret_, role_, theirs_, mine_);
    std::string answer(kMagic);
    answer.append(role_text(role_)).append(as_text(mine_)).append(as_text(proof));
    return answer;
}

std::optional<ConnectionKey> ConnectorHandshake::check(std::string_view reply) const {
    const Digest expected = acceptor_proof(secret_, role_, theirs_, mine_);
    if (!same(reply, as_text(expected))) { return std::nullopt; }
    return connection_key(secret_, role_, theirs_, mine_);
}

class FrameTagger {
 public:
    explicit FrameTagger(const ConnectionKey& key) : hmac_(key) {}
    std::string tag(bool from_acceptor, std::uint64_t number, std::string_view payload) {
        const Digest digest = hmac_.of({from_acceptor ? "a" : "c", little_endian(number, 8), payload});
        return std::string(as_text(digest).substr(0, kTagBytes));
    }

 private:
    Hmac hmac_;
};

FrameWriter::FrameWriter(const ConnectionKey& key, bool from_acceptor)
    : tagger_(std::make_shared<FrameTagger>(key)), from_acceptor_(from_acceptor) {}

std::string FrameWriter::seal(std::string_view payload) {
    MEDLEY_ASSERT(payload.size() <= kMostFrameBytes);
    std::string frame;
    frame.reserve(kHeaderBytes + payload.size());
    frame.append(little_endian(payload.size(), 4)).append(tagger_->tag(from_acceptor_, number_++, payload)).append(payload);
    return frame;
}

FrameReader::FrameReader(const ConnectionKey& key, bool from_acceptor)
    : tagger_(std::make_shared<FrameTagger>(key)), from_acceptor_(from_acceptor) {}

void FrameReader::feed(std::string_view bytes) {
    if (failed_) { return; }
    // What has been handed out is dropped once it outweighs the rest, so that many small frames cost no more than their bytes.
    if (start_ > buffer_.size() - start_) {
        buffer_.erase(0, start_);
        start_ = 0;
    }
    buffer_.append(bytes);
}

std::optional<std::string> FrameReader::next() {
    const std::string_view rest = std::string_view(buffer_).substr(start_);
    if (failed_ || rest.size() < kHeaderBytes) { return std::nullopt; }
    const std::size_t length = length_at(rest);
    failed_ = length > kMostFrameBytes;
    if (failed_ || rest.size() - kHeaderBytes < length) { return std::nullopt; }
    const std::string_view payload = rest.substr(kHeaderBytes, length);
    failed_ = !same(rest.substr(4, kTagBytes), tagger_->tag(from_acceptor_, number_, payload));
    if (failed_) { return std::nullopt; }
    ++number_;
    start_ += kHeaderBytes + length;
    return std::string(payload);
}

}  // namespace medley::executor
