// SPDX-License-Identifier: Apache-2.0
// Expressions of host code as terms.
#include "base/bits.h"
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_resolve.h"
#include "cuda/form/cu_value.h"
#include "cuda/host/cu_host.h"
#include "cuda/host/cu_host_ceiling.h"
#include "cuda/host/cu_hosts.h"
#include "cuda/host/cx_host.h"
#include "cuda/host/cx_mentions.h"
#include "cxx/cx_parse.h"

#include <string.h>

enum { MAX_TEXT = 1000 };

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
  bool is_plain = expr && expr->kind == CX_EXPR_NAME &&
                  expr->u.name->n_parts == 1 &&
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

static const CxDecl *host_read_find_param(const CuHostReader *reader,
                                          const char *name) {
  const CxDeclList *params = &reader->launch->function->type->u.function.params;
  for (uint32_t i = 0; i < params->count; i++)
    if (params->data[i]->name == name)
      return params->data[i];
  return NULL;
}

CxWrite cu_host_write(const CuHostReader *reader, const CxPlace *place,
                      const CxHostVar *local) {
  uint32_t begin = local ? local->at : 0;
  CxPlace asked = *place;
  asked.is_first = reader->is_first;
  CxWrite last = cx_last_write(reader->cu->tree, reader->launch->function,
                               &asked, begin, reader->at);
  bool is_guess =
      reader->is_loose && last.kind == CX_WRITE_OTHER && local &&
      local->init_kind != CX_INIT_NONE &&
      !cx_is_from_occupancy(reader->cu->tree, (CxTokens){local->at, reader->at},
                            place->name);
  return is_guess ? (CxWrite){.kind = CX_WRITE_NONE, .at = begin} : last;
}

static const CuHost *host_read_constant(const CuHostReader *reader,
                                        const CxExpr *expr) {
  CuContext *cu = reader->cu;
  bool before = cu->runs_host;
  cu->runs_host = true;
  CuValue value = cu_try_constant(cu, expr);
  cu->runs_host = before;
  return value.constant.kind == CU_CONST_INT
             ? cu_host_number(reader->cu, value.constant.i)
             : NULL;
}

static const CuHost *host_read_follow(CuHostReader *reader, const CxExpr *expr);

const CuHost *cu_host_follow(CuHostReader *reader, const CxExpr *expr,
                             uint32_t at) {
  uint32_t before = reader->at;
  reader->at = at;
  const CuHost *value = expr ? host_read_follow(reader, expr) : NULL;
  reader->at = before;
  return value;
}

// What the variable got last.
static const CuHost *written(CuHostReader *reader, const CxPlace *place,
                             const CxHostVar *local) {
  CxWrite write = cu_host_write(reader, place, local);
  if (write.kind == CX_WRITE_OTHER)
    return cu_host_in_branch(reader, place, local);
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
  CxPlace place = {.name = name,
                   .members = {member},
                   .n_members = member != NULL,
                   .is_first = reader->is_first};
  bool is_same = reader->is_loose || reader->at >= reader->launch->at ||
                 cx_is_unchanged(cu->tree, reader->launch->function, &place,
                                 reader->at, reader->launch->at);
  const char *shown =
      member ? intern_cstr(cu->names, cu_format(cu, "%s.%s", name, member))
             : name;
  return is_same ? cu_host_variable(cu, shown) : NULL;
}

// In a function or a lambda.
static const CuHost *term_in_call(CuHostReader *reader, const CxExpr *expr,
                                  const char *name) {
  const CuHostFrame *frame = reader->frame;
  uint32_t outer = cu_host_frame_outer(frame);
  if (name && cu_host_frame_has(frame, name))
    return cu_host_frame_number(frame, name);
  if (outer == 0)
    return host_read_constant(reader, expr);
  reader->frame = NULL;
  const CuHost *value = cu_host_follow(reader, expr, outer);
  reader->frame = frame;
  return value;
}

// By what calls pass.
static const CuHost *term_of_param(CuHostReader *reader, const char *name) {
  const CuHost *number = cu_host_called(reader, name);
  const char *twin =
      number || reader->level > 0 ? NULL : cu_host_twin(reader, name);
  return twin ? cu_host_symbol(reader, twin, NULL) : number;
}

static bool host_read_is_real(const CxHostVar *local) {
  return local && local->type &&
         (strcmp(local->type, "float") == 0 ||
          strcmp(local->type, "double") == 0);
}

// `float n = 512;`: no other arithmetic of such numbers is followed.
static const CuHost *term_of_real(const CuHostReader *reader,
                                  const CxHostVar *local) {
  CxPlace place = {.name = local->name};
  const CxExpr *init =
      local->init_kind == CX_INIT_EQUAL &&
              cu_host_write(reader, &place, local).kind == CX_WRITE_NONE
          ? cu_host_parse(reader, local->init)
          : NULL;
  const CuHost *value = init ? host_read_constant(reader, init) : NULL;
  return value && value->number >= 0 && value->number <= 1 << 24 ? value : NULL;
}

static const CuHost *term_of_name(CuHostReader *reader, const CxExpr *expr) {
  const char *name = cu_host_name(expr);
  if (reader->frame)
    return term_in_call(reader, expr, name);
  const CxHostVar *local = name ? cu_host_local(reader, name) : NULL;
  if (host_read_is_real(local))
    return term_of_real(reader, local);
  bool is_known = local || (name && host_read_find_param(reader, name));
  if (!is_known) {
    const CuHost *value = host_read_constant(reader, expr);
    if (value || !name)
      return value;
  }
  CxPlace place = {.name = name};
  const CuHost *pinned = cu_host_pinned(reader, name, NULL);
  if (pinned)
    return pinned;
  const CuHost *value = is_known ? written(reader, &place, local) : NULL;
  if (is_known && !local && !value &&
      cu_host_write(reader, &place, NULL).kind == CX_WRITE_NONE)
    value = term_of_param(reader, name);
  if (!is_known)
    value = cu_host_global(reader, &place);
  return value ? value : cu_host_symbol(reader, name, NULL);
}

// --------------------------------------------------------------- functions

// A variable of an integer type, as far as that can be told.
static bool host_read_is_whole(const CuHostReader *reader, const CxExpr *expr) {
  const char *name = cu_host_name(expr);
  const CxHostVar *local =
      name && !reader->frame ? cu_host_local(reader, name) : NULL;
  if (!name || reader->frame)
    return expr->kind == CX_EXPR_INT || reader->frame;
  if (local)
    return strcmp(local->type, "auto") != 0 && !host_read_is_real(local);
  const CxDecl *param = host_read_find_param(reader, name);
  return param ? param->type->kind != CX_TYPE_BUILTIN ||
                     !cu_host_is_real(param->type)
               : host_read_constant(reader, expr) != NULL;
}

// The divisor may carry the cast: n / (float)B.
static const CuHost *ceiling(CuHostReader *reader, const CxExpr *arg) {
  arg = cu_host_strip_casts(arg);
  if (!cu_host_is_binary(arg, BINARY_DIV))
    return NULL;
  const CxExpr *left = arg->u.binary.left, *right = arg->u.binary.right;
  bool is_real =
      cu_host_strip_casts(left) != left || cu_host_strip_casts(right) != right;
  if (!is_real &&
      (!host_read_is_whole(reader, left) || !host_read_is_whole(reader, right)))
    return NULL;
  if (!is_real) // already rounded down
    return host_read_follow(reader, arg);
  return cu_host_join(reader->cu, CU_HOST_CDIV,
                      host_read_follow(reader, cu_host_strip_casts(left)),
                      host_read_follow(reader, cu_host_strip_casts(right)));
}

// T(n), where the parser didn't see that T is a type.
static bool is_conversion(const CuHostReader *reader, const CxExpr *call) {
  const CxExpr *callee = call->u.call.callee;
  const char *name = cu_host_name(callee);
  bool is_variable = name && (cu_host_local(reader, name) ||
                              host_read_find_param(reader, name));
  const CuType *type = name && !is_variable && call->u.call.args.count == 1
                           ? cu_name_type(reader->cu, callee->u.name)
                           : NULL;
  return type && cu_is_integer(type) && !cu_is(type, CU_BOOL);
}

static const CuHost *term_of_call(CuHostReader *reader, const CxExpr *expr) {
  const CxExpr *callee = expr->u.call.callee;
  const CxExprList *args = &expr->u.call.args;
  if (callee->kind == CX_EXPR_MEMBER)
    return cu_host_method(reader, expr);
  if (callee->kind != CX_EXPR_NAME)
    return NULL;
  const CxName *name = callee->u.name;
  const char *last = name->parts[name->n_parts - 1].name;
  if (!last)
    return NULL;
  bool is_ceil = strcmp(last, "ceil") == 0 || strcmp(last, "ceilf") == 0;
  bool is_min = strcmp(last, "min") == 0, is_max = strcmp(last, "max") == 0;
  const CuHost *dims[3] = {NULL, NULL, NULL};
  if (is_ceil && args->count == 1)
    return ceiling(reader, args->data[0]);
  if ((is_min || is_max) && args->count == 2)
    return cu_host_join(reader->cu, is_min ? CU_HOST_MIN : CU_HOST_MAX,
                        host_read_follow(reader, args->data[0]),
                        host_read_follow(reader, args->data[1]));
  if (is_conversion(reader, expr))
    return host_read_follow(reader, args->data[0]);
  if (cu_host_call(reader, expr, dims, false))
    return dims[0];
  bool is_cdiv = strcmp(last, "ceil_div") == 0 && args->count == 2;
  return is_cdiv ? cu_host_join(reader->cu, CU_HOST_CDIV,
                                host_read_follow(reader, args->data[0]),
                                host_read_follow(reader, args->data[1]))
                 : NULL;
}

// ------------------------------------------------------------- expressions

bool cu_host_is_real(const CxType *type) {
  return type->kind == CX_TYPE_BUILTIN &&
         (type->u.builtin == CX_BUILTIN_FLOAT ||
          type->u.builtin == CX_BUILTIN_DOUBLE);
}

// a & ~63 of a size
static const CuHost *rounded_down(CuContext *cu, const CuHost *a,
                                  const CuHost *b) {
  int64_t mask = b && b->kind == CU_HOST_NUMBER ? b->number : 0;
  if (mask > INT32_MAX) // of an unsigned
    mask |= ~(int64_t)UINT32_MAX;
  if (!a || mask >= 0 || mask < INT32_MIN || !is_power_of_two(-mask))
    return NULL;
  const CuHost *by = cu_host_number(cu, -mask);
  return cu_host_join(cu, CU_HOST_MUL, cu_host_join(cu, CU_HOST_DIV, a, by),
                      by);
}

static const CuHost *term_of_binary(CuHostReader *reader, const CxExpr *expr) {
  CuContext *cu = reader->cu;
  const CuHost *ceiling = expr->u.binary.op == BINARY_ADD
                              ? cu_host_ceiling_sum(reader, expr)
                              : NULL;
  if (ceiling)
    return ceiling;
  const CuHost *a = host_read_follow(reader, expr->u.binary.left);
  const CuHost *b = host_read_follow(reader, expr->u.binary.right);
  int64_t by = b && b->kind == CU_HOST_NUMBER ? b->number : -1;
  bool is_shift = by >= 0 && by < 62;
  switch ((int)expr->u.binary.op) {
  case BINARY_ADD: return cu_host_join(cu, CU_HOST_ADD, a, b);
  case BINARY_SUB: return cu_host_join(cu, CU_HOST_SUB, a, b);
  case BINARY_MUL: return cu_host_join(cu, CU_HOST_MUL, a, b);
  case BINARY_DIV: return cu_host_join(cu, CU_HOST_DIV, a, b);
  case BINARY_REM: return cu_host_join(cu, CU_HOST_REM, a, b);
  case BINARY_SHL:
    if (is_shift)
      return cu_host_join(cu, CU_HOST_MUL, a,
                          cu_host_number(cu, INT64_C(1) << by));
    return a && a->kind == CU_HOST_NUMBER ? cu_host_join(cu, CU_HOST_SHL, a, b)
                                          : NULL;
  case BINARY_SHR:
    return is_shift ? cu_host_join(cu, CU_HOST_DIV, a,
                                   cu_host_number(cu, INT64_C(1) << by))
                    : NULL;
  case BINARY_BIT_AND: return rounded_down(cu, a, b);
  default: return NULL;
  }
}

// x.MOST of a class that says what it is: a static constant.
static const CuHost *constant_member(const CuHostReader *reader,
                                     const CxExpr *expr) {
  CuContext *cu = reader->cu;
  CuValue value;
  if (reader->frame)
    return NULL;
  CuScope *scope =
      cu_typed_scope(cu, reader->launch->function, cu->scope,
                     cx_tokens_of(cu->tree, expr->span), reader->at);
  return cu_typed_value(cu, scope, expr, &value) &&
                 value.constant.kind == CU_CONST_INT
             ? cu_host_number(cu, value.constant.i)
             : NULL;
}

// grid.x, or size.width of anything
static const CuHost *term_of_member(CuHostReader *reader, const CxExpr *expr) {
  const CxName *member = expr->u.member.name;
  const char *name = member->parts[0].name;
  const char *of = cu_host_name(expr->u.member.base);
  const CxHostVar *local =
      of && !reader->frame ? cu_host_local(reader, of) : NULL;
  bool is_axis = name && name[0] >= 'x' && name[0] <= 'z' && !name[1];
  const CuHost *dims[3];
  if (!of || !name || expr->u.member.is_arrow)
    return of && name ? constant_member(reader, expr) : NULL;
  if (reader->frame)
    return is_axis && cu_host_frame_dims(reader->frame, of, dims)
               ? dims[name[0] - 'x']
               : NULL;
  const CuHost *axis =
      local && is_axis ? cu_host_axis(reader, of, name[0] - 'x') : NULL;
  if (axis)
    return axis;
  const CuHost *constant = is_axis ? NULL : constant_member(reader, expr);
  CxPlace place = {.name = of, .members = {name}, .n_members = 1};
  if (!constant && !local && !host_read_find_param(reader, of))
    constant = cu_host_global(reader, &place);
  return constant ? constant : cu_host_symbol(reader, of, name);
}

// sizeof *x, of variables of the function that launches.
static uint64_t size_of_value(const CuHostReader *reader,
                              const CxExpr *operand) {
  CuContext *cu = reader->cu;
  CuValue value;
  if (reader->frame)
    return 0;
  CuScope *scope =
      cu_typed_scope(cu, reader->launch->function, cu->scope,
                     cx_tokens_of(cu->tree, operand->span), reader->at);
  if (!cu_typed_value(cu, scope, operand, &value))
    return 0;
  const CuType *type = cu_plain(cu_referred(value.type));
  return cu_is_poison(type) ? 0 : cu_size(type);
}

// Also sizeof(T), where the parser didn't see that T is a type.
static const CuHost *term_of_size(const CuHostReader *reader,
                                  const CxExpr *operand) {
  const char *name = cu_host_name(operand);
  bool is_variable = name && (cu_host_local(reader, name) ||
                              host_read_find_param(reader, name));
  const CuType *type =
      name && !is_variable ? cu_name_type(reader->cu, operand->u.name) : NULL;
  uint64_t size = type && !cu_is_poison(type) ? cu_size(type)
                                              : size_of_value(reader, operand);
  return size ? cu_host_number(reader->cu, (int64_t)size) : NULL;
}

static const CuHost *host_read_term_of(CuHostReader *reader,
                                       const CxExpr *expr) {
  const CuHost *value;
  switch ((int)expr->kind) {
  case CX_EXPR_NAME: return term_of_name(reader, expr);
  case CX_EXPR_BINARY: return term_of_binary(reader, expr);
  case CX_EXPR_CAST:
    return cu_host_is_real(expr->u.cast.type)
               ? NULL
               : host_read_follow(reader, expr->u.cast.operand);
  case CX_EXPR_CONSTRUCT:
    return expr->u.construct.args.count == 1 &&
                   !cu_host_is_real(expr->u.construct.type)
               ? host_read_follow(reader, expr->u.construct.args.data[0])
               : NULL;
  case CX_EXPR_CALL:
    value = term_of_call(reader, expr);
    return value ? value : host_read_constant(reader, expr);
  case CX_EXPR_CONDITIONAL:
    value = host_read_constant(reader, expr);
    return value ? value
                 : cu_host_choice(reader, expr->u.conditional.condition,
                                  expr->u.conditional.if_true,
                                  expr->u.conditional.if_false);
  case CX_EXPR_MEMBER: return term_of_member(reader, expr);
  case CX_EXPR_SIZEOF_EXPR: return term_of_size(reader, expr->u.operand);
  case CX_EXPR_INT:
  case CX_EXPR_BOOL:
  case CX_EXPR_CHAR:
  case CX_EXPR_UNARY:
  case CX_EXPR_SIZEOF_TYPE:
  case CX_EXPR_OFFSETOF: return host_read_constant(reader, expr);
  default: return NULL;
  }
}

static const CuHost *host_read_follow(CuHostReader *reader,
                                      const CxExpr *expr) {
  if (reader->depth >= CU_HOST_MOST_DEPTH ||
      reader->n_steps++ >= CU_HOST_MOST_STEPS)
    return NULL;
  reader->depth++;
  const CuHost *value = host_read_term_of(reader, expr);
  reader->depth--;
  return value;
}

const CuHost *cu_host_term(CuHostReader *reader, const CxExpr *expr) {
  return cu_host_follow(reader, expr, reader->launch->at);
}
