#pragma once
/// YAML and JSON documents as trees of nodes.

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "io/document_node.h"

namespace medley::io {

/// One YAML document. Refused with medley::Error (without a file name): text that is not UTF-8 or larger than 4 MiB, more than one
/// document, keys given twice, keys that are not plain, aliases (so nothing can multiply), nesting deeper than 64.
DocumentNode parse_yaml(std::string_view text);

/// One JSON document, under the same limits. Nodes know their path, not their line.
DocumentNode parse_json(std::string_view text);

/// Calls `read` with the document (JSON if it begins with a brace, else YAML), a map whose `format`, if stated, is 1. An error gains
/// the file's name, and, where it names a path alone, the line on which that path stands.
void read_document(std::string_view text, const std::string& file, const std::function<void(const DocumentNode& root)>& read);

}  // namespace medley::io
