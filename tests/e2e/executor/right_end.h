#pragma once
/// How a run with real processes is to end, whatever was done to it.

#include <gtest/gtest.h>

#include "tests/support/real_run.h"

namespace medley::test {

/// The coordinator ends by itself with the closed form's digest, and leaves no process, lock or port.
inline void expect_right_end(RealRun& run) {
    EXPECT_EQ(run.wait(), 0);
    EXPECT_EQ(run.digest(), run.job().digest());
    EXPECT_EQ(run.left_behind(), "");
}

}  // namespace medley::test
