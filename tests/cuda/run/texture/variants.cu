// SPDX-License-Identifier: Apache-2.0
// TEST: level 0 and gradients are the texture itself, layers are read by number, every type of reference has a name
// REF: docs/reference/cuda.md#textures-and-surfaces
// NVCC: references are gone from CUDA 12
texture<float, cudaTextureType1D> line;
texture<float, cudaTextureType1DLayered> lines;
texture<float, cudaTextureType2DLayered> pages;
texture<float, cudaTextureType3D> room;
texture<float, cudaTextureTypeCubemap> cube;
texture<float, cudaTextureTypeCubemapLayered> cubes;
surface<void, cudaSurfaceType1D> out_line;
surface<void, cudaSurfaceType2D> out_page;
surface<void, cudaSurfaceType3D> out_room;
surface<void, cudaSurfaceType1DLayered> out_lines;
surface<void, cudaSurfaceType2DLayered> out_pages;
surface<void, cudaSurfaceTypeCubemap> out_cube;
surface<void, cudaSurfaceTypeCubemapLayered> out_cubes;

__global__ void levels(CUtexObject a, CUtexObject b, CUtexObject c, float *out)
{
    int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z, i = (z * 3 + y) * 4 + x;
    float2 none = make_float2(0, 0);
    float4 nothing = make_float4(0, 0, 0, 0);
    out[i] = tex1DLod<float>(a, x + 0.5f, 0);
    out[i + 24] = tex1DGrad<float>(a, x + 0.5f, 0, 0);
    out[i + 48] = tex2DGrad<float>(b, x + 0.5f, y + 0.5f, none, none);
    out[i + 72] = tex3DLod<float>(c, x + 0.5f, y + 0.5f, z + 0.5f, 0);
    out[i + 96] = tex3DGrad<float>(c, x + 0.5f, y + 0.5f, z + 0.5f, nothing, nothing);
}

__global__ void layers(CUsurfObject l, CUsurfObject p, int *out)
{
    int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z, i = (z * 3 + y) * 4 + x;
    out[i] = surf1DLayeredread<int>(l, x * 4, z, cudaBoundaryModeTrap);
    out[i + 24] = surf2DLayeredread<int>(p, x * 4, y, z, cudaBoundaryModeTrap);
}

__global__ void by_name()
{
    int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    surf3Dwrite(tex3D(room, x + 0.5f, y + 0.5f, z + 0.5f), out_room, x * 4, y, z);
    surf2DLayeredwrite(tex2DLayered(pages, x + 0.5f, y + 0.5f, z), out_pages, x * 4, y, z);
    if (y == 0)
        surf1DLayeredwrite(tex1DLayered(lines, x + 0.5f, z), out_lines, x * 4, z);
    if (z == 0)
        surf2Dwrite(2 * tex1D(line, x + 0.5f), out_page, x * 4, y);
    if (y == 0 && z == 0)
        surf1Dwrite(tex1D(line, x + 0.5f), out_line, x * 4);
}

void host()
{
    cudaTextureAddressMode outside = cudaAddressModeClamp;
    cudaTextureFilterMode between = cudaFilterModePoint;
    cudaTextureReadMode as = cudaReadModeElementType;
    cudaSurfaceBoundaryMode beyond = cudaBoundaryModeTrap;
    line.addressMode[0] = outside;
    line.filterMode = between;
    (void)as, (void)beyond;
}
// LAUNCH: levels a[4]=random:1 b[3][4]=random:2 c[2][3][4]=random:3 out[120]=zeros --block 4,3,2 --grid 1
// OUT: out = np.concatenate([np.tile(in_a, 12), np.tile(in_b.ravel(), 2), np.tile(in_c.ravel(), 2)])
// LAUNCH: layers l[2][4]=random:1 p[2][3][4]=random:2 out[48]=zeros --block 4,3,2 --grid 1
// OUT: out = np.concatenate([np.repeat(in_l, 3, axis=0).ravel(), in_p.ravel()])
// LAUNCH: by_name line[4]=random:1 lines[2][4]=random:2 pages[2][3][4]=random:3 room[2][3][4]=random:4 out_line[4]=zeros out_page[3][4]=zeros out_room[2][3][4]=zeros out_lines[2][4]=zeros out_pages[2][3][4]=zeros --block 4,3,2 --grid 1
// OUT: out_line = in_line
// OUT: out_page = np.tile(2 * in_line, (3, 1))
// OUT: out_room = in_room
// OUT: out_lines = in_lines
// OUT: out_pages = in_pages
