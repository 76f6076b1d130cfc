// SPDX-License-Identifier: Apache-2.0
// TEST: convert asks the checker no longer than --time-limit; what isn't decided isn't written
// REF: docs/reference/command.md
// RUN: heddle convert %s | grep '^kernel'
// PRINTS: kernel void set(float x[n], int n)
// RUN: heddle convert %s --time-limit 60 | grep '^kernel'
// PRINTS: kernel void set(float x[n], int n)
// RUN: heddle convert %s --time-limit 0.001 -o short.hd && grep '^kernel' short.hd
// PRINTS: kernel void set(float *x, int n)
// RUN: heddle check short.hd
// EXIT: 0
// STDOUT: set:
// RUN: heddle convert %s --time-limit never
// EXIT: 2
// STDERR: --time-limit needs seconds

__global__ void set(float *x, int n) {
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i < n)
    x[i] = 1;
}

void host(float *x, int n) { set<<<(n + 127) / 128, 128>>>(x, n); }
