#include "io/site_rules_file.h"

#include <algorithm>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "io/document.h"
#include "io/scalar.h"
#include "io/site_rules_fields.h"
#include "io/text_file.h"
#include "io/yaml_text.h"

namespace medley::io {
namespace {

constexpr std::int64_t kMostWhole = 1'000'000'000;
constexpr std::string_view kSpan = "a number of seconds of at least 0, or one with ms, s, m, h or d";
constexpr std::string_view kNeverText = "never";
constexpr std::string_view kRoot = "root";

Seconds read_span(const DocumentNode& node) {
    const auto span = to_duration(node.text());
    if (!span || span->value < 0) { node.refuse(kSpan); }
    return *span;
}

/// Fills values from the keys of one map; what is not stated keeps its value.
class RuleReader {
 public:
    explicit RuleReader(const DocumentNode& map) : map_(map) {}

    void number(std::string_view key, double& value) {
        if (const DocumentNode* node = find(key)) { value = node->number(); }
    }
    void number(std::string_view key, std::optional<double>& value) {
        if (const DocumentNode* node = find(key)) { value = node->number(); }
    }
    template <class Whole>
    void whole(std::string_view key, Whole& value) {
        if (const DocumentNode* node = find(key)) { value = node->whole(0, kMostWhole); }
    }
    void boolean(std::string_view key, bool& value) {
        if (const DocumentNode* node = find(key)) { value = node->boolean(); }
    }
    template <class Span>
    void span(std::string_view key, Span& value) {
        if (const DocumentNode* node = find(key)) { value = read_span(*node); }
    }
    void span_or_never(std::string_view key, Seconds& value) {
        const DocumentNode* node = find(key);
        if (node != nullptr) { value = node->text() == kNeverText ? Seconds{0} : read_span(*node); }
    }
    void time(std::string_view key, SimTime& value) {
        const DocumentNode* node = find(key);
        if (node == nullptr) { return; }
        const auto time = to_time(node->text());
        if (!time) { node->refuse("a number of seconds, or one with ms, s, m, h or d"); }
        value = *time;
    }
    void name(std::string_view key, Name& value) {
        if (const DocumentNode* node = find(key)) { value = Name(node->text()); }
    }
    void parent(std::string_view key, Name& value) {
        name(key, value);
        if (value.text() == kRoot) { value = Name(); }
    }
    void texts(std::string_view key, std::vector<std::string>& values) { read_texts(key, values); }
    void names(std::string_view key, std::vector<Name>& values) { read_texts(key, values); }
    void resources(std::string_view key, std::vector<ResourceWeight>& values) {
        const DocumentNode* node = find(key);
        if (node == nullptr) { return; }
        values.clear();
        for (const DocumentNode& entry : node->map_entries()) { values.push_back({.resource = entry.key(), .weight = entry.number()}); }
    }
    void quotas(std::string_view key, std::vector<QueueQuota>& values) {
        const DocumentNode* node = find(key);
        if (node == nullptr) { return; }
        values.clear();
        for (const DocumentNode& entry : node->map_entries()) {
            QueueQuota& quota = values.emplace_back();
            quota.gpu_type = Name(entry.key());
            read_map(entry, quota);
        }
    }
    template <class Value, std::size_t Size>
    void choice(std::string_view key, Value& value, const std::array<RuleChoice<Value>, Size>& choices) {
        if (const DocumentNode* node = find(key)) { value = chosen(*node, std::span<const RuleChoice<Value>>(choices)); }
    }
    template <class Value, std::size_t Size>
    void choice(std::string_view key, std::optional<Value>& value, const std::array<RuleChoice<Value>, Size>& choices) {
        if (const DocumentNode* node = find(key)) { value = chosen(*node, std::span<const RuleChoice<Value>>(choices)); }
    }
    template <class Value>
    void inner(std::string_view key, Value& value) {
        if (const DocumentNode* node = find(key)) { read_map(*node, value); }
    }
    template <class Value>
    void list(std::string_view key, std::vector<Value>& values) {
        const DocumentNode* node = find(key);
        if (node == nullptr) { return; }
        values.clear();
        for (const DocumentNode& item : node->list_items()) { read_map(item, values.emplace_back()); }
    }

    const DocumentNode* find(std::string_view key) {
        known_.push_back(key);
        return map_.find(key);
    }
    /// Refuses keys that nothing asked for.
    void finish() const { map_.allow_keys(std::span<const std::string_view>(known_)); }

 private:
    template <class Value>
    static void read_map(const DocumentNode& node, Value& value) {
        RuleReader reader(node);
        rule_fields(reader, value);
        reader.finish();
    }
    template <class Text>
    void read_texts(std::string_view key, std::vector<Text>& values) {
        const DocumentNode* node = find(key);
        if (node == nullptr) { return; }
        values.clear();
        for (const DocumentNode& item : node->list_items()) { values.emplace_back(item.text()); }
    }
    template <class Value>
    static Value chosen(const DocumentNode& node, std::span<const RuleChoice<Value>> choices) {
        std::vector<std::string_view> known;
        for (const auto& choice : choices) {
            if (choice.first == node.text()) { return choice.second; }
            known.push_back(choice.first);
        }
        node.refuse(expected_name(node.text(), known));
    }

    const DocumentNode& map_;
    std::vector<std::string_view> known_;
};

/// One map as `{key: value, ...}`; empty names and lists, and limits that are none, are left out.
class RuleWriter {
 public:
    void number(std::string_view key, double value) { add(key, fmt::format("{}", value)); }
    void number(std::string_view key, const std::optional<double>& value) {
        if (value) { number(key, *value); }
    }
    void whole(std::string_view key, std::int64_t value) { add(key, fmt::format("{}", value)); }
    void whole(std::string_view key, const std::optional<std::int64_t>& value) {
        if (value) { whole(key, *value); }
    }
    void boolean(std::string_view key, bool value) { add(key, value ? "true" : "false"); }
    void span(std::string_view key, Seconds value) { number(key, value.value); }
    void span(std::string_view key, const std::optional<Seconds>& value) {
        if (value) { span(key, *value); }
    }
    void span_or_never(std::string_view key, Seconds value) {
        if (value.value > 0) { return span(key, value); }
        add(key, std::string(kNeverText));
    }
    void time(std::string_view key, SimTime value) {
        if (value != kNever) { add(key, seconds_text(value)); }
    }
    void name(std::string_view key, Name value) {
        if (!value.empty()) { add(key, quoted_yaml(value.text())); }
    }
    void parent(std::string_view key, Name value) { name(key, value); }
    void texts(std::string_view key, const std::vector<std::string>& values) { add_texts(key, values); }
    void names(std::string_view key, const std::vector<Name>& values) { add_texts(key, values); }
    void resources(std::string_view key, const std::vector<ResourceWeight>& values) {
        RuleWriter inner;
        for (const ResourceWeight& each : values) { inner.number(quoted_yaml(each.resource), each.weight); }
        if (!values.empty()) { add(key, inner.text()); }
    }
    void quotas(std::string_view key, std::vector<QueueQuota>& values) {
        RuleWriter inner;
        for (QueueQuota& each : values) { inner.inner(quoted_yaml(each.gpu_type.text()), each); }
        if (!values.empty()) { add(key, inner.text()); }
    }
    template <class Value, std::size_t Size>
    void choice(std::string_view key, Value value, const std::array<RuleChoice<Value>, Size>& choices) {
        const auto same = [value](const auto& choice) { return choice.second == value; };
        add(key, std::string(std::find_if(choices.begin(), choices.end(), same)->first));
    }
    template <class Value, std::size_t Size>
    void choice(std::string_view key, const std::optional<Value>& value, const std::array<RuleChoice<Value>, Size>& choices) {
        if (value) { choice(key, *value, choices); }
    }
    template <class Value>
    void inner(std::string_view key, Value& value) {
        add(key, map_text(value));
    }
    template <class Value>
    void list(std::string_view key, std::vector<Value>& values) {
        std::string items;
        for (Value& value : values) { items += fmt::format("{}\n  {}", items.empty() ? "" : ",", map_text(value)); }
        if (!values.empty()) { add(key, fmt::format("[{}]", items)); }
    }

    std::string text() const { return fmt::format("{{{}}}", fmt::join(entries_, ", ")); }
    /// The entries as lines: a document of its own.
    std::string lines() const { return fmt::format("{}\n", fmt::join(entries_, "\n")); }

 private:
    template <class Value>
    static std::string map_text(Value& value) {
        RuleWriter writer;
        rule_fields(writer, value);
        return writer.text();
    }
    static const std::string& text_of(const std::string& text) { return text; }
    static const std::string& text_of(Name name) { return name.text(); }
    template <class Text>
    void add_texts(std::string_view key, const std::vector<Text>& values) {
        std::vector<std::string> quoted;
        for (const Text& value : values) { quoted.push_back(quoted_yaml(text_of(value))); }
        if (!values.empty()) { add(key, fmt::format("[{}]", fmt::join(quoted, ", "))); }
    }
    void add(std::string_view key, const std::string& value) { entries_.push_back(fmt::format("{}: {}", key, value)); }

    std::vector<std::string> entries_;
};

SiteRules read_rules(const DocumentNode& root) {
    SiteRules rules;
    RuleReader reader(root);
    reader.find("format");
    rule_fields(reader, rules);
    reader.finish();
    rules.validate();
    return rules;
}

}  // namespace

SiteRules load_site_rules(const std::filesystem::path& path) { return parse_site_rules(read_text_file(path), path.string()); }

SiteRules parse_site_rules(std::string_view text, const std::string& file) {
    SiteRules rules;
    read_document(text, file, [&](const DocumentNode& root) { rules = read_rules(root); });
    return rules;
}

std::string format_site_rules(const SiteRules& rules) {
    SiteRules copy = rules;  // fields are described once for both ways, and reading needs them writable
    RuleWriter writer;
    rule_fields(writer, copy);
    return "format: 1\n" + writer.lines();
}

}  // namespace medley::io
