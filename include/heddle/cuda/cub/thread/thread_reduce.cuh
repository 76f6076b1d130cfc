// SPDX-License-Identifier: Apache-2.0
// Reductions and scans of the items of one thread.
#pragma once
#include <cub/thread/thread_operators.cuh>

namespace __hd_cub {
template <int N, class T, class F> __device__ T reduce_items(const T (&items)[N], F op) {
  T sum = items[0];
  for (int i = 1; i < N; i++)
    sum = op(sum, items[i]);
  return sum;
}
// From `before` on, which counts only if has_before.
template <int N, class T, class F> __device__ void scan_inclusive(const T (&in)[N], T (&out)[N], F op, T before, bool has_before) {
  T sum = has_before ? op(before, in[0]) : in[0];
  out[0] = sum;
  for (int i = 1; i < N; i++) {
    sum = op(sum, in[i]);
    out[i] = sum;
  }
}
template <int N, class T, class F> __device__ void scan_exclusive(const T (&in)[N], T (&out)[N], F op, T before, bool has_before) {
  T sum = has_before ? op(before, in[0]) : in[0];
  out[0] = before;
  for (int i = 1; i < N; i++) {
    T item = in[i];
    out[i] = sum;
    sum = op(sum, item);
  }
}
}

namespace cub {
template <int N, class T, class F> __device__ T ThreadReduce(const T (&items)[N], F op) { return __hd_cub::reduce_items(items, op); }
template <int N, class T, class F> __device__ T ThreadReduce(const T (&items)[N], F op, T prefix) {
  for (int i = 0; i < N; i++)
    prefix = op(prefix, items[i]);
  return prefix;
}
}
