#include "io/line_reader.h"

namespace medley::io {

bool LineReader::next() {
    std::size_t end = window_.text().find('\n', position_);
    while (end == std::string_view::npos && !window_.at_end()) {
        window_.extend(position_);
        position_ = 0;
        end = window_.text().find('\n');
    }
    const std::string_view text = window_.text();
    if (position_ >= text.size()) { return false; }
    text_ = text.substr(position_, end - position_);
    if (text_.ends_with('\r')) { text_.remove_suffix(1); }
    position_ = end == std::string_view::npos ? text.size() : end + 1;
    ++line_;
    return true;
}

}  // namespace medley::io
