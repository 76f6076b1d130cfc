// SPDX-License-Identifier: Apache-2.0
// MODE: compile
// TEST: volatile outside shared memory, pointers to two memories, structs with pointers, shared memory of functions and of launches
struct View {
    float *data;
    int n;
};
__device__ float block_sum(float v)
{
    __shared__ float parts[32];
    parts[threadIdx.x] = v;
    __syncthreads();
    return parts[0];
}
__global__ void memory(View view, volatile int *flag, const float *y, int k)
{
    extern __shared__ float dynamic[];
    volatile float *fast = dynamic;
    while (*flag == 0)
        ;
    fast[0] = 1;
    *flag = 2;
    const float *p = k ? y : dynamic;
    view.data[0] = p[k] + block_sum(1) + block_sum(2);
}
// DUMP: memory --stage ast
// STDOUT: float block_sum(float v, float *parts) {
// STDOUT: kernel void memory(float *view_data, int view_n, int *flag, const float *y, int k, unsigned int dynamic_shared_bytes, constexpr
// STDOUT:   shared float parts[32];
// STDOUT:   View view = {view_data, view_n};
// STDOUT:   shared float dynamic[dynamic_shared_bytes / (sizeof(float))];
// STDOUT:   while (atomic_load(flag, relaxed, system) == 0) {
// STDOUT:   fast[0] = 1;
// STDOUT:   atomic_store(flag, 2, relaxed, system);
// STDOUT:   generic const float *p = k ? ((generic const float *)y) : ((generic const float *)dynamic);
// STDOUT:   view.data[0] = ((p[k] + block_sum(1, parts)) + block_sum(2, parts));
