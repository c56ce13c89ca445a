#include "core/name.h"

#include <functional>
#include <mutex>
#include <unordered_set>

namespace medley {
namespace {

/// Looks a text up without making a string of it first.
struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const noexcept { return std::hash<std::string_view>{}(text); }
};

// A deliberate process-wide table: texts are immutable once in it, so sharing it cannot be observed.
const std::string* intern(std::string_view text) {
    static std::mutex mutex;
    static auto* texts = new std::unordered_set<std::string, TextHash, std::equal_to<>>();
    const std::lock_guard lock(mutex);
    if (const auto found = texts->find(text); found != texts->end()) { return &*found; }
    return &*texts->emplace(text).first;
}

const std::string* empty_text() {
    static const std::string* text = intern("");
    return text;
}

}  // namespace

Name::Name() : text_(empty_text()) {}

Name::Name(std::string_view text) : text_(text.empty() ? empty_text() : intern(text)) {}

std::strong_ordering Name::operator<=>(const Name& other) const {
    if (text_ == other.text_) { return std::strong_ordering::equal; }
    return *text_ < *other.text_ ? std::strong_ordering::less : std::strong_ordering::greater;
}

}  // namespace medley
