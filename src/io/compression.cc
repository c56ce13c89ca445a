#include "io/compression.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <string_view>

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

constexpr uInt kLargestChunk = uInt{1} << 30;  // zlib counts in 32 bits

class Inflater {
 public:
    Inflater(const std::string& bytes, std::size_t most) : bytes_(bytes), output_(most) {
        constexpr int kGzipOnly = 16 + MAX_WBITS;
        MEDLEY_ASSERT(inflateInit2(&stream_, kGzipOnly) == Z_OK);
    }
    ~Inflater() { inflateEnd(&stream_); }
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;

    std::string run() {
        while (true) {
            const int status = step();
            if (status == Z_STREAM_END && !next_member()) { return output_.take(); }
            if (status == Z_BUF_ERROR && input_exhausted()) { refuse_stream("gzip", "it ends too early"); }
            if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) {
                refuse_stream("gzip", stream_.msg != nullptr ? stream_.msg : "wrong data");
            }
        }
    }

 private:
    bool input_exhausted() const { return stream_.avail_in == 0 && read_ == bytes_.size(); }

    int step() {
        if (stream_.avail_in == 0) {
            stream_.avail_in = static_cast<uInt>(std::min<std::size_t>(bytes_.size() - read_, kLargestChunk));
            stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes_.data() + read_));  // zlib's interface lacks the const
            read_ += stream_.avail_in;
        }
        stream_.next_out = reinterpret_cast<Bytef*>(output_.room());
        const auto room = static_cast<uInt>(std::min<std::size_t>(output_.room_size(), kLargestChunk));
        stream_.avail_out = room;
        const int status = inflate(&stream_, Z_NO_FLUSH);
        output_.add(room - stream_.avail_out);
        return status;
    }

    bool next_member() {
        if (input_exhausted()) { return false; }
        inflateReset(&stream_);
        return true;
    }

    const std::string& bytes_;
    std::size_t read_ = 0;
    z_stream stream_{};
    Growing output_;
};

std::string unpack_zstd(const std::string& bytes, std::size_t most) {
    const std::unique_ptr<ZSTD_DStream, std::size_t (*)(ZSTD_DStream*)> stream(ZSTD_createDStream(), ZSTD_freeDStream);
    MEDLEY_ASSERT(stream != nullptr);
    Growing output(most);
    ZSTD_inBuffer in{.src = bytes.data(), .size = bytes.size(), .pos = 0};
    std::size_t pending = 1;
    while (in.pos < in.size || pending != 0) {
        ZSTD_outBuffer out{.dst = output.room(), .size = output.room_size(), .pos = 0};
        const std::size_t before = in.pos;
        pending = ZSTD_decompressStream(stream.get(), &out, &in);
        if (ZSTD_isError(pending) != 0U) { refuse_stream("Zstandard", ZSTD_getErrorName(pending)); }
        output.add(out.pos);
        if (in.pos == in.size && in.pos == before && out.pos == 0 && pending != 0) { refuse_stream("Zstandard", "it ends too early"); }
    }
    return output.take();
}

}  // namespace

std::string unpack(std::string bytes, std::size_t most_bytes) {
    constexpr std::string_view kGzip = "\x1f\x8b";
    constexpr std::string_view kZstandard = "\x28\xb5\x2f\xfd";
    if (bytes.starts_with(kGzip)) { return Inflater(bytes, most_bytes).run(); }
    if (bytes.starts_with(kZstandard)) { return unpack_zstd(bytes, most_bytes); }
    return bytes;
}

}  // namespace medley::io
