// SPDX-License-Identifier: Apache-2.0
// TEST: redux.sync in inline assembly is the reduction of the lanes in the mask
__global__ void all(const int *x, int *out)
{
    int v = x[threadIdx.x], sum, least, most;
    unsigned u = v, usum, uleast, umost, a, o, p;
    asm volatile("redux.sync.add.s32 %0, %1, 0xffffffff;" : "=r"(sum) : "r"(v));
    asm volatile("redux.sync.min.s32 %0, %1, 0xffffffff;" : "=r"(least) : "r"(v));
    asm volatile("redux.sync.max.s32 %0, %1, %2;" : "=r"(most) : "r"(v), "r"(0xffffffff));
    asm volatile("redux.sync.add.u32 %0, %1, -1;" : "=r"(usum) : "r"(u));
    asm volatile("redux.sync.min.u32 %0, %1, 0xffffffff;" : "=r"(uleast) : "r"(u));
    asm volatile("redux.sync.max.u32 %0, %1, 0xffffffff;" : "=r"(umost) : "r"(u));
    asm volatile("redux.sync.and.b32 %0, %1, 0xffffffff;" : "=r"(a) : "r"(u));
    asm volatile("redux.sync.or.b32 %0, %1, 0xffffffff;" : "=r"(o) : "r"(u));
    asm volatile("redux.sync.xor.b32 %0, %1, 0xffffffff;" : "=r"(p) : "r"(u));
    int row[9] = {sum, least, most, (int)usum, (int)uleast, (int)umost, (int)a, (int)o, (int)p};
    for (int i = 0; i < 9; i++)
        if (threadIdx.x % 32 == i)
            out[threadIdx.x / 32 * 9 + i] = row[i];
}
// PY: def rows(x):
// PY:     for w in x.reshape(2, 32):
// PY:         u = w.view(np.uint32)
// PY:         for r in (w.sum(), w.min(), w.max(), w.sum(), u.min(), u.max(), np.bitwise_and.reduce(u), np.bitwise_or.reduce(u), np.bitwise_xor.reduce(u)):
// PY:             yield int(r)
// LAUNCH: all x[64]=random:3 out[18]=zeros --block 64 --grid 1
// OUT: out = np.array(list(rows(in_x)))

__global__ void half_of_them(int *out)
{
    int sum = 0;
    if (threadIdx.x < 16)
        asm volatile("redux.sync.add.s32 %0, %1, 0xffff;" : "=r"(sum) : "r"((int)threadIdx.x));
    out[threadIdx.x] = sum;
}
// LAUNCH: half_of_them out[32]=zeros --block 32 --grid 1
// OUT: out = np.array([120] * 16 + [0] * 16)
