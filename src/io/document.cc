#include "io/document.h"

#include <fmt/format.h>

#include "core/error.h"
#include "io/document_limits.h"
#include "io/text_file.h"

namespace medley::io {
namespace {

bool looks_like_json(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && text[first] == '{';
}

// A check of the finished value names only the path ("nodes[2].gpus"); the document knows the line.
Error with_line(const Error& error, const DocumentNode& root) {
    Problem problem = error.problem();
    const DocumentNode* node = problem.place.empty() ? nullptr : root.find_path(problem.place);
    if (node != nullptr) { problem.place = node->place(); }
    return Error(problem);
}

}  // namespace

void require_document_limits(std::string_view text) {
    if (text.size() > kLargestDocument) {
        throw Error(Problem{.found = fmt::format("{} bytes", text.size()), .expected = fmt::format("at most {}", kLargestDocument)});
    }
    require_utf8(text);
}

void read_document(std::string_view text, const std::string& file, const std::function<void(const DocumentNode& root)>& read) {
    naming_file(file, [&] {
        const std::string_view plain = without_byte_order_mark(text);
        const DocumentNode root = looks_like_json(plain) ? parse_json(plain) : parse_yaml(plain);
        if (!root.is_map()) { root.refuse("a map of keys and values"); }
        if (const DocumentNode* format = root.find("format")) { format->whole(1, 1); }
        try {
            read(root);
        } catch (const Error& error) { throw with_line(error, root); }
    });
}

}  // namespace medley::io
