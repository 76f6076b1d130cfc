// SPDX-License-Identifier: Apache-2.0
// cub::BlockHistogram: how often each bin is among the items of a block.
#pragma once
#include <cub/util_type.cuh>

namespace cub {
enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };

// The histogram is the caller's. Both algorithms count by atomics, as nothing else
// can be told apart.
template <class T, int BLOCK_DIM_X, int ITEMS_PER_THREAD, int BINS, BlockHistogramAlgorithm ALGORITHM = BLOCK_HISTO_SORT, int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockHistogram {
  static constexpr int Threads = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z, N = ITEMS_PER_THREAD;

public:
  struct TempStorage {
    int unused;
  };
  __device__ BlockHistogram() {}
  __device__ BlockHistogram(TempStorage &storage) {}
  template <class C> __device__ void InitHistogram(C (&histogram)[BINS]) {
    for (int i = __hd_cub::thread(); i < BINS; i += Threads)
      histogram[i] = 0;
  }
  template <class C> __device__ void Composite(T (&items)[N], C (&histogram)[BINS]) {
    for (int i = 0; i < N; i++)
      atomicAdd(&histogram[items[i]], (C)1);
  }
  template <class C> __device__ void Histogram(T (&items)[N], C (&histogram)[BINS]) {
    InitHistogram(histogram);
    __syncthreads();
    Composite(items, histogram);
  }
};
}
