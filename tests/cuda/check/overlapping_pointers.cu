// SPDX-License-Identifier: Apache-2.0
// TEST: what host code says of two pointers, that they are one or lead into one array, isn't trusted away
// REF: docs/reference/cuda.md
// check halves: unknown HD0601
// check element: unknown HD0601
// check copied: bug HD0601 line @copied
// check copied_later: bug HD0601 line @later
// check moved: unknown HD0601
// check in_branch: unknown HD0601
// check method: bug HD0601 line @method
// check of_array: bug HD0601 line @of_array
// check swapped: proved
// check swapped_in_turns: proved
// check swapped_maybe: proved
// check other_elements: proved
// check only_read: proved
// check set_again: proved
// check by_bracket: bug HD0601 line @bracket
// check by_reference: bug HD0601 line @reference
// check by_member: bug HD0601 line @by_member
// check other_member: proved
// check by_caller: unknown HD0601
// check apart_by_caller: proved
// check chosen: unknown HD0601
// check changed_about: proved
// convert leaves out by_caller, by_bracket, by_reference, by_member, chosen, copied, copied_later, method, of_array, halves, element, moved, in_branch: launches are no part of it
#define BODY(n) __requires(n <= len(in) && n <= len(out)); int i = blockIdx.x * 128 + threadIdx.x; if (i < n) out[i] = in[n - 1 - i]
__global__ void halves(const float *in, float *out, int n) { BODY(n); }
__global__ void element(const float *in, float *out, int n) { BODY(n); }
__global__ void copied(const float *in, float *out, int n) { BODY(n); } //@copied
__global__ void copied_later(const float *in, float *out, int n) { BODY(n); } //@later
__global__ void moved(const float *in, float *out, int n) { BODY(n); }
__global__ void in_branch(const float *in, float *out, int n) { BODY(n); }
__global__ void method(const float *in, float *out, int n) { BODY(n); } //@method
__global__ void of_array(const float *in, float *out, int n) { BODY(n); } //@of_array
__global__ void by_bracket(const float *in, float *out, int n) { BODY(n); } //@bracket
__global__ void by_reference(const float *in, float *out, int n) { BODY(n); } //@reference
__global__ void by_member(const float *in, float *out, int n) { BODY(n); } //@by_member
__global__ void other_member(const float *in, float *out, int n) { BODY(n); }
__global__ void by_caller(const float *in, float *out, int n) { BODY(n); }
__global__ void apart_by_caller(const float *in, float *out, int n) { BODY(n); }
__global__ void chosen(const float *in, float *out, int n) { BODY(n); }
__global__ void changed_about(const float *in, float *out, int n) { BODY(n); }
__global__ void swapped(const float *in, float *out, int n) { BODY(n); }
__global__ void swapped_in_turns(const float *in, float *out, int n) { BODY(n); }
__global__ void swapped_maybe(const float *in, float *out, int n) { BODY(n); }
__global__ void other_elements(const float *in, float *out, int n) { BODY(n); }
__global__ void set_again(const float *in, float *out, int n) { BODY(n); }
__global__ void only_read(const float *a, const float *b, float *out, int n)
{
    __requires(n <= len(a) && n <= len(b) && n <= len(out));
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n)
        out[i] = a[n - 1 - i] + b[i];
}
struct Tensor { float *p; float *data_ptr(); };
void host(bool in_place, Tensor t)
{
    int n = 1024;
    float *x, *y, *z, *list[2];
    cudaMalloc(&x, 2 * n * 4);
    cudaMalloc(&y, n * 4);
    cudaMalloc(&list[0], n * 4);
    cudaMalloc(&list[1], n * 4);
    halves<<<8, 128>>>(x, x + n, n);
    element<<<8, 128>>>(&x[5], x, n);
    only_read<<<8, 128>>>(x, x + n, y, n);
    method<<<8, 128>>>(t.data_ptr(), t.data_ptr(), n);
    of_array<<<8, 128>>>(list[1], list[1], n);
    other_elements<<<8, 128>>>(list[0], list[1], n);
    float *w = x;
    copied<<<8, 128>>>(w, x, n);
    z = w;
    copied_later<<<8, 128>>>(x, (float *)z, n);
    float *part = z + 64;
    moved<<<8, 128>>>(x, part, n);
    z = y;
    set_again<<<8, 128>>>(x, z, n);
    float *target = y;
    if (in_place)
        target = x;
    in_branch<<<8, 128>>>(x, target, n);
}
void launch(const float *from, float *to, int n) { by_caller<<<8, 128>>>(from, to, n); }
void launch_apart(const float *from, float *to, int n) { apart_by_caller<<<8, 128>>>(from, to, n); }
void calls(int n)
{
    float *x, *y;
    cudaMalloc(&x, n * 4);
    cudaMalloc(&y, n * 4);
    launch(x, y, n);
    launch(x, x, n);
    launch_apart(x, y, n);
    launch_apart(y, x, n);
}
struct Pair { float *a, *b; };
void forms(int n, bool is_even)
{
    float *x, *y;
    cudaMalloc(&x, n * 4);
    cudaMalloc(&y, n * 4);
    float *in_brackets(x), *const kept = x;
    by_bracket<<<8, 128>>>(in_brackets, x, n);
    by_reference<<<8, 128>>>(x, kept, n);
    Pair p, q;
    cudaMalloc(&p.a, n * 4);
    p.b = p.a;
    by_member<<<8, 128>>>(p.a, p.b, n);
    q.a = x;
    q.b = y;
    other_member<<<8, 128>>>(q.a, q.b, n);
    chosen<<<8, 128>>>(x, is_even ? x : y, n);
    changed_about<<<8, 128>>>(is_even ? x : y, is_even ? y : x, n);
}
void swaps(int n, float *a, float *b, int steps)
{
    float *t = a;
    a = b;
    b = t;
    swapped<<<8, 128>>>(a, b, n);
    for (int i = 0; i < steps; i++) {
        swapped_in_turns<<<8, 128>>>(a, b, n);
        float *other = a;
        a = b;
        b = other;
    }
    if (n > 7) {
        float *other = a;
        a = b;
        b = other;
    }
    swapped_maybe<<<8, 128>>>(a, b, n);
}
