#pragma once
/// Memory for what comes in, kept between calls: fresh memory costs more than what it is used for.

#include <cstddef>
#include <memory>
#include <span>

namespace medley::executor {

class Scratch {
 public:
    /// At least so many bytes, whatever they hold; valid until the next call.
    std::span<std::byte> bytes(std::size_t count) {
        if (count > size_) {
            memory_ = std::make_unique_for_overwrite<std::byte[]>(count);  // NOLINT(modernize-avoid-c-arrays)
            size_ = count;
        }
        return {memory_.get(), count};
    }

 private:
    std::unique_ptr<std::byte[]> memory_;  // NOLINT(modernize-avoid-c-arrays): a vector would write it first
    std::size_t size_ = 0;
};

}  // namespace medley::executor
