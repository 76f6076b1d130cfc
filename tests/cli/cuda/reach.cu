// SPDX-License-Identifier: Apache-2.0
// TEST: an array that is too small for the kernel stops a launch, never more
__global__ void copy(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i];
}

__global__ void backwards(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[n - 1 - i] = x[2 * i];
}

__global__ void gather(const int *at, const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[at[i]];
}

__global__ void count(const unsigned char *x, int *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&bins[x[i]], 1);
}

__global__ void turn(const float *x, float *y, int w, int h)
{
    int i = blockIdx.x * 16 + threadIdx.x, j = blockIdx.y * 16 + threadIdx.y;
    if (i < w && j < h)
        y[i * h + j] = x[j * w + i];
}

__global__ void last(int *y, int n)
{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0)
        y[n] = s[63];
}

__device__ float sum_of(const float *row, int n)
{
    float sum = 0;
    for (int j = 0; j < n; j++)
        sum += row[j];
    return sum;
}

__global__ void rows(const float *x, float *y, int m, int n)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    float *out = y;
    out += r;
    if (r < m)
        *out = sum_of(x + r * n, n);
}

__global__ void vectors(const float4 *x, float4 *y, int n)
{
    if (threadIdx.x < n)
        y[threadIdx.x] = x[threadIdx.x];
}
// RUN: heddle run %s copy n=100 'x[100]=iota' 'y[100]=zeros' --block 64 --grid 2 --save y=y.npy
// OUT: y.npy = np.arange(100, dtype=np.float32)
// RUN: heddle run %s copy n=100 'x[99]=iota' 'y[100]=zeros' --block 64 --grid 2
// EXIT: 1
// STDERR: reach.cu:7:16: error[HD0702]: access outside of array 'x'
// STDERR: thread (35, 0, 0) of block (1, 0, 0) of kernel 'copy' reads x[99], 'x' has 99 elements
// RUN: heddle run %s copy n=100 'x[100]=iota' 'y[1]=zeros' --block 128 --grid 1
// EXIT: 1
// STDERR: reach.cu:7:9: error[HD0702]: access outside of array 'y'
// STDERR: thread (1, 0, 0) of block (0, 0, 0) of kernel 'copy' writes y[1], 'y' has 1 element
// RUN: heddle run %s copy n=64 'x[0]=zeros' 'y[64]=zeros' --block 64 --grid 1
// EXIT: 1
// STDERR: reads x[0], 'x' has 0 elements
// RUN: heddle run %s copy n=0 'x[0]=zeros' 'y[0]=zeros' --block 64 --grid 1
// EXIT: 0
// RUN: heddle run %s backwards n=64 'x[127]=iota' 'y[64]=zeros' --block 64 --grid 1 --save y=back.npy
// OUT: back.npy = 2 * np.arange(63, -1, -1, dtype=np.float32)
// RUN: heddle run %s backwards n=64 'x[126]=iota' 'y[64]=zeros' --block 64 --grid 1
// EXIT: 1
// STDERR: thread (63, 0, 0) of block (0, 0, 0) of kernel 'backwards' reads x[126]
// RUN: heddle run %s backwards n=64 'x[127]=iota' 'y[63]=zeros' --block 64 --grid 1
// EXIT: 1
// STDERR: thread (0, 0, 0) of block (0, 0, 0) of kernel 'backwards' writes y[63]
// RUN: heddle run %s gather n=40 'at[40]=full:4' 'x[5]=iota' 'y[40]=zeros' --block 64 --grid 1 --save y=taken.npy
// OUT: taken.npy = np.full(40, 4.0)
// RUN: heddle run %s gather n=40 'at[40]=full:5' 'x[5]=iota' 'y[40]=zeros' --block 64 --grid 1
// EXIT: 1
// STDERR: kernel 'gather' reads x[5], 'x' has 5 elements
// RUN: heddle run %s gather n=40 'at[40]=full:-1' 'x[5]=iota' 'y[40]=zeros' --block 64 --grid 1
// EXIT: 1
// STDERR: kernel 'gather' reads x[-1], 'x' has 5 elements
// RUN: heddle run %s gather n=40 'at[40]=full:-2147483648' 'x[5]=iota' 'y[40]=zeros' --block 64 --grid 1
// EXIT: 1
// STDERR: kernel 'gather' reads x[-2147483648], 'x' has 5 elements
// RUN: heddle run %s count n=40 'x[40]=full:7' 'bins[7]=zeros' --block 64 --grid 1
// EXIT: 1
// STDERR: kernel 'count' updates bins[7], 'bins' has 7 elements
// RUN: heddle run %s turn w=40 h=24 'x[960]=iota' 'y[960]=zeros' --block 16,16 --grid 3,2 --save y=turned.npy
// OUT: turned.npy = np.arange(960, dtype=np.float32).reshape(24, 40).T.ravel()
// RUN: heddle run %s turn w=40 h=24 'x[959]=iota' 'y[960]=zeros' --block 16,16 --grid 3,2
// EXIT: 1
// STDERR: thread (7, 7, 0) of block (2, 1, 0) of kernel 'turn' reads x[959]
// RUN: heddle run %s turn w=40 h=24 'x[960]=iota' 'y[959]=zeros' --block 16,16 --grid 3,2
// EXIT: 1
// STDERR: thread (7, 7, 0) of block (2, 1, 0) of kernel 'turn' writes y[959]
// RUN: heddle run %s last n=3 'y[4]=zeros' --block 64 --grid 1
// EXIT: 0
// RUN: heddle run %s last n=4 'y[4]=zeros' --block 64 --grid 1
// EXIT: 1
// STDERR: kernel 'last' writes y[4], 'y' has 4 elements
// RUN: heddle run %s rows m=50 n=7 'x[350]=full:2' 'y[50]=zeros' --block 64 --grid 1 --save y=sums.npy
// OUT: sums.npy = np.full(50, 14, dtype=np.float32)
// RUN: heddle run %s rows m=50 n=7 'x[349]=full:2' 'y[50]=zeros' --block 64 --grid 1
// EXIT: 1
// STDERR: error[HD0702]: access outside of array 'x'
// STDERR: thread (49, 0, 0) of block (0, 0, 0) of kernel 'rows' reads x[349]
// RUN: heddle run %s rows m=50 n=7 'x[350]=full:2' 'y[49]=zeros' --block 64 --grid 1
// EXIT: 1
// STDERR: thread (49, 0, 0) of block (0, 0, 0) of kernel 'rows' writes y[49]
// RUN: heddle run %s vectors n=33 'x[33]=zeros' 'y[32]=zeros' --block 64 --grid 1
// EXIT: 1
// STDERR: thread (32, 0, 0) of block (0, 0, 0) of kernel 'vectors' writes y[32]
