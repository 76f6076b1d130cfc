// SPDX-License-Identifier: Apache-2.0
// TEST: steps that double in as few turns as another variable halves, quotients by powers of two that a launch decides, reversed bits
// check-args: --block 256 --grid 4 --assume 1024<=len(g)
// check upsweep: proved
// check upsweep_padded: proved
// check upsweep_apart: bug HD0601
// check upsweep_far: bug HD0702
// check fold: proved
// check fold_racy: bug HD0601
// check turn_over: proved
// check swap_over: proved
// check turn_over_racy: bug HD0601
// check rest: bug HD0601

#define SWEEP(name, pad, more, first) \
    __global__ void name(float *g) \
    { \
        __shared__ float s[2 * 256 + 64]; \
        int t = threadIdx.x; \
        unsigned step = first; \
        for (int i = t; i < 2 * 256 + 64; i += 256) \
            s[i] = g[i]; \
        for (int live = 256; live > 0; live >>= 1) { \
            __syncthreads(); \
            step *= 2; \
            if (t < live) { \
                int a = step * t + step / 2 - 1, b = a + step / 2 + more; \
                a += pad(a); \
                b += pad(b); \
                s[b] += s[a] + t; \
            } \
        } \
    }
#define NONE(i) 0
#define SOME(i) ((i) >> 5)
SWEEP(upsweep, NONE, 0, 1)
SWEEP(upsweep_padded, SOME, 0, 1)
SWEEP(upsweep_apart, NONE, 1, 1)
SWEEP(upsweep_far, NONE, 0, 2)

// heddle: requires w > 0 && (w & (w - 1)) == 0
__global__ void fold(float *g, unsigned w)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned sh = __ffs(w) - 1, x = i & (w - 1), y = i >> sh;
    g[y * w + x] = i;
}

// heddle: requires w > 0 && (w & (w - 1)) == 0
__global__ void fold_racy(float *g, unsigned w)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned sh = __ffs(w), x = i & (w - 1), y = i >> sh;
    g[y * w + x] = i;
}

__global__ void turn_over(const float *g)
{
    __shared__ float s[256];
    int t = threadIdx.x;
    s[__brev(t) >> 24] = g[t];
}

__global__ void swap_over(const float *g)
{
    __shared__ float s[256];
    unsigned t = threadIdx.x, r = __brev(t) >> 24;
    s[t] = g[t];
    __syncthreads();
    if (r > t) {
        float h = s[t];
        s[t] = s[r];
        s[r] = h;
    }
}

__global__ void turn_over_racy(const float *g)
{
    __shared__ float s[256];
    int t = threadIdx.x;
    s[__brev(t) >> 25] = g[t] + t;
}

// Both of a pair are swapped.
__global__ void rest(const float *g)
{
    __shared__ float s[256];
    unsigned t = threadIdx.x, r = __brev(t) >> 24;
    s[t] = g[t];
    __syncthreads();
    if (r != t) {
        float h = s[t];
        s[t] = s[r] + t;
        s[r] = h;
    }
}
