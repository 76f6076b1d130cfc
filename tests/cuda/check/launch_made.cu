// SPDX-License-Identifier: Apache-2.0
// TEST: bugs that need values of arguments which the host computes by steps that aren't followed are unknown, those of numbers from outside are bugs
// REF: docs/internals/check.md
// convert leaves out rounded, rest, clamped, of_table, passed, by_function, of_template, beyond, column, column_beyond: launches are no part of it
// check rounded: unknown HD0702 line @rounded it is a bug for some values, but not for 'n' = 1024
// check rest: unknown HD0702 line @rest it is a bug for some values, but not for 'n' = 1024
// check clamped: unknown HD0702 line @clamped it is a bug for some values
// check of_table: unknown HD0702 line @of_table it is a bug for some values, but not for 'n' = 1024
// check passed: unknown HD0601 line @passed but not for 'pitch' = 96 and 'width' = 80
// check by_function: unknown HD0702 line @by_function it is a bug for some values
// check of_template: unknown HD0702 line @of_template but not for 'n' = 64
// check given: bug HD0702 line @given
// check given_or_not: bug HD0702 line @given_or_not
// check called_elsewhere: bug HD0702 line @called_elsewhere
// check passed_given: bug HD0702 line @passed_given
// check counted: bug HD0702 line @counted
// check beyond: bug HD0702 line @beyond
// check meets: bug HD0601 line @meets
// check column: unknown HD0702 line @column but not for
// check column_beyond: bug HD0702 line @column_beyond
#include <stdlib.h>

#define TABLE(name)                          \
    __global__ void name(float *x, int n)    \
    {                                        \
        __shared__ float table[1024];        \
        table[threadIdx.x] = 0;              \
        __syncthreads();                     \
        float sum = 0;                       \
        for (int k = 0; k < n; k++)          \
            sum += table[k];

#define END                                  \
        if (threadIdx.x == 0)                \
            atomicAdd(x, sum);               \
    }

// clang-format off
TABLE(rest) //@rest
END
TABLE(clamped) //@clamped
END
TABLE(of_table) //@of_table
END
TABLE(by_function) //@by_function
END
TABLE(of_template) //@of_template
END
TABLE(given) //@given
END
TABLE(given_or_not) //@given_or_not
END
TABLE(called_elsewhere) //@called_elsewhere
END
TABLE(passed_given) //@passed_given
END
TABLE(counted) //@counted
END
// clang-format on

// Of pairs that are a power of two apart.
__global__ void rounded(float *x, int n, int apart)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, other = i ^ apart;
    if (i < n && other > i)
        x[i] += x[other]; //@rounded
}

__global__ void passed(float *x, int pitch, int width)
{
    for (int k = threadIdx.x; k < width; k += blockDim.x)
        x[blockIdx.x * pitch + k] = k; //@passed
}

// Wrong for every number.
__global__ void beyond(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i + 1] = i; //@beyond
}

__global__ void meets(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i / 2] = i; //@meets
}

int powers(int n)
{
    int power = 1;
    while (2 * power <= n)
        power *= 2;
    return power < 1024 ? power : 1024;
}

void elsewhere(float *x, int n)
{
    called_elsewhere<<<1, 1024>>>(x, n);
}

void with_pitch(float *x, int blocks, int pitch, int width)
{
    passed<<<blocks, 32>>>(x, pitch, width);
}

void with_given(float *x, int n)
{
    passed_given<<<1, 1024>>>(x, n);
}

template <typename T>
void with_type(T *x, int n)
{
    of_template<<<1, 1024>>>(x, n);
}

template <typename T>
void with_table(T *x)
{
    int hundreds[] = {1, 8, 32};
    int size = hundreds[abs(rand()) % 3];
    size = (size * 128) / sizeof(T);
    of_table<<<1, 1024>>>(x, size);
}

int main(int argc, char **argv)
{
    const int size = atoi(argv[1]);
    float *x;
    cudaMalloc(&x, sizeof(float));

    int chunk = 1024;
    for (int k = 0; k < (size + 1023) / 1024; k++) {
        if (k == (size + 1023) / 1024 - 1)
            chunk = size - 1024 * k;
        rest<<<1, 1024>>>(x, chunk);
    }
    int most = atoi(argv[2]);
    if (most > 1024)
        most = 1024;
    clamped<<<1, 1024>>>(x, most);
    with_table<float>(x);
    by_function<<<1, 1024>>>(x, powers(size));
    with_type<float>(x, 64);
    with_type<float>(x, 32);
    given<<<1, 1024>>>(x, size);
    int number = 100;
    if (argc > 3)
        number = atoi(argv[3]);
    given_or_not<<<1, 1024>>>(x, number);
    with_given(x, 100);
    with_given(x, size);
    int n_long = 0;
    for (int k = 1; k < argc; k++)
        if (atoi(argv[k]) > 5)
            n_long++;
    counted<<<1, 1024>>>(x, n_long);
    with_pitch(x, size, 96, 80);
    with_pitch(x, size, 64, 64);

    int padded = size;
    padded--;
    padded |= padded >> 1;
    padded |= padded >> 2;
    padded |= padded >> 4;
    padded |= padded >> 8;
    padded |= padded >> 16;
    padded++;
    float *y;
    cudaMalloc(&y, padded * sizeof(float));
    for (int k = padded / 2; k > 0; k = k / 2)
        rounded<<<(padded + 255) / 256, 256>>>(y, padded, k);
    beyond<<<(padded + 255) / 256, 256>>>(y, padded);
    meets<<<(padded + 255) / 256, 256>>>(y, padded);
}

// A column of a matrix, whose numbers stand in a list of the host's.
__global__ void column(const float *x, float *y, const int column, int n)
{
    y[threadIdx.x] = x[column * 64 + threadIdx.x]; //@column
}

// No column is right for any n.
__global__ void column_beyond(const float *x, float *y, int column, int n)
{
    y[threadIdx.x] = x[(column + n) * 64 + threadIdx.x]; //@column_beyond
}

struct Columns {
    const int *list;
    int n;
};

void all_columns(const float *from, const Columns &columns)
{
    const int n = columns.n;
    float *x, *y;
    cudaMalloc(&x, n * 64 * sizeof(float));
    cudaMalloc(&y, 64 * sizeof(float));
    for (int k = 0; k < 8; k++) {
        const int chosen = columns.list[k];
        column<<<1, 64>>>(x, y, chosen, n);
        column_beyond<<<1, 64>>>(x, y, chosen, n);
    }
}
