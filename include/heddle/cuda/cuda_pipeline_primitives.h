// SPDX-License-Identifier: Apache-2.0
// Copies of a thread that are waited for in order.
#pragma once

typedef void __pipeline_group_wait;
__device__ void __pipeline_memcpy_async(void *to, const void *from, size_t size, size_t zeros = 0) {
  __hd::copy_bytes((unsigned char *)to, (const unsigned char *)from, size - zeros, 0, 1);
  for (size_t i = size - zeros; i < size; i++)
    ((unsigned char *)to)[i] = 0;
}
__device__ void __pipeline_commit() {}
__device__ void __pipeline_wait_prior(size_t n) {}
