// SPDX-License-Identifier: Apache-2.0
// Conditions that decide who gets to a barrier.
//
// Note [Stated conditions]
// In CUDA, all threads of a block must agree about a condition around a
// barrier, and nobody has to show that. In Heddle C the rules must see it, or
// the program states it. So a kernel is translated as it is, the rules say
// which conditions differ by nothing but what was loaded or may cancel out
// (Note [Open conditions] in ir/rules/check_open.c), and it is translated once
// more with uniform(this_block(), c) in place of these conditions c. The
// checker proves, refutes or lists each of them, as it does what anybody
// states.
#ifndef HD_CUDA_FORM_CU_STATED_H
#define HD_CUDA_FORM_CU_STATED_H

#include "cuda/form/cu.h"

// The condition of a statement (or of ?:) at `whole`, whose text is at `span`:
// as it is, or stated.
Expr *cu_stated(CuContext *cu, Expr *condition, Span span, Span whole);
// The same of the value of a `switch`.
Expr *cu_stated_value(CuContext *cu, Expr *value, Span span, Span whole);
// The left side of && or || at `whole`, which decides about barriers that the
// right side holds.
Expr *cu_stated_before(CuContext *cu, Expr *left, const Expr *right, Span span,
                       Span whole);

#endif
