// SPDX-License-Identifier: Apache-2.0
// TEST: of many launches that give one pointer twice each one counts, the last one, too
// check shifted: bug HD0601 line @shifted
// check unmoved: proved
// convert leaves out shifted: launches are no part of it
__global__ void shifted(const float *in, float *out, int n, int by)
{
    __requires(n + by <= len(in) && n + by <= len(out) && n >= 0 && n <= 100000 && by >= 0 && by <= 1);
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n)
        out[i + by] = in[i]; //@shifted
}
__global__ void unmoved(const float *in, float *out, int n, int by)
{
    __requires(n + by <= len(in) && n + by <= len(out) && n >= 0 && n <= 100000 && by >= 0 && by <= 1);
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n)
        out[i + by] = in[i];
}
void host(float *x, int n)
{
    shifted<<<1, 128>>>(x, x, n, 0);
    shifted<<<2, 128>>>(x, x, n, 0);
    shifted<<<3, 128>>>(x, x, n, 0);
    shifted<<<4, 128>>>(x, x, n, 0);
    shifted<<<5, 128>>>(x, x, n, 0);
    shifted<<<6, 128>>>(x, x, n, 0);
    shifted<<<7, 128>>>(x, x, n, 0);
    shifted<<<8, 128>>>(x, x, n, 0);
    shifted<<<9, 128>>>(x, x, n, 0);
    shifted<<<10, 128>>>(x, x, n, 0);
    shifted<<<11, 128>>>(x, x, n, 0);
    shifted<<<12, 128>>>(x, x, n, 0);
    shifted<<<13, 128>>>(x, x, n, 0);
    shifted<<<14, 128>>>(x, x, n, 0);
    shifted<<<15, 128>>>(x, x, n, 0);
    shifted<<<16, 128>>>(x, x, n, 0);
    shifted<<<17, 128>>>(x, x, n, 0);
    shifted<<<18, 128>>>(x, x, n, 0);
    shifted<<<19, 128>>>(x, x, n, 0);
    shifted<<<20, 128>>>(x, x, n, 0);
    shifted<<<8, 128>>>(x, x, n, 1);
    unmoved<<<1, 128>>>(x, x, n, 0);
    unmoved<<<2, 128>>>(x, x, n, 0);
    unmoved<<<3, 128>>>(x, x, n, 0);
    unmoved<<<4, 128>>>(x, x, n, 0);
    unmoved<<<5, 128>>>(x, x, n, 0);
    unmoved<<<6, 128>>>(x, x, n, 0);
    unmoved<<<7, 128>>>(x, x, n, 0);
    unmoved<<<8, 128>>>(x, x, n, 0);
    unmoved<<<9, 128>>>(x, x, n, 0);
    unmoved<<<10, 128>>>(x, x, n, 0);
    unmoved<<<11, 128>>>(x, x, n, 0);
    unmoved<<<12, 128>>>(x, x, n, 0);
    unmoved<<<13, 128>>>(x, x, n, 0);
    unmoved<<<14, 128>>>(x, x, n, 0);
    unmoved<<<15, 128>>>(x, x, n, 0);
    unmoved<<<16, 128>>>(x, x, n, 0);
    unmoved<<<17, 128>>>(x, x, n, 0);
    unmoved<<<18, 128>>>(x, x, n, 0);
    unmoved<<<19, 128>>>(x, x, n, 0);
    unmoved<<<20, 128>>>(x, x, n, 0);
}
