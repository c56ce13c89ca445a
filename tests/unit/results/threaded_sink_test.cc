#include "io/results/threaded_sink.h"

#include <gtest/gtest.h>

#include "core/error.h"

namespace medley::io {
namespace {

/// Keeps the ids it was shown; throws at the record with this number.
class Collector : public EventSink {
 public:
    explicit Collector(std::size_t throw_at = 0) : throw_at_(throw_at) {}
    void record(const LogRecord& record) override {
        if (++seen_ == throw_at_) { throw Error("disk full"); }
        if (const auto* submit = std::get_if<SubmitRecord>(&record)) { ids_.emplace_back(submit->id); }
    }
    std::size_t seen() const { return seen_; }
    const std::vector<std::string>& ids() const { return ids_; }

 private:
    std::size_t throw_at_;
    std::size_t seen_ = 0;
    std::vector<std::string> ids_;
};

void submit(EventSink& sink, std::size_t job) {
    const std::string id = "a job with a long name that no small string holds, number " + std::to_string(job);
    sink.record(SubmitRecord{.time = SimTime{0}, .job = JobId(job), .id = id});
}

TEST(ThreadedSink, DeliversEverythingInOrderWithItsTexts) {
    Collector collector;
    ThreadedSink sink(collector);
    for (std::size_t job = 0; job < 100'000; ++job) { submit(sink, job); }
    sink.finish();
    ASSERT_EQ(collector.ids().size(), 100'000U);
    for (std::size_t job = 0; job < 100'000; ++job) { ASSERT_TRUE(collector.ids()[job].ends_with("number " + std::to_string(job))); }
}

TEST(ThreadedSink, DeliversALogSmallerThanOneBatch) {
    Collector collector;
    ThreadedSink sink(collector);
    submit(sink, 0);
    sink.finish();
    EXPECT_EQ(collector.seen(), 1U);
}

TEST(ThreadedSink, PassesOnWhatTheOtherSinkThrew) {
    Collector collector(5000);
    ThreadedSink sink(collector);
    EXPECT_THROW(
        {
            for (std::size_t job = 0; job < 1'000'000; ++job) { submit(sink, job); }
            sink.finish();
        },
        Error);
    EXPECT_EQ(collector.seen(), 5000U);
}

TEST(ThreadedSink, PassesOnAFailureInTheLastBatch) {
    Collector collector(1);
    ThreadedSink sink(collector);
    submit(sink, 0);
    EXPECT_THROW(sink.finish(), Error);
}

TEST(ThreadedSink, StopsWithoutFinish) {
    Collector collector;
    {
        ThreadedSink sink(collector);
        submit(sink, 0);
    }
    EXPECT_EQ(collector.seen(), 0U);
}

}  // namespace
}  // namespace medley::io
