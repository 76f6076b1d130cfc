// SPDX-License-Identifier: Apache-2.0
// TEST: elect.sync chooses one thread of a warp; hints for caches of bulk copies
// REF: docs/reference/cuda.md#inline-assembly
#include <cstdint>

__device__ bool elect_one()
{
    uint32_t is_chosen = 0, lane = 0;
    asm volatile("{\n"
                 ".reg .b32 %%rx;\n"
                 ".reg .pred %%px;\n"
                 "     elect.sync %%rx|%%px, %2;\n"
                 "@%%px mov.s32 %1, 1;\n"
                 "     mov.s32 %0, %%rx;\n"
                 "}\n"
                 : "+r"(lane), "+r"(is_chosen)
                 : "r"(0xFFFFFFFF));
    return is_chosen;
}

__device__ unsigned elect_briefly()
{
    unsigned is_chosen;
    asm volatile("{\n\t.reg .pred p;\n\telect.sync _|p, 0xffffffff;\n\tselp.b32 %0, 1, 0, p;\n\t}" : "=r"(is_chosen));
    return is_chosen;
}

__global__ void count(int *y)
{
    if (elect_one())
        atomicAdd(&y[threadIdx.x / 32], 1);
    y[64 + threadIdx.x] = elect_briefly();
}
// LAUNCH: count y[192]=zeros --block 128 --grid 1
// OUT: y = np.where(np.arange(192) < 64, np.arange(192) < 4, np.arange(192) % 32 == 0)

// Tiles through shared memory, each by an elected thread.
__global__ void copies(const int *x, int *y, int n)
{
    __shared__ alignas(128) int s[64];
    __shared__ uint64_t full;
    uint32_t bar = __cvta_generic_to_shared(&full), to = __cvta_generic_to_shared(s);
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(bar), "r"(1));
    __syncthreads();
    uint64_t policy;
    asm volatile("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
    for (int k = 0; k < n; k++) {
        if (threadIdx.x < 32 && elect_one()) {
            asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(bar), "r"(256));
            asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint "
                         "[%0], [%1], %2, [%3], %4;" ::"r"(to), "l"(x + 64 * k), "r"(256), "r"(bar), "l"(policy)
                         : "memory");
        }
        asm volatile("{\n.reg .pred P1;\nLAB_WAIT:\n"
                     "mbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n"
                     "@P1 bra DONE;\nbra LAB_WAIT;\nDONE:\n}" ::"r"(bar), "r"(k & 1));
        s[threadIdx.x] += 1;
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        __syncthreads();
        if (threadIdx.x == 0) {
            asm volatile("cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint [%0], [%1], %2, %3;" ::"l"(y + 64 * k),
                         "r"(to), "r"(256), "l"(policy)
                         : "memory");
            asm volatile("cp.async.bulk.commit_group;");
            asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
        }
        __syncthreads();
    }
}
// LAUNCH: copies x[320]=iota y[320]=zeros n=5 --block 64 --grid 1
// OUT: y = in_x + 1
