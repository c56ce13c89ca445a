#include "executor/engines/torch/model.h"

#include "core/error.h"
#include "executor/engines/torch/builtin_models.h"
#include "executor/engines/torch/script_model.h"

namespace medley::executor {
namespace {

struct Maker {
    const TrainingJob& job;
    const at::TensorOptions& options;

    LayerMaker layers() const { return {job.seed, options}; }

    Model operator()(const MlpModel& spec) const { return make_mlp(spec, layers()); }
    Model operator()(const CnnModel& spec) const { return make_cnn(spec, layers()); }
    Model operator()(const ResnetModel& spec) const { return make_resnet(spec, layers()); }
    Model operator()(const GptModel& spec) const { return make_gpt(spec, layers()); }
    Model operator()(const TorchScriptModel& spec) const { return make_script_model(spec, options); }
    Model operator()(const EmulatedModel&) const { refuse_value("model.type", "emulated", "a model with arithmetic"); }
};

}  // namespace

Model make_model(const TrainingJob& job, const at::TensorOptions& options) { return std::visit(Maker{job, options}, job.model); }

}  // namespace medley::executor
