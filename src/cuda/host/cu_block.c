// SPDX-License-Identifier: Apache-2.0
#include "cuda/host/cu_block.h"

#include "base/bits.h"
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_scope.h"
#include "cuda/form/cu_value.h"
#include "cuda/host/cu_hosts.h"
#include "cxx/cx_parse.h"
#include "cxx/cx_shape.h"

#include <string.h>

enum { LEAST_TILE = 4, LEAST_ROW = 32 };

// 0: not a constant from 1 to 1024.
static uint32_t small_constant(CuContext *cu, const CxExpr *expr,
                               CuScope *scope) {
  CuScope *before = cu_set_scope(cu, scope);
  CuValue value = cu_try_constant(cu, expr);
  cu_set_scope(cu, before);
  bool is_small = value.constant.kind == CU_CONST_INT &&
                  value.constant.i >= 1 && value.constant.i <= CU_MOST_THREADS;
  return is_small ? (uint32_t)value.constant.i : 0;
}

bool cu_bound_block(CuContext *cu, const CxDecl *kernel, CuScope *scope,
                    uint32_t block[3]) {
  const CxExprList *bounds = &kernel->u.function.launch_bounds;
  block[1] = block[2] = 1;
  block[0] = bounds->count ? small_constant(cu, bounds->data[0], scope) : 0;
  return block[0] > 0;
}

typedef struct {
  CuContext *cu;
  CxDecl *kernel;
  CuScope *scope;
  CxShape shape;
} Guess;

static uint32_t block_constant_of(const Guess *g, CxTokens tokens) {
  const char *why = NULL;
  Span span = cx_tokens_span(g->cu->tree, tokens);
  if (tokens.begin >= tokens.end || span.end - span.begin > 200)
    return 0;
  const char *text =
      arena_strndup(g->cu->arena, source_text(g->cu->source) + span.begin,
                    span.end - span.begin);
  const CxExpr *expr = cx_parse_text(g->cu->tree, g->kernel, text, span, &why);
  uint32_t value = expr ? small_constant(g->cu, expr, g->scope) : 0;
  if (value > 0 || !expr)
    return value;
  CuScope *locals =
      cu_typed_scope(g->cu, g->kernel, g->scope, tokens, tokens.begin);
  return small_constant(g->cu, expr, locals);
}

// Tiles have a margin, or a column more for the banks: 18 and 17 are 16.
static uint32_t power_below(uint32_t n) {
  return UINT32_C(1) << bits_log2(n | 1);
}

// Rows that a block covers in several steps.
static uint32_t block_rows_of(const Guess *g, uint32_t rows) {
  for (uint32_t i = 0; i < g->shape.n_steps; i++) {
    uint32_t step = block_constant_of(g, g->shape.steps[i]);
    if (step >= 2 && step < rows && rows % step == 0)
      return step;
  }
  return rows;
}

// The last extent is x.
static bool from_tile(const Guess *g, const CxTile *tile, int n_dims,
                      uint32_t block[3]) {
  if (tile->n_extents < (uint32_t)n_dims)
    return false;
  for (int i = 0; i < n_dims; i++) {
    uint32_t extent =
        block_constant_of(g, tile->extents[tile->n_extents - 1 - (uint32_t)i]);
    if (extent < LEAST_TILE)
      return false;
    block[i] = power_below(extent);
  }
  block[1] = block_rows_of(g, block[1]);
  while (block[0] * block[1] * block[2] > CU_MOST_THREADS)
    block[n_dims - 1] /= 2;
  return block[n_dims - 1] > 0;
}

// Threads of an array that has an element for each, or two, or a margin.
static uint32_t block_threads_of(const Guess *g, const CxTile *tile) {
  bool is_row =
      tile->n_extents == 1 && (tile->is_by_thread || tile->is_shifted);
  uint32_t extent = is_row ? block_constant_of(g, tile->extents[0]) : 0;
  uint32_t power = power_below(extent);
  if (extent < LEAST_ROW)
    return 0;
  if (!tile->is_shifted)
    return extent % LEAST_ROW == 0 ? extent : power;
  return power == extent ? extent / 2 : power;
}

static bool block_from_rows(const Guess *g, uint32_t block[3]) {
  uint32_t least = 0;
  for (uint32_t i = 0; i < g->shape.n_tiles; i++) {
    uint32_t threads = block_threads_of(g, &g->shape.tiles[i]);
    if (threads > 0 && (least == 0 || threads < least))
      least = threads;
  }
  if (least > 0)
    block[0] = least;
  return least > 0;
}

// What all strides of blockIdx.x are, if that may be a block; 0: no such
// number.
static uint32_t block_stride_of(const Guess *g, int axis) {
  uint32_t stride = 0;
  for (uint32_t i = 0; i < g->shape.n_strides; i++) {
    uint32_t other = g->shape.stride_axes[i] == axis
                         ? block_constant_of(g, g->shape.strides[i])
                         : stride;
    if (other == 0 || (stride > 0 && other != stride))
      return 0;
    stride = other;
  }
  return stride;
}

// What every stride that threads are added to is, of those that may be a block;
// 0: there is none, or several.
static uint32_t block_threads_along(const Guess *g, int axis) {
  uint32_t threads = 0;
  for (uint32_t i = 0; i < g->shape.n_strides; i++) {
    if (g->shape.stride_axes[i] != axis || !g->shape.is_for_threads[i])
      continue;
    uint32_t other = block_constant_of(g, g->shape.strides[i]);
    if (other > 0 && threads > 0 && other != threads)
      return 0;
    threads = other > 0 ? other : threads;
  }
  return threads;
}

// blockIdx.y * 2 + threadIdx.y, in each dimension.
static bool block_from_strides(const Guess *g, int n_dims, uint32_t block[3]) {
  uint32_t found[3] = {1, 1, 1};
  for (int i = 0; i < n_dims; i++)
    found[i] = block_threads_along(g, i);
  found[1] = block_rows_of(g, found[1]);
  uint32_t threads = found[0] * found[1]; // 2^20 at most
  if (threads == 0 || threads > CU_MOST_THREADS || found[2] == 0 ||
      threads * found[2] > CU_MOST_THREADS)
    return false;
  memcpy(block, found, sizeof found);
  return true;
}

// What all primitives of the block are made for; 0: there are none, or others.
static uint32_t team_of(const Guess *g) {
  uint32_t team = 0;
  for (uint32_t i = 0; i < g->shape.n_teams; i++) {
    uint32_t other = block_constant_of(g, g->shape.teams[i]);
    if (other == 0 || (team > 0 && other != team))
      return 0;
    team = other;
  }
  return team;
}

bool cu_block_is_shown(CuContext *cu, const CxDecl *kernel, CuScope *scope,
                       const uint32_t block[3]) {
  Guess g = {.cu = cu, .kernel = (CxDecl *)(uintptr_t)kernel, .scope = scope};
  bool is_any = false;
  cx_find_shape(cu->tree, kernel, &g.shape);
  if (team_of(&g) == block[0] && block[1] == 1 && block[2] == 1)
    return true;
  for (int axis = 0; axis < 3; axis++) {
    bool has_stride = false, is_shown = false;
    for (uint32_t i = 0; i < g.shape.n_strides; i++) {
      bool is_own = g.shape.stride_axes[i] == axis;
      has_stride |= is_own;
      is_shown |=
          is_own && block_constant_of(&g, g.shape.strides[i]) == block[axis];
    }
    if (has_stride && !is_shown)
      return false;
    is_any |= is_shown;
  }
  return is_any;
}

bool cu_guess_block(CuContext *cu, const CxDecl *kernel, CuScope *scope,
                    uint32_t block[3]) {
  static const uint32_t usual[3][3] = {{256, 1, 1}, {16, 16, 1}, {8, 8, 4}};
  Guess g = {.cu = cu, .kernel = (CxDecl *)(uintptr_t)kernel, .scope = scope};
  cx_find_shape(cu->tree, kernel, &g.shape);
  int n_dims = g.shape.uses[2] ? 3 : g.shape.uses[1] ? 2 : 1;
  memcpy(block, usual[n_dims - 1], sizeof usual[0]);
  if (n_dims == 1) {
    uint32_t stride = block_stride_of(&g, 0), team = team_of(&g);
    if (team > 0) {
      block[0] = team;
      return true;
    }
    if (block_from_rows(&g, block))
      return true;
    if (stride >= LEAST_ROW && stride % LEAST_ROW == 0)
      block[0] = stride;
    return false;
  }
  for (uint32_t i = 0; i < g.shape.n_tiles; i++) {
    uint32_t found[3] = {1, 1, 1};
    if (from_tile(&g, &g.shape.tiles[i], n_dims, found)) {
      memcpy(block, found, sizeof found);
      return true;
    }
  }
  (void)block_from_strides(&g, n_dims, block);
  return false;
}

bool cu_fold_block(CuContext *cu, const CxDecl *kernel, CuScope *scope,
                   uint32_t block[3]) {
  uint32_t guess[3], n = block[0];
  CxShape shape = {.n_tiles = 0};
  cx_find_shape(cu->tree, kernel, &shape);
  if (!shape.uses[1] && !shape.uses[2])
    return false;
  cu_guess_block(cu, kernel, scope, guess);
  if (guess[0] * guess[1] * guess[2] != n) {
    uint32_t row = n % guess[0] == 0 ? guess[0] : n % 16 == 0 ? 16 : 1;
    guess[0] = row;
    guess[1] = n / row;
    guess[2] = 1;
  }
  memcpy(block, guess, sizeof guess);
  return true;
}
