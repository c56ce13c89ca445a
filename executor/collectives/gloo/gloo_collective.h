#pragma once
/// The collective over TCP: Gloo's connections and transport, with algorithms chosen by size (gloo_algorithms.h).

#include "executor/collectives/collective.h"

namespace medley::executor {

/// One exchange of addresses, then connections to the peers that the algorithms need. Traffic is neither encrypted nor authenticated.
CollectiveMade connect_gloo(const CollectiveSetup& setup);

}  // namespace medley::executor
