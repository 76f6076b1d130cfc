// SPDX-License-Identifier: Apache-2.0
// Pipelines of a block, and who produces.
#ifndef HD_CUDA_FORM_CU_PIPELINE_H
#define HD_CUDA_FORM_CU_PIPELINE_H

#include "cuda/form/cu_value.h"

// make_pipeline() of a block (cu_pipeline.c).
CuValue cu_make_pipeline(CuContext *cu, const CuFunction *function,
                         CuValues args, Span span);
// The pipeline that a variable or parameter is; NULL: it is none, or not known.
const CuPipeline *cu_pipeline_of(const CuContext *cu, const Expr *expr);
// In a loop, or called in one.
bool cu_is_in_loop(const CuContext *cu);
// For how many threads `role` is that of a producer, where its form tells it;
// else NULL (cu_role.c).
Expr *cu_count_producers(CuContext *cu, const Expr *role, Span span);
Expr *cu_block_size(CuContext *cu, Span span);
// __heddle_full(p, stage), __heddle_free(p, stage), __heddle_stages(p) in
// headers.
bool cu_is_pipeline_word(const char *word, uint32_t n_args);
Expr *cu_pipeline_word(CuContext *cu, const char *word, const Expr *expr,
                       Expr *stage, Span span);

#endif
