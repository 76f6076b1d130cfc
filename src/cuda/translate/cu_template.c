// SPDX-License-Identifier: Apache-2.0
// Arguments of templates.
#include "cuda/form/cu_lambda.h"
#include "cuda/form/cu_pack.h"
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_resolve.h"
#include "cuda/form/cu_scope.h"
#include "cuda/form/cu_value.h"

bool cu_args_equal(CuArgs a, CuArgs b) {
  if (a.count != b.count)
    return false;
  for (uint32_t i = 0; i < a.count; i++) {
    const CuArg *x = &a.data[i], *y = &b.data[i];
    if (x->is_type != y->is_type || x->type != y->type ||
        x->is_pack != y->is_pack || x->template != y->template)
      return false;
    if (x->is_pack && !cu_args_equal((CuArgs){x->elements, x->n_elements},
                                     (CuArgs){y->elements, y->n_elements}))
      return false;
    if (!x->is_type &&
        (x->value.kind != y->value.kind || x->value.i != y->value.i))
      return false;
  }
  return true;
}

// template <float (*F)(float)>, template <auto F>
static bool resolve_function(CuContext *cu, CuValue *value, const CxDecl *param,
                             CuScope *outer, CuArg *out) {
  if (value->overloads) {
    CuScope *before = cu_set_scope(cu, outer);
    const CuType *to =
        cu_has_auto(param->type) ? NULL : cu_resolve_type(cu, param->type);
    cu_set_scope(cu, before);
    *value = cu_function_constant(cu, *value, to);
  }
  if (!cu_is(value->type, CU_LAMBDA))
    return false;
  *out = (CuArg){.type = cu_plain(value->type)};
  return true;
}

// What is wrong with the expression says more than that it is no constant.
static void tell_not_constant(CuContext *cu, const CxExpr *expr,
                              const CuValue *value) {
  int64_t number;
  if (value->overloads)
    cu_report_not_constant(cu, value, expr->span, "a template argument");
  else
    (void)cu_constant_int(cu, expr, "a template argument", &number);
}

static bool resolve_value(CuContext *cu, const CxExpr *expr,
                          const CxDecl *param, CuScope *outer, CuArg *out) {
  CuValue value = cu_try_constant(cu, expr);
  if (resolve_function(cu, &value, param, outer, out))
    return true;
  if (value.constant.kind == CU_NOT_CONST) {
    tell_not_constant(cu, expr, &value);
    return false;
  }
  out->is_type = false;
  CuScope *before = cu_set_scope(cu, outer);
  out->type = cu_plain(
      cu_has_auto(param->type) ? value.type : cu_resolve_type(cu, param->type));
  cu_set_scope(cu, before);
  out->value = cu_const_convert(value.constant, value.type, out->type);
  return !cu_is_poison(out->type);
}

// The class or alias template that a name means.
static bool resolve_template(CuContext *cu, const CxType *type,
                             const CxDecl *param, CuArg *out) {
  CuEntityVec found = {0};
  if (type && type->kind == CX_TYPE_NAMED)
    cu_resolve_name(cu, type->u.named.name, &found);
  for (uint32_t i = 0; i < found.count; i++) {
    CuEntity *entity = found.data[i];
    // Inside of its own class its name is the class.
    if (entity->kind == CU_ENTITY_TYPE &&
        cu_is(cu_plain(entity->type), CU_RECORD))
      entity = cu_plain(entity->type)->u.record->entity;
    bool is_one =
        (entity->kind == CU_ENTITY_RECORD || entity->kind == CU_ENTITY_ALIAS) &&
        entity->decl->n_templates;
    if (!is_one)
      continue;
    *out = (CuArg){.is_type = true, .template = entity};
    return true;
  }
  CU_ERROR(cu, type ? type->span : param->span, cuda_template_argument,
           DS(param->name ? param->name : "(unnamed)"), DS("a template"));
  return false;
}

bool cu_resolve_arg(CuContext *cu, const CxTemplateArg *arg,
                    const CxDecl *param, CuScope *outer, CuArg *out) {
  bool is_type = param->u.template_param.is_type;
  if (!is_type && arg->expr)
    return resolve_value(cu, arg->expr, param, outer, out);
  if (!is_type || !arg->type) {
    CU_ERROR(cu, arg->span, cuda_template_argument,
             DS(param->name ? param->name : "(unnamed)"),
             DS(is_type ? "a type" : "a value"));
    return false;
  }
  if (param->u.template_param.is_template)
    return resolve_template(cu, arg->type, param, out);
  out->is_type = true;
  out->type = cu_resolve_type(cu, arg->type);
  return !cu_is_poison(out->type);
}

static bool default_arg(CuContext *cu, const CxDecl *param, CuArg *out) {
  const CxType *type = param->u.template_param.default_type;
  if (type && param->u.template_param.is_template)
    return resolve_template(cu, type, param, out);
  if (type) {
    out->is_type = true;
    out->type = cu_resolve_type(cu, type);
    return !cu_is_poison(out->type);
  }
  return resolve_value(cu, param->u.template_param.default_value, param,
                       cu->scope, out);
}

bool cu_default_args(CuContext *cu, const CxTemplate *template, CuScope *outer,
                     CuArg *args, const bool *known, Span span) {
  CuScope *scope = cu_new_scope(cu, CU_SCOPE_TEMPLATE, outer);
  CuScope *before = cu_set_scope(cu, scope);
  bool is_complete = true;
  for (uint32_t i = 0; i < template->params.count && is_complete; i++) {
    CxDecl *param = template->params.data[i];
    bool has_default = param->u.template_param.default_type ||
                       param->u.template_param.default_value;
    if (!known[i] && param->u.template_param.is_pack) {
      args[i] = (CuArg){.is_pack = true};
    } else if (!known[i] && !has_default) {
      CU_ERROR(cu, span, cuda_not_deduced,
               DS(param->name ? param->name : "(unnamed)"));
      is_complete = false;
    } else if (!known[i]) {
      is_complete = default_arg(cu, param, &args[i]);
    }
    if (is_complete)
      cu_bind_one(cu, scope, param, &args[i]);
  }
  cu_set_scope(cu, before);
  return is_complete;
}

// ---------------------------------------------------------------- written ones

// Where written arguments go, one after the other.
typedef struct {
  const CxNamePart *part;
  const CxTemplate *template;
  CuScope *scope; // with the parameters before
  CuArg *args;
  bool *known;
  uint32_t at;
  hd_vec(CuArg) pack; // so far, if parameter `at` is one
} Filling;

static CxDecl *next_param(const Filling *filling) {
  return filling->at < filling->template->params.count
             ? filling->template->params.data[filling->at]
             : NULL;
}

static void set_next(CuContext *cu, Filling *filling, CuArg arg) {
  cu_bind_one(cu, filling->scope, next_param(filling), &arg);
  filling->args[filling->at] = arg;
  filling->known[filling->at++] = true;
}

static bool take_arg(CuContext *cu, Filling *filling, const CxTemplateArg *arg,
                     uint32_t n_args) {
  CxDecl *param = next_param(filling);
  CuArg one = {0};
  if (!param) {
    CU_ERROR(cu, filling->part->args_span, argument_count,
             DS(filling->part->name),
             DS(cu_format(cu, "%u template arguments",
                          filling->template->params.count)),
             DU(n_args));
    return false;
  }
  if (!cu_resolve_arg(cu, arg, param, filling->scope, &one))
    return false;
  if (param->u.template_param.is_pack)
    VEC_PUSH(cu->arena, &filling->pack, one);
  else
    set_next(cu, filling, one);
  return true;
}

static bool take_expansion(CuContext *cu, Filling *filling,
                           const CxTemplateArg *arg, uint32_t n_others) {
  CuPacks packs;
  bool is_right = cu_find_packs(cu, &arg->packs, arg->span, &packs);
  for (uint32_t i = 0; is_right && i < packs.count; i++) {
    CuScope *before = cu_set_scope(cu, cu_pack_scope(cu, &packs, i));
    is_right = take_arg(cu, filling, arg, packs.count + n_others);
    cu_set_scope(cu, before);
  }
  return is_right;
}

bool cu_written_args(CuContext *cu, const CxNamePart *part,
                     const CxTemplate *template, CuScope *outer, CuArg *args,
                     bool *known) {
  Filling filling = {.part = part,
                     .template = template,
                     .scope = cu_new_scope(cu, CU_SCOPE_TEMPLATE, outer),
                     .args = args,
                     .known = known};
  bool is_right = true;
  for (uint32_t i = 0; is_right && i < part->n_args; i++)
    is_right =
        part->args[i].is_expansion
            ? take_expansion(cu, &filling, &part->args[i], part->n_args - 1)
            : take_arg(cu, &filling, &part->args[i], part->n_args);
  if (is_right && filling.pack.count)
    set_next(cu, &filling,
             (CuArg){.is_pack = true,
                     .elements = filling.pack.data,
                     .n_elements = filling.pack.count});
  return is_right;
}

bool cu_resolve_args(CuContext *cu, const CxNamePart *part,
                     const CxTemplate *template, CuScope *outer, CuArgs *out) {
  uint32_t n = template->params.count;
  CuArg *args = ARENA_ARRAY(cu->arena, CuArg, n + 1);
  bool *known = ARENA_ARRAY(cu->arena, bool, n + 1);
  *out = (CuArgs){args, n};
  return cu_written_args(cu, part, template, outer, args, known) &&
         cu_default_args(cu, template, outer, args, known, part->span);
}
