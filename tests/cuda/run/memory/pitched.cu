// SPDX-License-Identifier: Apache-2.0
// TEST: a cudaPitchedPtr as a parameter: rows and slices of a volume
// NVCC: NumPy has no such type
__global__ void add_one(cudaPitchedPtr volume, int depth)
{
    char *base = (char *)volume.ptr;
    size_t slice = volume.pitch * volume.ysize;
    for (int z = 0; z < depth; z++)
        for (size_t y = 0; y < volume.ysize; y++) {
            float *row = (float *)(base + z * slice + y * volume.pitch);
            for (size_t x = threadIdx.x; x < volume.xsize; x += blockDim.x)
                row[x] += 1;
        }
}
// PY: def padded():
// PY:     v = np.zeros((3, 5, 16), np.float32)
// PY:     v[:, :, :10] = 1
// PY:     return v.ravel().view(np.uint8)
// LAUNCH: add_one volume_ptr[960]=zeros volume_pitch=64 volume_xsize=10 volume_ysize=5 depth=3 --block 32 --grid 1
// OUT: volume_ptr = padded()
