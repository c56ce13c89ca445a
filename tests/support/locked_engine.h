#pragma once
/// Engines of one process that compute one at a time.
///
/// A worker is a process of its own. Tests that run workers as threads need this for engines whose libraries may not be entered by two
/// threads at once (a BLAS without locks gives wrong numbers then, now and then).

#include "tests/support/worker_threads.h"

namespace medley::test {

MakeEngine one_at_a_time(MakeEngine make_engine = executor::make_engine);

}  // namespace medley::test
