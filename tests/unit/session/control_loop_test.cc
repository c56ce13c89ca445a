#include "executor/session/control_loop.h"

#include <csignal>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace medley::executor {
namespace {

TEST(ControlLoop, WorkIsDoneInOrderOnTheLoopsThread) {
    ControlLoop loop;
    std::vector<int> done;
    std::thread other([&] {
        for (int index = 0; index < 100; ++index) {
            loop.post([&done, index] { done.push_back(index); });
        }
        loop.post([&] { loop.stop(); });
    });
    loop.run();
    other.join();
    ASSERT_EQ(done.size(), 100U);
    for (int index = 0; index < 100; ++index) { EXPECT_EQ(done[static_cast<std::size_t>(index)], index); }
}

TEST(ControlLoop, WhatAHandlerThrowsEndsTheRun) {
    ControlLoop loop;
    loop.post([] { throw std::runtime_error("broken"); });
    EXPECT_THROW(loop.run(), std::runtime_error);
}

TEST(ControlLoop, AnAlarmSetAnewCountsForItsLastTimeAlone) {
    ControlLoop loop;
    std::vector<Milliseconds> rung;
    const Milliseconds start = loop.now();
    ControlLoop::Alarm alarm(loop, [&] {
        rung.push_back(loop.now() - start);
        loop.stop();
    });
    alarm.set(start + 5);
    alarm.set(start + 60);
    alarm.set(start + 30);
    loop.run();
    ASSERT_EQ(rung.size(), 1U);
    EXPECT_GE(rung[0], 30);
}

TEST(ControlLoop, AnAlarmMayBePutForward) {
    ControlLoop loop;
    int rung = 0;
    ControlLoop::Alarm never(loop, [&] { FAIL(); });
    ControlLoop::Alarm alarm(loop, [&] {
        ++rung;
        loop.stop();
    });
    never.set(loop.now() + 1);
    never.cancel();
    alarm.set(loop.now() + 1000000);
    alarm.set(loop.now() + 20);
    loop.run();
    EXPECT_EQ(rung, 1);
}

TEST(ControlLoop, AnAlarmCanBeSetFromItsOwnHandler) {
    ControlLoop loop;
    int rung = 0;
    ControlLoop::Alarm* self = nullptr;
    ControlLoop::Alarm alarm(loop, [&] { ++rung < 5 ? self->set(loop.now() + 1) : loop.stop(); });
    self = &alarm;
    alarm.set(loop.now());
    loop.run();
    EXPECT_EQ(rung, 5);
}

TEST(ControlLoop, SignalsCallTheirHandler) {
    ControlLoop loop;
    std::vector<int> heard;
    loop.on_signals({SIGUSR1, SIGUSR2}, [&](int signal) {
        heard.push_back(signal);
        heard.size() == 1 ? static_cast<void>(std::raise(SIGUSR2)) : loop.stop();
    });
    loop.post([] { std::raise(SIGUSR1); });
    loop.run();
    EXPECT_EQ(heard, (std::vector<int>{SIGUSR1, SIGUSR2}));
}

}  // namespace
}  // namespace medley::executor
