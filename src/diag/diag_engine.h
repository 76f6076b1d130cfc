// SPDX-License-Identifier: Apache-2.0
// Inside diag: what the collector and the renderers share.
#ifndef HD_DIAG_DIAG_ENGINE_H
#define HD_DIAG_DIAG_ENGINE_H

#include "diag/diag.h"

// Errors that a round reported over the limit.
typedef struct {
  uint32_t round, n_errors;
} HiddenErrors;

struct DiagEngine {
  Arena *arena;
  SourceText *source; // or NULL
  uint32_t error_limit;
  uint32_t n_errors;   // reported, repetitions not counted
  uint32_t n_warnings; // likewise
  uint32_t round;
  // Of this round:
  uint32_t n_round_errors; // repetitions of earlier rounds included
  uint32_t n_kept_errors;
  uint32_t n_kept_warnings;
  uint32_t n_hidden;
  hd_vec(Diag *) kept;
  uint32_t n_reports; // kept ever
  hd_vec(HiddenErrors) hidden;
  Diag dummy;
};

// The message of `id` with its placeholders filled, from `arena`.
const char *diag_format(Arena *arena, DiagId id, const DiagArg *args,
                        size_t n_args);

#endif
