// SPDX-License-Identifier: Apache-2.0
// Lambdas. A lambda has no object in the output: its body becomes a function
// with one more parameter for each variable that it uses of the function
// around it, and whoever calls it passes them (cu_seen_from_here). Captures by
// value are copied into variables where the lambda is evaluated; those of a
// mutable lambda keep what its calls make of them.
#include "cuda/form/cu_lambda.h"
#include "cuda/form/cu_address.h"
#include "cuda/form/cu_call.h"
#include "cuda/form/cu_deduce.h"
#include "cuda/form/cu_heddle.h"
#include "cuda/form/cu_local.h"
#include "cuda/form/cu_names.h"
#include "cuda/form/cu_pack.h"
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_resolve.h"
#include "cuda/form/cu_scope.h"
#include "cuda/form/cu_texture.h"
#include "cuda/form/cu_tree.h"

#include <ctype.h>
#include <string.h>

// ---------------------------------------------------------------- captures

static void bind_variable(CuContext *cu, CuClosure *closure, const char *name,
                          CuVariable *variable) {
  CuEntity *entity =
      cu_declare(cu, closure->scope, CU_ENTITY_LOCAL, name, NULL);
  entity->variable = variable;
}

static bool needs_copy(const CuClosure *closure, const CuVariable *variable) {
  const CuType *type = cu_referred(variable->type);
  return variable->holds != CU_HOLDS_CLOSURE && !cu_is_opaque(type) &&
         type->kind != CU_ARRAY && variable->constant.kind == CU_NOT_CONST &&
         (!variable->is_copy || closure->expr->u.lambda.is_mutable);
}

static void capture_copy(CuContext *cu, CuClosure *closure, const char *name,
                         CuValue value) {
  CuVariable *copy = cu_new_local(cu, name, cu_plain(value.type));
  cu_add_local(cu, copy, value.expr, value.span);
  cu_texture_flow(cu, &value, copy);
  copy->is_copy = !closure->expr->u.lambda.is_mutable;
  bind_variable(cu, closure, name, copy);
}

static void capture(CuContext *cu, CuClosure *closure, const char *name,
                    bool is_reference, Span span) {
  if (map_has(&closure->scope->names, MAP_KEY(name)))
    return;
  CuEntityVec found = {0};
  if (!cu_lookup(cu, cu->scope, name, &found) ||
      found.data[0]->kind != CU_ENTITY_LOCAL ||
      found.data[0]->variable->own != CU_OWN_NOT)
    return;
  CuVariable *here = cu_seen_from_here(cu, found.data[0]->variable, span);
  if (!here)
    return;
  if (!is_reference && here->holds == CU_HOLDS_CLOSURE && !here->functions)
    cu_refuse_mutable(cu, cu_variable_value(cu, here, span));
  bool is_array = cu_is(cu_referred(here->type), CU_ARRAY);
  if (!is_reference && is_array && !here->is_shared &&
      !cu_is_const(cu_referred(here->type)))
    cu_unsupported(cu, span, "capturing an array by value",
                   "capture it by reference");
  if (is_reference || !needs_copy(closure, here))
    bind_variable(cu, closure, name, here);
  else
    capture_copy(cu, closure, name, cu_variable_value(cu, here, span));
}

// The variables of a mutable lambda are there once, so it can't be copied.
void cu_refuse_mutable(CuContext *cu, CuValue value) {
  const CuType *type = cu_plain(value.type);
  const CuClosure *closure = cu_is(type, CU_LAMBDA) ? type->u.lambda : NULL;
  bool is_mutable =
      closure && closure->expr && closure->expr->u.lambda.is_mutable;
  if (is_mutable && value.is_lvalue)
    cu_unsupported(cu, value.span, "a copy of a 'mutable' lambda",
                   "pass it by reference");
}

// The body isn't walked: each identifier in its text may be a variable.
static void capture_named(CuContext *cu, CuClosure *closure, Span body,
                          bool is_reference) {
  const char *text = source_text(cu->source);
  for (uint32_t i = body.begin; i < body.end;) {
    bool begins = isalpha((unsigned char)text[i]) || text[i] == '_';
    uint32_t end = i + 1;
    if (begins || isdigit((unsigned char)text[i])) {
      while (end < body.end &&
             (isalnum((unsigned char)text[end]) || text[end] == '_'))
        end++;
    }
    if (begins)
      capture(cu, closure, intern_text(cu->names, text + i, end - i),
              is_reference, body);
    i = end;
  }
}

static void capture_listed(CuContext *cu, CuClosure *closure) {
  const CxExpr *expr = closure->expr;
  for (uint32_t i = 0; i < expr->u.lambda.n_captures; i++) {
    const CxCapture *item = &expr->u.lambda.captures[i];
    if (item->is_this)
      continue;
    if (!item->init) {
      capture(cu, closure, item->name, item->is_reference, item->span);
    } else if (item->is_reference) {
      cu_unsupported(cu, item->span, "a reference made in a capture",
                     "declare it before the lambda");
    } else {
      CuValue value = cu_decay(cu, cu_operand(cu, item->init));
      if (value.expr)
        capture_copy(cu, closure, item->name, value);
    }
  }
}

CuValue cu_lambda_expr(CuContext *cu, const CxExpr *expr) {
  CuClosure *closure = ARENA_NEW(cu->arena, CuClosure);
  CuType *type = cu_new_type(&cu->types, CU_LAMBDA);
  type->u.lambda = closure;
  closure->type = type;
  closure->expr = expr;
  closure->frame = cu->frame;
  closure->name = "lambda";
  closure->scope = cu_new_scope(cu, CU_SCOPE_BLOCK, cu->scope);
  closure->scope->is_lambda = true;
  capture_listed(cu, closure);
  if (expr->u.lambda.capture_default != CX_CAPTURE_NONE)
    capture_named(cu, closure, expr->u.lambda.body->span,
                  expr->u.lambda.capture_default == CX_CAPTURE_REFERENCE);
  return (CuValue){.type = type, .span = expr->span};
}

// ---------------------------------------------------------------- calls

static const CuType *param_type(CuContext *cu, const CxType *written,
                                const CuValue *argument) {
  if (!cu_has_auto(written))
    return cu_decayed(cu, cu_resolve_type(cu, written));
  if (written->kind == CX_TYPE_RVALUE_REFERENCE && argument->is_lvalue)
    return cu_reference(&cu->types, argument->type, false);
  return cu_deduce_auto(cu, written, argument->type, argument->is_lvalue);
}

static bool same_types(const CuFunction *function, const CuType **types,
                       uint32_t n) {
  if (function->n_params != n)
    return false;
  for (uint32_t i = 0; i < function->n_params; i++) {
    if (function->params[i].type != types[i])
      return false;
  }
  return true;
}

// [](int a, auto... rest): which declared parameter argument `index` is for.
static uint32_t written_for(const CxDeclList *params, uint32_t index) {
  return index < params->count ? index : params->count - 1;
}

static CuFunction *body_for(CuContext *cu, CuClosure *closure,
                            const CuType **types, uint32_t n) {
  for (uint32_t i = 0; i < closure->functions.count; i++) {
    if (same_types(closure->functions.data[i], types, n))
      return closure->functions.data[i];
  }
  const CxType *written = closure->expr->u.lambda.type;
  CuFunction *function = ARENA_NEW(cu->arena, CuFunction);
  const CxDeclList *params = &written->u.function.params;
  function->closure = closure;
  function->scope = closure->scope;
  function->shown = "lambda";
  function->returns_param = -1;
  function->is_resolved = true;
  function->params = ARENA_ARRAY(cu->arena, CuParam, n + 1);
  function->n_params = n;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t which = written_for(params, i);
    CxDecl *decl = params->data[which];
    function->params[i] = (CuParam){.name = decl->name,
                                    .type = types[i],
                                    .decl = decl,
                                    .written = which,
                                    .is_element = decl->u.var.is_pack,
                                    .element = i - which};
  }
  if (!cu_has_auto(written->u.function.result))
    function->result = cu_resolve_type(cu, written->u.function.result);
  VEC_PUSH(cu->arena, &closure->functions, function);
  return function;
}

CuValue cu_function_object(CuContext *cu, CuValue value) {
  CuOverloads *set = value.overloads;
  if (!set || set->found.count == 0 || value.object)
    return value;
  CuEntity *entity = set->found.data[0];
  if (set->as_object)
    return (CuValue){.type = set->as_object, .span = value.span};
  CuClosure *closure = ARENA_NEW(cu->arena, CuClosure);
  CuType *type = cu_new_type(&cu->types, CU_LAMBDA);
  type->u.lambda = closure;
  closure->type = type;
  closure->overloads = set;
  closure->scope = cu->scope;
  closure->name = entity->name;
  // One type a function, so that a template has one instance for it.
  if (!set->has_args && !entity->as_object)
    entity->as_object = type;
  set->as_object = set->has_args ? type : entity->as_object;
  return (CuValue){.type = set->as_object, .span = value.span};
}

// The arguments, and what the parameters behind them have by default.
static CuValues with_defaults(CuContext *cu, const CuClosure *closure,
                              const CxDeclList *params, CuValues args) {
  CuValues all = {ARENA_ARRAY(cu->arena, CuValue, args.count + params->count),
                  args.count};
  for (uint32_t i = 0; i < args.count; i++)
    all.data[i] = args.data[i];
  CuScope *before = cu_set_scope(cu, closure->scope);
  while (all.count < params->count && params->data[all.count]->u.var.init) {
    all.data[all.count] = cu_operand(cu, params->data[all.count]->u.var.init);
    all.count++;
  }
  cu_set_scope(cu, before);
  return all;
}

// Through a pointer nothing is left out.
static CuValue call_only(CuContext *cu, CuFunction *function, CuValues args,
                         Span span) {
  if (args.count == function->n_params)
    return cu_call_function(cu, function, NULL, args, span);
  CU_ERROR(cu, span, argument_count, DS(function->shown),
           DS(cu_format(cu, "%u arguments", function->n_params)),
           DU(args.count));
  return cu_poison(cu, span);
}

CuValue cu_call_closure(CuContext *cu, CuClosure *closure, CuValues args,
                        Span span) {
  if (closure->only)
    return call_only(cu, closure->only, args, span);
  if (closure->overloads)
    return cu_call_overloads(cu, closure->overloads, NULL, args, span, span);
  const CxDeclList *params = &closure->expr->u.lambda.type->u.function.params;
  args = with_defaults(cu, closure, params, args);
  bool fits = cu_ends_in_pack(params) ? args.count + 1 >= params->count
                                      : args.count == params->count;
  if (!fits) {
    CU_ERROR(cu, span, argument_count, DS("lambda"),
             DS(cu_format(cu, "%u arguments", params->count)), DU(args.count));
    return cu_poison(cu, span);
  }
  const CuType **types = ARENA_ARRAY(cu->arena, const CuType *, args.count + 1);
  CuScope *before = cu_set_scope(cu, closure->scope);
  bool is_right = true;
  for (uint32_t i = 0; i < args.count; i++) {
    const CxDecl *param = params->data[written_for(params, i)];
    types[i] = param_type(cu, param->type, &args.data[i]);
    if (types[i]->kind != CU_REFERENCE)
      cu_refuse_mutable(cu, args.data[i]);
    is_right = is_right && !cu_is_poison(types[i]);
  }
  CuFunction *function =
      is_right ? body_for(cu, closure, types, args.count) : NULL;
  cu_set_scope(cu, before);
  return function ? cu_call_body(cu, cu_with_kept(cu, function, args), NULL,
                                 args, span)
                  : cu_poison(cu, span);
}

// ---------------------------------------------------------------- operators

static CuValue param_value(CuContext *cu, const char *name, const CuType *type,
                           Span span, CuDeclVec *params) {
  CuVariable *variable = cu_new_local(cu, name, type);
  Decl *decl = cu_new_decl(cu, DECL_PARAM, variable->name, span, span);
  decl->type = cu_emit_type(cu, type, span);
  VEC_PUSH(cu->arena, params, decl);
  return cu_variable_value(cu, variable, span);
}

static CuValue call_it(CuContext *cu, CuValue value, CuValues args) {
  const CuType *type = cu_plain(value.type);
  if (type->kind == CU_LAMBDA)
    return cu_call_closure(cu, type->u.lambda, args, value.span);
  CuOverloads *set = ARENA_NEW(cu->arena, CuOverloads);
  CxNamePart *part = ARENA_NEW(cu->arena, CxNamePart);
  part->name = intern_cstr(cu->names, "operator()");
  set->part = part;
  set->is_qualified = true;
  cu_lookup_in(cu, type->u.record->scope, part->name, &set->found);
  CuValue object = cu_zero(cu, type, value.span);
  return cu_call_overloads(cu, set, &object, args, value.span, value.span);
}

Expr *cu_operator_function(CuContext *cu, CuValue value,
                           const CuType *element) {
  const CuType *type = cu_plain(value.type);
  Span span = value.span;
  if (type->kind == CU_RECORD && !type->u.record->is_empty) {
    cu_unsupported(cu, span, "an operator of a reduction that has members",
                   "use one without, or constants");
    return cu_poison_expr(cu, span);
  }
  CuFunction *function = ARENA_NEW(cu->arena, CuFunction);
  function->shown = "operator";
  function->returns_param = -1;
  CuFrame *frame = ARENA_NEW(cu->arena, CuFrame);
  frame->parent = cu->frame;
  frame->function = function;
  CuStmtVec items = {0};
  frame->statements = &items;
  cu->frame = frame;
  CuScope *before =
      cu_set_scope(cu, cu_new_scope(cu, CU_SCOPE_BLOCK, cu->scope));
  CuDeclVec params = {0};
  CuValue args[2] = {param_value(cu, "a", element, span, &params),
                     param_value(cu, "b", element, span, &params)};
  CuValue result = call_it(cu, value, (CuValues){args, 2});
  result = cu_convert(cu, result, element, "the result");
  if (result.expr)
    cu_add_stmt(cu, cu_return_stmt(cu, result.expr, span));
  cu_set_scope(cu, before);
  cu->frame = frame->parent;
  if (function->needs.count)
    cu_unsupported(cu, span, "an operator of a reduction that captures",
                   "use one without captures");
  const char *wanted = type->kind == CU_RECORD
                           ? cu_format(cu, "%s_of_two", type->u.record->suffix)
                           : "combine";
  CuName *name = cu_new_name(cu, wanted, false);
  Decl *decl = cu_new_decl(cu, DECL_FUNCTION, name, span, span);
  decl->type = cu_new_type_syntax(cu, TYPE_FUNCTION, span);
  decl->type->u.function.result = cu_emit_type(cu, element, span);
  decl->type->u.function.params = (DeclList){params.data, params.count};
  decl->type->u.function.has_prototype = true;
  decl->u.function.body = cu_block(cu, &items, span);
  VEC_PUSH(cu->arena, &cu->output.decls, decl);
  return cu_name_expr(cu, name, span);
}
