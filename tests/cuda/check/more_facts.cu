// TEST: what more is said of lengths never makes a verdict worse
// REF: docs/reference/cuda.md
// check-args: --block 64
// check: proved

// A pointer of which nothing is said joins no two others.
__global__ void spread(float *unused, float *w, float *out)
{
    // heddle: requires gridDim.x <= len(w) && gridDim.x * 64 <= len(out)
    out[blockIdx.x * blockDim.x + threadIdx.x] = w[blockIdx.x];
}

// Of two lower bounds both hold, in any order.
__global__ void rising(int *g)
{
    __requires(3 <= len(g));
    __requires(6 <= len(g));
    if (threadIdx.x == 0 && blockIdx.x == 0) {
        g[2] = 1;
        g[5] = 2;
    }
}

__global__ void falling(int *g)
{
    __requires(6 <= len(g));
    __requires(3 <= len(g));
    if (threadIdx.x == 0 && blockIdx.x == 0) {
        g[2] = 1;
        g[5] = 2;
    }
}

__global__ void of_either(int *g, int n, int m)
{
    __requires(n <= len(g));
    __requires(m <= len(g));
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < m || i < n)
        g[i] = i;
}

__global__ void exact_last(int *g, int n)
{
    __requires(0 <= n);
    __requires(n <= len(g));
    __requires(n + 1 == len(g));
    if (threadIdx.x == 0 && blockIdx.x == 0)
        g[n] = 1;
}

__global__ void with_grid(int *g, int n)
{
    __requires(n <= len(g));
    __requires(gridDim.x * 64 <= len(g));
    int i = blockIdx.x * 64 + threadIdx.x;
    g[i] = i;
    if (i < n)
        g[i]++;
}

// A size isn't negative, as a number without sign it is the same.
__global__ void counted(int *g, int n)
{
    __requires(n <= len(g));
    __requires(1 <= len(g));
    unsigned i = blockIdx.x * 64 + threadIdx.x;
    if (i < n)
        g[i] = i;
}

__global__ void counted_first(int *g, int n)
{
    __requires(1 <= len(g));
    __requires(n - 3 < len(g));
    unsigned i = blockIdx.x * 64 + threadIdx.x;
    if (i < n - 2)
        g[i] = i;
}

__global__ void counted_twice(int *g, int n, int m)
{
    __requires(n <= len(g) && 2 * n <= len(g));
    __requires(m == len(g));
    unsigned i = blockIdx.x * 64 + threadIdx.x;
    if (i < 2 * n)
        g[i] = i;
}

__global__ void counted_with_grid(int *g, int n)
{
    __requires(n <= len(g));
    __requires(gridDim.x <= len(g));
    unsigned i = blockIdx.x * 64 + threadIdx.x;
    if (i < n)
        g[i] = i;
}

__global__ void counted_behind_grid(int *g, int n)
{
    __requires(gridDim.x <= len(g));
    __requires(n <= len(g));
    unsigned i = blockIdx.x * 64 + threadIdx.x;
    if (i < n)
        g[i] = i;
}

// Pointers that move.
__global__ void shift(const float *a, float *b)
{
    // heddle: requires gridDim.x * 64 <= len(a) && gridDim.x * 64 <= len(b)
    a += blockIdx.x * 64 + threadIdx.x;
    b += blockIdx.x * 64 + threadIdx.x;
    b[0] = a[0];
}

__global__ void walk(const float *x, float *y, int n)
{
    // heddle: requires n <= len(x) && 64 <= len(y)
    float sum = 0;
    x += threadIdx.x;
    for (int i = threadIdx.x; i < n; i += 64, x += 64)
        sum += *x;
    if (blockIdx.x == 0)
        y[threadIdx.x] = sum;
}

__global__ void swap(float *a, float *b, int n, int steps)
{
    // heddle: requires n <= len(a) && n <= len(b) && n <= 1000000
    if (blockIdx.x > 0)
        return;
    for (int s = 0; s < steps; ++s) {
        for (int p = threadIdx.x; p < n; p += 64)
            b[p] = a[p > 0 ? p - 1 : 0] + 1;
        __syncthreads();
        float *t = a;
        a = b;
        b = t;
    }
}

// A number in place of a size.
__global__ void rows(float *out, int w, int h)
{
    __requires(h == 1080);
    __requires(w * h <= len(out));
    int x = blockIdx.x * 32 + threadIdx.x % 32, y = blockIdx.y * 2 + threadIdx.x / 32;
    if (x >= w || y >= h)
        return;
    out[y * w + x] = 1;
}
