// SPDX-License-Identifier: Apache-2.0
// TEST: a block that isn't constant is a fact of its launch, with what its variables got last
// check by_param: proved
// check by_quotient: proved
// check halved: proved
// check members: proved
// check assigned: proved
// check copied: proved
// check by_array: proved
// check cooperative: proved
// check configured: proved
// check by_pointers: proved
// check in_turns: proved
// check rows: proved
// check halved_behind: unknown HD0601
// check halved_in_loop: unknown HD0601
// check halved_in_branch: unknown HD0601
// check member_in_case: unknown HD0601
// check written_by_call: unknown HD0601
// check shadowed: unknown HD0601
// check smaller_array: unknown HD0601
// check more_than_configured: bug HD0601
#include <cuda_runtime.h>

// Each thread has an element of its own where there are at most n of them.
#define ROW(name) \
    __global__ void name(int n) \
    { \
        __shared__ int s[1024]; \
        int i = threadIdx.x; \
        s[i < n ? i : 0] = i; \
    }

ROW(by_param)
ROW(by_quotient)
ROW(halved)
ROW(members)
ROW(assigned)
ROW(copied)
ROW(by_array)
ROW(cooperative)
ROW(configured)
ROW(by_pointers)
ROW(in_turns)
ROW(halved_behind)
ROW(halved_in_loop)
ROW(halved_in_branch)
ROW(member_in_case)
ROW(written_by_call)
ROW(shadowed)
ROW(smaller_array)
ROW(more_than_configured)

// y of the block is constant, x isn't.
__global__ void rows(int width)
{
    __shared__ int s[1024];
    s[threadIdx.y * width + threadIdx.x] = threadIdx.x;
}

void launch_by_param(int n)
{
    by_param<<<1, n>>>(n);
}

void launch_by_quotient(int n, int parts)
{
    dim3 block(n / parts);
    by_quotient<<<parts, block>>>(n / parts);
}

void launch_halved(int n)
{
    n >>= 1;
    dim3 grid(1, 1), block(n);
    halved<<<grid, block>>>(n);
}

void launch_members(int n)
{
    dim3 grid, block;
    block.x = 32;
    grid.x = n;
    block.x = n;
    members<<<grid, block>>>(n);
}

void launch_assigned(int n)
{
    int threads;
    threads = n;
    assigned<<<1, threads>>>(n);
}

void launch_copied(int n)
{
    dim3 first = dim3(n, 1, 1);
    dim3 block;
    block = first;
    copied<<<1, block>>>(n);
}

void launch_by_array(int n)
{
    dim3 block(n), grid(1);
    void *args[] = {(void *)&n};
    cudaLaunchKernel((const void *)by_array, grid, block, args, 0, 0);
}

void launch_cooperative(int n)
{
    void *args[1] = {&n};
    cudaLaunchCooperativeKernel(reinterpret_cast<void *>(&cooperative), dim3(1),
                                dim3(n), args);
}

void launch_configured(int n, cudaStream_t stream)
{
    cudaLaunchConfig_t config = {0};
    config.gridDim = 1;
    config.blockDim = dim3(n);
    config.stream = stream;
    cudaLaunchKernelEx(&config, configured, n);
}

void launch_by_pointers(int n)
{
    cudaLaunchConfig_t config{};
    void *args[] = {&n};
    config.gridDim = 1;
    config.blockDim.x = n;
    config.blockDim.y = config.blockDim.z = 1;
    cudaLaunchKernelExC(&config, (void *)by_pointers, args);
}

void launch_in_turns(int n)
{
    for (int k = 1; k < n; k++) {
        int threads = k;
        in_turns<<<1, threads>>>(k);
    }
}

void launch_rows(int w, int h)
{
    dim3 block(w, 8);
    rows<<<h, block>>>(w);
}

// ---------------------------------------------------------------- others

void launch_halved_behind(int n)
{
    dim3 block(n);
    n >>= 1;
    halved_behind<<<1, block>>>(n);
}

void launch_halved_in_loop(int n)
{
    int threads = n;
    while (n > 0) {
        halved_in_loop<<<1, threads>>>(n);
        n /= 2;
    }
}

void launch_halved_in_branch(int n, bool small)
{
    int threads;
    threads = n;
    if (small)
        threads = 2 * n;
    halved_in_branch<<<1, threads>>>(n);
}

void launch_member_in_case(int n, int mode)
{
    dim3 block(2 * n);
    switch (mode) {
    case 0:
        block.x = n;
        break;
    default:
        member_in_case<<<1, block>>>(n);
    }
}

void choose(int *threads, int n);

void launch_written_by_call(int n)
{
    int threads = n;
    choose(&threads, n);
    written_by_call<<<1, threads>>>(n);
}

void launch_shadowed(int n, int m)
{
    int threads = 2 * n;
    {
        int threads = n;
        (void)threads;
    }
    shadowed<<<1, threads>>>(n);
}

void launch_smaller_array(int n)
{
    int half = n / 2;
    void *args[] = {&half};
    cudaLaunchKernel((const void *)smaller_array, 1, n, args, 0, 0);
}

void launch_more_than_configured(int n)
{
    cudaLaunchConfig_t config = {0};
    config.gridDim = 1;
    config.blockDim = 2 * n;
    cudaLaunchKernelEx(&config, more_than_configured, n);
}
