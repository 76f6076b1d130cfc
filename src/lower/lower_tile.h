// SPDX-License-Identifier: Apache-2.0
// Operations on tiles: the handlers that tile_builtins.def names.
#ifndef HD_LOWER_LOWER_TILE_H
#define HD_LOWER_LOWER_TILE_H

#include "lower/lower_internal.h"

Value lower_tile_plain(Lowering *lw, const TExpr *expr);
Value lower_tile_where(Lowering *lw, const TExpr *expr);
Value lower_tile_none(Lowering *lw, const TExpr *expr);
Value lower_tile_reduce(Lowering *lw, const TExpr *expr);
Value lower_tile_mean(Lowering *lw, const TExpr *expr);
Value lower_tile_arg(Lowering *lw, const TExpr *expr);
Value lower_tile_mma(Lowering *lw, const TExpr *expr);

#endif
