#pragma once
/// How records of the write-ahead log become bytes and back.

#include "executor/coordinator/records.h"
#include "executor/protocol/message_fields.h"

namespace medley::executor {

template <class Archive>
void visit_fields(Archive& archive, TermRecord& value) {
    archive(value.term);
}
template <class Archive>
void visit_fields(Archive& archive, LaunchedRecord& value) {
    archive(value.worker, value.place);
}
template <class Archive>
void visit_fields(Archive& archive, ReadyRecord& value) {
    archive(value.worker, value.process, value.host, value.device_name);
}
template <class Archive>
void visit_fields(Archive& archive, LostRecord& value) {
    archive(value.worker, value.step, value.reason, value.orderly);
}
template <class Archive>
void visit_fields(Archive& archive, TargetRecord& value) {
    archive(value.placement);
}
template <class Archive>
void visit_fields(Archive& archive, GenerationRecord& value) {
    archive(value.generation, value.members, value.placement, value.step, value.checkpoint, value.source, value.from_start);
}
template <class Archive>
void visit_fields(Archive& archive, JoinedRecord& value) {
    archive(value.generation, value.step);
}
template <class Archive>
void visit_fields(Archive& archive, SteppedRecord& value) {
    archive(value.worker, value.stepped);
}
template <class Archive>
void visit_fields(Archive& archive, RestRecord& value) {
    archive(value.generation, value.step);
}
template <class Archive>
void visit_fields(Archive& archive, CheckpointRecord& value) {
    archive(value.worker, value.checkpoint);
}
template <class Archive>
void visit_fields(Archive& archive, FinishedRecord& value) {
    archive(value.step, value.digest, value.final_loss);
}
template <class Archive>
void visit_fields(Archive& archive, StoppedByUserRecord& value) {
    archive(value.step, value.reason);
}

}  // namespace medley::executor
