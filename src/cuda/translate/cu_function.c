// SPDX-License-Identifier: Apache-2.0
// Functions in Heddle C: parameters, bodies, constructors.
#include "cuda/form/cu_function.h"
#include "cuda/form/cu_address.h"
#include "cuda/form/cu_body.h"
#include "cuda/form/cu_call.h"
#include "cuda/form/cu_derived.h"
#include "cuda/form/cu_heddle.h"
#include "cuda/form/cu_local.h"
#include "cuda/form/cu_names.h"
#include "cuda/form/cu_pack.h"
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_resolve.h"
#include "cuda/form/cu_scope.h"
#include "cuda/form/cu_space.h"
#include "cuda/form/cu_tree.h"
#include "cuda/form/cu_unknown.h"

#include "cxx/cx_parse.h"

// ---------------------------------------------------------------- names

static bool is_overloaded(const CuFunction *function) {
  const CuEntity *entity =
      map_get(&function->entity->scope->names, MAP_KEY(function->entity->name));
  uint32_t n = 0;
  for (; entity; entity = entity->next)
    n += entity->kind == CU_ENTITY_FUNCTION && !entity->is_repeated;
  return n > 1;
}

static const char *function_plain_name(CuContext *cu,
                                       const CuFunction *function) {
  const CxDecl *decl = function->entity->decl;
  switch (decl->u.function.kind) {
  case CX_FUNCTION_CONSTRUCTOR: return "make";
  case CX_FUNCTION_DESTRUCTOR: return "end";
  case CX_FUNCTION_CONVERSION:
    return cu_format(cu, "to_%s", cu_type_word(cu, function->result));
  case CX_FUNCTION_ORDINARY: break;
  }
  const char *name = decl->name ? decl->name : "unnamed";
  const char *word = cu_operator_word(cu, name);
  if (word == name || function->record || function->n_params == 0)
    return word;
  return cu_format(
      cu, "%s_%s",
      cu_type_word(cu, cu_plain(cu_referred(function->params[0].type))), word);
}

const char *cu_function_word(CuContext *cu, const CuFunction *function) {
  return function->entity ? function_plain_name(cu, function)
                          : function->closure->name;
}

static const char *function_name(CuContext *cu, const CuFunction *function) {
  if (!function->entity)
    return function->closure->name;
  const char *name = function_plain_name(cu, function);
  if (function->entity->scope->record)
    name =
        cu_format(cu, "%s_%s", function->entity->scope->record->suffix, name);
  if (function->args.count)
    return cu_args_word(cu, name, function->args);
  bool is_plain =
      function->entity->decl->u.function.kind == CX_FUNCTION_ORDINARY &&
      !function->record && function->n_params;
  if (is_plain && is_overloaded(function) && cu_operator_word(cu, name) == name)
    return cu_format(
        cu, "%s_%s", name,
        cu_type_word(cu, cu_plain(cu_referred(function->params[0].type))));
  return name;
}

// ---------------------------------------------------------------- parameters

static void function_add_param(CuContext *cu, CuDeclVec *out,
                               CuVariable *variable, const CuType *type,
                               Span span) {
  Decl *decl = cu_new_decl(cu, DECL_PARAM, variable->name, span, span);
  decl->type = cu_emit_type(cu, type, span);
  variable->decl = variable->name->decl = decl;
  VEC_PUSH(cu->arena, out, decl);
}

static bool is_closure_param(const CuParam *param) {
  return cu_is(cu_plain(cu_referred(param->type)), CU_LAMBDA);
}

// The base as which a parameter of class `passed` is seen; NULL: as itself.
static CuRecord *seen_as(const CuType *declared, const CuType *passed) {
  const CuType *type = cu_plain(cu_referred(declared));
  return type->kind == CU_RECORD && type != cu_plain(passed) ? type->u.record
                                                             : NULL;
}

static void declare_param(CuContext *cu, CuFunction *function, uint32_t index,
                          CuDeclVec *out) {
  const CuParam *param = &function->params[index];
  const char *name = cu_param_name(function, index);
  const char *wish = cu_param_wish(cu, function, index);
  CuVariable *variable = cu_new_local(cu, wish ? wish : "unused", param->type);
  Span span = param->decl ? param->decl->span : function->call_span;
  if (is_closure_param(param)) {
    variable->holds = CU_HOLDS_CLOSURE;
    variable->type = cu_plain(cu_referred(param->type));
  } else if (cu_is_by_pointer(function, index)) {
    const CuType *inner = cu_passed_type(cu, cu_referred(param->type));
    bool is_array = cu_is(inner, CU_ARRAY);
    variable->holds = is_array ? CU_HOLDS_VALUE : CU_HOLDS_POINTER;
    const CuType *to = is_array ? inner->u.array.element : inner;
    bool is_named = is_array && cu_is_opaque(cu_array_base(inner)); // barriers
    variable->type = cu_reference(&cu->types, inner, false);
    variable->seen_as = seen_as(param->type, inner);
    function_add_param(cu, out, variable,
                       is_named ? inner : cu_pointer(&cu->types, to), span);
  } else {
    const CuType *type = cu_referred(param->type);
    if (param->type->kind == CU_REFERENCE)
      type = cu_passed_type(cu, type);
    variable->seen_as = seen_as(param->type, type);
    if (param->type->kind == CU_REFERENCE && param->type->is_rvalue)
      type = cu_plain(type);
    variable->type = type;
    function_add_param(cu, out, variable, cu_plain(type), span);
    if (index < 32 && (function->shared_params >> index & 1))
      variable->name->spaces = CU_SPACE_SHARED;
  }
  variable->pipeline = param->pipeline;
  cu_declare_param(cu, variable, name, param, param->decl);
}

static void declare_self(CuContext *cu, CuFunction *function, CuDeclVec *out) {
  const CuType *type = cu_passed_type(cu, function->record->type);
  if (function->is_const_member)
    type = cu_qualified(&cu->types, type, CX_QUAL_CONST);
  CuVariable *self = cu_new_local(cu, "self", type);
  self->seen_as = seen_as(function->record->type, type);
  Span span = function->decl->name_span;
  if (function->by_pointer & CU_SELF_BIT) {
    self->holds = CU_HOLDS_POINTER;
    function_add_param(cu, out, self, cu_pointer(&cu->types, type), span);
  } else {
    function_add_param(cu, out, self, cu_plain(type), span);
  }
  cu->frame->self = self;
}

static void add_needs(CuContext *cu, const CuFunction *function,
                      CuDeclVec *out) {
  for (uint32_t i = 0; i < function->needs.count; i++) {
    CuVariable *inner = function->needs.data[i].inner;
    const CuType *type = cu_referred(inner->type);
    if (type->kind == CU_ARRAY && !cu_is_opaque(cu_array_base(type)))
      type = cu_pointer(&cu->types, type->u.array.element);
    else if (inner->holds == CU_HOLDS_POINTER)
      type = cu_pointer(&cu->types, type);
    function_add_param(cu, out, inner, type, function->call_span);
  }
}

// ---------------------------------------------------------------- results

static const CuType *result_type(CuContext *cu, const CuFunction *function) {
  const CuType *type = function->result;
  if (function->returns_param >= 0)
    return cu_basic(&cu->types, CU_VOID);
  if (type->kind == CU_REFERENCE)
    return cu_is_opaque(type) ? type->u.inner
                              : cu_pointer(&cu->types, type->u.inner);
  return cu_plain(type);
}

// *this, *static_cast<D *>(this)
static bool is_this_object(const CxExpr *expr) {
  if (expr->kind != CX_EXPR_UNARY || expr->u.unary.op != UNARY_DEREF)
    return false;
  expr = expr->u.unary.operand;
  while (expr->kind == CX_EXPR_CAST)
    expr = expr->u.cast.operand;
  return expr->kind == CX_EXPR_THIS;
}

// The declaration of `name` among the first *n statements, if it is one of a
// reference; then *n is how many stand before it.
static const CxDecl *local_reference(const CxStmt *block, uint32_t *n,
                                     const char *name) {
  const CxDecl *found = NULL;
  uint32_t n_before = 0;
  for (uint32_t i = 0; i < *n; i++) {
    const CxStmt *item = block->u.compound.items.data[i];
    for (uint32_t k = 0; item->kind == CX_STMT_DECL && k < item->u.decls.count;
         k++) {
      if (item->u.decls.data[k]->name != name)
        continue;
      found = item->u.decls.data[k];
      n_before = i;
    }
  }
  *n = n_before;
  bool is_reference = found && found->kind == CX_DECL_VAR &&
                      found->u.var.init &&
                      found->type->kind == CX_TYPE_REFERENCE;
  return is_reference ? found : NULL;
}

static int returned_param(CuContext *cu, const CuFunction *function,
                          const CxStmt *block, uint32_t n, const CxExpr *expr);

// Of a member of the same object that only returns.
static int returned_by_call(CuContext *cu, const CuFunction *function,
                            const CxExpr *expr) {
  const CxExpr *callee = expr->u.call.callee;
  if (expr->u.call.args.count || callee->kind != CX_EXPR_NAME ||
      callee->u.name->n_parts != 1 || !function->record)
    return -1;
  CuEntityVec found = {0};
  cu_lookup_in(cu, function->record->scope, callee->u.name->parts[0].name,
               &found);
  int which = -1;
  for (uint32_t i = 0; i < found.count; i++) {
    CxDecl *decl = found.data[i]->decl;
    if (found.data[i]->kind != CU_ENTITY_FUNCTION || decl == function->decl ||
        !decl->u.function.has_body)
      return -1;
    const CxBody *body = cx_parse_body(cu->tree, decl);
    const CxExpr *only =
        body && !body->has_errors ? cu_only_return(body) : NULL;
    which = only && only->kind != CX_EXPR_CALL
                ? returned_param(cu, function, body->block, 0, only)
                : -1;
    if (which != 0)
      return -1;
  }
  return which;
}

// The object (0) or the parameter (1 …) that an expression behind the first `n`
// statements of a function refers to:
// `*this`, also as what is derived from it, a reference parameter, a local
// reference to one of these, derived() of `D &derived() { return *this; }`.
static int returned_param(CuContext *cu, const CuFunction *function,
                          const CxStmt *block, uint32_t n, const CxExpr *expr) {
  while (expr->kind == CX_EXPR_CAST &&
         expr->u.cast.type->kind == CX_TYPE_REFERENCE)
    expr = expr->u.cast.operand;
  if (is_this_object(expr))
    return 0;
  if (expr->kind == CX_EXPR_CALL)
    return returned_by_call(cu, function, expr);
  if (expr->kind != CX_EXPR_NAME || expr->u.name->n_parts != 1)
    return -1;
  const CxDecl *local = local_reference(block, &n, expr->u.name->parts[0].name);
  if (local)
    return returned_param(cu, function, block, n, local->u.var.init);
  for (uint32_t i = 0; i < function->n_params; i++) {
    if (!function->params[i].is_element &&
        cu_param_name(function, i) == expr->u.name->parts[0].name &&
        function->params[i].type->kind == CU_REFERENCE)
      return (int)i + 1;
  }
  return -1;
}

// What all returns of a function that gives a reference give.
static int find_returned(CuContext *cu, const CuFunction *function,
                         const CxStmt *block, const CxStmt *stmt,
                         bool *is_mixed) {
  const CxStmt *parts[2] = {NULL, NULL};
  CxStmtList list = {0};
  switch ((int)stmt->kind) {
  case CX_STMT_RETURN:
    if (stmt->u.expr) {
      int found = returned_param(cu, function, block,
                                 block->u.compound.items.count, stmt->u.expr);
      *is_mixed = *is_mixed || found < 0;
      return found;
    }
    return -1;
  case CX_STMT_COMPOUND: list = stmt->u.compound.items; break;
  case CX_STMT_IF:
    parts[0] = stmt->u.if_stmt.then_stmt;
    parts[1] = stmt->u.if_stmt.else_stmt;
    break;
  case CX_STMT_FOR:
  case CX_STMT_WHILE:
  case CX_STMT_DO: parts[0] = stmt->u.loop.body; break;
  case CX_STMT_RANGE_FOR: parts[0] = stmt->u.range_for.body; break;
  case CX_STMT_SWITCH: parts[0] = stmt->u.switch_stmt.body; break;
  default: break;
  }
  int found = -1;
  for (uint32_t i = 0; i < list.count + 2; i++) {
    const CxStmt *part = i < list.count ? list.data[i] : parts[i - list.count];
    int one = part ? find_returned(cu, function, block, part, is_mixed) : -1;
    *is_mixed = *is_mixed || (found >= 0 && one >= 0 && one != found);
    found = one >= 0 ? one : found;
  }
  return found;
}

int cu_returned_param(CuContext *cu, const CuFunction *function,
                      const CxStmt *block) {
  bool is_mixed = false;
  int which = find_returned(cu, function, block, block, &is_mixed);
  return is_mixed ? -1 : which;
}

static void return_reference(CuContext *cu, const CxStmt *stmt) {
  const CuFunction *function = cu->frame->function;
  if (function->returns_param >= 0) {
    cu_add_stmt(cu, cu_return_stmt(cu, NULL, stmt->span));
    return;
  }
  CuValue value = cu_convert(cu, cu_operand(cu, stmt->u.expr),
                             cu->frame->result, "the result");
  if (cu_is_poisoned(&value))
    return;
  if (cu_is_opaque(value.type)) {
    cu_add_stmt(cu, cu_return_stmt(cu, value.expr, stmt->span));
    return;
  }
  CuValue address = cu_address_value(cu, value, stmt->span);
  cu_add_stmt(cu, cu_return_stmt(cu, address.expr, stmt->span));
}

// auto f() { return e; }: the first return decides.
static void deduce_result(CuContext *cu, const CxExpr *expr,
                          const CuValue *value) {
  CuFunction *function = cu->frame->function;
  const CxType *written =
      function->decl
          ? function->decl->type->u.function.result
          : function->closure->expr->u.lambda.type->u.function.result;
  const CuType *type =
      cu_is_decltype_auto(written)
          ? cu_decltype(cu, expr)
          : cu_deduce_auto(cu, written, value->type, value->is_lvalue);
  cu->frame->result = function->result = type;
}

// An address is one where the function says that it gives an integer; all its
// returns give one then.
static void keep_result(CuContext *cu, const CuValue *value) {
  CuFrame *frame = cu->frame;
  const CuType *kept = cu_kept_type(cu, value, cu_plain(frame->result));
  if (kept == cu_plain(frame->result))
    return;
  if (frame->n_returns > 1)
    cu_unsupported(cu, value->span,
                   "a function that returns addresses and other integers",
                   "return addresses only");
  frame->result = frame->function->result = kept;
}

void cu_return(CuContext *cu, const CxStmt *stmt) {
  CuFrame *frame = cu->frame;
  frame->n_returns++;
  bool is_constructor =
      frame->function->decl &&
      frame->function->decl->u.function.kind == CX_FUNCTION_CONSTRUCTOR;
  if (is_constructor) {
    CuValue self = cu_self(cu, stmt->span);
    cu_add_stmt(cu, cu_return_stmt(cu, self.expr, stmt->span));
    return;
  }
  if (!stmt->u.expr) {
    if (!frame->result)
      frame->result = frame->function->result = cu_basic(&cu->types, CU_VOID);
    cu_add_stmt(cu, cu_return_stmt(cu, NULL, stmt->span));
    return;
  }
  if (frame->result && frame->result->kind == CU_REFERENCE) {
    return_reference(cu, stmt);
    return;
  }
  CuValue value = cu_expr(cu, stmt->u.expr);
  if (value.overloads && value.overloads->is_unknown)
    value = cu_operand(cu, stmt->u.expr);
  if (cu_is_poisoned(&value))
    return;
  if (!frame->result)
    deduce_result(cu, stmt->u.expr, &value);
  if (!frame->result)
    return;
  if (frame->result->kind == CU_REFERENCE) { // as decltype(auto) says
    return_reference(cu, stmt);
    return;
  }
  if (frame->result->kind == CU_VOID) { // return f(); of a void f
    if (value.expr)
      cu_add_stmt(cu, cu_expr_stmt(cu, value.expr, stmt->span));
    cu_add_stmt(cu, cu_return_stmt(cu, NULL, stmt->span));
    return;
  }
  keep_result(cu, &value);
  value = cu_convert(cu, value, frame->result, "the result");
  cu_add_stmt(cu, cu_return_stmt(cu, value.expr, stmt->span));
}

// ---------------------------------------------------------------- translation

static Decl *function_emit(CuContext *cu, CuFunction *function,
                           const CuDeclVec *params, const CuStmtVec *items,
                           Span body) {
  Span span =
      function->decl ? function->decl->span : function->closure->expr->span;
  Span name_span = function->decl ? function->decl->name_span : span;
  Decl *decl = cu_new_decl(cu, DECL_FUNCTION, function->name, span, name_span);
  decl->type = cu_new_type_syntax(cu, TYPE_FUNCTION, name_span);
  decl->type->u.function.result =
      cu_emit_type(cu, result_type(cu, function), name_span);
  cu_hold_pointer(cu, decl->type->u.function.result, name_span);
  decl->type->u.function.params = (DeclList){params->data, params->count};
  decl->type->u.function.has_prototype = true;
  decl->type->depth = (uint16_t)(decl->type->u.function.result->depth + 1);
  decl->u.function.body = cu_block(cu, items, body);
  cu_find_guesses(cu, decl->u.function.body);
  cu_fix_volatile(cu, decl->u.function.body);
  return decl;
}

// What is only declared may return anything, and touches nothing that it isn't
// given by value.
static bool is_only_declared(const CuFunction *function) {
  const CxDecl *decl = function->decl;
  return decl && !function->heddle && !decl->u.function.is_defaulted &&
         !decl->u.function.has_body;
}

static const CxBody *function_body_of(CuContext *cu, CuFunction *function,
                                      Span call) {
  if (!function->decl) {
    CxBody *body = ARENA_NEW(cu->arena, CxBody);
    body->block = function->closure->expr->u.lambda.body;
    return body;
  }
  CxDecl *decl = function->decl;
  if (decl->u.function.kind == CX_FUNCTION_CONSTRUCTOR && !function->record) {
    CU_ERROR(cu, decl->name_span, expected, DS("the type of the result"),
             DS(cu_format(cu, "'%s'", decl->name)));
    return NULL;
  }
  bool is_trivial = decl->u.function.is_defaulted &&
                    decl->u.function.kind == CX_FUNCTION_CONSTRUCTOR;
  if (is_trivial || function->heddle)
    return ARENA_NEW(cu->arena, CxBody);
  if (decl->u.function.is_defaulted) {
    cu_unsupported(cu, decl->name_span,
                   cu_format(cu, "a defaulted '%s'", decl->name),
                   "write its body");
    return NULL;
  }
  if (!decl->u.function.has_body && cu_may_be_unknown(function))
    return ARENA_NEW(cu->arena, CxBody);
  if (!decl->u.function.has_body) {
    Diag *diag = CU_ERROR(cu, call, cuda_no_body, DS(function->shown));
    if (!cu->reports.silent && diag->labels.count == 0)
      diag_label(cu->diags, diag, source_place(cu->source, decl->name_span),
                 "declared here");
    return NULL;
  }
  const CxBody *body = cx_parse_body(cu->tree, decl);
  if (!body || body->has_errors) {
    cu->reports.failed = true;
    cu->reports.n_errors++;
    return NULL;
  }
  return body;
}

// Parameters are found by name, the object as `self`.
static void heddle_body(CuContext *cu, CuFunction *function, CuStmtVec *out) {
  Span span = function->decl->name_span;
  if (cu->frame->self)
    cu_declare_local(cu, cu->frame->self, intern_cstr(cu->names, "self"), NULL);
  Expr *made = cu_heddle_expr(cu, function->heddle);
  bool is_void = cu_is(function->result, CU_VOID);
  VEC_PUSH(cu->arena, out,
           is_void ? cu_expr_stmt(cu, made, span)
                   : cu_return_stmt(cu, made, span));
}

static const CxDeclList *written_params(const CuFunction *function) {
  const CxType *type = function->decl ? function->decl->type
                                      : function->closure->expr->u.lambda.type;
  return &type->u.function.params;
}

static void function_translate(CuContext *cu, CuFunction *function,
                               const CxBody *body) {
  CuFrame frame = {
      .parent = cu->frame, .function = function, .result = function->result};
  CuFrame *kept = ARENA_NEW(cu->arena, CuFrame); // variables point to it
  *kept = frame;
  cu->frame = kept;
  CuScope *before =
      cu_set_scope(cu, cu_new_scope(cu, CU_SCOPE_BLOCK, function->scope));
  CuDeclVec params = {0};
  bool is_constructor = function->decl && function->decl->u.function.kind ==
                                              CX_FUNCTION_CONSTRUCTOR;
  if (function->record && !is_constructor)
    declare_self(cu, function, &params);
  cu_declare_packs(cu, written_params(function));
  for (uint32_t i = 0; i < function->n_params; i++)
    declare_param(cu, function, i, &params);
  if (function->result && function->result->kind == CU_REFERENCE && body->block)
    function->returns_param = cu_returned_param(cu, function, body->block);
  CuStmtVec items = {0};
  if (function->heddle)
    heddle_body(cu, function, &items);
  else if (is_constructor)
    cu_constructor_body(cu, function, body, &items);
  else if (body->block)
    cu_translate_body(cu, body->block, &items);
  if (!function->result)
    function->result = cu_basic(&cu->types, CU_VOID);
  add_needs(cu, function, &params);
  for (uint32_t i = 0; i < items.count; i++)
    VEC_PUSH(cu->arena, &kept->prologue, items.data[i]);
  Span span = body->block ? body->block->span : function->decl->span;
  function->emitted =
      function_emit(cu, function, &params, &kept->prologue, span);
  if (is_only_declared(function))
    cu_make_unknown(cu, function);
  cu_set_scope(cu, before);
  cu->frame = kept->parent;
}

static bool refuse_recursion(CuContext *cu, CuFunction *function, Span call) {
  if (!function->is_translating)
    return false;
  if (!function->is_recursive)
    CU_ERROR(cu, call, recursion, DS(function->shown), DS(""));
  cu->reports.failed = true;
  function->is_recursive = cu->reports.silent == 0;
  return true;
}

bool cu_translate_function(CuContext *cu, CuFunction *function, Span call) {
  if (function->is_translated) {
    cu->reports.failed = cu->reports.failed || function->is_failed;
    return !function->is_failed;
  }
  if (refuse_recursion(cu, function, call) || !cu_enter(cu, call))
    return false;
  const CxBody *body = function_body_of(cu, function, call);
  bool is_right = body != NULL;
  if (is_right) {
    function->is_translating = true;
    function->call_span = call;
    bool failed = cu->reports.failed;
    cu->reports.failed = false;
    function->name = cu_new_name(cu, function_name(cu, function), false);
    function->name->function = function;
    function_translate(cu, function, body);
    is_right = !cu->reports.failed;
    cu->reports.failed = failed || !is_right;
    function->is_translating = false;
  }
  cu_leave(cu);
  function->is_failed = !is_right;
  // What failed in a trial is tried again when it is meant.
  function->is_translated = is_right || cu->reports.silent == 0;
  if (!is_right)
    function->needs.count = 0;
  else
    VEC_PUSH(cu->arena, &cu->output.decls, function->emitted);
  return is_right;
}
