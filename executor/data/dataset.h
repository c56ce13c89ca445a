#pragma once
/// Samples by position: synthetic ones from a seed, arrays in NumPy's format, token streams. No tensors here: plain vectors.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/training.h"

namespace medley::executor {

inline constexpr std::int64_t kIgnoredLabel = -100;  ///< does not count, neither in the loss nor in the weight

/// The samples of one virtual node, in order. Exactly one of `values` and `tokens` is used for inputs, one of `labels` and `real_targets`
/// for targets (none where there are no targets, for inference).
struct Batch {
    std::int64_t samples = 0;
    std::vector<std::int64_t> input_shape;  ///< of one sample
    std::vector<double> values;             ///< samples x input_shape
    std::vector<std::int64_t> tokens;       ///< samples x sequence; padded with 0
    /// One per sample, or per token (then samples x sequence); kIgnoredLabel = does not count.
    std::vector<std::int64_t> labels;
    std::vector<double> real_targets;

    /// Empty, to be filled with so many samples of this shape; memory is kept.
    void restart(std::size_t sample_count, const std::vector<std::int64_t>& shape);
};

/// Thread rule: `read` may be called from several threads, each with its own batch.
class Dataset {
 public:
    virtual ~Dataset() = default;
    virtual std::int64_t samples() const = 0;
    virtual bool token_inputs() const = 0;
    virtual std::vector<std::int64_t> input_shape() const = 0;
    /// Fills `out` (its memory is used again). The same position gives the same sample on every machine. Requires positions below
    /// `samples()`. Throws medley::Error for a token that is out of the model's range.
    virtual void read(std::span<const std::int64_t> positions, Batch& out) const = 0;
};

/// The job's data in the shape its model takes. Synthetic classes are noisy copies of one random prototype each, synthetic real targets
/// come from a random linear teacher, synthetic tokens from a random Markov chain: a loss falls. Arrays: inputs [samples, shape of one], or
/// any shape of as many elements; targets [samples] of whole numbers for cross-entropy ([samples, sequence] with token inputs), else
/// [samples, outputs]. Throws medley::Error naming file, place, found and expected.
std::unique_ptr<Dataset> make_dataset(const TrainingJob& job);

}  // namespace medley::executor
