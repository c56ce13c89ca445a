#pragma once
/// All-reduce, broadcast and gather over a mesh. Each leaves the same bits on every rank: a sum is formed in one order, by one rank or by
/// all alike.
///
/// With n ranks, B bytes, latency a and time per byte b (Thakur, Rabenseifner and Gropp 2005):
///   direct    a + (n-1) B b             few ranks and small buffers: everybody sends everything to everybody
///   by parts  2 (a + (n-1)/n B b)       few ranks and all larger ones: everybody adds one part for all
///   doubling  log2(n) (a + B b)         many ranks and small buffers: recursive doubling, odd ranks out folded in first
///   ring      2 (n-1) (a + B/n b)       many ranks and large buffers: reduce-scatter and all-gather in segments
/// Broadcasts go down a binomial tree, or, if large, along the chain of ranks in segments: B b once, whatever n.
/// Gathers take log2(n) rounds (Bruck et al. 1997).

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "executor/collectives/gloo/mesh.h"
#include "executor/collectives/gloo/scratch.h"

namespace medley::executor {

enum class ReduceWay { kDirect, kByParts, kDoubling, kRing };
/// The way that the costs above say is the fastest.
ReduceWay choose_way(int ranks, std::size_t bytes);

/// These throw MeshFailure. Require more than one rank, and kDirect and kByParts only where all ranks are peers.
void all_reduce(Mesh& mesh, Scratch& scratch, const Buffer& buffer, ReduceOp op, ReduceWay way);
void broadcast(Mesh& mesh, std::span<std::byte> bytes, int root);
std::vector<std::string> all_gather(Mesh& mesh, std::string_view mine);

}  // namespace medley::executor
