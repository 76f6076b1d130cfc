// SPDX-License-Identifier: Apache-2.0
// cub::BlockRadixSort. The result of a radix sort is that of any sort that
// compares the same bits and is stable: here each thread sorts its items, then
// runs are merged, which touches places that don't depend on the keys.
#pragma once
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_scan.cuh>

namespace __hd_cub {
// The bits of a key, in an order of unsigned numbers; both zeros are one key.
template <int Bytes> struct Word {};
template <> struct Word<1> { typedef unsigned char type; };
template <> struct Word<2> { typedef unsigned short type; };
template <> struct Word<4> { typedef unsigned type; };
template <> struct Word<8> { typedef unsigned long long type; };

template <class K> struct IsReal { static constexpr bool value = false; };
template <> struct IsReal<float> { static constexpr bool value = true; };
template <> struct IsReal<double> { static constexpr bool value = true; };
template <> struct IsReal<__half> { static constexpr bool value = true; };
template <> struct IsReal<__nv_bfloat16> { static constexpr bool value = true; };

template <class K> __device__ typename Word<sizeof(K)>::type key_bits(K key) {
  typedef typename Word<sizeof(K)>::type Bits;
  constexpr Bits top = (Bits)((Bits)1 << (8 * sizeof(K) - 1));
  if constexpr (IsReal<K>::value) {
    Bits bits = *(Bits *)&key;
    if (bits == top)
      bits = 0;
    return (Bits)(bits & top ? ~bits : bits ^ top);
  } else if constexpr (std::is_signed<K>::value) {
    return (Bits)((Bits)key ^ top);
  } else {
    return (Bits)key;
  }
}

// What is compared: some of the bits, from the top if the order is reversed.
template <class K> struct Digits {
  typedef typename Word<sizeof(K)>::type Bits;
  int begin, n;
  bool is_reversed;
  __device__ bool less(K a, K b) const {
    Bits x = key_bits(a) >> begin, y = key_bits(b) >> begin;
    if (n < 8 * (int)sizeof(K)) {
      Bits mask = (Bits)(((Bits)1 << n) - 1);
      x &= mask;
      y &= mask;
    }
    return is_reversed ? y < x : x < y;
  }
};

// Keys, and values that move with them, or cub::NullType.
template <class K, class V, int N> struct Pairs {
  static __device__ void sort(K (&keys)[N], V (&values)[N], const Digits<K> &digits) {
    for (int turn = 0; turn < N; turn++)
      for (int i = turn % 2; i + 1 < N; i += 2)
        if (digits.less(keys[i + 1], keys[i])) {
          K key = keys[i];
          keys[i] = keys[i + 1];
          keys[i + 1] = key;
          V value = values[i];
          values[i] = values[i + 1];
          values[i + 1] = value;
        }
  }
};

template <class K, class V, int Threads, int N> struct Merging {
  static constexpr int n = Threads * N;
  struct Storage {
    InUse<Threads> use;
    K keys[n];
    V values[n];
  };
  static __device__ K key_at(Storage &s, int i) { return s.keys[max(0, min(i, n - 1))]; }

  // How many of the first `at` items of the merged runs [first, middle) and
  // [middle, end) are of the first run.
  static __device__ int of_first_run(Storage &s, int first, int middle, int end, int at, const Digits<K> &digits) {
    int low = max(0, at - (end - middle)), high = min(at, middle - first);
    while (low < high) {
      int i = (low + high) / 2;
      if (digits.less(key_at(s, middle + at - 1 - i), key_at(s, first + i)))
        high = i;
      else
        low = i + 1;
    }
    return low;
  }

  static __device__ void merge(Storage &s, K (&keys)[N], V (&values)[N], int width, const Digits<K> &digits) {
    int place = thread() * N, first = place / (2 * width) * (2 * width);
    int middle = min(first + width, n), end = min(first + 2 * width, n), at = place - first;
    int a = of_first_run(s, first, middle, end, at, digits), b = middle + at - a;
    a += first;
    for (int i = 0; i < N; i++) {
      bool is_second = a >= middle || (b < end && digits.less(key_at(s, b), key_at(s, a)));
      int from = max(0, min(is_second ? b : a, n - 1));
      keys[i] = s.keys[from];
      values[i] = s.values[from];
      a += is_second ? 0 : 1;
      b += is_second ? 1 : 0;
    }
  }

  static __device__ void sort(Storage &s, K (&keys)[N], V (&values)[N], const Digits<K> &digits) {
    s.use.begin();
    Pairs<K, V, N>::sort(keys, values, digits);
    for (int width = N; width < n; width *= 2) {
      for (int i = 0; i < N; i++) {
        s.keys[thread() * N + i] = keys[i];
        s.values[thread() * N + i] = values[i];
      }
      __syncthreads();
      merge(s, keys, values, width, digits);
      __syncthreads();
    }
    s.use.end();
  }
  static __device__ void to_striped(Storage &s, K (&keys)[N], V (&values)[N]) {
    exchange<Blocked<Threads, N>, Striped<Threads, N>, K, Threads, N>(s.keys, keys, keys, false);
    exchange<Blocked<Threads, N>, Striped<Threads, N>, V, Threads, N>(s.values, values, values, false);
    s.use.end();
  }
};
}

namespace cub {
template <class KeyT, int BLOCK_DIM_X, int ITEMS_PER_THREAD, class ValueT = NullType, int RADIX_BITS = 4, bool MEMOIZE_OUTER_SCAN = true, BlockScanAlgorithm INNER_SCAN_ALGORITHM = BLOCK_SCAN_WARP_SCANS, cudaSharedMemConfig SMEM_CONFIG = cudaSharedMemBankSizeFourByte, int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockRadixSort {
  static constexpr int Threads = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z, N = ITEMS_PER_THREAD, n_bits = sizeof(KeyT) * 8;
  typedef __hd_cub::Merging<KeyT, ValueT, Threads, N> Merging;

public:
  typedef typename Merging::Storage TempStorage;

private:
  TempStorage &storage;
  static __device__ TempStorage &own() {
    __shared__ TempStorage storage;
    return storage;
  }
  __device__ void sort(KeyT (&keys)[N], ValueT (&values)[N], int begin_bit, int end_bit, bool is_reversed, bool is_striped) {
    __hd_cub::Digits<KeyT> digits = {begin_bit, end_bit - begin_bit, is_reversed};
    if (end_bit > begin_bit)
      Merging::sort(storage, keys, values, digits);
    if (is_striped)
      Merging::to_striped(storage, keys, values);
  }
  __device__ void sort(KeyT (&keys)[N], int begin_bit, int end_bit, bool is_reversed, bool is_striped) {
    ValueT values[N];
    sort(keys, values, begin_bit, end_bit, is_reversed, is_striped);
  }

public:
  __device__ BlockRadixSort() : storage(own()) {}
  __device__ BlockRadixSort(TempStorage &storage) : storage(storage) {}
  __device__ void Sort(KeyT (&keys)[N], int begin_bit = 0, int end_bit = n_bits) { sort(keys, begin_bit, end_bit, false, false); }
  __device__ void Sort(KeyT (&keys)[N], ValueT (&values)[N], int begin_bit = 0, int end_bit = n_bits) { sort(keys, values, begin_bit, end_bit, false, false); }
  __device__ void SortDescending(KeyT (&keys)[N], int begin_bit = 0, int end_bit = n_bits) { sort(keys, begin_bit, end_bit, true, false); }
  __device__ void SortDescending(KeyT (&keys)[N], ValueT (&values)[N], int begin_bit = 0, int end_bit = n_bits) { sort(keys, values, begin_bit, end_bit, true, false); }
  __device__ void SortBlockedToStriped(KeyT (&keys)[N], int begin_bit = 0, int end_bit = n_bits) { sort(keys, begin_bit, end_bit, false, true); }
  __device__ void SortBlockedToStriped(KeyT (&keys)[N], ValueT (&values)[N], int begin_bit = 0, int end_bit = n_bits) { sort(keys, values, begin_bit, end_bit, false, true); }
  __device__ void SortDescendingBlockedToStriped(KeyT (&keys)[N], int begin_bit = 0, int end_bit = n_bits) { sort(keys, begin_bit, end_bit, true, true); }
  __device__ void SortDescendingBlockedToStriped(KeyT (&keys)[N], ValueT (&values)[N], int begin_bit = 0, int end_bit = n_bits) { sort(keys, values, begin_bit, end_bit, true, true); }
};
}
