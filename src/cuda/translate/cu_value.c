// SPDX-License-Identifier: Apache-2.0
// Values and what is asked of them.
#include "cuda/form/cu_value.h"

#include "cuda/form/cu_local.h"
#include "cuda/form/cu_names.h"
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_space.h"
#include "cuda/form/cu_spot.h"
#include "cuda/form/cu_tree.h"

CuValue cu_poison(CuContext *cu, Span span) {
  if (!cu->reports.silent && cu->reports.n_errors == 0 &&
      cu->reports.first_poison.end == 0)
    cu->reports.first_poison = span;
  cu->reports.failed = true;
  return (CuValue){.type = cu_basic(&cu->types, CU_POISON), .span = span};
}

bool cu_is_poisoned(const CuValue *value) {
  return cu_is_poison(value->type);
}

CuValue cu_rvalue(const CuType *type, Expr *expr, Span span) {
  bool is_class = type->kind == CU_RECORD || type->kind == CU_ARRAY;
  return (CuValue){
      .type = is_class ? type : cu_plain(type), .expr = expr, .span = span};
}

CuValue cu_lvalue(const CuType *type, Expr *expr, Span span) {
  return (CuValue){.type = type, .expr = expr, .span = span, .is_lvalue = true};
}

CuValue cu_int_value(CuContext *cu, const CuType *type, int64_t value,
                     Span span) {
  CuValue made = cu_rvalue(type, cu_int_expr(cu, type, value, span), span);
  made.constant = cu_const_int(value);
  return made;
}

static CuValue substituted(CuContext *cu, const CuVariable *variable,
                           Span span) {
  CuValue value = variable->substitute;
  if (value.expr)
    value.expr = cu_clone(cu, value.expr, span);
  value.span = span;
  value.type = cu_referred(variable->type);
  return value;
}

CuValue cu_variable_value(CuContext *cu, CuVariable *variable, Span span) {
  const CuType *type = cu_referred(variable->type);
  CuValue value = {.type = type, .span = span, .is_lvalue = true};
  switch (variable->holds) {
  case CU_HOLDS_CLOSURE:
    if (type->kind != CU_ARRAY && !variable->which)
      break;
    cu_unsupported(cu, span,
                   variable->which ? "a choice of functions as a value"
                                   : "a table of functions as a value",
                   "call one of its functions");
    return cu_poison(cu, span);
  case CU_HOLDS_SUBSTITUTE: return substituted(cu, variable, span);
  case CU_HOLDS_POINTER:
    value.expr = cu_deref(cu, cu_name_expr(cu, variable->name, span), span);
    break;
  case CU_HOLDS_VALUE:
    if (variable->is_constexpr) {
      value.expr = cu_int_literal(cu, 0, span);
      value.constant = variable->constant;
      break;
    }
    value.expr = cu_name_expr(cu, variable->name, span);
    value.constant = variable->constant;
    break;
  }
  value.variable = variable;
  value.spot = cu_spot_of_variable(cu, variable);
  cu_note_volatile(cu, &value);
  if (variable->seen_as)
    value = cu_upcast(cu, value, variable->seen_as, span);
  return value;
}

// ---------------------------------------------------------------- questions

bool cu_is_repeatable(const Expr *expr) {
  switch ((int)expr->kind) {
  case EXPR_INT:
  case EXPR_FLOAT:
  case EXPR_CHAR:
  case EXPR_BOOL:
  case EXPR_NAME:
  case EXPR_STRING:
  case EXPR_SIZEOF_TYPE: return true;
  case EXPR_CAST: return cu_is_repeatable(expr->u.cast.operand);
  case EXPR_MEMBER: return cu_is_repeatable(expr->u.member.base);
  case EXPR_UNARY:
    return expr->u.unary.op < UNARY_PRE_INC &&
           cu_is_repeatable(expr->u.unary.operand);
  case EXPR_CALL: // block_dim() and the like
    return expr->u.call.args.count == 0 &&
           expr->u.call.callee->kind == EXPR_NAME;
  default: return false;
  }
}

static bool any_effect(const ExprList *list) {
  for (uint32_t i = 0; i < list->count; i++) {
    if (cu_has_effect(list->data[i]))
      return true;
  }
  return false;
}

bool cu_has_effect(const Expr *expr) {
  switch ((int)expr->kind) {
  case EXPR_UNARY:
    return expr->u.unary.op >= UNARY_PRE_INC ||
           cu_has_effect(expr->u.unary.operand);
  case EXPR_BINARY:
    return cu_has_effect(expr->u.binary.left) ||
           cu_has_effect(expr->u.binary.right);
  case EXPR_CONDITIONAL:
    return cu_has_effect(expr->u.conditional.condition) ||
           cu_has_effect(expr->u.conditional.if_true) ||
           cu_has_effect(expr->u.conditional.if_false);
  case EXPR_COMMA: return any_effect(&expr->u.list);
  case EXPR_CAST: return cu_has_effect(expr->u.cast.operand);
  case EXPR_MEMBER: return cu_has_effect(expr->u.member.base);
  case EXPR_INDEX:
    for (uint32_t i = 0; i < expr->u.index.n_subscripts; i++) {
      const Expr *index = expr->u.index.subscripts[i].index;
      if (index && cu_has_effect(index))
        return true;
    }
    return cu_has_effect(expr->u.index.base);
  case EXPR_COMPOUND: return cu_has_effect(expr->u.compound.init);
  case EXPR_INIT_LIST:
    for (uint32_t i = 0; i < expr->u.init_list.n_items; i++) {
      if (cu_has_effect(expr->u.init_list.items[i].value))
        return true;
    }
    return false;
  case EXPR_INT:
  case EXPR_FLOAT:
  case EXPR_CHAR:
  case EXPR_STRING:
  case EXPR_BOOL:
  case EXPR_NAME:
  case EXPR_SIZEOF_EXPR:
  case EXPR_SIZEOF_TYPE: return false;
  default: return true; // calls, assignments
  }
}

static bool any_read(const ExprList *list) {
  for (uint32_t i = 0; i < list->count; i++) {
    if (cu_reads_memory(list->data[i]))
      return true;
  }
  return false;
}

bool cu_reads_memory(const Expr *expr) {
  switch ((int)expr->kind) {
  case EXPR_INDEX: return true;
  case EXPR_UNARY:
    if (expr->u.unary.op == UNARY_DEREF)
      return true;
    return expr->u.unary.op == UNARY_ADDRESS
               ? cu_place_reads(expr->u.unary.operand)
               : cu_reads_memory(expr->u.unary.operand);
  case EXPR_BINARY:
    return cu_reads_memory(expr->u.binary.left) ||
           cu_reads_memory(expr->u.binary.right);
  case EXPR_CONDITIONAL:
    return cu_reads_memory(expr->u.conditional.condition) ||
           cu_reads_memory(expr->u.conditional.if_true) ||
           cu_reads_memory(expr->u.conditional.if_false);
  case EXPR_COMMA: return any_read(&expr->u.list);
  case EXPR_CAST: return cu_reads_memory(expr->u.cast.operand);
  case EXPR_MEMBER:
    return expr->u.member.is_arrow || cu_reads_memory(expr->u.member.base);
  case EXPR_COMPOUND: return cu_reads_memory(expr->u.compound.init);
  case EXPR_INIT_LIST:
    for (uint32_t i = 0; i < expr->u.init_list.n_items; i++) {
      if (cu_reads_memory(expr->u.init_list.items[i].value))
        return true;
    }
    return false;
  default: return false;
  }
}

bool cu_place_reads(const Expr *place) {
  switch ((int)place->kind) {
  case EXPR_INDEX:
    for (uint32_t i = 0; i < place->u.index.n_subscripts; i++) {
      const Expr *index = place->u.index.subscripts[i].index;
      if (index && cu_reads_memory(index))
        return true;
    }
    return cu_place_reads(place->u.index.base);
  case EXPR_MEMBER:
    return place->u.member.is_arrow ? cu_reads_memory(place->u.member.base)
                                    : cu_place_reads(place->u.member.base);
  case EXPR_UNARY:
    return place->u.unary.op == UNARY_DEREF &&
           cu_reads_memory(place->u.unary.operand);
  default: return false;
  }
}

// ---------------------------------------------------------------- temporaries

CuValue cu_temporary(CuContext *cu, CuValue value, const char *wanted) {
  CuVariable *variable = cu_new_local(cu, wanted, cu_plain(value.type));
  cu_add_local(cu, variable, value.expr, value.span);
  return cu_variable_value(cu, variable, value.span);
}
