// SPDX-License-Identifier: Apache-2.0
// The lines before PTX that say what a launch must know; abi/cuda.h has them.
#ifndef HD_RT_CUDA_CUDA_HEADER_H
#define HD_RT_CUDA_CUDA_HEADER_H

#include "abi/cuda.h"
#include "base/status.h"
#include "rt/device.h"

enum { CUDA_MOST_MAPS = 64, CUDA_MOST_RANK = 5 };

typedef struct {
  const char *name; // of the parameter
  uint32_t slot, rank;
  int element, swizzle;
  uint32_t box[CUDA_MOST_RANK];
} CudaMapLine;

// Texts by number; NULL where a number has none.
typedef struct {
  const char **data;
  uint32_t count, capacity;
} CudaTexts;

typedef struct {
  const char *name, *entry;
  int sm;          // 90
  char sm_variant; // 'a', 'f' or 0
  int ptx_version; // 86: of the .version directive behind the header
  uint32_t n_slots, n_globals;
  uint32_t block[3], cluster[3];
  uint64_t shared_bytes;
  bool has_dynamic_shared;
  uint32_t flags;
  uint64_t workspace_bytes, workspace_block_bytes;
  CudaMapLine *maps;
  uint32_t n_maps;
  CudaTexts locs, texts;
  char *storage; // what all texts point into
} CudaHeader;

// Strict: anything that isn't as abi/cuda.h says is HD_ERROR_ARGUMENT with the
// line, another version of it HD_ERROR_UNSUPPORTED. `out` owns its texts.
__attribute__((warn_unused_result)) HdStatus
cuda_header_parse(const char *text, size_t size_bytes, CudaHeader *out,
                  RtError *error);
void cuda_header_fini(CudaHeader *header);

#endif
