#include "cli/profile_measurement.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <new>
#include <numeric>

#include <fmt/format.h>

#include "cli/table.h"
#include "core/error.h"

namespace medley::cli {
namespace {

using executor::Engine;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

std::unique_ptr<Engine> engine_for(const MeasurementOptions& options, std::int64_t size) {
    return executor::make_engine({.job = options.job, .virtual_nodes = {size}, .device = options.device, .gpu_type = options.gpu_type});
}

/// The first samples of the data set, from the start again where there are too few.
std::vector<std::int64_t> samples_of(Engine& engine, std::int64_t size) {
    std::vector<std::int64_t> samples(static_cast<std::size_t>(size));
    std::iota(samples.begin(), samples.end(), std::int64_t{0});
    const std::int64_t known = std::max<std::int64_t>(engine.samples(), 1);
    for (std::int64_t& sample : samples) { sample %= known; }
    return samples;
}

class SizeMeter {
 public:
    SizeMeter(const MeasurementOptions& options, std::int64_t size)
        : options_(options), engine_(engine_for(options, size)), samples_(samples_of(*engine_, size)) {
        engine_->take_peak_bytes();
    }

    /// One step by itself, timed in its two parts.
    void step(std::int64_t number) {
        engine_->begin_step({.step = number});
        const std::int64_t before = engine_->take_peak_bytes();  // what is alive now
        const Clock::time_point start = Clock::now();
        const executor::NodeResult result = engine_->run_node({.step = number, .virtual_node = 0, .samples = samples_});
        engine_->reduction();  // waits for a device that works behind
        node_s_.push_back(seconds_since(start));
        peak_ = std::max(peak_, engine_->take_peak_bytes() - before);
        const Clock::time_point update = Clock::now();
        engine_->apply(result.weight);
        update_s_.push_back(seconds_since(update));
    }

    SizeMeasurement result(std::int64_t size) const {
        SizeMeasurement measured{.size = size, .memory_bytes = {}};
        measured.node_s = executor::summarize_settled(node_s_, options_.warm_up);
        measured.update_s = executor::summarize_settled(update_s_, options_.warm_up);
        if (peak_ > 0) { measured.memory_bytes = peak_; }
        return measured;
    }

    Engine& engine() { return *engine_; }

 private:
    const MeasurementOptions& options_;
    std::unique_ptr<Engine> engine_;
    std::vector<std::int64_t> samples_;
    std::vector<double> node_s_, update_s_;
    std::int64_t peak_ = 0;
};

void describe_engine(DeviceMeasurement& device, Engine& engine) {
    device.device_name = engine.device_name();
    device.parameters = device.gradient_bytes = device.state_bytes = 0;
    const auto bytes = static_cast<std::int64_t>(executor::bytes_of(engine.reduction().type));
    for (const executor::ReducedTensor& tensor : engine.reduced_tensors()) {
        const auto elements = static_cast<std::int64_t>(tensor.elements);
        device.gradient_bytes += elements * bytes;
        if (!tensor.statistic) { device.parameters += elements; }
    }
    for (const executor::StateSection& section : engine.state()) { device.state_bytes += static_cast<std::int64_t>(section.bytes.size()); }
}

/// Why no larger size is measured after this one; empty if there is no reason.
std::string limit_met(const MeasurementOptions& options, const SizeMeasurement& measured) {
    if (options.memory_limit_bytes > 0 && measured.memory_bytes.value_or(0) > options.memory_limit_bytes) {
        return fmt::format("size {} needs {}, beyond the limit", measured.size,
                           show_bytes(Bytes{static_cast<double>(*measured.memory_bytes)}));
    }
    if (options.step_limit_s > 0 && measured.node_s.median > options.step_limit_s) {
        return fmt::format("size {} takes {} s, beyond the limit", measured.size, show_number(measured.node_s.median));
    }
    return "";
}

SizeMeasurement measure_size(const MeasurementOptions& options, std::int64_t size, DeviceMeasurement& device,
                             const std::function<void()>& stepped) {
    SizeMeter meter(options, size);
    for (int step = 0; step < options.warm_up + options.steps; ++step) {
        meter.step(step);
        stepped();
    }
    describe_engine(device, meter.engine());
    return meter.result(size);
}

}  // namespace

std::vector<std::int64_t> profiled_sizes(std::int64_t largest) {
    constexpr std::int64_t kFirstMidpoint = 8;
    std::vector<std::int64_t> sizes;
    for (std::int64_t size = 1; size <= largest && size > 0; size *= 2) {
        sizes.push_back(size);
        const std::int64_t midpoint = size + size / 2;
        if (size >= kFirstMidpoint && midpoint <= largest) { sizes.push_back(midpoint); }
    }
    return sizes;
}

DeviceMeasurement measure_device(const MeasurementOptions& options, const std::function<void(std::size_t, std::size_t)>& progress) {
    DeviceMeasurement device{.device = options.device, .device_name = {}, .sizes = {}, .ended = {}};
    const auto steps = static_cast<std::size_t>(options.warm_up + options.steps);
    std::size_t done = 0;
    const auto stepped = [&] { progress(++done, steps * options.sizes.size()); };
    for (const std::int64_t size : options.sizes) {
        try {
            device.sizes.push_back(measure_size(options, size, device, stepped));
        } catch (const Error& error) {
            if (device.sizes.empty()) { throw; }
            device.ended = fmt::format("size {}: {}", size, error.what());
        } catch (const std::bad_alloc&) { device.ended = fmt::format("size {}: out of memory", size); }
        if (device.ended.empty()) { device.ended = limit_met(options, device.sizes.back()); }
        if (!device.ended.empty()) { break; }
    }
    return device;
}

void add_to_profile(Profile& profile, const std::string& type, const DeviceMeasurement& measured) {
    GpuProfile& gpu = profile.gpus[Name(type)];
    std::vector<double> updates_s;
    for (const SizeMeasurement& size : measured.sizes) {
        ProfilePoint point{.batch = Samples{size.size}, .seconds = Seconds{size.node_s.median}, .memory = {}};
        if (size.memory_bytes) { point.memory = Bytes{static_cast<double>(*size.memory_bytes)}; }
        gpu.points.push_back(point);
        updates_s.push_back(size.update_s.median);
    }
    const double update_s = executor::summarize(updates_s).median;
    if (update_s > 0) { gpu.update = Seconds{update_s}; }
    profile.parameters = static_cast<double>(measured.parameters);
    profile.gradient = Bytes{static_cast<double>(measured.gradient_bytes)};
    profile.state = Bytes{static_cast<double>(measured.state_bytes)};
}

}  // namespace medley::cli
