// SPDX-License-Identifier: Apache-2.0
// For hosts, but for the types that it brings.
#pragma once
#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
