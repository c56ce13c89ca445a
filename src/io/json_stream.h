#pragma once
/// JSON of any size, taken apart value by value: only what is asked for is held.

#include <cstddef>
#include <string>
#include <string_view>

#include "io/text_window.h"

namespace medley::io {

/// A cursor over the text. It knows where values end, not whether they are right inside: that is for whoever reads them. Errors
/// name line and what was expected. Cost: one look at each byte. Memory: as of TextWindow, a value being a record.
class JsonStream {
 public:
    /// `source` outlives the stream.
    explicit JsonStream(ByteSource& source) : window_(source) {}

    /// The next character that is no blank; 0 at the end.
    char peek();
    /// Takes `c`, or throws.
    void expect(char c);
    /// After an opening bracket or a value: false and `close` taken if it comes next; else true, the comma between values taken.
    bool more(char close);
    /// Takes a whole value. The text is valid until the next call; TextWindow::kPadding readable bytes stand behind it.
    std::string_view value();
    /// Takes a member's name and the colon; the name as written, without its quotes.
    std::string key();
    /// Takes whatever blanks are left; throws if anything else stands there.
    void expect_end();

    /// Where the cursor stands, counted from 1.
    std::size_t line() const { return line_; }
    [[noreturn]] void refuse(std::string_view expected) const;

 private:
    std::size_t value_end();
    std::size_t string_end(std::size_t at);

    TextWindow window_;
    std::size_t position_ = 0;
    std::size_t line_ = 1;
    bool after_open_ = false;  // was a bracket opened last?
};

}  // namespace medley::io
