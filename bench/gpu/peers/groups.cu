// SPDX-License-Identifier: Apache-2.0
// What collectives and barriers cost with CUDA's cooperative groups:
// kernels/groups.hd line by line.
#include "table.h"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

// What a kernel gets: turns, members, seed, out, ticks.
struct Run {
  int turns;
  unsigned members;
  const void *seed;
  void *out;
  long *ticks;
};

// Tiles of more than a warp need memory of the block for 1024 threads.
template <int N, int T> struct Tile {
  __device__ static auto make() {
    __shared__ cg::block_tile_memory<T> memory;
    return cg::tiled_partition<N>(cg::this_thread_block(memory));
  }
};

template <int N, int T> __device__ auto make_tile() {
  if constexpr (N > 32)
    return Tile<N, T>::make();
  else
    return cg::tiled_partition<N>(cg::this_thread_block());
}

// Every kernel is a loop over one operation on `v`.
#define MEASURED(run, operation)                                               \
  do {                                                                         \
    long start = clock64();                                                    \
    _Pragma("unroll 1") for (int k = (run).turns; k > 0; k--) {                \
      operation;                                                               \
    }                                                                          \
    long end = clock64();                                                      \
    if (threadIdx.x == 0 && blockIdx.x == 0)                                   \
      *(run).ticks = end - start;                                              \
  } while (0)

template <int N, int T> __global__ void sync_tile(Run run) {
  auto g = make_tile<N, T>();
  MEASURED(run, g.sync());
}

__global__ void sync_block(Run run) {
  auto g = cg::this_thread_block();
  MEASURED(run, g.sync());
}

// CUDA C++ has no barrier for some warps of a block but tiles and this.
__global__ void sync_part(Run run) {
  if (threadIdx.x < 128)
    MEASURED(run, asm volatile("barrier.cta.sync 1, 128;" ::: "memory"));
}

__global__ void sync_cluster(Run run) {
  auto g = cg::this_cluster();
  MEASURED(run, g.sync());
}

__global__ void sync_grid(Run run) {
  auto g = cg::this_grid();
  MEASURED(run, g.sync());
}

template <class E, int N, int T> __global__ void reduce_tile(Run run) {
  auto g = make_tile<N, T>();
  E v = ((const E *)run.seed)[threadIdx.x];
  MEASURED(run, v = cg::reduce(g, v, cg::plus<E>()));
  ((E *)run.out)[threadIdx.x] = v;
}

template <class E, int N, int T> __global__ void scan_tile(Run run) {
  auto g = make_tile<N, T>();
  E v = ((const E *)run.seed)[threadIdx.x];
  MEASURED(run, v = cg::inclusive_scan(g, v, cg::plus<E>()));
  ((E *)run.out)[threadIdx.x] = v;
}

template <int N, int T> __global__ void any_tile(Run run) {
  auto g = make_tile<N, T>();
  unsigned v = ((const unsigned *)run.seed)[threadIdx.x];
  MEASURED(run, v += g.any(v == 1));
  ((unsigned *)run.out)[threadIdx.x] = v;
}

template <int N> __global__ void shfl_tile(Run run) {
  auto g = cg::tiled_partition<N>(cg::this_thread_block());
  unsigned v = ((const unsigned *)run.seed)[threadIdx.x];
  int from = (g.thread_rank() + 1) % N;
  MEASURED(run, v = g.shfl(v, from));
  ((unsigned *)run.out)[threadIdx.x] = v;
}

template <int N> __global__ void ballot_tile(Run run) {
  auto g = cg::tiled_partition<N>(cg::this_thread_block());
  unsigned v = ((const unsigned *)run.seed)[threadIdx.x];
  unsigned bit = 1u << g.thread_rank();
  MEASURED(run, v = g.ballot((v & bit) == 0));
  ((unsigned *)run.out)[threadIdx.x] = v;
}

template <int L> __global__ void match_labels(Run run) {
  auto g = cg::tiled_partition<32>(cg::this_thread_block());
  unsigned v = 0, seed = *(const unsigned *)run.seed;
  unsigned label = seed + threadIdx.x * 5 & L - 1;
  MEASURED(run, v ^= g.match_any(label));
  ((unsigned *)run.out)[threadIdx.x] = v;
}

template <class E, int L, int D = 1> __global__ void reduce_labels(Run run) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  E v = ((const E *)run.seed)[threadIdx.x];
  unsigned label = threadIdx.x * 5 / D & L - 1;
  MEASURED(run, auto g = cg::labeled_partition(warp, label);
           v = cg::reduce(g, v, cg::plus<E>()));
  ((E *)run.out)[threadIdx.x] = v;
}

template <class E> __global__ void reduce_binary(Run run) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  E v = ((const E *)run.seed)[threadIdx.x];
  bool side = threadIdx.x % 4 == 0;
  MEASURED(run, auto g = cg::binary_partition(warp, side);
           v = cg::reduce(g, v, cg::plus<E>()));
  ((E *)run.out)[threadIdx.x] = v;
}

template <class E> __global__ void coalesced_reduce(Run run) {
  E v = ((const E *)run.seed)[threadIdx.x];
  if (run.members >> threadIdx.x & 1) {
    auto g = cg::coalesced_threads();
    MEASURED(run, v = cg::reduce(g, v, cg::plus<E>()));
  }
  ((E *)run.out)[threadIdx.x] = v;
}

template <class E> __global__ void coalesced_scan(Run run) {
  E v = ((const E *)run.seed)[threadIdx.x];
  if (run.members >> threadIdx.x & 1) {
    auto g = cg::coalesced_threads();
    MEASURED(run, v = cg::inclusive_scan(g, v, cg::plus<E>()));
  }
  ((E *)run.out)[threadIdx.x] = v;
}

__global__ void coalesced_shfl(Run run) {
  unsigned v = ((const unsigned *)run.seed)[threadIdx.x] % 16;
  if (run.members >> threadIdx.x & 1) {
    auto g = cg::coalesced_threads();
    MEASURED(run, v = g.shfl(v, v));
  }
  ((unsigned *)run.out)[threadIdx.x] = v;
}

__global__ void coalesced_ballot(Run run) {
  unsigned v = ((const unsigned *)run.seed)[threadIdx.x];
  if (run.members >> threadIdx.x & 1) {
    auto g = cg::coalesced_threads();
    unsigned bit = 1u << g.thread_rank();
    MEASURED(run, v = g.ballot((v & bit) == 0));
  }
  ((unsigned *)run.out)[threadIdx.x] = v;
}

template <void (*KERNEL)(Run), int T, int BLOCKS = 1>
static int launch(PeerStream stream, const PeerArg *args) {
  Run run = {(int)args[0].integer, (unsigned)args[1].integer, args[2].in,
             args[3].out, (long *)args[4].out};
  KERNEL<<<BLOCKS, T, 0, stream>>>(run);
  return cudaGetLastError();
}

template <void (*KERNEL)(Run), int T>
static int launch_special(PeerStream stream, const PeerArg *args, int blocks,
                          cudaLaunchAttribute attribute) {
  Run run = {(int)args[0].integer, (unsigned)args[1].integer, args[2].in,
             args[3].out, (long *)args[4].out};
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(blocks);
  config.blockDim = dim3(T);
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = 1;
  return cudaLaunchKernelEx(&config, KERNEL, run);
}

static int run_sync_cluster(PeerStream stream, const PeerArg *args) {
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {2, 1, 1};
  return launch_special<sync_cluster, 128>(stream, args, 2, attribute);
}

template <int BLOCKS>
static int run_sync_grid(PeerStream stream, const PeerArg *args) {
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeCooperative;
  attribute.val.cooperative = 1;
  return launch_special<sync_grid, 128>(stream, args, BLOCKS, attribute);
}

const PeerEntry peers_groups[] = {
    {"sync warp", launch<sync_tile<32, 128>, 128>},
    {"sync tile8", launch<sync_tile<8, 128>, 128>},
    {"sync tile128 of 1024", launch<sync_tile<128, 1024>, 1024>},
    {"sync block of 128", launch<sync_block, 128>},
    {"sync block of 1024", launch<sync_block, 1024>},
    {"sync 128 of 256", launch<sync_part, 256>},
    {"sync cluster", run_sync_cluster},
    {"sync grid of 132", run_sync_grid<132>},
    {"sync grid of 528", run_sync_grid<528>},
    {"reduce unsigned warp", launch<reduce_tile<unsigned, 32, 32>, 32>},
    {"reduce unsigned tile16", launch<reduce_tile<unsigned, 16, 32>, 32>},
    {"reduce unsigned tile8", launch<reduce_tile<unsigned, 8, 32>, 32>},
    {"reduce float warp", launch<reduce_tile<float, 32, 32>, 32>},
    {"reduce long warp", launch<reduce_tile<unsigned long, 32, 32>, 32>},
    {"reduce double warp", launch<reduce_tile<double, 32, 32>, 32>},
    {"reduce unsigned tile128", launch<reduce_tile<unsigned, 128, 128>, 128>},
    {"reduce unsigned tile128 of 1024",
     launch<reduce_tile<unsigned, 128, 1024>, 1024>},
    {"reduce unsigned tile512", launch<reduce_tile<unsigned, 512, 512>, 512>},
    {"reduce unsigned tile1024",
     launch<reduce_tile<unsigned, 1024, 1024>, 1024>},
    {"scan unsigned warp", launch<scan_tile<unsigned, 32, 32>, 32>},
    {"scan unsigned tile128", launch<scan_tile<unsigned, 128, 128>, 128>},
    {"scan unsigned tile1024", launch<scan_tile<unsigned, 1024, 1024>, 1024>},
    {"any tile128", launch<any_tile<128, 128>, 128>},
    {"any tile128 of 1024", launch<any_tile<128, 1024>, 1024>},
    {"shfl tile8", launch<shfl_tile<8>, 32>},
    {"ballot tile8", launch<ballot_tile<8>, 32>},
    {"match 2 labels", launch<match_labels<2>, 32>},
    {"match 4 labels", launch<match_labels<4>, 32>},
    {"match 8 labels", launch<match_labels<8>, 32>},
    {"match 32 labels", launch<match_labels<32>, 32>},
    {"reduce unsigned 2 labels", launch<reduce_labels<unsigned, 2>, 32>},
    {"reduce unsigned 4 labels", launch<reduce_labels<unsigned, 4>, 32>},
    {"reduce unsigned 8 labels", launch<reduce_labels<unsigned, 8>, 32>},
    {"reduce unsigned 32 labels", launch<reduce_labels<unsigned, 32>, 32>},
    {"reduce float 2 labels", launch<reduce_labels<float, 2>, 32>},
    {"reduce float 4 labels", launch<reduce_labels<float, 4>, 32>},
    {"reduce float 32 labels", launch<reduce_labels<float, 32>, 32>},
    {"reduce float 24 labels, some twice",
     launch<reduce_labels<float, 32, 3>, 32>},
    {"reduce unsigned binary", launch<reduce_binary<unsigned>, 32>},
    {"reduce float coalesced", launch<coalesced_reduce<float>, 32>},
    {"scan float coalesced", launch<coalesced_scan<float>, 32>},
    {"shfl coalesced", launch<coalesced_shfl, 32>},
    {"ballot coalesced", launch<coalesced_ballot, 32>},
    {nullptr, nullptr},
};
