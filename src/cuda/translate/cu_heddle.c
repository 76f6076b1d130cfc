// SPDX-License-Identifier: Apache-2.0
// Functions and variables of our headers whose meaning is an expression of
// Heddle C: __heddle("E"), __heddle_when("C", "E").
//
// Note [Substitution]
// A call is replaced by E with the arguments in the places of the parameters.
// An argument that is no name or literal may stand in E only once, and in
// order; else a function with the body `return E;` is made, whose parameters
// are evaluated once.
#include "cuda/form/cu_heddle.h"
#include "cuda/form/cu_barrier.h"
#include "cuda/form/cu_call.h"
#include "cuda/form/cu_function.h"
#include "cuda/form/cu_lambda.h"
#include "cuda/form/cu_local.h"
#include "cuda/form/cu_phase.h"
#include "cuda/form/cu_pipeline.h"
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_resolve.h"
#include "cuda/form/cu_scope.h"
#include "cuda/form/cu_tree.h"
#include "cxx/cx_parse.h"

#include <string.h>

// ---------------------------------------------------------------- E itself

// What is made has the place of the call that it is for (E is parsed once, at
// the first), and what the call gave as arguments stays at its own.

// What a name of E stands for: a parameter or one of the template; NULL: it is
// a word of Heddle C.
static CuEntity *heddle_bound(const CuContext *cu, const char *name) {
  for (CuScope *scope = cu->scope; scope; scope = scope->parent) {
    if (scope->kind == CU_SCOPE_NAMESPACE)
      return NULL;
    if (scope->kind == CU_SCOPE_RECORD)
      continue;
    CuEntity *entity = map_get(&scope->names, MAP_KEY(name));
    if (entity)
      return entity;
  }
  return NULL;
}

static Expr *emit_expr(CuContext *cu, const CxExpr *expr);

static Expr *emit_entity(CuContext *cu, CuEntity *entity, Span span) {
  if (entity->kind == CU_ENTITY_LOCAL) {
    CuVariable *variable = entity->variable;
    entity->n_uses++;
    bool is_given = variable->holds == CU_HOLDS_SUBSTITUTE;
    return is_given && variable->substitute.expr
               ? cu_clone(cu, variable->substitute.expr, (Span){0, 0})
               : cu_variable_value(cu, variable, span).expr;
  }
  if (entity->kind == CU_ENTITY_VALUE)
    return entity->value.kind == CU_CONST_INT
               ? cu_int_expr(cu, entity->type, entity->value.i, span)
               : cu_float_expr(cu, entity->type, entity->value.f, span);
  Expr *type = cu_new_expr(cu, EXPR_TYPE, span);
  type->u.type = cu_emit_type(cu, entity->type, span);
  return type;
}

static Expr *emit_name(CuContext *cu, const CxExpr *expr) {
  const CxName *name = expr->u.name;
  CuEntity *entity =
      name->n_parts == 1 ? heddle_bound(cu, name->parts[0].name) : NULL;
  if (entity)
    return emit_entity(cu, entity, cu->heddle_call);
  return cu_word_expr(cu, name->parts[name->n_parts - 1].name, cu->heddle_call);
}

// __heddle_order(o), __heddle_scope(s): words for constants of CUDA.
static const char *const orders[] = {"relaxed", "acquire", "acquire",
                                     "release", "acq_rel", "acq_rel"};
static const char *const places[] = {"system", "device", "block", "block",
                                     "cluster"};

static Expr *emit_word(CuContext *cu, const CxExpr *argument,
                       const char *const *words, int64_t n, Span span) {
  CuValue value = cu_try_constant(cu, argument);
  if (value.constant.kind == CU_CONST_INT && value.constant.i >= 0 &&
      value.constant.i < n)
    return cu_word_expr(cu, words[value.constant.i], span);
  CU_ERROR(cu, span, not_constant, DS("the memory order and scope"));
  return cu_poison_expr(cu, span);
}

// Loads acquire and stores release what is to do both.
static void fit_order(CuContext *cu, const char *callee, Expr **args,
                      uint32_t n_args) {
  bool loads = strcmp(callee, "atomic_load") == 0;
  if (!loads && strcmp(callee, "atomic_store") != 0)
    return;
  for (uint32_t i = 0; i < n_args; i++) {
    bool does_both =
        args[i]->kind == EXPR_NAME && strcmp(args[i]->u.name, "acq_rel") == 0;
    if (does_both)
      args[i] = cu_word_expr(cu, loads ? "acquire" : "release", args[i]->span);
  }
}

static Expr *emit_call(CuContext *cu, const CxExpr *expr) {
  const CxExpr *callee = expr->u.call.callee;
  const CxExprList *args = &expr->u.call.args;
  const char *name =
      callee->kind == CX_EXPR_NAME
          ? callee->u.name->parts[callee->u.name->n_parts - 1].name
          : "";
  if (args->count == 1 && strcmp(name, "__heddle_order") == 0)
    return emit_word(cu, args->data[0], orders, 6, cu->heddle_call);
  if (args->count == 1 && strcmp(name, "__heddle_scope") == 0)
    return emit_word(cu, args->data[0], places, 5, cu->heddle_call);
  if (cu_is_pipeline_word(name, args->count))
    return cu_pipeline_word(
        cu, name, emit_expr(cu, args->data[0]),
        args->count > 1 ? emit_expr(cu, args->data[1]) : NULL, cu->heddle_call);
  Expr **made = ARENA_ARRAY(cu->arena, Expr *, args->count + 1);
  for (uint32_t i = 0; i < args->count; i++)
    made[i] = emit_expr(cu, args->data[i]);
  fit_order(cu, name, made, args->count);
  return cu_call(cu, cu_word_expr(cu, name, cu->heddle_call), made, args->count,
                 cu->heddle_call);
}

static Expr *emit_type_operand(CuContext *cu, const CxType *type, Span span) {
  Expr *made = cu_new_expr(cu, EXPR_SIZEOF_TYPE, span);
  made->u.type = cu_emit_type(cu, cu_resolve_type(cu, type), span);
  return made;
}

// (T)x. A parameter's own name may be that of a type, then it is `(T)(x)`.
static Expr *emit_cast(CuContext *cu, const CxType *type, const CxExpr *from,
                       Span span) {
  Expr *operand = emit_expr(cu, from);
  bool is_name = from->kind == CX_EXPR_NAME && from->u.name->n_parts == 1;
  CuEntity *named =
      is_name ? heddle_bound(cu, from->u.name->parts[0].name) : NULL;
  const CuType *to = cu_resolve_type(cu, type);
  if (cu_is(to, CU_VOID) || cu_is_poison(to))
    return operand;
  CuVariable *variable = named ? named->variable : NULL;
  if (variable && cu_is(cu_plain(variable->type), CU_RECORD) &&
      !cu_is_opaque(variable->type) && cu_is_arithmetic(cu_plain(to))) {
    CuValue value = cu_variable_value(cu, variable, span);
    CuValue made = cu_convert_exactly(cu, value, to, "cast");
    return made.expr ? made.expr : operand;
  }
  return cu_cast(cu, cu_referred(to), operand, span);
}

static Expr *emit_conditional(CuContext *cu, const CxExpr *expr) {
  Expr *made = cu_new_expr(cu, EXPR_CONDITIONAL, cu->heddle_call);
  made->u.conditional.condition = emit_expr(cu, expr->u.conditional.condition);
  made->u.conditional.if_true = emit_expr(cu, expr->u.conditional.if_true);
  made->u.conditional.if_false = emit_expr(cu, expr->u.conditional.if_false);
  made->depth = (uint16_t)(made->u.conditional.condition->depth +
                           made->u.conditional.if_true->depth +
                           made->u.conditional.if_false->depth);
  return made;
}

static Expr *emit_list(CuContext *cu, const CxExpr *list) {
  CuExprVec items = {0};
  for (uint32_t i = 0; i < list->u.init_list.n_items; i++)
    VEC_PUSH(cu->arena, &items,
             emit_expr(cu, list->u.init_list.items[i].value));
  return cu_list_expr(cu, &items, cu->heddle_call);
}

static Expr *emit_construct(CuContext *cu, const CxExpr *expr) {
  const CuType *type = cu_resolve_type(cu, expr->u.construct.type);
  CuExprVec items = {0};
  const CxExprList *args = &expr->u.construct.args;
  if (args->count == 1 && args->data[0]->kind == CX_EXPR_INIT_LIST)
    return cu_compound_literal(cu, type, emit_list(cu, args->data[0]),
                               cu->heddle_call);
  for (uint32_t i = 0; i < expr->u.construct.args.count; i++)
    VEC_PUSH(cu->arena, &items, emit_expr(cu, expr->u.construct.args.data[i]));
  if (items.count == 1 && cu_is_scalar(cu_plain(type)))
    return cu_cast(cu, type, items.data[0], cu->heddle_call);
  return cu_compound_literal(
      cu, type, cu_list_expr(cu, &items, cu->heddle_call), cu->heddle_call);
}

static Expr *emit_operator(CuContext *cu, const CxExpr *expr) {
  Span span = cu->heddle_call;
  switch ((int)expr->kind) {
  case CX_EXPR_UNARY: {
    Expr *operand = emit_expr(cu, expr->u.unary.operand);
    if (expr->u.unary.op == UNARY_DEREF)
      return cu_deref(cu, operand, span);
    if (expr->u.unary.op == UNARY_ADDRESS)
      return cu_address(cu, operand, span);
    return cu_unary(cu, expr->u.unary.op, operand, span);
  }
  case CX_EXPR_BINARY:
    return cu_binary(cu, expr->u.binary.op, emit_expr(cu, expr->u.binary.left),
                     emit_expr(cu, expr->u.binary.right), span);
  case CX_EXPR_ASSIGN: {
    Expr *left = emit_expr(cu, expr->u.assign.left);
    Expr *right = emit_expr(cu, expr->u.assign.right);
    return expr->u.assign.is_compound
               ? cu_compound_assign(cu, expr->u.assign.op, left, right, span)
               : cu_assign(cu, left, right, span);
  }
  case CX_EXPR_CONDITIONAL: return emit_conditional(cu, expr);
  case CX_EXPR_COMMA: {
    Expr *made = emit_expr(cu, expr->u.list.data[0]);
    for (uint32_t i = 1; i < expr->u.list.count; i++)
      made = cu_comma(cu, made, emit_expr(cu, expr->u.list.data[i]), span);
    return made;
  }
  case CX_EXPR_INDEX:
    return cu_subscript(cu, emit_expr(cu, expr->u.index.base),
                        emit_expr(cu, expr->u.index.index), false, span);
  default: break;
  }
  const CxName *name = expr->u.member.name;
  Expr *base = emit_expr(cu, expr->u.member.base);
  if (expr->u.member.is_arrow)
    base = cu_deref(cu, base, span);
  return cu_member(cu, base, name->parts[name->n_parts - 1].name, span);
}

// `plus`, which is a class template in C++ too.
static bool is_word_type(const CuContext *cu, const CxType *type) {
  if (type->kind != CX_TYPE_NAMED || type->u.named.name->n_parts != 1)
    return false;
  const CxNamePart *part = &type->u.named.name->parts[0];
  return !part->has_args && !heddle_bound(cu, part->name);
}

static Expr *emit_expr(CuContext *cu, const CxExpr *expr) {
  switch ((int)expr->kind) {
  case CX_EXPR_INT:
  case CX_EXPR_FLOAT:
  case CX_EXPR_CHAR:
  case CX_EXPR_STRING:
  case CX_EXPR_BOOL: return cu_expr(cu, expr).expr;
  case CX_EXPR_NAME: return emit_name(cu, expr);
  case CX_EXPR_CALL: return emit_call(cu, expr);
  case CX_EXPR_CAST:
    if (expr->u.cast.operand->kind == CX_EXPR_INIT_LIST)
      return cu_compound_literal(cu, cu_resolve_type(cu, expr->u.cast.type),
                                 emit_list(cu, expr->u.cast.operand),
                                 cu->heddle_call);
    return emit_cast(cu, expr->u.cast.type, expr->u.cast.operand,
                     cu->heddle_call);
  case CX_EXPR_CONSTRUCT: return emit_construct(cu, expr);
  case CX_EXPR_SIZEOF_TYPE:
    return emit_type_operand(cu, expr->u.type, cu->heddle_call);
  case CX_EXPR_TYPE: {
    if (is_word_type(cu, expr->u.type))
      return cu_word_expr(cu, expr->u.type->u.named.name->parts[0].name,
                          cu->heddle_call);
    Expr *type = cu_new_expr(cu, EXPR_TYPE, cu->heddle_call);
    type->u.type =
        cu_emit_type(cu, cu_resolve_type(cu, expr->u.type), cu->heddle_call);
    return type;
  }
  case CX_EXPR_UNARY:
  case CX_EXPR_BINARY:
  case CX_EXPR_ASSIGN:
  case CX_EXPR_CONDITIONAL:
  case CX_EXPR_COMMA:
  case CX_EXPR_INDEX:
  case CX_EXPR_MEMBER: return emit_operator(cu, expr);
  default: break;
  }
  cu_unsupported(cu, cu->heddle_call, "this expression of a CUDA header", NULL);
  return cu_poison_expr(cu, cu->heddle_call);
}

Expr *cu_heddle_expr(CuContext *cu, const CxExpr *expr) {
  cu->heddle_call = expr->span;
  return emit_expr(cu, expr);
}

// ---------------------------------------------------------------- which E

static const CxAttribute *heddle_attribute(const CuFunction *function) {
  return function->decl ? cu_attribute(function->decl, "__heddle") : NULL;
}

bool cu_is_heddle(const CuFunction *function) {
  return function->decl && (heddle_attribute(function) ||
                            cu_attribute(function->decl, "__heddle_when"));
}

static CxExpr *parse(CuContext *cu, CxDecl *decl, const CxExpr *text,
                     Span span) {
  CxExpr *known = map_get(&cu->inlined, MAP_KEY(text));
  if (known)
    return known;
  const char *why = NULL;
  CxExpr *expr =
      cx_parse_text(cu->tree, decl->kind == CX_DECL_FUNCTION ? decl : NULL,
                    text->u.string_lit.bytes, span, &why);
  if (expr)
    map_put(cu->arena, &cu->inlined, MAP_KEY(text), expr);
  else
    cu_unsupported(cu, text->span,
                   cu_format(cu, "'%s'", text->u.string_lit.bytes), why);
  return expr;
}

static bool condition_holds(CuContext *cu, CxDecl *decl, const CxExpr *text,
                            Span span) {
  CxExpr *condition = parse(cu, decl, text, span);
  if (!condition)
    return false;
  CuValue value = cu_try_constant(cu, condition);
  return value.constant.kind == CU_CONST_INT && value.constant.i;
}

// In the scope where the parameters are bound. NULL: the body is meant.
static const CxExpr *heddle_choose(CuContext *cu, CuFunction *function,
                                   Span span) {
  CxDecl *decl = function->decl;
  for (uint32_t i = 0; i < decl->n_attributes; i++) {
    const CxAttribute *attribute = &decl->attributes[i];
    if (strcmp(attribute->word, "__heddle_when") == 0 &&
        attribute->args.count == 2 &&
        condition_holds(cu, decl, attribute->args.data[0], span))
      return parse(cu, decl, attribute->args.data[1], span);
  }
  const CxAttribute *attribute = heddle_attribute(function);
  if (!attribute)
    return NULL;
  return attribute->args.count ? parse(cu, decl, attribute->args.data[0], span)
                               : NULL;
}

// ---------------------------------------------------------------- calls

typedef struct {
  CuEntity **entities; // of the parameters, the object last
  uint32_t count;
} Bindings;

static CuEntity *bind(CuContext *cu, const char *name, const CuType *type,
                      CuValue value) {
  CuVariable *variable = ARENA_NEW(cu->arena, CuVariable);
  variable->type = cu_referred(type);
  variable->frame = cu->frame;
  variable->holds = CU_HOLDS_SUBSTITUTE;
  variable->substitute = value;
  CuEntity *entity = cu_declare(cu, cu->scope, CU_ENTITY_LOCAL, name, NULL);
  entity->variable = variable;
  return entity;
}

static CuValue converted(CuContext *cu, const CuFunction *function, uint32_t i,
                         CuValues args) {
  const CuType *type = function->params[i].type;
  CuValue value;
  if (i < args.count) {
    value = args.data[i];
  } else {
    CuScope *before = cu_set_scope(cu, function->scope);
    value = cu_expr(cu, cu_default_argument(cu, function, i));
    cu_set_scope(cu, before);
  }
  if (value.overloads && cu_is(cu_plain(cu_referred(type)), CU_LAMBDA))
    value = cu_function_object(cu, value);
  const CuType *element =
      i > 0 && i <= args.count ? args.data[i - 1].type : NULL;
  Expr *word =
      element ? cu_operator_argument(cu, value, cu_plain(element)) : NULL;
  if (word) {
    value.expr = word;
    value.is_lvalue = false;
    return value;
  }
  value = cu_convert_exactly(
      cu, value, type,
      cu_format(cu, "argument %u of '%s'", i + 1, function->shown));
  if (value.expr && cu_is_barrier_pointer(type))
    value.expr = cu_barrier_place(cu, value.expr, NULL, value.span);
  return value;
}

static bool bind_all(CuContext *cu, const CuFunction *function,
                     const CuValue *object, CuValues args, Bindings *out) {
  bool is_right = true;
  out->entities = ARENA_ARRAY(cu->arena, CuEntity *, function->n_params + 1);
  for (uint32_t i = 0; i < function->n_params; i++) {
    CuValue value = converted(cu, function, i, args);
    is_right = is_right && value.expr;
    out->entities[out->count++] =
        bind(cu, function->decl->type->u.function.params.data[i]->name,
             function->params[i].type, value);
  }
  if (object && function->record)
    out->entities[out->count++] =
        bind(cu, intern_cstr(cu->names, "self"), object->type, *object);
  return is_right;
}

// Whether substitution keeps the number of evaluations. An argument that E
// leaves out is evaluated all the same: what it reads may race.
static bool may_substitute(const Bindings *bindings) {
  for (uint32_t i = 0; i < bindings->count; i++) {
    const CuEntity *entity = bindings->entities[i];
    const Expr *expr = entity->variable->substitute.expr;
    bool is_lost =
        entity->n_uses == 0 && (cu_has_effect(expr) || cu_reads_memory(expr));
    if (is_lost || (!cu_is_repeatable(expr) && entity->n_uses > 1))
      return false;
  }
  return true;
}

static CuValue result_value(CuContext *cu, const CuFunction *function,
                            Expr *made, Span span) {
  const CuType *type =
      function->result ? function->result : cu_basic(&cu->types, CU_VOID);
  if (type->kind != CU_REFERENCE)
    return cu_rvalue(type, made, span);
  CuValue value = cu_lvalue(type->u.inner, made, span);
  value.is_lvalue = !type->is_rvalue;
  return value;
}

// min and max of constants are constants.
static bool fold_call(CuContext *cu, const CuFunction *function, CuValues args,
                      Span span, CuValue *out) {
  const CuType *type = cu_plain(cu_referred(function->result));
  const char *name = function->decl ? function->decl->name : NULL;
  bool is_min = name && strcmp(name, "min") == 0;
  bool is_max = name && strcmp(name, "max") == 0;
  if ((!is_min && !is_max) || args.count != 2 || !cu_is_integer(type))
    return false;
  CuConst a = cu_const_convert(args.data[0].constant, args.data[0].type, type);
  CuConst b = cu_const_convert(args.data[1].constant, args.data[1].type, type);
  CuConst is_less = cu_fold_binary(BINARY_LT, a, b, type);
  if (is_less.kind != CU_CONST_INT)
    return false;
  *out = cu_int_value(cu, type, ((is_less.i != 0) == is_min ? a : b).i, span);
  return true;
}

static Expr *call_same_name(CuContext *cu, const CuFunction *function,
                            const Bindings *bindings, CuValues args,
                            Span span) {
  uint32_t n = bindings->count;
  uint32_t all =
      n +
      (args.count > function->n_params ? args.count - function->n_params : 0);
  Expr **made = ARENA_ARRAY(cu->arena, Expr *, all + 1);
  for (uint32_t i = 0; i < n; i++)
    made[i] = bindings->entities[i]->variable->substitute.expr;
  for (uint32_t i = n; i < all; i++) {
    CuValue value = cu_decay(cu, args.data[function->n_params + i - n]);
    made[i] = value.expr ? value.expr : cu_poison_expr(cu, span);
  }
  return cu_call(cu, cu_word_expr(cu, function->entity->name, span), made, all,
                 span);
}

// A function `return E;`, for this choice of E.
static CuFunction *helper(CuContext *cu, CuFunction *function,
                          const CxExpr *expr) {
  CuFunction *made = function->helpers;
  for (; made; made = made->helpers) {
    if (made->heddle == expr)
      return made;
  }
  made = ARENA_NEW(cu->arena, CuFunction);
  *made = *function;
  made->heddle = expr;
  made->is_translated = made->is_translating = made->is_failed = false;
  made->variants = NULL;
  made->helpers = function->helpers;
  function->helpers = made;
  return made;
}

// b.wait(b.arrive()): a token is held by a variable.
static void hold_tokens(CuContext *cu, CuValues args) {
  for (uint32_t i = 0; i < args.count && !cu->frame->is_conditional; i++) {
    CuValue *value = &args.data[i];
    const CuType *type = cu_plain(cu_referred(value->type));
    bool is_made = cu_is_opaque(type) &&
                   type->u.record->opaque == CU_OPAQUE_TOKEN && value->expr &&
                   value->expr->kind == EXPR_CALL;
    if (is_made)
      *value = cu_temporary(cu, *value, "phase");
  }
}

static Expr *heddle_emit_for(CuContext *cu, const CxExpr *expr, Span call) {
  Span before = cu->heddle_call;
  cu->heddle_call = call;
  Expr *made = emit_expr(cu, expr);
  cu->heddle_call = before;
  return made;
}

CuValue cu_heddle_call(CuContext *cu, CuFunction *function, CuValue *object,
                       CuValues args, Span span) {
  CuValue folded;
  if (function->result && fold_call(cu, function, args, span, &folded))
    return folded;
  hold_tokens(cu, args);
  CuScope *before =
      cu_set_scope(cu, cu_new_scope(cu, CU_SCOPE_BLOCK, function->scope));
  Bindings bindings = {0};
  bool is_right = bind_all(cu, function, object, args, &bindings);
  bool is_same =
      heddle_attribute(function) && heddle_attribute(function)->args.count == 0;
  const CxExpr *expr = is_right ? heddle_choose(cu, function, span) : NULL;
  Expr *made = NULL;
  if (is_right && !expr && is_same)
    made = call_same_name(cu, function, &bindings, args, span);
  else if (is_right && expr)
    made = heddle_emit_for(cu, expr, span);
  cu_set_scope(cu, before);
  if (!is_right || (!expr && heddle_attribute(function) && !is_same))
    return cu_poison(cu, span);
  if (!expr && !is_same)
    return cu_call_body(cu, function, object, args, span);
  if (!expr || may_substitute(&bindings)) {
    Expr *placed = made;
    placed->span = span;
    // arrive(g): only its wait would tell.
    bool drops = object && cu_is_opaque(object->type) &&
                 cu_plain(object->type)->u.record->opaque == CU_OPAQUE_GROUP &&
                 function->result && cu_is_opaque(function->result);
    if (drops && cu_is_cluster(object->type))
      map_put(cu->arena, &cu->notes.phases, MAP_KEY(placed), placed);
    else if (drops)
      map_put(cu->arena, &cu->notes.droppable, MAP_KEY(placed), placed);
    return result_value(cu, function, placed, span);
  }
  return cu_call_body(cu, helper(cu, function, expr), object, args, span);
}

CuValue cu_heddle_variable(CuContext *cu, CuEntity *entity, Span span) {
  const CxAttribute *attribute = cu_attribute(entity->decl, "__heddle");
  if (!attribute->args.count)
    return cu_poison(cu, span);
  CxExpr *expr = parse(cu, entity->decl, attribute->args.data[0], span);
  if (!expr)
    return cu_poison(cu, span);
  CuScope *before = cu_set_scope(cu, entity->scope);
  const CuType *type = cu_resolve_type(cu, entity->decl->type);
  Expr *made = heddle_emit_for(cu, expr, span);
  cu_set_scope(cu, before);
  CuValue value = cu_rvalue(type, made, span);
  if (made->kind == EXPR_INT)
    value.constant = cu_const_int((int64_t)made->u.int_lit.value);
  return value;
}

// The group that `thread_block::sync()` is about: there is one of its class.
bool cu_heddle_only_group(CuContext *cu, CuRecord *record, Span span,
                          CuValue *out) {
  CxDecl *decl = record->decl ? record->decl : record->entity->decl;
  const CxAttribute *attribute = cu_attribute(decl, "__heddle_group");
  if (!attribute || !attribute->args.count)
    return false;
  CxExpr *expr = parse(cu, decl, attribute->args.data[0], span);
  if (!expr)
    return false;
  CuScope *before = cu_set_scope(cu, record->entity->scope);
  *out = cu_rvalue(record->type, heddle_emit_for(cu, expr, span), span);
  cu_set_scope(cu, before);
  return true;
}

// ---------------------------------------------------------------- operators

// Objects for plus and the like, as the last argument of reductions.
Expr *cu_operator_argument(CuContext *cu, CuValue value,
                           const CuType *element) {
  const CuType *type = cu_plain(value.type);
  if (type->kind == CU_LAMBDA)
    return cu_operator_function(cu, value, element);
  if (type->kind != CU_RECORD || type->u.record->opaque ||
      type->u.record->heddle)
    return NULL;
  const CxAttribute *word =
      cu_attribute(type->u.record->decl, "__heddle_operator");
  const char *text = word ? cu_attribute_text(word) : NULL;
  if (text && cu_is_arithmetic(element))
    return cu_word_expr(cu, text, value.span);
  CuEntityVec found = {0};
  if (!cu_complete_record(cu, type->u.record) ||
      !cu_lookup_in(cu, type->u.record->scope,
                    intern_cstr(cu->names, "operator()"), &found))
    return NULL;
  return cu_operator_function(cu, value, element);
}
