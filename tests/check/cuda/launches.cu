// SPDX-License-Identifier: Apache-2.0
// TEST: what launches in the file say about arguments, grids and arrays is trusted, and listed
// check sized: proved
// check sized_racy: bug HD0601
// check pitched: unknown HD0702
// check pitched_racy: unknown HD0601 but not for 'w' = 4096 and 'pitch' = 8192
// check rounded: unknown HD0702
// check rounded_racy: bug HD0601
// check member: unknown HD0702
// check changed: bug HD0601
// check twice: bug HD0601
// check products: unknown HD0702
// check products_racy: bug HD0601
// check shared_bytes: proved
// check shared_bytes_racy: bug HD0702
#define TILE 16

// Sizes that only this launch has: `N` is a multiple of TILE, the arrays are
// as large as they were made.
__global__ void sized(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;
    for (int t = 0; t < N / TILE; t++) {
        As[threadIdx.y][threadIdx.x] = A[row * N + t * TILE + threadIdx.x];
        Bs[threadIdx.y][threadIdx.x] = B[(t * TILE + threadIdx.y) * N + col];
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        __syncthreads();
    }
    C[row * N + col] = sum;
}

__global__ void sized_racy(const float *A, float *C, int N)
{
    __shared__ float As[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    As[threadIdx.y][threadIdx.x] = A[row * N + col];
    C[row * N + col] = As[threadIdx.x][threadIdx.y];
}

__global__ void pitched(float *x, int w, int pitch)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    x[j * pitch + i] *= 2;
}

__global__ void pitched_racy(float *x, int w, int pitch)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    x[j * pitch + i] *= 2;
}

__global__ void rounded(float *x, int w, int h)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < w && j < h)
        x[j * w + i] *= 2;
}

// The last blocks stick out.
__global__ void rounded_racy(float *x, int w, int h)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    x[j * w + i] *= 2;
}

__global__ void member(float *x, int w)
{
    x[(blockIdx.y * TILE + threadIdx.y) * w + blockIdx.x * TILE +
      threadIdx.x] *= 2;
}

// What the grid was made from isn't what is passed.
__global__ void changed(float *x, int w)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    x[j * w + i] *= 2;
}

// The second launch is wrong.
__global__ void twice(float *x, int w)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    x[j * w + i] *= 2;
}

__global__ void products(float *x, unsigned w, unsigned h)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned j = blockIdx.y * blockDim.y + threadIdx.y;
    x[j * w + i] *= 2;
}

__global__ void products_racy(float *x, unsigned w, unsigned h)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned j = blockIdx.y * blockDim.y + threadIdx.y;
    x[j * w + i / 2] *= 2;
}

__global__ void shared_bytes(float *x)
{
    extern __shared__ float s[];
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = s[63 - threadIdx.x];
}

__global__ void shared_bytes_racy(float *x)
{
    extern __shared__ float s[];
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = s[63 - threadIdx.x];
}

struct Size {
    int w, h;
};

static int iDivUp(int a, int b) { return (a % b != 0) ? (a / b + 1) : (a / b); }

void run(float *x, int w, int h, Size s, int n_rows)
{
    dim3 block(16, 8), grid(w / block.x, iDivUp(h, block.y));
    pitched<<<grid, block>>>(x, w, w);
    pitched_racy<<<grid, block>>>(x, w, h);
    rounded<<<dim3((w + 15) / 16, (h + 7) / 8), block>>>(x, w, h);
    rounded_racy<<<dim3((w + 15) / 16, (h + 7) / 8), block>>>(x, w, h);
    member<<<dim3(s.w / TILE, s.h / TILE), dim3(TILE, TILE)>>>(x, s.w);
    n_rows /= 2;
    twice<<<grid, block>>>(x, w);
    twice<<<grid, block>>>(x, h);
    products<<<dim3(w / 16, h / 8), block>>>(x, w, h);
    products_racy<<<dim3(w / 16, h / 8), block>>>(x, w, h);
}

void later(float *x, int n)
{
    dim3 grid(n / 16, n / 8);
    n = n / 2;
    changed<<<grid, dim3(16, 8)>>>(x, n);
}

int main()
{
    const int N = 256;
    float *a, *b, *c, *d;
    cudaMalloc(&a, N * N * sizeof(float));
    cudaMalloc((void **)&b, sizeof(float) * N * N);
    cudaMalloc(&c, N * N * sizeof(float));
    cudaMalloc(&d, 64 * sizeof(float));
    dim3 block(TILE, TILE), grid(256 / TILE, 256 / TILE);
    sized<<<grid, block>>>(a, b, c, 256);
    sized_racy<<<grid, block>>>(a, c, N);
    shared_bytes<<<1, 64, 64 * sizeof(float)>>>(d);
    shared_bytes_racy<<<1, 64, 63 * sizeof(float)>>>(d);
}
