// SPDX-License-Identifier: Apache-2.0
// TEST: what isn't supported of textures and surfaces is told by name, and a texture has texels of one type
// REF: docs/errors/HD1166.md
typedef unsigned long long number;
struct Many {
    cudaTextureObject_t list[9];
};
__device__ cudaTextureObject_t array_of_file[4];
__device__ cudaTextureObject_t same(cudaTextureObject_t t) { return t; }
__device__ float one(cudaTextureObject_t t) { return tex1D<float>(t, 1); }

__global__ void two_types(cudaTextureObject_t t, float *out) { out[0] = tex1D<float>(t, 1) + tex1D<int>(t, 1); } //~ error HD1166: one texture is read as 'float' in one dimension and as 'int' in one dimension
__global__ void two_shapes(cudaTextureObject_t t, float *out) { out[0] = tex1D<float>(t, 1) + tex2D<float>(t, 1, 1); } //~ error HD1166: as 'float' in one dimension and as 'float' in two dimensions
__global__ void through(cudaTextureObject_t t, float *out) { out[0] = one(t) + tex2DLayered<float>(t, 1, 1, 2); } //~ error HD1166: as 'float' in layers of two dimensions
__global__ void surface_types(cudaSurfaceObject_t s) { surf1Dwrite(surf1Dread<float>(s, 0), s, 0); surf1Dwrite(1, s, 0); } //~ error HD1166: one texture is read as 'float' in one dimension and as 'int' in one dimension
__global__ void copied(cudaTextureObject_t t, float *out)
{
    cudaTextureObject_t u = t;
    out[0] = tex1D<float>(u, 1) + tex3D<float>(t, 1, 1, 1); //~ error HD1166: as 'float' in three dimensions
}
__global__ void from_number(number n, float *out) { out[0] = tex1D<float>(n, 1); } //~ error HD1150: a texture object made of a number; pass it as a parameter
__global__ void surface_number(number n) { surf1Dwrite(1, (cudaSurfaceObject_t)n, 0); } //~ error HD1150: a surface object made of a number
__global__ void in_memory(const cudaTextureObject_t *t, float *out) { out[0] = tex1D<float>(t[1], 1); } //~ error HD1150: texture objects in memory; pass them one by one
__global__ void in_struct(Many m, float *out) { out[0] = tex1D<float>(m.list[1], 1); } //~ error HD1150: a kernel parameter with so many textures; pass those that it needs
__global__ void in_file(float *out) { out[0] = tex1D<float>(array_of_file[1], 1); } //~ error HD1150: an array of texture objects; declare them one by one, or pass them as parameters
__global__ void by_result(cudaTextureObject_t t, cudaTextureObject_t u, float *out) { out[0] = tex1D<float>(same(t), 1) + tex1D<float2>(u, 1).x + tex1D<float>(t, 1); } //~ error HD1150: a texture or surface that is not a variable or a parameter
__global__ void of_texCubemap(cudaTextureObject_t t, float *out) { out[0] = texCubemap<float>(t, 1, 1, 1); } //~ error HD1150: cube maps ('texCubemap'); use layers of a 2D texture
__global__ void of_texCubemapLod(cudaTextureObject_t t, float *out) { out[0] = texCubemapLod<float>(t, 1, 1, 1, 1); } //~ error HD1150: cube maps ('texCubemapLod')
__global__ void of_texCubemapGrad(cudaTextureObject_t t, float *out) { out[0] = texCubemapGrad<float>(t, 1, 1, 1, {}, {}); } //~ error HD1150: cube maps ('texCubemapGrad')
__global__ void of_texCubemapLayered(cudaTextureObject_t t, float *out) { out[0] = texCubemapLayered<float>(t, 1, 1, 1, 1); } //~ error HD1150: cube maps ('texCubemapLayered')
__global__ void of_texCubemapLayeredLod(cudaTextureObject_t t, float *out) { out[0] = texCubemapLayeredLod<float>(t, 1, 1, 1, 1, 1); } //~ error HD1150: cube maps ('texCubemapLayeredLod')
__global__ void of_texCubemapLayeredGrad(cudaTextureObject_t t, float *out) { out[0] = texCubemapLayeredGrad<float>(t, 1, 1, 1, 1, {}, {}); } //~ error HD1150: cube maps ('texCubemapLayeredGrad')
__global__ void of_tex2Dgather(cudaTextureObject_t t, float4 *out) { out[0] = tex2Dgather<float4>(t, 1, 1); } //~ error HD1150: 'tex2Dgather'; read the four texels by tex2D
__global__ void of_tex1DLayeredLod(cudaTextureObject_t t, float *out) { out[0] = tex1DLayeredLod<float>(t, 1, 1, 1); } //~ error HD1150: mipmaps of layers ('tex1DLayeredLod'); use tex1DLayered
__global__ void of_tex2DLayeredLod(cudaTextureObject_t t, float *out) { out[0] = tex2DLayeredLod<float>(t, 1, 1, 1, 1); } //~ error HD1150: mipmaps of layers ('tex2DLayeredLod'); use tex2DLayered
__global__ void of_tex1DLayeredGrad(cudaTextureObject_t t, float *out) { out[0] = tex1DLayeredGrad<float>(t, 1, 1, 1, 1); } //~ error HD1150: mipmaps of layers ('tex1DLayeredGrad')
__global__ void of_tex2DLayeredGrad(cudaTextureObject_t t, float *out) { out[0] = tex2DLayeredGrad<float>(t, 1, 1, 1, {}, {}); } //~ error HD1150: mipmaps of layers ('tex2DLayeredGrad')
__global__ void of_surfCubemapread(cudaSurfaceObject_t s, float *out) { out[0] = surfCubemapread<float>(s, 1, 1, 1); } //~ error HD1150: cube maps ('surfCubemapread'); use layers of a 2D surface
__global__ void of_surfCubemapwrite(cudaSurfaceObject_t s) { surfCubemapwrite<float>(1, s, 1, 1, 1); } //~ error HD1150: cube maps ('surfCubemapwrite')
__global__ void of_surfCubemapLayeredread(cudaSurfaceObject_t s, float *out) { out[0] = surfCubemapLayeredread<float>(s, 1, 1, 1); } //~ error HD1150: cube maps ('surfCubemapLayeredread')
__global__ void of_surfCubemapLayeredwrite(cudaSurfaceObject_t s) { surfCubemapLayeredwrite<float>(1, s, 1, 1, 1); } //~ error HD1150: cube maps ('surfCubemapLayeredwrite')
__global__ void level(cudaTextureObject_t t, float *out) { out[0] = tex2DLod<float>(t, 1, 1, 2); } //~ error HD1150: levels of a texture; make each level a texture of its own
void host(cudaMipmappedArray_t *array, cudaExtent size) { cudaMallocMipmappedArray(array, nullptr, size, 4); }
