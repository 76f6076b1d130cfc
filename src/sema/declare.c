// SPDX-License-Identifier: Apache-2.0
// Declarations of objects, in functions and at file scope.
#include "sema/instance.h"

#include "sema/tile.h"

#include <string.h>

// Per thread, and in images: beyond it memory for a block can't be had.
#define LOCAL_LIMIT ((uint64_t)16 << 20)
#define IMAGE_LIMIT ((uint64_t)256 << 20)

typedef struct {
  const Decl *decl;
  QualType type;
  ArrayContext arrays;
  TVarKind kind;
  bool is_const, is_tensor;
} Object;

static void sema_declare_poison(SemaContext *cx, const Decl *decl) {
  if (decl->name)
    sema_scope_declare(cx, SYMBOL_POISON, decl->name, decl->name_span);
}

// --- what kind of object it is ---

static bool refuse_space(SemaContext *cx, const Object *object,
                         const char *problem) {
  SEMA_ERROR(cx, object->decl->name_span, bad_space,
             DS(object->type.space ? space_name(object->type.space) : "local"),
             DS(object->decl->name), DS(problem));
  return false;
}

static bool refuse_storage(SemaContext *cx, const Decl *decl) {
  uint32_t storage = decl->storage;
  bool is_local = cx->body != NULL;
  if (storage & STORAGE_EXTERN)
    SEMA_ERROR(cx, decl->span, not_in_kernels, DS("'extern'"),
               DS("declare 'global' and set it from the host by name"));
  else if (storage & STORAGE_THREAD_LOCAL)
    SEMA_ERROR(cx, decl->span, not_in_kernels, DS("'_Thread_local'"),
               DS("variables in functions belong to each thread anyway"));
  else if (is_local && (storage & STORAGE_STATIC))
    SEMA_ERROR(cx, decl->span, not_in_kernels, DS("a static variable"),
               DS("use 'shared', or 'global' at file scope"));
  else
    return false;
  return true;
}

static bool local_kind(SemaContext *cx, Object *object) {
  if (object->type.type->kind == TY_PIPELINE) {
    object->kind = TVAR_SHARED;
    return true;
  }
  switch (object->type.space) {
  case TSPACE_UNKNOWN:
  case TSPACE_LOCAL:
    object->kind =
        object->type.type->kind == TY_ARRAY ? TVAR_ARRAY : TVAR_LOCAL;
    return true;
  case TSPACE_SHARED: object->kind = TVAR_SHARED; return true;
  case TSPACE_CONSTANT:
    object->kind = TVAR_CONSTANT;
    object->is_const = true;
    return true;
  case TSPACE_GLOBAL:
    return refuse_space(cx, object, "can only be declared at file scope");
  case TSPACE_GENERIC: break;
  }
  SEMA_ERROR(cx, object->decl->span, bad_qualifier, DS("generic"),
             DS("it describes the target of a pointer"));
  return false;
}

static bool file_kind(SemaContext *cx, Object *object) {
  Space space = object->type.space;
  bool is_const = object->is_const || space == TSPACE_CONSTANT;
  object->kind = space == TSPACE_GLOBAL ? TVAR_GLOBAL : TVAR_CONSTANT;
  if (space == TSPACE_CONSTANT)
    object->is_const = true;
  if (space == TSPACE_GLOBAL || is_const)
    return true;
  if (space == TSPACE_SHARED)
    return refuse_space(cx, object,
                        "can only be declared in a kernel or "
                        "function");
  return refuse_space(cx, object,
                      "at file scope must be 'constant', 'const' or 'global'");
}

static bool check_object_type(SemaContext *cx, const Object *object) {
  const Type *type = object->type.type;
  const Decl *decl = object->decl;
  bool is_open = type->kind == TY_ARRAY && type->u.array.extent < 0 &&
                 object->arrays.rank && !object->arrays.extents[0];
  if (is_open && !decl->u.var.init) {
    SEMA_ERROR(cx, decl->name_span, not_constant, DS("this array extent"));
    return false;
  }
  const Type *base = type_array_base(type, NULL);
  if (!type_is_complete(base)) {
    if (base->kind == TY_VOID)
      SEMA_ERROR(cx, decl->name_span, bad_type, DS("a variable"), NT(cx, base));
    else
      SEMA_ERROR(cx, decl->name_span, incomplete_type, NT(cx, base));
    return false;
  }
  return true;
}

static bool may_be_group(SemaContext *cx, Object *object) {
  const Decl *decl = object->decl;
  Space space = object->type.space;
  object->kind = TVAR_GROUP;
  if (!cx->body)
    SEMA_ERROR(cx, decl->name_span, group_stored, DS("declared at file scope"));
  else if (space != TSPACE_UNKNOWN)
    SEMA_ERROR(cx, decl->name_span, group_stored,
               DS(sema_format(cx, "put into %s memory", space_name(space))));
  else if (!decl->u.var.init)
    SEMA_ERROR(cx, decl->name_span, group_uninitialised, DS(decl_told(decl)));
  else
    return true;
  return false;
}

static bool resolve_object(SemaContext *cx, const Decl *decl, Object *object) {
  *object = (Object){.decl = decl};
  if (refuse_storage(cx, decl))
    return false;
  if (decl->type->kind == TYPE_FUNCTION) {
    SEMA_ERROR(cx, decl->span, misplaced, DS("a function declaration"),
               DS("file scope"));
    return false;
  }
  object->arrays.allows_open = true;
  object->arrays.what = decl->name;
  const TypeSyntax *base = decl->type;
  while (base->kind == TYPE_ARRAY)
    base = base->u.array.element;
  object->arrays.allows_runtime = cx->body && (base->quals & QUAL_SHARED);
  cx->in_extent = object->arrays.allows_runtime;
  object->is_tensor = cx->body && (base->quals & QUAL_TMEM);
  cx->tensor_syntax = object->is_tensor ? base : NULL;
  object->type = sema_resolve_type(cx, decl->type, &object->arrays);
  cx->in_extent = false;
  cx->tensor_syntax = NULL;
  if (type_is_poison(object->type.type))
    return false;
  if (!cx->body && type_is(object->type.type, TY_TILE))
    return tile_check_place(cx, decl->name_span, "a tile");
  bool is_for_threads =
      type_is_opaque(type_array_base(object->type.type, NULL));
  if (is_for_threads &&
      !tile_check_threads(cx, decl->name_span,
                          sema_format(cx, "'%s'", decl->name)))
    return false;
  if (type_is(object->type.type, TY_GROUP))
    return may_be_group(cx, object);
  object->is_const =
      object->type.is_const || (decl->storage & STORAGE_CONSTEXPR);
  bool is_kind = cx->body ? local_kind(cx, object) : file_kind(cx, object);
  return is_kind && check_object_type(cx, object);
}

// --- shared objects ---

static bool check_layout(SemaContext *cx, const Decl *decl, TVar *var) {
  static const char *const names[] = {"row_major", "swizzle32", "swizzle64",
                                      "swizzle128"};
  const LayoutSyntax *layout = &decl->u.var.layout;
  if (layout->parts.count == 0)
    return true;
  if (type_is(var->type, TY_TILE))
    return tile_declare_layout(cx, layout, var);
  const Expr *name = layout->parts.data[0];
  bool is_name = layout->parts.count == 1 && name->kind == EXPR_NAME;
  for (size_t i = 0; is_name && i < 4; i++)
    if (strcmp(name->u.name, names[i]) == 0)
      var->layout = names[i];
  if (var->layout)
    return tile_layout_fits_array(cx, var, layout->span);
  SEMA_ERROR(cx, layout->span, argument_word, DU(1), DS("layout"),
             DS("row_major, swizzle32, swizzle64 and swizzle128"));
  return false;
}

static bool is_sized_at_launch(const TVar *var) {
  for (uint32_t i = 0; i < var->rank; i++)
    if (var->extents[i] && !expr_is_const(var->extents[i]))
      return true;
  return false;
}

static void declare_check_shared(SemaContext *cx, const Object *object,
                                 TVar *var) {
  const Decl *decl = object->decl;
  if (!tile_check_threads(cx, decl->span, "a shared variable"))
    return;
  if (!check_needs_group(cx, decl->span, "a shared variable"))
    return;
  if (cx->body->group.is_open && sema_sizes_are_final(cx)) {
    SEMA_ERROR(cx, decl->name_span, open_parts, DS(decl_told(decl)));
    return;
  }
  if (var->is_tensor && !tensor_check_array(cx, decl->name_span, var))
    return;
  if (var->is_cluster_shared && cx->body->group.ref != TGROUP_BLOCK) {
    refuse_space(cx, object,
                 "is one for the whole cluster: declare it where the current "
                 "group is the block");
    return;
  }
  if (decl->u.var.init) {
    refuse_space(cx, object,
                 "can't have an initialiser: write it in the body "
                 "and sync()");
    return;
  }
  if (!is_sized_at_launch(var) || !cx->kernel || cx->unevaluated)
    return;
  TVar *first = cx->kernel->launch_sized;
  if (!first) {
    cx->kernel->launch_sized = var;
    return;
  }
  if (first->span.begin == var->span.begin)
    return;
  Diag *diag = SEMA_ERROR(
      cx, decl->name_span, bad_space, DS("shared"), DS(decl_told(decl)),
      DS("is the second one sized at launch; only one is allowed"));
  diag_label(cx->diags, diag, sema_place(cx, first->span),
             "'%s' is sized at launch", first->name);
}

// --- initial values ---

static TExpr *check_object_init(SemaContext *cx, const Object *object,
                                TVar *var) {
  const Expr *init = object->decl->u.var.init;
  const char *what = sema_format(cx, "initialiser of '%s'", var->name);
  if (var->type->kind == TY_POINTER && init->kind != EXPR_INIT_LIST)
    return check_bind_pointer(cx, var, check_value(cx, init), what);
  const Type *completed = var->type;
  TExpr *value = check_initialiser(cx, init, var->type, &completed, what);
  if (completed != var->type) {
    var->type = completed;
    fill_extents(cx, var, NULL);
  }
  return value;
}

// Constant arithmetic objects are their values, constant aggregates images.
static void keep_constant(SemaContext *cx, TVar *var, TExpr *value) {
  bool may_change = var->kind == TVAR_GLOBAL && !var->is_const;
  if (expr_is_const(value) && type_is_arithmetic(var->type) && !may_change) {
    var->has_value = true;
    var->value = value->u.value;
  }
  const char *what = sema_format(cx, "the initialiser of '%s'", var->name);
  if (var->type->size_bytes > IMAGE_LIMIT) {
    SEMA_ERROR(cx, var->span, too_large, DS("this constant"), DU(IMAGE_LIMIT));
    return;
  }
  uint8_t *bytes = arena_alloc(cx->arena, var->type->size_bytes);
  if (!image_write(cx, value, bytes, what))
    return;
  var->image = bytes;
  var->image_bytes = var->type->size_bytes;
}

static bool wants_image(const TVar *var, const TExpr *value) {
  if (var->kind == TVAR_CONSTANT || var->kind == TVAR_GLOBAL)
    return true;
  return var->is_const && !type_is(var->type, TY_TILE) &&
         image_is_constant(value);
}

static void keep_value(SemaContext *cx, const Object *object, TVar *var,
                       TExpr **value) {
  bool is_constexpr = (object->decl->storage & STORAGE_CONSTEXPR) != 0;
  if (!*value || expr_is_poison(*value))
    return;
  if (is_constexpr && !image_is_constant(*value)) {
    SEMA_ERROR(cx, (*value)->span, not_constant,
               DS(sema_format(cx, "'%s'", var->name)));
    return;
  }
  if (!wants_image(var, *value))
    return;
  if (var->kind == TVAR_ARRAY)
    var->kind = TVAR_CONSTANT;
  keep_constant(cx, var, *value);
  if (var->kind == TVAR_CONSTANT || var->kind == TVAR_GLOBAL)
    *value = NULL;
}

// A `constant` one without is filled by the host before a launch.
static void demand_initialiser(SemaContext *cx, const Object *object,
                               const TVar *var) {
  bool is_constexpr = (object->decl->storage & STORAGE_CONSTEXPR) != 0;
  if (!object->decl->u.var.init && is_constexpr)
    SEMA_ERROR(cx, object->decl->name_span, bad_space, DS("constant"),
               DS(var->name), DS("needs an initialiser"));
}

void declare_check_size(SemaContext *cx, const TVar *var) {
  bool is_private = var->kind == TVAR_LOCAL || var->kind == TVAR_ARRAY;
  if (is_private && !type_is(var->type, TY_TILE) &&
      var->type->size_bytes > LOCAL_LIMIT)
    SEMA_ERROR(cx, var->span, too_large,
               DS(sema_format(cx, "'%s' of one thread", var->name)),
               DU(LOCAL_LIMIT));
}

// --- pointers ---

// A second pass knows what the first one found out.
static void recall_space(SemaContext *cx, const Decl *decl, TVar *var) {
  if (!cx->body || !var->takes_space)
    return;
  var->decl_id = decl->id;
  uintptr_t known = (uintptr_t)map_get(&cx->body->pointer_spaces, decl->id);
  if (known)
    var->type = type_pointer_in(cx->types, var->type, (Space)(known - 1));
}

static void keep_holes(SemaContext *cx, const Decl *decl, TVar *var) {
  var->n_holes = decl->u.var.n_holes;
  THole *holes = ARENA_ARRAY(cx->arena, THole, var->n_holes + 1);
  for (uint32_t i = 0; i < var->n_holes; i++)
    holes[i] = (THole){decl->u.var.holes[i].begin, decl->u.var.holes[i].end};
  var->holes = holes;
}

static TVar *make_object(SemaContext *cx, const Object *object) {
  enum { SHARED_ALIGN = 16 }; // docs/reference/memory.md

  const Decl *decl = object->decl;
  TVar *var = build_variable(cx, object->kind, decl_told(decl),
                             object->type.type, decl->name_span);
  var->is_const = object->is_const;
  var->is_file_scope = cx->body == NULL;
  var->is_declared = true;
  var->may_be_overwritten = decl->u.var.may_be_overwritten;
  var->is_cluster_shared = object->type.is_cluster;
  var->is_tensor = object->is_tensor;
  bool points = var->type->kind == TY_POINTER;
  var->takes_space =
      points && object->type.takes_space && object->kind == TVAR_LOCAL;
  if (points && object->type.takes_space && !var->takes_space)
    var->type = type_pointer(cx->types, var->type->u.pointer.pointee,
                             TSPACE_GLOBAL, var->type->u.pointer.to_const);
  recall_space(cx, decl, var);
  uint32_t align =
      sema_resolve_alignment(cx, decl, type_array_base(var->type, NULL));
  var->align_bytes = align > var->align_bytes ? align : var->align_bytes;
  if (object->kind == TVAR_SHARED && var->rank &&
      var->align_bytes < SHARED_ALIGN)
    var->align_bytes = SHARED_ALIGN;
  if (object->kind == TVAR_SHARED)
    keep_holes(cx, decl, var);
  if (var->rank)
    fill_extents(cx, var, &object->arrays);
  return var;
}

// A group variable is another name for a group: nothing is stored.
static TVar *declare_group(SemaContext *cx, const Object *object,
                           TExpr **init) {
  const Decl *decl = object->decl;
  TVar *var = build_variable(cx, TVAR_GROUP, decl_told(decl), object->type.type,
                             decl->name_span);
  Symbol *symbol =
      sema_scope_declare(cx, SYMBOL_VAR, decl->name, decl->name_span);
  if (symbol)
    symbol->var = var;
  var->is_initialising = true;
  TExpr *group =
      check_group_expr(cx, decl->u.var.init,
                       sema_format(cx, "the initialiser of '%s'", var->name));
  var->is_initialising = false;
  if (expr_is_poison(group)) {
    if (symbol)
      symbol->kind = SYMBOL_POISON;
    return NULL;
  }
  int64_t needed = object->type.group_size;
  check_stated_size(cx, var->name, needed, group);
  var->facts = group->u.group.facts;
  if (needed)
    var->facts.size = var->facts.max_size = needed;
  *init = group;
  return var;
}

TVar *declare_object(SemaContext *cx, const Decl *decl, TExpr **init) {
  Object object;
  *init = NULL;
  if (!resolve_object(cx, decl, &object)) {
    sema_declare_poison(cx, decl);
    return NULL;
  }
  if (object.kind == TVAR_GROUP)
    return declare_group(cx, &object, init);
  TVar *var = make_object(cx, &object);
  Symbol *symbol =
      sema_scope_declare(cx, SYMBOL_VAR, decl->name, decl->name_span);
  if (symbol)
    symbol->var = var;
  if (!check_barrier_object(cx, decl, object.type, var)) {
    if (symbol)
      symbol->kind = SYMBOL_POISON;
    return NULL;
  }
  demand_initialiser(cx, &object, var);
  if (!check_layout(cx, decl, var))
    return NULL;
  if (var->kind == TVAR_SHARED) {
    declare_check_shared(cx, &object, var);
    if (symbol && var->is_tensor && var->is_refused)
      symbol->kind = SYMBOL_POISON;
  } else if (decl->u.var.init) {
    var->is_initialising = true;
    *init = check_object_init(cx, &object, var);
    var->is_initialising = false;
    if (symbol && expr_is_poison(*init) && var->is_const)
      symbol->kind = SYMBOL_POISON;
    keep_value(cx, &object, var, init);
  }
  declare_check_size(cx, var);
  return var;
}

// --- other declarations ---

void declare_typedef(SemaContext *cx, const Decl *decl) {
  QualType type = sema_resolve_type(cx, decl->type, NULL);
  Symbol *before = sema_scope_find_here(cx, decl->name, false);
  if (before && before->kind == SYMBOL_TYPE && before->type.type == type.type)
    return; // C11: the same typedef again
  bool is_wrong = type_is_poison(type.type);
  Symbol *symbol = sema_scope_declare(
      cx, is_wrong ? SYMBOL_POISON : SYMBOL_TYPE, decl->name, decl->name_span);
  if (symbol)
    symbol->type = type;
}

void check_static_assert(SemaContext *cx, const Decl *decl) {
  const Expr *message = decl->u.static_assertion.message;
  TExpr *value = check_condition(cx, decl->u.static_assertion.condition);
  if (expr_is_poison(value))
    return;
  if (!expr_is_const(value)) {
    SEMA_ERROR(cx, decl->u.static_assertion.condition->span, not_constant,
               DS("the condition of static_assert"));
    return;
  }
  if (value->u.value.u != 0 || cx->unevaluated)
    return;
  const char *text = "";
  if (message && message->kind == EXPR_STRING)
    text = sema_format(cx, ": %s", message->u.string_lit.bytes);
  SEMA_ERROR(cx, decl->span, static_assertion, DS(text));
}

static void declare_one(SemaContext *cx, const Decl *decl, StmtBuilder *out) {
  TExpr *init;
  TVar *var = declare_object(cx, decl, &init);
  if (!var || var->kind == TVAR_CONSTANT)
    return;
  TStmt *stmt = build_stmt(cx, TSTMT_DECL, decl->span);
  stmt->u.decl.var = var;
  stmt->u.decl.init = init;
  VEC_PUSH(cx->arena, &out->list, stmt);
}

void declare_local(SemaContext *cx, const Decl *decl, StmtBuilder *out) {
  switch (decl->kind) {
  case DECL_VAR: declare_one(cx, decl, out); return;
  case DECL_TYPEDEF: declare_typedef(cx, decl); return;
  case DECL_TAG: sema_resolve_type(cx, decl->type, NULL); return;
  case DECL_LAYOUT: tile_declare_constant(cx, decl); return;
  case DECL_STATIC_ASSERT: check_static_assert(cx, decl); return;
  case DECL_FUNCTION:
  case DECL_KERNEL:
    SEMA_ERROR(cx, decl->span, misplaced, DS("a function declaration"),
               DS("file scope"));
    sema_declare_poison(cx, decl);
    return;
  case DECL_PRAGMA: apply_pragma(cx, decl->u.pragma.kind); return;
  case DECL_POISON: build_note_poison(cx, decl->span); return;
  case DECL_PARAM:
  case DECL_FIELD:
  case DECL_ENUMERATOR: return;
  }
}
