// SPDX-License-Identifier: Apache-2.0
// TEST: a kernel whose declaration isn't understood is told, once; host code that isn't understood is not
__global__ void bracket(int ]x) {} //~ error HD0201: expected '(' after a type, found ']'

namespace inner {
__global__ void paren(int )x) {} //~ error HD0201: expected ';' after a declaration
template <class T> __global__ void in_template(T *x, int ) n) {} //~ error HD0201: expected ';'
}

void host(int ]x) {}
int +;

__global__ void right(int *x) { x[0] = 1; }
