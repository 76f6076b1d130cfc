// SPDX-License-Identifier: Apache-2.0
// TEST: the headers of a CUDA toolkit in -I don't hide Heddle's, and other headers there count as not found
#include <cuda_runtime.h>
#include <thrust/vector.h>
#include "mine.cuh"

__global__ void kernel(int *x) { x[0] = MINE; }
// SETUP: mkdir -p toolkit/crt toolkit/thrust mine; echo '#define MINE 5' > mine/mine.cuh; for h in cuda_runtime.h crt/host_defines.h thrust/vector.h; do echo '#error' > toolkit/$h; done
// RUN: heddle run %s kernel 'x[1]=zeros' --grid 1 --block 1 -I toolkit -I mine --print x
// STDOUT: x = [5]
