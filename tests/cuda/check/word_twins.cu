// SPDX-License-Identifier: Apache-2.0
// TEST: twins of kernels whose mbarriers are words, one of each pair wrong
// check-args: --grid 1
// check ring: proved
// check ring_same_parity: bug HD0601
// check ring_unreleased: bug HD0601
// check ring_unreleased: remark HD1091
// check asked: proved
// check asked_another: bug HD0601
// check sleeps: proved
// check breaks: proved
// check padded: proved
// check padded_early: bug HD0601
// sanitize ring_same_parity: x[320]=iota y[320]=zeros n=5 --grid 1
// sanitize ring: x[320]=iota y[320]=zeros n=5 --grid 1
// sanitize ring_unreleased: x[320]=iota y[320]=zeros n=5 --grid 1
// sanitize asked: y[64]=zeros n=5 --grid 1
// sanitize asked_another: y[64]=zeros n=5 --grid 1
// sanitize sleeps: y[64]=zeros n=3 --grid 1
// sanitize breaks: y[64]=zeros --grid 1
// sanitize padded: x[100]=iota y[128]=zeros n=100 --grid 1
// sanitize padded_early: x[100]=iota y[128]=zeros n=100 --grid 1
#include <cstdint>

__device__ inline uint32_t smem_u32(const void *p) { return static_cast<uint32_t>(__cvta_generic_to_shared(p)); }
__device__ inline void mbar_init(uint32_t bar, uint32_t n) { asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(bar), "r"(n)); }
__device__ inline void mbar_arrive(uint32_t bar) { asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(bar) : "memory"); }
__device__ inline bool mbar_try(uint32_t bar, uint32_t phase)
{
    uint32_t done;
    asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\tselp.u32 %0, 1, 0, p;\n\t}" : "=r"(done) : "r"(bar), "r"(phase) : "memory");
    return done != 0;
}
__device__ inline void mbar_wait(uint32_t bar, uint32_t phase)
{
    while (!mbar_try(bar, phase)) {
    }
}
// 32 threads fill two slots in turn, 64 threads empty them.
template <int Flip, bool Releases> __device__ void ring_of(const float *x, float *y, int n)
{
    __shared__ alignas(128) float s[2][64];
    __shared__ uint64_t full[2], empty[2];
    int t = threadIdx.x;
    if (t == 0)
        for (int i = 0; i < 2; i++) {
            mbar_init(smem_u32(&full[i]), 32);
            mbar_init(smem_u32(&empty[i]), 64);
        }
    __syncthreads();
    if (t >= 64) {
        for (int k = 0; k < n; k++) {
            if (Releases)
                mbar_wait(smem_u32(&empty[k % 2]), (k / 2 & 1) ^ 1);
            s[k % 2][t - 64] = x[64 * k + t - 64];
            s[k % 2][t - 32] = x[64 * k + t - 32];
            mbar_arrive(smem_u32(&full[k % 2]));
        }
    } else if (t < 64) {
        for (int k = 0; k < n; k++) {
            mbar_wait(smem_u32(&full[k % 2]), (k / 2 & 1) ^ Flip);
            y[64 * k + t] = s[k % 2][63 - t];
            mbar_arrive(smem_u32(&empty[k % 2]));
        }
    }
}
__global__ void __launch_bounds__(96) ring(const float *x, float *y, int n)
{
    // heddle: requires 64 * n <= len(x) && 64 * n <= len(y)
    ring_of<0, true>(x, y, n);
}
__global__ void __launch_bounds__(96) ring_same_parity(const float *x, float *y, int n)
{
    // heddle: requires 64 * n <= len(x) && 64 * n <= len(y)
    ring_of<1, true>(x, y, n);
}
__global__ void __launch_bounds__(96) ring_unreleased(const float *x, float *y, int n)
{
    // heddle: requires 64 * n <= len(x) && 64 * n <= len(y)
    ring_of<0, false>(x, y, n);
}

__global__ void __launch_bounds__(64) asked(int *y, int n)
{
    // heddle: requires 64 <= len(y)
    __shared__ uint64_t bars[2];
    __shared__ int s[2][64];
    int t = threadIdx.x, sum = 0;
    const uint32_t base = smem_u32(bars);
    if (t == 0) {
        mbar_init(base, 64);
        mbar_init(base + 8, 64);
    }
    __syncthreads();
    for (int k = 0; k < n; k++) {
        uint32_t bar = base + (k & 1) * sizeof(uint64_t);
        s[k & 1][t] = t + k;
        mbar_arrive(bar);
        int done = 0;
        while (!done)
            done = mbar_try(bar, (k >> 1) & 1) ? 1 : 0;
        sum += s[k & 1][63 - t];
    }
    y[t] = sum;
}
__global__ void __launch_bounds__(64) asked_another(int *y, int n)
{
    // heddle: requires 64 <= len(y)
    __shared__ uint64_t bars[2];
    __shared__ int s[2][64];
    int t = threadIdx.x, sum = 0;
    const uint32_t base = smem_u32(bars);
    if (t == 0) {
        mbar_init(base, 64);
        mbar_init(base + 8, 64);
    }
    __syncthreads();
    for (int k = 0; k < n; k++) {
        uint32_t bar = base + (k & 1) * sizeof(uint64_t);
        s[k & 1][t] = t + k;
        mbar_arrive(bar);
        int done = 0;
        while (!done)
            done = mbar_try(base + ((k & 1) ^ 1) * sizeof(uint64_t), ((k + 1) >> 1 & 1) ^ 1) ? 1 : 0;
        sum += s[k & 1][63 - t];
    }
    y[t] = sum;
}

// The last tile is filled with zeros.
__device__ inline void load_padded(float *to, const float *from, bool is_there)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(smem_u32(to)), "l"(from), "r"(is_there ? 4 : 0) : "memory");
    asm volatile("cp.async.commit_group;");
}
__global__ void __launch_bounds__(64) padded(const float *x, float *y, int n)
{
    // heddle: requires n <= len(x) && n >= 1 && n <= 128 && 128 <= len(y)
    __shared__ float s[2][64];
    int t = threadIdx.x;
    for (int k = 0; k < 2; k++)
        load_padded(&s[k][t], &x[64 * k + t < n ? 64 * k + t : 0], 64 * k + t < n);
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    __syncthreads();
    for (int k = 0; k < 2; k++)
        y[64 * k + t] = s[k][63 - t];
}
__global__ void __launch_bounds__(64) padded_early(const float *x, float *y, int n)
{
    // heddle: requires n <= len(x) && n >= 1 && n <= 128 && 128 <= len(y)
    __shared__ float s[2][64];
    int t = threadIdx.x;
    for (int k = 0; k < 2; k++)
        load_padded(&s[k][t], &x[64 * k + t < n ? 64 * k + t : 0], 64 * k + t < n);
    asm volatile("cp.async.wait_group 1;" ::: "memory");
    __syncthreads();
    for (int k = 0; k < 2; k++)
        y[64 * k + t] = s[k][63 - t];
}

// Words by reference; states that nobody asks for.
__device__ inline bool asks(uint64_t &bar, uint32_t ph)
{
    uint32_t ok;
    asm volatile("{\n.reg .pred P1;\nmbarrier.try_wait.parity.shared::cta.b64 P1, [%1], %2;\nselp.b32 %0, 1, 0, P1;\n}" : "=r"(ok) : "r"(smem_u32(&bar)), "r"(ph));
    return static_cast<bool>(ok);
}
__global__ void __launch_bounds__(64) sleeps(int *y, int n)
{
    // heddle: requires 64 <= len(y)
    __shared__ uint64_t bar;
    __shared__ int s[64];
    int t = threadIdx.x, sum = 0;
    if (t == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(smem_u32(&bar)), "r"(64));
    __syncthreads();
    for (int k = 0; k < n; k++) {
        s[t] = k;
        asm volatile("{ .reg .b64 st; mbarrier.arrive.shared::cta.b64 st, [%0]; }" ::"r"(smem_u32(&bar)));
        while (!asks(bar, k & 1)) {
            __nanosleep(20);
        }
        sum += s[63 - t];
        __syncthreads();
    }
    y[t] = sum;
}
__global__ void __launch_bounds__(64) breaks(int *y)
{
    // heddle: requires 64 <= len(y)
    __shared__ uint64_t bar;
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(smem_u32(&bar)), "r"(64));
    __syncthreads();
    s[t] = t;
    uint64_t state;
    asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];" : "=l"(state) : "r"(smem_u32(&bar)));
    for (;;) {
        if (asks(bar, 0))
            break;
    }
    y[t] = s[63 - t];
}
