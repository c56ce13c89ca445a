#pragma once
/// The figures of one run, for people.

#include <string>

#include "sched/metrics.h"

namespace medley::cli {

/// Key figures with units, the ledger in per cent, and where the files are (`out` empty = nowhere).
std::string describe(const Summary& summary, const std::string& out);

}  // namespace medley::cli
