#pragma once
/// SHA-256 of bytes that come in pieces.

#include <memory>
#include <string>
#include <string_view>

namespace medley::executor {

class Sha256 {
 public:
    static constexpr std::size_t kBytes = 32;

    Sha256();
    ~Sha256();
    Sha256(const Sha256&) = delete;
    Sha256& operator=(const Sha256&) = delete;

    void add(std::string_view bytes);
    /// The 32 bytes of the digest; nothing may be added after.
    std::string finish();

 private:
    struct Context;
    std::unique_ptr<Context> context_;
};

/// The 32 bytes for one piece.
std::string sha256(std::string_view bytes);

std::string hexadecimal(std::string_view bytes);

}  // namespace medley::executor
