// TEST: a tile loop without its second barrier is a bug, whatever the sizes and the launch are
// REF: docs/internals/check.md
// check nearest: bug HD0601 n=33, m=1
// check nearest: bug HD0601 __syncthreads(); at the end of the loop of line
// check sums<64>: bug HD0601 n=65
// check sums<256>: bug HD0601 n=257
// check product: bug HD0601 n=33
// check matmul: bug HD0601 K=17
// check long_loop: bug HD0601 thread 1 of block 0 writes out[1]
#include <cuda_runtime.h>
#define TILE 32

__global__ void nearest(const float *px, float *best, int n, int m)
{
    // heddle: requires n <= len(px) && m <= len(best)
    __shared__ float s[TILE];
    float b = 1e30f;
    int q = blockIdx.x * TILE + threadIdx.x;
    for (int first = 0; first < n; first += TILE) {
        if (first + threadIdx.x < n)
            s[threadIdx.x] = px[first + threadIdx.x];
        __syncthreads();
        int have = min(TILE, n - first);
        for (int k = 0; k < have; k++)
            b = fminf(b, s[k]);
    }
    if (q < m)
        best[q] = b;
}

template <int N> __global__ void sums(const float *x, float *y, int n)
{
    // heddle: requires n <= len(x) && N <= len(y)
    __shared__ float s[N];
    float a = 0.f;
    for (int first = 0; first < n; first += N) {
        if (first + threadIdx.x < n)
            s[threadIdx.x] = x[first + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < min(N, n - first); k++)
            a += s[k];
    }
    y[threadIdx.x] = a;
}

__global__ void product(const float *a, const float *b, float *c, int n)
{
    // heddle: requires n * n <= len(a) && n * n <= len(b) && n * n <= len(c)
    __shared__ float sa[TILE][TILE], sb[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y, col = blockIdx.x * TILE + x, row = blockIdx.y * TILE + y;
    float v = 0.f;
    for (int k = 0; k < n; k += TILE) {
        sa[y][x] = row < n && k + x < n ? a[row * n + k + x] : 0.f;
        sb[y][x] = k + y < n && col < n ? b[(k + y) * n + col] : 0.f;
        __syncthreads();
        for (int i = 0; i < TILE; i++)
            v += sa[y][i] * sb[i][x];
    }
    if (row < n && col < n)
        c[row * n + col] = v;
}

#define T 16
__global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[T][T], Bs[T][T];
    int row = blockIdx.y * T + threadIdx.y, col = blockIdx.x * T + threadIdx.x;
    float acc = 0;
    for (int t = 0; t < (K + T - 1) / T; ++t) {
        As[threadIdx.y][threadIdx.x] =
            row < M && t * T + threadIdx.x < K ? A[row * K + t * T + threadIdx.x] : 0.f;
        Bs[threadIdx.y][threadIdx.x] =
            col < N && t * T + threadIdx.y < K ? B[(t * T + threadIdx.y) * N + col] : 0.f;
        __syncthreads();
        for (int k = 0; k < T; ++k)
            acc += As[threadIdx.y][k] * Bs[k][threadIdx.x];
    }
    if (row < M && col < N)
        C[row * N + col] = acc;
}

// Only the two threads that race need to run.
__global__ void long_loop(float *out, float *a)
{
    // heddle: requires 257 <= len(out) && 102400000 <= len(a)
    int t = threadIdx.x;
    for (int i = 0; i < 100000; i++)
        a[i * 1024 + t] = i;
    out[t] = 1;
    out[t + 1] = 2;
}

void launch(float *x, float *y, float *z, int n, int m)
{
    nearest<<<(m + TILE - 1) / TILE, TILE>>>(x, y, n, m);
    sums<64><<<1, 64>>>(x, y, n);
    sums<256><<<1, 256>>>(x, y, n);
    dim3 grid((n + TILE - 1) / TILE, (n + TILE - 1) / TILE);
    product<<<grid, dim3(TILE, TILE)>>>(x, y, z, n);
    long_loop<<<1, 256>>>(x, y);
}

void multiply(int M, int N, int K)
{
    float *a, *b, *c;
    cudaMalloc(&a, M * K * sizeof(float));
    cudaMalloc(&b, K * N * sizeof(float));
    cudaMalloc(&c, M * N * sizeof(float));
    dim3 threads(T, T), blocks((N + T - 1) / T, (M + T - 1) / T);
    matmul<<<blocks, threads>>>(a, b, c, M, N, K);
}
