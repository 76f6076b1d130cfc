// SPDX-License-Identifier: Apache-2.0
// for (T x : array), and static assertions.
#include "cuda/cu_function.h"
#include "cuda/cu_local.h"
#include "cuda/cu_report.h"
#include "cuda/cu_resolve.h"
#include "cuda/cu_scope.h"
#include "cuda/cu_tree.h"

static Stmt *counting_loop(CuContext *cu, const CxStmt *stmt,
                           CuVariable *counter, int64_t extent) {
  Span span = stmt->keyword;
  const CuType *type = cu_basic(&cu->types, CU_INT);
  Stmt *made = cu_new_stmt(cu, STMT_FOR, stmt->span, stmt->keyword);
  Decl *decl = cu_new_decl(cu, DECL_VAR, counter->name, span, span);
  decl->type = cu_emit_type(cu, type, span);
  decl->u.var.init = cu_int_expr(cu, type, 0, span);
  made->u.loop.init = cu_decl_stmt(cu, decl);
  made->u.loop.condition =
      cu_binary(cu, BINARY_LT, cu_name_expr(cu, counter->name, span),
                cu_int_expr(cu, type, extent, span), span);
  made->u.loop.step =
      cu_unary(cu, UNARY_POST_INC, cu_name_expr(cu, counter->name, span), span);
  made->u.loop.header = span;
  made->u.loop.unroll.is_present = stmt->u.range_for.unroll.is_present;
  made->u.loop.unroll.span = stmt->u.range_for.unroll.span;
  return made;
}

static void declare_item(CuContext *cu, CxDecl *decl, CuValue item) {
  const CuType *type = cu_has_auto(decl->type)
                           ? cu_deduce_auto(cu, decl->type, item.type, true)
                           : cu_resolve_type(cu, decl->type);
  CuVariable *variable = cu_new_local(cu, decl->name, type);
  if (type->kind == CU_REFERENCE) {
    variable->holds = CU_HOLDS_SUBSTITUTE;
    variable->substitute = cu_convert(cu, item, type, "reference");
  } else {
    cu_add_local(cu, variable, cu_convert(cu, item, type, "a copy").expr,
                 decl->span);
  }
  cu_declare_local(cu, variable, decl->name, decl);
}

void cu_range_for(CuContext *cu, const CxStmt *stmt) {
  CuValue range = cu_operand(cu, stmt->u.range_for.range);
  if (cu_is_poisoned(&range))
    return;
  bool fits = cu_is(range.type, CU_ARRAY) && range.type->u.array.extent > 0 &&
              stmt->u.range_for.variable->kind == CX_DECL_VAR &&
              !cu_has_effect(range.expr);
  if (!fits) {
    cu_unsupported(cu, stmt->keyword, "a loop over what is no array",
                   "write a loop over its indices");
    return;
  }
  cu_push_block(cu);
  const CuType *type = cu_basic(&cu->types, CU_INT);
  CuVariable *counter = cu_new_local(cu, "i", type);
  Stmt *made = counting_loop(cu, stmt, counter, range.type->u.array.extent);
  CuStmtVec items = {0};
  CuStmtVec *before = cu->frame->statements;
  cu->frame->statements = &items;
  cu_push_block(cu);
  CuValue index = cu_variable_value(cu, counter, stmt->keyword);
  declare_item(cu, stmt->u.range_for.variable,
               cu_index_of(cu, range, index, stmt->keyword));
  cu_statement(cu, stmt->u.range_for.body);
  cu_pop_block(cu);
  cu->frame->statements = before;
  made->u.loop.body = cu_block(cu, &items, stmt->u.range_for.body->span);
  cu_pop_block(cu);
  cu_add_stmt(cu, made);
}

void cu_static_assert(CuContext *cu, const CxDecl *decl) {
  const CxExpr *condition = decl->u.static_assertion.condition;
  CuValue value = cu_try_constant(cu, condition);
  if (value.constant.kind == CU_NOT_CONST) {
    CU_ERROR(cu, condition->span, not_constant, DS("a static assertion"));
    return;
  }
  bool holds = value.constant.kind == CU_CONST_INT ? value.constant.i != 0
                                                   : value.constant.f != 0;
  if (holds)
    return;
  const CxExpr *message = decl->u.static_assertion.message;
  CU_ERROR(
      cu, decl->span, static_assertion,
      DS(message ? cu_format(cu, ": %s", message->u.string_lit.bytes) : ""));
}
