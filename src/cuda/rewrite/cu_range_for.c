// SPDX-License-Identifier: Apache-2.0
// for (T x : range), and static assertions.
#include "cuda/form/cu_address.h"
#include "cuda/form/cu_body.h"
#include "cuda/form/cu_local.h"
#include "cuda/form/cu_pack.h"
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_resolve.h"
#include "cuda/form/cu_scope.h"
#include "cuda/form/cu_tree.h"

Stmt *cu_counting_loop(CuContext *cu, CuVariable *counter, int64_t from,
                       int64_t to, Span loop, Span span) {
  const CuType *type = cu_basic(&cu->types, CU_INT);
  Stmt *made = cu_new_stmt(cu, STMT_FOR, loop, span);
  Decl *decl = cu_new_decl(cu, DECL_VAR, counter->name, span, span);
  decl->type = cu_emit_type(cu, type, span);
  decl->u.var.init = cu_int_expr(cu, type, from, span);
  made->u.loop.init = cu_decl_stmt(cu, decl);
  made->u.loop.condition =
      cu_binary(cu, BINARY_LT, cu_name_expr(cu, counter->name, span),
                cu_int_expr(cu, type, to, span), span);
  made->u.loop.step =
      cu_unary(cu, UNARY_POST_INC, cu_name_expr(cu, counter->name, span), span);
  made->u.loop.header = span;
  return made;
}

static void declare_item(CuContext *cu, CxDecl *decl, CuValue item) {
  const CuType *type = cu_has_auto(decl->type)
                           ? cu_deduce_auto(cu, decl->type, item.type, true)
                           : cu_resolve_type(cu, decl->type);
  if (type->kind == CU_REFERENCE && cu_is_bound_word(item.type, type->u.inner))
    type = cu_reference(&cu->types, item.type, false);
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

static void array_loop(CuContext *cu, const CxStmt *stmt, CuValue range) {
  const CuType *type = cu_basic(&cu->types, CU_INT);
  CuVariable *counter = cu_new_local(cu, "i", type);
  Stmt *made = cu_counting_loop(cu, counter, 0, range.type->u.array.extent,
                                stmt->span, stmt->keyword);
  made->u.loop.unroll.is_present = stmt->u.range_for.unroll.is_present;
  made->u.loop.unroll.span = stmt->u.range_for.unroll.span;
  CuStmtVec items = {0};
  CuStmtVec *before = cu->frame->statements;
  cu->frame->statements = &items;
  cu_push_block(cu);
  counter->is_changed = true;
  CuValue index = cu_variable_value(cu, counter, stmt->keyword);
  declare_item(cu, stmt->u.range_for.variable,
               cu_index_of(cu, range, index, stmt->keyword));
  cu->frame->n_loops++;
  cu_statement(cu, stmt->u.range_for.body);
  cu->frame->n_loops--;
  cu_pop_block(cu);
  cu->frame->statements = before;
  made->u.loop.body = cu_block(cu, &items, stmt->u.range_for.body->span);
  cu_add_stmt(cu, made);
}

// ---------------------------------------------------------------- iterators
//
// As C++ defines it: an ordinary `for` with two variables that no name of the
// source can mean.

static CxExpr *new_expr(CuContext *cu, CxExprKind kind, Span span) {
  CxExpr *expr = ARENA_NEW(cu->arena, CxExpr);
  expr->kind = kind;
  expr->span = expr->operator_span = span;
  return expr;
}

static const CxName *range_for_new_name(CuContext *cu, const char *word,
                                        Span span) {
  CxNamePart *part = ARENA_NEW(cu->arena, CxNamePart);
  part->name = intern_cstr(cu->names, word);
  part->span = span;
  CxName *name = ARENA_NEW(cu->arena, CxName);
  *name = (CxName){.span = span, .parts = part, .n_parts = 1};
  return name;
}

static CxExpr *name_expr(CuContext *cu, const char *word, Span span) {
  CxExpr *expr = new_expr(cu, CX_EXPR_NAME, span);
  expr->u.name = range_for_new_name(cu, word, span);
  return expr;
}

static CxExpr *unary_expr(CuContext *cu, UnaryOp op, const char *word,
                          Span span) {
  CxExpr *expr = new_expr(cu, CX_EXPR_UNARY, span);
  expr->u.unary.op = op;
  expr->u.unary.operand = name_expr(cu, word, span);
  return expr;
}

static bool range_for_has_member(CuContext *cu, const CuType *type,
                                 const char *name) {
  CuEntityVec found = {0};
  if (cu_is(type, CU_RECORD) && cu_complete_record(cu, type->u.record))
    cu_lookup_in(cu, type->u.record->scope, intern_cstr(cu->names, name),
                 &found);
  return found.count > 0;
}

// range.begin(), or begin(range); of an array where it is.
static CuValue range_for_bound_of(CuContext *cu, const CuType *type,
                                  const char *word, Span span) {
  CxExpr *range = name_expr(cu, ":range", span);
  if (cu_is(type, CU_ARRAY)) {
    CuValue first = cu_decay(cu, cu_expr(cu, range));
    bool is_end = word[0] == 'e';
    CuValue count = cu_int_value(cu, cu_basic(&cu->types, CU_INT),
                                 is_end ? type->u.array.extent : 0, span);
    return is_end ? cu_binary_of(cu, BINARY_ADD, first, count, span) : first;
  }
  CxExpr *call = new_expr(cu, CX_EXPR_CALL, span);
  if (range_for_has_member(cu, type, word)) {
    CxExpr *member = new_expr(cu, CX_EXPR_MEMBER, span);
    member->u.member.base = range;
    member->u.member.name = range_for_new_name(cu, word, span);
    call->u.call.callee = member;
  } else {
    CxExpr **args = ARENA_ARRAY(cu->arena, CxExpr *, 1);
    args[0] = range;
    call->u.call.callee = name_expr(cu, word, span);
    call->u.call.args = (CxExprList){args, 1};
  }
  return cu_operand(cu, call);
}

static bool declare_bound(CuContext *cu, const CuType *type, const char *word,
                          const char *hidden, Span span) {
  CuValue value = range_for_bound_of(cu, type, word, span);
  if (cu_is_poisoned(&value))
    return false;
  const CuType *own = cu_plain(cu_decayed(cu, value.type));
  CuVariable *variable = cu_new_local(cu, word, own);
  CuValue made = cu_convert(cu, value, own, "the range of a loop");
  if (cu_is_poisoned(&made))
    return false;
  cu_add_local(cu, variable, made.expr, span);
  cu_declare_local(cu, variable, intern_cstr(cu->names, hidden), NULL);
  return true;
}

// { T x = *begin; body }
static CxStmt *item_body(CuContext *cu, const CxStmt *stmt, Span span) {
  const CxDecl *written = stmt->u.range_for.variable;
  CxDecl *item = ARENA_NEW(cu->arena, CxDecl);
  *item = *written;
  CxExpr *value = unary_expr(cu, UNARY_DEREF, ":begin", written->span);
  if (written->kind == CX_DECL_BINDING) {
    item->u.binding.init = value;
  } else {
    item->u.var.init = value;
    item->u.var.init_kind = CX_INIT_EQUAL;
  }
  CxDecl **decls = ARENA_ARRAY(cu->arena, CxDecl *, 1);
  decls[0] = item;
  CxStmt **items = ARENA_ARRAY(cu->arena, CxStmt *, 2);
  items[0] = ARENA_NEW(cu->arena, CxStmt);
  *items[0] = (CxStmt){.kind = CX_STMT_DECL, .span = span, .keyword = span};
  items[0]->u.decls = (CxDeclList){decls, 1};
  items[1] = stmt->u.range_for.body;
  CxStmt *block = ARENA_NEW(cu->arena, CxStmt);
  *block = (CxStmt){.kind = CX_STMT_COMPOUND,
                    .span = stmt->u.range_for.body->span,
                    .keyword = span};
  block->u.compound.items = (CxStmtList){items, 2};
  return block;
}

static void iterator_loop(CuContext *cu, const CxStmt *stmt, CuValue range) {
  Span span = stmt->u.range_for.range->span;
  const CuType *type = cu_plain(range.type);
  cu_bind_hidden(cu, intern_cstr(cu->names, ":range"), range, span);
  if (!declare_bound(cu, type, "begin", ":begin", span) ||
      !declare_bound(cu, type, "end", ":end", span))
    return;
  CxExpr *condition = new_expr(cu, CX_EXPR_BINARY, span);
  condition->u.binary.op = BINARY_NE;
  condition->u.binary.left = name_expr(cu, ":begin", span);
  condition->u.binary.right = name_expr(cu, ":end", span);
  CxStmt *loop = ARENA_NEW(cu->arena, CxStmt);
  *loop = (CxStmt){
      .kind = CX_STMT_FOR, .span = stmt->span, .keyword = stmt->keyword};
  loop->u.loop.condition = condition;
  loop->u.loop.step = unary_expr(cu, UNARY_PRE_INC, ":begin", span);
  loop->u.loop.body = item_body(cu, stmt, span);
  loop->u.loop.unroll = stmt->u.range_for.unroll;
  loop->u.loop.header = stmt->keyword;
  cu_statement(cu, loop);
}

static CuValue without_trace(CuContext *cu, const CxExpr *expr) {
  CuStmtVec dropped = {0};
  CuFrame apart = cu_apart_frame(cu, &dropped);
  CuFrame *before = cu->frame;
  cu->frame = &apart;
  CuValue value = cu_operand(cu, expr);
  cu->frame = before;
  return value;
}

// What all of a list are; NULL: an error was reported.
static const CuType *listed_type(CuContext *cu, const CxExpr *list) {
  const CuType *type = NULL;
  for (uint32_t i = 0; i < list->u.init_list.n_items; i++) {
    CuValue item = without_trace(cu, list->u.init_list.items[i].value);
    if (cu_is_poisoned(&item))
      return NULL;
    const CuType *own = cu_plain(cu_decayed(cu, item.type));
    if (type && own != type) {
      cu_unsupported(cu, item.span, "a loop over a list of several types",
                     "cast its elements to one");
      return NULL;
    }
    type = own;
  }
  if (!type)
    cu_unsupported(cu, list->span, "a loop over an empty list", NULL);
  return type;
}

// {a, b, c} is an array of theirs.
static CuValue range_for_listed(CuContext *cu, const CxExpr *list) {
  list = cu_expanded_init(cu, list);
  const CuType *type = listed_type(cu, list);
  if (!type)
    return cu_poison(cu, list->span);
  type = cu_array(&cu->types, cu_qualified(&cu->types, type, CX_QUAL_CONST),
                  (int64_t)list->u.init_list.n_items);
  Expr *init = cu_initialiser(cu, type, list);
  if (!init)
    return cu_poison(cu, list->span);
  CuVariable *variable = cu_new_local(cu, "list", type);
  cu_add_local(cu, variable, init, list->span);
  return cu_variable_value(cu, variable, list->span);
}

static void any_loop(CuContext *cu, const CxStmt *stmt) {
  if (stmt->u.range_for.init)
    cu_statement(cu, stmt->u.range_for.init);
  CuValue range = stmt->u.range_for.range->kind == CX_EXPR_INIT_LIST
                      ? range_for_listed(cu, stmt->u.range_for.range)
                      : cu_operand(cu, stmt->u.range_for.range);
  if (cu_is_poisoned(&range))
    return;
  bool is_array = cu_is(range.type, CU_ARRAY) && range.type->u.array.extent > 0;
  if (is_array && stmt->u.range_for.variable->kind == CX_DECL_VAR &&
      !cu_has_effect(range.expr))
    array_loop(cu, stmt, range);
  else if (is_array || cu_is(cu_plain(range.type), CU_RECORD))
    iterator_loop(cu, stmt, range);
  else
    cu_unsupported(cu, stmt->keyword,
                   "a loop over something other than an array or a class with "
                   "begin() and end()",
                   "write a loop over its indices");
}

void cu_range_for(CuContext *cu, const CxStmt *stmt) {
  CuStmtVec items = {0};
  CuStmtVec *before = cu->frame->statements;
  cu->frame->statements = &items;
  cu_push_block(cu);
  any_loop(cu, stmt);
  cu_pop_block(cu);
  cu->frame->statements = before;
  if (items.count == 1)
    cu_add_stmt(cu, items.data[0]);
  else if (items.count)
    cu_add_stmt(cu, cu_block(cu, &items, stmt->span));
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
