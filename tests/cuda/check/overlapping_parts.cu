// SPDX-License-Identifier: Apache-2.0
// TEST: pointers that lead into one array aren't trusted to be apart in arrays of structs, in structs in structs, in bases, nor behind constructors
// REF: docs/reference/cuda.md
// convert leaves out row, row_assigned, row_looped, row_beside, rows, nested, deep, deep_assigned, based, based_assigned, turned, turned_variable, holder, by_function: launches are no part of it
// check-args: --time-limit 2 --assume 'n <= len(a_p_0)' --assume 'n <= len(a_p_1)' --assume 'n <= len(a_q_1_in)' --assume 'n <= len(a_q_1_out)' --assume 'n <= len(d_o_pair_in)' --assume 'n <= len(d_o_pair_out)' --assume 'n <= len(o_pair_in)' --assume 'n <= len(o_pair_out)' --assume 'n <= len(out)' --assume 'n <= len(p_in)' --assume 'n <= len(p_out)' --assume 'n <= len(p_p_in)' --assume 'n <= len(p_p_out)' --assume 'n <= len(p_part_in)' --assume 'n <= len(p_part_out)'
struct Pair {
    const float *in;
    float *out;
};
struct Row {
    float *p[2];
};
struct Rows {
    Pair q[2];
};
struct Outer {
    int n;
    Pair pair;
};
struct Deep {
    int k;
    Outer o;
};
struct Based : Pair {
    int k;
};
struct Turned {
    const float *in;
    float *out;
    int k;
    Turned(int k, float *to, const float *from) : in(from), out(to), k(k) {}
};
struct Holder {
    Pair p;
    Holder(float *from, float *to) : p{from, to} {}
};
#define BODY(a, b) int i = blockIdx.x * 128 + threadIdx.x; if (n < 1000 && i < n) a[i] = b[n - 1 - i]
// check row: unknown HD0601
__global__ void row(Row a, int n) { BODY(a.p[0], a.p[1]); }
// check row_assigned: unknown HD0601
__global__ void row_assigned(Row a, int n) { BODY(a.p[0], a.p[1]); }
// check row_looped: unknown HD0601
__global__ void row_looped(Row a, int n) { BODY(a.p[0], a.p[1]); }
// check row_beside: unknown HD0601
__global__ void row_beside(Row a, float *out, int n) { BODY(out, a.p[1]); }
// check rows: unknown HD0601
__global__ void rows(Rows a, int n) { BODY(a.q[1].out, a.q[1].in); }
// check nested: unknown HD0601
__global__ void nested(Outer o, int n) { BODY(o.pair.out, o.pair.in); }
// check deep: unknown HD0601
__global__ void deep(Deep d, int n) { BODY(d.o.pair.out, d.o.pair.in); }
// check deep_assigned: unknown HD0601
__global__ void deep_assigned(Deep d, int n) { BODY(d.o.pair.out, d.o.pair.in); }
// check based: unknown HD0601
__global__ void based(Based p, int n) { BODY(p.out, p.in); }
// check based_assigned: unknown HD0601
__global__ void based_assigned(Based p, int n) { BODY(p.out, p.in); }
// check turned: unknown HD0601
__global__ void turned(Turned p, int n) { BODY(p.out, p.in); }
// check turned_variable: unknown HD0601
__global__ void turned_variable(Turned p, int n) { BODY(p.out, p.in); }
// check holder: unknown HD0601
__global__ void holder(Holder p, int n) { BODY(p.p.out, p.p.in); }
// check by_function: unknown HD0601
__global__ void by_function(Pair p, int n) { BODY(p.out, p.in); }
// check row_apart: proved
__global__ void row_apart(Row a, int n) { BODY(a.p[0], a.p[1]); }
// check row_assigned_apart: proved
__global__ void row_assigned_apart(Row a, int n) { BODY(a.p[0], a.p[1]); }
// check deep_apart: proved
__global__ void deep_apart(Deep d, int n) { BODY(d.o.pair.out, d.o.pair.in); }
// check based_apart: proved
__global__ void based_apart(Based p, int n) { BODY(p.out, p.in); }
// check turned_apart: proved
__global__ void turned_apart(Turned p, int n) { BODY(p.out, p.in); }
// check holder_apart: proved
__global__ void holder_apart(Holder p, int n) { BODY(p.p.out, p.p.in); }
Pair made(float *from, float *to);
void host(int n, int k)
{
    float *x, *y;
    cudaMalloc(&x, 2 * n * 4);
    cudaMalloc(&y, n * 4);
    Row a = {{x, x + n}}, b, c, apart = {{x, y}}, apart_assigned;
    row<<<8, 128>>>(a, n);
    b.p[0] = x;
    b.p[1] = x + n;
    row_assigned<<<8, 128>>>(b, n);
    for (int i = 0; i < 2; i++)
        c.p[i] = x + i * n;
    c.p[k] = x;
    row_looped<<<8, 128>>>(c, n);
    row_beside<<<8, 128>>>(apart, y + 3, n);
    row_apart<<<8, 128>>>(apart, n);
    apart_assigned.p[0] = y + 3;
    apart_assigned.p[1] = x;
    row_assigned_apart<<<8, 128>>>(apart_assigned, n);
    Rows r = {{{x, y}, {y, y + 3}}};
    rows<<<8, 128>>>(r, n);
    Pair p = {x, x + 1};
    Outer o = {n, p};
    nested<<<8, 128>>>(o, n);
    Deep d = {1, {n, {x, x + 1}}}, e, f = {n, {n, {x, y}}};
    deep<<<8, 128>>>(d, n);
    e.o.pair.in = x;
    e.o.pair.out = x + 1;
    deep_assigned<<<8, 128>>>(e, n);
    deep_apart<<<8, 128>>>(f, n);
    Based g = {{x, x + 1}, 3}, h;
    based<<<8, 128>>>(g, n);
    h.in = x;
    h.out = x + 1;
    based_assigned<<<8, 128>>>(h, n);
    based_apart<<<8, 128>>>(Based{{x, y}, n}, n);
    turned<<<8, 128>>>(Turned(n, x, x + 1), n);
    Turned t(n, x, x + 1);
    turned_variable<<<8, 128>>>(t, n);
    turned_apart<<<8, 128>>>(Turned(n, x, y), n);
    holder<<<8, 128>>>(Holder(x, x + 1), n);
    holder_apart<<<8, 128>>>(Holder(x, y), n);
    by_function<<<8, 128>>>(made(x, x + 1), n);
}
