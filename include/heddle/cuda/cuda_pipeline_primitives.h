// SPDX-License-Identifier: Apache-2.0
// Copies of a thread that are waited for in order.
#pragma once
#include <cooperative_groups.h>

typedef void __pipeline_group_wait;
template <class T, class U> __device__ void __pipeline_memcpy_async(T *to, const U *from, size_t size, size_t zeros = 0) {
  __hd::copy_own(to, from, size - zeros);
  for (size_t i = size - zeros; i < size; i++)
    ((unsigned char *)to)[i] = 0;
}
void __pipeline_commit() __heddle("copy_commit()");
__device__ void __pipeline_wait_prior(size_t n) { __hd::copies_wait(n); }
