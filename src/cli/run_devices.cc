#include "cli/run_devices.h"

#include <variant>

#include <fmt/format.h>

#include "core/error.h"
#include "executor/engines/engine.h"

namespace medley::cli {
namespace {

std::vector<std::string> gpus_of(const executor::DevicesFound& found) {
    std::vector<std::string> gpus;
    for (const executor::DeviceFound& device : found.devices) {
        if (device.device != "cpu") { gpus.push_back(device.device); }
    }
    return gpus;
}

}  // namespace

DeviceSource::DeviceSource(const TrainingJob& job, const std::string& wanted, const Console& console) {
    if (std::holds_alternative<EmulatedModel>(job.model)) {
        devices_ = {"emulated"};
        return;
    }
    if (wanted != "cpu") {
        const executor::DevicesFound found = executor::find_devices();
        devices_ = gpus_of(found);
        if (!devices_.empty()) { return; }
        const std::string note = found.note.empty() ? "no GPU found" : found.note;
        if (wanted == "cuda") { throw Error(Problem{.place = "--device", .found = "cuda", .expected = "cpu or auto", .message = note}); }
        console.note(fmt::format("note: {}: running on the CPU", note));
    }
    devices_ = {"cpu"};
}

}  // namespace medley::cli
