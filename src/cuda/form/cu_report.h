// SPDX-License-Identifier: Apache-2.0
// Errors of the translator.
#ifndef HD_CUDA_FORM_CU_REPORT_H
#define HD_CUDA_FORM_CU_REPORT_H

#include "cuda/form/cu.h"

// Reports; in a trial it is only noted that there was an error. Never NULL.
// Functions of the user's that led here are shown.
Diag *cu_report(CuContext *cu, DiagId id, Span span, const DiagArg *args,
                size_t n_args);

#define CU_ERROR(cu, span, id, ...)                                            \
  cu_report((cu), DIAG_##id, (span), (DiagArg[]){__VA_ARGS__},                 \
            sizeof((DiagArg[]){__VA_ARGS__}) / sizeof(DiagArg))
#define CU_ERROR0(cu, span, id) cu_report((cu), DIAG_##id, (span), NULL, 0)

// The text of a type, for messages.
#define CU_TEXT(cu, type) cu_type_text((cu)->arena, (type))

// A warning about the function `name`; told once for a place.
void cu_remark(CuContext *cu, DiagId id, Span span, const char *name);

const char *cu_format(CuContext *cu, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
// The source text of a span, shortened.
const char *cu_source_text(CuContext *cu, Span span);

// `what` has no place in kernels; `instead` says what to do.
void cu_unsupported(CuContext *cu, Span span, const char *what,
                    const char *instead);

// "'name' is not declared", and what may help.
void cu_undeclared(CuContext *cu, Span span, const char *name);

// The place is in one of our own headers.
bool cu_is_own_header(CuContext *cu, Span span);

// Between these nothing is reported and no statement is added to the output.
typedef struct {
  bool failed;
  uint32_t n_nodes;
} CuTrial;

CuTrial cu_trial_begin(CuContext *cu);
// True when there was an error.
bool cu_trial_end(CuContext *cu, CuTrial trial);

// Guards recursion over what users nest, and counts the steps of a translation:
// templates and bodies that take the place of calls may double at each level.
// False: too deep or too many, was reported; then it is false from now on.
bool cu_enter(CuContext *cu, Span span);
void cu_leave(CuContext *cu);
// A new budget, for the next of several kernels.
void cu_begin_steps(CuContext *cu);
// The budget was exceeded in a trial, which nobody was told of.
void cu_tell_spent(CuContext *cu, Span span);

#endif
