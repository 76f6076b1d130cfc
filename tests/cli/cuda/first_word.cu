// SPDX-License-Identifier: Apache-2.0
// TEST: what has no place of its own in a kernel is shown under the kernel's first word, all of it
// SETUP: printf 'kernel void none(int n) grid(1) threads(1) requires(n < 4, n > 5) {}\n' > plain.hd
// RUN: heddle check %s
// STDERR: 11 | __global__ void none(int n)
// STDERR:    | ^^^^^^^^^^
// STDERR-NOT:    | ^^^^^^^^^^^
// RUN: heddle check plain.hd
// STDERR:   | ^^^^^^
// STDERR-NOT:   | ^^^^^^^
__global__ void none(int n)
{
    __requires(n < 4 && n > 5);
}
