#include "io/compression.h"

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>

#include "core/error.h"

namespace medley::io {
namespace {

[[noreturn]] void refuse_stream(const char* format, const std::string& why) {
    throw Error(Problem{.message = fmt::format("damaged {} file: {}", format, why)});
}

/// The output grows by doubling, so that a small file needs a small buffer.
class Growing {
 public:
    explicit Growing(std::size_t most) : most_(most) {}

    char* room() {
        if (used_ == text_.size()) { grow(); }
        return text_.data() + used_;
    }
    std::size_t room_size() const { return text_.size() - used_; }
    void add(std::size_t bytes) { used_ += bytes; }
    std::string take() {
        text_.resize(used_);
        return std::move(text_);
    }

 private:
    void grow() {
        constexpr std::size_t kFirst = std::size_t{1} << 16;
        if (used_ >= most_) {
            throw Error(Problem{.expected = fmt::format("at most {} bytes", most_), .message = "too large when unpacked"});
        }
        text_.resize(std::min(most_, std::max(kFirst, 2 * used_)));
    }

    std::size_t most_;
    std::size_t used_ = 0;
    std::string text_;
};

constexpr std::string_view kGzip = "\x1f\x8b";
constexpr std::string_view kZstandard = "\x28\xb5\x2f\xfd";

class GzipStream {
 public:
    GzipStream() {
        constexpr int kGzipOnly = 16 + MAX_WBITS;
        MEDLEY_ASSERT(inflateInit2(&stream_, kGzipOnly) == Z_OK);
    }
    ~GzipStream() { inflateEnd(&stream_); }
    GzipStream(const GzipStream&) = delete;
    GzipStream& operator=(const GzipStream&) = delete;

    static constexpr const char* kFormat = "gzip";
    bool complete() const { return complete_; }

    std::size_t step(std::string_view& in, char* out, std::size_t room) {
        if (complete_ && in.empty()) { return 0; }
        if (complete_) { inflateReset(&stream_); }  // another member follows
        complete_ = false;
        const uInt given = in_32_bits(in.size());
        const uInt space = in_32_bits(room);
        stream_.avail_in = given;
        stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));  // zlib's interface lacks the const
        stream_.avail_out = space;
        stream_.next_out = reinterpret_cast<Bytef*>(out);
        const int status = inflate(&stream_, Z_NO_FLUSH);
        if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) {
            refuse_stream(kFormat, stream_.msg != nullptr ? stream_.msg : "wrong data");
        }
        complete_ = status == Z_STREAM_END;
        in.remove_prefix(given - stream_.avail_in);
        return space - stream_.avail_out;
    }

 private:
    static uInt in_32_bits(std::size_t size) {
        constexpr std::size_t kLargest = std::size_t{1} << 30;
        return static_cast<uInt>(std::min(size, kLargest));
    }

    z_stream stream_{};
    bool complete_ = false;
};

class ZstandardStream {
 public:
    ZstandardStream() { MEDLEY_ASSERT(stream_ != nullptr); }

    static constexpr const char* kFormat = "Zstandard";
    bool complete() const { return complete_; }

    std::size_t step(std::string_view& in, char* out, std::size_t room) {
        if (complete_ && in.empty()) { return 0; }
        ZSTD_inBuffer source{.src = in.data(), .size = in.size(), .pos = 0};
        ZSTD_outBuffer target{.dst = out, .size = room, .pos = 0};
        const std::size_t pending = ZSTD_decompressStream(stream_.get(), &target, &source);
        if (ZSTD_isError(pending) != 0U) { refuse_stream(kFormat, ZSTD_getErrorName(pending)); }
        complete_ = pending == 0;
        in.remove_prefix(source.pos);
        return target.pos;
    }

 private:
    std::unique_ptr<ZSTD_DStream, std::size_t (*)(ZSTD_DStream*)> stream_{ZSTD_createDStream(), ZSTD_freeDStream};
    bool complete_ = false;
};

}  // namespace

class Unpacker::Stream {
 public:
    template <class Packing>
    explicit Stream(std::in_place_type_t<Packing> packing) : state_(packing) {}

    std::size_t step(std::string_view& in, char* out, std::size_t room) {
        return std::visit([&](auto& packing) { return packing.step(in, out, room); }, state_);
    }
    void require_complete() const {
        std::visit(
            [](const auto& packing) {
                if (!packing.complete()) { refuse_stream(packing.kFormat, "it ends too early"); }
            },
            state_);
    }

 private:
    std::variant<GzipStream, ZstandardStream> state_;
};

Unpacker::Unpacker(std::string_view first_bytes) {
    if (first_bytes.starts_with(kGzip)) { stream_ = std::make_unique<Stream>(std::in_place_type<GzipStream>); }
    if (first_bytes.starts_with(kZstandard)) { stream_ = std::make_unique<Stream>(std::in_place_type<ZstandardStream>); }
}

Unpacker::~Unpacker() = default;
Unpacker::Unpacker(Unpacker&&) noexcept = default;
Unpacker& Unpacker::operator=(Unpacker&&) noexcept = default;

std::size_t Unpacker::step(std::string_view& in, char* out, std::size_t room) { return stream_->step(in, out, room); }

void Unpacker::require_complete() const { stream_->require_complete(); }

std::string unpack(std::string bytes, std::size_t most_bytes) {
    Unpacker unpacker(bytes);
    if (!unpacker.packed()) { return bytes; }
    Growing output(most_bytes);
    std::string_view rest = bytes;
    while (true) {
        char* room = output.room();
        const std::size_t written = unpacker.step(rest, room, output.room_size());
        output.add(written);
        if (written == 0 && rest.empty()) { break; }
    }
    unpacker.require_complete();
    return output.take();
}

}  // namespace medley::io
