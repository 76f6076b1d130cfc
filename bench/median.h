/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HD_BENCH_MEDIAN_H
#define HD_BENCH_MEDIAN_H

/* The median of n > 0 numbers, which it sorts; the mean of the middle two if n
 * is even. */
double bench_median(double *values, int n);

#endif
