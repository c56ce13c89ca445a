#include "tests/support/locked_engine.h"

#include <mutex>
#include <utility>

namespace medley::test {
namespace {

using namespace executor;

std::mutex computing;

class LockedEngine : public Engine {
 public:
    explicit LockedEngine(std::unique_ptr<Engine> engine) : engine_(std::move(engine)) {}

    std::string device_name() const override { return engine_->device_name(); }
    const std::vector<ReducedTensor>& reduced_tensors() const override { return engine_->reduced_tensors(); }
    std::int64_t samples() const override { return engine_->samples(); }
    void begin_step(const StepContext& context) override {
        const std::lock_guard lock(computing);
        engine_->begin_step(context);
    }
    NodeResult run_node(const NodeWork& work) override {
        const std::lock_guard lock(computing);
        return engine_->run_node(work);
    }
    Buffer reduction() override { return engine_->reduction(); }
    FixedPointStatus fixed_point_status() const override { return engine_->fixed_point_status(); }
    Buffer non_finite_marks() override { return engine_->non_finite_marks(); }
    Applied apply(std::int64_t total_weight) override {
        const std::lock_guard lock(computing);
        return engine_->apply(total_weight);
    }
    std::string predict(const NodeWork& work) override {
        const std::lock_guard lock(computing);
        return engine_->predict(work);
    }
    std::vector<std::int64_t> output_shape() override {
        const std::lock_guard lock(computing);
        return engine_->output_shape();
    }
    std::vector<StateSection> state() override { return engine_->state(); }
    void state_changed() override { engine_->state_changed(); }
    void initialise() override {
        const std::lock_guard lock(computing);
        engine_->initialise();
    }

 private:
    std::unique_ptr<Engine> engine_;
};

}  // namespace

MakeEngine one_at_a_time(MakeEngine make_engine) {
    return [make_engine = std::move(make_engine)](const EngineSetup& setup) -> std::unique_ptr<Engine> {
        return std::make_unique<LockedEngine>(make_engine(setup));
    };
}

}  // namespace medley::test
