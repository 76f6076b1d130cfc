// SPDX-License-Identifier: Apache-2.0
// Variables that are not a function's: of the file, static members, and shared
// memory, which is the kernel's wherever it is declared.
#include "cuda/form/cu_address.h"
#include "cuda/form/cu_barrier.h"
#include "cuda/form/cu_function.h"
#include "cuda/form/cu_local.h"
#include "cuda/form/cu_names.h"
#include "cuda/form/cu_outside.h"
#include "cuda/form/cu_pack.h"
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_resolve.h"
#include "cuda/form/cu_scope.h"
#include "cuda/form/cu_texture.h"
#include "cuda/form/cu_tree.h"
#include "cuda/host/cx_mentions.h"

enum { MAX_VARIABLE_DEPTH = 64 };

// ---------------------------------------------------------------- file scope

static const char *wanted_name(CuContext *cu, const CuEntity *entity) {
  const CuRecord *record = entity->scope->record;
  return record ? cu_format(cu, "%s_%s", record->suffix, entity->name)
                : entity->name;
}

static bool global_is_number(const CuType *type) {
  return cu_is_arithmetic(cu_plain(type)) || cu_plain(type)->kind == CU_ENUM;
}

// A constant that the compiler knows: N, S<T>::value.
// *is_wrong: its initialiser has an error.
static bool global_constant_value(CuContext *cu, CuEntity *entity,
                                  CuVariable *variable, bool *is_wrong) {
  const CxExpr *init = entity->decl->u.var.init;
  bool is_constant =
      (entity->decl->specs & CX_SPEC_CONSTEXPR) || cu_is_const(variable->type);
  bool is_device = (entity->decl->specs &
                    (CX_SPEC_DEVICE | CX_SPEC_CONSTANT | CX_SPEC_MANAGED)) &&
                   !(entity->decl->specs & CX_SPEC_CONSTEXPR);
  if (!is_constant || is_device || !init || !global_is_number(variable->type))
    return false;
  if (init->kind == CX_EXPR_INIT_LIST) {
    if (init->u.init_list.n_items != 1)
      return false;
    init = init->u.init_list.items[0].value;
  }
  CuValue value = cu_try_constant(cu, init);
  *is_wrong = cu_is_poisoned(&value);
  variable->constant =
      cu_const_convert(value.constant, value.type, variable->type);
  return variable->constant.kind != CU_NOT_CONST;
}

static Expr *literal(CuContext *cu, const CuVariable *variable, Span span) {
  const CuType *type = cu_plain(variable->type);
  if (type->kind == CU_ENUM)
    type = type->u.enumeration->underlying;
  bool is_int = variable->constant.kind == CU_CONST_INT;
  if (!is_int)
    return cu_float_expr(cu, type, variable->constant.f, span);
  bool is_small = type->kind < CU_INT && type->kind != CU_BOOL;
  return cu_int_expr(cu, is_small ? cu_basic(&cu->types, CU_INT) : type,
                     variable->constant.i, span);
}

static Decl *new_object(CuContext *cu, CuEntity *entity, CuVariable *variable) {
  variable->name = cu_new_name(cu, wanted_name(cu, entity), false);
  Decl *decl = cu_new_decl(cu, DECL_VAR, variable->name, entity->decl->span,
                           entity->decl->name_span);
  variable->decl = variable->name->decl = decl;
  return decl;
}

static void emit_constant(CuContext *cu, CuEntity *entity,
                          CuVariable *variable) {
  Decl *decl = new_object(cu, entity, variable);
  decl->type = cu_emit_type(cu, cu_plain(variable->type), decl->name_span);
  decl->storage = STORAGE_CONSTEXPR;
  decl->u.var.init = literal(cu, variable, decl->name_span);
  variable->name->constant = variable->constant;
  VEC_PUSH(cu->arena, &cu->output.decls, decl);
}

static const CuType *sized(CuContext *cu, const CuType *type,
                           const CxExpr *init) {
  bool is_open = type->kind == CU_ARRAY && type->u.array.extent < 0 && init;
  if (!is_open || init->kind != CX_EXPR_INIT_LIST)
    return type;
  return cu_array(&cu->types, type->u.array.element,
                  cu_expanded_init(cu, init)->u.init_list.n_items);
}

static uint32_t global_space_of(const CuEntity *entity, const CuType *type) {
  if (entity->decl->specs & CX_SPEC_CONSTANT)
    return QUAL_CONSTANT;
  if (entity->decl->specs & (CX_SPEC_DEVICE | CX_SPEC_MANAGED))
    return cu_is_const(type) && entity->decl->u.var.init ? QUAL_CONSTANT
                                                         : QUAL_GLOBAL;
  bool is_constant =
      (entity->decl->specs & CX_SPEC_CONSTEXPR) || cu_is_const(type);
  return is_constant ? QUAL_CONSTANT : 0;
}

static TypeSyntax *global_element_of(TypeSyntax *type) {
  while (type->kind == TYPE_ARRAY)
    type = type->u.array.element;
  return type;
}

static bool has_call(const Expr *expr) {
  for (uint32_t i = 0;
       expr->kind == EXPR_INIT_LIST && i < expr->u.init_list.n_items; i++)
    if (has_call(expr->u.init_list.items[i].value))
      return true;
  return expr->kind == EXPR_CALL;
}

// What an object of `type` holds at first; NULL: zeros. *is_wrong: that has an
// error.
static Expr *global_initial(CuContext *cu, const CxDecl *decl,
                            const CuType *type, bool *is_wrong) {
  CuFrame apart = {.is_unevaluated = true, .is_conditional = true};
  CuStmtVec dropped = {0};
  apart.statements = &dropped;
  CuFrame *before = cu->frame;
  cu->frame = &apart;
  Expr *made = NULL;
  bool is_value = decl->u.var.init_kind == CX_INIT_EQUAL ||
                  decl->u.var.init_kind == CX_INIT_BRACE;
  bool is_made = decl->u.var.init_kind == CX_INIT_PAREN ||
                 (!is_value && cu_is_constructed(cu, type));
  if (is_value) {
    made = cu_initialiser(cu, type, decl->u.var.init);
  } else if (is_made) {
    CuValues args = cu_arguments(cu, &decl->u.var.args);
    CuValue value = cu_construct_of(cu, type, args, false, decl->name_span);
    if (!cu_is(type, CU_ARRAY))
      value = cu_convert(cu, value, type, "initialisation");
    made = value.expr;
    if (made && made->kind == EXPR_COMPOUND)
      made = made->u.compound.init;
  }
  cu->frame = before;
  if (made && cu_is(cu_plain(cu_array_base(type)), CU_RECORD) &&
      has_call(made)) {
    cu_unsupported(cu, decl->name_span,
                   "a variable of the file that a constructor makes",
                   "give its members values with {…}");
    made = NULL;
  }
  *is_wrong = !made && (is_value || is_made);
  return made;
}

// What a kernel finds there may not be what it was initialised with.
static bool is_overwritten(const CuContext *cu, const CuEntity *entity,
                           const CuType *type) {
  return cu->asked.is_written_by_host &&
         (entity->decl->specs & CX_SPEC_CONSTANT) && !cu_is_const(type) &&
         cx_host_may_write(cu->tree, entity->name);
}

static bool is_in_unnamed(const CuScope *scope) {
  for (; scope; scope = scope->parent)
    if (scope->kind == CU_SCOPE_NAMESPACE && scope->parent && !scope->name)
      return true;
  return false;
}

// The file launches no kernel: host code of another one does, and may give this
// variable other values (by its name, or cuModuleGetGlobal).
static bool is_for_others(const CuContext *cu, const CuEntity *entity,
                          const CuType *type) {
  return cu->asked.is_written_by_host &&
         (entity->decl->specs & CX_SPEC_CONSTANT) && !cu_is_const(type) &&
         !(entity->decl->specs & (CX_SPEC_STATIC | CX_SPEC_CONSTEXPR)) &&
         !is_in_unnamed(entity->scope) && cu->tree->n_launches == 0;
}

static bool emit_object(CuContext *cu, CuEntity *entity, CuVariable *variable,
                        Span span) {
  const CuType *type = sized(cu, variable->type, entity->decl->u.var.init);
  variable->type = type;
  uint32_t space = global_space_of(entity, type);
  if (!space) {
    Diag *diag = CU_ERROR(cu, span, cuda_host_variable, DS(entity->name));
    if (!cu->reports.silent && diag->labels.count == 0)
      diag_label(cu->diags, diag,
                 source_place(cu->source, entity->decl->name_span),
                 "declared here, without __device__");
    return false;
  }
  if (!cu_require_complete(cu, cu_array_base(type), span))
    return false;
  TypeSyntax *emitted =
      cu_emit_type(cu, cu_plain(type), entity->decl->name_span);
  global_element_of(emitted)->quals &= ~(uint32_t)QUAL_CONST;
  global_element_of(emitted)->quals |= space;
  cu_write_extents(cu, entity->decl->type, emitted);
  bool is_wrong;
  Expr *made = global_initial(cu, entity->decl, type, &is_wrong);
  if (is_wrong)
    return false;
  Decl *decl = new_object(cu, entity, variable);
  decl->type = emitted;
  if (!is_overwritten(cu, entity, type))
    decl->u.var.init = made;
  decl->u.var.may_be_overwritten = is_for_others(cu, entity, type);
  VEC_PUSH(cu->arena, &cu->output.decls, decl);
  return true;
}

// static const int n; in a class: with what its definition says. Returns the
// scope for that.
static CuScope *complete_member(CuContext *cu, CuEntity *entity) {
  CxDecl *definition;
  bool is_open = entity->decl->kind == CX_DECL_VAR && entity->scope->record;
  CuScope *scope = is_open ? cu_outside(cu, entity, NULL, &definition) : NULL;
  if (!scope || (entity->decl->u.var.init_kind != CX_INIT_NONE &&
                 definition->u.var.init_kind == CX_INIT_NONE))
    return entity->scope;
  CxDecl *whole = ARENA_NEW(cu->arena, CxDecl);
  *whole = *entity->decl;
  whole->u.var = definition->u.var;
  whole->type = definition->type;
  whole->specs |= definition->specs;
  entity->decl = whole;
  return scope;
}

static bool resolve_variable(CuContext *cu, CuEntity *entity, Span span) {
  CuVariable *variable = entity->variable;
  CxDecl *decl = entity->decl;
  if (cu_refuse_unsupported(cu, decl, span))
    return false;
  if (decl->specs & CX_SPEC_SHARED) { // extern __shared__ at file scope
    const CuType *type = cu_resolve_type(cu, decl->type);
    entity->variable = cu_shared_variable(cu, decl, type);
    return entity->variable != NULL;
  }
  if (cu_has_auto(decl->type) && decl->u.var.init) {
    CuValue value = cu_try_constant(cu, decl->u.var.init);
    variable->type = cu_plain(value.type);
    variable->type = cu_qualified(&cu->types, variable->type, CX_QUAL_CONST);
  } else {
    variable->type = cu_resolve_type(cu, decl->type);
  }
  if (cu_is_poison(variable->type))
    return false;
  if (cu_is_texture(variable->type)) {
    entity->variable = cu_texture_of_file(cu, decl, variable->type);
    return entity->variable != NULL;
  }
  if (cu_is_texture(cu_array_base(variable->type))) {
    cu_unsupported(cu, span, "an array of texture objects",
                   "declare them one by one, or pass them as parameters");
    return false;
  }
  bool is_wrong = false;
  bool is_known = global_constant_value(cu, entity, variable, &is_wrong);
  if (cu->limits.is_too_deep) {
    cu_unsupported(cu, span, "more than 64 variables that need each other",
                   NULL);
    return false;
  }
  if (is_wrong && cu->reports.silent)
    return false; // a chain of variables would be followed twice at each
  if (!is_known)
    return emit_object(cu, entity, variable, span);
  // Members of templates would be many: they are their values.
  if (entity->scope->kind == CU_SCOPE_NAMESPACE)
    emit_constant(cu, entity, variable);
  return true;
}

CuVariable *cu_file_variable(CuContext *cu, CuEntity *entity, Span span) {
  if (entity->is_resolving) {
    CU_ERROR(cu, span, own_initialiser, DS(entity->name));
    return NULL;
  }
  if (entity->variable)
    return entity->is_failed ? NULL : entity->variable;
  entity->is_resolving = true;
  entity->variable = ARENA_NEW(cu->arena, CuVariable);
  CuScope *before = cu_set_scope(cu, complete_member(cu, entity));
  cu->limits.variable_depth++;
  bool is_right = resolve_variable(cu, entity, span);
  cu->limits.variable_depth--;
  cu_set_scope(cu, before);
  entity->is_resolving = false;
  entity->is_failed = !is_right;
  CuVariable *variable = entity->variable;
  bool is_of_here = is_right && variable->holds == CU_HOLDS_SUBSTITUTE;
  if (is_of_here || (!is_right && cu->reports.silent))
    entity->variable = NULL; // it will be asked for again
  return is_right ? variable : NULL;
}

// ---------------------------------------------------------------- templates

static CuEntity *new_instance(CuContext *cu, CuEntity *template, CuArgs args) {
  CuEntity *entity = ARENA_NEW(cu->arena, CuEntity);
  CuArgs bound;
  *entity = (CuEntity){.kind = CU_ENTITY_VAR, .args = args};
  entity->name = cu_args_word(cu, template->name, args);
  entity->decl = cu_choose_definition(cu, template, args, &bound);
  entity->scope = cu_new_scope(cu, CU_SCOPE_TEMPLATE, template->scope);
  const CxDecl *decl = entity->decl;
  cu_bind(cu, entity->scope, &decl->templates[decl->n_templates - 1], bound);
  VEC_PUSH(cu->arena, &template->variables, entity);
  return entity;
}

CuEntity *cu_variable_instance(CuContext *cu, CuEntity *entity,
                               const CxNamePart *part) {
  const CxDecl *decl = entity->decl;
  CuArgs args;
  if (decl->n_templates == 0 || entity->args.count > 0)
    return entity;
  if (!cu_resolve_args(cu, part, &decl->templates[decl->n_templates - 1],
                       entity->scope, &args))
    return NULL;
  for (uint32_t i = 0; i < entity->variables.count; i++)
    if (cu_args_equal(entity->variables.data[i]->args, args))
      return entity->variables.data[i];
  cu->limits.is_too_deep |= cu->limits.variable_depth > MAX_VARIABLE_DEPTH;
  if (!cu->limits.is_too_deep)
    return new_instance(cu, entity, args);
  cu->reports.failed = true;
  return NULL;
}

// ---------------------------------------------------------------- shared

// One of the file may be used first in any block of the kernel.
static bool global_is_of_kernel(CuContext *cu) {
  return cu->frame == cu_root_frame(cu) &&
         cu->scope->kind != CU_SCOPE_NAMESPACE;
}

static void place_shared(CuContext *cu, CuVariable *variable, CxDecl *decl,
                         TypeSyntax *type) {
  CuFrame *root = cu_root_frame(cu);
  global_element_of(type)->quals |= QUAL_SHARED;
  Decl *made =
      cu_new_decl(cu, DECL_VAR, variable->name, decl->span, decl->name_span);
  made->type = type;
  variable->decl = made;
  variable->name->decl = made;
  variable->name->shared_by = decl;
  if (cu_barrier_type(made))
    VEC_PUSH(cu->arena, &cu->barriers.declared, made);
  CuStmtVec *statements =
      global_is_of_kernel(cu) ? root->statements : &root->prologue;
  Stmt *stmt = cu_decl_stmt(cu, made);
  stmt->span = decl->span;
  if (cu_is(cu_array_base(variable->type), CU_RECORD))
    variable->name->stmt = stmt;
  VEC_PUSH(cu->arena, statements, stmt);
  int64_t align = 0;
  if (decl->align && !cu_barrier_type(made) &&
      cu_constant_int(cu, decl->align, "an alignment", &align))
    cu_align_decl(cu, made, align, decl->name_span);
}

// extern __shared__ T s[]: as much as the launch gives.
static TypeSyntax *dynamic_type(CuContext *cu, const CuType *element,
                                Span span) {
  if (!cu->launch.dynamic_bytes) {
    cu->launch.dynamic_bytes = cu_launch_name(cu, "dynamic_shared_bytes");
  }
  Expr *size = cu_new_expr(cu, EXPR_SIZEOF_TYPE, span);
  size->u.type = cu_emit_type(cu, cu_plain(element), span);
  Expr *bytes = cu_name_expr(cu, cu->launch.dynamic_bytes, span);
  Expr *count = cu_size(element) == 1
                    ? bytes
                    : cu_binary(cu, BINARY_DIV, bytes, size, span);
  return cu_array_type(cu, cu_emit_type(cu, cu_plain(element), span), count,
                       span);
}

// By a variable of any function so far.
static bool is_used(const CuContext *cu, const char *name) {
  for (uint32_t i = 0; i < cu->output.all_names.count; i++) {
    if (cu->output.all_names.data[i]->is_local &&
        cu->output.all_names.data[i]->wanted == name)
      return true;
  }
  return false;
}

static const char *free_moved_name(CuContext *cu, const CuFunction *function,
                                   const char *wanted) {
  if (!is_used(cu, wanted))
    return wanted;
  const char *own =
      cu_format(cu, "%s_%s", cu_function_word(cu, function), wanted);
  const char *name = intern_cstr(cu->names, own);
  for (uint32_t i = 2; map_has(&cu->prologue, MAP_KEY(name)); i++)
    name = intern_cstr(cu->names, cu_format(cu, "%s_%u", own, i));
  return name;
}

static CuVariable *new_shared(CuContext *cu, CxDecl *decl, const CuType *type) {
  CuVariable *variable = ARENA_NEW(cu->arena, CuVariable);
  CuFrame *root = cu_root_frame(cu);
  variable->type = type;
  variable->is_shared = true;
  variable->frame = root;
  const char *wanted = intern_cstr(cu->names, decl->name);
  const CuFunction *function = cu->frame->function;
  bool is_moved = !global_is_of_kernel(cu) && function;
  if (is_moved)
    wanted = free_moved_name(cu, function, wanted);
  if (!is_moved && cu->scope->kind == CU_SCOPE_BLOCK)
    map_put(cu->arena, &cu->scope->spelled, MAP_KEY(wanted), variable);
  if (is_moved)
    map_put(cu->arena, &cu->prologue, MAP_KEY(wanted), variable);
  variable->name = cu_new_name(cu, wanted, true);
  variable->name->is_variable = true;
  return variable;
}

// Another type: the same memory through a pointer, which one of file scope is
// anew wherever it is used.
static CuVariable *through_pointer(CuContext *cu, CxDecl *decl,
                                   const CuType *element, Span span) {
  CuVariable *here = cu_seen_from_here(cu, cu->launch.dynamic, span);
  CuValue base = cu_decay(cu, cu_variable_value(cu, here, span));
  const CuType *pointer = cu_pointer(&cu->types, element);
  Expr *cast = cu_cast(cu, pointer, base.expr, span);
  if (cu->scope->kind == CU_SCOPE_NAMESPACE) {
    CuVariable *variable = ARENA_NEW(cu->arena, CuVariable);
    *variable = (CuVariable){.type = pointer,
                             .holds = CU_HOLDS_SUBSTITUTE,
                             .substitute = cu_rvalue(pointer, cast, span)};
    variable->substitute.spot = base.spot;
    return variable;
  }
  CuVariable *variable = cu_new_local(cu, decl->name, pointer);
  variable->is_shared = true;
  variable->spot = base.spot;
  cu_add_local(cu, variable, cast, span);
  return variable;
}

static CuVariable *dynamic_shared(CuContext *cu, CxDecl *decl,
                                  const CuType *type) {
  Span span = decl->name_span;
  const CuType *element = cu_plain(type->u.array.element);
  if (cu->launch.dynamic && cu->launch.dynamic_element == element)
    return cu->launch.dynamic;
  if (!cu->launch.dynamic) {
    cu->launch.dynamic = new_shared(cu, decl, type);
    cu->launch.dynamic->shared_by = decl;
    cu->launch.dynamic_element = element;
    CuFrame *before = cu->frame; // always with the kernel's own
    place_shared(cu, cu->launch.dynamic, decl, dynamic_type(cu, element, span));
    cu->frame = before;
    return cu->launch.dynamic;
  }
  return through_pointer(cu, decl, element, span);
}

// What an instance of a function, or all of them, made of a declaration.
typedef struct Made {
  const CuType *base;
  const void *instance; // its arguments; NULL: no instance
  CuVariable *variable;
  struct Made *next;
} Made;

static const Made *find_made(const CuContext *cu, const CxDecl *decl,
                             const CuType *base, const void *instance) {
  const Made *made = map_get(&cu->shared, MAP_KEY(decl));
  while (made && (made->base != base || made->instance != instance))
    made = made->next;
  return made;
}

static void note_made(CuContext *cu, const CxDecl *decl, const CuType *base,
                      const void *instance, CuVariable *variable) {
  Made *made = ARENA_NEW(cu->arena, Made);
  *made = (Made){base, instance, variable, map_get(&cu->shared, MAP_KEY(decl))};
  map_put(cu->arena, &cu->shared, MAP_KEY(decl), made);
}

// ptxas refuses more, whatever a device has. Padding isn't counted, as its
// order is ptxas' own.
static void charge_static(CuContext *cu, const CuVariable *variable,
                          const CxDecl *decl) {
  enum { MOST_STATIC = 48 * 1024 };

  uint64_t before = cu->launch.static_bytes, all;
  if (__builtin_add_overflow(before, cu_size(variable->type), &all))
    all = UINT64_MAX;
  cu->launch.static_bytes = all;
  if (all > MOST_STATIC && before <= MOST_STATIC)
    CU_ERROR(cu, decl->name_span, cuda_static_shared,
             DS(intern_cstr(cu->names, decl->name)), DU(all), DU(MOST_STATIC));
}

CuVariable *cu_shared_variable(CuContext *cu, CxDecl *decl,
                               const CuType *type) {
  Span span = decl->name_span;
  if (cu_is_poison(type))
    return NULL;
  if (!cu->frame || !cu_root_frame(cu)->function) {
    cu_unsupported(cu, span, "shared memory outside a kernel", NULL);
    return NULL;
  }
  if (type->kind == CU_ARRAY && type->u.array.extent < 0)
    return dynamic_shared(cu, decl, type);
  type = cu_shared_type(cu, decl, type);
  if (!cu_require_complete(cu, cu_array_base(type), span))
    return NULL;
  const CuType *base = cu_array_base(type);
  if (decl->u.var.init || decl->u.var.args.count) {
    cu_unsupported(cu, span, "an initialiser of shared memory",
                   "assign it, then synchronise");
    return NULL;
  }
  // Instances share what one function of the source declares.
  CuFunction *function = cu->frame->function;
  bool is_instance = function && function->entity && function->args.count;
  const void *instance = is_instance ? function->args.data : NULL;
  const Made *known = find_made(cu, decl, base, instance);
  if (known)
    return known->variable;
  CuVariable *variable = new_shared(cu, decl, type);
  note_made(cu, decl, base, instance, variable);
  charge_static(cu, variable, decl);
  cu_try_word(cu, decl, variable);
  TypeSyntax *made = cu_emit_type(cu, cu_plain(type), span);
  cu_write_extents(cu, decl->type, made);
  place_shared(cu, variable, decl, made);
  variable->shared_by = decl;
  variable->shared_instance = instance;
  return variable;
}

// Beside the kernel's statements, as it was beside the earlier one's.
static CuVariable *place_again(CuContext *cu, const CuVariable *earlier,
                               TypeSyntax *type) {
  CuVariable *variable = ARENA_NEW(cu->arena, CuVariable);
  CuFrame *root = cu_root_frame(cu);
  *variable = *earlier;
  variable->frame = root;
  const char *wanted = cu_free_local_name(cu, earlier->name->wanted);
  map_put(cu->arena, &cu->prologue, MAP_KEY(wanted), variable);
  variable->name = cu_new_name(cu, wanted, true);
  variable->name->is_variable = true;
  Decl *made = cu_new_decl(cu, DECL_VAR, variable->name, earlier->decl->span,
                           earlier->decl->name_span);
  made->type = type;
  made->aligns = earlier->decl->aligns;
  made->n_aligns = earlier->decl->n_aligns;
  variable->decl = variable->name->decl = made;
  VEC_PUSH(cu->arena, &root->prologue, cu_decl_stmt(cu, made));
  return variable;
}

static CuVariable *dynamic_again(CuContext *cu, const CuVariable *earlier,
                                 Span span) {
  if (cu->launch.dynamic)
    return dynamic_shared(cu, earlier->shared_by, earlier->type);
  const CuType *element = cu_plain(earlier->type->u.array.element);
  TypeSyntax *type = dynamic_type(cu, element, span);
  global_element_of(type)->quals |= QUAL_SHARED;
  cu->launch.dynamic_element = element;
  cu->launch.dynamic = place_again(cu, earlier, type);
  return cu->launch.dynamic;
}

CuVariable *cu_shared_again(CuContext *cu, CuVariable *earlier, Span span) {
  CxDecl *decl = earlier->shared_by;
  if (!decl)
    return NULL;
  if (earlier->type->kind == CU_ARRAY && earlier->type->u.array.extent < 0)
    return dynamic_again(cu, earlier, span);
  const CuType *base = cu_array_base(earlier->type);
  const void *instance = earlier->shared_instance;
  const Made *known = find_made(cu, decl, base, instance);
  if (known)
    return known->variable;
  CuVariable *variable = place_again(cu, earlier, earlier->decl->type);
  charge_static(cu, variable, decl);
  note_made(cu, decl, base, instance, variable);
  return variable;
}

CuVariable *cu_new_shared(CuContext *cu, const char *name, const CuType *type,
                          Span span) {
  CuVariable *variable = ARENA_NEW(cu->arena, CuVariable);
  CuFrame *root = cu_root_frame(cu);
  variable->type = type;
  variable->is_shared = true;
  variable->frame = root;
  variable->name = cu_new_name(cu, name, true);
  variable->name->is_variable = true;
  Decl *made = cu_new_decl(cu, DECL_VAR, variable->name, span, span);
  made->type = cu_emit_type(cu, type, span);
  global_element_of(made->type)->quals |= QUAL_SHARED;
  variable->decl = variable->name->decl = made;
  VEC_PUSH(cu->arena, &root->prologue, cu_decl_stmt(cu, made));
  return variable;
}
