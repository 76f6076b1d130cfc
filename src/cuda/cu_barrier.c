// SPDX-License-Identifier: Apache-2.0
// cuda::barrier: its count is set when the kernel runs in CUDA, and part of the
// declaration in Heddle C.
#include "cuda/cu_function.h"
#include "cuda/cu_names.h"
#include "cuda/cu_report.h"
#include "cuda/cu_tree.h"

#include <string.h>

static CuName *barrier_name(const CuContext *cu, const Expr *expr) {
  while (expr->kind == EXPR_INDEX || expr->kind == EXPR_BINARY)
    expr = expr->kind == EXPR_INDEX ? expr->u.index.base : expr->u.binary.left;
  return cu_outermost_name(cu, expr);
}

// block_dim().x is the parameter block_dim_x.
static bool resolve_dim(CuContext *cu, Expr **place) {
  const Expr *expr = *place, *base = expr->u.member.base;
  bool is_dim = base->kind == EXPR_CALL &&
                base->u.call.callee->kind == EXPR_NAME &&
                strcmp(base->u.call.callee->u.name, "block_dim") == 0;
  int index = expr->u.member.name[0] - 'x';
  if (!is_dim || index < 0 || index > 2)
    return false;
  *place = cu_name_expr(cu, cu->block_dims[index], expr->span);
  return true;
}

// Local names stand for their initialisers: the count is a part of the
// declaration, which stands before them.
static bool resolve_names(CuContext *cu, Expr **place, uint32_t depth) {
  Expr *expr = *place;
  switch ((int)expr->kind) {
  case EXPR_INT: return true;
  case EXPR_NAME: {
    CuName *name = map_get(&cu->named, MAP_KEY(expr));
    if (!name || !name->is_local)
      return true;
    const Decl *decl = name->decl;
    if (!decl || depth > 16 || decl->kind != DECL_VAR || !decl->u.var.init)
      return false;
    *place = cu_clone(cu, decl->u.var.init, expr->span);
    return resolve_names(cu, place, depth + 1);
  }
  case EXPR_UNARY: return resolve_names(cu, &expr->u.unary.operand, depth);
  case EXPR_CAST: return resolve_names(cu, &expr->u.cast.operand, depth);
  case EXPR_MEMBER: return resolve_dim(cu, place);
  case EXPR_BINARY:
    return resolve_names(cu, &expr->u.binary.left, depth) &&
           resolve_names(cu, &expr->u.binary.right, depth);
  case EXPR_CONDITIONAL:
    return resolve_names(cu, &expr->u.conditional.condition, depth) &&
           resolve_names(cu, &expr->u.conditional.if_true, depth) &&
           resolve_names(cu, &expr->u.conditional.if_false, depth);
  case EXPR_CALL:
    for (uint32_t i = 0; i < expr->u.call.args.count; i++) {
      if (!resolve_names(cu, &expr->u.call.args.data[i], depth))
        return false;
    }
    return true;
  default: return false;
  }
}

const CuType *cu_barrier_record(CuContext *cu) {
  if (!cu->barrier_type) {
    CuRecord *record = ARENA_NEW(cu->arena, CuRecord);
    CuType *type = cu_new_type(&cu->types, CU_RECORD);
    type->u.record = record;
    record->type = type;
    record->shown = record->suffix = "barrier";
    record->opaque = CU_OPAQUE_BARRIER;
    record->is_complete = true;
    cu->barrier_type = type;
  }
  return cu->barrier_type;
}

bool cu_resolve_count(CuContext *cu, Expr **place) {
  return resolve_names(cu, place, 0);
}

TypeSyntax *cu_barrier_type(const Decl *decl) {
  TypeSyntax *type = decl->type;
  while (type->kind == TYPE_ARRAY)
    type = type->u.array.element;
  return type->kind == TYPE_MBARRIER ? type : NULL;
}

CuValue cu_barrier_init(CuContext *cu, CuValues args, Span span) {
  const CuType *nothing = cu_basic(&cu->types, CU_VOID);
  CuValue barrier = cu_decay(cu, args.data[0]), count = args.data[1];
  if (!barrier.expr || !count.expr)
    return cu_poison(cu, span);
  CuName *name = barrier_name(cu, barrier.expr);
  TypeSyntax *type = name && name->decl ? cu_barrier_type(name->decl) : NULL;
  Expr *made = cu_clone(cu, count.expr, span);
  if (!type || !resolve_names(cu, &made, 0)) {
    cu_unsupported(cu, span, "this way to initialise a barrier",
                   "call init(&b, n) in the kernel that declares b, with a "
                   "constant n or the size of the block");
    return cu_poison(cu, span);
  }
  bool differs = type->u.expr && type->u.expr->kind == EXPR_INT &&
                 made->kind == EXPR_INT &&
                 made->u.int_lit.value != type->u.expr->u.int_lit.value;
  if (differs) {
    cu_unsupported(cu, span, "barriers of one array with different counts",
                   "declare them one by one");
    return cu_poison(cu, span);
  }
  type->u.expr = made;
  return cu_rvalue(nothing, NULL, span);
}
