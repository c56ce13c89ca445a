#include "executor/session/operator_client.h"

#include <optional>

#include "core/error.h"
#include "executor/session/control_client.h"
#include "executor/session/control_loop.h"
#include "executor/session/run_folder.h"

namespace medley::executor {
namespace {

constexpr Milliseconds kDeadline = 5000;

Error no_coordinator(const std::filesystem::path& directory, const std::string& reason) {
    return Error(Problem{.file = directory.string(), .message = "no coordinator answers: " + reason});
}

}  // namespace

Message ask_coordinator(const std::filesystem::path& directory, const Message& request) {
    if (!std::filesystem::exists(directory / "endpoint")) { throw no_coordinator(directory, "no run was started here"); }
    const Endpoint endpoint = read_endpoint(directory);
    const Secret secret = read_secret(directory);
    ControlLoop loop;
    std::optional<Message> answer;
    std::string problem = "nothing came within five seconds";
    const auto give_up = [&](const std::string& reason) {
        problem = reason;
        loop.stop();
    };
    ControlClient* connection = nullptr;
    ControlClient client(loop, Role::kOperator,
                         {.connected = [&] { connection->send(request); },
                          .failed = give_up,
                          .received =
                              [&](Message message) {
                                  answer = std::move(message);
                                  loop.stop();
                              },
                          .closed = [&] { give_up("it closed the connection"); }});
    connection = &client;
    ControlLoop::Alarm deadline(loop, [&] { loop.stop(); });
    deadline.set(loop.now() + kDeadline);
    client.connect(endpoint, secret, kDeadline);
    loop.run();
    if (!answer) { throw no_coordinator(directory, problem); }
    return *answer;
}

}  // namespace medley::executor
