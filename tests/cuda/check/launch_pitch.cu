// SPDX-License-Identifier: Apache-2.0
// TEST: a pitch that cudaMallocPitch gave is as long as the row that it was asked for, unless something else sets it
// convert leaves out rows, rows_of_half, rows_set, other_variable: launches are no part of it
// check-args: --assume '65536 <= len(m)' --assume 'width <= 64' --assume 'height <= 64' --assume 'pitch <= 1024' --assume 'pitch % 4 == 0' --assume 'height >= 0'
// check rows: proved
// check rows_of_half: bug HD0601
// check rows_set: bug HD0601
// check other_variable: bug HD0601

// Rows meet where the pitch is less than a row.
#define KERNEL(name)                                                    \
    __global__ void name(char *m, unsigned pitch, int width, int height) \
    {                                                                   \
        int c = threadIdx.x, r = threadIdx.y;                           \
        if (c < width && r < height)                                    \
            ((float *)(m + r * pitch))[c] = r;                          \
    }
KERNEL(rows)
KERNEL(rows_of_half)
KERNEL(rows_set)
KERNEL(other_variable)

void run(int width, int height, size_t given)
{
    char *m, *half, *set;
    size_t pitch, half_pitch, set_pitch;
    cudaMallocPitch((void **)&m, &pitch, width * sizeof(float), height);
    rows<<<1, dim3(64, 16)>>>(m, pitch, width, height);
    cudaMallocPitch(&half, &half_pitch, width * sizeof(short), height);
    rows_of_half<<<1, dim3(64, 16)>>>(half, half_pitch, width, height);
    cudaMallocPitch(&set, &set_pitch, width * sizeof(float), height);
    set_pitch = given;
    rows_set<<<1, dim3(64, 16)>>>(set, set_pitch, width, height);
    other_variable<<<1, dim3(64, 16)>>>(set, given, width, height);
}
