// SPDX-License-Identifier: Apache-2.0
// Calls: of functions, members, operators, objects.
#include "cuda/form/cu_call.h"
#include "cuda/form/cu_address.h"
#include "cuda/form/cu_alias.h"
#include "cuda/form/cu_barrier.h"
#include "cuda/form/cu_by_arguments.h"
#include "cuda/form/cu_depend.h"
#include "cuda/form/cu_derived.h"
#include "cuda/form/cu_function.h"
#include "cuda/form/cu_function_table.h"
#include "cuda/form/cu_heddle.h"
#include "cuda/form/cu_lambda.h"
#include "cuda/form/cu_local.h"
#include "cuda/form/cu_overload.h"
#include "cuda/form/cu_pack.h"
#include "cuda/form/cu_phase.h"
#include "cuda/form/cu_pipeline.h"
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_resolve.h"
#include "cuda/form/cu_scope.h"
#include "cuda/form/cu_space.h"
#include "cuda/form/cu_texture.h"
#include "cuda/form/cu_tools.h"
#include "cuda/form/cu_tree.h"

CuValues cu_arguments(CuContext *cu, const CxExprList *args) {
  CxExprList all = cu_expanded(cu, args);
  CuValue *data = ARENA_ARRAY(cu->arena, CuValue, all.count + 1);
  for (uint32_t i = 0; i < all.count; i++) {
    data[i] = cu_expr(cu, all.data[i]);
    if (data[i].overloads && data[i].overloads->is_unknown)
      data[i] = cu_operand(cu, all.data[i]); // says that it isn't declared
  }
  return (CuValues){data, all.count};
}

// ---------------------------------------------------------------- passing

// A const reference: by value, unless it is a class that lies in memory.
bool cu_is_memory_place(const CuValue *value) {
  const CuVariable *variable = value->variable;
  bool is_own = variable && variable->holds == CU_HOLDS_VALUE &&
                variable->frame && !variable->is_shared;
  return value->is_lvalue && !is_own;
}

// What happens to such an object must not happen to a copy.
static bool may_change(const CuType *type) {
  type = cu_plain(cu_referred(type));
  return type->kind == CU_RECORD && type->u.record->has_mutable;
}

static bool is_big(const CuType *type) {
  return cu_is(cu_plain(type), CU_RECORD) && !cu_is_opaque(type) &&
         cu_size(type) > 16;
}

bool cu_is_by_pointer(const CuFunction *function, uint32_t param) {
  const CuType *type = function->params[param].type;
  if (type->kind != CU_REFERENCE)
    return false;
  const CuType *inner = type->u.inner;
  if (cu_is_opaque(inner) || inner->kind == CU_LAMBDA)
    return false;
  if (type->is_rvalue)
    return false;
  if (!cu_is_const(inner) || inner->kind == CU_ARRAY ||
      (inner->quals & CX_QUAL_VOLATILE))
    return true;
  return param < 63 && (function->by_pointer >> param & 1);
}

// A constructor that may keep a reference to its argument.
static bool holds_references(const CuFunction *function) {
  const CuRecord *record = function->record;
  if (!record ||
      function->entity->decl->u.function.kind != CX_FUNCTION_CONSTRUCTOR)
    return false;
  for (uint32_t i = 0; i < record->fields.count; i++)
    if (cu_is(record->fields.data[i].type, CU_REFERENCE))
      return true;
  return false;
}

static bool has_field(const CuType *type, CuTypeKind kind) {
  type = cu_plain(cu_referred(type));
  if (type->kind != CU_RECORD || cu_is_opaque(type))
    return false;
  for (uint32_t i = 0; i < type->u.record->fields.count; i++) {
    const CuType *field = type->u.record->fields.data[i].type;
    if (field->kind == kind || has_field(field, kind))
      return true;
  }
  return false;
}

// The result may lead into an argument of this type, which then can't be a
// copy: a pointer, or an iterator over an array that the argument has.
static bool leads_into(const CuFunction *function, const CuType *argument) {
  const CuType *result = function->result;
  if (!result || !cu_is(cu_plain(cu_referred(argument)), CU_RECORD))
    return false;
  return cu_is(cu_plain(result), CU_POINTER) ||
         (has_field(argument, CU_ARRAY) &&
          (has_field(result, CU_POINTER) || has_field(result, CU_REFERENCE)));
}

static uint64_t wanted_pointers(CuContext *cu, const CuFunction *function,
                                const CuValue *object, CuValues args) {
  uint64_t bits = 0;
  bool holds = holds_references(function);
  for (uint32_t i = 0; i < args.count && i < function->n_params && i < 63;
       i++) {
    const CuType *type = function->params[i].type;
    bool is_const_ref = type->kind == CU_REFERENCE && !type->is_rvalue &&
                        cu_is_const(type->u.inner);
    bool is_big_place = is_const_ref && is_big(type->u.inner) &&
                        cu_is_memory_place(&args.data[i]);
    bool stays = holds || leads_into(function, type) || may_change(type);
    if (is_big_place || (is_const_ref && stays && args.data[i].is_lvalue) ||
        (is_const_ref && cu_may_alias(cu, function, object, args, i)))
      bits |= UINT64_C(1) << i;
  }
  bool is_method =
      function->record && object && !cu_is_opaque(object->type) &&
      !(function->entity->decl->u.function.kind == CX_FUNCTION_CONSTRUCTOR);
  if (is_method && !function->is_const_member)
    bits |= CU_SELF_BIT;
  else if (is_method &&
           (cu_is_memory_place(object) || is_big(object->type) ||
            leads_into(function, object->type) || may_change(object->type)) &&
           object->is_lvalue)
    bits |= CU_SELF_BIT;
  return bits;
}

// A variable that gets the value where it stands: *(name = value, &name).
static void hold_here(CuContext *cu, CuValue *value, const char *name) {
  Span span = value->span;
  CuVariable *variable = cu_new_local(cu, name, cu_plain(value->type));
  variable->is_changed = true;
  cu_add_local(cu, variable, NULL, span);
  CuValue place = cu_variable_value(cu, variable, span);
  Expr *set = cu_assign(cu, place.expr, value->expr, span);
  Expr *address = cu_address(cu, cu_name_expr(cu, variable->name, span), span);
  place.expr = cu_deref(cu, cu_comma(cu, set, address, span), span);
  place.variable = NULL;
  *value = place;
}

// A variable for what has no place, before the statement.
static bool call_hold(CuContext *cu, CuValue *value, const char *name) {
  const CuType *type = cu_plain(value->type);
  bool is_class = cu_is(type, CU_RECORD) && !cu_is_opaque(type);
  if (cu->frame->is_conditional && is_class && !cu->frame->is_unevaluated &&
      cu->frame->statements && value->expr) {
    hold_here(cu, value, name);
    return true;
  }
  if (cu->frame->is_conditional) {
    cu_unsupported(cu, value->span, "a temporary object here",
                   "name it in a variable first");
    return false;
  }
  *value = cu_temporary(cu, *value, name);
  return true;
}

static Expr *pass_pointer(CuContext *cu, CuValue value) {
  if (cu_is(value.type, CU_ARRAY)) // a pointer to its first element
    return value.expr;
  return cu_address_value(cu, value, value.span).expr;
}

static Expr *call_pass(CuContext *cu, CuFunction *function, uint32_t i,
                       CuValue value) {
  const CuType *type = function->params[i].type;
  const char *what =
      cu_format(cu, "argument %u of '%s'", i + 1, function->shown);
  CuValue made = cu_convert(cu, value, type, what);
  if (cu_is_poisoned(&made) || !made.expr ||
      cu_refuse_barrier_copy(cu, type, value.span))
    return NULL;
  if (cu_is_barrier_pointer(type))
    return cu_barrier_place(cu, made.expr, NULL, made.span);
  if (type->kind == CU_REFERENCE && !cu_pass_whole(cu, &made, type->u.inner))
    return NULL;
  if (!cu_is_by_pointer(function, i))
    return made.expr;
  if (!made.is_lvalue && !call_hold(cu, &made, "temporary"))
    return NULL;
  return pass_pointer(cu, made);
}

static Expr *pass_default(CuContext *cu, CuFunction *function, uint32_t i) {
  const CxExpr *init = cu_default_argument(cu, function, i);
  CuScope *before = cu_set_scope(cu, function->scope);
  CuValue value = cu_expr(cu, init);
  cu_set_scope(cu, before);
  return call_pass(cu, function, i, value);
}

static Expr *pass_object(CuContext *cu, const CuFunction *function,
                         CuValue object) {
  object = cu_upcast(cu, object, function->record, object.span);
  if (!cu_pass_whole(cu, &object, object.type))
    return NULL;
  if (!(function->by_pointer & CU_SELF_BIT))
    return object.expr;
  if (!object.is_lvalue && !call_hold(cu, &object, "object"))
    return NULL;
  object.type = cu_plain(object.type);
  return cu_address_value(cu, object, object.span).expr;
}

static void pass_needs(CuContext *cu, CuFunction *function, Span span,
                       CuExprVec *out) {
  for (uint32_t i = 0; i < function->needs.count; i++) {
    CuNeed *need = &function->needs.data[i];
    CuVariable *outer = need->outer;
    bool is_another = need->is_passed || outer->frame != cu_root_frame(cu);
    if (need->is_made && is_another)
      outer = cu_barriers_again(cu, outer, span);
    need->is_passed = true;
    CuVariable *here = outer ? cu_seen_from_here(cu, outer, span) : NULL;
    if (here && need->is_made)
      cu_note_made(cu, outer);
    if (!here)
      continue;
    CuValue value = cu_variable_value(cu, here, span);
    bool is_pointer = need->inner->holds == CU_HOLDS_POINTER;
    Expr *made =
        is_pointer ? cu_address_value(cu, value, span).expr : value.expr;
    if (made)
      VEC_PUSH(cu->arena, out, made);
  }
}

// ---------------------------------------------------------------- the call

// The place that an expression is, without what it does on the way.
static const Expr *call_place_again(const Expr *expr) {
  for (;;) {
    if (expr->kind == EXPR_COMMA)
      expr = expr->u.list.data[expr->u.list.count - 1];
    else if (expr->kind == EXPR_ASSIGN)
      expr = expr->u.assign.left;
    else if (expr->kind == EXPR_UNARY && (expr->u.unary.op == UNARY_PRE_INC ||
                                          expr->u.unary.op == UNARY_PRE_DEC))
      expr = expr->u.unary.operand;
    else
      return expr;
  }
}

static CuValue call_result(CuContext *cu, const CuFunction *function,
                           Expr *call, const CuValue *object, CuValues args,
                           Span span) {
  const CuType *type = function->result;
  if (function->returns_param >= 0) {
    uint32_t which = (uint32_t)function->returns_param;
    CuValue value = which == 0 ? *object : args.data[which - 1];
    if (cu_is(cu_plain(cu_referred(type)), CU_RECORD))
      value = cu_upcast(cu, value, cu_plain(cu_referred(type))->u.record, span);
    CuValue down;
    if (cu_cast_down(cu, value, cu_referred(type), span, &down))
      value = down;
    if (cu_is_poisoned(&value))
      return value;
    value.type = cu_referred(type);
    const Expr *place = call_place_again(value.expr);
    if (cu_has_effect(place)) {
      cu_unsupported(cu, span, "the result of this call, which is a reference",
                     "name the object in a variable first");
      return cu_poison(cu, span);
    }
    value.expr = cu_comma(cu, call, cu_clone(cu, place, (Span){0, 0}), span);
    value.span = span;
    value.constant.kind = CU_NOT_CONST;
    value.variable = NULL;
    return value;
  }
  if (type->kind != CU_REFERENCE)
    return cu_rvalue(type, call, span);
  CuValue value = cu_lvalue(type->u.inner, call, span);
  if (!cu_is_opaque(type->u.inner))
    value.expr = cu_deref(cu, call, span);
  value.is_lvalue = !type->is_rvalue;
  return value;
}

static bool call_pass_all(CuContext *cu, CuFunction *function, CuValues args,
                          CuExprVec *out) {
  bool is_right = true;
  for (uint32_t i = 0; i < function->n_params; i++) {
    if (cu_is(cu_plain(cu_referred(function->params[i].type)), CU_LAMBDA))
      continue;
    Expr *made = i < args.count ? call_pass(cu, function, i, args.data[i])
                                : pass_default(cu, function, i);
    is_right = is_right && made;
    if (made)
      VEC_PUSH(cu->arena, out, made);
  }
  for (uint32_t i = function->n_params; i < args.count; i++) {
    CuValue value = cu_decay(cu, args.data[i]);
    is_right = is_right && value.expr;
    if (value.expr)
      VEC_PUSH(cu->arena, out, value.expr);
  }
  return is_right;
}

static uint32_t shared_params(const CuContext *cu, CuValues args) {
  uint32_t bits = 0;
  for (uint32_t i = 0; i < args.count && i < 32; i++) {
    const Expr *expr = args.data[i].expr;
    if (expr && cu_spaces(cu, expr) == CU_SPACE_SHARED)
      bits |= UINT32_C(1) << i;
  }
  return bits;
}

CuValue cu_call_body(CuContext *cu, CuFunction *function, CuValue *object,
                     CuValues args, Span span) {
  function =
      cu_variant(cu, function, wanted_pointers(cu, function, object, args));
  if (!function->is_translated)
    function->shared_params = shared_params(cu, args);
  if (!cu_translate_function(cu, function, span))
    return cu_poison(cu, span);
  CuExprVec passed = {0};
  if (function->record && object) {
    Expr *self = pass_object(cu, function, *object);
    if (!self)
      return cu_poison(cu, span);
    VEC_PUSH(cu->arena, &passed, self);
  }
  if (!call_pass_all(cu, function, args, &passed))
    return cu_poison(cu, span);
  pass_needs(cu, function, span, &passed);
  Expr *callee = cu_name_expr(cu, function->name, span);
  Expr *call = cu_call(cu, callee, passed.data, passed.count, span);
  return call_result(cu, function, call, object, args, span);
}

// __cvta_generic_to_shared(p), __cvta_shared_to_generic(n)
static CuValue call_address(CuContext *cu, const CuFunction *function,
                            CuValues args, Span span) {
  CuValue value =
      args.count == 1 ? cu_decay(cu, args.data[0]) : cu_poison(cu, span);
  const CuType *type = cu_plain(value.type);
  if (!value.expr || type->kind != CU_POINTER) {
    if (!cu_is_poisoned(&value))
      cu_unsupported(cu, span, "addresses as numbers", "keep the pointer");
    return cu_poison(cu, span);
  }
  value.span = span;
  return function->result->kind == CU_POINTER
             ? cu_behind_number(cu, value)
             : cu_address_number(cu, value,
                                 (uint32_t)cu_size(function->result));
}

// The integer that an enumeration is.
static CuValue call_underlying(CuContext *cu, CuValue value, Span span) {
  const CuType *from = cu_plain(value.type);
  if (from->kind != CU_ENUM || !value.expr)
    return cu_poison(cu, span);
  const CuType *to = from->u.enumeration->underlying;
  CuValue made = cu_rvalue(to, cu_cast(cu, to, value.expr, span), span);
  made.constant = cu_const_convert(value.constant, from, to);
  return made;
}

// Names of functions where pointers to functions are parameters.
static bool name_functions(CuContext *cu, const CuFunction *function,
                           CuValues args) {
  for (uint32_t i = 0; i < args.count && i < function->n_params; i++) {
    CuValue *value = &args.data[i];
    const CuType *to = function->params[i].type;
    if (!value->overloads)
      continue;
    *value = cu_function_constant(cu, *value, to);
    if (!value->overloads || !cu_is_function_pointer(to))
      continue;
    CU_ERROR(cu, value->span, cannot_convert,
             DS(cu_format(cu, "argument %u of '%s'", i + 1, function->shown)),
             DS(CU_TEXT(cu, value->type)), DS(CU_TEXT(cu, to)));
    return false;
  }
  return true;
}

CuValue cu_call_function(CuContext *cu, CuFunction *function, CuValue *object,
                         CuValues args, Span span) {
  if (function->decl && cu_attribute(function->decl, "__heddle_full_mask"))
    cu_remark(cu, DIAG_cuda_full_mask, span, function->decl->name);
  if (function->decl && cu_attribute(function->decl, "__heddle_unsupported") &&
      !cu_attribute(function->decl, "__heddle_when")) {
    cu_refuse_unsupported(cu, function->decl, span);
    return cu_poison(cu, span);
  }
  if (function->decl && cu_attribute(function->decl, "__heddle_underlying") &&
      args.count == 1)
    return call_underlying(cu, args.data[0], span);
  if (function->decl && cu_attribute(function->decl, "__heddle_barrier_init"))
    return cu_barrier_init(cu, args, span);
  if (function->decl && cu_attribute(function->decl, "__heddle_phase_arrive"))
    return cu_phase_arrive(cu, span);
  if (function->decl && cu_attribute(function->decl, "__heddle_phase_wait"))
    return cu_phase_wait(cu, span);
  if (function->decl && cu_attribute(function->decl, "__heddle_make_pipeline"))
    return cu_make_pipeline(cu, function, args, span);
  bool gives_closure =
      function->result &&
      cu_is(cu_plain(cu_referred(function->result)), CU_LAMBDA);
  if (cu_is_heddle(function) && gives_closure && args.count == 1)
    return args.data[0]; // std::forward<F>(f)
  if (cu_is_heddle(function))
    return cu_heddle_call(cu, function, object, args, span);
  for (uint32_t i = 0; i < args.count && i < function->n_params; i++)
    if (function->params[i].type->kind != CU_REFERENCE)
      cu_refuse_mutable(cu, args.data[i]);
  if (!name_functions(cu, function, args))
    return cu_poison(cu, span);
  bool is_texture =
      function->decl && cu_attribute(function->decl, "__heddle_texture");
  if (is_texture)
    cu_texture_use(cu, function, args, span);
  if (function->decl && cu_attribute(function->decl, "__heddle_address"))
    return call_address(cu, function, args, span);
  function = cu_with_kept(cu, function, args);
  for (uint32_t i = 0; i < args.count && i < function->n_params && !is_texture;
       i++)
    cu_texture_flow(cu, &args.data[i], &function->params[i]);
  CuValue inlined;
  if (cu_constexpr_call(cu, function, args, &inlined)) {
    inlined.span = span;
    if (inlined.constant.kind == CU_NOT_CONST)
      return inlined; // a function
    inlined.expr =
        inlined.constant.kind == CU_CONST_INT
            ? cu_int_expr(cu, inlined.type, inlined.constant.i, span)
            : cu_float_expr(cu, inlined.type, inlined.constant.f, span);
    return inlined;
  }
  if (cu_inline_call(cu, function, object, args, span, &inlined))
    return inlined;
  if (cu_inline_statement(cu, function, object, args, span))
    return cu_rvalue(cu_basic(&cu->types, CU_VOID), NULL, span);
  return cu_call_body(cu, function, object, args, span);
}

// ---------------------------------------------------------------- overloads

static bool needs_object(const CuFunction *function) {
  return function->record && function->entity &&
         function->entity->decl->u.function.kind != CX_FUNCTION_CONSTRUCTOR;
}

CuValue cu_call_overloads(CuContext *cu, CuOverloads *set, CuValue *object,
                          CuValues args, Span span, Span name_span) {
  cu_add_by_arguments(cu, set, args);
  if (set->found.count == 0) {
    cu_undeclared(cu, name_span, set->part->name ? set->part->name : "");
    return cu_poison(cu, span);
  }
  CuValue self;
  bool is_inside = !object && set->found.data[0]->scope->record && cu->frame &&
                   cu->frame->self;
  if (is_inside) {
    self = cu_self(cu, span);
    const CuRecord *record = cu_plain(self.type)->u.record;
    uint32_t path[16], n = 0;
    if (cu_find_base(cu, cu_plain(self.type)->u.record,
                     set->found.data[0]->scope->record, path, &n) ||
        record == set->found.data[0]->scope->record)
      object = &self;
  }
  uint32_t called_at = cu->lookup.called_at;
  cu->lookup.called_at = cu_is_of_template(cu->scope) ? 0 : name_span.begin;
  CuFunction *function = cu_choose(cu, set, object, args, name_span);
  cu->lookup.called_at = called_at;
  if (!function)
    return cu_poison(cu, span);
  bool is_missing = needs_object(function) && !object;
  if (is_missing && cu_heddle_only_group(cu, function->record, span, &self))
    object = &self;
  else if (is_missing) {
    CU_ERROR(cu, name_span, cuda_needs_object, DS(function->shown));
    return cu_poison(cu, span);
  }
  return cu_call_function(cu, function, needs_object(function) ? object : NULL,
                          args, span);
}

// ---------------------------------------------------------------- operators

static void call_add_members(CuContext *cu, const CuValue *value,
                             const char *name, CuEntityVec *found) {
  const CuType *type = cu_plain(value->type);
  if (type->kind == CU_RECORD && cu_complete_record(cu, type->u.record))
    cu_lookup_in(cu, type->u.record->scope, name, found);
}

bool cu_call_operator(CuContext *cu, const char *name, CuValues args, Span span,
                      CuValue *out) {
  name = intern_cstr(cu->names, name);
  CxNamePart *part = ARENA_NEW(cu->arena, CxNamePart);
  part->name = name;
  part->span = span;
  CuOverloads *members = ARENA_NEW(cu->arena, CuOverloads);
  members->part = part;
  call_add_members(cu, &args.data[0], name, &members->found);
  cu_keep_functions(&members->found);
  CuOverloads *free_ones = ARENA_NEW(cu->arena, CuOverloads);
  free_ones->part = part;
  cu_lookup_at(cu, cu_namespace_of(cu->scope), name, span.begin,
               &free_ones->found);
  cu_add_by_arguments(cu, free_ones, args);
  cu_keep_functions(&free_ones->found);
  CuFunction *function = cu_choose_operator(cu, members, free_ones, args);
  if (!function)
    return false;
  CuValues rest = {args.data + 1, args.count - 1};
  *out = function->record
             ? cu_call_function(cu, function, &args.data[0], rest, span)
             : cu_call_function(cu, function, NULL, args, span);
  return true;
}

// ---------------------------------------------------------------- f(x)

static bool is_type_name(CuContext *cu, const CxExpr *callee,
                         const CuType **type) {
  if (callee->kind != CX_EXPR_NAME || callee->has_parens)
    return false;
  CuEntityVec found = {0};
  const CxName *name = callee->u.name;
  if (!cu_resolve_name(cu, name, &found))
    return false;
  for (uint32_t i = 0; i < found.count; i++) {
    if (found.data[i]->kind == CU_ENTITY_FUNCTION ||
        found.data[i]->kind == CU_ENTITY_LOCAL ||
        found.data[i]->kind == CU_ENTITY_VAR ||
        found.data[i]->kind == CU_ENTITY_FIELD)
      return false;
  }
  *type = cu_name_type(cu, name);
  return *type != NULL;
}

static CuValue call_object(CuContext *cu, CuValue object, CuValues args,
                           Span span) {
  CuEntityVec found = {0};
  call_add_members(cu, &object, intern_cstr(cu->names, "operator()"), &found);
  CuOverloads *set = ARENA_NEW(cu->arena, CuOverloads);
  set->found = found;
  CxNamePart *part = ARENA_NEW(cu->arena, CxNamePart);
  part->name = "operator()";
  part->span = span;
  set->part = part;
  set->is_qualified = true;
  if (found.count)
    return cu_call_overloads(cu, set, &object, args, span, span);
  CU_ERROR(cu, span, not_callable, DS(CU_TEXT(cu, object.type)));
  return cu_poison(cu, span);
}

CuValue cu_call_expr(CuContext *cu, const CxExpr *expr) {
  const CuType *type = NULL;
  const CxExpr *callee = expr->u.call.callee;
  if (cu_is_for_tools(expr))
    return (CuValue){.type = cu_basic(&cu->types, CU_VOID), .span = expr->span};
  if (is_type_name(cu, callee, &type))
    return cu_construct_of(cu, type, cu_arguments(cu, &expr->u.call.args),
                           false, expr->span);
  CuValue made;
  if (cu_call_table(cu, expr, &made))
    return made;
  CuValue function = cu_expr(cu, callee);
  CuValues args = cu_arguments(cu, &expr->u.call.args);
  if (cu_is_poisoned(&function))
    return cu_poison(cu, expr->span);
  if (function.overloads)
    return cu_call_overloads(cu, function.overloads, function.object, args,
                             expr->span, callee->span);
  const CuType *plain = cu_plain(function.type);
  if (plain->kind == CU_LAMBDA)
    return cu_call_closure(cu, plain->u.lambda, args, expr->span);
  if (plain->kind == CU_RECORD)
    return call_object(cu, function, args, expr->span);
  if (plain->kind == CU_POINTER || plain->kind == CU_FUNCTION)
    cu_unsupported(cu, expr->span, "calls through function pointers",
                   "call the function, or pass a lambda to a template");
  else
    CU_ERROR(cu, expr->span, not_callable, DS(CU_TEXT(cu, function.type)));
  return cu_poison(cu, expr->span);
}
