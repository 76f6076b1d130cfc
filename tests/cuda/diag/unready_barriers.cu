// SPDX-License-Identifier: Apache-2.0
// TEST: barriers that nobody initialises
// MODE: diag
// REF: docs/reference/cuda.md#mbarriers-that-are-words
#include <cuda/barrier>
using barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void __launch_bounds__(32) variable() {
  __shared__ barrier bar; //~ error HD1018: mbarrier 'bar' is never initialised: let one thread call init(&bar, n), and sync the block before other threads use it
  bar.arrive_and_wait();
}
