#pragma once
/// How messages become bytes and back: include this to encode or decode a Message, a RunSetup or a Placement.

#include "executor/protocol/archive.h"
#include "executor/protocol/messages.h"
#include "executor/protocol/training_fields.h"

namespace medley::executor {

template <class Archive>
void visit_fields(Archive& archive, RunSetup& value) {
    archive(value.job, value.virtual_nodes, value.mode, value.exact, value.collective, value.directory, value.collective_deadline_s,
            value.lease_s);
}
template <class Archive>
void visit_fields(Archive& archive, Place& value) {
    archive(value.device, value.gpu_type, value.speed, value.virtual_nodes);
}
template <class Archive>
void visit_fields(Archive& archive, Placement& value) {
    archive(value.places);
}

// ---- worker -> coordinator

template <class Archive>
void visit_fields(Archive& archive, Hello& value) {
    archive(value.worker, value.term, value.state, value.ready, value.generation, value.step, value.process, value.host);
}
template <class Archive>
void visit_fields(Archive& archive, Ready& value) {
    archive(value.device_name, value.state_bytes);
}
template <class Archive>
void visit_fields(Archive& archive, Offer& value) {
    archive(value.generation, value.round, value.blob);
}
template <class Archive>
void visit_fields(Archive& archive, Joined& value) {
    archive(value.generation, value.step);
}
template <class Archive>
void visit_fields(Archive& archive, StepTimes& value) {
    archive(value.compute_s, value.collective_s, value.update_s, value.other_s);
}
template <class Archive>
void visit_fields(Archive& archive, Stepped& value) {
    archive(value.generation, value.step, value.loss, value.weight, value.times);
}
template <class Archive>
void visit_fields(Archive& archive, Stopped& value) {
    archive(value.generation, value.step, value.cause, value.detail, value.digest, value.final_loss);
}
template <class Archive>
void visit_fields(Archive& archive, Checkpointed& value) {
    archive(value.step, value.file, value.bytes, value.error);
}
template <class Archive>
void visit_fields(Archive& archive, Heartbeat& value) {
    archive(value.step);
}
template <class Archive>
void visit_fields(Archive& archive, Failed& value) {
    archive(value.reason);
}

// ---- coordinator -> worker

template <class Archive>
void visit_fields(Archive& archive, Welcome& value) {
    archive(value.term, value.setup, value.place);
}
template <class Archive>
void visit_fields(Archive& archive, Form& value) {
    archive(value.term, value.generation, value.members, value.placement, value.step, value.source, value.checkpoint, value.from_start);
}
template <class Archive>
void visit_fields(Archive& archive, Offers& value) {
    archive(value.generation, value.round, value.blobs);
}
template <class Archive>
void visit_fields(Archive& archive, Pause& value) {
    archive(value.term, value.generation);
}
template <class Archive>
void visit_fields(Archive& archive, Abort& value) {
    archive(value.term, value.generation);
}
template <class Archive>
void visit_fields(Archive& archive, Lease& value) {
    archive(value.term);
}
template <class Archive>
void visit_fields(Archive& archive, Shutdown& value) {
    archive(value.term, value.reason, value.checkpoint);
}

// ---- operator -> coordinator and back

template <class Archive>
void visit_fields(Archive&, StatusRequest&) {}
template <class Archive>
void visit_fields(Archive& archive, WorkerStatus& value) {
    archive(value.worker, value.device, value.gpu_type, value.phase, value.process, value.virtual_node_batches);
}
template <class Archive>
void visit_fields(Archive& archive, StatusReply& value) {
    archive(value.job, value.phase, value.term, value.generation, value.step, value.steps, value.loss, value.samples_per_s,
            value.virtual_nodes, value.workers);
}
template <class Archive>
void visit_fields(Archive& archive, ResizeRequest& value) {
    archive(value.placement);
}
template <class Archive>
void visit_fields(Archive& archive, StopRequest& value) {
    archive(value.reason);
}
template <class Archive>
void visit_fields(Archive& archive, RequestReply& value) {
    archive(value.accepted, value.message);
}

}  // namespace medley::executor
