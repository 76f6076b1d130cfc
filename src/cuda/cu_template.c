// SPDX-License-Identifier: Apache-2.0
// Arguments of templates.
#include "cuda/cu_report.h"
#include "cuda/cu_resolve.h"
#include "cuda/cu_scope.h"
#include "cuda/cu_value.h"

bool cu_args_equal(CuArgs a, CuArgs b) {
  if (a.count != b.count)
    return false;
  for (uint32_t i = 0; i < a.count; i++) {
    const CuArg *x = &a.data[i], *y = &b.data[i];
    if (x->is_type != y->is_type || x->type != y->type)
      return false;
    if (!x->is_type &&
        (x->value.kind != y->value.kind || x->value.i != y->value.i))
      return false;
  }
  return true;
}

static bool resolve_value(CuContext *cu, const CxExpr *expr,
                          const CxDecl *param, CuScope *outer, CuArg *out) {
  CuValue value = cu_try_constant(cu, expr);
  if (value.constant.kind == CU_NOT_CONST) {
    cu_report_not_constant(cu, &value, expr->span, "a template argument");
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

bool cu_resolve_arg(CuContext *cu, const CxTemplateArg *arg,
                    const CxDecl *param, CuScope *outer, CuArg *out) {
  if (param->unsupported) {
    cu_unsupported(cu, param->unsupported_span, param->unsupported, NULL);
    return false;
  }
  if (arg->is_expansion) {
    cu_unsupported(cu, arg->span, "parameter packs", "write the arguments");
    return false;
  }
  if (!param->u.template_param.is_type && arg->expr)
    return resolve_value(cu, arg->expr, param, outer, out);
  if (!param->u.template_param.is_type || !arg->type) {
    CU_ERROR(cu, arg->span, cuda_template_argument,
             DS(param->name ? param->name : "(unnamed)"),
             DS(param->u.template_param.is_type ? "a type" : "a value"));
    return false;
  }
  out->is_type = true;
  out->type = cu_resolve_type(cu, arg->type);
  return !cu_is_poison(out->type);
}

static bool default_arg(CuContext *cu, const CxDecl *param, CuArg *out) {
  if (param->u.template_param.default_type) {
    out->is_type = true;
    out->type = cu_resolve_type(cu, param->u.template_param.default_type);
    return !cu_is_poison(out->type);
  }
  return resolve_value(cu, param->u.template_param.default_value, param,
                       cu->scope, out);
}

static void bind_one(CuContext *cu, CuScope *scope, const CxDecl *param,
                     const CuArg *arg) {
  CuEntity *entity =
      cu_declare(cu, scope, arg->is_type ? CU_ENTITY_TYPE : CU_ENTITY_VALUE,
                 param->name, NULL);
  entity->type = arg->type;
  entity->value = arg->value;
}

bool cu_default_args(CuContext *cu, const CxTemplate *template, CuScope *outer,
                     CuArg *args, const bool *known, Span span) {
  CuScope *scope = cu_new_scope(cu, CU_SCOPE_TEMPLATE, outer);
  CuScope *before = cu_set_scope(cu, scope);
  bool is_complete = true;
  for (uint32_t i = 0; i < template->params.count && is_complete; i++) {
    const CxDecl *param = template->params.data[i];
    bool has_default = param->u.template_param.default_type ||
                       param->u.template_param.default_value;
    if (!known[i] && !has_default) {
      CU_ERROR(cu, span, cuda_not_deduced,
               DS(param->name ? param->name : "(unnamed)"));
      is_complete = false;
    } else if (!known[i]) {
      is_complete = default_arg(cu, param, &args[i]);
    }
    if (is_complete)
      bind_one(cu, scope, param, &args[i]);
  }
  cu_set_scope(cu, before);
  return is_complete;
}

bool cu_resolve_args(CuContext *cu, const CxNamePart *part,
                     const CxTemplate *template, CuScope *outer, CuArgs *out) {
  uint32_t n = template->params.count;
  CuArg *args = ARENA_ARRAY(cu->arena, CuArg, n + 1);
  bool *known = ARENA_ARRAY(cu->arena, bool, n + 1);
  if (part->n_args > n) {
    CU_ERROR(cu, part->args_span, argument_count, DS(part->name),
             DS(cu_format(cu, "%u template arguments", n)), DU(part->n_args));
    return false;
  }
  CuScope *params = cu_new_scope(cu, CU_SCOPE_TEMPLATE, outer);
  for (uint32_t i = 0; i < part->n_args; i++) {
    if (!cu_resolve_arg(cu, &part->args[i], template->params.data[i], params,
                        &args[i]))
      return false;
    known[i] = true;
    bind_one(cu, params, template->params.data[i], &args[i]);
  }
  *out = (CuArgs){args, n};
  return cu_default_args(cu, template, outer, args, known, part->span);
}
