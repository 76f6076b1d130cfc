// SPDX-License-Identifier: Apache-2.0
// TEST: of grids that are too large to be run as a whole a few blocks show what is wrong
// check-args: --block 256 --grid 20,30
// check next_block: bug HD0601 line @next
// check next_row: bug HD0601 line @row
// check far_blocks: bug HD0601 line @far
// check in_block: bug HD0601 line @in
// check own_elements: proved
// check in_block_synced: proved
// check waits_for_first: unknown HD0601
// check assumed_place: bug HD0705 line @place
// check required_size: bug HD0601 line @size
// check required_size_synced: proved
__global__ void next_block(int *x)
{
    // heddle: requires 200000 <= len(x)
    int i = blockIdx.y * 20 + blockIdx.x;
    x[i * 256 + threadIdx.x] += x[(i + 1) * 256 + threadIdx.x]; //@next
}

__global__ void next_row(int *x)
{
    // heddle: requires 200000 <= len(x)
    int i = blockIdx.y * 20 + blockIdx.x;
    int old = x[(i + 20) * 256 + threadIdx.x];
    x[i * 256 + threadIdx.x] = old; //@row
}

__global__ void far_blocks(int *x)
{
    // heddle: requires 200000 <= len(x)
    int i = blockIdx.y * 20 + blockIdx.x;
    if (i == 37 || i == 550)
        x[threadIdx.x] = i; //@far
}

__global__ void in_block(const int *x, int *y)
{
    // heddle: requires 153600 <= len(x) && 153600 <= len(y)
    __shared__ int s[256];
    int i = (blockIdx.y * 20 + blockIdx.x) * 256;
    s[threadIdx.x] = x[i + threadIdx.x];
    y[i + threadIdx.x] = s[255 - threadIdx.x]; //@in
}

__global__ void in_block_synced(const int *x, int *y)
{
    // heddle: requires 153600 <= len(x) && 153600 <= len(y)
    __shared__ int s[256];
    int i = (blockIdx.y * 20 + blockIdx.x) * 256;
    s[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    y[i + threadIdx.x] = s[255 - threadIdx.x];
}

__global__ void own_elements(int *x)
{
    // heddle: requires 153600 <= len(x)
    int i = (blockIdx.y * 20 + blockIdx.x) * 256 + threadIdx.x;
    x[i] = 2 * x[i];
}

// Each block waits for the one before it: no deadlock, though a run has few.
__global__ void waits_for_first(int *turn, int *x)
{
    // heddle: requires 1 <= len(turn) && 1 <= len(x)
    int i = blockIdx.y * 20 + blockIdx.x;
    if (threadIdx.x == 0) {
        while (atomicAdd(turn, 0) != i)
            ;
        __threadfence();
        x[0] += i;
        __threadfence();
        atomicAdd(turn, 1);
    }
}

__global__ void assumed_place(int *x)
{
    // heddle: requires 153600 <= len(x)
    __assert(blockIdx.x != 19 || blockIdx.y < 29); //@place
    x[(blockIdx.y * 20 + blockIdx.x) * 256 + threadIdx.x] = 0;
}

// No run is one unless it has just this size.
__global__ void required_size(const int *x, int *y, int n, int m)
{
    __requires(n == (1 << 18) && m == n / 4);
    __requires(65536 <= len(x) && 262144 <= len(y));
    __shared__ int s[256];
    for (int i = blockIdx.y * 20 + blockIdx.x; i < n; i += 600) {
        s[threadIdx.x] = x[threadIdx.x] + i % m;
        __syncthreads();
        if (threadIdx.x == 0)
            y[i] = s[0] + s[255]; //@size
    }
}

__global__ void required_size_synced(const int *x, int *y, int n, int m)
{
    __requires(n == (1 << 18) && m == n / 4);
    __requires(65536 <= len(x) && 262144 <= len(y));
    __shared__ int s[256];
    for (int i = blockIdx.y * 20 + blockIdx.x; i < n; i += 600) {
        s[threadIdx.x] = x[threadIdx.x] + i % m;
        __syncthreads();
        if (threadIdx.x == 0)
            y[i] = s[0] + s[255];
        __syncthreads();
    }
}
