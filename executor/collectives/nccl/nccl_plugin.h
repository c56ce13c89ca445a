#pragma once
/// What the plug-in medley_nccl.so exports, as an `extern "C"` function.

#include "executor/collectives/collective.h"

namespace medley::executor {

/// `medley_connect_nccl`: `made` is set to what came of it. Throws medley::Error if there is no GPU ("no GPU: ...").
using ConnectNccl = void (*)(const CollectiveSetup& setup, CollectiveMade& made);

}  // namespace medley::executor
