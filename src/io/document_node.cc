#include "io/document_node.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "io/scalar.h"

namespace medley::io {
namespace {

constexpr std::size_t kDeepest = 64;

std::string at_line(std::size_t line, const std::string& path) {
    if (line == 0) { return path; }
    return path.empty() ? fmt::format("line {}", line) : fmt::format("line {}, {}", line, path);
}

}  // namespace

const DocumentNode* DocumentNode::find(std::string_view key) const {
    if (!is_map()) { refuse("a map"); }
    const auto child = std::find_if(children_.begin(), children_.end(), [&](const DocumentNode& node) { return node.key_ == key; });
    return child == children_.end() || child->kind_ == Kind::kNull ? nullptr : &*child;
}

const DocumentNode& DocumentNode::at(std::string_view key) const {
    if (const DocumentNode* child = find(key)) { return *child; }
    refuse_value(at_line(line_, path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key)), "", "a value, which is missing");
}

const std::vector<DocumentNode>& DocumentNode::map_entries() const {
    if (!is_map()) { refuse("a map"); }
    return children_;
}

const std::vector<DocumentNode>& DocumentNode::list_items() const {
    if (!is_list()) { refuse("a list"); }
    return children_;
}

void DocumentNode::allow_keys(std::span<const std::string_view> known) const {
    for (const DocumentNode& child : map_entries()) {
        if (std::find(known.begin(), known.end(), child.key_) != known.end()) { continue; }
        refuse_value(child.place(), child.key_, expected_name(child.key_, known));
    }
}

const std::string& DocumentNode::text() const {
    if (kind_ != Kind::kScalar || text_.empty()) { refuse("a text"); }
    return text_;
}

double DocumentNode::number() const {
    const auto value = kind_ == Kind::kScalar ? to_number(text_) : std::nullopt;
    if (!value) { refuse("a finite number"); }
    return *value;
}

double DocumentNode::positive_number() const {
    const double value = number();
    if (!(value > 0)) { refuse("a number above 0"); }
    return value;
}

std::int64_t DocumentNode::whole(std::int64_t least, std::int64_t most) const {
    const auto value = kind_ == Kind::kScalar ? to_whole(text_) : std::nullopt;
    if (value && *value >= least && *value <= most) { return *value; }
    refuse(least == most ? fmt::format("{}", least) : fmt::format("a whole number from {} to {}", least, most));
}

bool DocumentNode::boolean() const {
    if (kind_ != Kind::kScalar || (text_ != "true" && text_ != "false")) { refuse("true or false"); }
    return text_ == "true";
}

void DocumentNode::refuse(std::string_view expected) const { refuse_value(place(), found(), std::string(expected)); }

std::string DocumentNode::place() const { return at_line(line_, path_); }

const DocumentNode* DocumentNode::find_path(std::string_view path) const {
    if (path_ == path) { return this; }
    for (const DocumentNode& child : children_) {
        if (!path.starts_with(child.path_)) { continue; }
        if (const DocumentNode* found = child.find_path(path)) { return found; }
    }
    return nullptr;
}

std::string DocumentNode::found() const {
    switch (kind_) {
        case Kind::kNull: return "nothing";
        case Kind::kScalar: return text_.empty() ? "\"\"" : text_;
        case Kind::kList: return "a list";
        case Kind::kMap: return "a map";
    }
    return "";
}

void NodeBuilder::key(std::string text, std::size_t line) {
    MEDLEY_ASSERT(in_map());
    if (text.empty()) { refuse_value(at_line(line, open_.back()->path_), "an empty key", "a name"); }
    key_ = std::move(text);
}

void NodeBuilder::scalar(std::string text, std::size_t line) { add(DocumentNode::Kind::kScalar, line).text_ = std::move(text); }

void NodeBuilder::null(std::size_t line) { add(DocumentNode::Kind::kNull, line); }

void NodeBuilder::begin(DocumentNode::Kind kind, std::size_t line) {
    DocumentNode& node = add(kind, line);
    if (open_.size() == kDeepest) { refuse_value(at_line(line, ""), "", fmt::format("at most {} levels of nesting", kDeepest)); }
    open_.push_back(&node);
}

void NodeBuilder::end() {
    const DocumentNode& node = *open_.back();
    open_.pop_back();
    if (!node.is_map()) { return; }
    std::vector<const DocumentNode*> children;
    for (const DocumentNode& child : node.children_) { children.push_back(&child); }
    std::stable_sort(children.begin(), children.end(), [](const DocumentNode* a, const DocumentNode* b) { return a->key_ < b->key_; });
    const auto equal = [](const DocumentNode* a, const DocumentNode* b) { return a->key_ == b->key_; };
    const auto twice = std::adjacent_find(children.begin(), children.end(), equal);
    if (twice != children.end()) { refuse_value((*std::next(twice))->place(), (*twice)->key_, "each key once"); }
}

DocumentNode& NodeBuilder::add(DocumentNode::Kind kind, std::size_t line) {
    started_ = true;
    DocumentNode* node = &root_;
    if (!open_.empty()) {
        DocumentNode& parent = *open_.back();
        const std::size_t index = parent.children_.size();
        node = &parent.children_.emplace_back();
        node->key_ = std::exchange(key_, {});
        if (parent.is_list()) {
            node->path_ = fmt::format("{}[{}]", parent.path_, index);
        } else {
            node->path_ = parent.path_.empty() ? node->key_ : fmt::format("{}.{}", parent.path_, node->key_);
        }
    }
    node->kind_ = kind;
    node->line_ = line;
    return *node;
}

}  // namespace medley::io
