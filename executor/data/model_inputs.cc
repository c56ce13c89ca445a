#include "executor/data/model_inputs.h"

#include <variant>

namespace medley::executor {
namespace {

struct Describe {
    ModelInputs operator()(const MlpModel& model) const { return {.shape = {model.inputs}, .outputs = model.outputs}; }
    ModelInputs operator()(const CnnModel& model) const {
        return {.shape = {model.channels, model.size, model.size}, .outputs = model.classes};
    }
    ModelInputs operator()(const ResnetModel& model) const { return {.shape = {3, model.size, model.size}, .outputs = model.classes}; }
    ModelInputs operator()(const GptModel& model) const { return {.shape = {model.sequence}, .tokens = true, .outputs = model.vocabulary}; }
    ModelInputs operator()(const TorchScriptModel& model) const {
        return {.shape = model.input_shape, .tokens = model.token_inputs, .outputs = model.classes};
    }
    ModelInputs operator()(const EmulatedModel&) const { return {.shape = {1}}; }
};

}  // namespace

std::int64_t ModelInputs::elements() const {
    std::int64_t product = 1;
    for (const std::int64_t extent : shape) { product *= extent; }
    return product;
}

ModelInputs inputs_of(const ModelSpec& model) { return std::visit(Describe{}, model); }

}  // namespace medley::executor
