// SPDX-License-Identifier: Apache-2.0
// TEST: a pointer leads into other memory on one way than on another: its accesses are those of each, where it leads there
// REF: docs/reference/cuda.md#pointers
// check-args: --grid 1 --block 64 --assume "len(g) == 64"
// check choose: proved
// check choose_neighbour: bug HD0601
// check choose_early: bug HD0601
// check own: proved
// check own_else_one: bug HD0601
// check three: proved
// check three_shared: bug HD0601
// check conditional: proved
// check conditional_racy: bug HD0601
// check swapped: proved
// check swapped_racy: bug HD0601
// check moved: proved
// check moved_racy: bug HD0601
// check moved_beyond: bug HD0702
// check moved_in_rows: proved
// check moved_back: proved
// check moved_sometimes: unknown HD0601
// check alternate: proved
// check alternate_racy: bug HD0601
// check passed: proved
// check passed_racy: bug HD0601
// check returned: proved
// check returned_racy: bug HD0601
// check member: proved
// check member_racy: bug HD0601
// check counted: proved
// check counted_plain: bug HD0601
// check counted_own: unknown HD0702
// check own_array: proved
// check own_beyond: bug HD0702
// check kept: proved
// sanitize choose: g[64]=zeros n=7 --grid 1 --block 64
// sanitize choose_neighbour: g[64]=zeros n=7 --grid 1 --block 64
// sanitize choose_early: g[64]=zeros n=7 --grid 1 --block 64
// sanitize own: g[64]=zeros n=7 --grid 1 --block 64
// sanitize own_else_one: g[64]=zeros n=0 --grid 1 --block 64
// sanitize three: g[64]=zeros n=9 --grid 1 --block 64
// sanitize three_shared: g[64]=zeros n=9 --grid 1 --block 64
// sanitize conditional: g[64]=zeros n=9 --grid 1 --block 64
// sanitize conditional_racy: g[64]=zeros n=9 --grid 1 --block 64
// sanitize swapped: g[64]=zeros n=3 --grid 1 --block 64
// sanitize swapped_racy: g[64]=zeros n=3 --grid 1 --block 64
// sanitize moved: g[64]=zeros n=9 --grid 1 --block 64
// sanitize moved_racy: g[64]=zeros n=9 --grid 1 --block 64
// sanitize moved_beyond: g[64]=zeros n=9 --grid 1 --block 64
// sanitize moved_in_rows: g[64]=zeros n=9 --grid 1 --block 64
// sanitize moved_back: g[64]=zeros n=9 --grid 1 --block 64
// sanitize moved_sometimes: g[64]=zeros n=9 --grid 1 --block 64
// sanitize alternate: g[64]=zeros n=9 --grid 1 --block 64
// sanitize alternate_racy: g[64]=zeros n=9 --grid 1 --block 64
// sanitize passed: g[64]=zeros n=9 --grid 1 --block 64
// sanitize passed_racy: g[64]=zeros n=9 --grid 1 --block 64
// sanitize returned: g[64]=zeros n=9 --grid 1 --block 64
// sanitize returned_racy: g[64]=zeros n=9 --grid 1 --block 64
// sanitize member: g[64]=zeros n=9 --grid 1 --block 64
// sanitize member_racy: g[64]=zeros n=9 --grid 1 --block 64
// sanitize counted: g[64]=zeros n=9 --grid 1 --block 64
// sanitize counted_plain: g[64]=zeros n=9 --grid 1 --block 64
// sanitize own_array: g[64]=zeros n=9 --grid 1 --block 64
// sanitize own_beyond: g[64]=zeros n=9 --grid 1 --block 64
// sanitize kept: g[64]=zeros n=9 --grid 1 --block 64
struct View {
    float *at;
    __device__ float &operator[](int i) const { return at[i]; }
};

__device__ float *choice(bool first, float *a, float *b)
{
    return first ? a : b;
}

__device__ void fill(float *p, float x) { p[threadIdx.x] = x; }

__device__ float sum(const float *a, const float *b, bool first)
{
    const float *p = a;
    if (first)
        p = b;
    return p[threadIdx.x] + p[threadIdx.x ^ 1];
}

__global__ void choose(float *g, int n)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    float *p = g + t;
    if (n > 5)
        p = &s[t];
    *p = t;
    __syncthreads();
    g[t] = n > 5 ? s[t ^ 1] : 0;
}

__global__ void choose_neighbour(float *g, int n)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    float *p = g + t;
    if (n > 5)
        p = &s[t];
    *p = t;
    g[t] = n > 5 ? s[t ^ 1] : 0;
}

// One of the two ways meets the next store.
__global__ void choose_early(float *g, int n)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = 0;
    __syncthreads();
    float *p = g + t;
    if (n > 5)
        p = &s[t];
    s[t ^ 1] = 2;
    *p = t;
}

__global__ void own(float *g, int n)
{
    int t = threadIdx.x;
    float mine = t, *p = g + t;
    if (n > 5)
        p = &mine;
    *p = 1;
    g[t] = mine;
}

__global__ void own_else_one(float *g, int n)
{
    int t = threadIdx.x;
    float mine = t, *p = g;
    if (n > 5)
        p = &mine;
    *p = t;
    g[t] = mine;
}

__global__ void three(float *g, int n)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    float mine = 0, *p = &mine;
    s[t] = 0;
    if (t % 3 == 1)
        p = s + t;
    else if (t % 3 == 2)
        p = g + t;
    *p = t;
    __syncthreads();
    g[t] = mine + s[63 - t];
}

__global__ void three_shared(float *g, int n)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    float mine = 0, *p = &mine;
    s[t] = 0;
    if (t % 3 == 1)
        p = s + t - 1;
    else if (t % 3 == 2)
        p = g + t;
    *p = t;
    __syncthreads();
    g[t] = mine + s[63 - t];
}

__global__ void conditional(float *g, int n)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    float mine = 0;
    float *p = t < 32 ? s + t : g + t;
    float *q = n > 6 ? s + t : &mine;
    *p = 1;
    *q = 2;
    __syncthreads();
    g[t] = mine + *(t < 32 ? s + 31 - t : &mine);
}

__global__ void conditional_racy(float *g, int n)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    float mine = 0;
    float *p = t < 32 ? s + t : g + t;
    float *q = n > 6 ? s + 32 : &mine;
    *p = 1;
    *q = t;
}

// From turn to turn.
__global__ void swapped(float *g, int n)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    float *from = g + t, *to = s + t;
    *to = 1;
    for (int k = 0; k < n; k++) {
        *to = *from + k;
        float *other = from;
        from = to;
        to = other;
    }
}

__global__ void swapped_racy(float *g, int n)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    float *from = g + t, *to = s + t;
    *to = 1;
    __syncthreads();
    for (int k = 0; k < n; k++) {
        *to = *from + s[t ^ 1];
        float *other = from;
        from = to;
        to = other;
    }
}

__global__ void moved(float *g, int n)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    float *p = n > 5 ? s : g;
    p += t % 16;
    if (t < 16)
        for (int k = 0; k < 4; k++) {
            *p = k;
            p += 16;
        }
}

__global__ void moved_racy(float *g, int n)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    float *p = n > 5 ? s : g;
    p += t % 16;
    if (t < 16)
        for (int k = 0; k < 4; k++) {
            *p = k;
            p += 15;
        }
}

__global__ void moved_beyond(float *g, int n)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    float *p = n > 5 ? s : g;
    p += t % 16;
    if (t < 16)
        for (int k = 0; k < 5; k++) {
            *p = k;
            p += 16;
        }
}

__global__ void moved_in_rows(float *g, int n)
{
    __shared__ float s[8][8];
    int t = threadIdx.x;
    float mine[8];
    float *p = t < 8 ? s[t] : mine;
    for (int k = 0; k < 8; k++)
        *p++ = k;
    __syncthreads();
    g[t] = s[t % 8][t / 8];
}

// The pointer begins anew in each turn of the loop around.
__global__ void moved_back(float *g, int n)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    for (int i = 0; i < n; i++) {
        float *p = (n > 5 ? s : g) + 48 + t % 16;
        if (t < 16)
            for (int k = 0; k < 4; k++, p -= 16)
                *p = i;
    }
}

__global__ void moved_sometimes(float *g, int n)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    float *p = n > 5 ? s : g;
    p += t % 16;
    if (t < 16)
        for (int k = 0; k < n && k < 4; k++) {
            *p = k;
            if (k % 2)
                p += 16;
        }
}

__global__ void alternate(float *g, int n)
{
    __shared__ float s[64];
    for (int k = 0; k < n; k++) {
        float *p = k % 2 ? s : g;
        p[threadIdx.x] = k;
    }
}

__global__ void alternate_racy(float *g, int n)
{
    __shared__ float s[64];
    s[threadIdx.x] = 0;
    for (int k = 0; k < n; k++) {
        float *p = k % 2 ? s : g;
        p[threadIdx.x] = k;
        g[threadIdx.x ^ 1] = s[threadIdx.x];
    }
}

__global__ void passed(float *g, int n)
{
    __shared__ float s[64];
    fill(n > 5 ? s : g, 1);
    fill(n > 5 ? g : s, 2);
    __syncthreads();
    float x = sum(g, s, n > 3);
    __syncthreads();
    g[threadIdx.x] = x;
}

__global__ void passed_racy(float *g, int n)
{
    __shared__ float s[64];
    fill(n > 5 ? s : g, 1);
    fill(n > 5 ? g : s, 2);
    __syncthreads();
    g[threadIdx.x] = sum(s, g, n > 3);
}

__global__ void returned(float *g, int n)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    float mine[2] = {1, 2};
    *choice(t < 32, s + t, g + t) = t;
    float *p = choice(n > 4, mine, s + 2 * t % 32);
    __syncthreads();
    g[t] = p[0];
}

__global__ void returned_racy(float *g, int n)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    float mine[2] = {1, 2};
    *choice(t < 32, s + t, g + t) = t;
    float *p = choice(n < 4 || n > 8, s + 2 * t % 32, mine);
    g[t] = p[0];
}

__global__ void member(float *g, int n)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    float mine[2] = {3, 4};
    View v = {s}, w = {mine};
    if (n > 5)
        v.at = g;
    v[t] = w[1];
    if (n > 7)
        w = v;
    __syncthreads();
    g[t] = w[n > 7 ? t : 0];
}

__global__ void member_racy(float *g, int n)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    float mine[2] = {3, 4};
    View v = {s}, w = {mine};
    if (n > 5)
        v.at = g;
    v[t] = w[1];
    if (n > 7)
        w = v;
    g[t] = w[n > 7 ? t ^ 1 : 0];
}

__global__ void counted(float *g, int n)
{
    __shared__ float s[2];
    int t = threadIdx.x;
    if (t < 2)
        s[t] = 0;
    __syncthreads();
    float *p = n > 5 ? s + t % 2 : g;
    atomicAdd(p, 1.0f);
}

__global__ void counted_plain(float *g, int n)
{
    __shared__ float s[2];
    int t = threadIdx.x;
    if (t < 2)
        s[t] = 0;
    __syncthreads();
    float *p = n > 5 ? s + t % 2 : g;
    atomicAdd(p, 1.0f);
    if (t == 3)
        s[0] = 7;
}

// No device has atomic operations there.
__global__ void counted_own(float *g, int n)
{
    float mine = 0;
    float *p = n > 5 ? &mine : g;
    atomicAdd(p, 1.0f);
}

__global__ void own_array(float *g, int n)
{
    int t = threadIdx.x;
    float mine[4] = {1, 2, 3, 4};
    float *p = n > 5 ? &mine[1] : g + t;
    p[0] = 5;
    g[t] = mine[1] + mine[t % 4];
}

__global__ void own_beyond(float *g, int n)
{
    int t = threadIdx.x;
    float mine[4] = {1, 2, 3, 4};
    float *p = n > 5 ? &mine[1] : g + t;
    for (int i = 0; i < (n > 5 ? 4 : 1); i++)
        p[i] = 5;
    g[t] = mine[1];
}

// The thread's variable is the same one behind a barrier.
__global__ void kept(float *g, int n)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    float a = 1, *p = n > 5 ? &a : s + t;
    s[t] = t;
    __syncthreads();
    a = 10;
    *p += g[t];
    __syncthreads();
    g[t] = a + 100 * *p + s[63 - t];
}
