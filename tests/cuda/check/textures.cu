// SPDX-License-Identifier: Apache-2.0
// TEST: reads of textures stay inside, surfaces are arrays that race and end, and their sizes are the launch's
// REF: docs/reference/cuda.md#textures-and-surfaces
// check-args: --block 16,16
// check samples: proved
// check filters: proved
// check copies: proved
// check in_place: bug HD0601 line @in_place
// check one_texel: bug HD0601 line @one_texel
// check unknown_size: unknown HD0705 line @unknown_size a requirement on the launch
// check launched: unknown HD0705 line @launched a requirement on the launch
// check read_twice: unknown HD0705 line @read_twice a requirement on the launch
// check too_far: bug HD0705 line @too_far
// check clamped: proved
#define PLACE int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y

// heddle: requires w * h <= len(out)
__global__ void samples(cudaTextureObject_t t, float *out, int w, int h, float u, float v)
{
    PLACE;
    if (x < w && y < h)
        out[y * w + x] = tex2D<float>(t, x * u, y * v);
}

// heddle: requires w * h <= len(out)
__global__ void filters(cudaTextureObject_t t, cudaTextureObject_t volume, cudaTextureObject_t layers, float4 *out, int w, int h, float z)
{
    PLACE;
    if (x < w && y < h)
        out[y * w + x] = make_float4(tex2D<float>(t, x, y), tex3D<float>(volume, x, y, z), tex2DLayered<float4>(layers, x, y, (int)z).y, 0.0f);
}

// heddle: requires from_width == w && from_height == h && to_width >= w && to_height >= h
__global__ void copies(cudaSurfaceObject_t from, cudaSurfaceObject_t to, int w, int h)
{
    PLACE;
    if (x < w && y < h)
        surf2Dwrite(surf2Dread<float4>(from, x * sizeof(float4), y), to, x * (int)sizeof(float4), y);
}

__global__ void in_place(cudaSurfaceObject_t s)
{
    PLACE;
    short next = surf2Dread<short>(s, 2 * (x + 1), y, cudaBoundaryModeZero); //@in_place
    surf2Dwrite(next, s, 2 * x, y, cudaBoundaryModeZero);
}

__global__ void one_texel(cudaSurfaceObject_t s)
{
    surf1Dwrite((int)threadIdx.x, s, 0, cudaBoundaryModeZero); //@one_texel
}

__global__ void unknown_size(cudaSurfaceObject_t s, int w, int h)
{
    PLACE;
    if (x < w && y < h)
        surf2Dwrite(1.0f, s, x * sizeof(float), y); //@unknown_size
}

__global__ void launched(cudaSurfaceObject_t s, int w, int h)
{
    PLACE;
    if (x < w && y < h)
        surf2Dwrite(1.0f, s, x * sizeof(float), y); //@launched
}

__global__ void read_twice(cudaSurfaceObject_t s, int w, int h)
{
    PLACE;
    if (x < w && y < h) {
        char c = surf2Dread<char>(s, x, y); //@read_twice
        surf2Dwrite((char)~c, s, x, y);
    }
}

// heddle: requires s_width == w && s_height == h
__global__ void too_far(cudaSurfaceObject_t s, int w, int h)
{
    PLACE;
    if (x <= w && y < h)
        surf2Dwrite(1.0f, s, x * sizeof(float), y); //@too_far
}

// heddle: requires 1 <= len(out)
__global__ void clamped(cudaSurfaceObject_t s, float *out, int i)
{
    PLACE;
    if (x == 0 && y == 0)
        out[0] = surf1Dread<float>(s, i, cudaBoundaryModeClamp);
}

void launches(cudaSurfaceObject_t s)
{
    launched<<<dim3(4, 4), dim3(16, 16)>>>(s, 64, 64);
}
