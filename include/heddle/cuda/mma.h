// SPDX-License-Identifier: Apache-2.0
// Fragments of matrices: named, so that a kernel that uses them is told.
#pragma once

namespace nvcuda {
namespace wmma {
struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct u4;
struct s4;
struct b1;
struct tf32;
}
namespace experimental {
namespace precision {
using namespace nvcuda::wmma::precision;
}
}
template <class Use, int M, int N, int K, class T, class Layout = void> struct __heddle_unsupported("fragments of matrices (nvcuda::wmma); write the product with shared memory and loops") fragment { T x[1]; };
template <class F> void fill_fragment(F &f, ...) __heddle_unsupported("fragments of matrices (nvcuda::wmma); write the product with shared memory and loops");
template <class F> void load_matrix_sync(F &f, ...) __heddle_unsupported("fragments of matrices (nvcuda::wmma); write the product with shared memory and loops");
template <class T> void store_matrix_sync(T *p, ...) __heddle_unsupported("fragments of matrices (nvcuda::wmma); write the product with shared memory and loops");
template <class F> void mma_sync(F &d, ...) __heddle_unsupported("fragments of matrices (nvcuda::wmma); write the product with shared memory and loops");
template <class F> void bmma_sync(F &d, ...) __heddle_unsupported("fragments of matrices (nvcuda::wmma); write the product with shared memory and loops");
float __float_to_tf32(float x) __heddle_unsupported("numbers of tensor cores (tf32); use 'float'");
}
}
