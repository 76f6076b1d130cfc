// SPDX-License-Identifier: Apache-2.0
// TEST: surfaces are read and written at a byte of a row, and beyond their ends as the boundary mode says
// REF: docs/reference/cuda.md#textures-and-surfaces
__global__ void line(cudaSurfaceObject_t s, const int *at, int *out)
{
    int i = threadIdx.x, v;
    out[i] = surf1Dread<int>(s, at[i] * 4, cudaBoundaryModeZero);
    surf1Dread(&v, s, at[i] * sizeof(int), cudaBoundaryModeClamp);
    out[64 + i] = v;
}

__global__ void plane(cudaSurfaceObject_t s, cudaSurfaceObject_t d, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) {
        float2 v = surf2Dread<float2>(s, x * sizeof(float2), y);
        surf2Dwrite(v.x + v.y, d, (width - 1 - x) * sizeof(float), y);
    }
}

__global__ void outside(cudaSurfaceObject_t d)
{
    int x = threadIdx.x - 4, y = threadIdx.y - 4;
    surf2Dwrite((short)(100 * threadIdx.y + threadIdx.x), d, x * 2, y, cudaBoundaryModeZero);
}

__global__ void space(cudaSurfaceObject_t d, cudaSurfaceObject_t l, cudaSurfaceObject_t p)
{
    int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    uchar4 v = make_uchar4(x, y, z, 7);
    surf3Dwrite(v, d, x * 4, y, z);
    v = surf3Dread<uchar4>(d, x * 4, y, z);
    surf2DLayeredwrite(v.y + 10 * z, p, x * 4, y, z);
    if (y == 0)
        surf1DLayeredwrite((long long)(x + 10 * z), l, x * 8, z);
}
// LAUNCH: line s[40]=iota at[64]=iota out[128]=zeros --block 64 --grid 1
// OUT: out = np.append(np.where(np.arange(64) < 40, np.arange(64), 0), np.minimum(np.arange(64), 39))
// LAUNCH: plane s[5][9]=random:1 d[5][9]=zeros width=9 height=5 --block 8,8 --grid 2,1
// OUT: d = (in_s[:, :, 0] + in_s[:, :, 1])[:, ::-1]
// LAUNCH: outside d[6][8]=full:-1 --block 16,16 --grid 1
// OUT: d = np.array([[100 * (y + 4) + x + 4 for x in range(8)] for y in range(6)])
// LAUNCH: space d[3][4][5]=zeros l[3][5]=zeros p[3][4][5]=zeros --block 5,4,3 --grid 1
// OUT: d = np.array([[[[x, y, z, 7] for x in range(5)] for y in range(4)] for z in range(3)])
// OUT: p = np.array([[[y + 10 * z for x in range(5)] for y in range(4)] for z in range(3)])
// OUT: l = np.array([[x + 10 * z for x in range(5)] for z in range(3)])
