// SPDX-License-Identifier: Apache-2.0
// What every .cu file finds defined. Directives only: it is preprocessed with
// the user's text, the prelude isn't.
#ifndef HEDDLE_CUDA_MACROS_H
#define HEDDLE_CUDA_MACROS_H

#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>

#define __HEDDLE_CUDA__      1
#define __CUDACC__           1
#define __NVCC__             1
#define __CUDA_ARCH__        900
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define CUDART_VERSION       13000
#define CUDA_VERSION         13000

#define __CUDA_ALIGN__(align) __align__(align)
#define __cudart_builtin__
#define __device_builtin__
#define CUDARTAPI
#define CUDART_CB

// The preprocessor is one of C.
#define and    &&
#define and_eq &=
#define bitand &
#define bitor  |
#define compl  ~
#define not    !
#define not_eq !=
#define or     ||
#define or_eq  |=
#define xor    ^
#define xor_eq ^=

// Of verification tools: read, and without effect.
#define __invariant(...)               true
#define __global_invariant(...)        true
#define __function_wide_invariant(...) true
#define __candidate_invariant(...)     true
#define __ensures(...)                 true
#define __implies(a, b)                (!(a) || (b))

#endif
