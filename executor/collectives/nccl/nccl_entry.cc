#include "executor/collectives/nccl/nccl_collective.h"

extern "C" medley::executor::CollectiveMade medley_connect_nccl(const medley::executor::CollectiveSetup& setup);

medley::executor::CollectiveMade medley_connect_nccl(const medley::executor::CollectiveSetup& setup) {
    return medley::executor::connect_nccl_ranks(setup);
}
