// SPDX-License-Identifier: Apache-2.0
// Inside diag: what the collector and the renderers share.
#ifndef HD_DIAG_DIAG_ENGINE_H
#define HD_DIAG_DIAG_ENGINE_H

#include "diag/diag.h"

struct DiagEngine {
  Arena *arena;
  SourceText *source; // or NULL
  uint32_t error_limit;
  uint32_t n_errors;   // reported
  uint32_t n_warnings; // reported
  uint32_t n_kept_errors;
  uint32_t n_kept_warnings;
  hd_vec(Diag *) kept;
  Diag dummy;
};

// The message of `id` with its placeholders filled, from `arena`.
const char *diag_format(Arena *arena, DiagId id, const DiagArg *args,
                        size_t n_args);

#endif
