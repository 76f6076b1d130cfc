// SPDX-License-Identifier: Apache-2.0
// cub::BlockExchange: items of a thread in one place of a block's or a warp's
// array to another, by shared memory.
#pragma once
#include <cub/util_type.cuh>

namespace __hd_cub {
// Places of item i of thread t in the array of all items.
template <int Threads, int N> struct Blocked {
  static __device__ int place(int t, int i) { return t * N + i; }
};
template <int Threads, int N> struct Striped {
  static __device__ int place(int t, int i) { return i * Threads + t; }
};
template <int Threads, int N> struct WarpStriped {
  static constexpr int width = Threads < 32 ? Threads : 32;
  static __device__ int place(int t, int i) { return t / 32 * (32 * N) + i * width + t % 32; }
};

// Several values may change places in turns of the same memory.
template <class From, class To, class T, int Threads, int N, class U> __device__ void exchange(T (&s)[Threads * N], const U (&in)[N], U (&out)[N], bool is_in_warp) {
  int t = thread();
  for (int i = 0; i < N; i++)
    s[From::place(t, i)] = in[i];
  if (is_in_warp)
    __syncwarp();
  else
    __syncthreads();
  for (int i = 0; i < N; i++)
    out[i] = s[To::place(t, i)];
}
}

namespace cub {
template <class T, int BLOCK_DIM_X, int ITEMS_PER_THREAD, bool WARP_TIME_SLICING = false, int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockExchange {
  static constexpr int Threads = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z, N = ITEMS_PER_THREAD;
  typedef __hd_cub::Blocked<Threads, N> Blocked;
  typedef __hd_cub::Striped<Threads, N> Striped;
  typedef __hd_cub::WarpStriped<Threads, N> WarpStriped;

public:
  struct TempStorage {
    __hd_cub::InUse<Threads> use;
    T items[Threads * N];
  };

private:
  TempStorage &storage;
  static __device__ TempStorage &own() {
    __shared__ TempStorage storage;
    return storage;
  }

public:
  __device__ BlockExchange() : storage(own()) {}
  __device__ BlockExchange(TempStorage &storage) : storage(storage) {}
  template <class U> __device__ void StripedToBlocked(const T (&in)[N], U (&out)[N]) { __hd_cub::exchange<Striped, Blocked, T, Threads, N>(storage.items, in, out, false); }
  template <class U> __device__ void BlockedToStriped(const T (&in)[N], U (&out)[N]) { __hd_cub::exchange<Blocked, Striped, T, Threads, N>(storage.items, in, out, false); }
  template <class U> __device__ void WarpStripedToBlocked(const T (&in)[N], U (&out)[N]) { __hd_cub::exchange<WarpStriped, Blocked, T, Threads, N>(storage.items, in, out, true); }
  template <class U> __device__ void BlockedToWarpStriped(const T (&in)[N], U (&out)[N]) { __hd_cub::exchange<Blocked, WarpStriped, T, Threads, N>(storage.items, in, out, true); }
  __device__ void StripedToBlocked(T (&items)[N]) { StripedToBlocked(items, items); }
  __device__ void BlockedToStriped(T (&items)[N]) { BlockedToStriped(items, items); }
  __device__ void WarpStripedToBlocked(T (&items)[N]) { WarpStripedToBlocked(items, items); }
  __device__ void BlockedToWarpStriped(T (&items)[N]) { BlockedToWarpStriped(items, items); }
  template <class U, class Rank> __device__ void ScatterToBlocked(const T (&in)[N], U (&out)[N], Rank (&ranks)[N]) {
    for (int i = 0; i < N; i++)
      storage.items[ranks[i]] = in[i];
    __syncthreads();
    for (int i = 0; i < N; i++)
      out[i] = storage.items[Blocked::place(__hd_cub::thread(), i)];
  }
  template <class U, class Rank> __device__ void ScatterToStriped(const T (&in)[N], U (&out)[N], Rank (&ranks)[N]) {
    for (int i = 0; i < N; i++)
      storage.items[ranks[i]] = in[i];
    __syncthreads();
    for (int i = 0; i < N; i++)
      out[i] = storage.items[Striped::place(__hd_cub::thread(), i)];
  }
  template <class Rank> __device__ void ScatterToBlocked(T (&items)[N], Rank (&ranks)[N]) { ScatterToBlocked(items, items, ranks); }
  template <class Rank> __device__ void ScatterToStriped(T (&items)[N], Rank (&ranks)[N]) { ScatterToStriped(items, items, ranks); }
  // Items without a place, those of a rank below 0 or without a flag, are dropped.
  template <class U, class Rank> __device__ void ScatterToStripedGuarded(const T (&in)[N], U (&out)[N], Rank (&ranks)[N]) {
    for (int i = 0; i < N; i++)
      if (ranks[i] >= 0)
        storage.items[ranks[i]] = in[i];
    __syncthreads();
    for (int i = 0; i < N; i++)
      out[i] = storage.items[Striped::place(__hd_cub::thread(), i)];
  }
  template <class U, class Rank, class Flag> __device__ void ScatterToStripedFlagged(const T (&in)[N], U (&out)[N], Rank (&ranks)[N], Flag (&is_valid)[N]) {
    for (int i = 0; i < N; i++)
      if (is_valid[i])
        storage.items[ranks[i]] = in[i];
    __syncthreads();
    for (int i = 0; i < N; i++)
      out[i] = storage.items[Striped::place(__hd_cub::thread(), i)];
  }
};
}
