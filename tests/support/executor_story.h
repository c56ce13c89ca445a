#pragma once
/// Messages and records in a few words, for the story of a schedule.

#include <string>

#include "executor/coordinator/records.h"

namespace medley::executor::test {

std::string in_words(const Message& message);
std::string in_words(const Record& record);

}  // namespace medley::executor::test
