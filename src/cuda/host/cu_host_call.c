// SPDX-License-Identifier: Apache-2.0
// Functions of host code that compute sizes: declarations, assignments to what
// they declare, and one `return` at the end. What they give is a term over what
// they were called with.
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_resolve.h"
#include "cuda/form/cu_scope.h"
#include "cuda/host/cu_host.h"
#include "cxx/cx_parse.h"

#include <string.h>

enum { MOST_LOCALS = 16 };

typedef struct {
  const char *name;

  enum { IS_OTHER, IS_NUMBER, IS_DIMS } kind;

  const CuHost *dims[3]; // of a number the first
} Local;

struct CuHostFrame {
  Local locals[MOST_LOCALS];
  uint32_t count;
  uint32_t outer_at; // where a lambda reads what is around it; 0: no lambda
};

static Local *host_call_find(const CuHostFrame *frame, const char *name) {
  CuHostFrame *changed = (CuHostFrame *)(uintptr_t)frame;
  for (uint32_t i = frame->count; name && i > 0; i--)
    if (frame->locals[i - 1].name == name)
      return &changed->locals[i - 1];
  return NULL;
}

uint32_t cu_host_frame_outer(const CuHostFrame *frame) {
  return frame->outer_at;
}

bool cu_host_frame_has(const CuHostFrame *frame, const char *name) {
  return host_call_find(frame, name);
}

const CuHost *cu_host_frame_number(const CuHostFrame *frame, const char *name) {
  const Local *local = host_call_find(frame, name);
  return local && local->kind == IS_NUMBER ? local->dims[0] : NULL;
}

bool cu_host_frame_dims(const CuHostFrame *frame, const char *name,
                        const CuHost *dims[3]) {
  const Local *local = host_call_find(frame, name);
  if (!local || local->kind != IS_DIMS)
    return false;
  memcpy(dims, local->dims, sizeof local->dims);
  return true;
}

// ----------------------------------------------------------------- variables

static bool host_call_is_number_type(const CxType *type) {
  return (type->kind == CX_TYPE_BUILTIN && !cu_host_is_real(type)) ||
         type->kind == CX_TYPE_AUTO || type->kind == CX_TYPE_NAMED;
}

// T, const T &
static Local local_of(const CxDecl *decl) {
  const CxType *type = decl->type;
  if (type->kind == CX_TYPE_REFERENCE && (type->u.inner->quals & CX_QUAL_CONST))
    type = type->u.inner;
  return (Local){.name = decl->name,
                 .kind = cu_host_is_dim3(type)            ? IS_DIMS
                         : host_call_is_number_type(type) ? IS_NUMBER
                                                          : IS_OTHER};
}

static void set_ones(CuContext *cu, Local *local) {
  for (int i = 0; i < 3; i++)
    local->dims[i] = cu_host_number(cu, 1);
}

// False: it isn't known, and so neither what else it does.
static bool set_value(CuHostReader *reader, Local *local, const CxExpr *value) {
  if (local->kind == IS_NUMBER)
    local->dims[0] = cu_host_follow(reader, value, reader->at);
  else if (local->kind != IS_DIMS || !cu_host_dims(reader, value, local->dims))
    return false;
  return local->dims[0] &&
         (local->kind == IS_NUMBER || (local->dims[1] && local->dims[2]));
}

static bool host_call_initialise(CuHostReader *reader, Local *local,
                                 const CxDecl *decl) {
  const CxExprList *args = &decl->u.var.args;
  if (decl->u.var.init)
    return set_value(reader, local, decl->u.var.init);
  if (local->kind != IS_DIMS)
    return local->kind == IS_NUMBER && args->count == 0;
  set_ones(reader->cu, local);
  return args->count == 0 ||
         (cu_host_dims_of(reader, args->data, args->count, local->dims) &&
          local->dims[0] && local->dims[1] && local->dims[2]);
}

static bool host_call_declare(CuHostReader *reader, CuHostFrame *frame,
                              const CxDecl *decl) {
  if (decl->kind != CX_DECL_VAR || (decl->specs & CX_SPEC_STATIC) ||
      !decl->name || frame->count == MOST_LOCALS)
    return false;
  Local local = local_of(decl);
  bool is_known = host_call_initialise(reader, &local, decl);
  frame->locals[frame->count++] = local;
  return is_known;
}

// block.x = e; block = dim3(e); n = e;
static bool host_call_assign(CuHostReader *reader, const CuHostFrame *frame,
                             const CxExpr *expr) {
  if (expr->kind != CX_EXPR_ASSIGN || expr->u.assign.is_compound)
    return false;
  const CxExpr *left = expr->u.assign.left;
  const char *member = NULL;
  if (left->kind == CX_EXPR_MEMBER && !left->u.member.is_arrow) {
    member = left->u.member.name->parts[0].name;
    left = left->u.member.base;
  }
  Local *local = host_call_find(frame, cu_host_name(left));
  if (!local)
    return false;
  if (!member) {
    Local made = *local;
    bool is_known = set_value(reader, &made, expr->u.assign.right);
    *local = made;
    return is_known;
  }
  bool is_axis = member[0] >= 'x' && member[0] <= 'z' && !member[1];
  if (local->kind != IS_DIMS || !is_axis)
    return false;
  const CuHost *value =
      cu_host_follow(reader, expr->u.assign.right, reader->at);
  local->dims[member[0] - 'x'] = value;
  return value;
}

// -------------------------------------------------------------------- bodies

static CuEntity *find_function(CuContext *cu, const CxName *name,
                               uint32_t n_args) {
  CuEntityVec found = {0};
  cu_resolve_name(cu, name, &found);
  for (uint32_t i = 0; i < found.count; i++) {
    const CxDecl *decl = found.data[i]->decl;
    if (found.data[i]->kind == CU_ENTITY_FUNCTION &&
        decl->kind == CX_DECL_FUNCTION && decl->u.function.has_body &&
        decl->type->u.function.params.count == n_args)
      return found.data[i];
  }
  return NULL;
}

// All but the `return` at the end; NULL: something else is there.
static const CxExpr *read_body(CuHostReader *reader, CuHostFrame *frame,
                               const CxStmtList *items) {
  for (uint32_t i = 0; i < items->count; i++) {
    const CxStmt *stmt = items->data[i];
    bool is_read = false;
    if (stmt->kind == CX_STMT_RETURN)
      return stmt->u.expr;
    if (stmt->kind == CX_STMT_EXPR)
      is_read = host_call_assign(reader, frame, stmt->u.expr);
    for (uint32_t k = 0; stmt->kind == CX_STMT_DECL && k < stmt->u.decls.count;
         k++) {
      is_read = host_call_declare(reader, frame, stmt->u.decls.data[k]);
      if (!is_read)
        return NULL;
    }
    if (!is_read)
      return NULL;
  }
  return NULL;
}

// In another such function all must be known: they may change its variables.
static bool pass_args(CuHostReader *reader, CuHostFrame *frame,
                      const CxDeclList *params, const CxExprList *args) {
  if (args->count > MOST_LOCALS)
    return false;
  for (uint32_t i = 0; i < args->count; i++) {
    Local local = local_of(params->data[i]);
    if (!set_value(reader, &local, args->data[i]) && reader->frame)
      return false;
    frame->locals[frame->count++] = local;
  }
  return true;
}

typedef struct {
  uint32_t outer_at;
  const CxDeclList *params;
  const CxStmt *body; // NULL: not known
  CuScope *scope;     // of the names in it
} Callee;

// auto blocks = [=](int n) { return (n + size - 1) / size; };
static Callee find_lambda(CuHostReader *reader, const CxHostVar *local) {
  const CxExpr *expr = cu_host_parse(reader, local->init);
  bool is_own = expr && expr->kind == CX_EXPR_LAMBDA &&
                expr->u.lambda.n_captures == 0 && !expr->u.lambda.is_mutable;
  if (!is_own)
    return (Callee){.body = NULL};
  bool is_copy = expr->u.lambda.capture_default == CX_CAPTURE_COPY;
  return (Callee){.outer_at = is_copy ? local->at : reader->at,
                  .params = &expr->u.lambda.type->u.function.params,
                  .body = expr->u.lambda.body,
                  .scope = reader->cu->scope};
}

static Callee host_call_find_callee(CuHostReader *reader, const CxExpr *call) {
  CuContext *cu = reader->cu;
  const CxExpr *callee = call->u.call.callee;
  const char *name = cu_host_name(callee);
  const CxHostVar *local =
      name && !reader->frame ? cu_host_local(reader, name) : NULL;
  if (local)
    return find_lambda(reader, local);
  CuEntity *entity =
      callee->kind == CX_EXPR_NAME
          ? find_function(cu, callee->u.name, call->u.call.args.count)
          : NULL;
  const CxBody *body = entity ? cx_parse_quietly(cu->tree, entity->decl) : NULL;
  if (!body || body->has_errors)
    return (Callee){.body = NULL};
  return (Callee){.params = &entity->decl->type->u.function.params,
                  .body = body->block,
                  .scope = entity->scope};
}

static bool read_result(CuHostReader *reader, const CxExpr *result,
                        const CuHost *dims[3], bool is_dims) {
  if (result && is_dims)
    return cu_host_dims(reader, result, dims);
  dims[0] = result ? cu_host_follow(reader, result, reader->at) : NULL;
  return dims[0];
}

bool cu_host_call(CuHostReader *reader, const CxExpr *call,
                  const CuHost *dims[3], bool is_dims) {
  if (reader->n_steps++ >= CU_HOST_MOST_STEPS)
    return false;
  Callee callee = host_call_find_callee(reader, call);
  CuHostFrame *frame = ARENA_NEW(reader->cu->arena, CuHostFrame);
  if (!callee.body || callee.body->kind != CX_STMT_COMPOUND ||
      callee.params->count != call->u.call.args.count ||
      !pass_args(reader, frame, callee.params, &call->u.call.args))
    return false;
  frame->outer_at = callee.outer_at;
  const CuHostFrame *outer = reader->frame;
  CuScope *before = cu_set_scope(reader->cu, callee.scope);
  reader->frame = frame;
  reader->depth++;
  const CxExpr *result =
      read_body(reader, frame, &callee.body->u.compound.items);
  bool is_known = read_result(reader, result, dims, is_dims);
  reader->depth--;
  reader->frame = outer;
  cu_set_scope(reader->cu, before);
  return is_known;
}
