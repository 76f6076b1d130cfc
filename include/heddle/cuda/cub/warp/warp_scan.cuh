// SPDX-License-Identifier: Apache-2.0
// cub::WarpScan: by shuffles, in steps of 1, 2, 4, 8, 16.
#pragma once
#include <cub/warp/warp_reduce.cuh>

namespace __hd_cub {
template <int N, class T, class F> __device__ T scan_lanes(T v, F op) {
  int rank = Lanes<N>::rank();
  for (int d = 1; d < N; d *= 2) {
    T other = Lanes<N>::up(v, d);
    if (rank >= d)
      v = op(other, v);
  }
  return v;
}
}

namespace cub {
template <class T, int LOGICAL_WARP_THREADS = 32, int LEGACY_PTX_ARCH = 0> class WarpScan {
  static constexpr int N = LOGICAL_WARP_THREADS;
  static_assert(N >= 1 && N <= 32, "a logical warp has 1 to 32 threads");
  typedef __hd_cub::Lanes<N> Lanes;

public:
  struct TempStorage { char unused; };
  __device__ WarpScan(TempStorage &storage) {}

  template <class F> __device__ void InclusiveScan(T in, T &out, F op) { out = __hd_cub::scan_lanes<N>(in, op); }
  template <class F> __device__ void InclusiveScan(T in, T &out, F op, T &aggregate) {
    T sum = __hd_cub::scan_lanes<N>(in, op);
    aggregate = Lanes::from(sum, N - 1);
    out = sum;
  }
  template <class F> __device__ void InclusiveScan(T in, T &out, T initial, F op) {
    T sum = __hd_cub::scan_lanes<N>(in, op);
    out = op(initial, sum);
  }
  template <class F> __device__ void InclusiveScan(T in, T &out, T initial, F op, T &aggregate) {
    T sum = __hd_cub::scan_lanes<N>(in, op);
    aggregate = Lanes::from(sum, N - 1);
    out = op(initial, sum);
  }
  // Without an initial value, rank 0 gets nothing that means something.
  template <class F> __device__ void ExclusiveScan(T in, T &out, F op) {
    T sum = __hd_cub::scan_lanes<N>(in, op);
    out = Lanes::up(sum, 1);
  }
  template <class F> __device__ void ExclusiveScan(T in, T &out, F op, T &aggregate) {
    T sum = __hd_cub::scan_lanes<N>(in, op);
    aggregate = Lanes::from(sum, N - 1);
    out = Lanes::up(sum, 1);
  }
  template <class F> __device__ void ExclusiveScan(T in, T &out, T initial, F op) {
    T before = Lanes::up(op(initial, __hd_cub::scan_lanes<N>(in, op)), 1);
    out = Lanes::rank() == 0 ? initial : before;
  }
  template <class F> __device__ void ExclusiveScan(T in, T &out, T initial, F op, T &aggregate) {
    T sum = __hd_cub::scan_lanes<N>(in, op);
    aggregate = Lanes::from(sum, N - 1);
    T before = Lanes::up(op(initial, sum), 1);
    out = Lanes::rank() == 0 ? initial : before;
  }
  template <class F> __device__ void Scan(T in, T &inclusive, T &exclusive, F op) {
    T sum = __hd_cub::scan_lanes<N>(in, op);
    exclusive = Lanes::up(sum, 1);
    inclusive = sum;
  }
  template <class F> __device__ void Scan(T in, T &inclusive, T &exclusive, T initial, F op) {
    T sum = op(initial, __hd_cub::scan_lanes<N>(in, op)), before = Lanes::up(sum, 1);
    exclusive = Lanes::rank() == 0 ? initial : before;
    inclusive = sum;
  }
  __device__ void InclusiveSum(T in, T &out) { InclusiveScan(in, out, cub::Sum()); }
  __device__ void InclusiveSum(T in, T &out, T &aggregate) { InclusiveScan(in, out, cub::Sum(), aggregate); }
  __device__ void ExclusiveSum(T in, T &out) { ExclusiveScan(in, out, T(), cub::Sum()); }
  __device__ void ExclusiveSum(T in, T &out, T &aggregate) { ExclusiveScan(in, out, T(), cub::Sum(), aggregate); }
  __device__ void Sum(T in, T &inclusive, T &exclusive) { Scan(in, inclusive, exclusive, T(), cub::Sum()); }
  __device__ T Broadcast(T v, unsigned source) { return Lanes::from(v, (int)source); }
};
}
