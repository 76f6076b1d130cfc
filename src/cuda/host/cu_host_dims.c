// SPDX-License-Identifier: Apache-2.0
// Dimensions of grids and blocks in host code, and what allocations gave.
#include "cuda/form/cu_value.h"
#include "cuda/host/cu_host.h"
#include "cuda/host/cu_host_ceiling.h"
#include "cuda/host/cx_host.h"
#include "cxx/cx_parse.h"

#include <string.h>

enum { MOST_DIMS_DEPTH = 24 };

static bool dims_at(CuHostReader *reader, CxTokens tokens, uint32_t at,
                    const CuHost *dims[3]) {
  uint32_t before = reader->at;
  const CxExpr *expr = cu_host_parse(reader, tokens);
  reader->at = at;
  reader->depth++;
  bool is_known = expr && cu_host_dims(reader, expr, dims);
  reader->depth--;
  reader->at = before;
  return is_known;
}

// --------------------------------------------------------------- variables

static const char *axis_word(const CuHostReader *reader, int axis) {
  static const char *const words[] = {"x", "y", "z"};
  return intern_cstr(reader->cu->names, words[axis]);
}

static CxPlace place_of_axis(const CuHostReader *reader, const char *name,
                             const char *member, int axis) {
  CxPlace place = {.name = name};
  if (member)
    place.members[place.n_members++] = member;
  place.members[place.n_members++] = axis_word(reader, axis);
  return place;
}

const CuHost *cu_host_axis(CuHostReader *reader, const char *name, int axis) {
  const CxHostVar *local = cu_host_local(reader, name);
  bool is_dims =
      local && local->type &&
      (strcmp(local->type, "dim3") == 0 || strcmp(local->type, "auto") == 0);
  if (!is_dims || reader->depth >= MOST_DIMS_DEPTH)
    return NULL;
  CxPlace place = place_of_axis(reader, name, NULL, axis);
  const CuHost *pinned = cu_host_pinned(reader, name, axis_word(reader, axis));
  if (pinned)
    return pinned;
  CxWrite write = cu_host_write(reader, &place, local);
  const CuHost *dims[3] = {NULL, NULL, NULL};
  if (write.kind == CX_WRITE_OTHER)
    return cu_host_in_branch(reader, &place, local);
  if (write.kind == CX_WRITE_VALUE && write.n_members == place.n_members)
    return cu_host_follow(reader, cu_host_parse(reader, write.value), write.at);
  if (write.kind == CX_WRITE_NONE && local->init_kind == CX_INIT_NONE)
    return cu_host_number(reader->cu, 1);
  CxTokens value = write.kind == CX_WRITE_VALUE ? write.value : local->init;
  return dims_at(reader, value, write.at, dims) ? dims[axis] : NULL;
}

static bool is_dim3(const CxName *name) {
  const char *last = name ? name->parts[name->n_parts - 1].name : NULL;
  return last && strcmp(last, "dim3") == 0;
}

bool cu_host_is_dim3(const CxType *type) {
  return type->kind == CX_TYPE_NAMED && is_dim3(type->u.named.name);
}

static bool is_dim3_param(const CuHostReader *reader, const char *name) {
  const CxType *type = reader->launch->function->type;
  for (uint32_t i = 0; i < type->u.function.params.count; i++) {
    const CxDecl *param = type->u.function.params.data[i];
    if (param->name == name && cu_host_is_dim3(param->type))
      return true;
  }
  return false;
}

static bool dims_of_variable(CuHostReader *reader, const CxExpr *expr,
                             const CuHost *dims[3]) {
  const char *name = cu_host_name(expr);
  if (reader->frame)
    return name && cu_host_frame_dims(reader->frame, name, dims);
  bool is_any = false, is_local = name && cu_host_local(reader, name);
  bool is_param = name && !is_local && is_dim3_param(reader, name);
  for (int i = 0; i < 3 && (is_local || is_param); i++) {
    dims[i] = is_local ? cu_host_axis(reader, name, i)
                       : cu_host_symbol(reader, name, axis_word(reader, i));
    is_any |= dims[i] != NULL;
  }
  return is_any;
}

// ------------------------------------------------------------------- lists

bool cu_host_dims_of(CuHostReader *reader, CxExpr *const *args, uint32_t count,
                     const CuHost *dims[3]) {
  bool is_any = false;
  for (uint32_t i = 0; i < 3; i++) {
    dims[i] = i < count ? cu_host_follow(reader, args[i], reader->at)
                        : cu_host_number(reader->cu, 1);
    is_any |= dims[i] != NULL;
  }
  return count >= 1 && count <= 3 && is_any;
}

static bool dims_of_items(CuHostReader *reader, const CxExpr *list,
                          const CuHost *dims[3]) {
  CxExpr *items[3] = {0};
  uint32_t n = list->u.init_list.n_items;
  for (uint32_t i = 0; i < n && i < 3; i++)
    items[i] = list->u.init_list.items[i].value;
  return cu_host_dims_of(reader, items, n, dims);
}

// block[1] of dim3 block[] = {dim3(8), dim3(16, 16)}
static bool dims_of_element(CuHostReader *reader, const CxExpr *expr,
                            const CuHost *dims[3]) {
  const char *name = cu_host_name(expr->u.index.base);
  const CuHost *index = cu_host_follow(reader, expr->u.index.index, reader->at);
  CxTokens list, item;
  if (!name || reader->frame || !index || index->kind != CU_HOST_NUMBER ||
      !cx_find_dims(reader->cu->tree, reader->launch->function, name,
                    reader->at, &list))
    return false;
  for (int64_t i = 0; i <= index->number; i++)
    if (!cx_next_argument(reader->cu->tree, &list, &item))
      return false;
  return index->number >= 0 && dims_at(reader, item, item.begin, dims);
}

// ----------------------------------------------------------------- numbers

static bool host_dims_is_number(CuHostReader *reader, const CxExpr *expr);

// `auto n = e`, never written again.
static bool is_number_in(CuHostReader *reader, const CxHostVar *local) {
  CxPlace place = {.name = local->name};
  const CxExpr *init = cu_host_parse(reader, local->init);
  if (strcmp(local->type, "auto") != 0)
    return strcmp(local->type, "dim3") != 0;
  if (!init || cu_host_write(reader, &place, local).kind != CX_WRITE_NONE)
    return false;
  uint32_t before = reader->at;
  reader->at = local->at;
  bool is_one = host_dims_is_number(reader, init);
  reader->at = before;
  return is_one;
}

static bool is_number_name(CuHostReader *reader, const CxExpr *expr) {
  const char *name = cu_host_name(expr);
  if (reader->frame)
    return name && cu_host_frame_number(reader->frame, name);
  const CxHostVar *local = name ? cu_host_local(reader, name) : NULL;
  if (local)
    return is_number_in(reader, local);
  const CxDeclList *params = &reader->launch->function->type->u.function.params;
  for (uint32_t i = 0; i < params->count; i++)
    if (params->data[i]->name == name)
      return !cu_host_is_dim3(params->data[i]->type);
  return cu_try_constant(reader->cu, expr).constant.kind == CU_CONST_INT;
}

// What stands alone where dimensions are asked for is a number, so that the
// others are 1. False: it may be a dim3 that isn't seen.
static bool host_dims_is_number(CuHostReader *reader, const CxExpr *expr) {
  const char *last;
  bool is_one = false;
  if (reader->depth >= MOST_DIMS_DEPTH)
    return false;
  reader->depth++;
  switch ((int)expr->kind) {
  case CX_EXPR_NAME: is_one = is_number_name(reader, expr); break;
  case CX_EXPR_CAST: is_one = !cu_host_is_dim3(expr->u.cast.type); break;
  case CX_EXPR_CONDITIONAL:
    is_one = host_dims_is_number(reader, expr->u.conditional.if_true) &&
             host_dims_is_number(reader, expr->u.conditional.if_false);
    break;
  case CX_EXPR_MEMBER: // grid.x
    last = expr->u.member.name->parts[0].name;
    is_one = last && last[0] >= 'x' && last[0] <= 'z' && !last[1];
    break;
  case CX_EXPR_CALL: // ceil(a / b), min(a, b), x.size(0)
    is_one = (expr->u.call.callee->kind == CX_EXPR_NAME ||
              expr->u.call.callee->kind == CX_EXPR_MEMBER) &&
             cu_host_follow(reader, expr, reader->at);
    break;
  case CX_EXPR_INIT_LIST:
  case CX_EXPR_LAMBDA: break;
  default: is_one = true;
  }
  reader->depth--;
  return is_one;
}

static bool dims_of_one(CuHostReader *reader, const CxExpr *expr,
                        const CuHost *dims[3]) {
  CxExpr *one = (CxExpr *)(uintptr_t)expr;
  bool is_any = cu_host_dims_of(reader, &one, 1, dims);
  if (host_dims_is_number(reader, expr))
    return is_any;
  dims[1] = dims[2] = NULL;
  return dims[0];
}

bool cu_host_dims(CuHostReader *reader, const CxExpr *expr,
                  const CuHost *dims[3]) {
  const CxExprList *args = &expr->u.construct.args;
  if (reader->depth >= MOST_DIMS_DEPTH)
    return false;
  if (dims_of_variable(reader, expr, dims))
    return true;
  switch ((int)expr->kind) {
  case CX_EXPR_INDEX: return dims_of_element(reader, expr, dims);
  case CX_EXPR_CALL:
    if (expr->u.call.callee->kind != CX_EXPR_NAME)
      break;
    if (!is_dim3(expr->u.call.callee->u.name)) {
      if (cu_host_call(reader, expr, dims, true))
        return true;
      break;
    }
    return cu_host_dims_of(reader, expr->u.call.args.data,
                           expr->u.call.args.count, dims);
  case CX_EXPR_CONSTRUCT:
    if (args->count == 1 && args->data[0]->kind == CX_EXPR_INIT_LIST)
      return dims_of_items(reader, args->data[0], dims);
    return cu_host_dims_of(reader, args->data, args->count, dims);
  case CX_EXPR_INIT_LIST: return dims_of_items(reader, expr, dims);
  case CX_EXPR_COMMA: // the inside of dim3 b(16, 16)
    return cu_host_dims_of(reader, expr->u.list.data, expr->u.list.count, dims);
  default: break;
  }
  return dims_of_one(reader, expr, dims);
}

// ---------------------------------------------------------- configurations

// config.gridDim.x, and so on.
static const CuHost *axis_of_config(CuHostReader *reader, const char *member,
                                    int axis) {
  const char *name = reader->launch->config;
  const CxHostVar *local = cu_host_local(reader, name);
  CxPlace place = place_of_axis(reader, name, member, axis);
  CxWrite write = cu_host_write(reader, &place, local);
  const CuHost *dims[3] = {NULL, NULL, NULL};
  if (write.kind != CX_WRITE_VALUE || write.n_members == 0)
    return NULL;
  if (write.n_members == place.n_members)
    return cu_host_follow(reader, cu_host_parse(reader, write.value), write.at);
  return dims_at(reader, write.value, write.at, dims) ? dims[axis] : NULL;
}

static bool read_dims(CuHostReader *reader, CxTokens tokens, const char *member,
                      const CuHost *dims[3]) {
  const CxLaunch *launch = reader->launch;
  bool is_any = false;
  reader->at = launch->at;
  if (!launch->config)
    return dims_at(reader, tokens, launch->at, dims);
  const char *word = intern_cstr(reader->cu->names, member);
  for (int i = 0; i < 3; i++) {
    dims[i] = axis_of_config(reader, word, i);
    is_any |= dims[i] != NULL;
  }
  return is_any;
}

static bool dims_of_launch(CuHostReader *reader, CxTokens tokens,
                           const char *member, const CuHost *dims[3]) {
  cu_host_find_pins(reader);
  reader->is_size = true;
  bool is_any = read_dims(reader, tokens, member, dims);
  reader->is_size = false;
  if (is_any)
    cu_host_pin_dims(reader, dims);
  return is_any;
}

bool cu_host_grid(CuHostReader *reader, const CuHost *dims[3]) {
  return dims_of_launch(reader, reader->launch->grid, "gridDim", dims);
}

bool cu_host_block(CuHostReader *reader, const CuHost *dims[3]) {
  return dims_of_launch(reader, reader->launch->block, "blockDim", dims);
}

static const CuHost *host_dims_read_shared(CuHostReader *reader) {
  const CxLaunch *launch = reader->launch;
  reader->at = launch->at;
  if (!launch->config)
    return cu_host_term(reader, cu_host_parse(reader, launch->shared));
  CxPlace place = {
      .name = launch->config,
      .members = {intern_cstr(reader->cu->names, "dynamicSmemBytes")},
      .n_members = 1};
  CxWrite write =
      cu_host_write(reader, &place, cu_host_local(reader, launch->config));
  return write.kind == CX_WRITE_VALUE && write.n_members == 1
             ? cu_host_follow(reader, cu_host_parse(reader, write.value),
                              write.at)
             : NULL;
}

const CuHost *cu_host_shared(CuHostReader *reader) {
  cu_host_find_pins(reader);
  reader->is_size = true;
  const CuHost *bytes = host_dims_read_shared(reader);
  reader->is_size = false;
  return bytes;
}

// --------------------------------------------------------------- arguments

// What &x, (void *)&x in an array of pointers leads to.
static const CxExpr *pointed(const CxExpr *expr) {
  while (expr && expr->kind == CX_EXPR_CAST)
    expr = expr->u.cast.operand;
  bool is_address =
      expr && expr->kind == CX_EXPR_UNARY && expr->u.unary.op == UNARY_ADDRESS;
  return is_address ? expr->u.unary.operand : NULL;
}

// 0: there are more.
static uint32_t split_list(const CxExpr *all, uint32_t most,
                           const CxExpr **out) {
  bool is_list = all && all->kind == CX_EXPR_COMMA && !all->has_parens;
  uint32_t n = is_list ? all->u.list.count : all != NULL;
  for (uint32_t i = 0; i < n && n <= most; i++)
    out[i] = is_list ? all->u.list.data[i] : all;
  return n <= most ? n : 0;
}

static uint32_t args_of_array(const CuHostReader *reader, const CxExpr *array,
                              uint32_t most, const CxExpr **out) {
  const char *name = array ? cu_host_name(array) : NULL;
  CxTokens tokens;
  if (!name || !cx_find_pointers(reader->cu->tree, reader->launch->function,
                                 name, reader->at, &tokens))
    return 0;
  uint32_t n = split_list(cu_host_parse(reader, tokens), most, out);
  for (uint32_t i = 0; i < n; i++)
    out[i] = pointed(out[i]);
  return n;
}

// Some of them aren't understood, or a template's arguments were taken for
// comparisons. Where one ends is certain only if that gives as many as there
// are.
static uint32_t split_tokens(const CuHostReader *reader, uint32_t most,
                             const CxExpr **out) {
  CxTokens rest = reader->launch->args, argument;
  uint32_t n = 0;
  for (; n < most && cx_next_argument(reader->cu->tree, &rest, &argument); n++)
    out[n] = cu_host_parse(reader, argument);
  return n == most && rest.begin == rest.end ? n : 0;
}

uint32_t cu_host_args(CuHostReader *reader, uint32_t most, const CxExpr **out) {
  reader->at = reader->launch->at;
  const CxExpr *all = cu_host_parse(reader, reader->launch->args);
  if (reader->launch->has_pointers)
    return args_of_array(reader, all, most, out);
  uint32_t n = split_list(all, most, out);
  return n ? n : split_tokens(reader, most, out);
}

const CuHost *cu_host_row(CuHostReader *reader, const char *name) {
  CxTokens bytes;
  uint32_t at = cx_find_pitch(reader->cu->tree, reader->launch->function, name,
                              reader->launch->at, &bytes);
  return at ? cu_host_follow(reader, cu_host_parse(reader, bytes), at) : NULL;
}

const CuHost *cu_host_bytes(CuHostReader *reader, const char *name) {
  CxTokens bytes;
  if (!cx_find_allocation(reader->cu->tree, reader->launch->function, name,
                          &bytes))
    return NULL;
  return cu_host_follow(reader, cu_host_parse(reader, bytes), bytes.begin);
}
