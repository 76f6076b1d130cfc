// SPDX-License-Identifier: Apache-2.0
// TEST: a pointer to an array of file scope overlaps what the kernel does with the array's name
// REF: docs/reference/cuda.md
// check asked: unknown HD0601
// check asked_by_block: unknown HD0601
// check managed: unknown HD0601
// check two_pointers: unknown HD0601
// check of_class: unknown HD0601
// check managed_of_class: unknown HD0601
// check of_namespace: unknown HD0601
// check other_class: proved
// check by_pointer_only: proved
// check other_array: proved
// check other_symbol: proved
// convert leaves out asked, asked_by_block, managed, two_pointers, of_class, managed_of_class, of_namespace: launches are no part of it
__device__ float table[1024], other[1024];
__managed__ float both[1024];
struct Tables { static __device__ float rows[1024]; static __managed__ float both[1024]; };
__device__ float Tables::rows[1024];
__managed__ float Tables::both[1024];
namespace inner { __device__ float columns[1024]; }
#define BODY(array) __requires(n <= len(in) && n <= 1024); int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) array[i] = in[n - 1 - i]
__global__ void asked(const float *in, int n) { BODY(table); }
__global__ void asked_by_block(const float *in, int n) { BODY(table); }
__global__ void managed(const float *in, int n) { BODY(both); }
__global__ void other_array(const float *in, int n) { BODY(table); }
__global__ void other_symbol(const float *in, int n) { BODY(other); }
__global__ void of_class(const float *in, int n) { BODY(Tables::rows); }
__global__ void managed_of_class(const float *in, int n) { BODY(Tables::both); }
__global__ void of_namespace(const float *in, int n) { BODY(inner::columns); }
__global__ void other_class(const float *in, int n) { BODY(table); }
__global__ void two_pointers(const float *in, float *out, int n) { __requires(n <= len(out)); BODY(out); }
__global__ void by_pointer_only(const float *in, float *out, int n) { __requires(n <= len(out)); BODY(out); }
void host(int n)
{
    float *p, *q, *r;
    cudaGetSymbolAddress((void **)&p, table);
    cudaGetSymbolAddress((void **)&r, table);
    cudaMalloc(&q, n * 4);
    asked<<<8, 128>>>(p, n);
    asked_by_block<<<8, n>>>(p + 2, n);
    managed<<<8, 128>>>(both, n);
    other_array<<<8, 128>>>(q, n);
    other_symbol<<<8, 128>>>(p, n);
    two_pointers<<<8, 128>>>(p, r, n);
    by_pointer_only<<<8, 128>>>(p, q, n);
    float *rows, *columns, *shared = Tables::both;
    cudaGetSymbolAddress((void **)&rows, Tables::rows);
    cudaGetSymbolAddress((void **)&columns, inner::columns);
    of_class<<<8, 128>>>(rows, n);
    managed_of_class<<<8, 128>>>(shared, n);
    of_namespace<<<8, 128>>>(columns + 1, n);
    other_class<<<8, 128>>>(rows, n);
}
