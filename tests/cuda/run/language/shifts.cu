// SPDX-License-Identifier: Apache-2.0
// TEST: a shift to the left moves bits, into the sign and out at the top, too; signs that come back; no overflow
__global__ void shifts(const int *x, int *y, long long *wide, unsigned *masks)
{
    int t = threadIdx.x;
    y[t] = 1 << t;
    y[t + 32] = (x[t] << 24) >> 24;
    y[t + 64] = -1 << t;
    unsigned char byte = 7 * t;
    y[t + 96] = (byte << 16) | (byte << 24);
    int nibble = x[t];
    nibble <<= 28;
    nibble >>= 28;
    y[t + 128] = nibble;
    short narrow = 1000 * t;
    narrow <<= 3;
    y[t + 160] = narrow;
    y[t + 192] = 1 << 31;
    wide[t] = 1LL << (t + 32);
    wide[t + 32] = (long long)(x[t] << 30) << 2;
    masks[t] = ~(~0 << t) & ((1 << t) - 1 | 1 << t);
}
// PY: def back(x, n): return ((x.astype(np.int64) << n).astype(np.int32) >> n)
// PY: def shifted(in_x):
// PY:     t = np.arange(32, dtype=np.int64)
// PY:     b = (7 * t).astype(np.uint8).astype(np.int64)
// PY:     return np.concatenate([1 << t, back(in_x, 24), -1 << t, (b << 16) | (b << 24),
// PY:         back(in_x, 28), (8000 * t).astype(np.int16), np.full(32, 1 << 31)]).astype(np.int32)
// PY: def wider(in_x):
// PY:     t = np.arange(32, dtype=np.uint64)
// PY:     return np.concatenate([(np.uint64(1) << t + np.uint64(32)).astype(np.int64),
// PY:         (in_x.astype(np.int64) << 30).astype(np.int32).astype(np.int64) << 2])
// LAUNCH: shifts x[32]=random:5 y[224]=zeros wide[64]=zeros masks[32]=zeros --block 32 --grid 1 --sanitize
// OUT: y = shifted(in_x)
// OUT: wide = wider(in_x)
// OUT: masks = (1 << np.arange(32, dtype=np.int64)) - 1
