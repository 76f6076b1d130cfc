// SPDX-License-Identifier: Apache-2.0
// TEST: in a pipeline of two buffers the next copy overtakes slower readers, unless a sync stands behind the reads
// check-args: --block 128 --grid 1 --assume len(global_data)==16448 --assume len(out)==128
// check kernel: proved
// check racy: bug HD0601 local_smem
// check ordered: proved
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

namespace cg = cooperative_groups;

__global__ void kernel(int *global_data) {
  cg::thread_block tb = cg::this_thread_block();
  constexpr size_t elementsPerThreadBlock = 16 * 1024 + 64;
  constexpr size_t elementsInShared = 128;
  __align__(16) __shared__ int local_smem[2][elementsInShared];
  int stage = 0;
  // First kick off an extra request
  size_t copy_count = elementsInShared;
  size_t index = copy_count;
  cg::memcpy_async(tb, local_smem[stage], elementsInShared, global_data,
                   elementsPerThreadBlock - index);
  while (index < elementsPerThreadBlock) {
    // Now we kick off the next request...
    cg::memcpy_async(tb, local_smem[stage ^ 1], elementsInShared,
                     global_data + index, elementsPerThreadBlock - index);
    // ... but we wait on the one before it
    cg::wait_prior<1>(tb);

    // Its now available and we can work with local_smem[stage] here
    // (...)
    //

    // Calculate the amount fo data that was actually copied, for the next
    // iteration.
    copy_count = min(elementsInShared, elementsPerThreadBlock - index);
    index += copy_count;

    // A cg::sync(tb) might be needed here depending on whether
    // the work done with local_smem[stage] can release threads to race ahead or
    // not Wrap to the next stage
    stage ^= 1;
  }
  cg::wait(tb);
  // The last local_smem[stage] can be handled here
}

template <bool SYNC> __device__ void sums(const int *global_data, int *out)
{
  cg::thread_block tb = cg::this_thread_block();
  constexpr size_t elementsPerThreadBlock = 16 * 1024 + 64;
  constexpr size_t elementsInShared = 128;
  __align__(16) __shared__ int local_smem[2][elementsInShared];
  int stage = 0, total = 0;
  size_t copy_count = elementsInShared;
  size_t index = copy_count;
  cg::memcpy_async(tb, local_smem[stage], elementsInShared, global_data,
                   elementsPerThreadBlock);
  while (index < elementsPerThreadBlock) {
    cg::memcpy_async(tb, local_smem[stage ^ 1], elementsInShared,
                     global_data + index, elementsPerThreadBlock - index);
    cg::wait_prior<1>(tb);
    total += local_smem[stage][127 - threadIdx.x];
    copy_count = min(elementsInShared, elementsPerThreadBlock - index);
    index += copy_count;
    if constexpr (SYNC)
      cg::sync(tb);
    stage ^= 1;
  }
  cg::wait(tb);
  if (threadIdx.x < copy_count)
    total += local_smem[stage][threadIdx.x];
  out[threadIdx.x] = total;
}

__global__ void racy(const int *global_data, int *out) { sums<false>(global_data, out); }
__global__ void ordered(const int *global_data, int *out) { sums<true>(global_data, out); }
