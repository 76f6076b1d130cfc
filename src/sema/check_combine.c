// SPDX-License-Identifier: Apache-2.0
// Reductions, scans and updates: their operators, which are names of a scope
// of their own or functions T f(T, T).
#include "sema/builtin_table.h"
#include "sema/instance.h"

#include <string.h>

static TExpr *check_combine_poison(const BuiltinCall *call) {
  return build_poison(call->cx, call->span);
}

// --- operators ---

static const char *const operator_names[] = {
    [TCOMBINE_NONE] = "",           [TCOMBINE_PLUS] = "plus",
    [TCOMBINE_MIN] = "min",         [TCOMBINE_MAX] = "max",
    [TCOMBINE_BIT_AND] = "bit_and", [TCOMBINE_BIT_OR] = "bit_or",
    [TCOMBINE_BIT_XOR] = "bit_xor",
};

enum { N_OPERATORS = sizeof(operator_names) / sizeof(*operator_names) };

bool is_operator_name(const char *name) {
  for (int i = 1; i < N_OPERATORS; i++)
    if (strcmp(operator_names[i], name) == 0)
      return true;
  return false;
}

// An operator of a call, found out before its value is known to have a type
// that it can combine.
typedef struct {
  const BuiltinCall *call;
  const Expr *expr;
  TCombine combine;   // NONE: wrong, reported
  FuncSymbol *symbol; // FUNC
  TFunc *func;
} Operator;

static void find_operator(Operator *op) {
  SemaContext *cx = op->call->cx;
  const Expr *expr = op->expr;
  Symbol *symbol = NULL;
  if (expr->kind == EXPR_NAME) {
    symbol = sema_scope_find(cx, expr->u.name);
    for (int i = 1; !symbol && i < N_OPERATORS; i++)
      if (strcmp(operator_names[i], expr->u.name) == 0)
        op->combine = (TCombine)i;
  }
  if (symbol && symbol->kind == SYMBOL_FUNC) {
    op->combine = TCOMBINE_FUNC;
    op->symbol = symbol->func;
  }
  bool is_silent =
      expr->kind == EXPR_POISON || (symbol && symbol->kind == SYMBOL_POISON);
  if (op->combine == TCOMBINE_NONE && !is_silent)
    SEMA_ERROR(cx, expr->span, operator_name,
               DS(sema_source_text(cx, expr->span)), DS(op->call->name));
}

// --- functions as operators ---

static bool refuse_function(const Operator *op, const char *problem) {
  SEMA_ERROR(op->call->cx, op->expr->span, operator_function,
             DS(op->symbol->name), DS(problem));
  return false;
}

static bool has_operator_form(const Operator *op) {
  const Decl *decl = op->symbol->decl;
  const DeclList *params = &decl->type->u.function.params;
  if (params->count != 2)
    return refuse_function(op, "it must have two parameters");
  for (uint32_t i = 0; i < 2; i++) {
    const Decl *param = params->data[i];
    bool is_array = param->type && param->type->kind == TYPE_ARRAY;
    if (is_embedded_param(param) || is_array)
      return refuse_function(op, "its parameters must be plain values");
  }
  if (!decl->u.function.body)
    return refuse_function(op, "it has no body");
  if (function_clause(decl, CLAUSE_THREADS))
    return refuse_function(op, "it is declared with threads(…)");
  if (op->symbol->is_active)
    return refuse_function(op, "it would call itself");
  return true;
}

// A value of a type that an instance can be asked for with.
static TExpr *stand_in(SemaContext *cx, const Type *type, Span span) {
  TExpr *expr = build_expr(cx, TEXPR_AGGREGATE, type, span);
  return expr;
}

// The function runs for one pair of values, in single threads.
static TFunc *check_combine_instance_of(const Operator *op, const Type *type) {
  SemaContext *cx = op->call->cx;
  CallArgument args[2] = {{0}};
  args[0].value = args[1].value = stand_in(cx, type, op->expr->span);
  GroupState outer = cx->body->group;
  cx->body->group =
      (GroupState){.size = 1,
                   .max_size = 1,
                   .ref = TGROUP_THREAD,
                   .operator_of = sema_format(cx, "'%s'", op->call->name)};
  TFunc *func = instance_get(cx, op->symbol, args, op->expr->span);
  cx->body->group = outer;
  return func;
}

static bool takes_its_result(const TFunc *func) {
  const Type *type = func->result;
  return func->n_params == 2 && func->params[0]->type == type &&
         func->params[1]->type == type;
}

// Functions decide the type: values are converted to it.
static const Type *check_combine_function_type(Operator *op, const Type *type) {
  op->symbol->is_reached = true;
  if (!has_operator_form(op))
    return NULL;
  op->func = check_combine_instance_of(op, type);
  if (!op->func)
    return NULL;
  if (takes_its_result(op->func) && !type_is(op->func->result, TY_VOID))
    return op->func->result;
  refuse_function(op, "its parameters and its result must have one type");
  return NULL;
}

// --- built-in operators ---

static bool is_combined(TCombine combine, const Type *lane) {
  if (combine >= TCOMBINE_BIT_AND)
    return type_is_integer(lane);
  return type_is_arithmetic(lane);
}

static const Type *check_combine_builtin_type(const Operator *op,
                                              const Type *type) {
  SemaContext *cx = op->call->cx;
  type = type_underlying(type);
  const Type *lane = type->kind == TY_VECTOR ? type->u.vector.element : type;
  if (!is_combined(op->combine, lane)) {
    SEMA_ERROR(cx, op->expr->span, operator_type,
               DS(operator_names[op->combine]), NT(cx, type));
    return NULL;
  }
  bool counts = type->kind == TY_BOOL && op->combine < TCOMBINE_BIT_AND;
  return counts ? sema_basic(cx, TY_INT) : type;
}

// --- calls ---

// Value `index` of the call and the operator behind it: converted to the type
// that the operator combines. NULL: reported.
static TExpr *check_combined(Operator *op, uint32_t index) {
  const BuiltinCall *call = op->call;
  SemaContext *cx = call->cx;
  op->expr = call->args->data[index + 1];
  TExpr *value = exchanged_value(call, index);
  find_operator(op);
  if (!value || op->combine == TCOMBINE_NONE)
    return NULL;
  const Type *type = op->combine == TCOMBINE_FUNC
                         ? check_combine_function_type(op, value->type)
                         : check_combine_builtin_type(op, value->type);
  if (!type)
    return NULL;
  value = convert_assign(
      cx, value, type,
      sema_format(cx, "argument %u of '%s'", index + 1, call->name));
  return expr_is_poison(value) ? NULL : value;
}

static TExpr *check_combine_finish(const Operator *op, TExpr **args,
                                   uint32_t n_args, const Type *type) {
  const BuiltinCall *call = op->call;
  TExpr *expr = build_call_builtin(call->cx, call->builtin->id, type, args,
                                   n_args, call->span);
  expr->u.builtin.combine = op->combine;
  expr->u.builtin.func = op->func;
  return expr;
}

TExpr *check_reduce(const BuiltinCall *call) {
  Operator op = {.call = call};
  TExpr *args[2];
  uint32_t first;
  if (!builtin_takes(call, 2, 3))
    return check_combine_poison(call);
  args[0] = collective_group(call, 3, &first, false);
  if (!args[0] || !builtin_takes(call, first + 2, first + 2))
    return check_combine_poison(call);
  args[1] = check_combined(&op, first);
  return args[1] ? check_combine_finish(&op, args, 2, args[1]->type)
                 : check_combine_poison(call);
}

// The value before rank 0. NULL: reported.
static TExpr *initial_value(const BuiltinCall *call, uint32_t index,
                            const Type *type) {
  SemaContext *cx = call->cx;
  TExpr *value = check_value(cx, call->args->data[index]);
  value = convert_assign(
      cx, value, type,
      sema_format(cx, "argument %u of '%s'", index + 1, call->name));
  return expr_is_poison(value) ? NULL : value;
}

TExpr *check_scan(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  Operator op = {.call = call};
  TExpr *args[3];
  uint32_t first;
  if (!builtin_takes(call, 2, 4))
    return check_combine_poison(call);
  args[0] = collective_group(call, 4, &first, false);
  if (!args[0] || !builtin_takes(call, first + 2, first + 3))
    return check_combine_poison(call);
  args[1] = check_combined(&op, first);
  if (!args[1])
    return check_combine_poison(call);
  bool has_init = call->args->count == first + 3;
  if (has_init) {
    args[2] = initial_value(call, first + 2, args[1]->type);
    if (!args[2])
      return check_combine_poison(call);
  } else if (op.combine == TCOMBINE_FUNC &&
             call->builtin->id == BI_EXCLUSIVE_SCAN) {
    SEMA_ERROR(cx, call->span, scan_init, DS(op.symbol->name));
    return check_combine_poison(call);
  }
  return check_combine_finish(&op, args, has_init ? 3 : 2, args[1]->type);
}

static bool is_updatable(const Type *type) {
  type = type_underlying(type);
  return type_is_arithmetic(type) &&
         (type->size_bytes == 4 || type->size_bytes == 8);
}

static TExpr *updated_place(const BuiltinCall *call, uint32_t index) {
  TExpr *pointer = check_value(call->cx, call->args->data[index]);
  if (expr_is_poison(pointer))
    return NULL;
  const Type *type = pointer->type;
  if (type->kind == TY_POINTER && !type->u.pointer.to_const &&
      is_updatable(type->u.pointer.pointee))
    return pointer;
  builtin_refuse_type(call, index, type,
                      "a pointer to a 32- or 64-bit integer, float or double "
                      "that may be written");
  return NULL;
}

TExpr *check_update(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  Operator op = {.call = call};
  TExpr *args[3];
  uint32_t first;
  if (!builtin_takes(call, 3, 4))
    return check_combine_poison(call);
  args[0] = collective_group(call, 4, &first, false);
  if (!args[0] || !builtin_takes(call, first + 3, first + 3))
    return check_combine_poison(call);
  args[1] = updated_place(call, first);
  args[2] = args[1] ? check_combined(&op, first + 1) : NULL;
  if (!args[2])
    return check_combine_poison(call);
  const Type *place = type_underlying(args[1]->type->u.pointer.pointee);
  if (op.combine != TCOMBINE_FUNC) {
    args[2] = convert_assign(
        cx, args[2], place,
        sema_format(cx, "argument %u of '%s'", first + 2, call->name));
    if (expr_is_poison(args[2]))
      return check_combine_poison(call);
    if (op.combine >= TCOMBINE_BIT_AND && !type_is_integer(place)) {
      SEMA_ERROR(cx, op.expr->span, operator_type,
                 DS(operator_names[op.combine]), NT(cx, place));
      return check_combine_poison(call);
    }
  } else if (args[2]->type != place) {
    refuse_function(
        &op, "it must combine values of the type that the pointer points to");
    return check_combine_poison(call);
  }
  return check_combine_finish(&op, args, 3, place);
}
