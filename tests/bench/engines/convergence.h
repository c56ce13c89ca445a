#pragma once
/// E9 of VirtualFlow's evaluation: whether an uneven split learns as well as one device does, though batch-norm sees other batches.

namespace medley::executor {

/// Trains so many pairs, each from a seed of its own, and prints the accuracies on samples not trained on. Requires at least 2.
void convergence(int seeds);

}  // namespace medley::executor
