#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/error.h"
#include "executor/data/datasets.h"
#include "executor/data/npy_file.h"

namespace medley::executor {
namespace {

[[noreturn]] void refuse_array(const NpyFile& file, std::string place, std::string found, std::string expected) {
    throw Error(Problem{.file = file.path(), .place = std::move(place), .found = std::move(found), .expected = std::move(expected)});
}

std::string shape_text(const std::vector<std::int64_t>& shape) { return fmt::format("({})", fmt::join(shape, ", ")); }

std::int64_t elements_of_row(const NpyHeader& header) { return header.shape[0] == 0 ? 0 : header.elements / header.shape[0]; }

void require_rows(const NpyFile& file, std::int64_t elements, const std::string& expected_row) {
    const NpyHeader& header = file.header();
    if (!header.shape.empty() && header.shape[0] > 0 && elements_of_row(header) == elements) { return; }
    refuse_array(file, "shape", shape_text(header.shape), fmt::format("(samples, {}) with at least one sample", expected_row));
}

void require_whole_numbers(const NpyFile& file, const char* what) {
    if (whole_numbers(file.header().type)) { return; }
    refuse_array(file, "NumPy type (descr)", npy_name(file.header().type), fmt::format("whole numbers, since these are {}", what));
}

class ArrayDataset final : public Dataset {
 public:
    ArrayDataset(const ArrayData& data, ModelInputs inputs, LossKind loss)
        : inputs_(std::move(inputs)), real_targets_(loss == LossKind::kMeanSquaredError), input_file_(data.inputs) {
        require_rows(input_file_, inputs_.elements(), fmt::format("{}", fmt::join(inputs_.shape, ", ")));
        if (inputs_.tokens) { require_whole_numbers(input_file_, "tokens"); }
        if (data.targets.empty()) { return; }
        target_file_.emplace(data.targets);
        check_targets();
    }

    std::int64_t samples() const override { return input_file_.header().shape[0]; }
    bool token_inputs() const override { return inputs_.tokens; }
    std::vector<std::int64_t> input_shape() const override { return inputs_.shape; }

    void read(std::span<const std::int64_t> positions, Batch& out) const override {
        out.restart(positions.size(), inputs_.shape);
        for (const std::int64_t position : positions) {
            MEDLEY_ASSERT(position >= 0 && position < samples());
            read_inputs(position, out);
            if (target_file_) { read_targets(position, out); }
        }
    }

 private:
    std::int64_t targets_per_sample() const { return real_targets_ ? inputs_.outputs : inputs_.tokens ? inputs_.elements() : 1; }

    void check_targets() const {
        require_rows(*target_file_, targets_per_sample(), fmt::format("{}", targets_per_sample()));
        if (target_file_->header().shape[0] != samples()) {
            refuse_array(*target_file_, "shape", shape_text(target_file_->header().shape),
                         fmt::format("{} samples, as the inputs", samples()));
        }
        if (real_targets_) { return; }
        require_whole_numbers(*target_file_, "class labels");
        for (std::int64_t index = 0; index < target_file_->header().elements; ++index) { check_label(index); }
    }

    void check_label(std::int64_t index) const {
        const std::int64_t label = target_file_->whole(index);
        if (label == kIgnoredLabel || (label >= 0 && label < inputs_.outputs)) { return; }
        refuse_array(*target_file_, fmt::format("element {}", index), fmt::format("{}", label),
                     fmt::format("0 to {}, or {} for one that does not count", inputs_.outputs - 1, kIgnoredLabel));
    }

    void read_inputs(std::int64_t position, Batch& out) const {
        const std::int64_t first = position * inputs_.elements();
        for (std::int64_t index = first; index < first + inputs_.elements(); ++index) {
            if (inputs_.tokens) {
                out.tokens.push_back(token(index));
            } else {
                out.values.push_back(input_file_.real(index));
            }
        }
    }

    std::int64_t token(std::int64_t index) const {
        const std::int64_t token = input_file_.whole(index);
        if (token >= 0 && token < inputs_.outputs) { return token; }
        refuse_array(input_file_, fmt::format("element {}", index), fmt::format("{}", token), fmt::format("0 to {}", inputs_.outputs - 1));
    }

    void read_targets(std::int64_t position, Batch& out) const {
        const std::int64_t first = position * targets_per_sample();
        for (std::int64_t index = first; index < first + targets_per_sample(); ++index) {
            if (real_targets_) {
                out.real_targets.push_back(target_file_->real(index));
            } else {
                out.labels.push_back(target_file_->whole(index));
            }
        }
    }

    ModelInputs inputs_;
    bool real_targets_;
    NpyFile input_file_;
    std::optional<NpyFile> target_file_;
};

}  // namespace

std::unique_ptr<Dataset> make_array_dataset(const ArrayData& data, const ModelInputs& inputs, LossKind loss) {
    return std::make_unique<ArrayDataset>(data, inputs, loss);
}

}  // namespace medley::executor
