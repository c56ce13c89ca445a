#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/error.h"
#include "executor/data/datasets.h"
#include "executor/data/npy_file.h"

namespace medley::executor {
namespace {

/// Sequence i is tokens [i * length, (i + 1) * length); its targets are the tokens one further on.
class TokenDataset final : public Dataset {
 public:
    TokenDataset(const TokenData& data, ModelInputs inputs) : inputs_(std::move(inputs)), file_(data.tokens) {
        const NpyHeader& header = file_.header();
        if (!whole_numbers(header.type)) { refuse("NumPy type (descr)", npy_name(header.type), "whole numbers, since these are tokens"); }
        const bool one_row = header.shape.size() == 1;
        if (one_row && header.elements > length()) { return; }
        refuse("shape", fmt::format("({})", fmt::join(header.shape, ", ")),
               fmt::format("one dimension of at least {} tokens: a sequence and the token after it", length() + 1));
    }

    std::int64_t samples() const override { return (file_.header().elements - 1) / length(); }
    bool token_inputs() const override { return true; }
    std::vector<std::int64_t> input_shape() const override { return inputs_.shape; }

    void read(std::span<const std::int64_t> positions, Batch& out) const override {
        out.restart(positions.size(), inputs_.shape);
        for (const std::int64_t position : positions) {
            MEDLEY_ASSERT(position >= 0 && position < samples());
            for (std::int64_t index = position * length(); index < (position + 1) * length(); ++index) {
                out.tokens.push_back(token(index));
                out.labels.push_back(token(index + 1));
            }
        }
    }

 private:
    std::int64_t length() const { return inputs_.elements(); }

    std::int64_t token(std::int64_t index) const {
        const std::int64_t token = file_.whole(index);
        if (token >= 0 && token < inputs_.outputs) { return token; }
        refuse(fmt::format("element {}", index), fmt::format("{}", token), fmt::format("0 to {}", inputs_.outputs - 1));
    }

    [[noreturn]] void refuse(std::string place, std::string found, std::string expected) const {
        throw Error(Problem{.file = file_.path(), .place = std::move(place), .found = std::move(found), .expected = std::move(expected)});
    }

    ModelInputs inputs_;
    NpyFile file_;
};

}  // namespace

std::unique_ptr<Dataset> make_token_dataset(const TokenData& data, const ModelInputs& inputs) {
    return std::make_unique<TokenDataset>(data, inputs);
}

}  // namespace medley::executor
