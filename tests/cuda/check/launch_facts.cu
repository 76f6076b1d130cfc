// SPDX-License-Identifier: Apache-2.0
// TEST: what host code says of a launch is kept behind a goto to the end, for padded sizes, blocks from arrays, conditions on quotients and callers
// REF: docs/guide/cuda.md#checking
// check forward: proved
// check around: bug HD0601
// check padded: proved
// check padded_by_mask: proved
// check not_padded: bug HD0702
// check quotient: proved
// check quotient_wrong: bug HD0601
// check from_array: proved
// check from_array_changed: unknown HD0601
// check of_template: unknown HD0702 len(out)
// check called: proved
// check called_twice: bug HD0702
// check called_with_two: bug HD0702

// ------------------------------------------------------------------- goto

const int T = 32;

__global__ void forward(float *o, const float *x)
{
    int c = blockIdx.x * T + threadIdx.x, r = blockIdx.y * T + threadIdx.y, w = gridDim.x * T;
    for (int j = 0; j < T; j += 8)
        o[c * w + r + j] = x[(r + j) * w + c];
}

int run_forward(int given)
{
    const int nx = 1024, ny = 1024;
    float *o, *x;
    dim3 grid(nx / T, ny / T, 1), block(T, 8, 1);
    if (given < 0)
        goto out;
    cudaMalloc(&o, nx * ny * sizeof(float));
    cudaMalloc(&x, nx * ny * sizeof(float));
    forward<<<grid, block>>>(o, x);
    if (cudaGetLastError() != cudaSuccess)
        goto out;
    given = 7;
out:
    return given;
}

// The label stands before the launch: n may be anything there.
__global__ void around(float *y, int n)
{
    y[blockIdx.x * n + threadIdx.x] = threadIdx.x;
}

void run_around(float *y, int n)
{
    if (n > 10)
        goto again;
    n = 64;
again:
    around<<<4, dim3(64)>>>(y, n);
}

// ------------------------------------------------------------ padded sizes

#define TILE 64

__global__ void padded(int *a, int upper)
{
    int i = threadIdx.x / 32, j = threadIdx.x % 32;
    a[i * upper + j] = 1;
    a[(i + 32) * upper + j + 32] = 1;
}

__global__ void padded_by_mask(int *a, int upper)
{
    int i = threadIdx.x / 32, j = threadIdx.x % 32;
    a[i * upper + j] = 1;
    a[(i + 32) * upper + j + 32] = 1;
}

// Padded to 32 alone, and it may be 0.
// heddle: requires upper * upper <= len(a)
__global__ void not_padded(int *a, int upper)
{
    int i = threadIdx.x / 32, j = threadIdx.x % 32;
    atomicAdd(&a[(i + 32) * upper + j + 32], 1);
}

void run_padded(int nodes, int n)
{
    int *a, *b, *c;
    if (nodes < 1)
        return;
    const int sub = (nodes + TILE - 1) / TILE;
    const int upper = sub * TILE;
    cudaMalloc((void **)&a, sizeof(int) * upper * upper);
    padded<<<1, 1024>>>(a, upper);
    int pitch = (nodes + 63) & ~63;
    cudaMalloc((void **)&b, sizeof(int) * pitch * pitch);
    padded_by_mask<<<1, 1024>>>(b, pitch);
    int less = (n + 31) / 32 * 32;
    cudaMalloc((void **)&c, sizeof(int) * less * less);
    not_padded<<<1, 1024>>>(c, less);
}

// --------------------------------------------------------------- quotients

// Right in blocks of 64 alone.
// heddle: requires gridDim.x * 64 <= len(y)
__global__ void quotient(float *y)
{
    y[blockIdx.x * 64 + threadIdx.x] = threadIdx.x;
}

// heddle: requires gridDim.x * 64 <= len(y)
__global__ void quotient_wrong(float *y)
{
    y[blockIdx.x * 63 + threadIdx.x] = threadIdx.x;
}

void run_quotient(int c, int h)
{
    float *y;
    cudaMalloc(&y, 64 * h * sizeof(float));
    if (c / h == 64)
        quotient<<<h, c / h>>>(y);
    if (c / h == 64)
        quotient_wrong<<<h, c / h>>>(y);
}

// ---------------------------------------------------------- arrays of dim3

__global__ void from_array(float *y)
{
    y[(blockIdx.x * 8 + threadIdx.y) * 16 + threadIdx.x] = threadIdx.x;
}

__global__ void from_array_changed(float *y)
{
    y[(blockIdx.x * 8 + threadIdx.y) * 16 + threadIdx.x] = threadIdx.x;
}

void run_array()
{
    float *y;
    dim3 blocks[2] = {dim3(128), dim3(16, 8)};
    dim3 grids[] = {dim3(1), {4, 1, 1}};
    dim3 others[2] = {dim3(128), dim3(16, 8)};
    others[1].x = 17;
    cudaMalloc(&y, 512 * sizeof(float));
    from_array<<<grids[1], blocks[1]>>>(y);
    from_array_changed<<<4, others[1]>>>(y);
}

// ----------------------------------------------------------------- callees

template <typename T> __inline__ __host__ __device__ int each()
{
    return sizeof(float) / sizeof(T);
}

__global__ void of_template(const float *x, float *out, int n)
{
    int i = blockIdx.x * n + threadIdx.x;
    out[i] = x[i] + threadIdx.x;
}

void run_template(const float *x, float *out, int m, int n)
{
    dim3 grid(m);
    dim3 block(n / each<float>());
    of_template<<<grid, block>>>(x, out, n);
}

// ----------------------------------------------------------------- callers

#define N 64

template <int> __device__ void sum(int n, const float *a, float *b)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        for (int j = 0; j < n; j++)
            b[i] += a[j];
}

__global__ void called(int n, const float *a, float *b)
{
    sum<0>(n, a, b);
}

// heddle: requires 64 <= len(a) && 64 <= len(b)
__global__ void called_twice(int n, const float *a, float *b)
{
    sum<0>(n, a, b);
}

// heddle: requires 64 <= len(a) && 64 <= len(b)
__global__ void called_with_two(int n, const float *a, float *b)
{
    sum<0>(n, a, b);
}

static void launch(int n)
{
    float *a, *b;
    cudaMalloc(&a, N * sizeof(float));
    cudaMalloc(&b, N * sizeof(float));
    called<<<1, 64>>>(n, a, b);
}

static void launch_twice(int n)
{
    float *a, *b;
    cudaMalloc(&a, N * sizeof(float));
    cudaMalloc(&b, N * sizeof(float));
    called_twice<<<1, 64>>>(n, a, b);
}

// It is passed on: others may call it.
static void launch_passed(int n)
{
    float *a, *b;
    cudaMalloc(&a, N * sizeof(float));
    cudaMalloc(&b, N * sizeof(float));
    called_with_two<<<1, 64>>>(n, a, b);
}

void apply(void (*f)(int));

void run_called(int given)
{
    int n = N;
    launch(n);
    launch_twice(n);
    launch_twice(given);
    launch_passed(64);
    apply(launch_passed);
}
