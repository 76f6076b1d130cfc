// SPDX-License-Identifier: Apache-2.0
// The entry points.
#include "sema/sema.h"

#include "base/panic.h"
#include "sema/instance.h"
#include "sema/kernel.h"
#include "sema/unit.h"
#include <string.h>

SemaContext *sema_new(Arena *arena, Interner *names, DiagEngine *diags,
                      SourceText *source, const SemaOptions *options) {
  SemaContext *cx = ARENA_NEW(arena, SemaContext);
  cx->arena = arena;
  cx->names = names;
  cx->diags = diags;
  cx->source = source;
  if (options)
    cx->options = *options;
  cx->types = type_table_new(arena);
  sema_builtin_types_init(cx);
  builtin_tables_init(cx);
  return cx;
}

TypeTable *sema_types(SemaContext *cx) {
  return cx->types;
}

// --- the index ---

static const char *sema_trimmed(SemaContext *cx, Span span) {
  return sema_source_text(cx, span);
}

// `const float` of `const float A[m][k]`: the text of the element type.
static const TypeSyntax *array_base(const TypeSyntax *type, uint32_t *rank) {
  *rank = 0;
  for (; type && type->kind == TYPE_ARRAY; type = type->u.array.element)
    ++*rank;
  return type;
}

static bool is_pointer_to_array(const TypeSyntax *syntax) {
  return syntax->kind == TYPE_POINTER &&
         syntax->u.pointer.pointee->kind == TYPE_ARRAY;
}

// `T (*name[n])[M]`.
static void index_table(const TypeSyntax *pointer, IndexParam *out) {
  const TypeSyntax *element =
      array_base(pointer->u.pointer.pointee, &out->rank);
  out->kind = INDEX_TABLE;
  out->is_const = element && (element->quals & QUAL_CONST);
}

static IndexParam index_param(SemaContext *cx, const Decl *param) {
  IndexParam out = {.name = decl_told(param), .span = param->span};
  out.has_default = param->u.param.init || param->u.param.default_type;
  if (param->u.param.is_type) {
    out.kind = INDEX_TYPE;
    out.type_text = "type";
    return out;
  }
  const TypeSyntax *base = array_base(param->type, &out.rank);
  out.type_text = base ? sema_trimmed(cx, base->span) : "";
  out.is_const = base && (base->quals & QUAL_CONST);
  if (param->storage & STORAGE_CONSTEXPR)
    out.kind = INDEX_EMBEDDED;
  else if (out.rank && base && is_pointer_to_array(base))
    index_table(base, &out);
  else if (out.rank)
    out.kind = INDEX_ARRAY;
  else if (base && base->kind == TYPE_POINTER)
    out.kind = INDEX_POINTER;
  if (out.kind == INDEX_POINTER)
    out.is_const = (base->u.pointer.pointee->quals & QUAL_CONST) != 0;
  return out;
}

static IndexKernel index_kernel(SemaContext *cx, const Decl *decl) {
  const DeclList *params = &decl->type->u.function.params;
  IndexKernel out = {.name = decl->name, .span = decl->span};
  out.n_params = params->count;
  out.params = ARENA_ARRAY(cx->arena, IndexParam, params->count + 1);
  for (uint32_t i = 0; i < params->count; i++)
    out.params[i] = index_param(cx, params->data[i]);
  return out;
}

void sema_index_unit(SemaContext *cx, const AstUnit *unit, SemaIndex *out) {
  hd_vec(IndexKernel) kernels = {0};
  for (uint32_t i = 0; i < unit->decls.count; i++)
    if (unit->decls.data[i]->kind == DECL_KERNEL)
      VEC_PUSH(cx->arena, &kernels, index_kernel(cx, unit->decls.data[i]));
  out->kernels = kernels.data;
  out->n_kernels = kernels.count;
}

// --- checking ---

static const KernelSymbol *sema_find_kernel(const Unit *unit,
                                            const char *name) {
  for (uint32_t i = 0; i < unit->kernels.count; i++)
    if (strcmp(unit->kernels.data[i].decl->name, name) == 0)
      return &unit->kernels.data[i];
  return NULL;
}

TKernel *sema_check_kernel(SemaContext *cx, const AstUnit *ast,
                           const char *name, const SpecValues *spec) {
  HD_ASSERT(!ast->has_errors && name);
  Unit *unit = unit_prepare(cx, ast);
  const KernelSymbol *symbol = sema_find_kernel(unit, name);
  if (!symbol) { // a name declared before as something else
    HD_ASSERT(unit->has_errors);
    return NULL;
  }
  TKernel *kernel = kernel_check(cx, symbol->decl, symbol->order, spec, false);
  const OpenMembers *open = cx->options.open_members;
  return unit->has_errors || (open && open->count > 0) ? NULL : kernel;
}

static void check_function_alone(SemaContext *cx, FuncSymbol *func) {
  bool is_empty = !func->decl->u.function.body && !has_contract(func->decl);
  if (func->is_reached || is_empty)
    return;
  cx->epoch++;
  cx->has_depth_error = false;
  instance_check_alone(cx, func);
}

bool sema_check_unit(SemaContext *cx, const AstUnit *ast) {
  HD_ASSERT(!ast->has_errors);
  uint32_t errors = cx->n_errors;
  Unit *unit = unit_prepare(cx, ast);
  for (uint32_t i = 0; i < unit->kernels.count; i++) {
    const KernelSymbol *symbol = &unit->kernels.data[i];
    (void)kernel_check(cx, symbol->decl, symbol->order, NULL, true);
  }
  // Callers first: a function that only another lone one calls is reached.
  for (uint32_t i = unit->funcs.count; i > 0; i--)
    check_function_alone(cx, unit->funcs.data[i - 1]);
  return cx->n_errors == errors && !unit->has_errors;
}
