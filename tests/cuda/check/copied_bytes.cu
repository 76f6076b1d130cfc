// SPDX-License-Identifier: Apache-2.0
// TEST: memcpy and memset, also as builtins, touch just the bytes that they are given
// check-args: --block 64
// check own: proved
// check one_too_many: bug HD0601
// check shifted: bug HD0601
// check of_a_length: bug HD0601
// check of_a_bounded_length: proved
// check cleared: proved
struct Pair {
    short x, y;
};

__global__ void own(Pair *out, const Pair *in)
{
    // heddle: requires gridDim.x == 1 && len(out) == 65 && len(in) == 65
    __builtin_memcpy(&out[threadIdx.x], &in[threadIdx.x], sizeof(Pair));
}

__global__ void one_too_many(Pair *out, const Pair *in)
{
    // heddle: requires gridDim.x == 1 && len(out) == 66 && len(in) == 66
    memcpy(&out[threadIdx.x], &in[63 - threadIdx.x], 5);
}

__global__ void shifted(Pair *out, const Pair *in)
{
    // heddle: requires gridDim.x == 1 && len(out) == 66 && len(in) == 66
    __builtin_memcpy((char *)&out[threadIdx.x] + 1, &in[63 - threadIdx.x], sizeof(Pair) + 1);
}

__global__ void of_a_length(Pair *out, const Pair *in, unsigned n)
{
    // heddle: requires gridDim.x == 1 && len(out) == 70 && len(in) == 70 && n <= 16
    memcpy(&out[threadIdx.x], &in[63 - threadIdx.x], n);
}

__global__ void of_a_bounded_length(Pair *out, const Pair *in, unsigned n)
{
    // heddle: requires gridDim.x == 1 && len(out) == 70 && len(in) == 70 && n <= 4
    memcpy(&out[threadIdx.x], &in[63 - threadIdx.x], n);
}

__global__ void cleared(Pair *out)
{
    // heddle: requires gridDim.x == 1 && len(out) == 64
    __builtin_memset(out + threadIdx.x, 0, sizeof(Pair));
}
