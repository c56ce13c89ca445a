/// Inputs that are wrong: one clear line, exit code 2, nothing written.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fmt/format.h>

#include "tests/e2e/cli/program.h"

namespace medley::test {
namespace {

using testing::HasSubstr;

class BadInput : public testing::Test {
 protected:
    /// Simulates with one file replaced; results would go to a folder that must not appear.
    Outcome simulate(const std::string& option, const std::string& file) {
        Arguments arguments{"simulate", "--policy", "fifo", "--out", out()};
        for (const auto& [name, usual] :
             {std::pair<std::string, std::string>{"--cluster", kCluster}, {"--trace", kTrace}, {"--profiles", kProfiles}}) {
            arguments.push_back(name);
            arguments.push_back(name == option ? file : usual);
        }
        if (option == "--availability") { arguments.insert(arguments.end(), {option, file}); }
        return medley(arguments);
    }

    void expect_refusal(const std::string& option, const std::string& file, const std::string& expected) {
        const Outcome outcome = simulate(option, file);
        EXPECT_TRUE(outcome.is_one_line_refusal()) << option << ' ' << outcome.exit_code << outcome.out << outcome.error;
        EXPECT_THAT(outcome.error, HasSubstr(file));
        EXPECT_THAT(outcome.error, HasSubstr(expected));
        EXPECT_FALSE(std::filesystem::exists(out())) << "nothing may be left behind";
    }
    void expect_refusal_of_text(const std::string& option, const std::string& text, const std::string& expected) {
        expect_refusal(option, write_file(folder_, "input", text), expected);
    }
    std::string out() const { return (folder_ / "results").string(); }

    TemporaryFolder folder_;
};

TEST_F(BadInput, FilesThatCannotBeRead) {
    for (const std::string option : {"--cluster", "--trace", "--availability"}) {
        expect_refusal(option, (folder_ / "absent").string(), "No such file");
        expect_refusal(option, folder_.path().string(), "is a directory");
    }
    expect_refusal("--profiles", (folder_ / "absent").string(), "");
}

TEST_F(BadInput, FilesThatMayNotBeRead) {
    if (::geteuid() == 0) { GTEST_SKIP() << "root may read anything"; }
    const std::string file = write_file(folder_, "secret", "x");
    std::filesystem::permissions(file, std::filesystem::perms::none);
    for (const std::string option : {"--cluster", "--trace"}) { expect_refusal(option, file, "Permission denied"); }
}

TEST_F(BadInput, EmptyAndTruncatedFiles) {
    expect_refusal_of_text("--cluster", "", "");
    expect_refusal_of_text("--trace", "", "header");
    expect_refusal_of_text("--cluster", "gpu_types: {V100: {memory_gib: 16", "line 1");
    expect_refusal_of_text("--trace", "job_id,submit_s,gpus,duration_s\n1,0,1\n", "line 2");
    expect_refusal_of_text("--trace", "job_id,submit_s,gpus,duration_s\n\"1,0,1,5\n", "line 2");
    expect_refusal_of_text("--trace", std::string("\x1f\x8b\x08\x00\x00", 5), "");
}

TEST_F(BadInput, NumbersOfTheWrongKind) {
    for (const char* gpus : {"-1", "0", "nan", "1.5", "x", "1000000000000000000", ""}) {
        expect_refusal_of_text("--trace", fmt::format("job_id,submit_s,gpus,duration_s\n1,0,{},5\n", gpus), "line 2, column gpus");
    }
    for (const char* duration : {"-1", "nan", "inf", "x", "1000000000000000000"}) {
        expect_refusal_of_text("--trace", fmt::format("job_id,submit_s,gpus,duration_s\n1,0,1,{}\n", duration),
                               "line 2, column duration_s");
    }
    for (const char* gpus : {"-1", "0", "nan", "x", "1000000000000000000", "[1]"}) {
        expect_refusal_of_text("--cluster", fmt::format("gpu_types: {{V100: {{}}}}\nnodes: [{{gpu: V100, gpus: {}}}]\n", gpus),
                               "nodes[0].gpus");
    }
}

TEST_F(BadInput, ThingsNamedTwiceOrNotAtAll) {
    expect_refusal_of_text("--trace", "job_id,submit_s,gpus,duration_s\n1,0,1,5\n1,0,1,5\n", "1");
    expect_refusal_of_text("--trace", "job_id,submit_s,gpus,duration_s,gpus\n1,0,1,5,2\n", "gpus");
    expect_refusal_of_text("--trace", "job_id,submit_s,gpus\n1,0,1\n", "duration_s");
    expect_refusal_of_text("--trace", "job_id,submit_s,gpus,duration_s,gpu_types\n1,0,1,5,V10\n", "V100");
    expect_refusal_of_text("--trace", "job_id,submit_s,gpus,model,batch_size,steps\n1,0,1,resnet51,64,5\n", "resnet50");
    expect_refusal_of_text("--cluster", "gpu_types: {V100: {}}\nnodes: [{gpu: V10, gpus: 1}]\n", "V100");
    expect_refusal_of_text("--cluster", "gpu_types: {V100: {memroy_gib: 16}}\nnodes: [{gpu: V100, gpus: 1}]\n", "memory_gib");
    expect_refusal_of_text("--availability", "time_s,gpu_type_or_node,delta\n0,V10,-1\n", "V100");
    expect_refusal_of_text("--availability", "time_s,gpu_type_or_node,delta\n0,V100,-9\n", "");
}

TEST_F(BadInput, AGangLargerThanThePoolNeedsToBeTold) {
    const std::string text = "job_id,submit_s,gpus,duration_s\n1,0,9,5\n2,0,1,5\n";
    expect_refusal_of_text("--trace", text, "--over-wide reject|clamp");
    const std::string file = write_file(folder_, "wide.csv", text);
    const Outcome rejected =
        medley({"simulate", "--cluster", kCluster, "--trace", file, "--policy", "fifo", "--over-wide", "reject", "--json"});
    EXPECT_EQ(rejected.exit_code, 0);
    EXPECT_THAT(rejected.out, HasSubstr("\"jobs_rejected\": 1"));
    const Outcome clamped =
        medley({"simulate", "--cluster", kCluster, "--trace", file, "--policy", "fifo", "--over-wide", "clamp", "--json"});
    EXPECT_EQ(clamped.exit_code, 0);
    EXPECT_THAT(clamped.out, HasSubstr("\"jobs_completed\": 2"));
}

// 20 GB of weights on GPUs of 16 GiB: no profiled size fits, so the job can never run.
TEST_F(BadInput, AJobThatNoTypeCanRunIsFoundBeforeItIsRejected) {
    const std::string profiles = (folder_ / "profiles").string();
    std::filesystem::create_directory(profiles);
    std::ofstream(folder_ / "profiles" / "big.yaml") << "model: big\nstate_bytes: 2e10\ngpus: {A: [{batch: 8, seconds: 1}]}\n";
    const std::string cluster = write_file(folder_, "c.yaml", "gpu_types: {A: {memory_gib: 16}}\nnodes: [{gpu: A, gpus: 4}]\n");
    const std::string trace = write_file(folder_, "t.csv", "job_id,submit_s,gpus,model,batch_size,steps,depends_on\nx,0,1,big,8,5,\n");
    const Arguments inputs{"--cluster", cluster, "--profiles", profiles};
    const auto with_inputs = [&](Arguments arguments) {
        arguments.insert(arguments.end(), inputs.begin(), inputs.end());
        return medley(arguments);
    };
    for (const Outcome& outcome :
         {with_inputs({"trace", "validate", trace}), with_inputs({"simulate", "--trace", trace, "--policy", "fifo"})}) {
        EXPECT_TRUE(outcome.is_one_line_refusal()) << outcome.error;
        EXPECT_THAT(outcome.error, HasSubstr("t.csv: job x, model: found 'big'"));
        EXPECT_THAT(outcome.error, HasSubstr("no profiled size fits its memory"));
    }
    for (const Arguments& arguments : {Arguments{"simulate", "--trace", trace, "--policy", "fifo", "--over-wide", "reject"},
                                       Arguments{"compare", "--trace", trace, "--policies", "fifo", "--over-wide", "reject"}}) {
        const Outcome rejected = with_inputs(arguments);
        EXPECT_EQ(rejected.exit_code, 0) << rejected.error;
        EXPECT_THAT(rejected.error, HasSubstr("note: 1 job rejected (job x: no allowed GPU type can hold or run it)"));
    }
}

TEST_F(BadInput, CarriageReturnsAndAByteOrderMarkAreNoFault) {
    const std::string plain = write_file(folder_, "plain.csv", "job_id,submit_s,gpus,duration_s\n1,0,1,5\n2,1,1,5\n");
    const std::string windows = write_file(folder_, "windows.csv", "\xEF\xBB\xBFjob_id,submit_s,gpus,duration_s\r\n1,0,1,5\r\n2,1,1,5\r\n");
    const auto exported = [](const std::string& file) { return medley({"trace", "export", file}).out; };
    EXPECT_EQ(exported(plain), exported(windows));
    EXPECT_FALSE(exported(plain).empty());
}

TEST_F(BadInput, OutputsThatCannotBeWritten) {
    const std::string file = write_file(folder_, "file", "");
    for (const Arguments& arguments :
         {simulate_command("fifo", {"--out", file}), Arguments{"trace", "export", kTrace, "-o", "/dev/full"},
          Arguments{"trace", "export", kTrace, "-o", folder_.path().string()},
          Arguments{"trace", "generate", "-o", (folder_ / "no" / "t").string()},
          Arguments{"compare", "--cluster", kCluster, "--trace", kTrace, "--policies", "fifo", "--out", file}}) {
        const Outcome outcome = medley(arguments);
        EXPECT_TRUE(outcome.is_one_line_refusal()) << outcome.error;
    }
    EXPECT_EQ(folder_.entries(), 1U);
}

}  // namespace
}  // namespace medley::test
