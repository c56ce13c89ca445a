#include "io/results/plan_formats.h"

#include <algorithm>

#include "io/plan_file.h"
#include "io/results/json_writer.h"

namespace medley::io {
namespace {

void write_virtual_nodes(JsonWriter& json, const std::vector<Samples>& sizes) {
    json.key("virtual_nodes").begin_array();
    for (auto size = sizes.begin(); size != sizes.end();) {
        const auto end = std::find_if(size, sizes.end(), [&](Samples other) { return other != *size; });
        json.begin_object().field("batch", *size).field("count", end - size).end_object();
        size = end;
    }
    json.end_array();
}

void write_group(JsonWriter& json, const ReplicaGroup& group) {
    json.begin_object().field("gpu_type", group.gpu_type).field("replicas", group.replicas);
    if (group.tensor > 1) { json.field("tensor", group.tensor); }
    if (group.pipeline > 1) { json.field("pipeline", group.pipeline); }
    if (group.sharded_state) { json.field("sharded_state", true); }
    write_virtual_nodes(json, group.virtual_nodes);
    json.end_object();
}

}  // namespace

std::string format_plan_json(const Plan& plan) {
    JsonWriter json;
    json.begin_object().field("format", 1);
    if (!plan.model.empty()) { json.field("model", plan.model); }
    json.field("global_batch", plan.global_batch).key("groups").begin_array();
    for (const ReplicaGroup& group : plan.groups) { write_group(json, group); }
    return json.end_array().end_object().text();
}

std::string format_plan_for(const std::filesystem::path& file, const Plan& plan) {
    return file.extension() == ".json" ? format_plan_json(plan) : format_plan(plan);
}

}  // namespace medley::io
