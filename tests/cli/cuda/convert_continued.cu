// SPDX-License-Identifier: Apache-2.0
// TEST: a comment that goes on in the next line takes nothing of the converted kernel with it
// RUN: heddle convert %s -o k.hd; grep '^ *p\[' k.hd | tr -d ' '
// PRINTS: p[0]=1;//first
// PRINTS: p[1]=2;
__global__ void k(int *p)
{
    // above \
    p[2] = 2;
    p[0] = 1; // first \
    p[2] = 3;
    p[1] = 2;
}
