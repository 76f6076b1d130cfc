// SPDX-License-Identifier: Apache-2.0
// TEST: vector types of CUDA: make functions, members, arrays of them, alignment, dim3, 1 to 4 elements of each type
__global__ void vectors(const float4 *q, const int2 *p, float3 *three, double2 *d, uchar4 *bytes, float4 *sums,
                        short2 *halves, int *out)
{
    int i = threadIdx.x;
    float4 a = q[i], b = make_float4(1.0f, 2.0f, 3.0f, 4.0f);
    three[i] = make_float3(a.x, a.y + b.y, a.z);
    d[i] = make_double2(p[i].x, p[i].y * 0.5);
    bytes[i] = make_uchar4(p[i].x, p[i].y, 255, 256 - 1);
    a.w += b.w;
    sums[i] = a;
    short2 h;
    h.x = (short)i;
    h.y = -h.x;
    halves[i] = h;
    dim3 grid(2, 3), one;
    uint3 t = threadIdx;
    int4 v{1, 2, 3, 4};
    ulonglong2 wide = make_ulonglong2(1ull << 40, 2);
    float1 f1 = make_float1(2.5f);
    char2 c = make_char2(-1, 1);
    out[i] = grid.x + 10 * grid.y + 100 * grid.z + 1000 * (one.x + one.y + one.z) + t.x + v.w * 100000 +
             (int)(wide.x >> 38) + (int)(f1.x * 2) + c.x + (int)(sizeof(float3) + alignof(float4) + sizeof(uchar4)) +
             (threadIdx.y == 0 && blockIdx.z == 0 && gridDim.y == 1);
}
// PY: def shaped(q): return q + np.array([0, 2, 0, 0], np.float32)
// LAUNCH: q[32]=random:1 p[32]=iota three[32]=zeros d[32]=zeros bytes[32]=zeros sums[32]=zeros halves[32]=zeros out[32]=zeros --block 32 --grid 1
// OUT: three = shaped(in_q)[:, :3]
// OUT: d = in_p * np.array([1, 0.5])
// OUT: bytes = np.concatenate([in_p, np.full((32, 2), 255)], 1) % 256
// OUT: sums = in_q + np.array([0, 0, 0, 4], np.float32)
// OUT: halves = np.arange(32)[:, None] * np.array([1, -1])
// OUT: out = np.arange(32) + 2 + 30 + 100 + 3000 + 400000 + 4 + 5 - 1 + 32 + 1
