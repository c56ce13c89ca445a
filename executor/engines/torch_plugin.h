#pragma once
/// What the plug-in medley_torch.so exports, as `extern "C"` functions.

#include "executor/engines/engine.h"

namespace medley::executor {

/// `medley_make_torch_engine`: a new engine, to be deleted by the caller. Throws medley::Error.
using MakeTorchEngine = Engine* (*)(const EngineSetup& setup);
/// `medley_find_torch_devices`: appends the GPUs that Torch can use; if there are none, says why in the note ("no GPU: ...", one line).
using FindTorchDevices = void (*)(DevicesFound& found);

}  // namespace medley::executor
