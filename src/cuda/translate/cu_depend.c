// SPDX-License-Identifier: Apache-2.0
#include "cuda/form/cu_depend.h"

#include "cuda/form/cu_resolve.h"
#include "cuda/form/cu_scope.h"

// `of_value`: what the value depends on counts, too (template arguments).
typedef struct {
  CuContext *cu;
  bool of_value;
  int depth;
  int *budget; // nodes that may still be looked at
} Depend;

enum { MAX_DEPTH = 32, MAX_NODES = 2000 };

static bool type_depends(Depend at, const CxType *type);
static bool expr_depends(Depend at, const CxExpr *expr);

bool cu_is_of_template(const CuScope *scope) {
  for (; scope; scope = scope->parent) {
    const CuRecord *around = scope->kind == CU_SCOPE_TEMPLATE && scope->parent
                                 ? scope->parent->record
                                 : NULL;
    if ((scope->kind == CU_SCOPE_TEMPLATE &&
         !(around && around->friends == scope)) ||
        (scope->record && scope->record->n_args))
      return true;
  }
  return false;
}

static bool is_too_much(Depend *at) {
  return ++at->depth > MAX_DEPTH || --*at->budget < 0;
}

// ---------------------------------------------------------------- names

static bool args_depend(Depend at, const CxName *name) {
  at.of_value = true;
  for (uint32_t i = 0; i < name->n_parts; i++) {
    const CxNamePart *part = &name->parts[i];
    if (part->conversion && type_depends(at, part->conversion))
      return true;
    for (uint32_t k = 0; k < part->n_args; k++) {
      const CxTemplateArg *arg = &part->args[k];
      if (arg->is_expansion || (arg->type && type_depends(at, arg->type)) ||
          (!arg->type && arg->expr && expr_depends(at, arg->expr)))
        return true;
    }
  }
  return false;
}

static bool variable_depends(Depend at, const CxDecl *decl) {
  if (decl->kind != CX_DECL_VAR && decl->kind != CX_DECL_PARAM)
    return true;
  bool is_deduced = cu_has_auto(decl->type);
  if ((is_deduced || at.of_value) && !decl->u.var.init)
    return decl->kind != CX_DECL_PARAM || is_deduced;
  if ((is_deduced || at.of_value) && expr_depends(at, decl->u.var.init))
    return true;
  return !is_deduced && type_depends(at, decl->type);
}

static bool entity_depends(Depend at, const CuEntity *entity) {
  const CxDecl *decl = entity->decl;
  if (decl && decl->kind == CX_DECL_TEMPLATE_PARAM)
    return entity->kind != CU_ENTITY_VALUE || at.of_value || !decl->type ||
           cu_has_auto(decl->type) || type_depends(at, decl->type);
  if (entity->scope && !cu_is_of_template(entity->scope))
    return false;
  if (!decl)
    return true;
  switch ((int)entity->kind) {
  case CU_ENTITY_ALIAS:
    return decl->n_templates || type_depends(at, decl->type);
  case CU_ENTITY_LOCAL: return variable_depends(at, decl);
  case CU_ENTITY_FIELD: return at.of_value || type_depends(at, decl->type);
  case CU_ENTITY_FUNCTION:
    return at.of_value || decl->n_templates || !decl->type ||
           cu_has_auto(decl->type->u.function.result) ||
           type_depends(at, decl->type->u.function.result);
  default: return true;
  }
}

// What a qualified name begins with decides: a member of what depends does.
static bool name_depends(Depend at, const CxName *name) {
  CuEntityVec found = {0};
  const CxNamePart *first = &name->parts[0];
  if (args_depend(at, name))
    return true;
  if (first->kind == CX_PART_TYPE)
    return false;
  CuContext *cu = at.cu;
  if (!first->name)
    return true;
  cu_lookup_at(cu, name->is_global ? cu->global : cu->scope, first->name,
               first->span.begin, &found);
  for (uint32_t i = 0; i < found.count; i++)
    if (entity_depends(at, found.data[i]))
      return true;
  return false;
}

// ---------------------------------------------------------------- types

static bool params_depend(Depend at, const CxDeclList *params) {
  for (uint32_t i = 0; i < params->count; i++)
    if (type_depends(at, params->data[i]->type))
      return true;
  return false;
}

static bool type_depends(Depend at, const CxType *type) {
  if (!type || is_too_much(&at))
    return true;
  Depend value = at;
  value.of_value = true;
  switch (type->kind) {
  case CX_TYPE_BUILTIN: return false;
  case CX_TYPE_NAMED: return name_depends(at, type->u.named.name);
  case CX_TYPE_POINTER:
  case CX_TYPE_REFERENCE:
  case CX_TYPE_RVALUE_REFERENCE: return type_depends(at, type->u.inner);
  case CX_TYPE_ARRAY:
    return type_depends(at, type->u.array.element) ||
           (type->u.array.extent && expr_depends(value, type->u.array.extent));
  case CX_TYPE_FUNCTION:
    return type_depends(at, type->u.function.result) ||
           params_depend(at, &type->u.function.params);
  case CX_TYPE_DECLTYPE:
    return !type->u.expr || expr_depends(value, type->u.expr);
  case CX_TYPE_POISON:
  case CX_TYPE_UNSUPPORTED:
  case CX_TYPE_AUTO:
  case CX_TYPE_DEFINITION: break;
  }
  return true;
}

// ---------------------------------------------------------------- expressions

static bool list_depends(Depend at, const CxExprList *list) {
  for (uint32_t i = 0; i < list->count; i++)
    if (expr_depends(at, list->data[i]))
      return true;
  return false;
}

static bool expr_depends(Depend at, const CxExpr *expr) {
  if (!expr || is_too_much(&at))
    return true;
  switch ((int)expr->kind) {
  case CX_EXPR_INT:
  case CX_EXPR_FLOAT:
  case CX_EXPR_CHAR:
  case CX_EXPR_STRING:
  case CX_EXPR_BOOL:
  case CX_EXPR_NULLPTR: return false;
  case CX_EXPR_SIZEOF_TYPE:
    return at.of_value && type_depends(at, expr->u.type);
  case CX_EXPR_SIZEOF_EXPR:
    return at.of_value && expr_depends(at, expr->u.operand);
  case CX_EXPR_NAME: return name_depends(at, expr->u.name);
  case CX_EXPR_UNARY: return expr_depends(at, expr->u.unary.operand);
  case CX_EXPR_BINARY:
    return expr_depends(at, expr->u.binary.left) ||
           expr_depends(at, expr->u.binary.right);
  case CX_EXPR_CONDITIONAL:
    return expr_depends(at, expr->u.conditional.condition) ||
           expr_depends(at, expr->u.conditional.if_true) ||
           expr_depends(at, expr->u.conditional.if_false);
  case CX_EXPR_INDEX:
    return expr_depends(at, expr->u.index.base) ||
           expr_depends(at, expr->u.index.index);
  case CX_EXPR_MEMBER:
    return args_depend(at, expr->u.member.name) ||
           expr_depends(at, expr->u.member.base);
  case CX_EXPR_CALL:
    return expr_depends(at, expr->u.call.callee) ||
           list_depends(at, &expr->u.call.args);
  case CX_EXPR_CAST:
    return type_depends(at, expr->u.cast.type) ||
           (at.of_value && expr_depends(at, expr->u.cast.operand));
  case CX_EXPR_CONSTRUCT:
    return type_depends(at, expr->u.construct.type) ||
           (at.of_value && list_depends(at, &expr->u.construct.args));
  default: return true;
  }
}

bool cu_type_depends(CuContext *cu, const CxType *type) {
  int budget = MAX_NODES;
  return type_depends((Depend){.cu = cu, .budget = &budget}, type);
}

bool cu_expr_depends(CuContext *cu, const CxExpr *expr) {
  int budget = MAX_NODES;
  return expr_depends((Depend){.cu = cu, .budget = &budget}, expr);
}

bool cu_args_depend(CuContext *cu, const CxNamePart *part) {
  int budget = MAX_NODES;
  CxNamePart one = *part;
  CxName name = {.parts = &one, .n_parts = 1};
  return args_depend((Depend){.cu = cu, .budget = &budget}, &name);
}
