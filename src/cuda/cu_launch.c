// SPDX-License-Identifier: Apache-2.0
// Host code is not understood; only variables before a launch whose
// initialisers are constant, and the configuration itself, are looked at. What
// isn't plain gives nothing.
#include "cuda/cu_launch.h"

#include "cuda/cu_report.h"
#include "cuda/cu_scope.h"
#include "cuda/cu_value.h"
#include "cuda/cx_parse.h"

#include <string.h>

typedef struct {
  const char *name;
  bool is_known;
  uint32_t dims[3];
} Dim3;

typedef struct {
  CuContext *cu;
  const CxLaunch *launch;
  int64_t limit; // of a dimension
  hd_vec(Dim3) dims;
} LaunchReader;

static CxExpr *parse(LaunchReader *reader, CxTokens tokens) {
  CuContext *cu = reader->cu;
  if (tokens.begin >= tokens.end)
    return NULL;
  Span span = cx_tokens_span(cu->tree, tokens);
  if (span.end - span.begin > 1000)
    return NULL;
  const char *text = arena_strndup(
      cu->arena, source_text(cu->source) + span.begin, span.end - span.begin);
  const char *why = NULL;
  return cx_parse_text(cu->tree, reader->launch->function, text, span, &why);
}

static bool constant(LaunchReader *reader, const CxExpr *expr, int64_t *out) {
  if (!expr)
    return false;
  CuValue value = cu_try_constant(reader->cu, expr);
  *out = value.constant.i;
  return value.constant.kind == CU_CONST_INT;
}

static bool one_dim(LaunchReader *reader, const CxExpr *expr, uint32_t *out) {
  int64_t value = 0;
  if (!constant(reader, expr, &value) || value < 1 || value > reader->limit)
    return false;
  *out = (uint32_t)value;
  return true;
}

static bool dims_of_list(LaunchReader *reader, CxExpr **args, uint32_t count,
                         uint32_t dims[3]) {
  dims[0] = dims[1] = dims[2] = 1;
  bool is_known = count >= 1 && count <= 3;
  for (uint32_t i = 0; is_known && i < count; i++)
    is_known = one_dim(reader, args[i], &dims[i]);
  return is_known;
}

static const Dim3 *find(const LaunchReader *reader, const CxExpr *expr) {
  if (expr->kind != CX_EXPR_NAME || expr->u.name->n_parts != 1)
    return NULL;
  for (uint32_t i = reader->dims.count; i > 0; i--) {
    if (reader->dims.data[i - 1].name == expr->u.name->parts[0].name)
      return &reader->dims.data[i - 1];
  }
  return NULL;
}

static bool is_dim3(const CxExpr *callee) {
  const CxName *name = callee->kind == CX_EXPR_NAME ? callee->u.name : NULL;
  const char *last = name ? name->parts[name->n_parts - 1].name : NULL;
  return last && strcmp(last, "dim3") == 0;
}

static bool dims_of(LaunchReader *reader, CxExpr *expr, uint32_t dims[3]) {
  if (!expr)
    return false;
  const Dim3 *known = find(reader, expr);
  if (known) {
    memcpy(dims, known->dims, sizeof known->dims);
    return known->is_known;
  }
  if (expr->kind == CX_EXPR_CALL && is_dim3(expr->u.call.callee))
    return dims_of_list(reader, expr->u.call.args.data, expr->u.call.args.count,
                        dims);
  if (expr->kind == CX_EXPR_CONSTRUCT) {
    const CxExprList *args = &expr->u.construct.args;
    bool is_list = args->count == 1 && args->data[0]->kind == CX_EXPR_INIT_LIST;
    if (!is_list)
      return dims_of_list(reader, args->data, args->count, dims);
    expr = args->data[0];
  }
  if (expr->kind == CX_EXPR_INIT_LIST) {
    CxExpr *items[3] = {0};
    uint32_t n = expr->u.init_list.n_items;
    for (uint32_t i = 0; i < n && i < 3; i++)
      items[i] = expr->u.init_list.items[i].value;
    return dims_of_list(reader, items, n, dims);
  }
  if (expr->kind == CX_EXPR_COMMA) // the inside of dim3 b(16, 16)
    return dims_of_list(reader, expr->u.list.data, expr->u.list.count, dims);
  return dims_of_list(reader, &expr, 1, dims);
}

static void read_variable(LaunchReader *reader, const CxHostVar *variable) {
  CuContext *cu = reader->cu;
  CxExpr *init = parse(reader, variable->init);
  Dim3 dims = {.name = variable->name};
  if (variable->type && strcmp(variable->type, "dim3") == 0) {
    dims.is_known = dims_of(reader, init, dims.dims);
    VEC_PUSH(cu->arena, &reader->dims, dims);
    return;
  }
  int64_t value = 0;
  bool is_known = constant(reader, init, &value);
  // What isn't known hides what was known before.
  cu_push_block(cu);
  CuEntity *entity =
      cu_declare(cu, cu->scope, is_known ? CU_ENTITY_VALUE : CU_ENTITY_UNKNOWN,
                 variable->name, NULL);
  entity->type = cu_basic(&cu->types, CU_LONG);
  entity->value = cu_const_int(value);
  bool is_auto_dim3 = !is_known && init && init->kind != CX_EXPR_NAME &&
                      dims_of(reader, init, dims.dims);
  if (is_auto_dim3) {
    dims.is_known = true;
    VEC_PUSH(cu->arena, &reader->dims, dims);
  }
}

static bool read_launch(CuContext *cu, const CxLaunch *launch, CxTokens part,
                        int64_t limit, uint32_t dims[3]) {
  LaunchReader reader = {.cu = cu, .launch = launch, .limit = limit};
  CuScope *before =
      cu_set_scope(cu, cu_new_scope(cu, CU_SCOPE_BLOCK, cu->global));
  uint32_t first = launch->n_vars > 64 ? launch->n_vars - 64 : 0;
  for (uint32_t i = first; i < launch->n_vars; i++)
    read_variable(&reader, &launch->vars[i]);
  bool is_known = dims_of(&reader, parse(&reader, part), dims);
  cu_set_scope(cu, before);
  return is_known;
}

bool cu_launch_block(CuContext *cu, const CxLaunch *launch, uint32_t block[3]) {
  return read_launch(cu, launch, launch->block, 1024, block) &&
         block[0] * block[1] * block[2] <= 1024;
}

bool cu_launch_grid(CuContext *cu, const CxLaunch *launch, uint32_t grid[3]) {
  return read_launch(cu, launch, launch->grid, INT32_MAX, grid);
}

bool cu_bound_block(CuContext *cu, const CxDecl *kernel, uint32_t block[3]) {
  const CxExprList *bounds = &kernel->u.function.launch_bounds;
  block[1] = block[2] = 1;
  if (bounds->count == 0)
    return false;
  CuValue value = cu_try_constant(cu, bounds->data[0]);
  block[0] = (uint32_t)value.constant.i;
  return value.constant.kind == CU_CONST_INT && value.constant.i >= 1 &&
         value.constant.i <= 1024;
}
