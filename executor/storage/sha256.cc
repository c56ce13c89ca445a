#include "executor/storage/sha256.h"

#include <openssl/evp.h>

#include "core/error.h"

namespace medley::executor {

struct Sha256::Context {
    EVP_MD_CTX* hash = EVP_MD_CTX_new();
    ~Context() { EVP_MD_CTX_free(hash); }
};

Sha256::Sha256() : context_(std::make_unique<Context>()) {
    MEDLEY_ASSERT(context_->hash != nullptr && EVP_DigestInit_ex(context_->hash, EVP_sha256(), nullptr) == 1);
}

Sha256::~Sha256() = default;

void Sha256::add(std::string_view bytes) { MEDLEY_ASSERT(EVP_DigestUpdate(context_->hash, bytes.data(), bytes.size()) == 1); }

std::string Sha256::finish() {
    std::string digest(kBytes, '\0');
    MEDLEY_ASSERT(EVP_DigestFinal_ex(context_->hash, reinterpret_cast<unsigned char*>(digest.data()), nullptr) == 1);
    return digest;
}

std::string sha256(std::string_view bytes) {
    Sha256 hash;
    hash.add(bytes);
    return hash.finish();
}

std::string hexadecimal(std::string_view bytes) {
    constexpr char kDigits[] = "0123456789abcdef";
    std::string text;
    for (const char byte : bytes) {
        const auto value = static_cast<unsigned char>(byte);
        text += kDigits[value >> 4];
        text += kDigits[value & 15];
    }
    return text;
}

}  // namespace medley::executor
