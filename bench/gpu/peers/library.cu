// SPDX-License-Identifier: Apache-2.0
// NVIDIA's CUB.
#include "table.h"

#include <cub/cub.cuh>

// Asks for the size of the scratch memory and runs.
template <class Call> static int with_scratch(Call call) {
  size_t size_bytes = 0;
  cudaError_t error = call(nullptr, size_bytes);
  if (error != cudaSuccess)
    return error;
  if (size_bytes > peer_scratch_bytes)
    return cudaErrorMemoryAllocation;
  return call(peer_scratch, size_bytes);
}

static int sum(PeerStream stream, const PeerArg *args) {
  return with_scratch([=](void *scratch, size_t &size_bytes) {
    return cub::DeviceReduce::Sum(scratch, size_bytes,
                                  (const float *)args[1].in,
                                  (float *)args[2].out, args[0].integer,
                                  stream);
  });
}

template <class E> static int scan(PeerStream stream, const PeerArg *args) {
  return with_scratch([=](void *scratch, size_t &size_bytes) {
    return cub::DeviceScan::InclusiveSum(scratch, size_bytes,
                                         (const E *)args[1].in,
                                         (E *)args[2].out,
                                         (int)args[0].integer, stream);
  });
}

static int histogram_bytes(PeerStream stream, const PeerArg *args) {
  return with_scratch([=](void *scratch, size_t &size_bytes) {
    return cub::DeviceHistogram::HistogramEven(
        scratch, size_bytes, (const uint8_t *)args[1].in,
        (unsigned *)args[2].out, 257, 0, 256, args[0].integer, stream);
  });
}

static int histogram_floats(PeerStream stream, const PeerArg *args) {
  return with_scratch([=](void *scratch, size_t &size_bytes) {
    return cub::DeviceHistogram::HistogramEven(
        scratch, size_bytes, (const float *)args[1].in,
        (unsigned *)args[2].out, 257, 0.0f, 1.0f, args[0].integer, stream);
  });
}

const PeerEntry peers_library[] = {
    {"sum", sum},
    {"scan_int", scan<int>},
    {"scan_float", scan<float>},
    {"histogram_bytes", histogram_bytes},
    {"histogram_floats", histogram_floats},
    {nullptr, nullptr},
};
