// SPDX-License-Identifier: Apache-2.0
// TEST: a token that one of several arrivals gave
// MODE: check
// check-args: --block 256 --grid 1
// convert leaves out stale, correlated, never_arrived: tokens are linear there
// REF: docs/reference/cuda.md#mbarriers-that-are-words
#include <cuda/barrier>
#include <utility>
using barrier = cuda::barrier<cuda::thread_scope_block>;

// One thread expects the bytes of its copy, the others arrive.
// check bulk: proved
__global__ void bulk(int *data, size_t offset) {
  // heddle: requires offset % 4 == 0 && offset + 1024 <= len(data)
  __shared__ alignas(128) int part[1024];
  __shared__ barrier bar;
  if (threadIdx.x == 0) {
    init(&bar, blockDim.x);
    cuda::device::experimental::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  barrier::arrival_token token;
  if (threadIdx.x == 0) {
    cuda::memcpy_async(part, data + offset,
                       cuda::aligned_size_t<16>(sizeof part), bar);
    token = bar.arrive();
  } else {
    token = bar.arrive();
  }
  bar.wait(std::move(token));
  for (int i = threadIdx.x; i < 1024; i += blockDim.x)
    part[i] += 1;
}
// check three_ways: proved
__global__ void three_ways(int *out) {
  // heddle: requires 256 <= len(out)
  __shared__ int part[256];
  __shared__ barrier bar;
  if (threadIdx.x == 0)
    init(&bar, 256 + 32);
  __syncthreads();
  part[threadIdx.x] = threadIdx.x;
  barrier::arrival_token token;
  if (threadIdx.x < 32)
    token = bar.arrive(2);
  else if (threadIdx.x < 64)
    token = bar.arrive();
  else
    token = bar.arrive(1);
  bar.wait(std::move(token));
  out[threadIdx.x] = part[255 - threadIdx.x];
}
// check one_short: bug HD1033
__global__ void one_short(int *out) {
  // heddle: requires 256 <= len(out)
  __shared__ int part[256];
  __shared__ barrier bar;
  if (threadIdx.x == 0)
    init(&bar, 256 + 32);
  __syncthreads();
  part[threadIdx.x] = threadIdx.x;
  barrier::arrival_token token;
  if (threadIdx.x < 31)
    token = bar.arrive(2);
  else
    token = bar.arrive();
  bar.wait(std::move(token));
  out[threadIdx.x] = part[255 - threadIdx.x];
}
// Some hold the token of the phase before, so they don't wait.
// check stale: bug HD0601
__global__ void stale(int *out) {
  // heddle: requires 256 <= len(out)
  __shared__ int part[256];
  __shared__ barrier bar;
  if (threadIdx.x == 0)
    init(&bar, 256);
  __syncthreads();
  barrier::arrival_token before = bar.arrive(), token;
  __syncthreads();
  part[threadIdx.x] = threadIdx.x;
  token = bar.arrive();
  if (threadIdx.x < 32)
    bar.wait(std::move(before));
  else
    bar.wait(std::move(token));
  out[threadIdx.x] = part[255 - threadIdx.x];
}
// A wait where its threads arrived, told by the same condition.
// check correlated: proved
__global__ void correlated(int *out) {
  // heddle: requires 256 <= len(out)
  __shared__ int part[256];
  __shared__ barrier bar;
  if (threadIdx.x == 0)
    init(&bar, 128);
  __syncthreads();
  part[threadIdx.x] = threadIdx.x;
  if (threadIdx.x >= 128) {
    (void)bar.arrive();
  } else {
    barrier::arrival_token token;
    if (threadIdx.x > 300)
      token = bar.arrive();
    if (threadIdx.x > 300)
      bar.wait(std::move(token));
    while (!bar.try_wait_parity(0)) {
    }
    out[threadIdx.x] = part[255 - threadIdx.x];
  }
}
// check never_arrived: bug HD1030 out of phase
__global__ void never_arrived(int *out, int n) {
  // heddle: requires 256 <= len(out)
  __shared__ barrier bar;
  if (threadIdx.x == 0)
    init(&bar, 256);
  __syncthreads();
  barrier::arrival_token token;
  if (n > 3)
    token = bar.arrive();
  if (n > 2)
    bar.wait(std::move(token));
  out[threadIdx.x] = 1;
}
