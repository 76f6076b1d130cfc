// SPDX-License-Identifier: Apache-2.0
// src/devicemath as LLVM bitcode, by family: generated when Heddle is built.
#ifndef HD_CODEGEN_NVPTX_NVPTX_DEVICE_MATH_H
#define HD_CODEGEN_NVPTX_NVPTX_DEVICE_MATH_H

#include <stddef.h>

typedef struct {
  const char *family;
  const unsigned char *bytes;
  size_t size;
} NvDeviceMath;

// Ends with a family of NULL.
extern const NvDeviceMath nv_device_math[];

#endif
