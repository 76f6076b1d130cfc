// SPDX-License-Identifier: Apache-2.0
// TEST: bitonic sorting of keys with values in shared memory, comparators by reference, directions as parameters
typedef unsigned int uint;

__device__ inline void comparator(uint &keyA, uint &valA, uint &keyB, uint &valB, uint dir)
{
    uint t;
    if ((keyA > keyB) == dir) {
        t = keyA;
        keyA = keyB;
        keyB = t;
        t = valA;
        valA = valB;
        valB = t;
    }
}

template <uint LENGTH>
__global__ void bitonic(uint *d_DstKey, uint *d_DstVal, uint *d_SrcKey, uint *d_SrcVal, uint dir)
{
    __shared__ uint s_key[LENGTH];
    __shared__ uint s_val[LENGTH];
    d_SrcKey += blockIdx.x * LENGTH + threadIdx.x;
    d_SrcVal += blockIdx.x * LENGTH + threadIdx.x;
    d_DstKey += blockIdx.x * LENGTH + threadIdx.x;
    d_DstVal += blockIdx.x * LENGTH + threadIdx.x;
    s_key[threadIdx.x] = d_SrcKey[0];
    s_val[threadIdx.x] = d_SrcVal[0];
    s_key[threadIdx.x + LENGTH / 2] = d_SrcKey[LENGTH / 2];
    s_val[threadIdx.x + LENGTH / 2] = d_SrcVal[LENGTH / 2];
    for (uint size = 2; size < LENGTH; size <<= 1) {
        uint ddd = dir ^ ((threadIdx.x & (size / 2)) != 0);
        for (uint stride = size / 2; stride > 0; stride >>= 1) {
            __syncthreads();
            uint pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
            comparator(s_key[pos], s_val[pos], s_key[pos + stride], s_val[pos + stride], ddd);
        }
    }
    for (uint stride = LENGTH / 2; stride > 0; stride >>= 1) {
        __syncthreads();
        uint pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
        comparator(s_key[pos], s_val[pos], s_key[pos + stride], s_val[pos + stride], dir);
    }
    __syncthreads();
    d_DstKey[0] = s_key[threadIdx.x];
    d_DstVal[0] = s_val[threadIdx.x];
    d_DstKey[LENGTH / 2] = s_key[threadIdx.x + LENGTH / 2];
    d_DstVal[LENGTH / 2] = s_val[threadIdx.x + LENGTH / 2];
}
// PY: def keys(k): return np.sort(k.reshape(-1, 256), 1).ravel()
// PY: def values(k): return np.concatenate([b * 256 + np.argsort(p) for b, p in enumerate(k.reshape(-1, 256))])
// LAUNCH: bitonic<256> d_DstKey[512]=zeros d_DstVal[512]=zeros d_SrcKey[512]=random:5 d_SrcVal[512]=iota dir=1 --grid 2 --block 128
// OUT: d_DstKey = keys(in_d_SrcKey)
// OUT: d_DstVal = values(in_d_SrcKey)
