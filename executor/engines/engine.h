#pragma once
/// The seam for arithmetic: one model on one device, stepped virtual node by virtual node.
///
/// One step is: `begin_step`, `run_node` for each virtual node of this worker, `reduction` -> all-reduce -> `apply`. Everything that
/// is reduced lies in one flat buffer: gradients of the *summed* loss first, then weighted changes of statistics (batch-norm's running
/// mean and variance: each virtual node starts from the values at the step's beginning, and its change counts with its weight). So what
/// a step does depends on the virtual nodes alone, never on how they lie on workers, and all state is the same on every worker between
/// steps.
///
/// Chance (dropout) within a virtual node comes from (seed, step, virtual node) alone.
///
/// Thread rule: one thread per engine, and one engine of a process computes at a time (a BLAS may have no locks). Errors of the environment
/// (out of memory, no such device) throw medley::Error.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/training.h"
#include "executor/collectives/collective.h"

namespace medley::executor {

struct EngineSetup {
    TrainingJob job;
    std::vector<std::int64_t> virtual_nodes;  ///< samples of each
    std::string device = "cpu";               ///< "cpu", "cuda:0", "emulated"
    std::string gpu_type;                     ///< the plan's name of it
    double speed = 1;                         ///< of an emulated device
    bool inference = false;
    bool exact = false;             ///< the reduction is in 64-bit fixed point
    bool device_reduction = false;  ///< leave the reduction in device memory (NCCL)
};

/// A part of the flat reduction that shares one fixed-point scale.
struct ReducedTensor {
    std::string name;
    std::size_t elements = 0;
    bool statistic = false;
};

/// The virtual node's share of the global batch: positions in the data set.
struct NodeWork {
    std::int64_t step = 0;  ///< steps finished before this one
    std::uint32_t virtual_node = 0;
    std::span<const std::int64_t> samples;
};

struct NodeResult {
    double loss_sum = 0;      ///< over everything that counts
    std::int64_t weight = 0;  ///< samples, or tokens that count
};

/// What fixed-point summation met since `begin_step`, per reduced tensor; see exact/fixed_point.h.
struct FixedPointStatus {
    std::vector<std::int64_t> largest_exponent;  ///< e with |x| < 2^e for every finite x; kNoExponent if all were zero
    bool overflow = false;                       ///< an addend did not fit its scale: the step must be redone with other scales
    bool not_finite = false;                     ///< see `non_finite_marks`
};

/// A named stretch of the state, in host memory.
struct StateSection {
    std::string name;
    std::span<std::byte> bytes;
};

struct StepContext {
    std::int64_t step = 0;
    std::span<const std::int64_t> fixed_point_exponents;  ///< one per reduced tensor, with `exact`
};

struct Applied {
    bool skipped = false;  ///< not finite under dynamic loss scaling
    double gradient_norm = 0;
};

class Engine {
 public:
    virtual ~Engine() = default;

    virtual std::string device_name() const = 0;
    virtual const std::vector<ReducedTensor>& reduced_tensors() const = 0;
    /// Samples in the data set.
    virtual std::int64_t samples() const = 0;

    /// Starts a step, or starts it anew: drops whatever was accumulated.
    virtual void begin_step(const StepContext& context) = 0;
    /// Forward and backward of one virtual node; its part is added to the reduction.
    virtual NodeResult run_node(const NodeWork& work) = 0;
    /// The flat buffer for the all-reduce: float32, float64 or (exact, emulated) int64, in host memory unless `device_reduction`.
    /// Valid until the next call of another function.
    virtual Buffer reduction() = 0;
    virtual FixedPointStatus fixed_point_status() const = 0;
    /// With `exact` and not-finite values: per element of the reduction, how many +inf (bits 0-20), -inf (21-41) and NaN (42-62) this
    /// worker's virtual nodes had; summed over workers they go to `apply` through the same buffer.
    virtual Buffer non_finite_marks() = 0;
    /// Takes the reduced sums: divides by the total weight, clips, updates once.
    virtual Applied apply(std::int64_t total_weight) = 0;

    /// Forward only: outputs of the node's samples in order, as bytes of float32 (float64 with that precision).
    virtual std::string predict(const NodeWork& work) = 0;
    /// Shape of one sample's output.
    virtual std::vector<std::int64_t> output_shape() = 0;

    /// All state between steps but the step number: parameters, optimizer slots, statistics, loss scale. Writing into the sections
    /// and then calling `state_changed` replaces it. Sections are the same in number and size on every worker of a job.
    virtual std::vector<StateSection> state() = 0;
    virtual void state_changed() = 0;
    /// The state that the seed gives: step 0.
    virtual void initialise() = 0;

    /// Most bytes of tensors alive at once since the last call, from the allocator; 0 = unknown.
    virtual std::int64_t take_peak_bytes() { return 0; }
};

/// Makes the engine that the job's model needs: `emulated`, or the Torch plug-in. Throws medley::Error when the plug-in is not
/// installed or the device is not there.
std::unique_ptr<Engine> make_engine(const EngineSetup& setup);

/// Devices of this machine that the engines can use, "cpu" always first; and why there is no GPU, if there is none.
struct DeviceFound {
    std::string device;  ///< "cpu", "cuda:0"
    std::string name;
    std::int64_t memory_bytes = 0;
};
struct DevicesFound {
    std::vector<DeviceFound> devices;
    std::string note;
};
DevicesFound find_devices();

}  // namespace medley::executor
