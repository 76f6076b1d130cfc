// SPDX-License-Identifier: Apache-2.0
// mbarriers by their primitives; the count is the constant that
// __mbarrier_init() is called with.
#pragma once
#include <cuda/barrier>

typedef cuda::barrier<cuda::thread_scope_block> __mbarrier_t;
typedef cuda::barrier_token __mbarrier_token_t;

constexpr __device__ unsigned __mbarrier_maximum_count() {
  return (1u << 20) - 1;
}

void __mbarrier_init(__mbarrier_t *b, unsigned expected) __heddle_barrier_init;

__device__ void __mbarrier_inval(__mbarrier_t *b) {}

__mbarrier_token_t __mbarrier_arrive(__mbarrier_t *b) __heddle("arrive(b)");
__mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t *b)
    __heddle("arrive_drop(b)");
bool __mbarrier_test_wait(__mbarrier_t *b, __mbarrier_token_t token)
    __heddle("test_wait(b, token)");
bool __mbarrier_try_wait(__mbarrier_t *b, __mbarrier_token_t token,
                         unsigned nanoseconds) __heddle("test_wait(b, token)");
bool __mbarrier_test_wait_parity(__mbarrier_t *b, bool parity)
    __heddle("test_wait(b, parity)");
bool __mbarrier_try_wait_parity(__mbarrier_t *b, bool parity,
                                unsigned nanoseconds)
    __heddle("test_wait(b, parity)");
unsigned __mbarrier_token_pending_count(__mbarrier_token_t token)
    __heddle_unsupported(
        "'__mbarrier_token_pending_count'; count in the program");
