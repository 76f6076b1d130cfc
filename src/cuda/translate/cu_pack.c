// SPDX-License-Identifier: Apache-2.0
#include "cuda/form/cu_pack.h"

#include "cuda/form/cu_local.h"
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_resolve.h"
#include "cuda/form/cu_scope.h"
#include "cuda/form/cu_texture.h"

// ---------------------------------------------------------------- packs

static CuEntity *find_pack(CuContext *cu, const char *name) {
  CuEntityVec found = {0};
  cu_lookup(cu, cu->scope, name, &found);
  bool is_pack = found.count && found.data[0]->kind == CU_ENTITY_PACK;
  return is_pack ? found.data[0] : NULL;
}

bool cu_find_packs(CuContext *cu, const CxPackNames *names, Span span,
                   CuPacks *out) {
  *out = (CuPacks){0};
  for (uint32_t i = 0; i < names->count; i++) {
    CuEntity *pack = find_pack(cu, names->data[i]);
    if (!pack)
      continue;
    uint32_t n = pack->elements.count;
    if (out->packs.count && n != out->count) {
      CU_ERROR(cu, span, expected, DS("packs with the same number of elements"),
               DS(cu_format(cu, "%u and %u", out->count, n)));
      return false;
    }
    out->count = n;
    VEC_PUSH(cu->arena, &out->packs, pack);
  }
  if (out->packs.count)
    return true;
  CU_ERROR(cu, span, expected, DS("a parameter pack before '...'"),
           DS(cu_format(cu, "'%s'", cu_source_text(cu, span))));
  return false;
}

// What is declared meanwhile belongs to the block around.
CuScope *cu_pack_scope(CuContext *cu, const CuPacks *packs, uint32_t index) {
  CuScope *scope = cu_new_scope(cu, CU_SCOPE_BLOCK, cu->scope);
  if (cu->scope->kind == CU_SCOPE_BLOCK)
    scope->caller = cu->scope;
  for (uint32_t i = 0; i < packs->packs.count; i++) {
    const CuEntity *pack = packs->packs.data[i];
    map_put(cu->arena, &scope->names, MAP_KEY(pack->name),
            pack->elements.data[index]);
  }
  return scope;
}

CuArgs cu_flat_args(CuContext *cu, CuArgs args) {
  hd_vec(CuArg) flat = {0};
  for (uint32_t i = 0; i < args.count; i++) {
    const CuArg *arg = &args.data[i];
    for (uint32_t k = 0; arg->is_pack && k < arg->n_elements; k++)
      VEC_PUSH(cu->arena, &flat, arg->elements[k]);
    if (!arg->is_pack)
      VEC_PUSH(cu->arena, &flat, *arg);
  }
  return (CuArgs){flat.data, flat.count};
}

// ---------------------------------------------------------------- expansions

static CxExpr *new_node(CuContext *cu, CxExprKind kind, Span span) {
  CxExpr *expr = ARENA_NEW(cu->arena, CxExpr);
  expr->kind = kind;
  expr->span = expr->operator_span = span;
  return expr;
}

static CxExpr *pack_element(CuContext *cu, CxExpr *pattern,
                            const CuPacks *packs, uint32_t index) {
  CxExpr *expr = new_node(cu, CX_EXPR_ELEMENT, pattern->span);
  expr->u.element.pattern = pattern;
  expr->u.element.scope = cu_pack_scope(cu, packs, index);
  return expr;
}

typedef hd_vec(CxExpr *) ExprVec;

static void pack_expand(CuContext *cu, CxExpr *expr, ExprVec *out) {
  if (expr->kind != CX_EXPR_EXPANSION) {
    VEC_PUSH(cu->arena, out, expr);
    return;
  }
  CuPacks packs;
  CxExpr *pattern = expr->u.expansion.pattern;
  if (!cu_find_packs(cu, &expr->u.expansion.packs, pattern->span, &packs)) {
    VEC_PUSH(cu->arena, out, new_node(cu, CX_EXPR_POISON, expr->span));
    return;
  }
  for (uint32_t i = 0; i < packs.count; i++)
    VEC_PUSH(cu->arena, out, pack_element(cu, pattern, &packs, i));
}

CxExprList cu_expanded(CuContext *cu, const CxExprList *list) {
  bool is_plain = true;
  for (uint32_t i = 0; i < list->count; i++)
    is_plain = is_plain && list->data[i]->kind != CX_EXPR_EXPANSION;
  if (is_plain)
    return *list;
  ExprVec out = {0};
  for (uint32_t i = 0; i < list->count; i++)
    pack_expand(cu, list->data[i], &out);
  return (CxExprList){out.data, out.count};
}

const CxExpr *cu_expanded_init(CuContext *cu, const CxExpr *list) {
  bool is_plain = true;
  uint32_t n = list->u.init_list.n_items;
  for (uint32_t i = 0; i < n; i++)
    is_plain =
        is_plain && list->u.init_list.items[i].value->kind != CX_EXPR_EXPANSION;
  if (is_plain)
    return list;
  hd_vec(CxInitItem) items = {0};
  for (uint32_t i = 0; i < n; i++) {
    ExprVec values = {0};
    pack_expand(cu, list->u.init_list.items[i].value, &values);
    for (uint32_t k = 0; k < values.count; k++) {
      CxInitItem item = list->u.init_list.items[i];
      item.value = values.data[k];
      VEC_PUSH(cu->arena, &items, item);
    }
  }
  CxExpr *made = new_node(cu, CX_EXPR_INIT_LIST, list->span);
  made->u.init_list.items = items.data;
  made->u.init_list.n_items = items.count;
  return made;
}

CuValue cu_element_expr(CuContext *cu, const CxExpr *expr) {
  CuScope *before = cu_set_scope(cu, expr->u.element.scope);
  CuValue value = cu_expr(cu, expr->u.element.pattern);
  cu_set_scope(cu, before);
  return value;
}

// ---------------------------------------------------------------- folds

static CxExpr *pack_combined(CuContext *cu, const CxExpr *fold, CxExpr *left,
                             CxExpr *right) {
  const CxFoldOperator *op = &fold->u.fold.op;
  if (op->is_assignment) {
    CxExpr *expr = new_node(cu, CX_EXPR_ASSIGN, fold->span);
    expr->u.assign.is_compound = op->is_compound;
    expr->u.assign.op = op->op;
    expr->u.assign.left = left;
    expr->u.assign.right = right;
    return expr;
  }
  CxExpr *expr = new_node(cu, CX_EXPR_BINARY, fold->span);
  expr->u.binary.op = op->op;
  expr->u.binary.left = left;
  expr->u.binary.right = right;
  return expr;
}

// Of elements e…, from the left or from the right.
static CxExpr *chain(CuContext *cu, const CxExpr *fold, const ExprVec *all,
                     bool is_right) {
  if (fold->u.fold.op.is_comma) {
    CxExpr *expr = new_node(cu, CX_EXPR_COMMA, fold->span);
    expr->u.list = (CxExprList){all->data, all->count};
    return expr;
  }
  uint32_t n = all->count;
  CxExpr *sum = all->data[is_right ? n - 1 : 0];
  for (uint32_t i = 1; i < n; i++)
    sum = is_right ? pack_combined(cu, fold, all->data[n - 1 - i], sum)
                   : pack_combined(cu, fold, sum, all->data[i]);
  return sum;
}

static bool pack_has(CuContext *cu, const CxPackNames *names) {
  for (uint32_t i = 0; i < names->count; i++)
    if (find_pack(cu, names->data[i]))
      return true;
  return false;
}

// What an empty pack gives.
static CuValue nothing(CuContext *cu, const CxExpr *fold) {
  const CxFoldOperator *op = &fold->u.fold.op;
  bool is_logical = !op->is_comma && !op->is_assignment &&
                    (op->op == BINARY_LOG_AND || op->op == BINARY_LOG_OR);
  if (is_logical)
    return cu_int_value(cu, cu_basic(&cu->types, CU_BOOL),
                        op->op == BINARY_LOG_AND, fold->span);
  if (op->is_comma)
    return cu_rvalue(cu_basic(&cu->types, CU_VOID), NULL, fold->span);
  CU_ERROR(cu, fold->span, expected, DS("elements for this operator"),
           DS("an empty parameter pack"));
  return cu_poison(cu, fold->span);
}

const CxExpr *cu_unfolded(CuContext *cu, const CxExpr *fold, CuValue *value) {
  const CxFoldSide *left = &fold->u.fold.left, *right = &fold->u.fold.right;
  bool is_right = left->expr && (!right->expr || pack_has(cu, &left->packs));
  const CxFoldSide *side = is_right ? left : right;
  const CxFoldSide *other = is_right ? right : left;
  CuPacks packs;
  if (!cu_find_packs(cu, &side->packs, side->expr->span, &packs)) {
    *value = cu_poison(cu, fold->span);
    return NULL;
  }
  ExprVec all = {0};
  if (other->expr && !is_right)
    VEC_PUSH(cu->arena, &all, other->expr);
  for (uint32_t i = 0; i < packs.count; i++)
    VEC_PUSH(cu->arena, &all, pack_element(cu, side->expr, &packs, i));
  if (other->expr && is_right)
    VEC_PUSH(cu->arena, &all, other->expr);
  if (all.count)
    return chain(cu, fold, &all, is_right);
  *value = nothing(cu, fold);
  return NULL;
}

CuValue cu_fold_expr(CuContext *cu, const CxExpr *expr) {
  CuValue value;
  const CxExpr *all = cu_unfolded(cu, expr, &value);
  return all ? cu_expr(cu, all) : value;
}

CuValue cu_sizeof_pack(CuContext *cu, const CxExpr *expr) {
  const CuEntity *pack = find_pack(cu, expr->u.name->parts[0].name);
  if (pack)
    return cu_int_value(cu, cu_basic(&cu->types, CU_ULONG),
                        pack->elements.count, expr->span);
  CU_ERROR(cu, expr->u.name->span, expected, DS("the name of a parameter pack"),
           DS(cu_format(cu, "'%s'", expr->u.name->parts[0].name)));
  return cu_poison(cu, expr->span);
}

// ---------------------------------------------------------------- parameters

bool cu_ends_in_pack(const CxDeclList *params) {
  return params->count && params->data[params->count - 1]->u.var.is_pack;
}

void cu_declare_packs(CuContext *cu, const CxDeclList *params) {
  for (uint32_t i = 0; i < params->count; i++)
    if (params->data[i]->u.var.is_pack && params->data[i]->name)
      cu_declare(cu, cu->scope, CU_ENTITY_PACK, params->data[i]->name,
                 params->data[i]);
}

void cu_declare_param(CuContext *cu, CuVariable *variable, const char *name,
                      const CuParam *param, CxDecl *decl) {
  if (cu_is_texture(variable->type))
    cu_texture_same(cu, variable, param);
  if (!param->is_element) {
    cu_declare_local(cu, variable, name, decl);
    return;
  }
  CuEntity *pack = name ? map_get(&cu->scope->names, MAP_KEY(name)) : NULL;
  if (!pack || pack->kind != CU_ENTITY_PACK)
    return;
  CuEntity *entity = cu_declare(cu, cu->scope, CU_ENTITY_LOCAL, NULL, decl);
  entity->name = name;
  entity->variable = variable;
  VEC_PUSH(cu->arena, &pack->elements, entity);
}

typedef hd_vec(CuParam) ParamVec;

static bool pack_add_param(CuContext *cu, CxDecl *decl, CuParam param,
                           ParamVec *out) {
  param.decl = decl;
  param.name = decl->name;
  param.type = cu_decayed(cu, cu_resolve_type(cu, decl->type));
  VEC_PUSH(cu->arena, out, param);
  return !cu_is_poison(param.type);
}

static bool pack_add_elements(CuContext *cu, CxDecl *decl, uint32_t written,
                              ParamVec *out) {
  CuPacks packs;
  bool is_right = cu_find_packs(cu, &decl->u.var.packs, decl->span, &packs);
  for (uint32_t i = 0; is_right && i < packs.count; i++) {
    CuScope *before = cu_set_scope(cu, cu_pack_scope(cu, &packs, i));
    is_right = pack_add_param(
        cu, decl,
        (CuParam){.written = written, .is_element = true, .element = i}, out);
    cu_set_scope(cu, before);
  }
  return is_right;
}

bool cu_add_params(CuContext *cu, const CxDeclList *written, CuFunction *out) {
  ParamVec params = {0};
  bool is_right = true;
  for (uint32_t i = 0; is_right && i < written->count; i++) {
    CxDecl *decl = written->data[i];
    is_right = decl->u.var.is_pack
                   ? pack_add_elements(cu, decl, i, &params)
                   : pack_add_param(cu, decl, (CuParam){.written = i}, &params);
  }
  bool is_void = params.count == 1 && cu_is(params.data[0].type, CU_VOID);
  out->params = params.data;
  out->n_params = is_void ? 0 : params.count;
  return is_right;
}

const char *cu_param_name(const CuFunction *function, uint32_t index) {
  if (!function->decl)
    return function->params[index].name;
  const CxDeclList *params = &function->decl->type->u.function.params;
  uint32_t written = function->params[index].written;
  return written < params->count ? params->data[written]->name : NULL;
}

const char *cu_param_wish(CuContext *cu, const CuFunction *function,
                          uint32_t index) {
  const CuParam *param = &function->params[index];
  const char *name = cu_param_name(function, index);
  return name && param->is_element
             ? cu_format(cu, "%s_%u", name, param->element)
             : name;
}
