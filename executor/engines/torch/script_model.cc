#include "executor/engines/torch/script_model.h"

#include <algorithm>
#include <utility>

#include <torch/script.h>

#include <ATen/Context.h>
#include <torch/csrc/jit/runtime/graph_executor.h>

#include "core/error.h"

namespace medley::executor {
namespace {

torch::jit::Module load(const std::string& file, const at::TensorOptions& options) {
    try {
        return torch::jit::load(file, options.device());
    } catch (const c10::Error& error) {
        throw Error(Problem{.file = file, .expected = "a TorchScript file", .message = error.what_without_backtrace()});
    }
}

// A tensor that stands under two names (tied weights) is one tensor.
void add_once(std::vector<NamedTensor>& to, const std::string& name, const at::Tensor& tensor) {
    const bool known = std::any_of(to.begin(), to.end(), [&](const NamedTensor& other) { return other.tensor.is_same(tensor); });
    if (!known) { to.push_back({name, tensor}); }
}

// Not Module::to, which would turn counters into floating-point numbers too.
void set_precision(const torch::jit::Module& module, const at::TensorOptions& options) {
    const auto convert = [&](at::Tensor tensor) {
        if (tensor.is_floating_point()) { tensor.set_data(tensor.detach().to(options)); }
    };
    for (const at::Tensor& parameter : module.parameters()) { convert(parameter); }
    for (const at::Tensor& buffer : module.buffers()) { convert(buffer); }
}

// Other kinds of buffer (masks, tables of whole numbers) are constants.
bool changes(const at::Tensor& buffer) { return buffer.is_floating_point() || buffer.scalar_type() == at::kLong; }

}  // namespace

Model make_script_model(const TorchScriptModel& spec, const at::TensorOptions& options) {
    torch::jit::setGraphExecutorOptimize(false);
    torch::jit::Module module = load(spec.file, options);
    set_precision(module, options);
    Model model;
    model.mode = std::make_shared<ModelMode>();
    for (const auto& [name, tensor] : module.named_parameters()) {
        if (tensor.requires_grad()) { add_once(model.parameters, name, tensor); }
    }
    for (const auto& [name, tensor] : module.named_buffers()) {
        if (changes(tensor)) { add_once(model.buffers, name, tensor); }
    }
    model.forward = [module](const at::Tensor& inputs) mutable { return module.forward({inputs}).toTensor(); };
    model.set_training = [module](bool training) mutable { module.train(training); };
    model.seed_chance = [](std::uint64_t seed) { at::manual_seed(seed); };
    return model;
}

}  // namespace medley::executor
