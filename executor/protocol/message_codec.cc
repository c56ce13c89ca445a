#include "executor/protocol/message_codec.h"

#include "executor/protocol/message_fields.h"

namespace medley::executor {

std::string encode_message(const Message& message) { return encode(message); }

std::optional<Message> decode_message(std::string_view bytes) { return decode<Message>(bytes); }

std::string encode_setup(const RunSetup& setup, const Placement& placement) {
    Writer writer;
    writer(setup, placement);
    return writer.take();
}

std::optional<std::pair<RunSetup, Placement>> decode_setup(std::string_view bytes) { return decode<std::pair<RunSetup, Placement>>(bytes); }

}  // namespace medley::executor
