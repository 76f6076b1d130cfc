// SPDX-License-Identifier: Apache-2.0
// Copies of a thread that are waited for in order.
#pragma once
#include <cooperative_groups.h>

template <class T, class U> __device__ void __pipeline_memcpy_async(T *to, const U *from, size_t size, size_t zeros = 0) __heddle_when("zeros == 0", "copy_bytes(this_thread(), to, from, (long)size)") {
  __pipeline_memcpy_async(to, from, size - zeros, 0);
  for (size_t i = size - zeros; i < size; i++)
    ((unsigned char *)to)[i] = 0;
}
void __pipeline_commit() __heddle("copy_commit()");
// Until all sets but the newest n are done: of more than 8 that are left, until
// some of those are done, too.
__device__ void __pipeline_wait_prior(size_t n) __heddle_when("n == 0", "copy_wait(0)") __heddle_when("n == 1", "copy_wait(1)") __heddle_when("n == 2", "copy_wait(2)") __heddle_when("n == 3", "copy_wait(3)") __heddle_when("n == 4", "copy_wait(4)") __heddle_when("n == 5", "copy_wait(5)") __heddle_when("n == 6", "copy_wait(6)") __heddle_when("n == 7", "copy_wait(7)") __heddle_when("n >= 8", "copy_wait(8)") {
  switch (n) {
  case 0: __pipeline_wait_prior(0); break;
  case 1: __pipeline_wait_prior(1); break;
  case 2: __pipeline_wait_prior(2); break;
  case 3: __pipeline_wait_prior(3); break;
  case 4: __pipeline_wait_prior(4); break;
  case 5: __pipeline_wait_prior(5); break;
  case 6: __pipeline_wait_prior(6); break;
  case 7: __pipeline_wait_prior(7); break;
  default: __pipeline_wait_prior(8); break;
  }
}
