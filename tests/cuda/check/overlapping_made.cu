// SPDX-License-Identifier: Apache-2.0
// TEST: pointers that a constructor or a function makes of one pointer, or that another function puts into a struct, aren't trusted to be apart
// REF: docs/reference/cuda.md
// convert leaves out halves, by_function, by_method, filled, filled_by_address, filled_with_one, by_copy, temporary: launches are no part of it
// check-args: --assume 'n <= len(p_in)' --assume 'n <= len(p_out)'
// check halves: unknown HD0601
// check by_function: unknown HD0601
// check by_method: unknown HD0601
// check filled: unknown HD0601
// check filled_by_address: unknown HD0601
// check filled_with_one: unknown HD0601
// check by_copy: unknown HD0601
// check temporary: unknown HD0601
// check apart: proved
// check apart_by_function: proved
// check apart_by_method: proved
// check filled_apart: proved
struct Halves {
    const float *in;
    float *out;
    Halves(float *x, int n) : in(x + n), out(x) {}
};
struct Pair {
    const float *in;
    float *out;
};
struct Apart {
    const float *in;
    float *out;
    Apart(const float *in, float *to) : in(in), out(to) {}
};
struct Set {
    const float *in;
    float *out;
    void one(float *x, int n)
    {
        in = x;
        out = x + n;
    }
    void two(const float *in, float *to)
    {
        this->in = in;
        out = to;
    }
};
#define BODY int i = blockIdx.x * 128 + threadIdx.x; if (n < 1000 && i < n) p.out[i] = p.in[n - 1 - i]
__global__ void halves(Halves p, int n) { BODY; }
__global__ void by_function(Pair p, int n) { BODY; }
__global__ void by_method(Set p, int n) { BODY; }
__global__ void filled(Pair p, int n) { BODY; }
__global__ void filled_by_address(Pair p, int n) { BODY; }
__global__ void filled_with_one(Pair p, int n) { BODY; }
__global__ void by_copy(Pair p, int n) { BODY; }
__global__ void temporary(Halves p, int n) { BODY; }
__global__ void apart(Apart p, int n) { BODY; }
__global__ void apart_by_function(Pair p, int n) { BODY; }
__global__ void apart_by_method(Set p, int n) { BODY; }
__global__ void filled_apart(Pair p, int n) { BODY; }

Pair make_one(float *x, int n)
{
    Pair p = {x, x + n};
    return p;
}

Pair make_of_copy(float *x, int n)
{
    float *start = x;
    Pair p = {start, start + n};
    return p;
}

Pair make_two(const float *x, float *y)
{
    Pair p = {x, y};
    return p;
}

void fill(Pair &p, const float *x, float *y)
{
    p.in = x;
    p.out = y;
}

void fill_at(Pair *p, const float *x, float *y)
{
    p->in = x;
    p->out = y;
}

void fill_one(Pair &p, float *x, int n)
{
    p.in = x + n;
    p.out = x;
}

void host(int n)
{
    float *x, *y;
    cudaMalloc(&x, 2 * n * 4);
    cudaMalloc(&y, n * 4);
    Halves h(x, n);
    halves<<<8, 128>>>(h, n);
    Pair m = make_one(x, n);
    by_function<<<8, 128>>>(m, n);
    Pair c = make_of_copy(x, n);
    by_copy<<<8, 128>>>(c, n);
    Set s;
    s.one(x, n);
    by_method<<<8, 128>>>(s, n);
    Pair f;
    fill(f, x, x + n);
    filled<<<8, 128>>>(f, n);
    Pair g;
    fill_at(&g, x + 2, x);
    filled_by_address<<<8, 128>>>(g, n);
    Pair o;
    fill_one(o, x, n);
    filled_with_one<<<8, 128>>>(o, n);
    temporary<<<8, 128>>>(Halves(x, n), n);
    Apart a(x, y);
    apart<<<8, 128>>>(a, n);
    Pair t = make_two(x, y);
    apart_by_function<<<8, 128>>>(t, n);
    Set u;
    u.two(x, y);
    apart_by_method<<<8, 128>>>(u, n);
    Pair w;
    fill(w, x, y);
    filled_apart<<<8, 128>>>(w, n);
}
