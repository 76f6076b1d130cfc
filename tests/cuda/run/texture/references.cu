// SPDX-License-Identifier: Apache-2.0
// TEST: references of the file are parameters of the kernels that use them, sampled as the host code and their type say
// REF: docs/reference/cuda.md#textures-and-surfaces
// NVCC: CUDA has no texture references since version 12
// PY: from cuda.oracles import sampled
texture<float, 2, cudaReadModeElementType> image;
texture<uchar4, cudaTextureType2D, cudaReadModeNormalizedFloat> colours;
texture<short, 1, cudaReadModeNormalizedFloat> fractions(1, cudaFilterModeLinear, cudaAddressModeClamp);
texture<int> numbers;
surface<void, 2> result;
texture<float, 3> unused;

__device__ float of_image(float x, float y) { return tex2D(image, x, y); }
__device__ void store(float v, int x, int y) { surf2Dwrite(v, result, x * sizeof(float), y); }

__global__ void blur(int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height)
        store(of_image((x + 0.25f) / width, (y + 0.75f) / height), x, y);
}

__global__ void mixed(float4 *out, float *line)
{
    int i = threadIdx.x;
    float4 c = tex2D(colours, i % 8, i / 8);
    c.w = tex1Dfetch(numbers, 2 * i);
    out[i] = c;
    line[i] = tex1D(fractions, i / 64.0f);
}

void host(float *data, cudaArray *array)
{
    image.normalized = true;
    image.filterMode = cudaFilterModeLinear;
    image.addressMode[0] = cudaAddressModeWrap;
    image.addressMode[1] = cudaAddressModeMirror;
    colours.normalized = false;
    cudaBindTextureToArray(image, array);
    blur<<<dim3(2, 2), dim3(8, 8)>>>(16, 16);
}
// LAUNCH: blur image[5][7]=iota result[16][16]=zeros width=16 height=16 --grid 2,2
// OUT: result = np.array([sampled(in_image, [np.float32([(x + 0.25) / 16]), np.float32([(y + 0.75) / 16])], True, True, [0, 2])[0] for y in range(16) for x in range(16)]).reshape(16, 16)
// TOL: 1e-6
// LAUNCH: mixed colours[8][8]=random:1 fractions[9]=random:2 numbers[100]=iota out[64]=zeros line[64]=zeros --block 64 --grid 1
// OUT: out = np.concatenate([in_colours.reshape(64, 4)[:, :3] / np.float32(255), np.where(np.arange(64) < 50, 2 * np.arange(64), 0).reshape(64, 1)], axis=1)
// OUT: line = sampled(np.maximum(in_fractions / np.float32(32767), -1), [np.arange(64) / np.float32(64)], True, True, [1])
// TOL: 1e-6
