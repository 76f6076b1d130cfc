// SPDX-License-Identifier: Apache-2.0
// TEST: each name of CUDA's headers that isn't supported says so where it is used
// ARGS: --max-errors 400
#include <cuda/ptx>
#include <cuda/barrier>
#include <cuda_awbarrier_primitives.h>
#include <cuda_fp4.h>
#include <curand_kernel.h>
#include <mma.h>

__global__ void of___barrier_sync(unsigned p0) { __barrier_sync(p0); } //~ error HD1150: '__barrier_sync'
__global__ void of___barrier_sync_count(unsigned p0, unsigned p1) { __barrier_sync_count(p0, p1); } //~ error HD1150: '__barrier_sync_count'
__global__ void of___clusterDimIsSpecified() { __clusterDimIsSpecified(); } //~ error HD1150: '__clusterDimIsSpecified'
__global__ void of___cluster_barrier_arrive_relaxed() { __cluster_barrier_arrive_relaxed(); } //~ error HD1150: '__cluster_barrier_arrive_relaxed'
__global__ void of___isClusterShared(const void *p0) { __isClusterShared(p0); } //~ error HD1150: '__isClusterShared': which memory a pointer points to is known when the kernel is compiled
__global__ void of___isConstant(const void *p0) { __isConstant(p0); } //~ error HD1150: '__isConstant': which memory a pointer points to is known when the kernel is compiled
__global__ void of___isCtaShared(const void *p0) { __isCtaShared(p0); } //~ error HD1150: '__isCtaShared': which memory a pointer points to is known when the kernel is compiled
__global__ void of___isGlobal(const void *p0) { __isGlobal(p0); } //~ error HD1150: '__isGlobal': which memory a pointer points to is known when the kernel is compiled
__global__ void of___isGridConstant(const void *p0) { __isGridConstant(p0); } //~ error HD1150: '__isGridConstant': which memory a pointer points to is known when the kernel is compiled
__global__ void of___isLocal(const void *p0) { __isLocal(p0); } //~ error HD1150: '__isLocal': which memory a pointer points to is known when the kernel is compiled
__global__ void of___isShared(const void *p0) { __isShared(p0); } //~ error HD1150: '__isShared': which memory a pointer points to is known when the kernel is compiled
__global__ void of_jn(int p0, double p1) { jn(p0, p1); } //~ error HD1150: 'jn'
__global__ void of_jnf(int p0, float p1) { jnf(p0, p1); } //~ error HD1150: 'jnf'
__global__ void of_syncthreads_and(bool p0) { syncthreads_and(p0); } //~ error HD1150: 'syncthreads_and'
__global__ void of_syncthreads_count(bool p0) { syncthreads_count(p0); } //~ error HD1150: 'syncthreads_count'
__global__ void of_syncthreads_or(bool p0) { syncthreads_or(p0); } //~ error HD1150: 'syncthreads_or'
__global__ void of_yn(int p0, double p1) { yn(p0, p1); } //~ error HD1150: 'yn'
__global__ void of_ynf(int p0, float p1) { ynf(p0, p1); } //~ error HD1150: 'ynf'
__global__ void of___nv_associate_access_property(const void *p0, unsigned long long p1) { __nv_associate_access_property(p0, p1); } //~ error HD1150: access properties
__global__ void of___cvta_constant_to_generic(size_t p0) { __cvta_constant_to_generic(p0); } //~ error HD1150: addresses as numbers
__global__ void of___cvta_generic_to_constant(const void *p0) { __cvta_generic_to_constant(p0); } //~ error HD1150: addresses as numbers
__global__ void of___cvta_generic_to_grid_constant(const void *p0) { __cvta_generic_to_grid_constant(p0); } //~ error HD1150: addresses as numbers
__global__ void of___cvta_generic_to_local(const void *p0) { __cvta_generic_to_local(p0); } //~ error HD1150: addresses as numbers
__global__ void of___cvta_global_to_generic(size_t p0) { __cvta_global_to_generic(p0); } //~ error HD1150: addresses as numbers
__global__ void of___cvta_grid_constant_to_generic(size_t p0) { __cvta_grid_constant_to_generic(p0); } //~ error HD1150: addresses as numbers
__global__ void of___cvta_local_to_generic(size_t p0) { __cvta_local_to_generic(p0); } //~ error HD1150: addresses as numbers
__global__ void of___cvta_shared_to_generic(size_t p0) { __cvta_shared_to_generic(p0); } //~ error HD1150: addresses as numbers
__global__ void of_cudaDeviceSynchronize() { cudaDeviceSynchronize(0); } //~ error HD1150: calls of the host's API in a kernel
__global__ void of_cudaEventRecord() { cudaEventRecord(0); } //~ error HD1150: calls of the host's API in a kernel
__global__ void of_cudaFree() { cudaFree(0); } //~ error HD1150: calls of the host's API in a kernel
__global__ void of_cudaGraphLaunch() { cudaGraphLaunch(0); } //~ error HD1150: calls of the host's API in a kernel
__global__ void of_cudaGraphSetConditional(cudaGraphConditionalHandle h) { cudaGraphSetConditional(h, 0); } //~ error HD1150: calls of the host's API in a kernel
__global__ void of_cudaGetLastError() { cudaGetLastError(0); } //~ error HD1150: calls of the host's API in a kernel
__global__ void of_cudaMalloc() { cudaMalloc(0); } //~ error HD1150: calls of the host's API in a kernel
__global__ void of_cudaMemcpy() { cudaMemcpy(0); } //~ error HD1150: calls of the host's API in a kernel
__global__ void of_cudaMemcpyAsync() { cudaMemcpyAsync(0); } //~ error HD1150: calls of the host's API in a kernel
__global__ void of_cudaMemsetAsync() { cudaMemsetAsync(0); } //~ error HD1150: calls of the host's API in a kernel
__global__ void of_cudaPeekAtLastError() { cudaPeekAtLastError(0); } //~ error HD1150: calls of the host's API in a kernel
__global__ void of_cudaStreamCreateWithFlags() { cudaStreamCreateWithFlags(0); } //~ error HD1150: calls of the host's API in a kernel
__global__ void of_cudaStreamDestroy() { cudaStreamDestroy(0); } //~ error HD1150: calls of the host's API in a kernel
__global__ void of___pm0() { __pm0(); } //~ error HD1150: counters of a multiprocessor
__global__ void of___pm1() { __pm1(); } //~ error HD1150: counters of a multiprocessor
__global__ void of___pm2() { __pm2(); } //~ error HD1150: counters of a multiprocessor
__global__ void of___pm3() { __pm3(); } //~ error HD1150: counters of a multiprocessor
__global__ void of___nv_cvt_bfloat16raw2_to_fp4x2() { __nv_cvt_bfloat16raw2_to_fp4x2(0); } //~ error HD1150: floating-point numbers of 4 bits
__global__ void of___nv_cvt_bfloat16raw_to_fp4() { __nv_cvt_bfloat16raw_to_fp4(0); } //~ error HD1150: floating-point numbers of 4 bits
__global__ void of___nv_cvt_double2_to_fp4x2() { __nv_cvt_double2_to_fp4x2(0); } //~ error HD1150: floating-point numbers of 4 bits
__global__ void of___nv_cvt_double_to_fp4() { __nv_cvt_double_to_fp4(0); } //~ error HD1150: floating-point numbers of 4 bits
__global__ void of___nv_cvt_float2_to_fp4x2() { __nv_cvt_float2_to_fp4x2(0); } //~ error HD1150: floating-point numbers of 4 bits
__global__ void of___nv_cvt_float_to_fp4() { __nv_cvt_float_to_fp4(0); } //~ error HD1150: floating-point numbers of 4 bits
__global__ void of___nv_cvt_fp4_to_halfraw() { __nv_cvt_fp4_to_halfraw(0); } //~ error HD1150: floating-point numbers of 4 bits
__global__ void of___nv_cvt_fp4x2_to_halfraw2() { __nv_cvt_fp4x2_to_halfraw2(0); } //~ error HD1150: floating-point numbers of 4 bits
__global__ void of___nv_cvt_halfraw2_to_fp4x2() { __nv_cvt_halfraw2_to_fp4x2(0); } //~ error HD1150: floating-point numbers of 4 bits
__global__ void of___nv_cvt_halfraw_to_fp4() { __nv_cvt_halfraw_to_fp4(0); } //~ error HD1150: floating-point numbers of 4 bits
__global__ void of___nv_fp4_e2m1(__nv_fp4_e2m1 *p) { p[0] = p[1]; } //~ error HD1150: floating-point numbers of 4 bits
__global__ void of___nv_fp4x2_e2m1(__nv_fp4x2_e2m1 *p) { p[0] = p[1]; } //~ error HD1150: floating-point numbers of 4 bits
__global__ void of___nv_fp4x4_e2m1(__nv_fp4x4_e2m1 *p) { p[0] = p[1]; } //~ error HD1150: floating-point numbers of 4 bits
__global__ void of___nv_cvt_bfloat16raw2_to_fp6x2() { __nv_cvt_bfloat16raw2_to_fp6x2(0); } //~ error HD1150: floating-point numbers of 6 bits
__global__ void of___nv_cvt_bfloat16raw_to_fp6() { __nv_cvt_bfloat16raw_to_fp6(0); } //~ error HD1150: floating-point numbers of 6 bits
__global__ void of___nv_cvt_double2_to_fp6x2() { __nv_cvt_double2_to_fp6x2(0); } //~ error HD1150: floating-point numbers of 6 bits
__global__ void of___nv_cvt_double_to_fp6() { __nv_cvt_double_to_fp6(0); } //~ error HD1150: floating-point numbers of 6 bits
__global__ void of___nv_cvt_float2_to_fp6x2() { __nv_cvt_float2_to_fp6x2(0); } //~ error HD1150: floating-point numbers of 6 bits
__global__ void of___nv_cvt_float_to_fp6() { __nv_cvt_float_to_fp6(0); } //~ error HD1150: floating-point numbers of 6 bits
__global__ void of___nv_cvt_fp6_to_halfraw() { __nv_cvt_fp6_to_halfraw(0); } //~ error HD1150: floating-point numbers of 6 bits
__global__ void of___nv_cvt_fp6x2_to_halfraw2() { __nv_cvt_fp6x2_to_halfraw2(0); } //~ error HD1150: floating-point numbers of 6 bits
__global__ void of___nv_cvt_halfraw2_to_fp6x2() { __nv_cvt_halfraw2_to_fp6x2(0); } //~ error HD1150: floating-point numbers of 6 bits
__global__ void of___nv_cvt_halfraw_to_fp6() { __nv_cvt_halfraw_to_fp6(0); } //~ error HD1150: floating-point numbers of 6 bits
__global__ void of___nv_fp6_e2m3(__nv_fp6_e2m3 *p) { p[0] = p[1]; } //~ error HD1150: floating-point numbers of 6 bits
__global__ void of___nv_fp6_e3m2(__nv_fp6_e3m2 *p) { p[0] = p[1]; } //~ error HD1150: floating-point numbers of 6 bits
__global__ void of___nv_fp6x2_e2m3(__nv_fp6x2_e2m3 *p) { p[0] = p[1]; } //~ error HD1150: floating-point numbers of 6 bits
__global__ void of___nv_fp6x2_e3m2(__nv_fp6x2_e3m2 *p) { p[0] = p[1]; } //~ error HD1150: floating-point numbers of 6 bits
__global__ void of___nv_fp6x4_e2m3(__nv_fp6x4_e2m3 *p) { p[0] = p[1]; } //~ error HD1150: floating-point numbers of 6 bits
__global__ void of___nv_fp6x4_e3m2(__nv_fp6x4_e3m2 *p) { p[0] = p[1]; } //~ error HD1150: floating-point numbers of 6 bits
__global__ void of___nv_cvt_bfloat162raw_to_e8m0x2() { __nv_cvt_bfloat162raw_to_e8m0x2(0); } //~ error HD1150: floating-point numbers of 8 bits
__global__ void of___nv_cvt_bfloat16raw2_to_fp8x2() { __nv_cvt_bfloat16raw2_to_fp8x2(0); } //~ error HD1150: floating-point numbers of 8 bits
__global__ void of___nv_cvt_bfloat16raw_to_e8m0() { __nv_cvt_bfloat16raw_to_e8m0(0); } //~ error HD1150: floating-point numbers of 8 bits
__global__ void of___nv_cvt_bfloat16raw_to_fp8() { __nv_cvt_bfloat16raw_to_fp8(0); } //~ error HD1150: floating-point numbers of 8 bits
__global__ void of___nv_cvt_double2_to_e8m0x2() { __nv_cvt_double2_to_e8m0x2(0); } //~ error HD1150: floating-point numbers of 8 bits
__global__ void of___nv_cvt_double2_to_fp8x2() { __nv_cvt_double2_to_fp8x2(0); } //~ error HD1150: floating-point numbers of 8 bits
__global__ void of___nv_cvt_double_to_e8m0() { __nv_cvt_double_to_e8m0(0); } //~ error HD1150: floating-point numbers of 8 bits
__global__ void of___nv_cvt_double_to_fp8() { __nv_cvt_double_to_fp8(0); } //~ error HD1150: floating-point numbers of 8 bits
__global__ void of___nv_cvt_e8m0_to_bf16raw() { __nv_cvt_e8m0_to_bf16raw(0); } //~ error HD1150: floating-point numbers of 8 bits
__global__ void of___nv_cvt_e8m0x2_to_bf162raw() { __nv_cvt_e8m0x2_to_bf162raw(0); } //~ error HD1150: floating-point numbers of 8 bits
__global__ void of___nv_cvt_float2_to_e8m0x2() { __nv_cvt_float2_to_e8m0x2(0); } //~ error HD1150: floating-point numbers of 8 bits
__global__ void of___nv_cvt_float2_to_fp8x2() { __nv_cvt_float2_to_fp8x2(0); } //~ error HD1150: floating-point numbers of 8 bits
__global__ void of___nv_cvt_float_to_e8m0() { __nv_cvt_float_to_e8m0(0); } //~ error HD1150: floating-point numbers of 8 bits
__global__ void of___nv_cvt_float_to_fp8() { __nv_cvt_float_to_fp8(0); } //~ error HD1150: floating-point numbers of 8 bits
__global__ void of___nv_cvt_fp8_to_halfraw() { __nv_cvt_fp8_to_halfraw(0); } //~ error HD1150: floating-point numbers of 8 bits
__global__ void of___nv_cvt_fp8x2_to_halfraw2() { __nv_cvt_fp8x2_to_halfraw2(0); } //~ error HD1150: floating-point numbers of 8 bits
__global__ void of___nv_cvt_halfraw2_to_fp8x2() { __nv_cvt_halfraw2_to_fp8x2(0); } //~ error HD1150: floating-point numbers of 8 bits
__global__ void of___nv_cvt_halfraw_to_fp8() { __nv_cvt_halfraw_to_fp8(0); } //~ error HD1150: floating-point numbers of 8 bits
__global__ void of___nv_fp8_e4m3(__nv_fp8_e4m3 *p) { p[0] = p[1]; } //~ error HD1150: floating-point numbers of 8 bits
__global__ void of___nv_fp8_e5m2(__nv_fp8_e5m2 *p) { p[0] = p[1]; } //~ error HD1150: floating-point numbers of 8 bits
__global__ void of___nv_fp8_e8m0(__nv_fp8_e8m0 *p) { p[0] = p[1]; } //~ error HD1150: floating-point numbers of 8 bits
__global__ void of___nv_fp8x2_e4m3(__nv_fp8x2_e4m3 *p) { p[0] = p[1]; } //~ error HD1150: floating-point numbers of 8 bits
__global__ void of___nv_fp8x2_e5m2(__nv_fp8x2_e5m2 *p) { p[0] = p[1]; } //~ error HD1150: floating-point numbers of 8 bits
__global__ void of___nv_fp8x2_e8m0(__nv_fp8x2_e8m0 *p) { p[0] = p[1]; } //~ error HD1150: floating-point numbers of 8 bits
__global__ void of___nv_fp8x4_e4m3(__nv_fp8x4_e4m3 *p) { p[0] = p[1]; } //~ error HD1150: floating-point numbers of 8 bits
__global__ void of___nv_fp8x4_e5m2(__nv_fp8x4_e5m2 *p) { p[0] = p[1]; } //~ error HD1150: floating-point numbers of 8 bits
__global__ void of___nv_fp8x4_e8m0(__nv_fp8x4_e8m0 *p) { p[0] = p[1]; } //~ error HD1150: floating-point numbers of 8 bits
__global__ void of___nv_aligned_device_malloc(size_t p0, size_t p1) { __nv_aligned_device_malloc(p0, p1); } //~ error HD1150: memory allocated in a kernel
__global__ void of_free(void *p0) { free(p0); } //~ error HD1150: memory allocated in a kernel
__global__ void of_curand(curandStateMRG32k3a *s) { curand(s); } //~ error HD1150: this generator or distribution of cuRAND
__global__ void of_curand4(curandStateMRG32k3a *s) { curand4(s); } //~ error HD1150: this generator or distribution of cuRAND
__global__ void of_curand_init(curandStateMRG32k3a *s) { curand_init(s); } //~ error HD1150: this generator or distribution of cuRAND
__global__ void of_curand_log_normal(curandStateMRG32k3a *s) { curand_log_normal(s); } //~ error HD1150: this generator or distribution of cuRAND
__global__ void of_curand_log_normal2(curandStateMRG32k3a *s) { curand_log_normal2(s); } //~ error HD1150: this generator or distribution of cuRAND
__global__ void of_curand_log_normal_double(curandStateMRG32k3a *s) { curand_log_normal_double(s); } //~ error HD1150: this generator or distribution of cuRAND
__global__ void of_curand_normal(curandStateMRG32k3a *s) { curand_normal(s); } //~ error HD1150: this generator or distribution of cuRAND
__global__ void of_curand_normal2(curandStateMRG32k3a *s) { curand_normal2(s); } //~ error HD1150: this generator or distribution of cuRAND
__global__ void of_curand_normal2_double(curandStateMRG32k3a *s) { curand_normal2_double(s); } //~ error HD1150: this generator or distribution of cuRAND
__global__ void of_curand_normal4(curandStateMRG32k3a *s) { curand_normal4(s); } //~ error HD1150: this generator or distribution of cuRAND
__global__ void of_curand_normal_double(curandStateMRG32k3a *s) { curand_normal_double(s); } //~ error HD1150: this generator or distribution of cuRAND
__global__ void of_curand_poisson(curandStateMRG32k3a *s) { curand_poisson(s); } //~ error HD1150: this generator or distribution of cuRAND
__global__ void of_curand_uniform(curandStateMRG32k3a *s) { curand_uniform(s); } //~ error HD1150: this generator or distribution of cuRAND
__global__ void of_curand_uniform2_double(curandStateMRG32k3a *s) { curand_uniform2_double(s); } //~ error HD1150: this generator or distribution of cuRAND
__global__ void of_curand_uniform4(curandStateMRG32k3a *s) { curand_uniform4(s); } //~ error HD1150: this generator or distribution of cuRAND
__global__ void of_curand_uniform_double(curandStateMRG32k3a *s) { curand_uniform_double(s); } //~ error HD1150: this generator or distribution of cuRAND
__global__ void of_skipahead(curandStateMRG32k3a *s) { skipahead(s); } //~ error HD1150: this generator or distribution of cuRAND
__global__ void of_skipahead_sequence(curandStateMRG32k3a *s) { skipahead_sequence(s); } //~ error HD1150: this generator or distribution of cuRAND
__global__ void of_skipahead_subsequence(curandStateMRG32k3a *s) { skipahead_subsequence(s); } //~ error HD1150: this generator or distribution of cuRAND
__global__ void of_cyl_bessel_i0(double p0) { cyl_bessel_i0(p0); } //~ error HD1150: the Bessel function 'cyl_bessel_i0'
__global__ void of_cyl_bessel_i0f(float p0) { cyl_bessel_i0f(p0); } //~ error HD1150: the Bessel function 'cyl_bessel_i0f'
__global__ void of_cyl_bessel_i1(double p0) { cyl_bessel_i1(p0); } //~ error HD1150: the Bessel function 'cyl_bessel_i1'
__global__ void of_cyl_bessel_i1f(float p0) { cyl_bessel_i1f(p0); } //~ error HD1150: the Bessel function 'cyl_bessel_i1f'
__global__ void of_j0(double p0) { j0(p0); } //~ error HD1150: the Bessel function 'j0'
__global__ void of_j0f(float p0) { j0f(p0); } //~ error HD1150: the Bessel function 'j0f'
__global__ void of_j1(double p0) { j1(p0); } //~ error HD1150: the Bessel function 'j1'
__global__ void of_j1f(float p0) { j1f(p0); } //~ error HD1150: the Bessel function 'j1f'
__global__ void of_y0(double p0) { y0(p0); } //~ error HD1150: the Bessel function 'y0'
__global__ void of_y0f(float p0) { y0f(p0); } //~ error HD1150: the Bessel function 'y0f'
__global__ void of_y1(double p0) { y1(p0); } //~ error HD1150: the Bessel function 'y1'
__global__ void of_y1f(float p0) { y1f(p0); } //~ error HD1150: the Bessel function 'y1f'
__global__ void of_double4_32a(double4_32a *p) { p[0] = p[1]; } //~ error HD1150: vectors aligned to 32 bytes
__global__ void of_long4_32a(long4_32a *p) { p[0] = p[1]; } //~ error HD1150: vectors aligned to 32 bytes
__global__ void of_longlong4_32a(longlong4_32a *p) { p[0] = p[1]; } //~ error HD1150: vectors aligned to 32 bytes
__global__ void of_ulong4_32a(ulong4_32a *p) { p[0] = p[1]; } //~ error HD1150: vectors aligned to 32 bytes
__global__ void of_ulonglong4_32a(ulonglong4_32a *p) { p[0] = p[1]; } //~ error HD1150: vectors aligned to 32 bytes

using namespace nvcuda;
__global__ void of_fill(float *p) { wmma::fragment<wmma::accumulator, 16, 16, 16, float> f; wmma::fill_fragment(f, 0.0f); } //~ error HD1150: fragments
__global__ void of_load(float *p) { wmma::fragment<wmma::accumulator, 16, 16, 16, float> f; wmma::load_matrix_sync(f, p, 16); } //~ error HD1150: fragments
__global__ void of_store(float *p) { wmma::fragment<wmma::accumulator, 16, 16, 16, float> f; wmma::store_matrix_sync(p, f, 16, wmma::mem_row_major); } //~ error HD1150: fragments
__global__ void of_mma(float *p) { wmma::fragment<wmma::accumulator, 16, 16, 16, float> f; wmma::mma_sync(f, f, f, f); } //~ error HD1150: fragments
__global__ void of_mma_parts(float *p)
{
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> a; //~ error HD1150: fragments
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> b; //~ error HD1150: fragments
    wmma::bmma_sync(a, b);
}
__global__ void of_tf32(float *p) { wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> a; wmma::load_matrix_sync(a, p, 16); } //~ error HD1150: fragments
__global__ void of___float_to_tf32(float *p) { p[0] = wmma::__float_to_tf32(p[1]); } //~ error HD1150: numbers of tensor cores
__global__ void of_cudaGetErrorString(int e) { cudaGetErrorString(e); } //~ error HD1150: calls of the host's API

__global__ void of_barrier(int *p)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> b;
    init(&b, 32);
}

__global__ void of_mbarrier(unsigned *p)
{
    __shared__ __mbarrier_t b;
    __mbarrier_init(&b, 32);
    __mbarrier_token_t token = __mbarrier_arrive(&b);
    p[0] = __mbarrier_token_pending_count(token); //~ error HD1150: '__mbarrier_token_pending_count'
    p[1] = __mbarrier_maximum_count();
    __mbarrier_inval(&b);
}

#include <cooperative_groups.h>
__global__ void of_get_type(unsigned *p)
{
    cooperative_groups::thread_group part = cooperative_groups::tiled_partition(cooperative_groups::this_thread_block(), 8u);
    p[0] = part.get_type(); //~ error HD1150: 'get_type' of a thread_group
}
__global__ void of_exit() { exit(0); } //~ error HD1150: functions of the C library
__global__ void of_fprintf() { fprintf(0); } //~ error HD1150: functions of the C library
__global__ void of_sprintf() { sprintf(0); } //~ error HD1150: functions of the C library
__global__ void of_snprintf() { snprintf(0); } //~ error HD1150: functions of the C library
__global__ void of_vprintf() { vprintf(0); } //~ error HD1150: functions of the C library
__global__ void of_puts() { puts(0); } //~ error HD1150: functions of the C library
__global__ void of_putchar() { putchar(0); } //~ error HD1150: functions of the C library
__global__ void of_qsort() { qsort(0); } //~ error HD1150: functions of the C library
__global__ void of_bsearch() { bsearch(0); } //~ error HD1150: functions of the C library
__global__ void of_rand() { rand(0); } //~ error HD1150: functions of the C library
__global__ void of_srand() { srand(0); } //~ error HD1150: functions of the C library
__global__ void of_calloc() { calloc(0); } //~ error HD1150: functions of the C library
__global__ void of_realloc() { realloc(0); } //~ error HD1150: functions of the C library
__global__ void of_strlen() { strlen(0); } //~ error HD1150: functions of the C library
__global__ void of_strcmp() { strcmp(0); } //~ error HD1150: functions of the C library
__global__ void of_strncmp() { strncmp(0); } //~ error HD1150: functions of the C library
__global__ void of_strcpy() { strcpy(0); } //~ error HD1150: functions of the C library
__global__ void of_strncpy() { strncpy(0); } //~ error HD1150: functions of the C library
__global__ void of_strcat() { strcat(0); } //~ error HD1150: functions of the C library
__global__ void of_atoi() { atoi(0); } //~ error HD1150: functions of the C library
__global__ void of_atof() { atof(0); } //~ error HD1150: functions of the C library
__global__ void of_getenv() { getenv(0); } //~ error HD1150: functions of the C library
__global__ void of_setjmp() { setjmp(0); } //~ error HD1150: functions of the C library
__global__ void of_longjmp() { longjmp(0); } //~ error HD1150: functions of the C library
__global__ void of_alloca() { alloca(0); } //~ error HD1150: memory allocated in a kernel
__global__ void of___builtin_alloca() { __builtin_alloca(0); } //~ error HD1150: memory allocated in a kernel
__global__ void of_cudaGetErrorName() { cudaGetErrorName(0); } //~ error HD1150: calls of the host's API in a kernel
__global__ void of_cudaGetDevice() { cudaGetDevice(0); } //~ error HD1150: calls of the host's API in a kernel
__global__ void of_cudaGetDeviceCount() { cudaGetDeviceCount(0); } //~ error HD1150: calls of the host's API in a kernel
__global__ void of_cudaSetDevice() { cudaSetDevice(0); } //~ error HD1150: calls of the host's API in a kernel
__global__ void of_cudaDeviceGetAttribute() { cudaDeviceGetAttribute(0); } //~ error HD1150: calls of the host's API in a kernel
__global__ void of_cudaDeviceGetLimit() { cudaDeviceGetLimit(0); } //~ error HD1150: calls of the host's API in a kernel
__global__ void of_cudaDeviceGetCacheConfig() { cudaDeviceGetCacheConfig(0); } //~ error HD1150: calls of the host's API in a kernel
__global__ void of_cudaDeviceGetSharedMemConfig() { cudaDeviceGetSharedMemConfig(0); } //~ error HD1150: calls of the host's API in a kernel
__global__ void of_cudaFuncGetAttributes() { cudaFuncGetAttributes(0); } //~ error HD1150: calls of the host's API in a kernel
__global__ void of_cudaStreamCreate() { cudaStreamCreate(0); } //~ error HD1150: calls of the host's API in a kernel
__global__ void of_cudaStreamSynchronize() { cudaStreamSynchronize(0); } //~ error HD1150: calls of the host's API in a kernel
__global__ void of_cudaStreamWaitEvent() { cudaStreamWaitEvent(0); } //~ error HD1150: calls of the host's API in a kernel
__global__ void of_cudaEventCreate() { cudaEventCreate(0); } //~ error HD1150: calls of the host's API in a kernel
__global__ void of_cudaEventCreateWithFlags() { cudaEventCreateWithFlags(0); } //~ error HD1150: calls of the host's API in a kernel
__global__ void of_cudaEventDestroy() { cudaEventDestroy(0); } //~ error HD1150: calls of the host's API in a kernel
__global__ void of_cudaEventRecordWithFlags() { cudaEventRecordWithFlags(0); } //~ error HD1150: calls of the host's API in a kernel
__global__ void of_cudaEventSynchronize() { cudaEventSynchronize(0); } //~ error HD1150: calls of the host's API in a kernel
__global__ void of_cudaMemcpy2D() { cudaMemcpy2D(0); } //~ error HD1150: calls of the host's API in a kernel
__global__ void of_cudaMemcpy2DAsync() { cudaMemcpy2DAsync(0); } //~ error HD1150: calls of the host's API in a kernel
__global__ void of_cudaMemcpy3DAsync() { cudaMemcpy3DAsync(0); } //~ error HD1150: calls of the host's API in a kernel
__global__ void of_cudaMemset() { cudaMemset(0); } //~ error HD1150: calls of the host's API in a kernel
__global__ void of_cudaMemset2DAsync() { cudaMemset2DAsync(0); } //~ error HD1150: calls of the host's API in a kernel
__global__ void of_cudaMemset3DAsync() { cudaMemset3DAsync(0); } //~ error HD1150: calls of the host's API in a kernel
__global__ void of_cudaMallocManaged() { cudaMallocManaged(0); } //~ error HD1150: calls of the host's API in a kernel
__global__ void of_cudaRuntimeGetVersion() { cudaRuntimeGetVersion(0); } //~ error HD1150: calls of the host's API in a kernel
__global__ void of_cudaOccupancyMaxActiveBlocksPerMultiprocessor() { cudaOccupancyMaxActiveBlocksPerMultiprocessor(0); } //~ error HD1150: calls of the host's API in a kernel
__global__ void of_cudaOccupancyMaxPotentialBlockSize() { cudaOccupancyMaxPotentialBlockSize(0); } //~ error HD1150: calls of the host's API in a kernel
__global__ void of_cudaLaunchKernel() { cudaLaunchKernel(0); } //~ error HD1150: calls of the host's API in a kernel
__global__ void of_cudaLaunchDevice() { cudaLaunchDevice(0); } //~ error HD1150: calls of the host's API in a kernel
__global__ void of_cudaGetParameterBuffer() { cudaGetParameterBuffer(0); } //~ error HD1150: calls of the host's API in a kernel
__global__ void of_cudaGetParameterBufferV2() { cudaGetParameterBufferV2(0); } //~ error HD1150: calls of the host's API in a kernel
__global__ void of_cudaGetCurrentGraphExec() { cudaGetCurrentGraphExec(0); } //~ error HD1150: graphs that a kernel launches
__global__ void of_cudaGraphKernelNodeSetParam() { cudaGraphKernelNodeSetParam(0); } //~ error HD1150: graphs that a kernel launches
__global__ void of_cudaGraphKernelNodeSetEnabled() { cudaGraphKernelNodeSetEnabled(0); } //~ error HD1150: graphs that a kernel launches
__global__ void of_cudaGraphKernelNodeSetGridDim() { cudaGraphKernelNodeSetGridDim(0); } //~ error HD1150: graphs that a kernel launches
__global__ void of_cudaGraphKernelNodeUpdatesApply() { cudaGraphKernelNodeUpdatesApply(0); } //~ error HD1150: graphs that a kernel launches
__global__ void of_curand_log_normal4(curandStateMRG32k3a *s) { curand_log_normal4(s); } //~ error HD1150: this generator or distribution of cuRAND
__global__ void of_curand_log_normal2_double(curandStateMRG32k3a *s) { curand_log_normal2_double(s); } //~ error HD1150: this generator or distribution of cuRAND
__global__ void of_curand_poisson4(curandStateMRG32k3a *s) { curand_poisson4(s); } //~ error HD1150: this generator or distribution of cuRAND
__global__ void of_curand_discrete(curandStateMRG32k3a *s) { curand_discrete(s); } //~ error HD1150: this generator or distribution of cuRAND
__global__ void of_curand_discrete4(curandStateMRG32k3a *s) { curand_discrete4(s); } //~ error HD1150: this generator or distribution of cuRAND
__global__ void of_curand_uniform4_double(curandStateMRG32k3a *s) { curand_uniform4_double(s); } //~ error HD1150: this generator or distribution of cuRAND
__global__ void of_curand_normal4_double(curandStateMRG32k3a *s) { curand_normal4_double(s); } //~ error HD1150: this generator or distribution of cuRAND
__global__ void of_curand_log_normal4_double(curandStateMRG32k3a *s) { curand_log_normal4_double(s); } //~ error HD1150: this generator or distribution of cuRAND
__global__ void of_curand_box_muller(curandStateMRG32k3a *s) { curand_box_muller(s); } //~ error HD1150: this generator or distribution of cuRAND
__global__ void with_cudaGraphExec_t(cudaGraphExec_t x) {} //~ error HD1150: graphs that a kernel launches or changes
__global__ void with_cudaGraphDeviceNode_t(cudaGraphDeviceNode_t x) {} //~ error HD1150: graphs that a kernel launches or changes
__global__ void with_CUtensorMap(CUtensorMap x) {} //~ error HD1150: bulk copies of tensors
__global__ void with_curandDiscreteDistribution_t(curandDiscreteDistribution_t d, curandStateTest *state, curandStateTest_t *other) { curand_discrete(state, d); } //~ error HD1150: this generator or distribution of cuRAND
__global__ void of_va_start() { va_start(0); } //~ error HD1150: variadic functions
__global__ void of_va_arg() { va_arg(0); } //~ error HD1150: variadic functions
__global__ void of_va_end() { va_end(0); } //~ error HD1150: variadic functions
__global__ void of_va_copy() { va_copy(0); } //~ error HD1150: variadic functions
__global__ void with_va_list(va_list x) {} //~ error HD1150: variadic functions

// One error: what the barrier is initialised with isn't called missing, too.
struct Done
{
    int *p;
    __device__ void operator()() noexcept { *p = 1; }
};
__global__ void of_completion(int *x)
{
    __shared__ cuda::barrier<cuda::thread_scope_block, Done> b;
    if (threadIdx.x == 0)
        init(&b, blockDim.x, Done{x}); //~ error HD1150: a barrier with a completion; let one thread do its work after a wait
    __syncthreads();
    b.arrive_and_wait();
}
__global__ void of_multi_grid() { cooperative_groups::this_multi_grid().sync(); } //~ error HD1150: groups of several devices
