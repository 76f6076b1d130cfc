// SPDX-License-Identifier: Apache-2.0
#include "cuda/cu_host.h"

#include "cuda/cu_report.h"
#include "cuda/cu_value.h"
#include "cuda/cx_host.h"
#include "cuda/cx_parse.h"

#include <string.h>

enum { MAX_DEPTH = 24, MAX_TEXT = 1000 };

// ------------------------------------------------------------------- terms

static const CuHost *number(CuContext *cu, int64_t value) {
  CuHost *out = ARENA_NEW(cu->arena, CuHost);
  *out = (CuHost){.kind = CU_HOST_NUMBER, .number = value};
  return out;
}

static const CuHost *variable(CuContext *cu, const char *name) {
  CuHost *out = ARENA_NEW(cu->arena, CuHost);
  *out = (CuHost){.kind = CU_HOST_VARIABLE, .name = name};
  return out;
}

static bool is_number(const CuHost *term, int64_t value) {
  return term->kind == CU_HOST_NUMBER && term->number == value;
}

bool cu_host_equal(const CuHost *a, const CuHost *b) {
  if (a->kind != b->kind || a->number != b->number || a->name != b->name)
    return false;
  return !a->a || (cu_host_equal(a->a, b->a) && cu_host_equal(a->b, b->b));
}

static bool fold(CuHostKind kind, int64_t a, int64_t b, int64_t *out) {
  switch (kind) {
  case CU_HOST_ADD: return !__builtin_add_overflow(a, b, out);
  case CU_HOST_SUB: return !__builtin_sub_overflow(a, b, out);
  case CU_HOST_MUL: return !__builtin_mul_overflow(a, b, out);
  case CU_HOST_DIV:
  case CU_HOST_CDIV:
  case CU_HOST_REM:
    if (b <= 0 || a < 0)
      return false;
    *out = kind == CU_HOST_REM    ? a % b
           : kind == CU_HOST_CDIV ? a / b + (a % b != 0)
                                  : a / b;
    return true;
  case CU_HOST_MIN: *out = a < b ? a : b; return true;
  case CU_HOST_MAX: *out = a > b ? a : b; return true;
  case CU_HOST_NUMBER:
  case CU_HOST_VARIABLE: break;
  }
  return false;
}

// NULL operands give NULL.
static const CuHost *join(CuContext *cu, CuHostKind kind, const CuHost *a,
                          const CuHost *b) {
  int64_t value;
  if (!a || !b)
    return NULL;
  if (a->kind == CU_HOST_NUMBER && b->kind == CU_HOST_NUMBER)
    return fold(kind, a->number, b->number, &value) ? number(cu, value) : NULL;
  bool is_product =
      kind == CU_HOST_MUL || kind == CU_HOST_DIV || kind == CU_HOST_CDIV;
  bool is_sum = kind == CU_HOST_ADD || kind == CU_HOST_SUB;
  if ((is_product && is_number(b, 1)) || (is_sum && is_number(b, 0)))
    return a;
  if ((kind == CU_HOST_MUL && is_number(a, 1)) ||
      (kind == CU_HOST_ADD && is_number(a, 0)))
    return b;
  CuHost *out = ARENA_NEW(cu->arena, CuHost);
  *out = (CuHost){.kind = kind, .a = a, .b = b};
  return out;
}

const CuHost *cu_host_divide(CuContext *cu, const CuHost *a, int64_t by) {
  const CuHost *left;
  if (by == 1)
    return a;
  switch ((int)a->kind) {
  case CU_HOST_NUMBER:
    return by > 0 && a->number % by == 0 ? number(cu, a->number / by) : NULL;
  case CU_HOST_MUL:
    left = cu_host_divide(cu, a->a, by);
    return left ? join(cu, CU_HOST_MUL, left, a->b)
                : join(cu, CU_HOST_MUL, a->a, cu_host_divide(cu, a->b, by));
  case CU_HOST_ADD:
  case CU_HOST_SUB:
    return join(cu, a->kind, cu_host_divide(cu, a->a, by),
                cu_host_divide(cu, a->b, by));
  default: return NULL;
  }
}

// --------------------------------------------------------------- variables

const CxExpr *cu_host_parse(const CuHostReader *reader, CxTokens tokens) {
  CuContext *cu = reader->cu;
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

static const char *single_name(const CxExpr *expr) {
  bool is_plain = expr->kind == CX_EXPR_NAME && expr->u.name->n_parts == 1 &&
                  !expr->u.name->parts[0].has_args;
  return is_plain ? expr->u.name->parts[0].name : NULL;
}

static const CxHostVar *find_local(const CuHostReader *reader,
                                   const char *name) {
  const CxLaunch *launch = reader->launch;
  for (uint32_t i = launch->n_vars; i > 0; i--) {
    if (launch->vars[i - 1].name == name)
      return &launch->vars[i - 1];
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

// Nothing changes it once it is there. An initialiser stands two tokens behind
// the name.
static bool is_stable(const CuHostReader *reader, const char *name) {
  if (reader->is_loose)
    return true;
  const CxHostVar *local = find_local(reader, name);
  return cx_count_changes(reader->cu->tree, reader->launch->function, name,
                          local ? local->init.begin - 2 : 0) == 0;
}

static const CuHost *constant(const CuHostReader *reader, const CxExpr *expr) {
  CuValue value = cu_try_constant(reader->cu, expr);
  return value.constant.kind == CU_CONST_INT
             ? number(reader->cu, value.constant.i)
             : NULL;
}

static const CuHost *follow(CuHostReader *reader, const CxExpr *expr,
                            bool is_early);

// `is_early`: read before the launch, so that it must be the same there.
static const CuHost *term_of_name(CuHostReader *reader, const CxExpr *expr,
                                  bool is_early) {
  const char *name = single_name(expr);
  const CxHostVar *local = name ? find_local(reader, name) : NULL;
  bool is_known = local || (name && is_param(reader, name));
  if (!is_known) {
    const CuHost *value = constant(reader, expr);
    if (value || !name)
      return value;
  }
  bool is_same = is_stable(reader, name);
  if (local && is_same) {
    const CxExpr *init = cu_host_parse(reader, local->init);
    const CuHost *value = init ? follow(reader, init, true) : NULL;
    if (value)
      return value;
  }
  return is_same || !is_early ? variable(reader->cu, name) : NULL;
}

// --------------------------------------------------------------- functions

static const CxDecl *find_function(const CuContext *cu, const char *name,
                                   uint32_t n_args) {
  for (uint32_t i = 0; i < cu->tree->decls.count; i++) {
    const CxDecl *decl = cu->tree->decls.data[i];
    if (decl->kind == CX_DECL_FUNCTION && decl->name == name &&
        decl->u.function.has_body &&
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
  return single_name(a) && single_name(a) == single_name(b);
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
    if (params->data[i]->name && single_name(expr) == params->data[i]->name)
      return in->args[i];
  }
  if (is_ceiling_choice(expr)) {
    const CxExpr *quotient = expr->u.conditional.if_false;
    return join(cu, CU_HOST_CDIV,
                inlined(reader, in, strip_casts(quotient->u.binary.left)),
                inlined(reader, in, strip_casts(quotient->u.binary.right)));
  }
  if (expr->kind == CX_EXPR_INT)
    return number(cu, (int64_t)expr->u.int_lit.value);
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
    if (is_binary(expr, ops[i].op) && reader->depth < MAX_DEPTH) {
      reader->depth++;
      const CuHost *a = inlined(reader, in, expr->u.binary.left);
      const CuHost *b = inlined(reader, in, expr->u.binary.right);
      reader->depth--;
      return join(cu, ops[i].kind, a, b);
    }
  }
  return NULL;
}

static const CuHost *called(CuHostReader *reader, const char *name,
                            const CxExprList *args, bool is_early) {
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
    values[i] = follow(reader, args->data[i], is_early);
    if (!values[i])
      return NULL;
  }
  Inline in = {function, values};
  return inlined(reader, &in, items->data[0]->u.expr);
}

// The divisor may carry the cast: n / (float)B.
static const CuHost *ceiling(CuHostReader *reader, const CxExpr *arg,
                             bool is_early) {
  arg = strip_casts(arg);
  if (!is_binary(arg, BINARY_DIV))
    return NULL;
  const CxExpr *left = arg->u.binary.left, *right = arg->u.binary.right;
  bool is_real = strip_casts(left) != left || strip_casts(right) != right;
  if (!is_real) // of whole numbers, already rounded down
    return follow(reader, arg, is_early);
  return join(reader->cu, CU_HOST_CDIV,
              follow(reader, strip_casts(left), is_early),
              follow(reader, strip_casts(right), is_early));
}

static const CuHost *term_of_call(CuHostReader *reader, const CxExpr *expr,
                                  bool is_early) {
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
    return ceiling(reader, args->data[0], is_early);
  if ((is_min || is_max) && args->count == 2)
    return join(reader->cu, is_min ? CU_HOST_MIN : CU_HOST_MAX,
                follow(reader, args->data[0], is_early),
                follow(reader, args->data[1], is_early));
  return called(reader, last, args, is_early);
}

// ------------------------------------------------------------- expressions

static bool is_float_type(const CxType *type) {
  return type->kind == CX_TYPE_BUILTIN &&
         (type->u.builtin == CX_BUILTIN_FLOAT ||
          type->u.builtin == CX_BUILTIN_DOUBLE);
}

static const CuHost *term_of_binary(CuHostReader *reader, const CxExpr *expr,
                                    bool is_early) {
  CuContext *cu = reader->cu;
  const CuHost *a = follow(reader, expr->u.binary.left, is_early);
  const CuHost *b = follow(reader, expr->u.binary.right, is_early);
  int64_t by = b && b->kind == CU_HOST_NUMBER ? b->number : -1;
  bool is_shift = by >= 0 && by < 62;
  switch ((int)expr->u.binary.op) {
  case BINARY_ADD: return join(cu, CU_HOST_ADD, a, b);
  case BINARY_SUB: return join(cu, CU_HOST_SUB, a, b);
  case BINARY_MUL: return join(cu, CU_HOST_MUL, a, b);
  case BINARY_DIV: return join(cu, CU_HOST_DIV, a, b);
  case BINARY_REM: return join(cu, CU_HOST_REM, a, b);
  case BINARY_SHL:
    return is_shift ? join(cu, CU_HOST_MUL, a, number(cu, INT64_C(1) << by))
                    : NULL;
  case BINARY_SHR:
    return is_shift ? join(cu, CU_HOST_DIV, a, number(cu, INT64_C(1) << by))
                    : NULL;
  default: return NULL;
  }
}

static bool dims_of(CuHostReader *reader, const CxExpr *expr, bool is_early,
                    const CuHost *dims[3]);

static bool dims_of_variable(CuHostReader *reader, const CxExpr *expr,
                             const CuHost *dims[3]) {
  const char *name = single_name(expr);
  const CxHostVar *local = name ? find_local(reader, name) : NULL;
  bool is_dims =
      local && local->type &&
      (strcmp(local->type, "dim3") == 0 || strcmp(local->type, "auto") == 0);
  if (!is_dims || !is_stable(reader, name))
    return false;
  const CxExpr *init = cu_host_parse(reader, local->init);
  return init && init->kind != CX_EXPR_NAME &&
         dims_of(reader, init, true, dims);
}

// grid.x, or size.width of anything
static const CuHost *term_of_member(CuHostReader *reader, const CxExpr *expr,
                                    bool is_early) {
  const CxName *member = expr->u.member.name;
  const CuHost *dims[3];
  const char *name = member->parts[0].name;
  const char *variable_name = single_name(expr->u.member.base);
  const CxHostVar *local =
      variable_name ? find_local(reader, variable_name) : NULL;
  bool is_axis = name && name[0] >= 'x' && name[0] <= 'z' && !name[1];
  bool is_dims =
      local && is_axis && local->type && strcmp(local->type, "dim3") == 0;
  if (is_dims && dims_of_variable(reader, expr->u.member.base, dims))
    return dims[name[0] - 'x'];
  if (!variable_name || !name || expr->u.member.is_arrow ||
      (is_early && !is_stable(reader, variable_name)))
    return NULL;
  const char *both = cu_format(reader->cu, "%s.%s", variable_name, name);
  return variable(reader->cu, intern_cstr(reader->cu->names, both));
}

static const CuHost *term_of(CuHostReader *reader, const CxExpr *expr,
                             bool is_early) {
  const CuHost *value;
  switch ((int)expr->kind) {
  case CX_EXPR_NAME: return term_of_name(reader, expr, is_early);
  case CX_EXPR_BINARY: return term_of_binary(reader, expr, is_early);
  case CX_EXPR_CAST:
    return is_float_type(expr->u.cast.type)
               ? NULL
               : follow(reader, expr->u.cast.operand, is_early);
  case CX_EXPR_CONSTRUCT:
    return expr->u.construct.args.count == 1 &&
                   !is_float_type(expr->u.construct.type)
               ? follow(reader, expr->u.construct.args.data[0], is_early)
               : NULL;
  case CX_EXPR_CALL:
    value = term_of_call(reader, expr, is_early);
    return value ? value : constant(reader, expr);
  case CX_EXPR_MEMBER: return term_of_member(reader, expr, is_early);
  case CX_EXPR_INT:
  case CX_EXPR_BOOL:
  case CX_EXPR_CHAR:
  case CX_EXPR_UNARY:
  case CX_EXPR_SIZEOF_TYPE: return constant(reader, expr);
  default: return NULL;
  }
}

static const CuHost *follow(CuHostReader *reader, const CxExpr *expr,
                            bool is_early) {
  if (reader->depth >= MAX_DEPTH)
    return NULL;
  reader->depth++;
  const CuHost *value = term_of(reader, expr, is_early);
  reader->depth--;
  return value;
}

const CuHost *cu_host_term(CuHostReader *reader, const CxExpr *expr) {
  return expr ? follow(reader, expr, false) : NULL;
}

// -------------------------------------------------------------- dimensions

static bool dims_of_list(CuHostReader *reader, CxExpr *const *args,
                         uint32_t count, bool is_early, const CuHost *dims[3]) {
  bool is_any = false;
  for (uint32_t i = 0; i < 3; i++) {
    dims[i] =
        i < count ? follow(reader, args[i], is_early) : number(reader->cu, 1);
    is_any |= dims[i] != NULL;
  }
  return count >= 1 && count <= 3 && is_any;
}

static bool is_dim3(const CxExpr *callee) {
  const CxName *name = callee->kind == CX_EXPR_NAME ? callee->u.name : NULL;
  const char *last = name ? name->parts[name->n_parts - 1].name : NULL;
  return last && strcmp(last, "dim3") == 0;
}

static bool dims_of_items(CuHostReader *reader, const CxExpr *list,
                          bool is_early, const CuHost *dims[3]) {
  CxExpr *items[3] = {0};
  uint32_t n = list->u.init_list.n_items;
  for (uint32_t i = 0; i < n && i < 3; i++)
    items[i] = list->u.init_list.items[i].value;
  return dims_of_list(reader, items, n, is_early, dims);
}

static bool dims_of(CuHostReader *reader, const CxExpr *expr, bool is_early,
                    const CuHost *dims[3]) {
  const CxExprList *args = &expr->u.construct.args;
  if (reader->depth >= MAX_DEPTH)
    return false;
  if (dims_of_variable(reader, expr, dims))
    return true;
  switch ((int)expr->kind) {
  case CX_EXPR_CALL:
    if (!is_dim3(expr->u.call.callee))
      break;
    return dims_of_list(reader, expr->u.call.args.data, expr->u.call.args.count,
                        is_early, dims);
  case CX_EXPR_CONSTRUCT:
    if (args->count == 1 && args->data[0]->kind == CX_EXPR_INIT_LIST)
      return dims_of_items(reader, args->data[0], is_early, dims);
    return dims_of_list(reader, args->data, args->count, is_early, dims);
  case CX_EXPR_INIT_LIST: return dims_of_items(reader, expr, is_early, dims);
  case CX_EXPR_COMMA: // the inside of dim3 b(16, 16)
    return dims_of_list(reader, expr->u.list.data, expr->u.list.count, is_early,
                        dims);
  default: break;
  }
  CxExpr *one = (CxExpr *)(uintptr_t)expr;
  return dims_of_list(reader, &one, 1, is_early, dims);
}

bool cu_host_dims(CuHostReader *reader, const CxExpr *expr,
                  const CuHost *dims[3]) {
  return expr && dims_of(reader, expr, false, dims);
}

const CuHost *cu_host_bytes(CuHostReader *reader, const char *name) {
  CxTokens bytes;
  if (!cx_find_allocation(reader->cu->tree, reader->launch->function, name,
                          &bytes))
    return NULL;
  const CxExpr *expr = cu_host_parse(reader, bytes);
  return expr ? follow(reader, expr, true) : NULL;
}
