// SPDX-License-Identifier: Apache-2.0
#include "base/panic.h"
#include "rt/device.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

void rt_error_set(RtError *error, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(error->text, sizeof error->text, format, args);
  va_end(args);
}

void rt_assert_text(char *what, size_t size_bytes, const char *text,
                    const int32_t *index, uint32_t n_index) {
  enum { INDEX_BYTES = 128 };

  HD_ASSERT(size_bytes > INDEX_BYTES);
  size_t room = size_bytes - INDEX_BYTES;
  size_t used = (size_t)snprintf(what, room, "assertion failed: '%s'%s", text,
                                 n_index > 0 ? " for element " : "");
  used = used < room ? used : room - 1;
  for (uint32_t i = 0; i < n_index && used + 1 < size_bytes; i++)
    used += (size_t)snprintf(what + used, size_bytes - used, "[%" PRId32 "]",
                             index[i]);
}

void rt_fault_text(char *text, size_t size_bytes, const char *place,
                   const char *what, const char *kernel, const int32_t block[3],
                   int32_t thread, const int32_t block_dim[3]) {
  HD_ASSERT(block_dim[0] > 0 && block_dim[1] > 0 && thread >= 0);
  int32_t width = block_dim[0], height = block_dim[1];
  snprintf(text, size_bytes,
           "%s: %s in kernel '%s', block (%d, %d, %d), thread (%d, %d, %d)",
           place, what, kernel, block[0], block[1], block[2], thread % width,
           thread / width % height, thread / width / height);
}
