// SPDX-License-Identifier: Apache-2.0
// TEST: warpSize, __fns, and ranks in blocks of three dimensions
__global__ void facts(int *out)
{
    int i = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    int n = blockDim.x * blockDim.y * blockDim.z, lane = i % warpSize;
    out[0 * n + i] = warpSize;
    out[1 * n + i] = __shfl_sync(0xffffffff, (int)threadIdx.x, lane ^ 1);
    out[2 * n + i] = __shfl_sync(0xffffffff, (int)threadIdx.y, 31);
    out[3 * n + i] = __popc(__ballot_sync(0xffffffff, threadIdx.z == 1));
    out[4 * n + i] = (int)__fns(0x00f0f0f0, 0, lane % 12 + 1);
    out[5 * n + i] = (int)__fns(0x00f0f0f0, 20, -3);
}
// PY: def reference():
// PY:     i = np.arange(96)
// PY:     x, y, z = i % 6, i // 6 % 4, i // 24
// PY:     w = i // 32 * 32
// PY:     ones = [int((z[b:b + 32] == 1).sum()) for b in (0, 32, 64)]
// PY:     bits = [k for k in range(32) if 0x00f0f0f0 >> k & 1]
// PY:     return np.concatenate([i * 0 + 32, x[i ^ 1], y[w + 31], np.repeat(ones, 32), np.array(bits)[i % 32 % 12], i * 0 + 14])
// LAUNCH: out[576]=zeros --block 6,4,4 --grid 1
// OUT: out = reference()
