// SPDX-License-Identifier: Apache-2.0
// .npy files: whatever is read is whole, and is read back from what is written.
#include "base/panic.h"
#include "cli/array.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_round_trip(Arena *arena, const HostArray *array) {
  HostArray again;
  size_t size_bytes;
  char *bytes = npy_format(array, &size_bytes);
  HD_ASSERT(bytes != NULL);
  HD_ASSERT(npy_parse(arena, bytes, size_bytes, &again) == NULL);
  HD_ASSERT(again.type == array->type && again.rank == array->rank);
  HD_ASSERT(again.size_bytes == array->size_bytes);
  HD_ASSERT(memcmp(again.data, array->data, array->size_bytes) == 0);
  array_fini(&again);
  free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Arena *arena = arena_new();
  HostArray array;
  const char *why = npy_parse(arena, (const char *)data, size, &array);
  if (why) {
    HD_ASSERT(why[0] != 0);
  } else {
    HD_ASSERT(array.rank >= 1 && array.rank <= 8);
    HD_ASSERT(array.size_bytes <= size);
    HD_ASSERT((size_t)array_count(&array) * array.element_bytes ==
              array.size_bytes);
    check_round_trip(arena, &array);
    array_fini(&array);
  }
  arena_free(arena);
  return 0;
}
