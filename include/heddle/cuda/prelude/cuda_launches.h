// SPDX-License-Identifier: Apache-2.0
// Clusters, and what kernels can't do here: launches, textures, mistakes.

namespace cuda {
namespace std {
using namespace ::std;
}
}

// --- clusters ---
dim3 __clusterDim() __heddle("(uint3)cluster_dim()");
dim3 __clusterIdx() __heddle("(uint3)block_index() / (uint3)cluster_dim()");
dim3 __clusterRelativeBlockIdx() __heddle("(uint3)block_index() % (uint3)cluster_dim()");
dim3 __clusterGridDimInClusters() __heddle("(uint3)grid_dim() / (uint3)cluster_dim()");
unsigned __clusterDimIsSpecified() __heddle_unsupported("'__clusterDimIsSpecified'; compare __clusterSizeInBlocks() with 1");
unsigned __clusterRelativeBlockRank() __heddle("(unsigned)meta_rank(this_block())");
unsigned __clusterSizeInBlocks() __heddle("(unsigned)meta_size(this_block())");
void *__cluster_map_shared_rank(const void *p, unsigned rank) __heddle("map_shared(this_cluster(), p, rank)");
unsigned __cluster_query_shared_rank(const void *p) __heddle("shared_rank(this_cluster(), p)");
void __cluster_barrier_arrive() __heddle_phase_arrive;
void __cluster_barrier_arrive_relaxed() __heddle_unsupported("'__cluster_barrier_arrive_relaxed'; use __cluster_barrier_arrive()");
void __cluster_barrier_wait() __heddle_phase_wait;

// --- what kernels can't do here ---
void *__nv_associate_access_property(const void *p, unsigned long long property) __heddle_unsupported("access properties; leave them out");
struct cudaExtent { size_t width, height, depth; };
struct cudaPos { size_t x, y, z; };
struct cudaPitchedPtr { void *ptr; size_t pitch, xsize, ysize; };
typedef unsigned long long cudaGraphConditionalHandle;
typedef void *cudaStream_t;
typedef void *cudaEvent_t;
enum cudaError_t { cudaSuccess = 0 };
enum { cudaStreamDefault, cudaStreamNonBlocking };
// A kernel that is launched after another one without waiting for it; here
// launches wait.
__device__ void cudaGridDependencySynchronize() {}
__device__ void cudaTriggerProgrammaticLaunchCompletion() {}
int exit(...) __heddle_unsupported("functions of the C library of the host; write out what is needed");
int fprintf(...) __heddle_unsupported("functions of the C library of the host; write out what is needed");
int sprintf(...) __heddle_unsupported("functions of the C library of the host; write out what is needed");
int snprintf(...) __heddle_unsupported("functions of the C library of the host; write out what is needed");
int vprintf(...) __heddle_unsupported("functions of the C library of the host; write out what is needed");
int puts(...) __heddle_unsupported("functions of the C library of the host; write out what is needed");
int putchar(...) __heddle_unsupported("functions of the C library of the host; write out what is needed");
int qsort(...) __heddle_unsupported("functions of the C library of the host; write out what is needed");
int bsearch(...) __heddle_unsupported("functions of the C library of the host; write out what is needed");
int rand(...) __heddle_unsupported("functions of the C library of the host; write out what is needed");
int srand(...) __heddle_unsupported("functions of the C library of the host; write out what is needed");
int calloc(...) __heddle_unsupported("functions of the C library of the host; write out what is needed");
int realloc(...) __heddle_unsupported("functions of the C library of the host; write out what is needed");
int strlen(...) __heddle_unsupported("functions of the C library of the host; write out what is needed");
int strcmp(...) __heddle_unsupported("functions of the C library of the host; write out what is needed");
int strncmp(...) __heddle_unsupported("functions of the C library of the host; write out what is needed");
int strcpy(...) __heddle_unsupported("functions of the C library of the host; write out what is needed");
int strncpy(...) __heddle_unsupported("functions of the C library of the host; write out what is needed");
int strcat(...) __heddle_unsupported("functions of the C library of the host; write out what is needed");
int atoi(...) __heddle_unsupported("functions of the C library of the host; write out what is needed");
int atof(...) __heddle_unsupported("functions of the C library of the host; write out what is needed");
int getenv(...) __heddle_unsupported("functions of the C library of the host; write out what is needed");
int setjmp(...) __heddle_unsupported("functions of the C library of the host; write out what is needed");
int longjmp(...) __heddle_unsupported("functions of the C library of the host; write out what is needed");
void *alloca(size_t n) __heddle_unsupported("memory allocated in a kernel; pass an array as a parameter");
void *__builtin_alloca(size_t n) __heddle_unsupported("memory allocated in a kernel; pass an array as a parameter");
int cudaGetErrorName(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaGetDevice(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaGetDeviceCount(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaSetDevice(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaDeviceGetAttribute(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaDeviceGetLimit(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaDeviceGetCacheConfig(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaDeviceGetSharedMemConfig(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaFuncGetAttributes(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaStreamCreate(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaStreamSynchronize(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaStreamWaitEvent(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaEventCreate(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaEventCreateWithFlags(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaEventDestroy(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaEventRecordWithFlags(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaEventSynchronize(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaMemcpy2D(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaMemcpy2DAsync(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaMemcpy3DAsync(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaMemset(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaMemset2DAsync(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaMemset3DAsync(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaMallocManaged(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaRuntimeGetVersion(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaOccupancyMaxActiveBlocksPerMultiprocessor(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaOccupancyMaxPotentialBlockSize(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaLaunchKernel(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaLaunchDevice(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaGetParameterBuffer(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaGetParameterBufferV2(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaGetCurrentGraphExec(...) __heddle_unsupported("graphs that a kernel launches or changes; launch them on the host");
int cudaGraphKernelNodeSetParam(...) __heddle_unsupported("graphs that a kernel launches or changes; launch them on the host");
int cudaGraphKernelNodeSetEnabled(...) __heddle_unsupported("graphs that a kernel launches or changes; launch them on the host");
int cudaGraphKernelNodeSetGridDim(...) __heddle_unsupported("graphs that a kernel launches or changes; launch them on the host");
int cudaGraphKernelNodeUpdatesApply(...) __heddle_unsupported("graphs that a kernel launches or changes; launch them on the host");
typedef unsigned long long cudaGraphExec_t __heddle_unsupported("graphs that a kernel launches or changes; launch them on the host");
typedef unsigned long long cudaGraphDeviceNode_t __heddle_unsupported("graphs that a kernel launches or changes; launch them on the host");
typedef void *va_list __heddle_unsupported("variadic functions; use a template with a parameter pack");
int va_start(...) __heddle_unsupported("variadic functions; use a template with a parameter pack");
int va_arg(...) __heddle_unsupported("variadic functions; use a template with a parameter pack");
int va_end(...) __heddle_unsupported("variadic functions; use a template with a parameter pack");
int va_copy(...) __heddle_unsupported("variadic functions; use a template with a parameter pack");
typedef unsigned long long CUtensorMap __heddle_unsupported("bulk copies of tensors; copy rows of bytes with 'cp.async.bulk'");
const char *cudaGetErrorString(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaGraphSetConditional(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaGraphLaunch(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaMalloc(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaFree(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaMemcpyAsync(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaMemsetAsync(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaMemcpy(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaDeviceSynchronize(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaGetLastError(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaPeekAtLastError(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaStreamCreateWithFlags(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaStreamDestroy(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
int cudaEventRecord(...) __heddle_unsupported("calls of the host's API in a kernel; call them on the host");
