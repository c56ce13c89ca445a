#pragma once
/// A small tree of maps, lists and scalars, whatever format it was written in. Every node knows its place, so every wrong value can be
/// named by line and path: "line 4, gpu_types.V100.memory_gib".

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace medley::io {

/// All getters throw medley::Error with the node's place, the value found and what was expected.
class DocumentNode {
 public:
    enum class Kind : std::uint8_t { kNull, kScalar, kList, kMap };

    Kind kind() const { return kind_; }
    bool is_map() const { return kind_ == Kind::kMap; }
    bool is_list() const { return kind_ == Kind::kList; }
    const std::string& key() const { return key_; }
    const std::string& path() const { return path_; }
    std::size_t line() const { return line_; }

    /// The value of a key; null if the key is absent or has no value.
    const DocumentNode* find(std::string_view key) const;
    const DocumentNode& at(std::string_view key) const;
    /// Children of a map (each with its key) or of a list, in file order.
    const std::vector<DocumentNode>& map_entries() const;
    const std::vector<DocumentNode>& list_items() const;
    /// Refuses a key that is not among these, naming the nearest one.
    void allow_keys(std::initializer_list<std::string_view> known) const { allow_keys(std::span(known.begin(), known.size())); }
    void allow_keys(std::span<const std::string_view> known) const;

    const std::string& text() const;
    double number() const;
    double positive_number() const;
    std::int64_t whole(std::int64_t least, std::int64_t most) const;
    bool boolean() const;

    [[noreturn]] void refuse(std::string_view expected) const;
    std::string place() const;
    /// The node at a path; null if there is none.
    const DocumentNode* find_path(std::string_view path) const;

 private:
    friend class NodeBuilder;
    std::string found() const;

    Kind kind_ = Kind::kNull;
    std::size_t line_ = 0;  // 0 = the format does not tell
    std::string key_;
    std::string path_;
    std::string text_;
    std::vector<DocumentNode> children_;
};

/// Builds a tree from the events of a parser. Throws medley::Error for a key given twice and for nesting deeper than 64.
class NodeBuilder {
 public:
    void key(std::string text, std::size_t line);
    void scalar(std::string text, std::size_t line);
    void null(std::size_t line);
    void begin(DocumentNode::Kind kind, std::size_t line);
    void end();

    bool in_map() const { return !open_.empty() && open_.back()->is_map(); }
    bool complete() const { return started_ && open_.empty(); }
    DocumentNode take() { return std::move(root_); }

 private:
    DocumentNode& add(DocumentNode::Kind kind, std::size_t line);

    DocumentNode root_;
    bool started_ = false;
    std::vector<DocumentNode*> open_;  // only the last one grows, so the others' addresses stand
    std::string key_;
};

}  // namespace medley::io
