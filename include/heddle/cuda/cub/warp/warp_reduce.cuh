// SPDX-License-Identifier: Apache-2.0
// cub::WarpReduce: by shuffles, in steps of 1, 2, 4, 8, 16; lane 0 has the result.
#pragma once
#include <cooperative_groups.h>
#include <cub/thread/thread_operators.cuh>

namespace __hd_cub {
// The exchanges of a logical warp of N threads: of the warp, of a tile, or, where
// N is no power of two, of all N at a time that begin in a warp.
template <int N> struct Lanes {
  static constexpr bool is_tile = N < 32 && (N & (N - 1)) == 0;
  static __device__ int rank() { return lane() % N; }
  template <class T> static __device__ T down(T v, int delta) {
    if constexpr (is_tile)
      return cooperative_groups::tiled_partition<N>(cooperative_groups::this_thread_block()).shfl_down(v, delta);
    else
      return __shfl_down_sync(0xffffffffu, v, delta);
  }
  template <class T> static __device__ T up(T v, int delta) {
    if constexpr (is_tile)
      return cooperative_groups::tiled_partition<N>(cooperative_groups::this_thread_block()).shfl_up(v, delta);
    else
      return __shfl_up_sync(0xffffffffu, v, delta);
  }
  template <class T> static __device__ T from(T v, int source) {
    if constexpr (is_tile)
      return cooperative_groups::tiled_partition<N>(cooperative_groups::this_thread_block()).shfl(v, source);
    else
      return __shfl_sync(0xffffffffu, v, lane() / N * N + source);
  }
  static __device__ unsigned ballot(bool p) {
    if constexpr (is_tile)
      return cooperative_groups::tiled_partition<N>(cooperative_groups::this_thread_block()).ballot(p);
    else
      return __ballot_sync(0xffffffffu, p) >> lane() / N * N & (N == 32 ? 0xffffffffu : (1u << N % 32) - 1);
  }
};

// Lane 0's result is that of the lanes up to `last`.
template <int N, class T, class F> __device__ T reduce_lanes(T v, F op, int last) {
  int rank = Lanes<N>::rank();
  for (int d = 1; d < N; d *= 2) {
    T other = Lanes<N>::down(v, d);
    if (rank + d <= last)
      v = op(v, other);
  }
  return v;
}
}

namespace cub {
template <class T, int LOGICAL_WARP_THREADS = 32, int LEGACY_PTX_ARCH = 0> class WarpReduce {
  static constexpr int N = LOGICAL_WARP_THREADS;
  static_assert(N >= 1 && N <= 32, "a logical warp has 1 to 32 threads");

  // The last lane of the segment that this lane is in.
  template <bool IsHead> static __device__ int segment_end(bool flag) {
    unsigned flags = __hd_cub::Lanes<N>::ballot(flag);
    int rank = __hd_cub::Lanes<N>::rank();
    unsigned behind = IsHead ? (rank == 31 ? 0 : flags >> rank >> 1) : flags >> rank;
    int end = behind ? rank + __ffs((int)behind) - 1 : N - 1;
    return min(end, N - 1);
  }

public:
  struct TempStorage { char unused; };
  __device__ WarpReduce(TempStorage &storage) {}
  template <class F> __device__ T Reduce(T v, F op) { return __hd_cub::reduce_lanes<N>(v, op, N - 1); }
  template <class F> __device__ T Reduce(T v, F op, int valid_items) { return __hd_cub::reduce_lanes<N>(v, op, valid_items - 1); }
  __device__ T Sum(T v) { return Reduce(v, cub::Sum()); }
  __device__ T Sum(T v, int valid_items) { return Reduce(v, cub::Sum(), valid_items); }
  __device__ T Max(T v) { return Reduce(v, cub::Max()); }
  __device__ T Max(T v, int valid_items) { return Reduce(v, cub::Max(), valid_items); }
  __device__ T Min(T v) { return Reduce(v, cub::Min()); }
  __device__ T Min(T v, int valid_items) { return Reduce(v, cub::Min(), valid_items); }
  template <class Flag, class F> __device__ T HeadSegmentedReduce(T v, Flag head, F op) {
    return __hd_cub::reduce_lanes<N>(v, op, segment_end<true>((bool)head));
  }
  template <class Flag, class F> __device__ T TailSegmentedReduce(T v, Flag tail, F op) {
    return __hd_cub::reduce_lanes<N>(v, op, segment_end<false>((bool)tail));
  }
  template <class Flag> __device__ T HeadSegmentedSum(T v, Flag head) { return HeadSegmentedReduce(v, head, cub::Sum()); }
  template <class Flag> __device__ T TailSegmentedSum(T v, Flag tail) { return TailSegmentedReduce(v, tail, cub::Sum()); }
};
}
