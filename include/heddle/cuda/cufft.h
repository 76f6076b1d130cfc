// SPDX-License-Identifier: Apache-2.0
// The types; the rest is for hosts.
#pragma once
#include <cuComplex.h>

typedef float cufftReal;
typedef double cufftDoubleReal;
typedef cuComplex cufftComplex;
typedef cuDoubleComplex cufftDoubleComplex;
