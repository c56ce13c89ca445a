#pragma once
/// Jobs and engines for these tests: the Torch engine linked in, not as a plug-in.

#include "tests/support/engine_group.h"

namespace medley::executor {

std::unique_ptr<Engine> make_linked_engine(const EngineSetup& setup);
GroupSetup torch_group(const TrainingJob& job, const std::vector<std::int64_t>& virtual_nodes);

TrainingJob mlp_job(Precision precision = Precision::kFp32);
TrainingJob gpt_job(Precision precision = Precision::kFp32);

/// The reduction's elements as doubles.
std::vector<double> elements_of(const Buffer& buffer);
/// |a - b| / |b| by the Euclidean norm.
double relative_distance(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace medley::executor
