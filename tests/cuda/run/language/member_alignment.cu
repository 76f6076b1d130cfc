// SPDX-License-Identifier: Apache-2.0
// TEST: members that ask for an alignment have it, and so have their classes
struct Row {
    char first;
    alignas(16) float values[2];
    char last;
};
template <int N> struct Spaced {
    alignas(N) char c;
};
struct Both : Row {
    Spaced<8> spaced[2];
    __align__(64) int end;
};

__global__ void layout(int *out)
{
    __shared__ Row rows[2];
    __shared__ Both both[2];
    char *row = (char *)&rows[0], *one = (char *)&both[0];
    out[0] = sizeof(Row);
    out[1] = (char *)rows[0].values - row;
    out[2] = &rows[0].last - row;
    out[3] = (char *)&rows[1] - row;
    out[4] = sizeof(Spaced<8>);
    out[5] = sizeof(Both);
    out[6] = &both[0].spaced[1].c - one;
    out[7] = (char *)&both[0].end - one;
    out[8] = (char *)&both[1] - one;
    out[9] = alignof(Both);
}
// LAUNCH: layout out[10]=zeros --block 1 --grid 1
// OUT: out = [32, 16, 24, 32, 8, 128, 40, 64, 128, 64]
