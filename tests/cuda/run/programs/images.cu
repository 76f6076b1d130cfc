// SPDX-License-Identifier: Apache-2.0
// TEST: images: a fractal to uchar4, convolution of rows with halos, the game of life
#define RADIUS 3
#define RESULT_STEPS 4
#define BLOCK_X 16
#define BLOCK_Y 4

__constant__ float c_Kernel[2 * RADIUS + 1] = {0.05f, 0.1f, 0.2f, 0.3f, 0.2f, 0.1f, 0.05f};

__device__ int iterations(float x, float y, int limit)
{
    float a = x, b = y;
    int k = limit;
    while (k && a * a + b * b < 4.0f) {
        float t = a * a - b * b + x;
        b = 2.0f * a * b + y;
        a = t;
        k--;
    }
    return limit - k;
}

__global__ void fractal(uchar4 *image, int width, int height, float scale)
{
    const int ix = blockDim.x * blockIdx.x + threadIdx.x, iy = blockDim.y * blockIdx.y + threadIdx.y;
    if (ix < width && iy < height) {
        int n = iterations((float)(ix - width / 2) * scale, (float)(iy - height / 2) * scale, 50);
        uchar4 color;
        color.x = n * 5;
        color.y = n * 3;
        color.z = n;
        color.w = 255;
        image[width * iy + ix] = color;
    }
}

__global__ void rows(float *d_Dst, const float *d_Src, int imageW, int imageH, int pitch)
{
    __shared__ float s_Data[BLOCK_Y][(RESULT_STEPS + 2) * BLOCK_X];
    const int baseX = (blockIdx.x * RESULT_STEPS - 1) * BLOCK_X + threadIdx.x;
    const int baseY = blockIdx.y * BLOCK_Y + threadIdx.y;
    d_Src += baseY * pitch + baseX;
    d_Dst += baseY * pitch + baseX;
    for (int i = 1; i < 1 + RESULT_STEPS; i++)
        s_Data[threadIdx.y][threadIdx.x + i * BLOCK_X] = d_Src[i * BLOCK_X];
    s_Data[threadIdx.y][threadIdx.x] = baseX >= 0 ? d_Src[0] : 0;
    s_Data[threadIdx.y][threadIdx.x + (1 + RESULT_STEPS) * BLOCK_X] =
        imageW - baseX > (1 + RESULT_STEPS) * BLOCK_X ? d_Src[(1 + RESULT_STEPS) * BLOCK_X] : 0;
    __syncthreads();
#pragma unroll
    for (int i = 1; i < 1 + RESULT_STEPS; i++) {
        float sum = 0;
        for (int j = -RADIUS; j <= RADIUS; j++)
            sum += c_Kernel[RADIUS - j] * s_Data[threadIdx.y][threadIdx.x + i * BLOCK_X + j];
        d_Dst[i * BLOCK_X] = sum;
    }
}

__global__ void life(const bool *now, bool *next, const int w, const int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h)
        return;
    int alive = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (dx != 0 || dy != 0)
                alive += now[(y + dy + h) % h * w + (x + dx + w) % w];
    next[y * w + x] = alive == 3 || (alive == 2 && now[y * w + x]);
}
// PY: def fractal(w, h, scale):
// PY:     f = np.float32
// PY:     out = np.zeros((h * w, 4), np.int64)
// PY:     for k in range(h * w):
// PY:         x, y = f(k % w - w // 2) * f(scale), f(k // w - h // 2) * f(scale)
// PY:         a, b, n = x, y, 0
// PY:         while n < 50 and a * a + b * b < 4:
// PY:             a, b, n = a * a - b * b + x, f(2) * a * b + y, n + 1
// PY:         out[k] = n * 5, n * 3, n, 255
// PY:     return out % 256
// PY: def rows(x):
// PY:     p = np.pad(x.reshape(8, 128), ((0, 0), (3, 3))).astype(float)
// PY:     c = [0.05, 0.1, 0.2, 0.3, 0.2, 0.1, 0.05]
// PY:     return sum(c[k] * p[:, k:k + 128] for k in range(7)).ravel()
// PY: def life(x):
// PY:     p = x.reshape(40, 50).astype(int)
// PY:     n = sum(np.roll(p, (a, b), (0, 1)) for a in (-1, 0, 1) for b in (-1, 0, 1)) - p
// PY:     return ((n == 3) | ((n == 2) & (p == 1))).ravel()
// LAUNCH: fractal image[1056]=zeros width=33 height=32 scale=0.0625 --grid 3,4 --block 16,8
// OUT: image = fractal(33, 32, 0.0625)
// LAUNCH: rows d_Dst[1024]=zeros d_Src[1024]=random:2 imageW=128 imageH=8 pitch=128 --grid 2,2 --block 16,4
// OUT: d_Dst = rows(in_d_Src)
// TOL: 1e-5 1e-6
// LAUNCH: life now[2000]=random:3 next[2000]=zeros w=50 h=40 --grid 4,5 --block 16,8
// OUT: next = life(in_now)
