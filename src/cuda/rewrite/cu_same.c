// SPDX-License-Identifier: Apache-2.0
#include "cuda/form/cu_same.h"

#include "cuda/form/cu_pack.h"
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_resolve.h"
#include "cuda/form/cu_scope.h"

static const char *same_last_name(const CxExpr *expr) {
  const CxName *name = expr->u.name;
  return name->parts[name->n_parts - 1].name;
}

// Template arguments, as far as numbers and names tell.
static bool cu_same_value(const CxExpr *a, const CxExpr *b) {
  if (a->kind != b->kind)
    return true;
  if (a->kind == CX_EXPR_INT)
    return a->u.int_lit.value == b->u.int_lit.value;
  return a->kind != CX_EXPR_NAME || same_last_name(a) == same_last_name(b);
}

static bool same_name(const CxName *a, const CxName *b) {
  const CxNamePart *x = &a->parts[a->n_parts - 1];
  const CxNamePart *y = &b->parts[b->n_parts - 1];
  if (x->name != y->name || x->n_args != y->n_args)
    return false;
  for (uint32_t i = 0; i < x->n_args; i++) {
    const CxTemplateArg *p = &x->args[i], *q = &y->args[i];
    if (p->type && q->type && !cx_same_type(p->type, q->type))
      return false;
    if (p->expr && q->expr && !cu_same_value(p->expr, q->expr))
      return false;
  }
  return true;
}

bool cx_same_type(const CxType *a, const CxType *b) {
  if (a->kind != b->kind || a->quals != b->quals)
    return false;
  switch (a->kind) {
  case CX_TYPE_BUILTIN: return a->u.builtin == b->u.builtin;
  case CX_TYPE_NAMED: return same_name(a->u.named.name, b->u.named.name);
  case CX_TYPE_POINTER:
  case CX_TYPE_REFERENCE:
  case CX_TYPE_RVALUE_REFERENCE: return cx_same_type(a->u.inner, b->u.inner);
  case CX_TYPE_ARRAY:
    return cx_same_type(a->u.array.element, b->u.array.element);
  case CX_TYPE_POISON:
  case CX_TYPE_UNSUPPORTED:
  case CX_TYPE_AUTO:
  case CX_TYPE_DECLTYPE:
  case CX_TYPE_DEFINITION:
  case CX_TYPE_FUNCTION: return true;
  }
  return true;
}

// const of the parameter itself is no part of the signature.
static bool same_param(const CxType *a, const CxType *b) {
  CxType x = *a, y = *b;
  bool is_indirect =
      a->kind == CX_TYPE_REFERENCE || a->kind == CX_TYPE_RVALUE_REFERENCE;
  if (!is_indirect)
    x.quals = y.quals = 0;
  return cx_same_type(&x, &y);
}

static bool same_params(const CxType *a, const CxType *b) {
  uint32_t n = a->u.function.params.count;
  if (b->u.function.params.count != n ||
      a->u.function.quals != b->u.function.quals)
    return false;
  for (uint32_t i = 0; i < n; i++) {
    if (!same_param(a->u.function.params.data[i]->type,
                    b->u.function.params.data[i]->type))
      return false;
  }
  return true;
}

static bool same_templates(const CxDecl *a, const CxDecl *b) {
  if (a->n_templates != b->n_templates)
    return false;
  for (uint32_t i = 0; i < a->n_templates; i++) {
    if (a->templates[i].params.count != b->templates[i].params.count)
      return false;
    // Explicit specialisations differ by their arguments.
    if (a->templates[i].params.count == 0)
      return false;
  }
  return true;
}

// Two templates with bodies are two, told apart by what their other types say.
bool cx_same_function(const CxDecl *a, const CxDecl *b) {
  if (a->n_templates && a->u.function.has_body && b->u.function.has_body)
    return false;
  return same_templates(a, b) && same_params(a->type, b->type);
}

static bool same_kind(const CxType *a, const CxType *b) {
  if (a->kind != b->kind)
    return false;
  switch ((int)a->kind) {
  case CX_TYPE_BUILTIN: return a->u.builtin == b->u.builtin;
  case CX_TYPE_POINTER:
  case CX_TYPE_REFERENCE:
  case CX_TYPE_RVALUE_REFERENCE: return same_kind(a->u.inner, b->u.inner);
  default: return true;
  }
}

bool cx_same_shape(const CxDecl *outside, const CxDecl *inside) {
  const CxType *a = outside->type, *b = inside->type;
  uint32_t n = a->u.function.params.count;
  if (b->u.function.params.count != n ||
      a->u.function.quals != b->u.function.quals)
    return false;
  for (uint32_t i = 0; i < n; i++) {
    if (!same_kind(a->u.function.params.data[i]->type,
                   b->u.function.params.data[i]->type))
      return false;
  }
  return true;
}

// By its explicit arguments if it has any, else by the types of parameters.
bool cu_specialises(CuContext *cu, CuEntity *special,
                    const CuFunction *function) {
  const CxDecl *decl = special->decl;
  const CxNamePart *part = &decl->full->parts[decl->full->n_parts - 1];
  const CxDecl *general = function->entity->decl;
  CuTrial trial = cu_trial_begin(cu);
  CuScope *before = cu_set_scope(cu, special->scope);
  bool fits = true;
  const CxTemplate *template = &general->templates[general->n_templates - 1];
  CuArgs args = cu_flat_args(cu, function->args);
  uint32_t last = template->params.count - 1; // a pack, if there are more
  for (uint32_t i = 0; fits && i < part->n_args; i++) {
    CuArg arg = {0};
    fits = i < args.count &&
           cu_resolve_arg(cu, &part->args[i],
                          template->params.data[i < last ? i : last],
                          function->entity->scope, &arg) &&
           cu_args_equal((CuArgs){&arg, 1}, (CuArgs){&args.data[i], 1});
  }
  const CxDeclList *params = &decl->type->u.function.params;
  fits = fits && params->count >= function->n_params;
  for (uint32_t i = 0; fits && i < function->n_params; i++)
    fits = cu_decayed(cu, cu_resolve_type(cu, params->data[i]->type)) ==
           function->params[i].type;
  const CxType *result = decl->type->u.function.result;
  if (fits && function->result && result && !cu_has_auto(result))
    fits = cu_resolve_type(cu, result) == function->result;
  cu_set_scope(cu, before);
  return !cu_trial_end(cu, trial) && fits;
}
