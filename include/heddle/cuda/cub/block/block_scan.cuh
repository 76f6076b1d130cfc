// SPDX-License-Identifier: Apache-2.0
// cub::BlockScan. What is combined with what is CUB's order, so that sums of
// floats have CUB's bits.
#pragma once
#include <cub/thread/thread_reduce.cuh>
#include <cub/warp/warp_scan.cuh>

namespace cub {
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
}

namespace __hd_cub {
// What a scan of the threads' values begins with: nothing, a value that all
// threads have, or what a function of the block's sum gives the first warp.
struct FromNothing {
  static constexpr bool is_there = false, is_callback = false;
};
template <class T> struct FromValue {
  static constexpr bool is_there = true, is_callback = false;
  T value;
  __device__ FromValue(T value) : value(value) {}
  __device__ T of(const T &sum) { return value; }
};
template <class T, class C> struct FromCallback {
  static constexpr bool is_there = true, is_callback = true;
  C &callback;
  __device__ FromCallback(C &callback) : callback(callback) {}
  __device__ T of(const T &sum) { return callback(sum); }
};

// Each warp scans its values; all threads add up the sums of the warps.
template <class T, int Threads> struct ScanByWarps {
  static constexpr int n_warps = (Threads + 31) / 32;
  struct Storage {
    InUse<Threads> use;
    T of_warp[n_warps];
    T before;
  };
  template <class F, class B> static __device__ void scan(Storage &s, T in, T &inclusive, T &exclusive, T &aggregate, F op, B &begin) {
    int t = thread(), warp = t / 32, lane = t % 32;
    T sum = scan_lanes<32>(in, op), before = __shfl_up_sync(0xffffffffu, sum, 1);
    if (lane == 31 || t == Threads - 1)
      s.of_warp[warp] = sum;
    __syncthreads();
    T whole = s.of_warp[0], of_warps = whole;
    for (int w = 1; w < n_warps; w++) {
      if (w == warp)
        of_warps = whole;
      whole = op(whole, s.of_warp[w]);
    }
    bool has_before = warp > 0;
    if constexpr (B::is_there && !B::is_callback) {
      of_warps = warp > 0 ? op(begin.value, of_warps) : begin.value;
      has_before = true;
    }
    if (has_before) {
      before = lane == 0 ? of_warps : op(of_warps, before);
      sum = op(of_warps, sum);
    }
    if constexpr (B::is_callback) {
      if (warp == 0) {
        T first = begin.of(whole);
        if (lane == 0)
          s.before = first;
      }
      __syncthreads();
      T first = s.before;
      before = t == 0 ? first : op(first, before);
      sum = op(first, sum);
    }
    aggregate = whole;
    exclusive = before;
    inclusive = sum;
  }
};

// The first warp's threads each reduce a run of values, scan the sums, and
// then scan their runs.
template <class T, int Threads> struct ScanByRaking {
  static constexpr int run = (Threads + 31) / 32, n_runs = (Threads + run - 1) / run;
  struct Storage {
    InUse<Threads> use;
    T of_thread[Threads];
    T aggregate;
  };
  template <class F, class B> static __device__ void scan(Storage &s, T in, T &inclusive, T &exclusive, T &aggregate, F op, B &begin) {
    int t = thread();
    s.of_thread[t] = in;
    __syncthreads();
    if (t < 32) {
      int first = min(t, n_runs - 1) * run;
      T sum = s.of_thread[first];
      for (int i = 1; i < run; i++)
        if (first + i < Threads)
          sum = op(sum, s.of_thread[first + i]);
      sum = scan_lanes<32>(sum, op);
      T whole = __shfl_sync(0xffffffffu, sum, n_runs - 1), before = __shfl_up_sync(0xffffffffu, sum, 1);
      bool has_before = t > 0;
      if constexpr (B::is_there) {
        T start = __shfl_sync(0xffffffffu, begin.of(whole), 0);
        before = t == 0 ? start : op(start, before);
        has_before = true;
      }
      if (t < n_runs)
        for (int i = 0; i < run; i++)
          if (first + i < Threads) {
            T item = s.of_thread[first + i];
            s.of_thread[first + i] = before;
            before = has_before ? op(before, item) : item;
            has_before = true;
          }
      if (t == 0)
        s.aggregate = whole;
    }
    __syncthreads();
    T before = s.of_thread[t];
    aggregate = s.aggregate;
    exclusive = before;
    inclusive = B::is_there || t > 0 ? op(before, in) : in;
  }
};

template <class T, int Threads, bool IsByWarps> struct Scanning : ScanByRaking<T, Threads> {};
template <class T, int Threads> struct Scanning<T, Threads, true> : ScanByWarps<T, Threads> {};
}

namespace cub {
template <class T, int BLOCK_DIM_X, BlockScanAlgorithm ALGORITHM = BLOCK_SCAN_RAKING, int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockScan {
  static constexpr int Threads = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z;
  typedef __hd_cub::Scanning<T, Threads, Threads <= 32 || (ALGORITHM == BLOCK_SCAN_WARP_SCANS && Threads % 32 == 0)> Scanning;
  typedef __hd_cub::FromNothing Nothing;
  typedef __hd_cub::FromValue<T> Value;
  template <class C> using Callback = __hd_cub::FromCallback<T, C>;

public:
  typedef typename Scanning::Storage TempStorage;

private:
  TempStorage &storage;
  static __device__ TempStorage &own() {
    __shared__ TempStorage storage;
    return storage;
  }
  template <class F, class B> __device__ void inclusive(T in, T &out, F op, B begin, T &aggregate) {
    T before;
    storage.use.begin();
    Scanning::scan(storage, in, out, before, aggregate, op, begin);
    storage.use.end();
  }
  template <class F, class B> __device__ void exclusive(T in, T &out, F op, B begin, T &aggregate) {
    T sum;
    storage.use.begin();
    Scanning::scan(storage, in, sum, out, aggregate, op, begin);
    storage.use.end();
  }
  template <int N, class F, class B> __device__ void inclusive(T (&in)[N], T (&out)[N], F op, B begin, T &aggregate) {
    T before;
    exclusive(__hd_cub::reduce_items(in, op), before, op, begin, aggregate);
    __hd_cub::scan_inclusive(in, out, op, before, B::is_there || __hd_cub::thread() > 0);
  }
  template <int N, class F, class B> __device__ void exclusive(T (&in)[N], T (&out)[N], F op, B begin, T &aggregate) {
    T before;
    exclusive(__hd_cub::reduce_items(in, op), before, op, begin, aggregate);
    __hd_cub::scan_exclusive(in, out, op, before, B::is_there || __hd_cub::thread() > 0);
  }

public:
  __device__ BlockScan() : storage(own()) {}
  __device__ BlockScan(TempStorage &storage) : storage(storage) {}

  template <class F> __device__ void InclusiveScan(T in, T &out, F op) {
    T sum;
    inclusive(in, out, op, Nothing(), sum);
  }
  template <class F> __device__ void InclusiveScan(T in, T &out, F op, T &aggregate) { inclusive(in, out, op, Nothing(), aggregate); }
  template <class F, class C> __device__ void InclusiveScan(T in, T &out, F op, C &callback) {
    T sum;
    inclusive(in, out, op, Callback<C>(callback), sum);
  }
  template <int N, class F> __device__ void InclusiveScan(T (&in)[N], T (&out)[N], F op) {
    T sum;
    inclusive(in, out, op, Nothing(), sum);
  }
  template <int N, class F> __device__ void InclusiveScan(T (&in)[N], T (&out)[N], F op, T &aggregate) { inclusive(in, out, op, Nothing(), aggregate); }
  template <int N, class F> __device__ void InclusiveScan(T (&in)[N], T (&out)[N], T initial, F op) {
    T sum;
    inclusive(in, out, op, Value(initial), sum);
  }
  template <int N, class F> __device__ void InclusiveScan(T (&in)[N], T (&out)[N], T initial, F op, T &aggregate) { inclusive(in, out, op, Value(initial), aggregate); }
  template <int N, class F, class C> __device__ void InclusiveScan(T (&in)[N], T (&out)[N], F op, C &callback) {
    T sum;
    inclusive(in, out, op, Callback<C>(callback), sum);
  }

  template <class F> __device__ void ExclusiveScan(T in, T &out, T initial, F op) {
    T sum;
    exclusive(in, out, op, Value(initial), sum);
  }
  template <class F> __device__ void ExclusiveScan(T in, T &out, T initial, F op, T &aggregate) { exclusive(in, out, op, Value(initial), aggregate); }
  // Without an initial value, thread 0 gets nothing that means something.
  template <class F> __device__ void ExclusiveScan(T in, T &out, F op) {
    T sum;
    exclusive(in, out, op, Nothing(), sum);
  }
  template <class F> __device__ void ExclusiveScan(T in, T &out, F op, T &aggregate) { exclusive(in, out, op, Nothing(), aggregate); }
  template <class F, class C> __device__ void ExclusiveScan(T in, T &out, F op, C &callback) {
    T sum;
    exclusive(in, out, op, Callback<C>(callback), sum);
  }
  template <int N, class F> __device__ void ExclusiveScan(T (&in)[N], T (&out)[N], T initial, F op) {
    T sum;
    exclusive(in, out, op, Value(initial), sum);
  }
  template <int N, class F> __device__ void ExclusiveScan(T (&in)[N], T (&out)[N], T initial, F op, T &aggregate) { exclusive(in, out, op, Value(initial), aggregate); }
  template <int N, class F> __device__ void ExclusiveScan(T (&in)[N], T (&out)[N], F op) {
    T sum;
    exclusive(in, out, op, Nothing(), sum);
  }
  template <int N, class F> __device__ void ExclusiveScan(T (&in)[N], T (&out)[N], F op, T &aggregate) { exclusive(in, out, op, Nothing(), aggregate); }
  template <int N, class F, class C> __device__ void ExclusiveScan(T (&in)[N], T (&out)[N], F op, C &callback) {
    T sum;
    exclusive(in, out, op, Callback<C>(callback), sum);
  }

  __device__ void InclusiveSum(T in, T &out) { InclusiveScan(in, out, cub::Sum()); }
  __device__ void InclusiveSum(T in, T &out, T &aggregate) { InclusiveScan(in, out, cub::Sum(), aggregate); }
  template <class C> __device__ void InclusiveSum(T in, T &out, C &callback) { InclusiveScan(in, out, cub::Sum(), callback); }
  template <int N> __device__ void InclusiveSum(T (&in)[N], T (&out)[N]) { InclusiveScan(in, out, cub::Sum()); }
  template <int N> __device__ void InclusiveSum(T (&in)[N], T (&out)[N], T &aggregate) { InclusiveScan(in, out, cub::Sum(), aggregate); }
  template <int N, class C> __device__ void InclusiveSum(T (&in)[N], T (&out)[N], C &callback) { InclusiveScan(in, out, cub::Sum(), callback); }
  __device__ void ExclusiveSum(T in, T &out) { ExclusiveScan(in, out, T(), cub::Sum()); }
  __device__ void ExclusiveSum(T in, T &out, T &aggregate) { ExclusiveScan(in, out, T(), cub::Sum(), aggregate); }
  template <class C> __device__ void ExclusiveSum(T in, T &out, C &callback) { ExclusiveScan(in, out, cub::Sum(), callback); }
  template <int N> __device__ void ExclusiveSum(T (&in)[N], T (&out)[N]) { ExclusiveScan(in, out, T(), cub::Sum()); }
  template <int N> __device__ void ExclusiveSum(T (&in)[N], T (&out)[N], T &aggregate) { ExclusiveScan(in, out, T(), cub::Sum(), aggregate); }
  template <int N, class C> __device__ void ExclusiveSum(T (&in)[N], T (&out)[N], C &callback) { ExclusiveScan(in, out, cub::Sum(), callback); }
};
}
