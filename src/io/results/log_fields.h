#pragma once
/// One line of a JSON Lines file as named fields; every getter refuses what is missing or of another kind, naming the field.

#include <cstdint>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "core/units.h"

namespace medley::io {

using LogJson = nlohmann::ordered_json;

class LogFields {
 public:
    /// Keeps a reference. Throws medley::Error if the value is no object.
    explicit LogFields(const LogJson& object);

    bool has(const char* key) const { return object_.contains(key); }
    const LogJson& at(const char* key) const;
    double number(const char* key) const;
    /// Empty where the field is absent or null.
    std::optional<double> optional_number(const char* key) const;
    std::int64_t whole(const char* key) const;
    /// A number of GPUs.
    int count(const char* key) const;
    std::string text(const char* key) const;
    bool truth(const char* key) const;
    SimTime time(const char* key) const;

    static int count_value(const std::string& key, const LogJson& value);

 private:
    const LogJson& object_;
};

}  // namespace medley::io
