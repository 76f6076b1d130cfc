// SPDX-License-Identifier: Apache-2.0
// TEST: comments in another encoding than UTF-8 don't matter, a byte order mark and CR LF neither; other text must be UTF-8
// SETUP: printf '\357\273\277// caf\351\r\n__global__ void k(int *x)\r\n{ /* \344 */ x[0] = 5; }\r\n' > good.cu
// SETUP: printf '__global__ void k(int *x) { printf("caf\351"); }\n' > wrong.cu
// RUN: heddle run good.cu 'x[1]=zeros' --grid 1 --block 1 --print x
// STDOUT: x = [5]
// RUN: heddle check wrong.cu
// EXIT: 1
// STDERR: error[HD0102]
