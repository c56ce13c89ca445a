#pragma once
/// The collective over NCCL: host code alone, in plain C++.
///
/// Communicators are non-blocking: every call returns at once and is polled, together with the communicator's asynchronous error and an
/// event on the stream, until it is done, the deadline has passed or `abort` was called; so no lost peer can hang a rank.
/// After a failure the communicator is aborted, which frees the stream of its kernels; a new membership
/// makes a new one from a new unique id (rank 0's, through `exchange`).
///
/// Device buffers are reduced where they lie, in the order of their stream, and the call returns when the sum is there. Host buffers,
/// broadcasts and gathers pass through device memory that is kept.

#include "executor/collectives/collective.h"

namespace medley::executor {

/// Throws medley::Error if there is no such GPU.
CollectiveMade connect_nccl_ranks(const CollectiveSetup& setup);

}  // namespace medley::executor
