// SPDX-License-Identifier: Apache-2.0
// TEST: comments in odd places stay where a reader finds them
// REF: docs/guide/cuda.md#to-heddle-c
// RUN: heddle convert %s
// GOLDEN: convert_comments.txt

__device__ float f(float a, /* the first */ float b)
// adds
{
    return a + b;
}

__global__ void k(float *x, int n) // the kernel
// second comment
{
    float v; // holds it
    int i = threadIdx.x, j = 2; // both
    if (i < n) // inside
    {
        x[i] = 1;
    } // end if
    else // other
    {
        x[i] = 2;
    }
    for (int k = 0; k < n; k++) // loop comment
    {
        x[k] += f(x[k], // first arg
                  1.0f); // second arg
    }
    for (int k = 0; k < n; k++)
        // alone above
        x[k] += 1;
    while (i < n) /* wait */ {
        i++;
    }
    do { // body
        i--;
    } while (i > 0); // until
    switch (n) { // which
    case 1: // one
        x[0] = 1; break;
    default: /* other */
        x[0] = 2;
    }
    if (i > 3) /* three */ x[0] = 4; /* tail */
    else if (i > 2) // two
        x[0] = 5;
    else // none
        x[0] = 6;
    x[1] = 2 /* two */ + 3; // sum
    v = n > 1  // condition
            ? 2 // yes
            : 3; // no
    x[2] = v;
    float2 p = {1, // one
                2}; // two
    x[3] = p.x;
    // the last
}
