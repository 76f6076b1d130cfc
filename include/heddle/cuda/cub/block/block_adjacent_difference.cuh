// SPDX-License-Identifier: Apache-2.0
// cub::BlockAdjacentDifference and cub::BlockDiscontinuity: an operation of each
// item of a block and the one before or behind it.
#pragma once
#include <cub/util_type.cuh>

namespace __hd_cub {
// The first and the last item of each thread.
template <class T, int Threads> struct Edges {
  T first[Threads], last[Threads];
};

template <class Op, class T> __device__ auto compared(Op op, const T &a, const T &b, int index) -> decltype(op(a, b, index)) { return op(a, b, index); }
template <class Op, class T> __device__ auto compared(Op op, const T &a, const T &b, long) -> decltype(op(a, b)) { return op(a, b); }
}

namespace cub {
template <class T, int BLOCK_DIM_X, int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockAdjacentDifference {
  static constexpr int Threads = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z;

public:
  typedef __hd_cub::Edges<T, Threads> TempStorage;

private:
  TempStorage &storage;
  static __device__ TempStorage &own() {
    __shared__ TempStorage storage;
    return storage;
  }
  // Of items from n on the output is the input; so it is of the first one without
  // one before it.
  template <int N, class U, class Op> __device__ void left(T (&in)[N], U (&out)[N], Op op, int n, bool has_before, T before) {
    int t = __hd_cub::thread();
    storage.last[t] = in[N - 1];
    __syncthreads();
    for (int i = N - 1; i > 0; i--)
      out[i] = t * N + i < n ? op(in[i], in[i - 1]) : in[i];
    if (t > 0)
      before = storage.last[t - 1];
    out[0] = t * N < n && (t > 0 || has_before) ? op(in[0], before) : in[0];
  }
  template <int N, class U, class Op> __device__ void right(T (&in)[N], U (&out)[N], Op op, int n, bool has_behind, T behind) {
    int t = __hd_cub::thread();
    storage.first[t] = in[0];
    __syncthreads();
    for (int i = 0; i < N - 1; i++)
      out[i] = t * N + i + 1 < n ? op(in[i], in[i + 1]) : in[i];
    if (t < Threads - 1)
      behind = storage.first[t + 1];
    bool is_inside = t < Threads - 1 ? t * N + N < n : has_behind;
    out[N - 1] = is_inside ? op(in[N - 1], behind) : in[N - 1];
  }

public:
  __device__ BlockAdjacentDifference() : storage(own()) {}
  __device__ BlockAdjacentDifference(TempStorage &storage) : storage(storage) {}
  template <int N, class U, class Op> __device__ void SubtractLeft(T (&in)[N], U (&out)[N], Op op) { left(in, out, op, Threads * N, false, in[0]); }
  template <int N, class U, class Op> __device__ void SubtractLeft(T (&in)[N], U (&out)[N], Op op, T before) { left(in, out, op, Threads * N, true, before); }
  template <int N, class U, class Op> __device__ void SubtractLeftPartialTile(T (&in)[N], U (&out)[N], Op op, int n) { left(in, out, op, n, false, in[0]); }
  template <int N, class U, class Op> __device__ void SubtractLeftPartialTile(T (&in)[N], U (&out)[N], Op op, int n, T before) { left(in, out, op, n, true, before); }
  template <int N, class U, class Op> __device__ void SubtractRight(T (&in)[N], U (&out)[N], Op op) { right(in, out, op, Threads * N, false, in[0]); }
  template <int N, class U, class Op> __device__ void SubtractRight(T (&in)[N], U (&out)[N], Op op, T behind) { right(in, out, op, Threads * N, true, behind); }
  template <int N, class U, class Op> __device__ void SubtractRightPartialTile(T (&in)[N], U (&out)[N], Op op, int n) { right(in, out, op, n, false, in[0]); }
};

template <class T, int BLOCK_DIM_X, int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockDiscontinuity {
  static constexpr int Threads = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z;

public:
  typedef __hd_cub::Edges<T, Threads> TempStorage;

private:
  TempStorage &storage;
  static __device__ TempStorage &own() {
    __shared__ TempStorage storage;
    return storage;
  }
  template <int N> __device__ void share(T (&in)[N]) {
    storage.first[__hd_cub::thread()] = in[0];
    storage.last[__hd_cub::thread()] = in[N - 1];
    __syncthreads();
  }
  template <int N, class F, class Op> __device__ void heads(F (&flags)[N], T (&in)[N], Op op, bool has_before, T before) {
    int t = __hd_cub::thread();
    for (int i = 1; i < N; i++)
      flags[i] = __hd_cub::compared(op, in[i - 1], in[i], t * N + i);
    if (t > 0)
      before = storage.last[t - 1];
    if (t > 0 || has_before)
      flags[0] = __hd_cub::compared(op, before, in[0], t * N);
    else
      flags[0] = 1;
  }
  template <int N, class F, class Op> __device__ void tails(F (&flags)[N], T (&in)[N], Op op, bool has_behind, T behind) {
    int t = __hd_cub::thread();
    for (int i = 0; i < N - 1; i++)
      flags[i] = __hd_cub::compared(op, in[i], in[i + 1], t * N + i + 1);
    if (t < Threads - 1)
      behind = storage.first[t + 1];
    if (t < Threads - 1 || has_behind)
      flags[N - 1] = __hd_cub::compared(op, in[N - 1], behind, t * N + N);
    else
      flags[N - 1] = 1;
  }

public:
  __device__ BlockDiscontinuity() : storage(own()) {}
  __device__ BlockDiscontinuity(TempStorage &storage) : storage(storage) {}
  template <int N, class F, class Op> __device__ void FlagHeads(F (&flags)[N], T (&in)[N], Op op) { share(in); heads(flags, in, op, false, in[0]); }
  template <int N, class F, class Op> __device__ void FlagHeads(F (&flags)[N], T (&in)[N], Op op, T before) { share(in); heads(flags, in, op, true, before); }
  template <int N, class F, class Op> __device__ void FlagTails(F (&flags)[N], T (&in)[N], Op op) { share(in); tails(flags, in, op, false, in[0]); }
  template <int N, class F, class Op> __device__ void FlagTails(F (&flags)[N], T (&in)[N], Op op, T behind) { share(in); tails(flags, in, op, true, behind); }
  template <int N, class F, class Op> __device__ void FlagHeadsAndTails(F (&first)[N], F (&last)[N], T (&in)[N], Op op) { share(in); heads(first, in, op, false, in[0]); tails(last, in, op, false, in[0]); }
  template <int N, class F, class Op> __device__ void FlagHeadsAndTails(F (&first)[N], F (&last)[N], T behind, T (&in)[N], Op op) { share(in); heads(first, in, op, false, in[0]); tails(last, in, op, true, behind); }
  template <int N, class F, class Op> __device__ void FlagHeadsAndTails(F (&first)[N], T before, F (&last)[N], T (&in)[N], Op op) { share(in); heads(first, in, op, true, before); tails(last, in, op, false, in[0]); }
  template <int N, class F, class Op> __device__ void FlagHeadsAndTails(F (&first)[N], T before, F (&last)[N], T behind, T (&in)[N], Op op) { share(in); heads(first, in, op, true, before); tails(last, in, op, true, behind); }
};
}
