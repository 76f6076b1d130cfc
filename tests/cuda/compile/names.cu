// SPDX-License-Identifier: Apache-2.0
// MODE: compile
// TEST: names stay where they can; instances, overloads, operators and what hides a word of the language get others
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
struct Vec {
    float x, y;
    __device__ Vec(float x, float y) : x(x), y(y) {}
    __device__ float dot(const Vec &o) const { return x * o.x + y * o.y; }
    __device__ Vec &operator+=(const Vec &o)
    {
        x += o.x;
        y += o.y;
        return *this;
    }
};
__device__ Vec operator+(Vec a, const Vec &b) { return a += b; }
template <class T, int N> __device__ T sum(const T *p)
{
    T s = 0;
    for (int i = 0; i < N; i++)
        s += p[i];
    return s;
}
__device__ float scale(float v) { return v * 2; }
__device__ int scale(int v) { return v * 3; }

__global__ void names(float *x, int *k)
{
    cg::thread_block block = cg::this_thread_block();
    int rank = block.thread_rank();
    Vec v(x[0], x[1]);
    v += v + Vec(1, 2);
    {
        int v = rank;
        k[v] = scale(v);
    }
    x[rank] = sum<float, 4>(x) + scale(x[2]) + v.dot(v);
}
// DUMP: names --stage ast
// STDOUT: Vec Vec_make(float x, float y) {
// STDOUT:   Vec self;
// STDOUT:   self.x = x;
// STDOUT: void Vec_add_to(Vec *self, Vec o) {
// STDOUT:   self->x += o.x;
// STDOUT: Vec Vec_add(Vec a, Vec b) {
// STDOUT: int scale_int(int v) {
// STDOUT: float scale_float(float v) {
// STDOUT: float sum_float_4(const float *p) {
// STDOUT:   for (int i = 0; i < 4; i++) {
// STDOUT: float Vec_dot(Vec self, Vec o) {
// STDOUT:   group block = this_block();
// STDOUT:   int rank_ = (unsigned int)rank(block);
// STDOUT:   Vec v = Vec_make(x[0], x[1]);
// STDOUT:   Vec_add_to(&v, Vec_add(v, Vec_make(1, 2)));
// STDOUT:     int v_2 = rank_;
// STDOUT:     k[v_2] = scale_int(v_2);
