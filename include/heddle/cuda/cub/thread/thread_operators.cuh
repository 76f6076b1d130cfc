// SPDX-License-Identifier: Apache-2.0
// CUB's function objects.
#pragma once
#include <cub/util_type.cuh>

namespace cub {
struct Equality {
  template <class T, class U> __device__ bool operator()(T &&a, U &&b) const { return a == b; }
};
struct Inequality {
  template <class T, class U> __device__ bool operator()(T &&a, U &&b) const { return a != b; }
};
struct Sum {
  template <class T> __device__ T operator()(const T &a, const T &b) const { return a + b; }
};
struct Difference {
  template <class T> __device__ T operator()(const T &a, const T &b) const { return a - b; }
};
struct Division {
  template <class T> __device__ T operator()(const T &a, const T &b) const { return a / b; }
};
struct Max {
  template <class T> __device__ T operator()(const T &a, const T &b) const { return a < b ? b : a; }
};
struct Min {
  template <class T> __device__ T operator()(const T &a, const T &b) const { return b < a ? b : a; }
};
// Of two pairs the one with the larger (smaller) value, of equal ones the one with the smaller key.
struct ArgMax {
  template <class K, class V> __device__ KeyValuePair<K, V> operator()(const KeyValuePair<K, V> &a, const KeyValuePair<K, V> &b) const {
    return b.value > a.value || (a.value == b.value && b.key < a.key) ? b : a;
  }
};
struct ArgMin {
  template <class K, class V> __device__ KeyValuePair<K, V> operator()(const KeyValuePair<K, V> &a, const KeyValuePair<K, V> &b) const {
    return b.value < a.value || (a.value == b.value && b.key < a.key) ? b : a;
  }
};
template <class B> struct CastOp {
  template <class A> __device__ B operator()(A &&a) const { return (B)a; }
};
template <class F> struct SwizzleScanOp {
  F op;
  __device__ SwizzleScanOp(F op) : op(op) {}
  template <class T> __device__ T operator()(const T &a, const T &b) { return op(b, a); }
};
// Of (segments, value): a segment that begins in b drops what was before.
template <class F> struct ReduceBySegmentOp {
  F op;
  __device__ ReduceBySegmentOp() {}
  __device__ ReduceBySegmentOp(F op) : op(op) {}
  template <class P> __device__ P operator()(const P &a, const P &b) {
    P r;
    r.key = a.key + b.key;
    r.value = b.key ? b.value : op(a.value, b.value);
    return r;
  }
};
template <class F> struct ReduceByKeyOp {
  F op;
  __device__ ReduceByKeyOp() {}
  __device__ ReduceByKeyOp(F op) : op(op) {}
  template <class P> __device__ P operator()(const P &a, const P &b) {
    P r = b;
    if (a.key == b.key)
      r.value = op(a.value, b.value);
    return r;
  }
};
}
