#pragma once
/// Gives the jobs of a trace without models one each, by the rule of `ImportOptions`.

#include "core/rng.h"
#include "io/importers/importer.h"

namespace medley::io {

class ModelAssignment {
 public:
    /// Throws medley::Error for a batch size below 0 or a model without a name.
    explicit ModelAssignment(const ImportOptions& options);

    /// Sets model, batch size and reference type where the source states none; the choice depends on the seed and the job's id alone.
    void assign(Job& job) const;

 private:
    std::vector<ModelChoice> models_;
    Name reference_gpu_type_;
    Rng rng_;
};

}  // namespace medley::io
