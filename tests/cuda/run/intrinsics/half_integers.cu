// SPDX-License-Identifier: Apache-2.0
// TEST: integers of each kind to half and bfloat16 and back, in each rounding direction, with ends of the range and NaN
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#define MAKE(k, T, name) \
    out[(8 * k + 0) * n + i] = __half2float(__##name##2half_rn((T)v)); \
    out[(8 * k + 1) * n + i] = __half2float(__##name##2half_rz((T)v)); \
    out[(8 * k + 2) * n + i] = __half2float(__##name##2half_ru((T)v)); \
    out[(8 * k + 3) * n + i] = __half2float(__##name##2half_rd((T)v)); \
    out[(8 * k + 4) * n + i] = __bfloat162float(__##name##2bfloat16_rn((T)v)); \
    out[(8 * k + 5) * n + i] = __bfloat162float(__##name##2bfloat16_rz((T)v)); \
    out[(8 * k + 6) * n + i] = __bfloat162float(__##name##2bfloat16_ru((T)v)); \
    out[(8 * k + 7) * n + i] = __bfloat162float(__##name##2bfloat16_rd((T)v))
#define TAKE(k, name) \
    out[(8 * k + 0) * n + i] = (long long)__half2##name##_rn(h); \
    out[(8 * k + 1) * n + i] = (long long)__half2##name##_rz(h); \
    out[(8 * k + 2) * n + i] = (long long)__half2##name##_ru(h); \
    out[(8 * k + 3) * n + i] = (long long)__half2##name##_rd(h); \
    out[(8 * k + 4) * n + i] = (long long)__bfloat162##name##_rn(b); \
    out[(8 * k + 5) * n + i] = (long long)__bfloat162##name##_rz(b); \
    out[(8 * k + 6) * n + i] = (long long)__bfloat162##name##_ru(b); \
    out[(8 * k + 7) * n + i] = (long long)__bfloat162##name##_rd(b)
__global__ void make(const long long *x, int n, float *out)
{
    int i = threadIdx.x;
    long long v = x[i] >> i % 64;
    MAKE(0, int, int);
    MAKE(1, unsigned, uint);
    MAKE(2, short, short);
    MAKE(3, unsigned short, ushort);
    MAKE(4, long long, ll);
    MAKE(5, unsigned long long, ull);
}
__global__ void take(const unsigned short *x, int n, long long *out)
{
    int i = threadIdx.x;
    __half h = __ushort_as_half(x[i]);
    __nv_bfloat16 b = __ushort_as_bfloat16(x[i]);
    TAKE(0, int);
    TAKE(1, uint);
    TAKE(2, short);
    TAKE(3, ushort);
    TAKE(4, ll);
    TAKE(5, ull);
    out[48 * n + i] = __half2char_rz(h);
    out[49 * n + i] = __half2uchar_rz(h);
    out[50 * n + i] = __bfloat162char_rz(b);
    out[51 * n + i] = __bfloat162uchar_rz(b);
}
// PY: from bisect import bisect_right
// PY: HALF = np.arange(0x7c01, dtype=np.uint16).view(np.float16).astype(float).tolist()
// PY: BRAIN = (np.arange(0x7f81, dtype=np.uint32) << 16).view(np.float32).astype(float).tolist()
// PY: TYPES = [np.int32, np.uint32, np.int16, np.uint16, np.int64, np.uint64]
// PY: def round_to(grid, v, how):
// PY:     size, up = abs(v), {"rz": False, "ru": v > 0, "rd": v < 0, "rn": None}[how]
// PY:     k = bisect_right(grid, size) - 1
// PY:     if grid[k] != size:
// PY:         above = grid[k + 1] if grid[k + 1] < np.inf else 2 * grid[k] - grid[k - 1]
// PY:         if up is None:
// PY:             low, high = size - int(grid[k]), int(above) - size
// PY:             up = low > high or (low == high and k % 2 == 1)
// PY:         k += up
// PY:     return -grid[k] if v < 0 else grid[k]
// PY: def made(x):
// PY:     v = x >> (np.arange(len(x)) % 64)
// PY:     return np.array([[round_to(g, int(e), how) for e in v.astype(T)] for T in TYPES for g in (HALF, BRAIN) for how in ("rn", "rz", "ru", "rd")]).ravel()
// PY: def whole(f, how, T):
// PY:     ends, nan = np.iinfo(T), 0 if np.iinfo(T).bits < 64 else 1 << 63
// PY:     how = {"rn": round, "rz": int, "ru": lambda v: -(-v // 1), "rd": lambda v: v // 1}[how]
// PY:     return [nan if v != v else max(ends.min, min(ends.max, int(how(v)) if abs(v) < np.inf else int(np.sign(v)) << 70)) for v in f.tolist()]
// PY: def taken(x):
// PY:     pair = [x.view(np.float16).astype(float), (x.astype(np.uint32) << 16).view(np.float32).astype(float)]
// PY:     rows = [whole(f, how, T) for T in TYPES for f in pair for how in ("rn", "rz", "ru", "rd")]
// PY:     rows += [whole(f, "rz", T) for f in pair for T in (np.int8, np.uint8)]
// PY:     return np.array([[v & (1 << 64) - 1 for v in row] for row in rows], np.uint64).view(np.int64).ravel()
// LAUNCH: make x[256]=random:7 n=256 out[12288]=zeros --grid 1 --block 256
// OUT: out = made(in_x)
// LAUNCH: take x[256]=random:8 n=256 out[13312]=zeros --grid 1 --block 256
// OUT: out = taken(in_x)
