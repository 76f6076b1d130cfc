// SPDX-License-Identifier: Apache-2.0
// TEST: what isn't supported is one error at its place, for each kernel that needs it
#include <cuda_runtime.h>
#include <mma.h>

texture<float, 1> old_texture;
__device__ int (*table[2])(int);
typedef int (*Function)(int);

__global__ void fetches(cudaTextureObject_t t, float *out) { out[0] = tex2D<float>(t, 1.0f, 2.0f); } //~ error X: tex
__global__ void writes(cudaSurfaceObject_t s) { surf2Dwrite(1.0f, s, 0, 0); } //~ error X: surf
__global__ void legacy(float *out) { out[0] = tex1Dfetch(old_texture, 3); } //~ error X: tex
__global__ void child(int *out) { out[0] = 1; }
__global__ void parent(int *out) { child<<<1, 32>>>(out); } //~ error X: launching a kernel
__global__ void allocates(int *out) { out[0] = *(int *)malloc(4); } //~ error X: malloc
__global__ void news(int *out)
{
    int *p = new int(3); //~ error X: new
    out[0] = *p;
}
__global__ void calls(int *out) { out[0] = table[0](1); } //~ error X: function pointer

struct Shape {
    __device__ virtual int area() const { return 0; }
};
__global__ void dispatches(int *out)
{
    Shape s; //~ error X: virtual
    out[0] = s.area();
}
__global__ void throws(int *out)
{
    if (out[0])
        throw 1; //~ error X: throw
}
__device__ int down(int n) { return n < 2 ? 1 : n * down(n - 1); } //~ error X: recursion
__global__ void recurses(int *out) { out[0] = down(out[1]); }
__global__ void jumps(int *out)
{
    if (out[0])
        goto end; //~ error X: goto
    out[0] = 1;
end:
    return;
}
__global__ void assembles(int *out)
{
    asm volatile("mov.u32 %0, %%smid;" : "=r"(out[0])); //~ error X: assembly
}
__global__ void multiplies(int *out)
{
    nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float> c; //~ error X: wmma
    out[0] = sizeof(c);
}
struct Packed {
    int low : 4, high : 4;
};
__global__ void packs(int *out)
{
    Packed p; //~ error X: bit-field
    p.low = out[0];
    out[0] = p.low;
}
__global__ void works(int *out) { out[threadIdx.x] = 1; }
