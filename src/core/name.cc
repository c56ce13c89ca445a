#include "core/name.h"

#include <mutex>
#include <unordered_set>

namespace medley {
namespace {

// A deliberate process-wide table: texts are immutable once in it, so sharing it cannot be observed.
const std::string* intern(std::string_view text) {
    static std::mutex mutex;
    static auto* texts = new std::unordered_set<std::string>();
    const std::lock_guard lock(mutex);
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
