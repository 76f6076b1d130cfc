// SPDX-License-Identifier: Apache-2.0
#include "convert/convert.h"

#include "base/bits.h"
#include "base/panic.h"
#include "convert/convert_uses.h"
#include "cuda/cuda.h"
#include "syntax/parse.h"

#include <string.h>

Decl *convert_kernel(const Conversion *cx) {
  return cx->unit->decls.data[cx->position];
}

DeclList *convert_params(const Conversion *cx) {
  return &convert_kernel(cx)->type->u.function.params;
}

// ------------------------------------------------------------------- nodes

static Expr *convert_tree_new_expr(Conversion *cx, ExprKind kind, Span span) {
  Expr *expr = ARENA_NEW(cx->arena, Expr);
  expr->kind = kind;
  expr->id = ++cx->unit->n_nodes;
  expr->span = span;
  expr->depth = 1;
  return expr;
}

static Expr *new_name(Conversion *cx, const char *name, Span span) {
  Expr *expr = convert_tree_new_expr(cx, EXPR_NAME, span);
  expr->u.name = intern_cstr(cx->program->names, name);
  return expr;
}

static Expr *new_int(Conversion *cx, uint64_t value, Span span) {
  Expr *expr = convert_tree_new_expr(cx, EXPR_INT, span);
  expr->u.int_lit.value = value;
  expr->u.int_lit.base = 10;
  return expr;
}

static Expr *new_product(Conversion *cx, const char *const *factors,
                         Span span) {
  Expr *product = new_name(cx, factors[0], span);
  for (int i = 1; factors[i]; i++) {
    Expr *expr = convert_tree_new_expr(cx, EXPR_BINARY, span);
    expr->depth = (uint16_t)(product->depth + 1);
    expr->operator_span = span;
    expr->u.binary.op = BINARY_MUL;
    expr->u.binary.left = product;
    expr->u.binary.right = new_name(cx, factors[i], span);
    product = expr;
  }
  return product;
}

static void *copy_of(Conversion *cx, const void *data, size_t size_bytes) {
  return arena_copy(cx->arena, data, size_bytes);
}

void convert_own_kernel(Conversion *cx) {
  DeclList *decls = &cx->unit->decls;
  decls->data =
      copy_of(cx, decls->data, (size_t)decls->count * sizeof *decls->data);
  Decl *kernel = copy_of(cx, convert_kernel(cx), sizeof *kernel);
  TypeSyntax *type = copy_of(cx, kernel->type, sizeof *type);
  DeclList *params = &type->u.function.params;
  Decl **all =
      ARENA_ARRAY(cx->arena, Decl *, params->count + 1); // and one more
  for (uint32_t i = 0; i < params->count; i++)
    all[i] = params->data[i];
  params->data = all;
  kernel->type = type;
  decls->data[cx->position] = kernel;
}

// ----------------------------------------------------------------- extents

void convert_set_extent(Conversion *cx, uint32_t index,
                        const char *const *factors) {
  DeclList *params = convert_params(cx);
  HD_ASSERT(index < params->count && factors[0]);
  Decl *param = copy_of(cx, params->data[index], sizeof *param);
  const TypeSyntax *pointer = param->type;
  TypeSyntax *array = ARENA_NEW(cx->arena, TypeSyntax);
  array->kind = TYPE_ARRAY;
  array->id = ++cx->unit->n_nodes;
  array->span = array->u.array.brackets = pointer->span;
  array->depth = pointer->depth;
  array->u.array.element = pointer->u.pointer.pointee;
  array->u.array.extent = new_product(cx, factors, pointer->span);
  param->type = array;
  params->data[index] = param;
}

void convert_drop_const(Conversion *cx, uint32_t index) {
  DeclList *params = convert_params(cx);
  HD_ASSERT(index < params->count);
  Decl *param = copy_of(cx, params->data[index], sizeof *param);
  TypeSyntax **at = &param->type;
  for (;;) {
    TypeSyntax *type = copy_of(cx, *at, sizeof *type);
    type->quals &= ~(unsigned)QUAL_CONST;
    *at = type;
    if (type->kind != TYPE_ARRAY)
      break;
    at = &type->u.array.element;
  }
  params->data[index] = param;
}

// --------------------------------------------------------------- alignment

void convert_require_aligned(Conversion *cx, const char *param,
                             uint32_t align_bytes) {
  HD_ASSERT(bits_is_power(align_bytes));
  ClauseList *clauses = &convert_kernel(cx)->u.function.clauses;
  Span span = convert_kernel(cx)->name_span;
  Expr *call = convert_tree_new_expr(cx, EXPR_CALL, span);
  call->depth = 2;
  call->u.call.callee = new_name(cx, "aligned", span);
  call->u.call.args.data = ARENA_ARRAY(cx->arena, Expr *, 2);
  call->u.call.args.count = 2;
  call->u.call.args.data[0] = new_name(cx, param, span);
  call->u.call.args.data[1] = new_int(cx, align_bytes, span);
  Clause clause = {.kind = CLAUSE_REQUIRES, .span = span};
  clause.args.data = ARENA_ARRAY(cx->arena, Expr *, 1);
  clause.args.data[clause.args.count++] = call;
  Clause *data = ARENA_ARRAY(cx->arena, Clause, clauses->count + 1);
  if (clauses->count)
    memcpy(data, clauses->data, clauses->count * sizeof *data);
  data[clauses->count++] = clause;
  clauses->data = data;
}

// ------------------------------------------------------------------ blocks

static int find_block_param(const Conversion *cx, int axis) {
  const DeclList *params = convert_params(cx);
  for (uint32_t i = 0; i < params->count; i++) {
    const char *name = params->data[i]->name;
    if (name && strcmp(name, cuda_block_param(axis)) == 0)
      return (int)i;
  }
  return -1;
}

static void drop_param(Conversion *cx, int index) {
  DeclList *params = convert_params(cx);
  params->count--;
  memmove(&params->data[index], &params->data[index + 1],
          (params->count - (uint32_t)index) * sizeof *params->data);
}

static bool is_block_param(const Decl *param) {
  for (int axis = 0; axis < 3 && param->name; axis++)
    if (strcmp(param->name, cuda_block_param(axis)) == 0)
      return true;
  return false;
}

// The kernel without what says the size of its blocks.
static void leave_block_out(const Conversion *cx, Decl *kernel,
                            TypeSyntax *type) {
  const DeclList params = type->u.function.params;
  const ClauseList clauses = kernel->u.function.clauses;
  DeclList *kept = &type->u.function.params;
  ClauseList *others = &kernel->u.function.clauses;
  kept->data = ARENA_ARRAY(cx->arena, Decl *, params.count + 1);
  others->data = ARENA_ARRAY(cx->arena, Clause, clauses.count + 1);
  kept->count = others->count = 0;
  for (uint32_t i = 0; i < params.count; i++)
    if (!is_block_param(params.data[i]))
      kept->data[kept->count++] = params.data[i];
  for (uint32_t i = 0; i < clauses.count; i++)
    if (clauses.data[i].kind != CLAUSE_THREADS)
      others->data[others->count++] = clauses.data[i];
}

// Of all but the other kernels, and what this one says of its blocks.
static BlockUses uses_of_block(const Conversion *cx) {
  BlockUses uses = {0};
  Decl kernel = *convert_kernel(cx);
  TypeSyntax type = *kernel.type;
  for (uint32_t i = 0; i < cx->unit->decls.count; i++)
    if (cx->unit->decls.data[i]->kind != DECL_KERNEL)
      convert_add_uses(&uses, cx->unit->decls.data[i]);
  leave_block_out(cx, &kernel, &type);
  kernel.type = &type;
  convert_add_uses(&uses, &kernel);
  return uses;
}

static Clause *convert_tree_find_clause(const Conversion *cx, ClauseKind kind) {
  ClauseList *clauses = &convert_kernel(cx)->u.function.clauses;
  for (uint32_t i = 0; i < clauses->count; i++) {
    if (clauses->data[i].kind == kind)
      return &clauses->data[i];
  }
  return NULL;
}

static bool convert_tree_is_one(const Expr *expr) {
  return expr && expr->kind == EXPR_INT && expr->u.int_lit.value == 1;
}

// The clause's argument for a dimension that is a parameter becomes its value.
static void make_literal(Conversion *cx, Clause *threads, int axis, int param) {
  const Expr *value = convert_params(cx)->data[param]->u.param.init;
  Span span = threads->span;
  threads->args.data[axis] = new_int(cx, value->u.int_lit.value, span);
  drop_param(cx, param);
}

void convert_block(Conversion *cx, BlockOrigin origin) {
  bool is_guess = origin != BLOCK_KNOWN;
  ClauseList *clauses = &convert_kernel(cx)->u.function.clauses;
  clauses->data = copy_of(cx, clauses->data,
                          (size_t)clauses->count * sizeof *clauses->data);
  Clause *threads = convert_tree_find_clause(cx, CLAUSE_THREADS);
  if (!threads || threads->args.count != 3)
    return;
  threads->args.data =
      copy_of(cx, threads->args.data, 3 * sizeof *threads->args.data);
  if (origin == BLOCK_ANY)
    threads->remark = "a guess: the CUDA file doesn't state it";
  const BlockUses uses = uses_of_block(cx);
  bool has_grid = convert_tree_find_clause(cx, CLAUSE_GRID) != NULL;
  for (int axis = 2; axis >= 0; axis--) {
    int param = find_block_param(cx, axis);
    const Expr *value =
        param >= 0 ? convert_params(cx)->data[param]->u.param.init : NULL;
    bool is_needed =
        uses.names_dims && (axis == 0 || !convert_tree_is_one(value));
    is_needed &= !has_grid; // which belongs to this size
    is_needed |= uses.dim_params[axis];
    is_needed |= is_guess && uses.indices[axis];
    if (value && value->kind == EXPR_INT && !is_needed &&
        !(is_guess && axis == 0))
      make_literal(cx, threads, axis, param);
  }
  while (threads->args.count > 1 &&
         convert_tree_is_one(threads->args.data[threads->args.count - 1]))
    threads->args.count--;
}
