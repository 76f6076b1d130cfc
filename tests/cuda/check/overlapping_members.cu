// SPDX-License-Identifier: Apache-2.0
// TEST: pointers into one array that a launch passes inside a struct aren't trusted to be apart
// REF: docs/reference/cuda.md
// convert leaves out listed, twice, assigned, designated, braced, made, temporary, copied, inner, inner_assigned, beside, members: launches are no part of it
// check-args: --assume 'n <= len(o_pair_in)' --assume 'n <= len(o_pair_out)' --assume 'n <= len(out)' --assume 'n <= len(p_in)' --assume 'n <= len(p_out)'
struct Pair {
    const float *in;
    float *out;
};
struct Made {
    const float *in;
    float *out;
    Made(const float *from, float *to) : in(from), out(to) {}
};
struct Outer {
    int n;
    Pair pair;
};
#define BODY(p) int i = blockIdx.x * 128 + threadIdx.x; if (n < 1000 && i < n) p.out[i] = p.in[n - 1 - i]
// check listed: unknown HD0601
__global__ void listed(Pair p, int n) { BODY(p); }
// check twice: bug HD0601 line @twice
__global__ void twice(Pair p, int n) { BODY(p); } //@twice
// check assigned: unknown HD0601
__global__ void assigned(Pair p, int n) { BODY(p); }
// check designated: unknown HD0601
__global__ void designated(Pair p, int n) { BODY(p); }
// check braced: unknown HD0601
__global__ void braced(Pair p, int n) { BODY(p); }
// check made: unknown HD0601
__global__ void made(Made p, int n) { BODY(p); }
// check temporary: unknown HD0601
__global__ void temporary(Pair p, int n) { BODY(p); }
// check copied: unknown HD0601
__global__ void copied(Pair p, int n) { BODY(p); }
// check inner: unknown HD0601
// check inner_assigned: unknown HD0601
__global__ void inner(Outer o, int n) { BODY(o.pair); }
__global__ void inner_assigned(Outer o, int n) { BODY(o.pair); }
// check beside: unknown HD0601
__global__ void beside(Pair p, float *out, int n)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n)
        out[i] = p.in[n - 1 - i];
}
// check members: unknown HD0601
__global__ void members(const float *p_in, float *p_out, int n)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n)
        p_out[i] = p_in[n - 1 - i];
}
// check apart: proved
__global__ void apart(Pair p, int n) { BODY(p); }
// check swapped: proved
__global__ void swapped(Pair p, int n) { BODY(p); }
// check set_again: proved
__global__ void set_again(Pair p, int n) { BODY(p); }
void host(int n)
{
    float *x, *y;
    cudaMalloc(&x, 2 * n * 4);
    cudaMalloc(&y, n * 4);
    Pair p = {x, x + n}, s = {x, x}, a = {x, y};
    listed<<<8, 128>>>(p, n);
    twice<<<8, 128>>>(s, n);
    apart<<<8, 128>>>(a, n);
    Pair q;
    q.in = x + n;
    q.out = x;
    assigned<<<8, 128>>>(q, n);
    q.out = y;
    set_again<<<8, 128>>>(q, n);
    Pair d = {.in = x, .out = x + 1};
    designated<<<8, 128>>>(d, n);
    Pair b{x + 5, x};
    braced<<<8, 128>>>(b, n);
    Made m(x + 5, x);
    made<<<8, 128>>>(m, n);
    temporary<<<8, 128>>>(Pair{x, x + 3}, n);
    Pair c = p;
    copied<<<8, 128>>>(c, n);
    beside<<<8, 128>>>(Pair{x, y}, x + 2, n);
    members<<<8, 128>>>(p.in, p.out, n);
    Outer o = {n, {x, x + n}};
    inner<<<8, 128>>>(o, n);
    Outer l;
    l.pair.in = x + 7;
    l.pair.out = x;
    inner_assigned<<<8, 128>>>(l, n);
    float *from = x, *to = y;
    for (int i = 0; i < 4; i++) {
        Pair w = {from, to};
        swapped<<<8, 128>>>(w, n);
        float *other = from;
        from = to;
        to = other;
    }
}
