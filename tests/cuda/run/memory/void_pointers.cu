// SPDX-License-Identifier: Apache-2.0
// TEST: kernel parameters that are pointers to void: bytes, until a cast says more
__global__ void twice(const void *__restrict__ from, void *to, int stride, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const char *at = (const char *)from + (size_t)i * stride;
    if (i < n)
        static_cast<int *>(to)[i] = *reinterpret_cast<const short *>(at) * 2;
}
// PY: def words(x): return x.astype('u1').view('<i2').astype('<i4')
// LAUNCH: twice from[200]=iota to[400]=zeros stride=2 n=100 --grid 2 --block 64
// OUT: to = (words(in_from) * 2).view('u1')
