#include "executor/collectives/nccl/nccl_collective.h"
#include "executor/collectives/nccl/nccl_plugin.h"

// As executor/collectives/nccl/nccl_plugin.h says.

extern "C" void medley_connect_nccl(const medley::executor::CollectiveSetup& setup, medley::executor::CollectiveMade& made) {
    made = medley::executor::connect_nccl_ranks(setup);
}
