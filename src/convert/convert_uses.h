// SPDX-License-Identifier: Apache-2.0
// Which sizes and positions of a block a tree names.
#ifndef HD_CONVERT_CONVERT_USES_H
#define HD_CONVERT_CONVERT_USES_H

#include "syntax/ast.h"

// By axis.
typedef struct {
  bool names_dims;    // block_dim() or a parameter block_dim_x, _y, _z
  bool dim_params[3]; // block_dim_x, _y, _z
  bool indices[3];    // thread_index().x, .y, .z
} BlockUses;

// Adds what the declaration names: types, clauses, values and bodies. NULL is
// accepted.
void convert_add_uses(BlockUses *uses, const Decl *decl);

#endif
