#pragma once
/// The parts of executor_world.h: time and processes (executor_world.cc), the network (executor_network.cc), coordinators with their log
/// (executor_coordinators.cc), training (executor_training.cc) and what goes wrong when (executor_faults.cc).

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <queue>
#include <set>
#include <vector>

#include "core/rng.h"
#include "executor/coordinator/coordinator.h"
#include "executor/worker/worker.h"
#include "tests/support/executor_world.h"

namespace medley::executor::test {

using Action = std::function<void()>;
inline constexpr std::size_t kNobody = static_cast<std::size_t>(-1);
inline constexpr Milliseconds kForever = 1'000'000'000;

/// Thrown at the first breach.
struct Breach {
    std::string what;
};

/// What hangs keeps its inputs for later; what is dead gets none.
struct Process {
    bool alive = true;
    bool hung = false;
    std::deque<Action> deferred;
};

enum class Stage : std::uint8_t { kIdle, kMeeting, kMet, kComputing, kReducing };

struct WorkerProcess : Process {
    WorkerNumber number = 0;
    std::unique_ptr<Worker> machine;
    std::size_t connection = kNobody;
    std::uint64_t connect_order = 0;  ///< newest ConnectAt counts
    std::uint64_t tick_order = 0;
    Milliseconds unreachable_until = 0;

    Stage stage = Stage::kIdle;
    Generation generation = 0;
    std::uint32_t rank = 0;
    std::uint64_t run = 0;  ///< of the trainer; reports of an earlier one are void
    bool pause_wanted = false;
    Step step = kNoState;
    std::uint64_t chain = 0;  ///< which steps were applied, in order
};

struct CoordinatorProcess : Process {
    std::unique_ptr<Coordinator> machine;
    bool replaced = false;  ///< the log belongs to a later one
    std::map<WorkerNumber, std::size_t> connections;
    std::uint64_t wake_order = 0;
    int commands_to_live = -1;  ///< then it crashes; negative = forever
};

struct Connection {
    std::size_t worker = 0;
    std::size_t coordinator = 0;
    bool up = true;
    Milliseconds to_worker_at = 0;  ///< when the last message arrives: order is kept
    Milliseconds to_coordinator_at = 0;
    Milliseconds delivers_until = kForever;
};

struct ModelGeneration {
    Form form;
    std::vector<std::size_t> members;  ///< process by rank
    std::size_t met = 0;
    std::size_t reducing = 0;
    bool broken = false;
};

class World {
 public:
    explicit World(const WorldOptions& options);
    WorldResult run();

 private:
    // ---- time (executor_world.cc)
    void at(Milliseconds time, Action action);
    void after(Milliseconds delay, Action action) { at(now_ + delay, std::move(action)); }
    Milliseconds delay() { return random_.chance(0.05) ? random_.between(5, 60) : random_.between(0, 3); }
    void run_events();
    void give(Process& process, Action action);
    void resume(Process& process);
    [[noreturn]] void breach(std::string what) const { throw Breach{std::move(what)}; }
    void check(bool holds, const char* what) const {
        if (!holds) { breach(what); }
    }
    void note(const std::string& what);
    void count(const char* fault) { ++result_.faults[fault]; }
    WorkerProcess* process_of(WorkerNumber number);

    // ---- workers (executor_world.cc)
    void start_worker(WorkerNumber number);
    void tell_worker(std::size_t index, const WorkerInput& input);
    void obey(std::size_t index, const WorkerCommand& command);
    void connect(std::size_t index);
    void kill(std::size_t index, const char* how);
    void stop_worker_process(std::size_t index, const std::string& how);

    // ---- network (executor_network.cc)
    std::size_t reachable_coordinator(const WorkerProcess& worker);
    void open_connection(std::size_t worker, std::size_t coordinator);
    void send_to_worker(std::size_t connection, Message message);
    void send_to_coordinator(std::size_t connection, Message message);
    void arrive_at_worker(std::size_t connection, const Message& message);
    void arrive_at_coordinator(std::size_t connection, const Message& message);
    void note_message(const char* direction, WorkerNumber worker, const Message& message);
    void cut(std::size_t connection);
    void notice_at_worker(std::size_t connection);
    void notice_at_coordinator(std::size_t connection);

    // ---- coordinators (executor_coordinators.cc)
    CoordinatorOptions coordinator_options() const;
    void start_coordinator();
    void tell_coordinator(std::size_t index, const CoordinatorInput& input);
    void check_fence(const CoordinatorInput& input, const std::vector<CoordinatorCommand>& commands) const;
    void obey(std::size_t index, const std::vector<CoordinatorCommand>& commands);
    void obey(std::size_t index, const CoordinatorCommand& command);
    void carry_out(std::size_t index, const AppendRecord& command);
    void carry_out(std::size_t index, const SendToWorker& command);
    void carry_out(std::size_t index, const LaunchWorker& command);
    void carry_out(std::size_t index, const KillWorker& command);
    void carry_out(std::size_t index, const AnswerOperator& command);
    void carry_out(std::size_t index, const WakeAtTime& command);
    void carry_out(std::size_t index, const Announce&);
    void carry_out(std::size_t index, const RunEnded& command);
    void crash_coordinator(std::size_t index);
    void cut_log();
    void learn(const Record& record);
    void check_generation(const GenerationRecord& record);
    void check_placement(const GenerationRecord& record) const;
    void check_form(const Form& form);
    void corrupt(std::vector<CoordinatorCommand>& commands);
    void corrupt(AppendRecord& append);
    template <class Start>
    void start_from_lowest(Start& start);
    void forge_stopped(std::size_t index, WorkerNumber worker, Generation generation);
    std::size_t newest_coordinator() const;

    // ---- training (executor_training.cc)
    void start_generation(std::size_t index, const Form& form, std::uint32_t rank);
    void offer(std::size_t index, std::uint32_t round);
    void deliver_offers(std::size_t index, const Offers& offers);
    void hand_over_state(Generation generation);
    void receive_state(std::size_t index, const ModelGeneration& generation, Step step, std::uint64_t chain);
    void compute(std::size_t index);
    void reduce(Generation generation);
    void step_done(std::size_t index, bool pausing);
    void finish(std::size_t index);
    void trainer_stops(std::size_t index, StopCause cause, std::string digest = {});
    void leave(std::size_t index, bool broken);
    void break_generation(Generation generation);
    void fail_later(std::size_t index, Milliseconds delay);
    void write_checkpoint(std::size_t index, Action then = {});
    void apply_step(WorkerProcess& worker);
    bool in_run(std::size_t index, std::uint64_t run) const { return workers_[index]->alive && workers_[index]->run == run; }
    void trainer_later(std::size_t index, Milliseconds delay, Action action);

    // ---- faults (executor_faults.cc)
    void draw_setup();
    Placement random_placement();
    void plan_faults();
    void fault();
    void hang_worker();
    void hang_coordinator();
    void crash();
    void ask(Message message);
    std::size_t some_worker();
    Milliseconds fault_gap() { return random_.between(0, 250); }

    void check_the_end();

    struct Scheduled {
        Milliseconds time;
        std::uint64_t order;
        std::uint32_t action;
        bool operator>(const Scheduled& other) const { return time != other.time ? time > other.time : order > other.order; }
    };

    WorldOptions options_;
    Rng random_;
    WorldResult result_;
    Milliseconds now_ = 0;
    std::uint64_t order_ = 0;
    std::priority_queue<Scheduled, std::vector<Scheduled>, std::greater<>> queue_;
    std::vector<Action> actions_;
    std::vector<std::uint32_t> free_actions_;

    std::vector<std::unique_ptr<WorkerProcess>> workers_;
    std::vector<std::unique_ptr<CoordinatorProcess>> coordinators_;
    std::vector<Connection> connections_;
    std::map<Generation, ModelGeneration> generations_;
    std::map<Step, std::uint64_t> checkpoints_;
    std::vector<std::uint64_t> chains_;  ///< the true one after each step

    RunSetup setup_;
    Placement placement_;
    std::vector<std::pair<Step, Placement>> planned_;
    std::uint32_t rounds_ = 1;
    bool local_ = true;  ///< processes can be killed, and their end is seen
    double break_chance_ = 0;
    double bad_launch_chance_ = 0;
    double bad_checkpoint_chance_ = 0;
    int faults_left_ = 0;
    Milliseconds last_fault_ = 0;

    std::vector<Record> log_;
    std::size_t durable_ = 0;
    std::set<WorkerNumber> lost_;  ///< by the log
    Generation last_generation_ = 0;
    Generation durable_generation_ = 0;
    WorkerNumber last_launched_ = 0;
    Term last_term_ = 0;
    std::set<std::uint64_t> unanswered_;
    std::uint64_t requests_ = 0;
    bool over_ = false;
    bool stop_asked_ = false;
};

}  // namespace medley::executor::test
