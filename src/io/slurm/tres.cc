#include "io/slurm/tres.h"

#include <algorithm>
#include <string>

#include "core/error.h"
#include "io/scalar.h"

namespace medley::io::slurm {
namespace {

constexpr std::string_view kGpu = "gres/gpu";
constexpr int kMostNodeGpus = 1024;

/// "gpu:a100:4(S:0-1)" without its sockets or indices.
std::string_view without_parentheses(std::string_view entry) { return entry.substr(0, entry.find('(')); }

/// Takes the next entry off `rest`: commas inside parentheses (`gpu:4(S:0,2)`) separate nothing.
std::string_view take_gres(std::string_view& rest) {
    int depth = 0;
    std::size_t at = 0;
    for (; at < rest.size() && (depth > 0 || rest[at] != ','); ++at) { depth += rest[at] == '(' ? 1 : (rest[at] == ')' ? -1 : 0); }
    const std::string_view entry = rest.substr(0, at);
    rest.remove_prefix(std::min(rest.size(), at + 1));
    return entry;
}

std::optional<NodeGpus> read_gpus(std::string_view entry) {
    const std::string_view plain = without_parentheses(entry);
    if (plain != "gpu" && !plain.starts_with("gpu:")) { return std::nullopt; }
    const std::size_t first = plain.find(':');
    const std::size_t last = plain.rfind(':');
    const auto count = first == std::string_view::npos ? std::nullopt : to_whole(plain.substr(last + 1));
    if (!count || *count < 0 || *count > kMostNodeGpus) { refuse_value("", std::string(entry), "gpu:TYPE:COUNT or gpu:COUNT"); }
    std::string_view type = last > first ? plain.substr(first + 1, last - first - 1) : std::string_view();
    type = type.substr(0, type.find(':'));  // of "a100:no_consume"
    if (type == "no_consume") { type = {}; }
    return NodeGpus{.type = Name(type), .count = static_cast<int>(*count)};
}

}  // namespace

bool TresReader::next() {
    while (!rest_.empty()) {
        const std::size_t comma = rest_.find(',');
        const std::string_view entry = rest_.substr(0, comma);
        rest_.remove_prefix(comma == std::string_view::npos ? rest_.size() : comma + 1);
        const std::size_t equals = entry.find('=');
        if (equals == std::string_view::npos) { continue; }
        key_ = entry.substr(0, equals);
        value_ = entry.substr(equals + 1);
        return true;
    }
    return false;
}

TresGpus tres_gpus(std::string_view tres) {
    TresGpus gpus;
    std::int64_t typed = 0;
    std::optional<std::int64_t> untyped;
    for (TresReader entry(tres); entry.next();) {
        if (!entry.key().starts_with(kGpu)) { continue; }
        const std::string_view type = entry.key().substr(kGpu.size());
        const auto count = to_whole(entry.value());
        if (!count || *count < 0) { continue; }
        if (type.empty()) { untyped = count; }
        if (type.size() < 2 || type.front() != ':') { continue; }
        typed += *count;
        gpus.several_types = gpus.several_types || !gpus.type.empty();
        gpus.type = type.substr(1);
    }
    if (gpus.several_types) { gpus.type = {}; }
    if (untyped) { gpus.total = untyped; }
    if (!untyped && (typed > 0 || !gpus.type.empty() || gpus.several_types)) { gpus.total = typed; }
    return gpus;
}

std::optional<std::int64_t> tres_count(std::string_view tres, std::string_view key) {
    for (TresReader entry(tres); entry.next();) {
        if (entry.key() == key) { return to_whole(entry.value()); }
    }
    return std::nullopt;
}

std::vector<NodeGpus> node_gpus(std::string_view gres) {
    std::vector<NodeGpus> gpus;
    while (!gres.empty()) {
        const auto found = read_gpus(take_gres(gres));
        if (!found || found->count == 0) { continue; }
        const auto same = std::find_if(gpus.begin(), gpus.end(), [&](const NodeGpus& each) { return each.type == found->type; });
        if (same != gpus.end()) {
            same->count += found->count;
        } else {
            gpus.push_back(*found);
        }
    }
    std::sort(gpus.begin(), gpus.end(), [](const NodeGpus& a, const NodeGpus& b) { return a.type < b.type; });
    return gpus;
}

}  // namespace medley::io::slurm
