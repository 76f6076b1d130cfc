// SPDX-License-Identifier: Apache-2.0
// Expressions of host code as terms.
#include "cuda/cu_host.h"
#include "cuda/cu_report.h"
#include "cuda/cu_resolve.h"
#include "cuda/cu_value.h"
#include "cuda/cx_host.h"
#include "cuda/cx_parse.h"

#include <string.h>

enum { MAX_DEPTH = 24, MAX_STEPS = 1000, MAX_TEXT = 1000 };

// --------------------------------------------------------------- variables

const CxExpr *cu_host_parse(const CuHostReader *reader, CxTokens tokens) {
  CuContext *cu = reader->cu;
  tokens = cx_inside_braces(cu->tree, tokens);
  if (tokens.begin >= tokens.end)
    return NULL;
  Span span = cx_tokens_span(cu->tree, tokens);
  if (span.end - span.begin > MAX_TEXT)
    return NULL;
  const char *text = arena_strndup(
      cu->arena, source_text(cu->source) + span.begin, span.end - span.begin);
  const char *why = NULL;
  return cx_parse_text(cu->tree, reader->launch->function, text, span, &why);
}

const char *cu_host_name(const CxExpr *expr) {
  bool is_plain = expr->kind == CX_EXPR_NAME && expr->u.name->n_parts == 1 &&
                  !expr->u.name->parts[0].has_args;
  return is_plain ? expr->u.name->parts[0].name : NULL;
}

// The last one of the name that is still there where it is read.
const CxHostVar *cu_host_local(const CuHostReader *reader, const char *name) {
  const CxLaunch *launch = reader->launch;
  for (uint32_t i = launch->n_vars; i > 0; i--) {
    const CxHostVar *var = &launch->vars[i - 1];
    if (var->name == name && var->at < reader->at &&
        cx_is_inside(reader->cu->tree, var->at, reader->at))
      return var;
  }
  return NULL;
}

static bool is_param(const CuHostReader *reader, const char *name) {
  const CxType *type = reader->launch->function->type;
  for (uint32_t i = 0; i < type->u.function.params.count; i++) {
    if (type->u.function.params.data[i]->name == name)
      return true;
  }
  return false;
}

CxWrite cu_host_write(const CuHostReader *reader, const CxPlace *place,
                      const CxHostVar *local) {
  if (reader->is_loose && local && local->init_kind != CX_INIT_NONE)
    return (CxWrite){.kind = CX_WRITE_NONE, .at = local->at};
  return cx_last_write(reader->cu->tree, reader->launch->function, place,
                       local ? local->at : 0, reader->at);
}

static const CuHost *constant(const CuHostReader *reader, const CxExpr *expr) {
  CuValue value = cu_try_constant(reader->cu, expr);
  return value.constant.kind == CU_CONST_INT
             ? cu_host_number(reader->cu, value.constant.i)
             : NULL;
}

static const CuHost *follow(CuHostReader *reader, const CxExpr *expr);

const CuHost *cu_host_follow(CuHostReader *reader, const CxExpr *expr,
                             uint32_t at) {
  uint32_t before = reader->at;
  reader->at = at;
  const CuHost *value = expr ? follow(reader, expr) : NULL;
  reader->at = before;
  return value;
}

// What the variable got last.
static const CuHost *written(CuHostReader *reader, const CxPlace *place,
                             const CxHostVar *local) {
  CxWrite write = cu_host_write(reader, place, local);
  if (write.kind == CX_WRITE_OTHER)
    return NULL;
  if (write.kind == CX_WRITE_VALUE)
    return cu_host_follow(reader, cu_host_parse(reader, write.value), write.at);
  return local ? cu_host_follow(reader, cu_host_parse(reader, local->init),
                                local->at)
               : NULL;
}

// A name stands for the value at the launch, so it must be the same there.
const CuHost *cu_host_symbol(const CuHostReader *reader, const char *name,
                             const char *member) {
  CuContext *cu = reader->cu;
  CxPlace place = {
      .name = name, .members = {member}, .n_members = member != NULL};
  bool is_same = reader->is_loose || reader->at >= reader->launch->at ||
                 cx_is_unchanged(cu->tree, reader->launch->function, &place,
                                 reader->at, reader->launch->at);
  const char *shown =
      member ? intern_cstr(cu->names, cu_format(cu, "%s.%s", name, member))
             : name;
  return is_same ? cu_host_variable(cu, shown) : NULL;
}

static const CuHost *term_of_name(CuHostReader *reader, const CxExpr *expr) {
  const char *name = cu_host_name(expr);
  const CxHostVar *local = name ? cu_host_local(reader, name) : NULL;
  bool is_known = local || (name && is_param(reader, name));
  if (!is_known) {
    const CuHost *value = constant(reader, expr);
    if (value || !name)
      return value;
  }
  CxPlace place = {.name = name};
  const CuHost *pinned = cu_host_pinned(reader, name, NULL);
  if (pinned)
    return pinned;
  const CuHost *value = is_known ? written(reader, &place, local) : NULL;
  return value ? value : cu_host_symbol(reader, name, NULL);
}

// --------------------------------------------------------------- functions

static const CxDecl *find_function(CuContext *cu, const CxName *name,
                                   uint32_t n_args) {
  CuEntityVec found = {0};
  cu_resolve_name(cu, name, &found);
  for (uint32_t i = 0; i < found.count; i++) {
    const CxDecl *decl = found.data[i]->decl;
    if (found.data[i]->kind == CU_ENTITY_FUNCTION &&
        decl->kind == CX_DECL_FUNCTION && decl->u.function.has_body &&
        decl->type->u.function.params.count == n_args)
      return decl;
  }
  return NULL;
}

static const CxExpr *strip_casts(const CxExpr *expr) {
  for (;;) {
    if (expr->kind == CX_EXPR_CAST)
      expr = expr->u.cast.operand;
    else if (expr->kind == CX_EXPR_CONSTRUCT &&
             expr->u.construct.args.count == 1)
      expr = expr->u.construct.args.data[0];
    else
      return expr;
  }
}

static bool is_same_name(const CxExpr *a, const CxExpr *b) {
  a = strip_casts(a);
  b = strip_casts(b);
  return cu_host_name(a) && cu_host_name(a) == cu_host_name(b);
}

static bool is_int(const CxExpr *expr, uint64_t value) {
  return expr->kind == CX_EXPR_INT && expr->u.int_lit.value == value;
}

static bool is_binary(const CxExpr *expr, BinaryOp op) {
  return expr->kind == CX_EXPR_BINARY && expr->u.binary.op == op;
}

// (a % b != 0) ? (a / b + 1) : (a / b)
static bool is_ceiling_choice(const CxExpr *expr) {
  if (expr->kind != CX_EXPR_CONDITIONAL)
    return false;
  const CxExpr *test = expr->u.conditional.condition;
  const CxExpr *up = expr->u.conditional.if_true;
  const CxExpr *down = expr->u.conditional.if_false;
  if (is_binary(test, BINARY_NE) && is_int(test->u.binary.right, 0))
    test = test->u.binary.left;
  if (!is_binary(test, BINARY_REM) || !is_binary(down, BINARY_DIV) ||
      !is_binary(up, BINARY_ADD) || !is_int(up->u.binary.right, 1))
    return false;
  up = up->u.binary.left;
  return is_binary(up, BINARY_DIV) &&
         is_same_name(test->u.binary.left, up->u.binary.left) &&
         is_same_name(test->u.binary.right, up->u.binary.right) &&
         is_same_name(test->u.binary.left, down->u.binary.left) &&
         is_same_name(test->u.binary.right, down->u.binary.right);
}

typedef struct {
  const CxDecl *function;
  const CuHost *const *args;
} Inline;

// The body of a function, whose only variables are its parameters.
static const CuHost *inlined(CuHostReader *reader, const Inline *in,
                             const CxExpr *expr) {
  CuContext *cu = reader->cu;

  static const struct {
    BinaryOp op;
    CuHostKind kind;
  } ops[] = {{BINARY_ADD, CU_HOST_ADD},
             {BINARY_SUB, CU_HOST_SUB},
             {BINARY_MUL, CU_HOST_MUL},
             {BINARY_DIV, CU_HOST_DIV},
             {BINARY_REM, CU_HOST_REM}};

  expr = strip_casts(expr);
  const CxDeclList *params = &in->function->type->u.function.params;
  for (uint32_t i = 0; i < params->count; i++) {
    if (params->data[i]->name && cu_host_name(expr) == params->data[i]->name)
      return in->args[i];
  }
  if (is_ceiling_choice(expr)) {
    const CxExpr *quotient = expr->u.conditional.if_false;
    return cu_host_join(
        cu, CU_HOST_CDIV,
        inlined(reader, in, strip_casts(quotient->u.binary.left)),
        inlined(reader, in, strip_casts(quotient->u.binary.right)));
  }
  if (expr->kind == CX_EXPR_INT)
    return cu_host_number(cu, (int64_t)expr->u.int_lit.value);
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
    if (is_binary(expr, ops[i].op) && reader->depth < MAX_DEPTH) {
      reader->depth++;
      const CuHost *a = inlined(reader, in, expr->u.binary.left);
      const CuHost *b = inlined(reader, in, expr->u.binary.right);
      reader->depth--;
      return cu_host_join(cu, ops[i].kind, a, b);
    }
  }
  return NULL;
}

static const CuHost *called(CuHostReader *reader, const CxName *name,
                            const CxExprList *args) {
  enum { MOST_ARGS = 8 };

  CuContext *cu = reader->cu;
  const CxDecl *function = find_function(cu, name, args->count);
  const CuHost *values[MOST_ARGS];
  if (!function || args->count > MOST_ARGS)
    return NULL;
  const CxBody *body =
      cx_parse_quietly(cu->tree, (CxDecl *)(uintptr_t)function);
  const CxStmtList *items = &body->block->u.compound.items;
  if (body->has_errors || items->count != 1 ||
      items->data[0]->kind != CX_STMT_RETURN || !items->data[0]->u.expr)
    return NULL;
  for (uint32_t i = 0; i < args->count; i++) {
    values[i] = follow(reader, args->data[i]);
    if (!values[i])
      return NULL;
  }
  Inline in = {function, values};
  return inlined(reader, &in, items->data[0]->u.expr);
}

// The divisor may carry the cast: n / (float)B.
static const CuHost *ceiling(CuHostReader *reader, const CxExpr *arg) {
  arg = strip_casts(arg);
  if (!is_binary(arg, BINARY_DIV))
    return NULL;
  const CxExpr *left = arg->u.binary.left, *right = arg->u.binary.right;
  bool is_real = strip_casts(left) != left || strip_casts(right) != right;
  if (!is_real) // of whole numbers, already rounded down
    return follow(reader, arg);
  return cu_host_join(reader->cu, CU_HOST_CDIV,
                      follow(reader, strip_casts(left)),
                      follow(reader, strip_casts(right)));
}

static const CuHost *term_of_call(CuHostReader *reader, const CxExpr *expr) {
  const CxExpr *callee = expr->u.call.callee;
  const CxExprList *args = &expr->u.call.args;
  if (callee->kind != CX_EXPR_NAME)
    return NULL;
  const CxName *name = callee->u.name;
  const char *last = name->parts[name->n_parts - 1].name;
  if (!last)
    return NULL;
  bool is_ceil = strcmp(last, "ceil") == 0 || strcmp(last, "ceilf") == 0;
  bool is_min = strcmp(last, "min") == 0, is_max = strcmp(last, "max") == 0;
  if (is_ceil && args->count == 1)
    return ceiling(reader, args->data[0]);
  if ((is_min || is_max) && args->count == 2)
    return cu_host_join(reader->cu, is_min ? CU_HOST_MIN : CU_HOST_MAX,
                        follow(reader, args->data[0]),
                        follow(reader, args->data[1]));
  return called(reader, name, args);
}

// ------------------------------------------------------------- expressions

static bool is_float_type(const CxType *type) {
  return type->kind == CX_TYPE_BUILTIN &&
         (type->u.builtin == CX_BUILTIN_FLOAT ||
          type->u.builtin == CX_BUILTIN_DOUBLE);
}

static const CuHost *term_of_binary(CuHostReader *reader, const CxExpr *expr) {
  CuContext *cu = reader->cu;
  const CuHost *a = follow(reader, expr->u.binary.left);
  const CuHost *b = follow(reader, expr->u.binary.right);
  int64_t by = b && b->kind == CU_HOST_NUMBER ? b->number : -1;
  bool is_shift = by >= 0 && by < 62;
  switch ((int)expr->u.binary.op) {
  case BINARY_ADD: return cu_host_join(cu, CU_HOST_ADD, a, b);
  case BINARY_SUB: return cu_host_join(cu, CU_HOST_SUB, a, b);
  case BINARY_MUL: return cu_host_join(cu, CU_HOST_MUL, a, b);
  case BINARY_DIV: return cu_host_join(cu, CU_HOST_DIV, a, b);
  case BINARY_REM: return cu_host_join(cu, CU_HOST_REM, a, b);
  case BINARY_SHL:
    return is_shift ? cu_host_join(cu, CU_HOST_MUL, a,
                                   cu_host_number(cu, INT64_C(1) << by))
                    : NULL;
  case BINARY_SHR:
    return is_shift ? cu_host_join(cu, CU_HOST_DIV, a,
                                   cu_host_number(cu, INT64_C(1) << by))
                    : NULL;
  default: return NULL;
  }
}

// grid.x, or size.width of anything
static const CuHost *term_of_member(CuHostReader *reader, const CxExpr *expr) {
  const CxName *member = expr->u.member.name;
  const char *name = member->parts[0].name;
  const char *of = cu_host_name(expr->u.member.base);
  const CxHostVar *local = of ? cu_host_local(reader, of) : NULL;
  bool is_axis = name && name[0] >= 'x' && name[0] <= 'z' && !name[1];
  if (!of || !name || expr->u.member.is_arrow)
    return NULL;
  const CuHost *axis =
      local && is_axis ? cu_host_axis(reader, of, name[0] - 'x') : NULL;
  if (axis)
    return axis;
  return cu_host_symbol(reader, of, name);
}

static const CuHost *term_of(CuHostReader *reader, const CxExpr *expr) {
  const CuHost *value;
  switch ((int)expr->kind) {
  case CX_EXPR_NAME: return term_of_name(reader, expr);
  case CX_EXPR_BINARY: return term_of_binary(reader, expr);
  case CX_EXPR_CAST:
    return is_float_type(expr->u.cast.type)
               ? NULL
               : follow(reader, expr->u.cast.operand);
  case CX_EXPR_CONSTRUCT:
    return expr->u.construct.args.count == 1 &&
                   !is_float_type(expr->u.construct.type)
               ? follow(reader, expr->u.construct.args.data[0])
               : NULL;
  case CX_EXPR_CALL:
    value = term_of_call(reader, expr);
    return value ? value : constant(reader, expr);
  case CX_EXPR_MEMBER: return term_of_member(reader, expr);
  case CX_EXPR_INT:
  case CX_EXPR_BOOL:
  case CX_EXPR_CHAR:
  case CX_EXPR_UNARY:
  case CX_EXPR_SIZEOF_TYPE: return constant(reader, expr);
  default: return NULL;
  }
}

static const CuHost *follow(CuHostReader *reader, const CxExpr *expr) {
  if (reader->depth >= MAX_DEPTH || reader->n_steps++ >= MAX_STEPS)
    return NULL;
  reader->depth++;
  const CuHost *value = term_of(reader, expr);
  reader->depth--;
  return value;
}

const CuHost *cu_host_term(CuHostReader *reader, const CxExpr *expr) {
  return cu_host_follow(reader, expr, reader->launch->at);
}
