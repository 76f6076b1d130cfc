// SPDX-License-Identifier: Apache-2.0
// Operations on tiles: the handlers that tile_builtins.def names.
#ifndef HD_LOWER_LOWER_TILE_H
#define HD_LOWER_LOWER_TILE_H

#include "lower/lower_internal.h"

// One node for each leaf of the result, of that leaf of all operands; what an
// operation makes once, as the condition of a choice, is in each of them.
typedef IrNode *(*TileLeaf)(Lowering *lw, const TExpr *expr, IrType type,
                            IrNode **args, uint32_t n_args);
Value lower_tile_leaves(Lowering *lw, const TExpr *expr, TExpr *const *args,
                        uint32_t n_args, TileLeaf leaf);

Value lower_tile_topk(Lowering *lw, const TExpr *expr);
Value lower_tile_plain(Lowering *lw, const TExpr *expr);
Value lower_tile_where(Lowering *lw, const TExpr *expr);
Value lower_tile_none(Lowering *lw, const TExpr *expr);
Value lower_tile_reduce(Lowering *lw, const TExpr *expr);
Value lower_tile_mean(Lowering *lw, const TExpr *expr);
Value lower_tile_arg(Lowering *lw, const TExpr *expr);
Value lower_tile_mma(Lowering *lw, const TExpr *expr);
Value lower_tile_wgmma_mma(Lowering *lw, const TExpr *expr);
Value lower_tile_tensor_array(Lowering *lw, const TExpr *expr);
Value lower_tile_tensor_mma(Lowering *lw, const TExpr *expr);
Value lower_tile_tensor_ld(Lowering *lw, const TExpr *expr);
Value lower_tile_tensor_st(Lowering *lw, const TExpr *expr);
Value lower_tile_tensor_cp(Lowering *lw, const TExpr *expr);
Value lower_tile_mma_scaled(Lowering *lw, const TExpr *expr);
Value lower_tile_cast(Lowering *lw, const TExpr *expr);
Value lower_tile_norm2(Lowering *lw, const TExpr *expr);
Value lower_tile_logsumexp(Lowering *lw, const TExpr *expr);
Value lower_tile_prefixes(Lowering *lw, const TExpr *expr);
Value lower_tile_sort(Lowering *lw, const TExpr *expr);
Value lower_tile_histogram(Lowering *lw, const TExpr *expr);
Value lower_tile_eye(Lowering *lw, const TExpr *expr);
Value lower_tile_triangle(Lowering *lw, const TExpr *expr);
Value lower_tile_bitcast(Lowering *lw, const TExpr *expr);
Value lower_tile_regroup(Lowering *lw, const TExpr *expr);
Value lower_tile_print(Lowering *lw, const TExpr *expr);
Value lower_tile_random_bits(Lowering *lw, const TExpr *expr);
Value lower_tile_random(Lowering *lw, const TExpr *expr);
Value lower_tile_normal(Lowering *lw, const TExpr *expr);
Value lower_tile_relayout(Lowering *lw, const TExpr *expr);
Value lower_tile_local(Lowering *lw, const TExpr *expr);
Value lower_tile_local_index(Lowering *lw, const TExpr *expr);
Value lower_tile_from_local(Lowering *lw, const TExpr *expr);
Value lower_tile_map(Lowering *lw, const TExpr *expr);
Value lower_tile_reduce_by(Lowering *lw, const TExpr *expr);
Value lower_tile_scan_by(Lowering *lw, const TExpr *expr);

// The elements as sums of them are computed: `to`, or float for narrow floats;
// and a result of that as `to`, rounded.
IrNode *lower_tile_widened(Lowering *lw, IrNode *node, const Type *from,
                           const Type *to);
IrNode *lower_tile_rounded(Lowering *lw, IrNode *node, const Type *to);
// What was reduced, without its axes, as a value of the type.
Value lower_tile_reduced(Lowering *lw, IrNode *node, const Type *type);
// How an operation that reduces combines such elements.
IrCombine lower_tile_combine(Builtin id, const Type *element);

#endif
