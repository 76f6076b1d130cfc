// SPDX-License-Identifier: Apache-2.0
// TEST: cp.async in inline assembly: sizes, what is filled with zeros, addresses moved by bytes
// REF: docs/reference/cuda.md#inline-assembly
#include <cstdint>
template <int N> __device__ inline void cp_async_wait() { asm volatile("cp.async.wait_group %0;\n" ::"n"(N)); }
__device__ inline void cp_async_commit() { asm volatile("cp.async.commit_group;\n" ::); }
__device__ inline void cp_async_zfill(void *smem_ptr, const void *glob_ptr, bool pred)
{
    uint32_t smem = static_cast<uint32_t>(__cvta_generic_to_shared(smem_ptr));
    int size = pred ? 16 : 0;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;\n" ::"r"(smem), "l"(glob_ptr), "r"(size));
}
__global__ void tail(const float *x, float *y, int n)
{
    __shared__ alignas(16) float s[2][256];
    int t = threadIdx.x;
    int tiles = (n + 255) / 256;
    auto load = [&](int k) {
        int i = 256 * k + 4 * t;
        cp_async_zfill(&s[k & 1][4 * t], &x[i < n ? i : 0], i < n);
        cp_async_commit();
    };
    load(0);
    for (int k = 0; k < tiles; k++) {
        if (k + 1 < tiles)
            load(k + 1);
        else
            cp_async_commit();
        cp_async_wait<1>();
        __syncthreads();
        for (int j = 0; j < 4; j++)
            y[256 * k + 64 * j + t] = s[k & 1][255 - 64 * j - t];
        __syncthreads();
    }
}
// LAUNCH: tail x[1000]=random:1 y[1024]=zeros n=1000 --block 64 --grid 1
// OUT: y = np.concatenate([in_x, np.zeros(24, np.float32)]).reshape(4, 256)[:, ::-1].ravel()

__global__ void gemm_like(const float *a, float *b, int m)
{
    __shared__ alignas(16) float s[2][64 * 4];
    int t = threadIdx.x;
    uint32_t base = (uint32_t)__cvta_generic_to_shared(&s[0][0]);
    uint32_t mine = base + t * 16;
    for (int k = 0; k < m; k++) {
        uint32_t to = mine + (k % 2) * (64 * 4 * sizeof(float));
        asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %0, 0;\n@p cp.async.ca.shared.global.L2::128B [%1], [%2], %3;\n@!p st.shared.v4.f32 [%1], {%4, %4, %4, %4};\n}" ::"r"((int)(t < 60)), "r"(to), "l"(__cvta_generic_to_global(a + 256 * k + 4 * t)), "n"(16), "f"(0.0f) : "memory");
        asm volatile("cp.async.commit_group;");
        asm volatile("cp.async.wait_all;");
        __syncthreads();
        for (int j = 0; j < 4; j++)
            b[256 * k + 64 * j + t] = s[k % 2][255 - 64 * j - t];
        mine += 0;
        __syncthreads();
    }
}
// LAUNCH: gemm_like a[768]=random:1 b[768]=zeros m=3 --block 64 --grid 1
// PY: def blanked(a):
// PY:     a = a.reshape(-1, 256).copy()
// PY:     a[:, 240:] = 0
// PY:     return a[:, ::-1].ravel()
// OUT: b = blanked(in_a)

// As many bytes as are there, the others are zeros; a predicate that says that none are.
__global__ void sizes(const int *x, int *y, int given)
{
    __shared__ alignas(16) int s[64][4], u[64], v[64][2];
    int t = threadIdx.x;
    uint32_t to;
    asm("{ .reg .u64 a; cvta.to.shared.u64 a, %1; cvt.u32.u64 %0, a; }" : "=r"(to) : "l"(&s[t][0]));
    asm volatile("cp.async.ca.shared.global.L2::64B [%0], [%1], 16, %2;" ::"r"(to), "l"(x + 4 * t), "r"(t == 5 ? given : 16) : "memory");
    uint32_t base = (uint32_t)__cvta_generic_to_shared(u);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(base + 4 * t), "l"(x + 4 * t) : "memory");
    asm volatile("{ .reg .pred p; setp.eq.s32 p, %2, 7; cp.async.ca.shared.global [%0], [%1], 8, p; }" ::"r"((uint32_t)__cvta_generic_to_shared(&v[t][0])), "l"(x + 4 * t), "r"(t) : "memory");
    asm volatile("cp.async.commit_group;\ncp.async.wait_group 0;" ::: "memory");
    __syncthreads();
    int o = 63 - t;
    for (int i = 0; i < 4; i++)
        y[4 * t + i] = s[o][i];
    y[256 + t] = u[o] + v[o][0] - v[o][1];
}
// LAUNCH: sizes x[256]=iota y[320]=zeros given=8 --block 64 --grid 1
// LAUNCH: sizes x[256]=iota y[320]=zeros given=0 --block 64 --grid 1
// LAUNCH: sizes x[256]=iota y[320]=zeros given=16 --block 64 --grid 1
// PY: def sized(x, given):
// PY:     s = x.reshape(64, 4).copy()
// PY:     v = s[:, :2].copy()
// PY:     v[7] = 0
// PY:     u = s[:, 0] + v[:, 0] - v[:, 1]
// PY:     s[5, given // 4:] = 0
// PY:     return np.concatenate([s[::-1].ravel(), u[::-1]])
// OUT: y = sized(in_x, given)

// With a hint that what comes is needed once.
__global__ void hinted(const float *x, float *y, int n)
{
    __shared__ alignas(16) float s[256];
    int t = threadIdx.x;
    uint32_t to = (uint32_t)__cvta_generic_to_shared(&s[4 * t]);
    int i = 4 * t, size = i < n ? 16 : 0;
    asm volatile("{\n"
                 "   .reg .b64 once;\n"
                 "   createpolicy.fractional.L2::evict_first.b64 once, 1.0;\n"
                 "   cp.async.cg.shared.global.L2::cache_hint [%0], [%1], %2, once;\n"
                 "}\n" ::"r"(to), "l"(x + i), "n"(16));
    cp_async_commit();
    cp_async_wait<0>();
    uint64_t policy;
    asm volatile("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
    asm volatile("cp.async.ca.shared.global.L2::cache_hint [%0], [%1], %2, %3;" ::"r"(to + 512), "l"(x + i), "n"(4), "l"(policy));
    asm volatile("cp.async.cg.shared.global.L2::cache_hint [%0], [%1], %2, %3, %4;" ::"r"(to), "l"(x + i), "n"(16), "r"(size), "l"(policy));
    asm volatile("cp.async.ca.shared.global.L2::cache_hint [%0], [%1], %2, %3, %4;" ::"r"(to + 516), "l"(x + i + 1), "n"(4), "r"(size / 4), "l"(policy));
    cp_async_commit();
    cp_async_wait<0>();
    for (int j = 0; j < 4; j++)
        y[4 * t + j] = s[4 * t + j];
    for (int j = 0; j < 2; j++)
        y[128 + 2 * t + j] = s[4 * t + 128 + j];
}
// PY: def once(x):
// PY:     y = x.copy()
// PY:     y[100:] = 0
// PY:     z = x.reshape(32, 4)[:, :2].copy()
// PY:     z[25:, 1] = 0
// PY:     return np.concatenate([y, z.ravel()])
// LAUNCH: hinted x[128]=random:2 y[192]=zeros n=100 --block 32 --grid 1
// OUT: y = once(in_x)
