#include "executor/engines/engine.h"

#include <unistd.h>

#include <fstream>

#include <fmt/format.h>

#include "core/error.h"
#include "executor/engines/emulated/emulated_engine.h"
#include "executor/engines/torch_plugin.h"
#include "executor/plugins/plugin.h"

namespace medley::executor {
namespace {

constexpr const char* kTorch = "torch";

std::string processor_name() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        const std::size_t colon = line.find(": ");
        if (line.starts_with("model name") && colon != std::string::npos) { return line.substr(colon + 2); }
    }
    return "CPU";
}

DeviceFound processor() {
    const auto pages = static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES));
    return {.device = "cpu", .name = processor_name(), .memory_bytes = pages * static_cast<std::int64_t>(sysconf(_SC_PAGESIZE))};
}

std::unique_ptr<Engine> make_torch_engine(const EngineSetup& setup) {
    if (setup.device == "emulated") {
        throw Error(fmt::format("a model of type {} computes for real and cannot run on an emulated device; model type 'emulated' can",
                                model_type(setup.job.model)));
    }
    const auto make = reinterpret_cast<MakeTorchEngine>(plugin_symbol(kTorch, "medley_make_torch_engine"));
    return std::unique_ptr<Engine>(make(setup));
}

}  // namespace

std::unique_ptr<Engine> make_engine(const EngineSetup& setup) {
    if (std::holds_alternative<EmulatedModel>(setup.job.model)) { return make_emulated_engine(setup); }
    return make_torch_engine(setup);
}

DevicesFound find_devices() {
    DevicesFound found{.devices = {processor()}};
    if (const auto problem = plugin_problem(kTorch)) {
        found.note = "no GPU: " + *problem;
        return found;
    }
    reinterpret_cast<FindTorchDevices>(plugin_symbol(kTorch, "medley_find_torch_devices"))(found);
    return found;
}

}  // namespace medley::executor
