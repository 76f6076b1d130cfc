// SPDX-License-Identifier: Apache-2.0
// cub::BlockReduce: thread 0 has the result. What is combined with what is CUB's
// order, so that sums of floats have CUB's bits.
#pragma once
#include <cub/thread/thread_reduce.cuh>
#include <cub/warp/warp_reduce.cuh>

namespace cub {
enum BlockReduceAlgorithm { BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS };
}

namespace __hd_cub {
// Each warp reduces its values, then thread 0 those of the warps.
template <class T, int Threads> struct ReduceByWarps {
  static constexpr int n_warps = (Threads + 31) / 32;
  struct Storage {
    InUse<Threads> use;
    T of_warp[n_warps];
  };
  template <class F> static __device__ T reduce(Storage &s, T v, F op, int n) {
    int t = thread(), warp = t / 32;
    v = reduce_lanes<32>(v, op, n - 1 - warp * 32);
    if (lane() == 0)
      s.of_warp[warp] = v;
    __syncthreads();
    if (t == 0)
      for (int w = 1; w < n_warps; w++)
        if (w * 32 < n)
          v = op(v, s.of_warp[w]);
    return v;
  }
};

// The first warp's threads each reduce a run of values, then the warp theirs.
template <class T, int Threads> struct ReduceByRaking {
  static constexpr int run = (Threads + 31) / 32, n_runs = (Threads + run - 1) / run;
  struct Storage {
    InUse<Threads> use;
    T of_thread[Threads];
  };
  template <class F> static __device__ T reduce(Storage &s, T v, F op, int n) {
    int t = thread();
    if constexpr (Threads <= 32)
      return reduce_lanes<32>(v, op, n - 1);
    s.of_thread[t] = v;
    __syncthreads();
    if (t < 32) {
      int first = t * run;
      if (t < n_runs) {
        v = s.of_thread[first];
        for (int i = 1; i < run; i++)
          if (first + i < n && first + i < Threads)
            v = op(v, s.of_thread[first + i]);
      }
      v = reduce_lanes<32>(v, op, (n + run - 1) / run - 1);
    }
    return v;
  }
};

// The first warp begins with its own values: for operators that commute.
template <class T, int Threads> struct ReduceByRakingAcross {
  static constexpr int n_others = Threads > 32 ? Threads - 32 : 1, run = (n_others + 31) / 32;
  struct Storage {
    InUse<Threads> use;
    T of_thread[Threads];
  };
  template <class F> static __device__ T reduce(Storage &s, T v, F op, int n) {
    if (Threads <= 32 || Threads % 32 != 0 || n < Threads)
      return ReduceByRaking<T, Threads>::reduce((typename ReduceByRaking<T, Threads>::Storage &)s, v, op, n);
    int t = thread();
    if (t >= 32)
      s.of_thread[t - 32] = v;
    __syncthreads();
    if (t < 32) {
      for (int i = 0; i < run; i++)
        v = op(v, s.of_thread[t * run + i]);
      v = reduce_lanes<32>(v, op, 31);
    }
    return v;
  }
};

template <class T, int Threads, int A> struct Reduction : ReduceByWarps<T, Threads> {};
template <class T, int Threads> struct Reduction<T, Threads, cub::BLOCK_REDUCE_RAKING> : ReduceByRaking<T, Threads> {};
template <class T, int Threads> struct Reduction<T, Threads, cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY> : ReduceByRakingAcross<T, Threads> {};
}

namespace cub {
template <class T, int BLOCK_DIM_X, BlockReduceAlgorithm ALGORITHM = BLOCK_REDUCE_WARP_REDUCTIONS, int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockReduce {
  static constexpr int Threads = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z;
  typedef __hd_cub::Reduction<T, Threads, ALGORITHM> Reduction;

public:
  typedef typename Reduction::Storage TempStorage;

private:
  TempStorage &storage;
  static __device__ TempStorage &own() {
    __shared__ TempStorage storage;
    return storage;
  }

public:
  __device__ BlockReduce() : storage(own()) {}
  __device__ BlockReduce(TempStorage &storage) : storage(storage) {}
  template <class F> __device__ T Reduce(T v, F op) { return Reduce(v, op, Threads); }
  template <class F> __device__ T Reduce(T v, F op, int num_valid) {
    storage.use.begin();
    v = Reduction::reduce(storage, v, op, num_valid);
    storage.use.end();
    return v;
  }
  template <int N, class F> __device__ T Reduce(T (&items)[N], F op) { return Reduce(__hd_cub::reduce_items(items, op), op); }
  __device__ T Sum(T v) { return Reduce(v, cub::Sum()); }
  __device__ T Sum(T v, int num_valid) { return Reduce(v, cub::Sum(), num_valid); }
  template <int N> __device__ T Sum(T (&items)[N]) { return Reduce(items, cub::Sum()); }
};
}
