#include "io/text_window.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "core/error.h"
#include "io/text_file.h"

namespace medley::io {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 20;
constexpr std::size_t kLongestSequence = 4;

}  // namespace

TextWindow::TextWindow(ByteSource& source) : source_(&source) {
    const std::size_t expected = source.size_hint() + 1;  // one more, so that the end is seen at once
    buffer_.resize(std::clamp(expected, kLongestSequence, kChunk) + kPadding);
    read_more();
    const std::size_t mark = used_ - without_byte_order_mark(text()).size();
    if (mark == 0) { return; }
    std::memmove(buffer_.data(), buffer_.data() + mark, used_ - mark);
    used_ -= mark;
}

bool TextWindow::extend(std::size_t done) {
    const std::size_t lines =
        static_cast<std::size_t>(std::count(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(done), '\n'));
    if (used_ - done > kMostRecordBytes) {
        refuse_value(fmt::format("line {}", first_line_ + lines), fmt::format("{} bytes without an end", used_ - done),
                     fmt::format("a record of at most {} bytes", kMostRecordBytes));
    }
    if (at_end_) { return false; }
    first_line_ += lines;
    std::memmove(buffer_.data(), buffer_.data() + done, used_ - done);
    used_ -= done;
    if (buffer_.size() < kChunk + kPadding || used_ + kPadding > buffer_.size() / 2) {
        buffer_.resize(std::max(kChunk, 2 * used_) + kPadding);
    }
    const std::size_t before = used_;
    read_more();
    return used_ > before;
}

void TextWindow::read_more() {
    const std::size_t from = used_ - unchecked_;
    while (used_ + kPadding < buffer_.size()) {
        const std::size_t count = source_->read(buffer_.data() + used_, buffer_.size() - kPadding - used_);
        if (count == 0) {
            at_end_ = true;
            break;
        }
        used_ += count;
    }
    check(from);
}

void TextWindow::check(std::size_t from) {
    const std::string_view bytes = text().substr(from);
    const std::size_t good = length_of_utf8(bytes);
    unchecked_ = bytes.size() - good;
    if (unchecked_ == 0 || (!at_end_ && unchecked_ < kLongestSequence)) { return; }
    const auto line =
        first_line_ + static_cast<std::size_t>(std::count(text().begin(), text().begin() + static_cast<std::ptrdiff_t>(from), '\n'));
    require_utf8(bytes, line);
}

}  // namespace medley::io
