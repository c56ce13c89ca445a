#pragma once
/// What is to be trained or run forward: the contents of a job file (docs/formats.md), beside the plan.
///
/// A job and the list of virtual nodes together fix the result; the devices do not.

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/units.h"

namespace medley {

/// Fully connected layers with ReLU between them.
struct MlpModel {
    std::int64_t inputs = 32;
    std::vector<std::int64_t> hidden = {64, 64};
    std::int64_t outputs = 10;
    double dropout = 0;
};
/// Convolutions with batch normalisation and pooling, then one linear layer; images are channels x size x size.
struct CnnModel {
    std::int64_t channels = 3;
    std::int64_t size = 32;
    std::vector<std::int64_t> filters = {16, 32};
    std::int64_t classes = 10;
    bool batch_norm = true;
    double dropout = 0;
};
/// He et al. 2016; `depth` is 18 or 50.
struct ResnetModel {
    int depth = 18;
    std::int64_t size = 32;
    std::int64_t classes = 10;
};
/// A decoder-only transformer over token sequences, trained to predict the next token.
struct GptModel {
    std::int64_t vocabulary = 256;
    std::int64_t sequence = 64;
    std::int64_t layers = 2;
    std::int64_t hidden = 128;
    std::int64_t heads = 4;
    double dropout = 0;
};
/// A TorchScript file: `forward(input)` gives what the loss takes.
struct TorchScriptModel {
    std::string file;
    std::vector<std::int64_t> input_shape;  ///< of one sample, for synthetic data
    std::int64_t classes = 10;
    bool token_inputs = false;  ///< inputs are whole numbers below `classes` (a language model)
};
/// No arithmetic: a virtual node sleeps for its profiled time and gives integer "gradients" that depend on step and virtual node alone.
struct EmulatedModel {
    std::string profile;            ///< model whose profile gives the seconds; empty = `seconds_per_sample`
    double seconds_per_sample = 0;  ///< on a device of speed 1
    /// The profile's numbers, where one is named: for each GPU type the seconds of one virtual node by its size, ascending.
    std::vector<std::pair<std::string, std::vector<std::pair<std::int64_t, double>>>> seconds;
    double time_scale = 1;           ///< emulated seconds are multiplied by this
    std::int64_t parameters = 1024;  ///< whole numbers of state
};
using ModelSpec = std::variant<MlpModel, CnnModel, ResnetModel, GptModel, TorchScriptModel, EmulatedModel>;

/// Seeded random samples with a structure that can be learned.
struct SyntheticData {
    std::int64_t samples = 1024;
    /// Token sequences of unequal length (a quarter to the whole of the model's `sequence`): weights are tokens, not samples.
    bool ragged = false;
    double label_skew = 0;  ///< 0 = labels in random order; 1 = sorted by label
};
/// Arrays in NumPy's format (.npy): `inputs` and `targets` share their first dimension.
struct ArrayData {
    std::string inputs;
    std::string targets;  ///< empty for inference
};
/// One long array of token numbers (.npy), cut into sequences of the model's length.
struct TokenData {
    std::string tokens;
};
using DataSpec = std::variant<SyntheticData, ArrayData, TokenData>;

enum class OptimizerKind { kSgd, kAdam, kAdamW };
struct OptimizerSpec {
    OptimizerKind kind = OptimizerKind::kSgd;
    double learning_rate = 0.01;
    double momentum = 0;  ///< sgd
    bool nesterov = false;
    double beta1 = 0.9;  ///< adam, adamw
    double beta2 = 0.999;
    double epsilon = 1e-8;
    double weight_decay = 0;
    double clip_norm = 0;  ///< largest global gradient norm; 0 = no clipping
};
enum class ScheduleKind { kConstant, kLinear, kCosine };
/// The learning rate over steps: linear warm-up, then constant, or falling to `final_fraction` at the last step.
struct ScheduleSpec {
    ScheduleKind kind = ScheduleKind::kConstant;
    std::int64_t warmup_steps = 0;
    double final_fraction = 0;
};

enum class Precision { kFp32, kFp64, kBf16, kFp16 };
enum class LossKind { kCrossEntropy, kMeanSquaredError };

struct CheckpointSpec {
    std::int64_t every_steps = 0;  ///< 0 = only at the end of a run and when a run is stopped
    int keep = 2;
};

struct TrainingJob {
    std::string name;
    ModelSpec model;
    DataSpec data;
    OptimizerSpec optimizer;
    ScheduleSpec schedule;
    LossKind loss = LossKind::kCrossEntropy;
    Precision precision = Precision::kFp32;
    double loss_scale = 1;  ///< 0 = dynamic (for fp16)
    std::int64_t steps = 100;
    std::uint64_t seed = 0;
    CheckpointSpec checkpoint;

    /// Throws medley::Error naming the field as it stands in a job file, the value and what was expected.
    void validate() const;
};

/// The model's type as job files and profiles name it: mlp, cnn, resnet18, gpt, torchscript, emulated.
std::string model_type(const ModelSpec& model);

}  // namespace medley
