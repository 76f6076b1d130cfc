// SPDX-License-Identifier: Apache-2.0
// TEST: one thread of each warp is elected: of one warp it is alone, of several it is not; an election orders no memory
// check-args: --block 64 --grid 1
// check alone: proved
// check of_each_warp: proved
// check together: bug HD0601
// check unordered: bug HD0601
__device__ bool elect_one()
{
    unsigned is_chosen = 0;
    asm volatile("{\n.reg .pred %%px;\nelect.sync _|%%px, %1;\n@%%px mov.s32 %0, 1;\n}" : "+r"(is_chosen) : "r"(0xffffffff));
    return is_chosen;
}

__global__ void alone(int *y)
{
    // heddle: requires 1 <= len(y)
    if (threadIdx.x < 32 && elect_one())
        y[0] = threadIdx.x;
}

__global__ void of_each_warp(int *y)
{
    // heddle: requires 2 <= len(y)
    if (elect_one())
        y[threadIdx.x / 32] = threadIdx.x;
}

__global__ void together(int *y)
{
    // heddle: requires 1 <= len(y)
    if (elect_one())
        y[0] = threadIdx.x;
}

__global__ void unordered(int *y)
{
    // heddle: requires 64 <= len(y)
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    bool is_chosen = elect_one();
    y[threadIdx.x] = is_chosen ? s[threadIdx.x + 1] : 0;
}
