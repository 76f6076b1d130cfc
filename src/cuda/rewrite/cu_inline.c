// SPDX-License-Identifier: Apache-2.0
// Calls whose place the function's body takes: those that give a reference,
// those that change pointers of the caller, since Heddle C has no pointers to
// pointers of a space that isn't known yet, and those that get arrays of
// barriers, or words that are mbarriers, and those with half of a barrier.
#include "cuda/form/cu_address.h"
#include "cuda/form/cu_barrier.h"
#include "cuda/form/cu_body.h"
#include "cuda/form/cu_call.h"
#include "cuda/form/cu_local.h"
#include "cuda/form/cu_pack.h"
#include "cuda/form/cu_phase.h"
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_resolve.h"
#include "cuda/form/cu_scope.h"
#include "cuda/form/cu_spot.h"
#include "cuda/form/cu_tree.h"
#include "cuda/form/cu_word_class.h"
#include "cxx/cx_parse.h"

// ---------------------------------------------------------------- results

const CxExpr *cu_only_return(const CxBody *body) {
  const CxStmt *block = body->block;
  if (!block || block->u.compound.items.count != 1)
    return NULL;
  const CxStmt *stmt = block->u.compound.items.data[0];
  return stmt->kind == CX_STMT_RETURN ? stmt->u.expr : NULL;
}

static bool bind_inline(CuContext *cu, const CuFunction *function,
                        CuValues args) {
  cu_declare_packs(cu, &function->decl->type->u.function.params);
  for (uint32_t i = 0; i < function->n_params; i++) {
    const char *wish = cu_param_wish(cu, function, i);
    if (i >= args.count || !args.data[i].expr)
      return false;
    const CuType *type = function->params[i].type;
    CuValue value = cu_convert_exactly(cu, args.data[i], type, "an argument");
    if (!value.expr)
      return false;
    // Where no statement may stand before it, it may be computed twice.
    bool is_named = cu_is_barrier_pointer(type) || cu_is_repeatable(value.expr);
    bool is_apart =
        !is_named && (!cu->frame->is_conditional || cu_has_effect(value.expr));
    if (is_apart) {
      if (cu->frame->is_conditional || cu_is_opaque(type))
        return false;
      if (type->kind != CU_REFERENCE)
        value = cu_temporary(cu, value, wish ? wish : "argument");
    }
    CuVariable *variable = ARENA_NEW(cu->arena, CuVariable);
    variable->type = type;
    variable->frame = cu->frame;
    variable->holds = CU_HOLDS_SUBSTITUTE;
    variable->substitute = value;
    cu_declare_param(cu, variable, cu_param_name(function, i),
                     &function->params[i], NULL);
  }
  return true;
}

static bool object_repeats(const CuValue *object) {
  return object->is_lvalue && object->expr && !cu_has_effect(object->expr);
}

// A function of a pointer to an mbarrier that may give it again.
static bool may_give_barrier(CuContext *cu, const CuFunction *function,
                             const CuValue *object, CuValues args) {
  const CuType *result = function->result ? cu_plain(function->result) : NULL;
  if (!result || !(cu_is_integer(result) || result->kind == CU_POINTER))
    return false;
  if (object && cu_is_word_class(object->type))
    return true;
  for (uint32_t i = 0; i < args.count; i++)
    if (cu_is_barrier_pointer(cu_decay(cu, args.data[i]).type))
      return true;
  return false;
}

static bool bind_statement(CuContext *cu, const CuFunction *function,
                           CuValues args);
static bool has_return(const CxStmt *stmt);

// { …; return e; }, where nothing before it returns.
static const CxExpr *last_return(const CxBody *body) {
  const CxStmtList *items = &body->block->u.compound.items;
  for (uint32_t i = 0; i + 1 < items->count; i++)
    if (has_return(items->data[i]))
      return NULL;
  const CxStmt *last = items->count ? items->data[items->count - 1] : NULL;
  return last && last->kind == CX_STMT_RETURN ? last->u.expr : NULL;
}

// The object of a body that takes the place of a call.
static bool bind_object(CuContext *cu, const CuFunction *function,
                        CuValue object, bool is_named) {
  CuValue place = cu_upcast(cu, object, function->record, object.span);
  if (is_named && !cu_is_repeatable(place.expr)) {
    CuVariable *named = cu_bind_hidden(cu, intern_cstr(cu->names, ":object"),
                                       place, object.span);
    place = cu_variable_value(cu, named, object.span);
    place.whole = object.whole;
  }
  CuVariable *bound = ARENA_NEW(cu->arena, CuVariable);
  bound->type = place.type;
  bound->frame = cu->frame;
  bound->holds = CU_HOLDS_SUBSTITUTE;
  bound->substitute = place;
  cu->frame->self = bound;
  return place.expr != NULL;
}

// What stands before the return is put before the statement of the call.
static bool run_statements(CuContext *cu, const CxBody *body) {
  const CxStmtList *items = &body->block->u.compound.items;
  uint32_t n_errors = cu->reports.n_errors;
  Span statement = cu->statement;
  for (uint32_t i = 0; i + 1 < items->count; i++)
    cu_statement(cu, items->data[i]);
  cu->statement = statement;
  return cu->reports.n_errors == n_errors;
}

bool cu_inline_call(CuContext *cu, CuFunction *function, CuValue *object,
                    CuValues args, Span span, CuValue *out) {
  bool is_reference =
      function->result && function->result->kind == CU_REFERENCE;
  if (!(is_reference || may_give_barrier(cu, function, object, args)) ||
      !function->decl || !function->decl->u.function.has_body ||
      function->is_translating)
    return false;
  if (function->record && (!object || !object_repeats(object)))
    return false;
  const CxBody *body = cx_parse_body(cu->tree, function->decl);
  if (!body || body->has_errors || !body->block)
    return false;
  const CxExpr *expr = cu_only_return(body);
  bool has_more = !expr;
  if (has_more && (!is_reference || cu->frame->is_conditional ||
                   cu->frame->is_unevaluated ||
                   cu_returned_param(cu, function, body->block) >= 0))
    return false;
  expr = expr ? expr : last_return(body);
  if (!expr)
    return false;
  // In blocks of their own, under the caller's: names are looked up in the
  // function, variables made belong to the caller.
  CuScope *inner = cu_new_scope(cu, CU_SCOPE_BLOCK, function->scope);
  inner->caller = cu->scope;
  CuScope *before = cu_set_scope(cu, inner);
  CuVariable *self = cu->frame->self;
  CuStmtVec items = {0}, *statements = cu->frame->statements;
  if (has_more)
    cu->frame->statements = &items;
  bool is_right =
      !function->record || bind_object(cu, function, *object, has_more);
  function->is_translating = true;
  is_right = is_right && (has_more ? bind_statement(cu, function, args)
                                   : bind_inline(cu, function, args));
  if (is_right && has_more)
    is_right = run_statements(cu, body);
  if (is_right)
    *out = cu_convert(cu, cu_operand(cu, expr), function->result, "the result");
  function->is_translating = false;
  cu->frame->self = self;
  cu->frame->statements = statements;
  for (uint32_t i = 0; is_right && i < items.count; i++)
    cu_add_stmt(cu, items.data[i]);
  cu_set_scope(cu, before);
  if (is_right)
    out->span = span;
  return is_right;
}

// ---------------------------------------------------------------- statements

static bool changes_pointers(const CuFunction *function) {
  for (uint32_t i = 0; i < function->n_params; i++) {
    const CuType *type = function->params[i].type;
    if (type->kind == CU_REFERENCE &&
        cu_is(cu_plain(type->u.inner), CU_POINTER) &&
        !cu_is_const(type->u.inner))
      return true;
  }
  return false;
}

static bool gets_barriers(CuContext *cu, const CuValue *object, CuValues args) {
  if (object)
    return cu_is_word_class(object->type) || cu_holds_barriers(cu, object);
  for (uint32_t i = 0; i < args.count; i++)
    if (cu_is_barriers(cu, &args.data[i]) ||
        cu_is_word_barrier(args.data[i].type) ||
        cu_holds_barriers(cu, &args.data[i]))
      return true;
  return false;
}

static bool has_return(const CxStmt *stmt) {
  switch ((int)stmt->kind) {
  case CX_STMT_RETURN: return true;
  case CX_STMT_COMPOUND:
    for (uint32_t i = 0; i < stmt->u.compound.items.count; i++) {
      if (has_return(stmt->u.compound.items.data[i]))
        return true;
    }
    return false;
  case CX_STMT_IF:
    return has_return(stmt->u.if_stmt.then_stmt) ||
           (stmt->u.if_stmt.else_stmt && has_return(stmt->u.if_stmt.else_stmt));
  case CX_STMT_FOR:
  case CX_STMT_WHILE:
  case CX_STMT_DO: return has_return(stmt->u.loop.body);
  case CX_STMT_RANGE_FOR: return has_return(stmt->u.range_for.body);
  case CX_STMT_SWITCH: return has_return(stmt->u.switch_stmt.body);
  default: return false;
  }
}

// References stand for what they refer to, values are copied.
static bool bind_statement(CuContext *cu, const CuFunction *function,
                           CuValues args) {
  cu_declare_packs(cu, &function->decl->type->u.function.params);
  for (uint32_t i = 0; i < function->n_params; i++) {
    const CuParam *param = &function->params[i];
    const CuType *type = param->type;
    const char *name = cu_param_name(function, i);
    CuValue value = cu_convert(cu, args.data[i], type, "an argument");
    if (!value.expr)
      return false;
    CuVariable *named = ARENA_NEW(cu->arena, CuVariable);
    named->type = type;
    named->frame = cu->frame;
    if (cu_bind_barrier(cu, named, value, value.span)) {
      cu_declare_param(cu, named, name, param, NULL);
      continue;
    }
    if (type->kind != CU_REFERENCE && !cu_is_opaque(type)) {
      CuVariable *copy = cu_new_local(
          cu, name ? cu_param_wish(cu, function, i) : "unused", cu_plain(type));
      cu_add_local(cu, copy, value.expr, value.span);
      copy->name->is_told = true;
      if (cu_is(type, CU_POINTER))
        copy->spot = cu_spot_pinned(cu, value.spot, value.span);
      cu_declare_param(cu, copy, name, param, NULL);
      continue;
    }
    if (!cu_is_repeatable(value.expr))
      return false;
    CuVariable *variable = ARENA_NEW(cu->arena, CuVariable);
    variable->type = type;
    variable->frame = cu->frame;
    variable->holds = CU_HOLDS_SUBSTITUTE;
    variable->substitute = value;
    if (value.variable)
      value.variable->is_changed = true;
    cu_declare_param(cu, variable, name, param, NULL);
  }
  return true;
}

// An object that is an mbarrier or holds some, for a method.
static bool bind_barrier_object(CuContext *cu, const CuFunction *function,
                                const CuValue *object) {
  if (!cu_is_word_class(object->type))
    return object_repeats(object) && bind_object(cu, function, *object, false);
  CuValue place = cu_upcast(cu, *object, function->record, object->span);
  CuVariable *bound = ARENA_NEW(cu->arena, CuVariable);
  bound->type = cu_reference(&cu->types, place.type, false);
  bound->frame = cu->frame;
  cu->frame->self = bound;
  return cu_bind_barrier(cu, bound, place, object->span);
}

// As a block where the call is a statement of its own.
bool cu_inline_statement(CuContext *cu, CuFunction *function,
                         const CuValue *object, CuValues args, Span span) {
  bool is_statement = cu->statement.begin == span.begin &&
                      cu->statement.end == span.end && span.end;
  if (!is_statement || !function->decl ||
      !function->decl->u.function.has_body ||
      args.count != function->n_params || function->is_translating ||
      !function->result || !cu_is(function->result, CU_VOID))
    return false;
  bool is_right_kind = gets_barriers(cu, object, args) ||
                       (!function->record && (changes_pointers(function) ||
                                              cu_has_phase(cu, function)));
  if (!is_right_kind)
    return false;
  const CxBody *body = cx_parse_body(cu->tree, function->decl);
  if (!body || body->has_errors || has_return(body->block))
    return false;
  CuStmtVec items = {0};
  CuStmtVec *before = cu->frame->statements;
  CuScope *inner = cu_new_scope(cu, CU_SCOPE_BLOCK, function->scope);
  inner->caller = cu->scope;
  CuScope *outer = cu_set_scope(cu, inner);
  cu->frame->statements = &items;
  function->is_translating = true;
  CuVariable *self = cu->frame->self;
  bool is_right = bind_statement(cu, function, args) &&
                  (!object || bind_barrier_object(cu, function, object));
  if (is_right)
    cu_translate_body(cu, body->block, &items);
  function->is_translating = false;
  cu->frame->self = self;
  cu->frame->statements = before;
  cu_set_scope(cu, outer);
  if (is_right)
    cu_add_stmt(cu, cu_block(cu, &items, span));
  return is_right;
}
