#pragma once
/// What a user may choose about an import. Each choice that leaves out or alters rows is counted in the report.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/cluster.h"
#include "core/name.h"

namespace medley::io {

/// A model that jobs of a trace without models may be given.
struct ModelChoice {
    Name model;
    std::int64_t batch_size = 0;  ///< 0 = not stated
};

/// "resnet50=256,bert-base-sst2": names with an optional global batch, commas between. Throws medley::Error.
std::vector<ModelChoice> parse_model_choices(std::string_view text);

/// Jobs that held no GPU.
enum class ZeroGpus { kDrop, kOneGpu };
/// Jobs that ran for no time at all.
enum class ZeroDuration { kDrop, kOneSecond };
/// Gangs larger than every pool they may run on, by the cluster of the options or else of the source.
enum class TooWide { kKeep, kDrop, kClamp };
/// Jobs that still ran when the source ended: their duration is not known. `kUntilEnd` takes the last moment the source mentions.
enum class Unfinished { kDrop, kUntilEnd };
/// Jobs that started more than once: the sum of their attempts, first start to last end, or a job for each attempt, submitted when the one
/// before it ended.
enum class Retries { kSum, kSpan, kSeparate };

/// Models are assigned job by job to those without: uniformly among `models`, by a stream of random numbers that depends on the seed and
/// the job's id alone, so that neither the order of rows nor a dropped row changes another job's model. Durations stay as recorded: the
/// recorded GPUs give back the recorded run time whatever the model.
struct ImportOptions {
    std::uint64_t seed = 0;
    std::vector<ModelChoice> models = {};  ///< empty: jobs are given no model
    Name reference_gpu_type =
        Name();  ///< the type the durations are taken to be measured on where the source does not say; empty = not stated
    std::vector<std::string> states = {};  ///< recorded states to keep, in any case; empty = all
    ZeroGpus zero_gpus = ZeroGpus::kDrop;
    ZeroDuration zero_duration = ZeroDuration::kDrop;
    TooWide too_wide = TooWide::kKeep;
    Unfinished unfinished = Unfinished::kDrop;
    Retries retries = Retries::kSum;
    std::string time_zone = {};  ///< a ZoneRule for times without zone; empty = the format's own rule
    std::string origin = {};     ///< the civil time that becomes second 0; empty = the first submission kept (of sources with dates)
    std::optional<Cluster> cluster = {};  ///< the pools; empty = those of the source, if it tells them
};

}  // namespace medley::io
