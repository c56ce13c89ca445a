#include "io/results/log_fields.h"

#include <limits>

#include "core/error.h"

namespace medley::io {
namespace {

// A little less than SimTime holds, so that spans of time can be rounded up without overflow.
constexpr std::int64_t kLatestNanoseconds = 8'500'000'000'000'000'000;

std::int64_t whole_value(const std::string& key, const LogJson& value) {
    if (!value.is_number_integer()) { refuse_value(key, value.dump(), "a whole number"); }
    return value.get<std::int64_t>();
}

}  // namespace

LogFields::LogFields(const LogJson& object) : object_(object) {
    if (!object.is_object()) { refuse_value("", object.dump(), "one JSON object a line"); }
}

const LogJson& LogFields::at(const char* key) const {
    const auto found = object_.find(key);
    if (found == object_.end()) { refuse_value(key, "nothing", "this field"); }
    return *found;
}

double LogFields::number(const char* key) const {
    const LogJson& value = at(key);
    if (!value.is_number()) { refuse_value(key, value.dump(), "a number"); }
    return value.get<double>();
}

std::optional<double> LogFields::optional_number(const char* key) const {
    if (!has(key) || at(key).is_null()) { return std::nullopt; }
    return number(key);
}

std::int64_t LogFields::whole(const char* key) const { return whole_value(key, at(key)); }

int LogFields::count(const char* key) const { return count_value(key, at(key)); }

std::string LogFields::text(const char* key) const {
    const LogJson& value = at(key);
    if (!value.is_string()) { refuse_value(key, value.dump(), "a text"); }
    return value.get<std::string>();
}

bool LogFields::truth(const char* key) const {
    const LogJson& value = at(key);
    if (!value.is_boolean()) { refuse_value(key, value.dump(), "true or false"); }
    return value.get<bool>();
}

SimTime LogFields::time(const char* key) const {
    const std::int64_t nanoseconds = whole(key);
    if (nanoseconds < 0 || nanoseconds > kLatestNanoseconds) {
        refuse_value(key, std::to_string(nanoseconds), "a time from 0 to 8.5e18 ns (269 years)");
    }
    return SimTime{nanoseconds};
}

int LogFields::count_value(const std::string& key, const LogJson& value) {
    const std::int64_t number = whole_value(key, value);
    if (number < 0 || number > std::numeric_limits<int>::max()) { refuse_value(key, value.dump(), "a count of GPUs"); }
    return static_cast<int>(number);
}

}  // namespace medley::io
