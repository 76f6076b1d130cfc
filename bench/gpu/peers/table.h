// SPDX-License-Identifier: Apache-2.0
// The peers of each file, ended by one without a name.
#ifndef HD_BENCH_GPU_TABLE_H
#define HD_BENCH_GPU_TABLE_H

#include "peers.h"

struct PeerEntry {
  const char *name;
  PeerRun *run;
};

extern const PeerEntry peers_memory[], peers_library[], peers_compute[],
    peers_groups[];

extern void *peer_scratch;
extern size_t peer_scratch_bytes;

#endif
