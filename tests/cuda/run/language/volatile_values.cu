// SPDX-License-Identifier: Apache-2.0
// TEST: assignments to volatile places and steps of them have values, of every type
__global__ void chained(volatile int *g, volatile unsigned char *b, volatile short *h, int *out)
{
    int i = threadIdx.x;
    int t = g[i] = i + 3, u, v;
    g[32 + i] = t += g[i];
    u = g[i]++;
    v = --g[32 + i];
    int w = b[i] = 300 + i;
    short s = h[i] += 5;
    out[i] = t;
    out[32 + i] = u + 100 * v;
    out[64 + i] = w;
    out[96 + i] = s + ((g[i] = 4), g[i] += 2);
    for (int k = 0; k < 3; g[i]++, k++)
        ;
    out[128 + i] = g[i];
}
// PY: i = np.arange(32)
// LAUNCH: chained g[64]=zeros b[32]=zeros h[32]=iota out[160]=zeros --grid 1 --block 32
// OUT: out = np.concatenate([2 * i + 6, i + 3 + 100 * (2 * i + 5), (300 + i) % 256, i + 5 + 6, 0 * i + 9])
// OUT: g = np.concatenate([0 * i + 9, 2 * i + 5])
// OUT: b = in_b + (300 + i) % 256
// OUT: h = in_h + 5
