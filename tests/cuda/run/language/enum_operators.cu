// SPDX-License-Identifier: Apache-2.0
// TEST: operators of enumerations are those that take one; what converts to a class doesn't count
enum Flags : unsigned { A = 1, B = 2 };
enum class Order { X, Y };
__device__ Flags operator|(Flags a, Flags b) { return (Flags)((unsigned)a | (unsigned)b | 0x100u); }
__device__ bool operator<(Order a, Order b) { return (int)a > (int)b; }
struct Number {
    int v;
    __device__ Number(int a) : v(a) {}
    friend __device__ Number operator+(Number a, Number b) { return Number(a.v + b.v + 1000); }
};

__global__ void k(int *out)
{
    out[0] = A | B;
    out[1] = Order::X < Order::Y;
    out[2] = A + B;
    out[3] = A + 5;
    out[4] = (Number(1) + 2).v;
    out[5] = A | 4;
    out[6] = (3 + Number(4)).v;
}
// LAUNCH: out[7]=zeros --block 1 --grid 1
// OUT: out = np.array([0x103, 0, 3, 6, 1003, 5, 1007])
