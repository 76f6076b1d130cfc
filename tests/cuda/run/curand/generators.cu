// SPDX-License-Identifier: Apache-2.0
// TEST: XORWOW and Philox give cuRAND's numbers for any seed, sequence and offset, and skip ahead
// REF: docs/reference/cuda.md#curand
#include <curand_kernel.h>

template <class S> __device__ void draw(unsigned long long seed, unsigned long long sequence, unsigned long long offset, unsigned long long skip, unsigned *out)
{
    S s;
    int t = threadIdx.x;
    curand_init(seed, sequence + t, offset, &s);
    for (int i = 0; i < 6; i++)
        out[t * 10 + i] = curand(&s);
    skipahead(skip, &s);
    out[t * 10 + 6] = curand(&s);
    out[t * 10 + 7] = curand(&s);
    skipahead_sequence(skip, &s);
    out[t * 10 + 8] = curand(&s);
    out[t * 10 + 9] = curand(&s);
}
__global__ void xorwow(unsigned long long seed, unsigned long long sequence, unsigned long long offset, unsigned long long skip, unsigned *out) { draw<curandState>(seed, sequence, offset, skip, out); }
__global__ void philox(unsigned long long seed, unsigned long long sequence, unsigned long long offset, unsigned long long skip, unsigned *out) { draw<curandStatePhilox4_32_10_t>(seed, sequence, offset, skip, out); }

// Four at a time, from any place in a block of four.
__global__ void fours(unsigned long long seed, uint4 *out)
{
    curandStatePhilox4_32_10_t s;
    curand_init(seed, 3, threadIdx.x, &s);
    out[threadIdx.x * 2] = curand4(&s);
    out[threadIdx.x * 2 + 1] = curand4(&s);
}
__global__ void rounds(uint4 *out) { out[0] = curand_Philox4x32_10(make_uint4(1, 2, 3, 4), make_uint2(5, 6)); }
// States that stay in memory between kernels.
__device__ curandStateXORWOW_t states[8];
__device__ curandStatePhilox4_32_10 others[8];
__global__ void both(unsigned *out)
{
    int t = threadIdx.x;
    curand_init(7, t, 0, &states[t]);
    curand_init(7, t, 0, &others[t]);
    curandState_t local = states[t];
    out[t] = curand(&local);
    states[t] = local;
    out[8 + t] = curand(&states[t]);
    out[16 + t] = curand(others + t);
}
// What the states hold.
__global__ void members(unsigned *out)
{
    curandState s;
    curandStatePhilox4_32_10_t p;
    curand_init(5, 2, 6, &s);
    curand_init(5, 2, 6, &p);
    curand_normal(&s);
    curand_normal(&p);
    out[0] = p.ctr.x;
    out[1] = p.ctr.z;
    out[2] = p.key.x;
    out[3] = p.STATE;
    out[4] = p.output.x == curand_Philox4x32_10(p.ctr, p.key).x;
    out[5] = s.boxmuller_flag + p.boxmuller_flag * 10 + s.boxmuller_flag_double * 100;
    out[6] = s.boxmuller_extra == curand_normal(&s) && s.boxmuller_extra_double == 0;
    out[7] = s.d - (6615241u + 1099087573u * (5 ^ 0xaad26b49u) + 2591861531u * 0xf7dcefddu);
}
// LAUNCH: members out[8]=zeros --block 1 --grid 1
// OUT: out = [2, 2, 5, 0, 1, 11, 1, 8 * 362437]
// PY: M32, M64 = 2**32 - 1, 2**64 - 1
// PY: def step(v):
// PY:     t = v[0] ^ v[0] >> 2
// PY:     return v[1:] + [(v[4] ^ v[4] << 4 ^ t ^ t << 1) & M32]
// PY: def number(v): return sum(w << 32 * i for i, w in enumerate(v))
// PY: def words(n): return [n >> 32 * i & M32 for i in range(5)]
// PY: def apply(m, n):
// PY:     r = 0
// PY:     for i in range(160):
// PY:         if n >> i & 1: r ^= m[i]
// PY:     return r
// PY: powers = [[number(step(words(1 << i))) for i in range(160)]] # matrices of 2^k steps
// PY: for k in range(130): powers.append([apply(powers[-1], c) for c in powers[-1]])
// PY: class Xorwow:
// PY:     def __init__(self, seed, sequence, offset):
// PY:         a, b = 1099087573 * (seed & M32 ^ 0xaad26b49) & M32, 2591861531 * (seed >> 32 ^ 0xf7dcefdd) & M32
// PY:         self.d = 6615241 + a + b
// PY:         self.v = [w & M32 for w in (123456789 + a, 362436069 ^ a, 521288629 + b, 88675123 ^ b, 5783321 + a)]
// PY:         self.jump(sequence); self.skip(offset)
// PY:     def ahead(self, n, first):
// PY:         v = number(self.v)
// PY:         for k in range(64):
// PY:             if n >> k & 1: v = apply(powers[first + k], v)
// PY:         self.v = words(v)
// PY:     def jump(self, n): self.ahead(n & M64, 67)
// PY:     def skip(self, n): self.ahead(n, 0); self.d += 362437 * n
// PY:     def draw(self):
// PY:         self.v = step(self.v); self.d += 362437
// PY:         return (self.v[4] + self.d) & M32
// PY: def philox_block(c, k):
// PY:     for r in range(10):
// PY:         a, b = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
// PY:         c = [b >> 32 ^ c[1] ^ k[0], b & M32, a >> 32 ^ c[3] ^ k[1], a & M32]
// PY:         k = [(k[0] + 0x9E3779B9) & M32, (k[1] + 0xBB67AE85) & M32]
// PY:     return c
// PY: class Philox:
// PY:     def __init__(self, seed, sequence, offset): self.key, self.at = [seed & M32, seed >> 32], (sequence << 66) + offset
// PY:     def jump(self, n): self.at += n << 66
// PY:     def skip(self, n): self.at += n
// PY:     def draw(self):
// PY:         c = self.at // 4
// PY:         self.at += 1
// PY:         return philox_block([c >> 32 * i & M32 for i in range(4)], self.key)[(self.at - 1) % 4]
// PY: def drawn(kind, seed, sequence, offset, skip):
// PY:     out = []
// PY:     for t in range(3):
// PY:         g = kind(seed, (sequence + t) & M64, offset)
// PY:         out += [g.draw() for i in range(6)]
// PY:         g.skip(skip); out += [g.draw(), g.draw()]
// PY:         g.jump(skip); out += [g.draw(), g.draw()]
// PY:     return out
// LAUNCH: xorwow seed=0 sequence=0 offset=0 skip=1 out[30]=zeros --block 3 --grid 1
// LAUNCH: xorwow seed=1234 sequence=5 offset=1000001 skip=12345678901234567 out[30]=zeros --block 3 --grid 1
// LAUNCH: xorwow seed=18446744073709551615 sequence=18446744073709551612 offset=18446744073709551615 skip=9223372036854775809 out[30]=zeros --block 3 --grid 1
// OUT: out = drawn(Xorwow, seed, sequence, offset, skip)
// LAUNCH: philox seed=0 sequence=0 offset=0 skip=1 out[30]=zeros --block 3 --grid 1
// LAUNCH: philox seed=1234 sequence=5 offset=1000001 skip=12345678901234567 out[30]=zeros --block 3 --grid 1
// LAUNCH: philox seed=11400714819323198485 sequence=4294967295 offset=17179869183 skip=9007199254740995 out[30]=zeros --block 3 --grid 1
// OUT: out = drawn(Philox, seed, sequence, offset, skip)
// PY: def four(seed, t):
// PY:     g = Philox(seed, 3, t)
// PY:     return [g.draw() for i in range(8)]
// LAUNCH: fours seed=99 out[8]=zeros --block 4 --grid 1
// OUT: out = np.array([four(seed, t) for t in range(4)]).reshape(8, 4)
// LAUNCH: rounds out[1]=zeros --block 1 --grid 1
// OUT: out = np.array([philox_block([1, 2, 3, 4], [5, 6])])
// LAUNCH: both out[24]=zeros --block 8 --grid 1
// PY: pairs = [Xorwow(7, t, 0) for t in range(8)]
// PY: firsts = [g.draw() for g in pairs]
// OUT: out = firsts + [g.draw() for g in pairs] + [Philox(7, t, 0).draw() for t in range(8)]
