#pragma once
/// The fields of a job file, described once for reading and for writing.
///
/// `Fields` is JobReader (a map of a document -> values) or JobWriter (values -> lines); each function names every key of one map with the
/// value it fills or writes.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/training.h"

namespace medley::io {

template <class Value>
using Choice = std::pair<std::string_view, Value>;

inline constexpr std::array<Choice<OptimizerKind>, 3> kOptimizers = {
    {{"sgd", OptimizerKind::kSgd}, {"adam", OptimizerKind::kAdam}, {"adamw", OptimizerKind::kAdamW}}};
inline constexpr std::array<Choice<ScheduleKind>, 3> kSchedules = {
    {{"constant", ScheduleKind::kConstant}, {"linear", ScheduleKind::kLinear}, {"cosine", ScheduleKind::kCosine}}};
inline constexpr std::array<Choice<Precision>, 4> kPrecisions = {
    {{"fp32", Precision::kFp32}, {"fp64", Precision::kFp64}, {"bf16", Precision::kBf16}, {"fp16", Precision::kFp16}}};
inline constexpr std::array<Choice<LossKind>, 2> kLosses = {
    {{"cross-entropy", LossKind::kCrossEntropy}, {"mean-squared-error", LossKind::kMeanSquaredError}}};

template <class Fields>
void job_fields(Fields& fields, MlpModel& model) {
    fields.whole("inputs", model.inputs);
    fields.wholes("hidden", model.hidden);
    fields.whole("outputs", model.outputs);
    fields.number("dropout", model.dropout);
}

template <class Fields>
void job_fields(Fields& fields, CnnModel& model) {
    fields.whole("channels", model.channels);
    fields.whole("size", model.size);
    fields.wholes("filters", model.filters);
    fields.whole("classes", model.classes);
    fields.boolean("batch_norm", model.batch_norm);
    fields.number("dropout", model.dropout);
}

// The depth is part of the type's name.
template <class Fields>
void job_fields(Fields& fields, ResnetModel& model) {
    fields.whole("size", model.size);
    fields.whole("classes", model.classes);
}

template <class Fields>
void job_fields(Fields& fields, GptModel& model) {
    fields.whole("vocabulary", model.vocabulary);
    fields.whole("sequence", model.sequence);
    fields.whole("layers", model.layers);
    fields.whole("hidden", model.hidden);
    fields.whole("heads", model.heads);
    fields.number("dropout", model.dropout);
}

template <class Fields>
void job_fields(Fields& fields, TorchScriptModel& model) {
    fields.path("file", model.file);
    fields.wholes("input_shape", model.input_shape);
    fields.whole("classes", model.classes);
    fields.boolean("token_inputs", model.token_inputs);
}

template <class Fields>
void job_fields(Fields& fields, EmulatedModel& model) {
    fields.text("profile", model.profile);
    fields.number("seconds_per_sample", model.seconds_per_sample);
    fields.number("time_scale", model.time_scale);
    fields.whole("parameters", model.parameters);
}

template <class Fields>
void job_fields(Fields& fields, SyntheticData& data) {
    fields.whole("samples", data.samples);
    fields.boolean("ragged", data.ragged);
    fields.number("label_skew", data.label_skew);
}

template <class Fields>
void job_fields(Fields& fields, ArrayData& data) {
    fields.path("inputs", data.inputs);
    fields.path("targets", data.targets);
}

template <class Fields>
void job_fields(Fields& fields, TokenData& data) {
    fields.path("tokens", data.tokens);
}

/// The settings of one kind of optimizer; with another kind they are refused, not ignored.
template <class Fields>
void job_fields(Fields& fields, OptimizerSpec& optimizer) {
    fields.choice("type", optimizer.kind, kOptimizers);
    fields.number("learning_rate", optimizer.learning_rate);
    if (optimizer.kind == OptimizerKind::kSgd) {
        fields.number("momentum", optimizer.momentum);
        fields.boolean("nesterov", optimizer.nesterov);
        fields.foreign({"beta1", "beta2", "epsilon"}, "a setting of sgd (adam and adamw have it)");
    } else {
        fields.number("beta1", optimizer.beta1);
        fields.number("beta2", optimizer.beta2);
        fields.number("epsilon", optimizer.epsilon);
        fields.foreign({"momentum", "nesterov"}, "a setting of adam and adamw (sgd has it)");
    }
    fields.number("weight_decay", optimizer.weight_decay);
    fields.number("clip_norm", optimizer.clip_norm);
}

template <class Fields>
void job_fields(Fields& fields, ScheduleSpec& schedule) {
    fields.choice("type", schedule.kind, kSchedules);
    fields.whole("warmup_steps", schedule.warmup_steps);
    fields.number("final_fraction", schedule.final_fraction);
}

template <class Fields>
void job_fields(Fields& fields, CheckpointSpec& checkpoint) {
    std::int64_t keep = checkpoint.keep;
    fields.whole("every_steps", checkpoint.every_steps);
    fields.count("keep", keep);
    checkpoint.keep = static_cast<int>(keep);
}

}  // namespace medley::io
