// SPDX-License-Identifier: Apache-2.0
#include "cuda/host/cu_launch.h"

#include "cuda/form/cu_function.h"
#include "cuda/form/cu_kernel.h"
#include "cuda/form/cu_names.h"
#include "cuda/form/cu_overload.h"
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_resolve.h"
#include "cuda/form/cu_scope.h"
#include "cuda/form/cu_value.h"
#include "cuda/host/cu_block.h"
#include "cuda/host/cu_host.h"
#include "cuda/host/cx_guards.h"
#include "cxx/cx_parser.h"

#include <string.h>

enum { MOST_VALUES = 64 };

// ------------------------------------------------------------------- names

const char *cu_base_name(CuContext *cu, const CuEntity *entity) {
  return cu_full_name(cu, entity, entity->name);
}

const char *cu_instance_name(CuContext *cu, const CuEntity *entity,
                             CuArgs args) {
  const char *base = cu_base_name(cu, entity);
  const char *shown = cu_shown_args(cu, base, args);
  return shown[strlen(base)] ? shown : cu_format(cu, "%s<>", base);
}

// ------------------------------------------------------------------ kernels

typedef struct {
  CuContext *cu;
  const CxLaunch *launch;
  CuScope *scope; // of the host function's names
  bool has_values;
  CuValue values[MOST_VALUES];
  bool known[MOST_VALUES];
  uint32_t n_values;
} Reader;

// The arguments of the launch, as far as their types are known.
static void read_values(Reader *r) {
  const CxExpr *args[MOST_VALUES];
  CuHostReader reader = {.cu = r->cu, .launch = r->launch};
  if (r->has_values)
    return;
  r->has_values = true;
  r->n_values = cu_host_args(&reader, MOST_VALUES, args);
  CuScope *typed = cu_typed_scope(r->cu, r->launch->function, r->scope,
                                  r->launch->args, r->launch->at);
  for (uint32_t i = 0; i < r->n_values; i++)
    r->known[i] =
        args[i] && cu_typed_value(r->cu, typed, args[i], &r->values[i]);
}

static bool has_pack(const CxDecl *decl) {
  const CxTemplate *template = &decl->templates[decl->n_templates - 1];
  for (uint32_t i = 0; i < template->params.count; i++)
    if (template->params.data[i]->u.template_param.is_pack)
      return true;
  return false;
}

static bool find_args(Reader *r, const CuEntity *entity, CuArgs *args) {
  const CxName *name = r->launch->kernel;
  const CxNamePart *part = &name->parts[name->n_parts - 1];
  const CuValues none = {NULL, 0};
  *args = (CuArgs){NULL, 0};
  if (!entity->decl->n_templates)
    return !part->has_args;
  if (!has_pack(entity->decl) &&
      cu_called_args(r->cu, r->scope, entity, part, none, NULL, args))
    return true;
  read_values(r);
  bool is_read =
      r->n_values > 0 || r->launch->args.begin == r->launch->args.end;
  CuValues values = {r->values, r->n_values};
  return is_read &&
         cu_called_args(r->cu, r->scope, entity, part, values, r->known, args);
}

static bool is_candidate(CuContext *cu, CuEntity *entity) {
  const CxDecl *decl = entity->decl;
  bool is_special = entity->kind == CU_ENTITY_FUNCTION && decl->n_templates &&
                    decl->templates[0].params.count == 0;
  return cu_is_kernel(entity) && !is_special && !cu_is_repeated(cu, entity);
}

// Of several kernels the one that takes the arguments.
static CuFunction *launch_choose(Reader *r, const CuEntityVec *found) {
  const CxName *name = r->launch->kernel;
  const CxNamePart *part = &name->parts[name->n_parts - 1];
  CuOverloads set = {.found = *found, .has_args = part->has_args, .part = part};
  read_values(r);
  for (uint32_t i = 0; i < r->n_values; i++)
    if (!r->known[i])
      return NULL;
  CuTrial trial = cu_trial_begin(r->cu);
  CuScope *before = cu_set_scope(r->cu, r->scope);
  CuFunction *function = cu_choose_quietly(
      r->cu, &set, NULL, (CuValues){r->values, r->n_values}, true);
  cu_set_scope(r->cu, before);
  cu_trial_end(r->cu, trial);
  return function;
}

static bool launch_find_kernel(Reader *r, CuLaunch *out) {
  CuContext *cu = r->cu;
  CuEntityVec all = {0}, found = {0};
  CuScope *before = cu_set_scope(cu, r->scope);
  cu_resolve_name(cu, r->launch->kernel, &all);
  cu_set_scope(cu, before);
  for (uint32_t i = 0; i < all.count; i++)
    if (is_candidate(cu, all.data[i]))
      VEC_PUSH(cu->arena, &found, all.data[i]);
  if (found.count == 0)
    return false;
  CuEntity *entity = found.data[0];
  CuArgs args = {NULL, 0};
  bool is_known = found.count == 1 && find_args(r, entity, &args);
  if (found.count > 1) {
    CuFunction *function = launch_choose(r, &found);
    if (!function)
      return false;
    entity = function->entity;
    args = function->args;
    is_known = true;
  }
  out->kernel = entity->decl;
  out->base = cu_base_name(cu, entity);
  out->name = is_known && entity->decl->n_templates
                  ? cu_instance_name(cu, entity, args)
                  : NULL;
  if (out->name && strstr(out->name, CU_LAMBDA_NAME)) // nobody can write it
    out->name = NULL;
  return true;
}

static bool launch_has_local(const CuContext *cu, const CxLaunch *launch,
                             CxTokens tokens) {
  for (uint32_t at = tokens.begin; at < tokens.end; at++)
    for (uint32_t i = 0; i < launch->n_vars; i++)
      if (cx_is_named(cu->tree->parser, at, launch->vars[i].name))
        return true;
  return false;
}

// An instance of the host function doesn't make the launch: it stands in an `if
// constexpr` whose condition is false for its arguments.
static bool launch_is_left_out(Reader *r) {
  const CxLaunch *launch = r->launch;
  CxGuards guards = {0};
  bool is_left_out = false;
  if (!launch->function->n_templates)
    return false;
  cx_find_guards(r->cu->tree, launch->function, launch->at, &guards);
  CuHostReader reader = {.cu = r->cu, .launch = launch, .at = launch->at};
  CuScope *before = cu_set_scope(r->cu, r->scope);
  for (uint32_t i = 0; i < guards.count && !is_left_out; i++) {
    const CxGuard *guard = &guards.data[i];
    bool is_asked = guard->is_constant &&
                    !launch_has_local(r->cu, launch, guard->condition);
    const CxExpr *expr =
        is_asked ? cu_host_parse(&reader, guard->condition) : NULL;
    if (!expr)
      continue;
    CuValue value = cu_try_constant(r->cu, expr);
    is_left_out = value.constant.kind == CU_CONST_INT &&
                  (value.constant.i != 0) == guard->is_false;
  }
  cu_set_scope(r->cu, before);
  return is_left_out;
}

void cu_find_launches(CuContext *cu, CuLaunches *out) {
  for (uint32_t i = 0; i < cu->tree->n_launches; i++) {
    const CxLaunch *launch = &cu->tree->launches[i];
    CuHostFunctions hosts = cu_host_functions(cu, launch->function);
    for (uint32_t k = 0; k < hosts.count; k++) {
      CuLaunch found = {.launch = launch, .host = hosts.data[k]};
      CuScope *scope = cu_host_scope(cu, &found.host);
      Reader reader = {.cu = cu, .launch = launch};
      if (scope)
        reader.scope = cu_typed_scope(cu, launch->function, scope, launch->name,
                                      launch->at);
      if (scope && !launch_is_left_out(&reader) &&
          launch_find_kernel(&reader, &found))
        VEC_PUSH(cu->arena, out, found);
    }
  }
}

// ------------------------------------------------------------------- blocks

CuScope *cu_launch_scope(CuContext *cu, const CuLaunch *launch) {
  const CxLaunch *at = launch->launch;
  CuScope *scope = cu_host_scope(cu, &launch->host);
  if (!scope)
    return cu->global;
  scope = cu_types_scope(cu, at->function, scope, at->name, at->at);
  return cu_types_scope(cu, at->function, scope, at->shared, at->at);
}

bool cu_launch_block(CuContext *cu, const CuLaunch *launch, bool is_loose,
                     uint32_t block[3]) {
  CuHostReader reader = {
      .cu = cu, .launch = launch->launch, .is_loose = is_loose};
  const CuHost *dims[3] = {NULL, NULL, NULL};
  CuScope *before = cu_set_scope(cu, cu_launch_scope(cu, launch));
  cu_host_block(&reader, dims);
  cu_set_scope(cu, before);
  uint32_t n_threads = 1;
  for (int i = 0; i < 3; i++) {
    bool is_known = dims[i] && dims[i]->kind == CU_HOST_NUMBER &&
                    dims[i]->number >= 1 && dims[i]->number <= CU_MOST_THREADS;
    block[i] = is_known ? (uint32_t)dims[i]->number : 0;
    n_threads *= block[i];
  }
  return n_threads >= 1 && n_threads <= CU_MOST_THREADS;
}

void cu_launch_fit(const uint32_t known[3], uint32_t block[3]) {
  for (int i = 0; i < 3; i++)
    if (known[i])
      block[i] = known[i];
  for (int i = 2; i >= 0; i--)
    while (!known[i] && block[i] > 1 &&
           block[0] * block[1] * block[2] > CU_MOST_THREADS)
      block[i] /= 2;
}
