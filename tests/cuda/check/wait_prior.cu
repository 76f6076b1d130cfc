// SPDX-License-Identifier: Apache-2.0
// TEST: a loop that copies the next piece while it uses the last one needs a sync behind the use
// REF: docs/internals/check.md
// check-args: --block 128 --assume '16448 <= len(data)' --assume 'gridDim.x * 128 <= len(out)'
// check synced: proved
// check as_written: bug HD0601 line @read __syncthreads();
// check too_early: bug HD0601
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;
__global__ void synced(const int *data, int *out) {
  cg::thread_block tb = cg::this_thread_block();
  constexpr size_t all = 16 * 1024 + 64;
  constexpr size_t part = 128;
  __align__(16) __shared__ int buf[2][part];
  int stage = 0, sum = 0;
  size_t copy_count = part;
  size_t index = copy_count;
  cg::memcpy_async(tb, buf[stage], part, data, all);
  while (index < all) {
    cg::memcpy_async(tb, buf[stage ^ 1], part, data + index, all - index);
    cg::wait_prior<1>(tb);
    sum += buf[stage][tb.thread_rank() ^ 1];
    copy_count = min(part, all - index);
    index += copy_count;
    tb.sync();
    stage ^= 1;
  }
  cg::wait(tb);
  if (tb.thread_rank() < 64) sum += buf[stage][tb.thread_rank() ^ 1];
  out[blockIdx.x * 128 + tb.thread_rank()] = sum;
}
__global__ void as_written(const int *data, int *out) {
  cg::thread_block tb = cg::this_thread_block();
  constexpr size_t all = 16 * 1024 + 64;
  constexpr size_t part = 128;
  __align__(16) __shared__ int buf[2][part];
  int stage = 0, sum = 0;
  size_t copy_count = part;
  size_t index = copy_count;
  cg::memcpy_async(tb, buf[stage], part, data, all);
  while (index < all) {
    cg::memcpy_async(tb, buf[stage ^ 1], part, data + index, all - index);
    cg::wait_prior<1>(tb);
    sum += buf[stage][tb.thread_rank() ^ 1];  //@read
    copy_count = min(part, all - index);
    index += copy_count;
    stage ^= 1;
  }
  cg::wait(tb);
  if (tb.thread_rank() < 64) sum += buf[stage][tb.thread_rank() ^ 1];
  out[blockIdx.x * 128 + tb.thread_rank()] = sum;
}
__global__ void too_early(const int *data, int *out) {
  cg::thread_block tb = cg::this_thread_block();
  constexpr size_t all = 16 * 1024 + 64;
  constexpr size_t part = 128;
  __align__(16) __shared__ int buf[2][part];
  int stage = 0, sum = 0;
  size_t copy_count = part;
  size_t index = copy_count;
  cg::memcpy_async(tb, buf[stage], part, data, all);
  while (index < all) {
    cg::memcpy_async(tb, buf[stage ^ 1], part, data + index, all - index);
    cg::wait_prior<2>(tb);
    sum += buf[stage][tb.thread_rank() ^ 1];
    copy_count = min(part, all - index);
    index += copy_count;
    tb.sync();
    stage ^= 1;
  }
  cg::wait(tb);
  if (tb.thread_rank() < 64) sum += buf[stage][tb.thread_rank() ^ 1];
  out[blockIdx.x * 128 + tb.thread_rank()] = sum;
}
