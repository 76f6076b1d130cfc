// SPDX-License-Identifier: Apache-2.0
// cub::BlockLoad: items of an array in global memory to those of threads.
#pragma once
#include <cub/block/block_exchange.cuh>

namespace cub {
enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT,
  BLOCK_LOAD_STRIPED,
  BLOCK_LOAD_VECTORIZE,
  BLOCK_LOAD_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};
}

namespace __hd_cub {
template <class Place, class T, int N, class It> __device__ void load(int t, It from, T (&items)[N]) {
  for (int i = 0; i < N; i++)
    items[i] = from[Place::place(t, i)];
}
template <class Place, class T, int N, class It> __device__ void load(int t, It from, T (&items)[N], int n) {
  for (int i = 0; i < N; i++)
    if (Place::place(t, i) < n)
      items[i] = from[Place::place(t, i)];
}
template <class Place, class T, int N, class It, class D> __device__ void load(int t, It from, T (&items)[N], int n, D rest) {
  for (int i = 0; i < N; i++)
    items[i] = (T)rest;
  load<Place>(t, from, items, n);
}
}

namespace cub {
template <class T, int N, class It> __device__ void LoadDirectBlocked(int t, It from, T (&items)[N]) { __hd_cub::load<__hd_cub::Blocked<0, N>>(t, from, items); }
template <class T, int N, class It> __device__ void LoadDirectBlocked(int t, It from, T (&items)[N], int n) { __hd_cub::load<__hd_cub::Blocked<0, N>>(t, from, items, n); }
template <class T, class D, int N, class It> __device__ void LoadDirectBlocked(int t, It from, T (&items)[N], int n, D rest) { __hd_cub::load<__hd_cub::Blocked<0, N>>(t, from, items, n, rest); }
template <class T, int N> __device__ void LoadDirectBlockedVectorized(int t, T *from, T (&items)[N]) { __hd_cub::load<__hd_cub::Blocked<0, N>>(t, from, items); }
template <int Threads, class T, int N, class It> __device__ void LoadDirectStriped(int t, It from, T (&items)[N]) { __hd_cub::load<__hd_cub::Striped<Threads, N>>(t, from, items); }
template <int Threads, class T, int N, class It> __device__ void LoadDirectStriped(int t, It from, T (&items)[N], int n) { __hd_cub::load<__hd_cub::Striped<Threads, N>>(t, from, items, n); }
template <int Threads, class T, class D, int N, class It> __device__ void LoadDirectStriped(int t, It from, T (&items)[N], int n, D rest) { __hd_cub::load<__hd_cub::Striped<Threads, N>>(t, from, items, n, rest); }
template <class T, int N, class It> __device__ void LoadDirectWarpStriped(int t, It from, T (&items)[N]) { __hd_cub::load<__hd_cub::WarpStriped<32, N>>(t, from, items); }
template <class T, int N, class It> __device__ void LoadDirectWarpStriped(int t, It from, T (&items)[N], int n) { __hd_cub::load<__hd_cub::WarpStriped<32, N>>(t, from, items, n); }
template <class T, class D, int N, class It> __device__ void LoadDirectWarpStriped(int t, It from, T (&items)[N], int n, D rest) { __hd_cub::load<__hd_cub::WarpStriped<32, N>>(t, from, items, n, rest); }
}

namespace __hd_cub {
// How an algorithm gets items: the place in which they are loaded, and what is
// exchanged then.
template <class T, int Threads, int N, class In> struct LoadPlain {
  struct Storage { char unused; };
  static __device__ void finish(Storage &s, T (&items)[N]) {}
  typedef In Place;
};
template <class T, int Threads, int N, class In, bool IsInWarp> struct LoadExchanged {
  struct Storage {
    std::conditional_t<IsInWarp, InUseByWarps<Threads>, InUse<Threads>> use;
    T items[Threads * N];
  };
  static __device__ void finish(Storage &s, T (&items)[N]) {
    s.use.begin();
    exchange<In, Blocked<Threads, N>, T, Threads, N>(s.items, items, items, IsInWarp);
    s.use.end();
  }
  typedef In Place;
};
template <class T, int Threads, int N, int A> struct Loading : LoadPlain<T, Threads, N, Blocked<Threads, N>> {};
template <class T, int Threads, int N> struct Loading<T, Threads, N, cub::BLOCK_LOAD_STRIPED> : LoadPlain<T, Threads, N, Striped<Threads, N>> {};
template <class T, int Threads, int N> struct Loading<T, Threads, N, cub::BLOCK_LOAD_TRANSPOSE> : LoadExchanged<T, Threads, N, Striped<Threads, N>, false> {};
template <class T, int Threads, int N> struct Loading<T, Threads, N, cub::BLOCK_LOAD_WARP_TRANSPOSE> : LoadExchanged<T, Threads, N, WarpStriped<Threads, N>, true> {};
template <class T, int Threads, int N> struct Loading<T, Threads, N, cub::BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED> : LoadExchanged<T, Threads, N, WarpStriped<Threads, N>, true> {};
}

namespace cub {
template <class T, int BLOCK_DIM_X, int ITEMS_PER_THREAD, BlockLoadAlgorithm ALGORITHM = BLOCK_LOAD_DIRECT, int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockLoad {
  static constexpr int Threads = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z, N = ITEMS_PER_THREAD;
  typedef __hd_cub::Loading<T, Threads, N, ALGORITHM> Loading;
  typedef typename Loading::Place Place;

public:
  typedef typename Loading::Storage TempStorage;

private:
  TempStorage &storage;
  static __device__ TempStorage &own() {
    __shared__ TempStorage storage;
    return storage;
  }

public:
  __device__ BlockLoad() : storage(own()) {}
  __device__ BlockLoad(TempStorage &storage) : storage(storage) {}
  template <class It> __device__ void Load(It from, T (&items)[N]) {
    __hd_cub::load<Place>(__hd_cub::thread(), from, items);
    Loading::finish(storage, items);
  }
  template <class It> __device__ void Load(It from, T (&items)[N], int valid_items) {
    __hd_cub::load<Place>(__hd_cub::thread(), from, items, valid_items);
    Loading::finish(storage, items);
  }
  template <class It, class D> __device__ void Load(It from, T (&items)[N], int valid_items, D oob_default) {
    __hd_cub::load<Place>(__hd_cub::thread(), from, items, valid_items, oob_default);
    Loading::finish(storage, items);
  }
};
}
