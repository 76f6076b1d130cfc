// SPDX-License-Identifier: Apache-2.0
// TEST: what the rules about barriers say is in words of CUDA C
__global__ void of_some(int *x)
{
    if (threadIdx.x < 16)
        __syncthreads(); //~ error HD0515: 'threadIdx.x < 16' decides which threads get here, and threadIdx differs between them
    //~^ note: move it to where all threads go
    x[threadIdx.x] = 1;
}

__global__ void of_columns(int *x)
{
    if (threadIdx.y > 3)
        __syncthreads(); //~ error HD0515: and threadIdx.y differs between them
    x[threadIdx.x] = 1;
}

__global__ void lock(int *x)
{
    while (atomicCAS(x, 0, 1) != 0) //~ warning HD0524: threads wait here for 'x'
        ;                           //~^ note: let one thread of a warp wait for all of them
    x[1]++;
    atomicExch(x, 0);
}
