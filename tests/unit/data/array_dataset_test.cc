#include <sys/stat.h>

#include <fstream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "executor/data/dataset.h"
#include "executor/data/npy.h"
#include "tests/support/temporary_folder.h"

namespace medley::executor {
namespace {

using Shape = std::vector<std::int64_t>;

class ArrayDatasets : public testing::Test {
 protected:
    template <class T>
    std::string array(const std::string& name, NpyType type, const Shape& shape, const std::vector<T>& values) const {
        const std::filesystem::path path = folder_ / name;
        std::ofstream file(path, std::ios::binary);
        file << format_npy_header(type, shape);
        file.write(reinterpret_cast<const char*>(values.data()), static_cast<std::streamsize>(values.size() * sizeof(T)));
        return path.string();
    }
    std::string floats(const std::string& name, const Shape& shape, const std::vector<float>& values) const {
        return array(name, NpyType::kFloat32, shape, values);
    }
    std::string longs(const std::string& name, const Shape& shape, const std::vector<std::int64_t>& values) const {
        return array(name, NpyType::kInt64, shape, values);
    }

    static std::string problem_of(const TrainingJob& job) {
        try {
            make_dataset(job);
            return "none";
        } catch (const Error& error) { return error.what(); }
    }
    static void expect_problem(const TrainingJob& job, const std::string& part) {
        const std::string problem = problem_of(job);
        EXPECT_NE(problem.find(part), std::string::npos) << problem;
    }

    test::TemporaryFolder folder_;
};

TEST_F(ArrayDatasets, GiveInputsAndLabelsByPosition) {
    const TrainingJob job{
        .model = MlpModel{.inputs = 2, .outputs = 3},
        .data = ArrayData{.inputs = floats("x.npy", {3, 2}, {1, 2, 3, 4, 5, 6}), .targets = longs("y.npy", {3}, {0, 2, kIgnoredLabel})}};
    const auto data = make_dataset(job);
    EXPECT_EQ(data->samples(), 3);
    Batch batch;
    data->read(std::vector<std::int64_t>{2, 0}, batch);
    EXPECT_EQ(batch.values, (std::vector<double>{5, 6, 1, 2}));
    EXPECT_EQ(batch.labels, (std::vector<std::int64_t>{kIgnoredLabel, 0}));
    EXPECT_EQ(batch.input_shape, Shape{2});
}

TEST_F(ArrayDatasets, TakeRowsOfAnyShapeOfAsManyElements) {
    const TrainingJob job{.model = CnnModel{.channels = 1, .size = 2, .classes = 2},
                          .data = ArrayData{.inputs = floats("x.npy", {1, 4}, {1, 2, 3, 4}), .targets = longs("y.npy", {1, 1}, {1})}};
    EXPECT_EQ(make_dataset(job)->input_shape(), (Shape{1, 2, 2}));
}

TEST_F(ArrayDatasets, GiveRealTargetsForSquaredErrors) {
    const TrainingJob job{.model = MlpModel{.inputs = 1, .outputs = 2},
                          .data = ArrayData{.inputs = floats("x.npy", {2, 1}, {1, 2}), .targets = floats("y.npy", {2, 2}, {1, 2, 3, 4})},
                          .loss = LossKind::kMeanSquaredError};
    Batch batch;
    make_dataset(job)->read(std::vector<std::int64_t>{1}, batch);
    EXPECT_EQ(batch.real_targets, (std::vector<double>{3, 4}));
    EXPECT_TRUE(batch.labels.empty());
}

TEST_F(ArrayDatasets, NeedNoTargetsForInference) {
    const TrainingJob job{.model = MlpModel{.inputs = 1}, .data = ArrayData{.inputs = floats("x.npy", {2, 1}, {1, 2})}};
    Batch batch;
    make_dataset(job)->read(std::vector<std::int64_t>{1}, batch);
    EXPECT_TRUE(batch.labels.empty() && batch.real_targets.empty());
}

TEST_F(ArrayDatasets, CutALongArrayOfTokensIntoSequences) {
    const TrainingJob job{.model = GptModel{.vocabulary = 10, .sequence = 3},
                          .data = TokenData{longs("t.npy", {8}, {0, 1, 2, 3, 4, 5, 6, 7})}};
    const auto data = make_dataset(job);
    EXPECT_EQ(data->samples(), 2);
    Batch batch;
    data->read(std::vector<std::int64_t>{1}, batch);
    EXPECT_EQ(batch.tokens, (std::vector<std::int64_t>{3, 4, 5}));
    EXPECT_EQ(batch.labels, (std::vector<std::int64_t>{4, 5, 6}));
}

TEST_F(ArrayDatasets, RefuseWhatDoesNotFitTheModelAndNameTheFile) {
    const MlpModel model{.inputs = 2, .outputs = 3};
    const std::string inputs = floats("x.npy", {2, 2}, {1, 2, 3, 4});
    const auto refuse = [&](const std::string& x, const std::string& y, const std::string& part) {
        expect_problem({.model = model, .data = ArrayData{.inputs = x, .targets = y}}, part);
    };
    refuse((folder_ / "none.npy").string(), "", "none.npy: cannot be opened");
    refuse(folder_.path().string(), "", "is not a file");
    const std::string pipe = (folder_ / "pipe").string();
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    refuse(pipe, "", "is not a file");
    refuse(floats("one.npy", {4}, {1, 2, 3, 4}), "", "one.npy: shape: found '(4)', expected (samples, 2)");
    refuse(floats("wide.npy", {1, 3}, {1, 2, 3}), "", "expected (samples, 2)");
    refuse(floats("empty.npy", {0, 2}, {}), "", "at least one sample");
    refuse(inputs, longs("y3.npy", {3}, {0, 1, 2}), "y3.npy: shape: found '(3)', expected 2 samples");
    refuse(inputs, longs("range.npy", {2}, {0, 3}), "range.npy: element 1: found '3', expected 0 to 2");
    refuse(inputs, longs("negative.npy", {2}, {-1, 0}), "element 0: found '-1'");
    refuse(inputs, floats("real.npy", {2}, {0, 1}), "whole numbers, since these are class labels");
}

TEST_F(ArrayDatasets, RefuseTokensThatTheModelDoesNotHave) {
    const GptModel model{.vocabulary = 4, .sequence = 2};
    expect_problem({.model = model, .data = TokenData{longs("short.npy", {2}, {0, 1})}}, "at least 3 tokens");
    expect_problem({.model = model, .data = TokenData{longs("square.npy", {2, 2}, {0, 1, 2, 3})}}, "one dimension");
    expect_problem({.model = model, .data = TokenData{floats("real.npy", {4}, {0, 1, 2, 3})}}, "these are tokens");
    expect_problem({.model = MlpModel{}, .data = TokenData{longs("t.npy", {4}, {0, 1, 2, 3})}}, "does not take tokens");
    const auto data = make_dataset({.model = model, .data = TokenData{longs("range.npy", {5}, {0, 1, 2, 4, 0})}});
    Batch batch;
    EXPECT_NO_THROW(data->read(std::vector<std::int64_t>{0}, batch));
    EXPECT_THROW(data->read(std::vector<std::int64_t>{1}, batch), Error);
}

}  // namespace
}  // namespace medley::executor
