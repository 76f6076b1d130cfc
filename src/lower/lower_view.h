// SPDX-License-Identifier: Apache-2.0
// Views: see Note [Views] in lower_view.c.
#ifndef HD_LOWER_LOWER_VIEW_H
#define HD_LOWER_LOWER_VIEW_H

#include "lower/lower_internal.h"

struct View {
  IrObject *object;
  uint32_t rank; // dimensions of the view
  // By dimension of the view.
  uint8_t dims[IR_MAX_RANK];   // which one of the object it is
  bool is_whole[IR_MAX_RANK];  // all of the object's
  IrNode *extent[IR_MAX_RANK]; // i64
  // By dimension of the object.
  bool is_dropped[IR_MAX_RANK]; // it has an index: `low`
  IrNode *low[IR_MAX_RANK];     // where the view begins; NULL: at 0
};

// `count` elements from `first` are among `extent`: owed. The text says of
// what.
void lower_owe_part(Lowering *lw, IrNode *first, IrNode *count, IrNode *extent,
                    const char *text, bool is_element);
// What an array is bound to, as a view; NULL: a pointer.
const View *lower_view_bound(Lowering *lw, const TVar *var);
// The part that an argument names; NULL: of a pointer.
const View *lower_view(Lowering *lw, const TSection *section);
// Once the scalar parameters are bound: extents depend on them.
void lower_bind_view(Lowering *lw, const TVar *param, const View *given);
// The first element; that of `expr` (INDEX).
const Address *lower_view_address(Lowering *lw, const View *view);
const Address *lower_view_element(Lowering *lw, const View *view,
                                  const TExpr *expr);
// `place`, by dimension of the view, becomes that of the object.
void lower_view_section(Lowering *lw, const View *view, SectionPlace *place);
// Reports what can't be done with an array of arrays.
void lower_refuse_table(Lowering *lw, const IrObject *object,
                        const char *problem);
// Of a section that is unchecked, before that.
void lower_owe_section(Lowering *lw, const View *view, const SectionPlace *own,
                       const char *name);

#endif
