#pragma once
/// How the parts of a training job become bytes (archive.h); included by message_fields.h.

#include "core/training.h"

namespace medley {

constexpr OptimizerKind last_of(OptimizerKind) { return OptimizerKind::kAdamW; }
constexpr ScheduleKind last_of(ScheduleKind) { return ScheduleKind::kCosine; }
constexpr Precision last_of(Precision) { return Precision::kFp16; }
constexpr LossKind last_of(LossKind) { return LossKind::kMeanSquaredError; }

namespace executor {

template <class Archive>
void visit_fields(Archive& archive, MlpModel& value) {
    archive(value.inputs, value.hidden, value.outputs, value.dropout);
}
template <class Archive>
void visit_fields(Archive& archive, CnnModel& value) {
    archive(value.channels, value.size, value.filters, value.classes, value.batch_norm, value.dropout);
}
template <class Archive>
void visit_fields(Archive& archive, ResnetModel& value) {
    archive(value.depth, value.size, value.classes);
}
template <class Archive>
void visit_fields(Archive& archive, GptModel& value) {
    archive(value.vocabulary, value.sequence, value.layers, value.hidden, value.heads, value.dropout);
}
template <class Archive>
void visit_fields(Archive& archive, TorchScriptModel& value) {
    archive(value.file, value.input_shape, value.classes, value.token_inputs);
}
template <class Archive>
void visit_fields(Archive& archive, EmulatedModel& value) {
    archive(value.profile, value.seconds_per_sample, value.seconds, value.time_scale, value.parameters);
}
template <class Archive>
void visit_fields(Archive& archive, SyntheticData& value) {
    archive(value.samples, value.ragged, value.label_skew);
}
template <class Archive>
void visit_fields(Archive& archive, ArrayData& value) {
    archive(value.inputs, value.targets);
}
template <class Archive>
void visit_fields(Archive& archive, TokenData& value) {
    archive(value.tokens);
}
template <class Archive>
void visit_fields(Archive& archive, OptimizerSpec& value) {
    archive(value.kind, value.learning_rate, value.momentum, value.nesterov, value.beta1, value.beta2, value.epsilon, value.weight_decay,
            value.clip_norm);
}
template <class Archive>
void visit_fields(Archive& archive, ScheduleSpec& value) {
    archive(value.kind, value.warmup_steps, value.final_fraction);
}
template <class Archive>
void visit_fields(Archive& archive, CheckpointSpec& value) {
    archive(value.every_steps, value.keep);
}
template <class Archive>
void visit_fields(Archive& archive, TrainingJob& value) {
    archive(value.name, value.model, value.data, value.optimizer, value.schedule, value.loss, value.precision, value.loss_scale,
            value.steps, value.seed, value.checkpoint);
}

}  // namespace executor
}  // namespace medley
