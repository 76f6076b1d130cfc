// SPDX-License-Identifier: Apache-2.0
// Types and small functions that the rest of CUB names.
#pragma once
#include <type_traits>

#define CUB_PTX_WARP_THREADS     32
#define CUB_PTX_LOG_WARP_THREADS 5
#define CUB_MAX(a, b)            (((b) > (a)) ? (b) : (a))
#define CUB_MIN(a, b)            (((b) < (a)) ? (b) : (a))

enum cudaSharedMemConfig {
  cudaSharedMemBankSizeDefault = 0,
  cudaSharedMemBankSizeFourByte = 1,
  cudaSharedMemBankSizeEightByte = 2
};

namespace cub {
struct NullType {};
template <int N, int Current = N, int Count = 0> struct Log2 { enum { VALUE = Log2<N, (Current >> 1), Count + 1>::VALUE }; };
template <int N, int Count> struct Log2<N, 0, Count> { enum { VALUE = (1 << (Count - 1) < N) ? Count : Count - 1 }; };

template <class K, class V> struct KeyValuePair {
  typedef K Key;
  typedef V Value;
  Key key;
  Value value;
  KeyValuePair() = default;
  __device__ KeyValuePair(K const &k, V const &v) : key(k), value(v) {}
  __device__ bool operator!=(const KeyValuePair &other) { return (value != other.value) || (key != other.key); }
};

// Memory for a T whose constructor isn't called.
template <class T> struct Uninitialized {
  T value;
  __device__ T &Alias() { return value; }
};

template <class N, class M> __device__ constexpr auto DivideAndRoundUp(N n, M m) { return n / m + (n % m != 0 ? 1 : 0); }

__device__ inline int RowMajorTid(int x, int y, int z) {
  return (z == 1 ? 0 : (int)threadIdx.z * x * y) + (y == 1 ? 0 : (int)threadIdx.y * x) + (int)threadIdx.x;
}
unsigned LaneId() __heddle("(unsigned)(rank(this_block()) % 32)");
unsigned WarpId() __heddle("(unsigned)(rank(this_block()) / 32)");
__device__ inline unsigned LaneMaskLt() { return (1u << LaneId()) - 1; }
__device__ inline unsigned LaneMaskLe() { return (2u << LaneId()) - 1; }
__device__ inline unsigned LaneMaskGt() { return ~LaneMaskLe(); }
__device__ inline unsigned LaneMaskGe() { return ~LaneMaskLt(); }
__device__ inline void CTA_SYNC() { __syncthreads(); }
template <class T> __device__ unsigned BFE(T v, unsigned begin, unsigned n) { return (unsigned)((v >> begin) & (((T)1 << n) - 1)); }
}

namespace __hd_cub {
// The rank of the calling thread in its block, and in a logical warp.
int thread() __heddle("(int)rank(this_block())");
int lane() __heddle("(int)rank(this_block()) % 32");

// Stands first in the memory of what a block does together. A next use without
// a barrier before it is a race here, also where the algorithm has barriers
// enough of its own not to notice: CUB promises nothing without one.
template <int Threads> struct InUse {
  int mark;
  __device__ void begin() {
    if (Threads > 32 && thread() == 0)
      mark = 1;
  }
  __device__ void end() {
    if (Threads > 32)
      int seen = mark;
  }
};

// The same for what each warp of a block does on its own.
template <int Threads> struct InUseByWarps {
  int marks[(Threads + 31) / 32];
  __device__ void begin() {
    if (lane() == 0)
      marks[thread() / 32] = 1;
  }
  __device__ void end() { int seen = marks[thread() / 32]; }
};
}
