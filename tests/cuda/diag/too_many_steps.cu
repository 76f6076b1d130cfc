// SPDX-License-Identifier: Apache-2.0
// NO-ASAN: memory between objects counts, so another limit is reached first
// TEST: templates and bodies that double at each level end in one message, in little time and memory
// TIMEOUT: 30
#define TWICE(to, from)                                                        \
  __device__ void to(int *&x) { from(x); from(x); }
#define AGAIN(to, from)                                                        \
  __device__ int &to(int &x) { return from(from(x)); }

__device__ void m0(int *&x) { x++; }
TWICE(m1, m0) TWICE(m2, m1) TWICE(m3, m2) TWICE(m4, m3) TWICE(m5, m4)
TWICE(m6, m5) TWICE(m7, m6) TWICE(m8, m7) TWICE(m9, m8) TWICE(m10, m9)
TWICE(m11, m10) TWICE(m12, m11) TWICE(m13, m12) TWICE(m14, m13) TWICE(m15, m14)
TWICE(m16, m15) TWICE(m17, m16) TWICE(m18, m17) TWICE(m19, m18) TWICE(m20, m19)
TWICE(m21, m20) TWICE(m22, m21) TWICE(m23, m22) TWICE(m24, m23) TWICE(m25, m24)

__global__ void moves(int *p) //~ error HD1161: this kernel needs more than 1000000 expressions
{
    int *q = p;
    m25(q);
    *q = 1;
}

__device__ int &r0(int &x) { return x; }
AGAIN(r1, r0) AGAIN(r2, r1) AGAIN(r3, r2) AGAIN(r4, r3) AGAIN(r5, r4)
AGAIN(r6, r5) AGAIN(r7, r6) AGAIN(r8, r7) AGAIN(r9, r8) AGAIN(r10, r9)
AGAIN(r11, r10) AGAIN(r12, r11) AGAIN(r13, r12) AGAIN(r14, r13)
AGAIN(r15, r14) AGAIN(r16, r15) AGAIN(r17, r16) AGAIN(r18, r17)
AGAIN(r19, r18) AGAIN(r20, r19) AGAIN(r21, r20) AGAIN(r22, r21)

__global__ void refers(int *p) //~ error HD1161: this kernel needs more than
{
    r22(p[0]) = 1;
}

template <int N> __device__ int one(int x) { return x + N; }
#define ONE8(n) one<n>(x) + one<n + 1>(x) + one<n + 2>(x) + one<n + 3>(x) + \
                one<n + 4>(x) + one<n + 5>(x) + one<n + 6>(x) + one<n + 7>(x)
#define ONE64(n) x = ONE8(n) + ONE8(n + 8) + ONE8(n + 16) + ONE8(n + 24) + \
                 ONE8(n + 32) + ONE8(n + 40) + ONE8(n + 48) + ONE8(n + 56);
#define ONE512(n) ONE64(n) ONE64(n + 64) ONE64(n + 128) ONE64(n + 192) \
                  ONE64(n + 256) ONE64(n + 320) ONE64(n + 384) ONE64(n + 448)

__global__ void instances(int *p) //~ error HD1161: this kernel needs more than 4096 instances of a template
{
    int x = p[0];
    ONE512(0) ONE512(512) ONE512(1024) ONE512(1536) ONE512(2048) ONE512(2560)
    ONE512(3072) ONE512(3584)
    ONE512(4096)
    p[0] = x;
}

__global__ void right(int *p)
{
    p[0] = one<1>(2) + r2(p[1]);
}
