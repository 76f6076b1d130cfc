// SPDX-License-Identifier: Apache-2.0
// TEST: barriers that not all threads reach, and their mended twins
// check-args: --block 64 --grid 1
// check early_return: proved
// check guarded: proved
// check in_branch: bug HD0515
// check around_branch: proved
// check uneven_loop: bug HD0405 line @uneven
// check even_loop: proved
// check uniform_branch: proved
__global__ void early_return(int *x, int n)
{
    // heddle: requires n <= len(x) && n <= 64
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t >= n)
        return;
    s[t] = x[t];
    __syncthreads();
    x[t] = s[n - 1 - t];
}

__global__ void guarded(int *x, int n)
{
    // heddle: requires n <= len(x) && n <= 64
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t < n)
        s[t] = x[t];
    __syncthreads();
    if (t < n)
        x[t] = s[n - 1 - t];
}

__global__ void in_branch(int *x)
{
    // heddle: requires 64 <= len(x)
    if (threadIdx.x % 2 == 0) {
        x[threadIdx.x] = 1;
        __syncthreads();
    }
}

__global__ void around_branch(int *x)
{
    // heddle: requires 64 <= len(x)
    if (threadIdx.x % 2 == 0)
        x[threadIdx.x] = 1;
    __syncthreads();
}

__global__ void uneven_loop(int *x)
{
    // heddle: requires 64 <= len(x)
    for (int k = 0; k < threadIdx.x; k++) { //@uneven
        x[threadIdx.x] += k;
        __syncthreads();
    }
}

__global__ void even_loop(int *x, int rounds)
{
    // heddle: requires 64 <= len(x)
    for (int k = 0; k < rounds; k++) {
        x[threadIdx.x] = x[threadIdx.x] ^ k;
        __syncthreads();
    }
}

__global__ void uniform_branch(int *x, int n)
{
    // heddle: requires 64 <= len(x)
    if (n > 5 && blockIdx.x == 0) {
        x[threadIdx.x] = 1;
        __syncthreads();
    }
}
