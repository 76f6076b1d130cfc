// SPDX-License-Identifier: Apache-2.0
// TEST: pointers of structs that functions of other files, or chains of variables and functions, make of one pointer aren't trusted to be apart; separate ones are
// REF: docs/reference/cuda.md
// convert leaves out chain, through, through_two, later, rest, by_member, in_loop, unseen_fill, unseen_make, unseen_method, unseen_class, inside_unseen, listed_unseen, host_loop, of_part: launches are no part of it
// check-args: --assume 'n <= len(p_in)' --assume 'n <= len(p_out)' --assume 'n <= len(p_rows_0)' --assume 'n <= len(p_rows_1)'
struct Pair {
    const float *in;
    float *out;
};
struct Rows {
    float *rows[2];
};
struct Buffer {
    float *data;
    int size;
};
#define BODY int i = blockIdx.x * 128 + threadIdx.x; if (n < 1000 && i < n) p.out[i] = p.in[n - 1 - i]
#define ROWS int i = blockIdx.x * 128 + threadIdx.x; if (n < 1000 && i < n) p.rows[0][i] = p.rows[1][n - 1 - i]

// Two variables, one of the other.
// check chain: unknown HD0601
struct Chain {
    const float *in;
    float *out;
    Chain(float *x, int n)
    {
        float *first = x;
        float *second = first;
        float *third = second;
        in = second + n;
        out = third;
    }
};
__global__ void chain(Chain p, int n) { BODY; }
// check chain_apart: proved
struct ChainApart {
    const float *in;
    float *out;
    ChainApart(const float *x, float *y)
    {
        const float *first = x;
        float *second = y;
        const float *third = first;
        in = third;
        out = second;
    }
};
__global__ void chain_apart(ChainApart p, int n) { BODY; }

// Another function.
static float *behind(float *x, int n) { return x + n; }
static void split(float *x, int n, Pair *p)
{
    float *begin = x;
    p->in = begin + n;
    p->out = behind(begin, 0);
}
static Pair pass_on(float *x, int n)
{
    Pair p;
    split(x, n, &p);
    return p;
}
// check through: unknown HD0601
__global__ void through(Pair p, int n) { BODY; }
// check through_two: unknown HD0601
__global__ void through_two(Pair p, int n) { BODY; }
static void set_both(Pair *p, const float *x, float *y)
{
    if (!x || y == 0)
        return;
    p->in = x;
    p->out = behind(y, 0);
}
// check through_apart: proved
__global__ void through_apart(Pair p, int n) { BODY; }

// One member of the other.
// check later: unknown HD0601
struct Later {
    const float *in;
    float *out;
    Later(float *x, int n) : in(x), out(const_cast<float *>(in) + n) {}
};
__global__ void later(Later p, int n) { BODY; }
// check rest: unknown HD0601
static void fill_rest(Pair &p, float *x, int n)
{
    p.out = x;
    p.in = p.out + n;
}
__global__ void rest(Pair p, int n) { BODY; }

// One member of another struct.
// check by_member: unknown HD0601
static Pair of_buffer(const Buffer &b)
{
    return {b.data + b.size, b.data};
}
__global__ void by_member(Pair p, int n) { BODY; }
// check by_members: proved
static Pair of_buffers(const Buffer &a, const Buffer &b)
{
    return {a.data, b.data};
}
__global__ void by_members(Pair p, int n) { BODY; }

// A loop.
// check in_loop: unknown HD0601
static void fill_rows(Rows &p, float *x, int n)
{
    for (int i = 0; i < 2; i++)
        p.rows[i] = x + i * n / 2;
}
__global__ void in_loop(Rows p, int n) { ROWS; }
// check host_loop: unknown HD0601
__global__ void host_loop(Rows p, int n) { ROWS; }
// check host_loop_apart: proved
__global__ void host_loop_apart(Rows p, int n) { ROWS; }

// Functions of other files.
struct Open {
    const float *in;
    float *out;
    void set(float *x, int n);
};
struct OpenMade {
    const float *in;
    float *out;
    OpenMade(float *x, int n);
};
void init_pair(Pair *p, float *x, int n);
void init_two(Pair *p, const float *x, float *y);
void allocate(Pair *p, int n);
Pair make_pair_of(float *x, int n);
Pair make_pair(const float *x, float *y);
void check_pointer(const float *x);
// check unseen_fill: unknown HD0601
__global__ void unseen_fill(Pair p, int n) { BODY; }
// check unseen_make: unknown HD0601
__global__ void unseen_make(Pair p, int n) { BODY; }
// check unseen_method: unknown HD0601
__global__ void unseen_method(Open p, int n) { BODY; }
// check unseen_class: unknown HD0601
__global__ void unseen_class(OpenMade p, int n) { BODY; }
static Pair asked(float *x, int n) { return make_pair_of(x, n); }
// check inside_unseen: unknown HD0601
__global__ void inside_unseen(Pair p, int n) { BODY; }
// check listed_unseen: unknown HD0601
__global__ void listed_unseen(Pair p, int n) { BODY; }
// check of_part: unknown HD0601
__global__ void of_part(Pair p, int n) { BODY; }
static Pair checked(const float *x, float *y)
{
    check_pointer(x);
    check_pointer(y);
    cudaMemset(y, 0, 4);
    Pair p = {x, y};
    return p;
}
// check unseen_two: proved
__global__ void unseen_two(Pair p, int n) { BODY; }
// check unseen_made: proved
__global__ void unseen_made(Pair p, int n) { BODY; }
// check unseen_allocated: proved
__global__ void unseen_allocated(Pair p, int n) { BODY; }
// check unseen_checks: proved
__global__ void unseen_checks(Pair p, int n) { BODY; }
// check copied_there: proved
__global__ void copied_there(Pair p, int n) { BODY; }

void host(float *x, float *y, Pair *there, int n)
{
    Chain c(x, n);
    chain<<<8, 128>>>(c, n);
    ChainApart ca(x, y);
    chain_apart<<<8, 128>>>(ca, n);
    Pair t;
    split(x, n, &t);
    through<<<8, 128>>>(t, n);
    Pair tt = pass_on(x, n);
    through_two<<<8, 128>>>(tt, n);
    Pair ta;
    set_both(&ta, x, y);
    through_apart<<<8, 128>>>(ta, n);
    Later l(x, n);
    later<<<8, 128>>>(l, n);
    Pair r;
    fill_rest(r, x, n);
    rest<<<8, 128>>>(r, n);
    Buffer b = {x, n}, b2 = {y, n};
    Pair bm = of_buffer(b);
    by_member<<<8, 128>>>(bm, n);
    Pair bs = of_buffers(b, b2);
    by_members<<<8, 128>>>(bs, n);
    Rows rows;
    fill_rows(rows, x, n);
    in_loop<<<8, 128>>>(rows, n);
    Rows hl;
    for (int i = 0; i < 2; i++)
        hl.rows[i] = x + i * n / 2;
    host_loop<<<8, 128>>>(hl, n);
    Rows ha;
    for (int i = 0; i < 2; i++) {
        float *one;
        cudaMalloc(&one, n * 4);
        ha.rows[i] = one;
    }
    host_loop_apart<<<8, 128>>>(ha, n);
    Pair uf;
    init_pair(&uf, x, n);
    unseen_fill<<<8, 128>>>(uf, n);
    Pair um = make_pair_of(x, n);
    unseen_make<<<8, 128>>>(um, n);
    Open uo;
    uo.set(x, n);
    unseen_method<<<8, 128>>>(uo, n);
    OpenMade uc(x, n);
    unseen_class<<<8, 128>>>(uc, n);
    Pair iu = asked(x, n);
    inside_unseen<<<8, 128>>>(iu, n);
    listed_unseen<<<8, 128>>>(make_pair_of(x, n), n);
    Pair op;
    init_two(&op, x + n, x);
    of_part<<<8, 128>>>(op, n);
    Pair u2;
    init_two(&u2, x, y);
    unseen_two<<<8, 128>>>(u2, n);
    Pair u3 = make_pair(x, y);
    unseen_made<<<8, 128>>>(u3, n);
    Pair u4;
    allocate(&u4, n);
    unseen_allocated<<<8, 128>>>(u4, n);
    Pair u5 = checked(x, y);
    unseen_checks<<<8, 128>>>(u5, n);
    Pair u6 = {x, y};
    cudaMemcpy(there, &u6, sizeof u6, cudaMemcpyHostToDevice);
    copied_there<<<8, 128>>>(u6, n);
}
