// TEST: a name means its variable right behind the declarator, an enumerator behind its value
// REF: docs/reference/cuda.md
// LAUNCH: y[30]=zeros n=8 --block 32 --grid 1
// OUT: y = np.array([4, 4, 9, 11, 4, 4, 7, 9, 6, 7, 5, 5, 6, 12, 4, 21, 20, 5, 13, 21, 4, 3, 4, 4, 7, 4, 1, 8, 4, 0])
__device__ int sized[] = {sizeof sized[0], 7};
__device__ int whole = sizeof(whole);
__constant__ float third[3] = {sizeof third[1], 2, 3};
enum { A = 3, C = 9 };

constexpr int shadow(int i)
{
    {
        int j = i;
        int i = sizeof i;
        return i + j;
    }
}

template <int N>
struct holds {
    int n = sizeof(n) + N;
    int m = 7;
    float v[sizeof(n)];
    enum { A = ::A + N, B = A };
};

struct P {
    int x, y;
};

__device__ float init(float *p)
{
    *p = 4;
    return *p + 1;
}

template <int N>
__device__ int twice()
{
    enum { N2 = N * 2, A = C + A };
    return N2 + A;
}

__global__ void k(int *y, int n)
{
    if (threadIdx.x)
        return;
    {
        enum { A = A + 1, B = A, C = C };
        y[0] = A;
        y[1] = B;
        y[2] = C;
    }
    y[3] = sized[0] + sized[1];
    y[4] = whole;
    y[5] = third[0];
    y[6] = shadow(3);
    constexpr int at = shadow(5);
    y[7] = at;
    holds<2> h;
    y[8] = h.n;
    y[9] = h.m;
    y[10] = holds<2>::B;
    float f = init(&f);
    y[11] = f;
    P p = {5, p.x + 1}; // members are made in order
    y[12] = p.y;
    int a[4] = {1, a[0] + 1, a[1] * 5};
    y[13] = a[2] + a[3] + a[1];
    int m[2][2] = {{1, m[0][0] + 1}, {m[0][1] + 1, m[1][0] + 1}};
    y[14] = m[1][1];
    P q[2] = {{1, 2}, {q[0].y, q[0].x}};
    y[15] = q[1].x * 10 + q[1].y;
    y[16] = twice<4>();
    const int c = sizeof(c), d = c + 1;
    y[17] = d;
    for (int s = sizeof(s), t = s * 2; s < 6; s++)
        y[18] = t + s;
    y[19] = [&] { int n = sizeof n; return n; }() + [m = n, n = n + 1] { return m + n; }();
    if (int z = sizeof z)
        y[20] = z;
    int g = [&] { int g = 3; return g; }();
    y[21] = g;
    int g2 = [=] { int g2 = 4; return g2; }();
    y[22] = g2;
    const double dd[2] = {sizeof(dd) / 4.0, 1};
    y[23] = dd[0];
    int n3 = [&n3] { n3 = 2; return 6; }() + 1;
    y[24] = n3;
    decltype(n) nn = sizeof(decltype(nn));
    y[25] = nn;
    unsigned char n5{sizeof(n5)};
    y[26] = n5;
    long long n6(sizeof(n6));
    y[27] = n6;
    static const int n7 = sizeof n7;
    y[28] = n7;
}
