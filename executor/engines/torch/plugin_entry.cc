#include "executor/engines/torch/devices.h"
#include "executor/engines/torch/torch_engine.h"
#include "executor/engines/torch/torch_errors.h"
#include "executor/engines/torch_plugin.h"

// Both as executor/engines/torch_plugin.h says.

extern "C" medley::executor::Engine* medley_make_torch_engine(const medley::executor::EngineSetup& setup) {
    using namespace medley::executor;
    return with_torch_errors([&]() -> Engine* { return new TorchEngine(setup); });
}

extern "C" void medley_find_torch_devices(medley::executor::DevicesFound& found) {
    medley::executor::with_torch_errors([&] { medley::executor::add_gpus(found); });
}
