// SPDX-License-Identifier: Apache-2.0
// TEST: a header with kernels is checked by itself without a warning that it is the main file
// RUN: heddle check %s --rules-only --strict
// STDERR-NOT: once
#pragma once
__global__ void k(int *x)
{
    x[threadIdx.x] = threadIdx.x;
}
