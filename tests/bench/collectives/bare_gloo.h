#pragma once
/// All-reduces of Gloo used bare, as its own examples do.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "executor/collectives/collective.h"

namespace medley::bench {

class BareGloo {
 public:
    BareGloo(const std::filesystem::path& folder, int rank, int size);
    ~BareGloo();

    /// "ring", "bcube" (of gloo::allreduce), "halving-doubling", "chunked ring" (the older classes, made once per buffer).
    static const std::vector<std::string>& algorithms();
    /// The buffer that the next sums are of.
    void use(const executor::Buffer& buffer, const std::string& algorithm);
    void all_reduce();

 private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace medley::bench
