// SPDX-License-Identifier: Apache-2.0
// Parameters of kernels: values, plain pointers, arrays with extents and
// strides over the integer parameters.
#include "sema/kernel.h"

#include "sema/tile.h"

static void refuse_type(SemaContext *cx, const Decl *param, const Type *type,
                        const char *reason) {
  SEMA_ERROR(cx, param->name_span, parameter_type,
             DS(param->name ? param->name : "(unnamed)"), NT(cx, type),
             DS(reason));
}

static void declare_name(SemaContext *cx, const Decl *param, TVar *var) {
  if (!param->name) {
    SEMA_ERROR(cx, param->span, kernel_shape, DS(cx->body->name),
               DS("has a parameter without a name"));
    return;
  }
  SymbolKind kind = var ? SYMBOL_VAR : SYMBOL_POISON;
  Symbol *symbol = sema_scope_declare(cx, kind, param->name, param->name_span);
  if (symbol)
    symbol->var = var;
}

// --- values and pointers ---

static const char *value_problem(SemaContext *cx, QualType type) {
  const Type *plain = type.type;
  if (type.space)
    return sema_format(cx, "a value has no memory space: drop '%s'",
                       space_name(type.space));
  if (!type_is_complete(plain))
    return "it is incomplete";
  if (plain->kind == TY_GROUP)
    return "groups are made inside the kernel: use this_block()";
  if (type_is_opaque(plain))
    return "it can't be passed by value";
  if (type_has_pointer(plain))
    return "pass the arrays that it points to as parameters";
  return NULL;
}

static TVar *kernel_params_declare_value(SemaContext *cx, const Decl *param,
                                         QualType type) {
  const char *problem = value_problem(cx, type);
  if (problem) {
    refuse_type(cx, param, type.type, problem);
    return NULL;
  }
  TVar *var = build_variable(cx, TVAR_PARAM, decl_told(param), type.type,
                             param->name_span);
  var->is_const = type.is_const;
  return var;
}

static TVar *declare_pointer(SemaContext *cx, const Decl *param,
                             QualType type) {
  Space space = type.type->u.pointer.space;
  bool is_global = space == TSPACE_GLOBAL || space == TSPACE_UNKNOWN;
  const Type *pointee = type.type->u.pointer.pointee;
  const char *problem = NULL;
  if (!is_global)
    problem = "kernel pointers are global";
  else if (pointee->kind != TY_VOID && !type_is_complete(pointee))
    problem = "what it points to is incomplete";
  if (problem) {
    refuse_type(cx, param, type.type, problem);
    return NULL;
  }
  bool to_const = type.type->u.pointer.to_const;
  const Type *pointer =
      type_pointer(cx->types, pointee, TSPACE_GLOBAL, to_const);
  TVar *var = build_variable(cx, TVAR_PARAM_PTR, decl_told(param), pointer,
                             param->name_span);
  var->is_const = type.is_const;
  var->is_restrict = (param->type->quals & QUAL_RESTRICT) != 0;
  var->is_read_only = to_const;
  return var;
}

static void declare_plain(KernelCheck *check, const Decl *param, TVar **slot) {
  SemaContext *cx = check->cx;
  QualType type = sema_resolve_type(cx, param->type, NULL);
  if (!type_is_poison(type.type))
    *slot = type.type->kind == TY_POINTER
                ? declare_pointer(cx, param, type)
                : kernel_params_declare_value(cx, param, type);
  declare_name(cx, param, *slot);
  if (param->u.param.has_strides && !type_is_poison(type.type))
    SEMA_ERROR(cx, param->u.param.stride_span, misplaced, DS("stride"),
               DS("an array parameter with extents"));
}

// --- arrays ---

static bool check_element(SemaContext *cx, const Decl *param, QualType type,
                          const TVar *var) {
  const Type *element = var->element;
  const char *problem = NULL;
  if (type.space && type.space != TSPACE_GLOBAL)
    problem = "kernel arrays are global";
  else if (type_is_opaque(element))
    problem = "barriers are declared in the kernel, 'shared'";
  else if (type_has_pointer(element))
    problem = "arrays of pointers can't be passed";
  else if (!var->extents[0])
    problem = "its extent is missing: write it, or use a plain pointer";
  if (problem)
    refuse_type(cx, param, type.type, problem);
  return problem == NULL;
}

static bool check_stride(SemaContext *cx, const TExpr *stride,
                         const TVar *var) {
  if (expr_is_poison(stride))
    return false;
  if (!expr_is_const(stride))
    return true;
  int64_t value = stride->u.value.i;
  if (value > 0 || (value == 0 && var->is_read_only))
    return true;
  const char *needed = value == 0 ? "0 is only allowed in const arrays"
                                  : "strides must be positive";
  SEMA_ERROR(cx, stride->span, clause_value,
             DS(sema_format(cx, "a stride of '%s'", var->name)), DD(value),
             DS(needed));
  return false;
}

static void kernel_params_check_strides(SemaContext *cx, const Decl *param,
                                        TVar *var) {
  const ExprList *strides = &param->u.param.strides;
  if (!param->u.param.has_strides)
    return;
  if (strides->count != var->rank) {
    SEMA_ERROR(cx, param->u.param.stride_span, stride_count, DS(var->name),
               DU(var->rank), DU(strides->count));
    return;
  }
  var->strides = ARENA_ARRAY(cx->arena, TExpr *, var->rank);
  for (uint32_t i = 0; i < var->rank; i++) {
    var->strides[i] = check_host_long(cx, strides->data[i], "a stride");
    check_stride(cx, var->strides[i], var);
  }
  tile_check_packed_strides(cx, var, param->u.param.stride_span);
}

// `T (*name[n])[M]` as an array of n arrays; NULL: it is something else.
static const TypeSyntax *table_syntax(SemaContext *cx,
                                      const TypeSyntax *syntax) {
  const TypeSyntax *pointer = syntax->u.array.element;
  if (pointer->kind != TYPE_POINTER ||
      pointer->u.pointer.pointee->kind != TYPE_ARRAY)
    return NULL;
  TypeSyntax *flat = arena_copy(cx->arena, syntax, sizeof *syntax);
  flat->u.array.element = pointer->u.pointer.pointee;
  return flat;
}

static bool check_table(SemaContext *cx, const Decl *param, const TVar *var) {
  for (uint32_t i = 0; i < var->rank; i++)
    if (!var->extents[i])
      return true; // reported
  if (!param->u.param.has_strides)
    return true;
  SEMA_ERROR(cx, param->u.param.stride_span, array_table, DS(var->name),
             DS("each of its arrays is dense, so it has no strides"));
  return false;
}

static void declare_array(KernelCheck *check, const Decl *param, TVar **slot) {
  SemaContext *cx = check->cx;
  const TypeSyntax *table = table_syntax(cx, param->type);
  ArrayContext arrays = {.allows_runtime = true,
                         .allows_open = true,
                         .what = param->name ? param->name : "(unnamed)"};
  QualType type =
      sema_resolve_element(cx, table ? table : param->type, &arrays);
  if (type_is_poison(type.type)) {
    declare_name(cx, param, NULL);
    return;
  }
  TVar *var = build_variable(cx, TVAR_PARAM_ARRAY, decl_told(param), type.type,
                             param->name_span);
  var->is_const = var->is_read_only = type.is_const;
  fill_extents(cx, var, &arrays);
  var->is_table = table != NULL;
  if (check_element(cx, param, type, var) &&
      (!table || check_table(cx, param, var))) {
    kernel_params_check_strides(cx, param, var);
    *slot = var;
  }
  declare_name(cx, param, *slot);
}

static bool kernel_params_is_array(const Decl *param) {
  return param->type && param->type->kind == TYPE_ARRAY;
}

// Scalars first: extents and strides may use parameters declared later.
static void declare_refused_tile(SemaContext *cx, const Decl *param) {
  SEMA_ERROR(cx, param->name_span, tile_place,
             DS("a tile as parameter of a kernel"),
             DS("declare an array, and load the tile from it"));
  declare_name(cx, param, NULL);
}

static void kernel_params_declare(KernelCheck *check, const Decl *param,
                                  TVar **slot) {
  if (param->type && is_tile_syntax(param->type))
    declare_refused_tile(check->cx, param);
  else if (kernel_params_is_array(param))
    declare_array(check, param, slot);
  else
    declare_plain(check, param, slot);
}

void declare_kernel_params(KernelCheck *check) {
  SemaContext *cx = check->cx;
  const DeclList *params = &check->decl->type->u.function.params;
  TVar **slots = ARENA_ARRAY(cx->arena, TVar *, params->count + 1);
  declare_embedded_params(check);
  for (uint32_t i = 0; i < params->count; i++)
    if (!is_embedded_param(params->data[i]) &&
        !kernel_params_is_array(params->data[i]))
      kernel_params_declare(check, params->data[i], &slots[i]);
  for (uint32_t i = 0; i < params->count; i++)
    if (!is_embedded_param(params->data[i]) &&
        kernel_params_is_array(params->data[i]))
      kernel_params_declare(check, params->data[i], &slots[i]);
  TKernel *kernel = check->kernel;
  kernel->params = ARENA_ARRAY(cx->arena, TVar *, params->count + 1);
  for (uint32_t i = 0; i < params->count; i++)
    if (slots[i]) {
      slots[i]->param_index = kernel->n_params;
      kernel->params[kernel->n_params++] = slots[i];
    }
  kernel->embedded = check->embedded.data;
  kernel->n_embedded = check->embedded.count;
}
