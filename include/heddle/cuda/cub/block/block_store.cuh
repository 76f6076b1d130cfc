// SPDX-License-Identifier: Apache-2.0
// cub::BlockStore: items of threads to an array in global memory.
#pragma once
#include <cub/block/block_exchange.cuh>

namespace cub {
enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT,
  BLOCK_STORE_STRIPED,
  BLOCK_STORE_VECTORIZE,
  BLOCK_STORE_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};
}

namespace __hd_cub {
template <class Place, class T, int N, class It> __device__ void store(int t, It to, T (&items)[N]) {
  for (int i = 0; i < N; i++)
    to[Place::place(t, i)] = items[i];
}
template <class Place, class T, int N, class It> __device__ void store(int t, It to, T (&items)[N], int n) {
  for (int i = 0; i < N; i++)
    if (Place::place(t, i) < n)
      to[Place::place(t, i)] = items[i];
}
}

namespace cub {
template <class T, int N, class It> __device__ void StoreDirectBlocked(int t, It to, T (&items)[N]) { __hd_cub::store<__hd_cub::Blocked<0, N>>(t, to, items); }
template <class T, int N, class It> __device__ void StoreDirectBlocked(int t, It to, T (&items)[N], int n) { __hd_cub::store<__hd_cub::Blocked<0, N>>(t, to, items, n); }
template <class T, int N> __device__ void StoreDirectBlockedVectorized(int t, T *to, T (&items)[N]) { __hd_cub::store<__hd_cub::Blocked<0, N>>(t, to, items); }
template <int Threads, class T, int N, class It> __device__ void StoreDirectStriped(int t, It to, T (&items)[N]) { __hd_cub::store<__hd_cub::Striped<Threads, N>>(t, to, items); }
template <int Threads, class T, int N, class It> __device__ void StoreDirectStriped(int t, It to, T (&items)[N], int n) { __hd_cub::store<__hd_cub::Striped<Threads, N>>(t, to, items, n); }
template <class T, int N, class It> __device__ void StoreDirectWarpStriped(int t, It to, T (&items)[N]) { __hd_cub::store<__hd_cub::WarpStriped<32, N>>(t, to, items); }
template <class T, int N, class It> __device__ void StoreDirectWarpStriped(int t, It to, T (&items)[N], int n) { __hd_cub::store<__hd_cub::WarpStriped<32, N>>(t, to, items, n); }
}

namespace __hd_cub {
template <class T, int Threads, int N, class Out> struct StorePlain {
  struct Storage { char unused; };
  static __device__ void begin(Storage &s, T (&items)[N]) {}
  typedef Out Place;
};
template <class T, int Threads, int N, class Out, bool IsInWarp> struct StoreExchanged {
  struct Storage {
    std::conditional_t<IsInWarp, InUseByWarps<Threads>, InUse<Threads>> use;
    T items[Threads * N];
  };
  static __device__ void begin(Storage &s, T (&items)[N]) {
    s.use.begin();
    exchange<Blocked<Threads, N>, Out, T, Threads, N>(s.items, items, items, IsInWarp);
    s.use.end();
  }
  typedef Out Place;
};
template <class T, int Threads, int N, int A> struct Storing : StorePlain<T, Threads, N, Blocked<Threads, N>> {};
template <class T, int Threads, int N> struct Storing<T, Threads, N, cub::BLOCK_STORE_STRIPED> : StorePlain<T, Threads, N, Striped<Threads, N>> {};
template <class T, int Threads, int N> struct Storing<T, Threads, N, cub::BLOCK_STORE_TRANSPOSE> : StoreExchanged<T, Threads, N, Striped<Threads, N>, false> {};
template <class T, int Threads, int N> struct Storing<T, Threads, N, cub::BLOCK_STORE_WARP_TRANSPOSE> : StoreExchanged<T, Threads, N, WarpStriped<Threads, N>, true> {};
template <class T, int Threads, int N> struct Storing<T, Threads, N, cub::BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED> : StoreExchanged<T, Threads, N, WarpStriped<Threads, N>, true> {};
}

namespace cub {
template <class T, int BLOCK_DIM_X, int ITEMS_PER_THREAD, BlockStoreAlgorithm ALGORITHM = BLOCK_STORE_DIRECT, int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockStore {
  static constexpr int Threads = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z, N = ITEMS_PER_THREAD;
  typedef __hd_cub::Storing<T, Threads, N, ALGORITHM> Storing;
  typedef typename Storing::Place Place;

public:
  typedef typename Storing::Storage TempStorage;

private:
  TempStorage &storage;
  static __device__ TempStorage &own() {
    __shared__ TempStorage storage;
    return storage;
  }

public:
  __device__ BlockStore() : storage(own()) {}
  __device__ BlockStore(TempStorage &storage) : storage(storage) {}
  template <class It> __device__ void Store(It to, T (&items)[N]) {
    Storing::begin(storage, items);
    __hd_cub::store<Place>(__hd_cub::thread(), to, items);
  }
  template <class It> __device__ void Store(It to, T (&items)[N], int valid_items) {
    Storing::begin(storage, items);
    __hd_cub::store<Place>(__hd_cub::thread(), to, items, valid_items);
  }
};
}
