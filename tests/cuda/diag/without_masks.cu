// SPDX-License-Identifier: Apache-2.0
// TEST: each operation of a warp without a mask is told once where it stands
__device__ int reduced(int v)
{
    return v + __shfl_xor(v, 16); //~ warning HD1163: '__shfl_xor' has no mask: it is treated as '__shfl_xor_sync' with all 32 lanes
}
__global__ void k(int *x, float *y)
{
    int i = threadIdx.x;
    x[i] = reduced(x[i]) + reduced(i);
    y[i] = __shfl(y[i], 0); //~ warning HD1163: '__shfl' has no mask: it is treated as '__shfl_sync' with all 32 lanes
    y[i] += __shfl_up(y[i], 1); //~ warning HD1163: '__shfl_up'
    y[i] += __shfl_down(y[i], 1); //~ warning HD1163: '__shfl_down'
    x[i] += __any(i) + __all(i);
    //~^ warning HD1163: '__any'
    //~^^ warning HD1163: '__all'
    x[i] += (int)__ballot(i); //~ warning HD1163: '__ballot' has no mask
}
// Those of matching never had a form without.
__global__ void other(int *x)
{
    x[threadIdx.x] = __match_any(x[threadIdx.x]); //~ error HD0301: '__match_any' is not declared
}
