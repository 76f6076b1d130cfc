// SPDX-License-Identifier: Apache-2.0
// TEST: a sync of the grid in a kernel that the file launches without cooperation is a bug
// REF: docs/errors/HD1035.md
// convert leaves out plain, by_call, also_plain, typed<float>, halves: launches are no part of it
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__device__ void meet() { cg::this_grid().sync(); } //@by_call

// check plain: bug HD1035 line @plain line 91 launches it without cudaLaunchCooperativeKernel
__global__ void plain(int *x)
{
    x[cg::this_grid().thread_rank()] = 1;
    cg::this_grid().sync(); //@plain
}
// check by_call: bug HD1035 line @by_call line 94 launches it
__global__ void by_call(int *x)
{
    x[cg::this_grid().thread_rank()] = 1;
    meet();
}
// check also_plain: bug HD1035 line @also line 97 launches it
__global__ void also_plain(int *x)
{
    cg::this_grid().sync(); //@also
    x[cg::this_grid().thread_rank()] = 1;
}
// check typed<float>: bug HD1035
// check typed<int>: proved
template <class T> __global__ void typed(T *x)
{
    cg::this_grid().sync();
    x[cg::this_grid().thread_rank()] = 1;
}
// check halves: bug HD1035
__global__ void halves(int *x)
{
    auto grid = cg::this_grid();
    auto token = grid.barrier_arrive();
    grid.barrier_wait(std::move(token));
    x[grid.thread_rank()] = 1;
}
// check together: proved
__global__ void together(int *x)
{
    cg::this_grid().sync();
    x[cg::this_grid().thread_rank()] = 1;
}
// check with_config: proved
__global__ void with_config(int *x)
{
    cg::this_grid().sync();
    x[cg::this_grid().thread_rank()] = 1;
}
// Asks for ranks alone.
// check ranks: proved
__global__ void ranks(int *x)
{
    cg::this_thread_block().sync();
    x[cg::this_grid().thread_rank()] = 1;
}
// A cluster of one block.
// check of_cluster: proved
__global__ void of_cluster(int *x)
{
    cg::this_cluster().sync();
    x[cg::this_grid().thread_rank()] = 1;
}
// check unlaunched: proved
__global__ void unlaunched(int *x)
{
    // heddle: requires gridDim.x * blockDim.x <= len(x) && gridDim.y == 1 && gridDim.z == 1
    cg::this_grid().sync();
    x[cg::this_grid().thread_rank()] = 1;
}
void host(cudaStream_t stream)
{
    int *x;
    float *y;
    cudaMalloc(&x, 256 * sizeof(int));
    cudaMalloc(&y, 256 * sizeof(float));
    void *args[] = {&x};
    cudaLaunchConfig_t config = {};
    config.gridDim = 4;
    config.blockDim = 64;
    cudaLaunchAttribute attribute[1];
    attribute[0].id = cudaLaunchAttributeCooperative;
    attribute[0].val.cooperative = 1;
    config.attrs = attribute;
    config.numAttrs = 1;
    plain<<<4, 64>>>(x);
    cudaLaunchKernelEx(&config, with_config, x);

    cudaLaunchKernel((void *)by_call, dim3(4), dim3(64), args, 0, stream);

    cudaLaunchCooperativeKernel((void *)also_plain, dim3(4), dim3(64), args, 0, stream);
    also_plain<<<4, 64>>>(x);
    typed<float><<<4, 64>>>(y);
    cudaLaunchCooperativeKernel((void *)typed<int>, dim3(4), dim3(64), args, 0, stream);
    halves<<<4, 64>>>(x);
    cudaLaunchCooperativeKernel((void *)together, dim3(4), dim3(64), args, 0, stream);
    ranks<<<4, 64>>>(x);
    of_cluster<<<4, 64>>>(x);
}
