// SPDX-License-Identifier: Apache-2.0
// MODE: compile
// TEST: lambdas are functions with what they capture as parameters; copies are made where they are captured
__device__ float half_of(float v) { return v / 2; }
template <class F> __device__ void each(float *x, F f)
{
    for (int i = 0; i < 4; i++)
        x[i] = f(x[i]);
}
__global__ void lambdas(float *x, float a)
{
    float sum = 0;
    each(x, [=](float v) { return v * a; });
    each(x, [&](float v) {
        sum += v;
        return v;
    });
    each(x, half_of);
    auto square = [](auto v) { return v * v; };
    x[0] = sum + square(a) + square(2);
}
// DUMP: lambdas --stage ast
// STDOUT:   float a_2 = a;
// STDOUT: float lambda(float v, float a_2) {
// STDOUT:   return v * a_2;
// STDOUT: (float v, float *sum) {
// STDOUT:   (*sum) += v;
// STDOUT: void each_half_of(float *x) {
// STDOUT:     x[i] = half_of(x[i]);
