// SPDX-License-Identifier: Apache-2.0
// TEST: bases that know what is derived from them (by template), with and without members; bases without members
template <class D> struct Shape {
    __device__ float twice() const { return 2 * static_cast<const D *>(this)->area(); }
    __device__ D &self() { return *static_cast<D *>(this); }
    __device__ const D &self() const { return static_cast<const D &>(*this); }
};
struct Square : Shape<Square> {
    float a;
    __device__ Square(float a) : a(a) {}
    __device__ float area() const { return a * a; }
    __device__ void grow() { a += 1; }
};
struct Box : public Shape<Box> {
    float w, h;
    __device__ float area() const { return w * h; }
};
template <class D> __device__ float total(const Shape<D> &s) { return s.twice() + s.self().area(); }
template <class D> __device__ void grow(Shape<D> &s) { s.self().grow(); }

// With members of its own, in front of those of the derived class.
template <class D> struct Base {
    float pad;
    __device__ float run(int i) const
    {
        const D &d = static_cast<const D &>(*this);
        return d.f(i) + pad;
    }
    __device__ void bump()
    {
        static_cast<D *>(this)->more += 1;
        pad += 10;
    }
};
struct Own : Base<Own> {
    float more;
    float arr[3];
    __device__ float f(int i) const { return more * 100 + arr[i % 3]; }
};
template <class D> __device__ float look(const Base<D> &b, int i)
{
    return b.run(i) + static_cast<const D &>(b).arr[1];
}
template <class D> __device__ void bump_twice(Base<D> &b)
{
    b.bump();
    b.bump();
}

struct Empty {
    __device__ float two() const { return 2; }
    __device__ float three() { return 3; }
};
struct Full : Empty {
    float a;
};
__device__ float ask(const Empty &e) { return e.two(); }
__device__ float ask_all(Empty &e) { return e.three() + e.two(); }

__global__ void shapes(const float *x, float *y)
{
    int i = threadIdx.x;
    Square s(x[i]);
    grow(s);
    s.self().grow();
    Box b;
    b.w = 3;
    b.h = x[i];
    Full f;
    f.a = s.twice();
    y[i] = total(s) + total(b) + f.a * f.two() * f.three() + ask(f) * ask_all(f);
}
// LAUNCH: shapes x[8]=iota y[8]=zeros --block 8 --grid 1
// OUT: y = 3 * (in_x + 2)**2 + 9 * in_x + 12 * (in_x + 2)**2 + 10

__device__ void fill(Own &o, float v)
{
    o.pad = 1;
    o.more = v;
    o.arr[0] = 1;
    o.arr[1] = 2;
    o.arr[2] = 3;
}
__global__ void members(const float *x, float *y)
{
    __shared__ Own all[32];
    int i = threadIdx.x;
    Own o;
    fill(o, x[i]);
    fill(all[i], x[i]);
    bump_twice(o);
    bump_twice(all[i]);
    __syncthreads();
    y[i] = o.run(i) + look(o, i);
    y[32 + i] = all[31 - i].run(i) + look(all[31 - i], i);
}
// LAUNCH: members x[32]=iota y[64]=zeros --block 32 --grid 1
// PY: def seen(v, i):
// PY:     return 2 * ((v + 2) * 100 + 1 + i % 3 + 21) + 2
// OUT: y = np.r_[seen(in_x, np.arange(32)), seen(in_x[::-1], np.arange(32))]

// Expressions that are evaluated element by element.
template <class E> struct Expr {
    __device__ float at(int i) const { return static_cast<const E &>(*this).at(i); }
    __device__ const E &self() const { return static_cast<const E &>(*this); }
};
struct Array : Expr<Array> {
    const float *p;
    __device__ Array(const float *q) : p(q) {}
    __device__ float at(int i) const { return p[i]; }
};
template <class A, class B> struct Plus : Expr<Plus<A, B>> {
    A a;
    B b;
    __device__ Plus(const A &x, const B &y) : a(x), b(y) {}
    __device__ float at(int i) const { return a.at(i) + b.at(i); }
};
template <class A, class B> __device__ Plus<A, B> operator+(const Expr<A> &a, const Expr<B> &b)
{
    return Plus<A, B>(a.self(), b.self());
}
template <class A> __device__ float sum3(const Expr<A> &a) { return a.at(0) + a.at(1) + a.at(2); }
__global__ void expressions(const float *a, const float *b, float *y)
{
    Array u(a), v(b);
    auto s = u + v + u;
    y[threadIdx.x] = s.at(threadIdx.x) + sum3(s) + sum3(u + v);
}
// LAUNCH: expressions a[8]=iota b[8]=iota y[8]=zeros --block 8 --grid 1
// OUT: y = 3 * in_a + 9 + 6

// The same object by two ways, one of them const; members of bases that are
// initialised in the class; results that lead into a const object.
template <class D> struct Counted {
    int n = 0;
    __device__ D &add(int k)
    {
        n += k;
        return static_cast<D &>(*this);
    }
};
template <class D> struct Shown {
    __device__ int show() const { return static_cast<const D *>(this)->value() * 2; }
};
struct Thing : Counted<Thing>, Shown<Thing> {
    int v;
    __device__ Thing(int x) : v(x) {}
    __device__ int value() const { return v + n; }
    __device__ Thing &bump()
    {
        v++;
        return *this;
    }
};
template <class D> __device__ int use(Counted<D> &c, const Shown<D> &s)
{
    c.add(5);
    return s.show() + c.n;
}
struct Plain {
    int a;
};
struct More : Plain {
    int b;
};
__device__ int twice(More &m, const Plain &p)
{
    m.a += 10;
    return p.a;
}
struct Four {
    int v[4];
    __device__ const int *begin() const { return v; }
    __device__ const int *end() const { return v + 4; }
};
__device__ int total(const Four &f)
{
    int t = 0;
    for (int x : f)
        t += x;
    return t;
}
__global__ void ways(int *out)
{
    Thing t(threadIdx.x);
    t.add(2).bump().add(1).bump();
    More m;
    m.a = 1;
    m.b = 2;
    Four f = {{1, 2, 3, (int)threadIdx.x}};
    int shown = use(t, t);
    out[threadIdx.x] = shown + 100 * twice(m, m) + 10000 * total(f);
}
// LAUNCH: ways out[4]=zeros --block 4 --grid 1
// LAUNCH: ways out[4]=zeros --block 4 --grid 1 --sanitize
// OUT: out = 2 * (np.arange(4) + 10) + 8 + 1100 + 10000 * (6 + np.arange(4))
