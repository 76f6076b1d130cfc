// SPDX-License-Identifier: Apache-2.0
// What peers are called, and what checks and fills need.
#include "table.h"

#include <cstring>

void *peer_scratch;
size_t peer_scratch_bytes;

void peer_use_scratch(void *memory, size_t size_bytes) {
  peer_scratch = memory;
  peer_scratch_bytes = size_bytes;
}

PeerRun *peer_find(const char *name) {
  const PeerEntry *tables[] = {peers_memory, peers_library, peers_compute,
                               peers_groups};
  for (const PeerEntry *table : tables)
    for (int i = 0; table[i].name; i++)
      if (strcmp(table[i].name, name) == 0)
        return table[i].run;
  return nullptr;
}

const char *peer_error_text(int error) {
  return cudaGetErrorString((cudaError_t)error);
}

template <class T>
__global__ void difference(const T *a, const T *b, long n, float *out) {
  float most = 0, sum = 0;
  for (long i = blockIdx.x * 256L + threadIdx.x; i < n; i += gridDim.x * 256L) {
    double x = a[i], y = b[i];
    float d = (float)(fabs(x - y) / (fabs(x) + 1));
    if (!(d <= 3e38f) && !(x == y)) // NaN, or an infinity on one side
      d = 3e38f;
    most = fmaxf(most, d);
    sum += d;
  }
  atomicMax((int *)out, __float_as_int(most)); // of numbers from 0 on
  if (sum > 0)
    atomicAdd(out + 1, sum);
}

int peer_difference(PeerStream stream, char type, const void *a, const void *b,
                    int64_t n, float *out) {
  cudaMemsetAsync(out, 0, 2 * sizeof *out, stream);
  if (type == 'i')
    difference<<<1056, 256, 0, stream>>>((const int *)a, (const int *)b,
                                                 n, out);
  else if (type == 'd')
    difference<<<1056, 256, 0, stream>>>((const double *)a, (const double *)b,
                                         n, out);
  else
    difference<<<1056, 256, 0, stream>>>((const float *)a,
                                                 (const float *)b, n, out);
  return cudaGetLastError();
}

// A bijection of 32 bits that mixes well (M. O'Neill's RXS-M-XS output).
static __device__ uint32_t mixed(uint32_t v) {
  v = v * 747796405u + 2891336453u;
  v = ((v >> ((v >> 28) + 4)) ^ v) * 277803737u;
  return (v >> 22) ^ v;
}

__global__ void fill_words(uint32_t *data, long n, uint32_t seed) {
  for (long i = blockIdx.x * 256L + threadIdx.x; i < n; i += gridDim.x * 256L)
    data[i] = mixed((uint32_t)i ^ mixed(seed));
}

__global__ void fill_floats(float *data, long n, uint32_t seed, float low,
                            float high) {
  for (long i = blockIdx.x * 256L + threadIdx.x; i < n; i += gridDim.x * 256L)
    data[i] = low + (high - low) * (mixed((uint32_t)i ^ mixed(seed)) >> 8) *
                        (1.0f / (1 << 24));
}

int peer_fill_words(PeerStream stream, void *data, int64_t n, uint32_t seed) {
  fill_words<<<1056, 256, 0, stream>>>((uint32_t *)data, n, seed);
  return cudaGetLastError();
}

int peer_fill_floats(PeerStream stream, void *data, int64_t n, uint32_t seed,
                     float low, float high) {
  fill_floats<<<1056, 256, 0, stream>>>((float *)data, n, seed, low, high);
  return cudaGetLastError();
}
