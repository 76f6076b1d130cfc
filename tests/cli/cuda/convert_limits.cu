// SPDX-License-Identifier: Apache-2.0
// TEST: INFINITY, FLT_MAX, INT_MAX, M_PI and the like keep the names that Heddle C has for them
// REF: docs/guide/cuda.md#to-heddle-c
// RUN: heddle convert %s -o all.hd && sed '/^\/\//d' all.hd && heddle check all.hd --rules-only
// STDOUT: #include <math.h>
// STDOUT: #include <float.h>
// STDOUT: #include <limits.h>
// STDOUT:     float m = -INFINITY;
// STDOUT:     x[0] = m == -FLT_MAX ? NAN : FLT_MAX;
// STDOUT:     y[0] = INT_MAX;
// STDOUT:     y[1] = INT_MIN;
// STDOUT:     z[0] = M_PI * 2;
// STDOUT:     z[1] = DBL_EPSILON;
// STDOUT:     y[2] = y[3] < UINT_MAX;
#include <cfloat>
#include <climits>
#include <cmath>

__global__ void k(float *x, int *y, double *z)
{
    float m = -INFINITY;
    for (int i = 0; i < 4; i++)
        m = fmaxf(m, x[i]);
    x[0] = m == -FLT_MAX ? NAN : FLT_MAX;
    y[0] = INT_MAX;
    y[1] = INT_MIN;
    z[0] = M_PI * 2;
    z[1] = DBL_EPSILON;
    y[2] = y[3] < UINT_MAX;
}
