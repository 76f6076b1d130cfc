// SPDX-License-Identifier: Apache-2.0
// Tensor maps: how the copy engine finds the tiles of an array. A kernel's last
// maps are kept, by all that they depend on but the line: address, extents and
// strides.
#include "rt/cuda/cuda_parts.h"

#include <inttypes.h>
#include <string.h>

enum { ADDRESS_ALIGN = 16, STRIDE_ALIGN = 16 };

// Bytes of an element, by CUtensorMapDataType.
static uint64_t cuda_map_element_bytes(int element) {
  static const uint8_t bytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
  return element < (int)sizeof bytes ? bytes[element] : 1;
}

static HdStatus check_array(const RtCode *code, const CudaMapLine *line,
                            const uint64_t *key, RtError *error) {
  const char *kernel = code->header.name;
  const uint64_t *extents = key + 1, *strides = extents + line->rank;
  uint64_t bytes = cuda_map_element_bytes(line->element);
  if (key[0] % ADDRESS_ALIGN != 0) {
    rt_error_set(error,
                 "kernel '%s' copies '%s' with the tensor copy engine, so it "
                 "must start at a multiple of %d bytes; it is at %#" PRIx64,
                 kernel, line->name, ADDRESS_ALIGN, key[0]);
    return HD_ERROR_LAUNCH;
  }
  for (uint32_t i = 0; i < line->rank; i++) {
    if (extents[i] == 0 || extents[i] > UINT64_C(1) << 32) {
      rt_error_set(error,
                   "kernel '%s' copies '%s' with the tensor copy engine, whose "
                   "extents are 1 to 2^32; extent %u is %" PRIu64,
                   kernel, line->name, i, extents[i]);
      return HD_ERROR_LAUNCH;
    }
    bool is_inner = i + 1 == line->rank;
    if (is_inner ? strides[i] != 1 : strides[i] * bytes % STRIDE_ALIGN != 0) {
      rt_error_set(error,
                   "kernel '%s' copies '%s' with the tensor copy engine: "
                   "stride %u must be %s; it is %" PRIu64 " elements",
                   kernel, line->name, i,
                   is_inner ? "1" : "a multiple of 16 bytes", strides[i]);
      return HD_ERROR_LAUNCH;
    }
  }
  return HD_OK;
}

static HdStatus cuda_map_encode(RtCode *code, const CudaMapLine *line,
                                CudaMapEntry *entry, RtError *error) {
  uint64_t extents[CUDA_MOST_RANK], strides[CUDA_MOST_RANK];
  uint32_t steps[CUDA_MOST_RANK];
  HD_TRY(check_array(code, line, entry->key, error));
  // The driver counts dimensions from the innermost.
  for (uint32_t i = 0; i < line->rank; i++) {
    uint32_t from = line->rank - 1 - i;
    extents[i] = entry->key[1 + from];
    steps[i] = 1;
    if (i > 0)
      strides[i - 1] = entry->key[1 + line->rank + from] *
                       cuda_map_element_bytes(line->element);
  }
  int result = code->device->api.tensor_map(
      &entry->map, line->element, line->rank, (void *)(uintptr_t)entry->key[0],
      extents, strides, line->box, steps, CU_MAP_PLAIN, line->swizzle,
      CU_MAP_L2_128, CU_MAP_ZEROS);
  return result == CU_OK ? HD_OK
                         : cuda_fail_locked(code->device, result, error,
                                            "kernel '%s': a tensor map of '%s'",
                                            code->header.name, line->name);
}

HdStatus cuda_map_get_locked(RtCode *code, uint32_t number,
                             const uint64_t *args, const CuTensorMap **out,
                             RtError *error) {
  const CudaMapLine *line = &code->header.maps[number];
  CudaMapEntry *ways = &code->maps[(size_t)number * CUDA_MAP_WAYS];
  size_t key_bytes = (1 + 2 * (size_t)line->rank) * sizeof(uint64_t);
  const uint64_t *key = args + line->slot;
  CudaMapEntry found = {0};
  uint32_t i = 0;
  while (i + 1 < CUDA_MAP_WAYS && memcmp(ways[i].key, key, key_bytes) != 0)
    i++;
  if (i > 0 || memcmp(ways[0].key, key, key_bytes) != 0) {
    found = ways[i];
    if (memcmp(found.key, key, key_bytes) != 0) {
      memcpy(found.key, key, key_bytes);
      HD_TRY(cuda_map_encode(code, line, &found, error));
    }
    memmove(ways + 1, ways, i * sizeof *ways);
    ways[0] = found;
  }
  *out = &ways[0].map;
  return HD_OK;
}
