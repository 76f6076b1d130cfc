// SPDX-License-Identifier: Apache-2.0
// Variables of functions, and how a function sees those of another.
#include "cuda/form/cu_local.h"
#include "cuda/form/cu_address.h"
#include "cuda/form/cu_barrier.h"
#include "cuda/form/cu_body.h"
#include "cuda/form/cu_function_table.h"
#include "cuda/form/cu_lambda.h"
#include "cuda/form/cu_names.h"
#include "cuda/form/cu_pack.h"
#include "cuda/form/cu_phase.h"
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_resolve.h"
#include "cuda/form/cu_scope.h"
#include "cuda/form/cu_space.h"
#include "cuda/form/cu_spot.h"
#include "cuda/form/cu_texture.h"
#include "cuda/form/cu_tree.h"

#include <string.h>

bool cu_is_opaque(const CuType *type) {
  type = cu_plain(cu_referred(type));
  return type->kind == CU_RECORD && type->u.record->opaque;
}

CuFrame *cu_real_frame(CuFrame *frame) {
  while (frame && frame->is_unevaluated && frame->parent)
    frame = frame->parent;
  return frame;
}

CuFrame *cu_root_frame(CuContext *cu) {
  CuFrame *frame = cu->frame;
  while (frame && frame->parent)
    frame = frame->parent;
  return frame;
}

CuFrame cu_apart_frame(const CuContext *cu, CuStmtVec *dropped) {
  CuFrame *frame = cu->frame;
  return (CuFrame){.parent = frame,
                   .is_unevaluated = true,
                   .statements = dropped,
                   .self = frame ? frame->self : NULL,
                   .function = frame ? frame->function : NULL};
}

const CuScope *cu_block_around(const CuScope *scope) {
  return scope->caller ? scope->caller : scope->parent;
}

// Names of blocks around, so that what is substituted means the same inside.
static bool local_is_hidden(CuContext *cu, const char *name) {
  if (map_has(&cu->prologue, MAP_KEY(name)))
    return true;
  for (const CuScope *scope = cu->scope; scope && scope->kind == CU_SCOPE_BLOCK;
       scope = cu_block_around(scope)) {
    if (map_has(&scope->spelled, MAP_KEY(name)))
      return true;
  }
  return false;
}

// In the output the variable stands in the block of the caller, if a body takes
// the place of a call here.
static void note_spelled(CuContext *cu, const char *name,
                         CuVariable *variable) {
  for (CuScope *scope = cu->scope; scope && scope->kind == CU_SCOPE_BLOCK;
       scope = scope->caller)
    map_put(cu->arena, &scope->spelled, MAP_KEY(name), variable);
}

const char *cu_free_local_name(CuContext *cu, const char *wanted) {
  wanted = intern_cstr(cu->names, wanted);
  const char *name = wanted;
  for (uint32_t i = 2; local_is_hidden(cu, name); i++)
    name = intern_cstr(cu->names, cu_format(cu, "%s_%u", wanted, i));
  return name;
}

CuVariable *cu_new_local(CuContext *cu, const char *wanted,
                         const CuType *type) {
  CuVariable *variable = ARENA_NEW(cu->arena, CuVariable);
  variable->type = type;
  variable->frame = cu_real_frame(cu->frame);
  const char *name = cu_free_local_name(cu, wanted ? wanted : "unnamed");
  variable->name = cu_new_name(cu, name, true);
  if (wanted && strcmp(name, wanted) != 0)
    variable->name->source = wanted;
  variable->name->is_variable = true;
  variable->name->variable = variable;
  note_spelled(cu, name, variable);
  return variable;
}

void cu_declare_local(CuContext *cu, CuVariable *variable, const char *name,
                      CxDecl *decl) {
  CuEntity *entity = cu_declare(cu, cu->scope, CU_ENTITY_LOCAL, name, decl);
  entity->variable = variable;
  // The last of one scope wins: `int x` in a for and again in its body.
  if (name)
    map_put(cu->arena, &cu->scope->names, MAP_KEY(name), entity);
}

// The object that a pointer to it, or to its inside, is made of.
static const Decl *local_root_object(const CuContext *cu, const Expr *expr) {
  for (;;) {
    if (expr->kind == EXPR_UNARY && expr->u.unary.op == UNARY_ADDRESS)
      expr = expr->u.unary.operand;
    else if (expr->kind == EXPR_INDEX)
      expr = expr->u.index.base;
    else if (expr->kind == EXPR_MEMBER && !expr->u.member.is_arrow)
      expr = expr->u.member.base;
    else if (expr->kind == EXPR_BINARY)
      expr = expr->u.binary.left;
    else
      break;
  }
  const CuName *name = expr->kind == EXPR_NAME
                           ? map_get(&cu->output.named, MAP_KEY(expr))
                           : NULL;
  return name ? name->decl : NULL;
}

// In CUDA a pointer to __constant__ memory need not be one to const.
static void respect_constant(const CuContext *cu, TypeSyntax *type,
                             const Expr *init) {
  const Decl *object =
      type->kind == TYPE_POINTER && init ? local_root_object(cu, init) : NULL;
  if (!object)
    return;
  const TypeSyntax *element = object->type;
  while (element->kind == TYPE_ARRAY)
    element = element->u.array.element;
  if (element->quals & QUAL_CONSTANT)
    type->u.pointer.pointee->quals |= QUAL_CONST;
}

Decl *cu_add_local(CuContext *cu, CuVariable *variable, Expr *init, Span span) {
  Decl *decl = cu_new_decl(cu, DECL_VAR, variable->name, span, span);
  decl->type = cu_emit_type(cu, variable->type, span);
  respect_constant(cu, decl->type, init);
  cu_note_spaces(cu, variable->name, init);
  decl->u.var.init = init;
  variable->decl = variable->name->decl = decl;
  variable->name->stmt = cu_decl_stmt(cu, decl);
  cu_add_stmt(cu, variable->name->stmt);
  return decl;
}

void cu_refuse_destructor(CuContext *cu, const CuType *type, Span span) {
  const CuType *base = cu_plain(cu_array_base(type));
  if (!cu_is(base, CU_RECORD) || !base->u.record->destructor)
    return;
  Diag *diag = CU_ERROR(cu, span, cuda_not_supported,
                        DS("objects whose destructor does something"),
                        DS("; call a function where they end"));
  if (!cu->reports.silent && diag->labels.count == 0)
    diag_label(cu->diags, diag,
               source_place(cu->source, base->u.record->destructor->name_span),
               "the destructor");
}

static CuValue init_value(CuContext *cu, const CxDecl *decl) {
  if (decl->u.var.init_kind == CX_INIT_PAREN) {
    CuValues args = cu_arguments(cu, &decl->u.var.args);
    if (args.count == 1)
      return args.data[0];
    CU_ERROR(cu, decl->span, cannot_convert, DS("initialisation"), DS("(…)"),
             DS("auto"));
    return cu_poison(cu, decl->span);
  }
  const CxExpr *init = decl->u.var.init;
  if (init && init->kind == CX_EXPR_INIT_LIST && init->u.init_list.n_items == 1)
    init = init->u.init_list.items[0].value;
  return init ? cu_expr(cu, init) : cu_poison(cu, decl->span);
}

static bool is_const_number(const CuType *type) {
  return cu_is_const(type) &&
         (cu_is_arithmetic(cu_plain(type)) || cu_plain(type)->kind == CU_ENUM);
}

static void set_details(CuContext *cu, CuVariable *variable, CxDecl *decl) {
  Decl *made = variable->decl;
  if (!made)
    return;
  made->span = decl->span;
  made->name_span = decl->name_span;
  int64_t align = 0;
  if (decl->align && cu_constant_int(cu, decl->align, "an alignment", &align))
    cu_align_decl(cu, made, align, decl->name_span);
}

static void declare_closure(CuVariable *variable, CuValue value) {
  variable->holds = CU_HOLDS_CLOSURE;
  variable->type = cu_plain(value.type);
}

// `pipeline p = e;` is `auto p = e;` where e is some pipeline<…>.
static bool is_class_left_open(CuContext *cu, const CxDecl *decl) {
  const CxExpr *init = decl->u.var.init;
  return init && init->kind != CX_EXPR_INIT_LIST &&
         cu_open_class(cu, decl->type);
}

static const CuType *type_of_value(CuContext *cu, const CxDecl *decl,
                                   const CuValue *value) {
  const CuEntity *open = cu_open_class(cu, decl->type);
  const CuType *type = cu_plain(value->type);
  if (cu_is_poisoned(value))
    return value->type;
  if (open && !(cu_is(type, CU_RECORD) && type->u.record->entity == open))
    return cu_resolve_type(cu, decl->type);
  return cu_deduce_auto(cu, decl->type, value->type, value->is_lvalue);
}

// auto x = e; auto &x = e; const auto *x = e;
static void declare_auto(CuContext *cu, CxDecl *decl) {
  cu_declare_early(cu, decl, NULL);
  CuValue value = init_value(cu, decl);
  if (value.overloads)
    value = cu_function_constant(cu, value, NULL);
  if (value.overloads || value.list)
    value = cu_operand(cu, decl->u.var.init);
  const CuType *type = type_of_value(cu, decl, &value);
  if (cu_is_poison(type) && !cu_is_poisoned(&value) && cu_has_auto(decl->type))
    CU_ERROR(cu, decl->span, cannot_convert, DS("initialisation"),
             DS(CU_TEXT(cu, value.type)), DS("auto"));
  if ((decl->specs & CX_SPEC_CONSTEXPR) && cu_is_scalar(cu_plain(type)))
    type = cu_qualified(&cu->types, type, CX_QUAL_CONST);
  CuVariable *variable = cu_new_local(cu, decl->name, type);
  cu_texture_flow(cu, &value, variable);
  if (cu_is(cu_plain(cu_referred(type)), CU_LAMBDA)) {
    if (type->kind != CU_REFERENCE)
      cu_refuse_mutable(cu, value);
    declare_closure(variable, value);
  } else if (type->kind == CU_REFERENCE) {
    cu_bind_reference(cu, variable, cu_convert(cu, value, type, "reference"),
                      decl->span);
  } else if (!cu_is_poison(type)) {
    CuValue made = cu_convert_exactly(cu, value, type, "initialisation");
    if (is_const_number(type))
      variable->constant = made.constant;
    if (cu_is(type, CU_POINTER))
      variable->spot = cu_spot_pinned(cu, made.spot, decl->span);
    cu_refuse_destructor(cu, type, decl->span);
    if (!cu_bind_barrier(cu, variable, made, decl->span))
      cu_add_local(cu, variable, made.expr, decl->span);
    cu_phase_hold(cu, made.expr, decl);
  }
  set_details(cu, variable, decl);
  cu_declare_local(cu, variable, decl->name, decl);
}

static void declare_reference(CuContext *cu, CxDecl *decl, const CuType *type) {
  cu_declare_early(cu, decl, type);
  CuValue value = init_value(cu, decl);
  if (cu_is_bound_word(value.type, type->u.inner))
    type = cu_reference(&cu->types, value.type, false);
  CuVariable *variable = cu_new_local(cu, decl->name, type);
  cu_bind_reference(cu, variable, cu_convert(cu, value, type, "reference"),
                    decl->span);
  set_details(cu, variable, decl);
  cu_declare_local(cu, variable, decl->name, decl);
}

// int a[] = {1, 2, 3};
static const CuType *complete_array(CuContext *cu, const CuType *type,
                                    const CxDecl *decl) {
  const CxExpr *init = decl->u.var.init;
  if (type->kind != CU_ARRAY || type->u.array.extent >= 0 || !init)
    return type;
  int64_t n = 0;
  if (init->kind == CX_EXPR_INIT_LIST)
    n = cu_expanded_init(cu, init)->u.init_list.n_items;
  else if (init->kind == CX_EXPR_STRING)
    n = (int64_t)init->u.string_lit.length + 1;
  return n ? cu_array(&cu->types, type->u.array.element, n) : type;
}

static Expr *local_initial(CuContext *cu, CxDecl *decl, const CuType *type,
                           CuVariable *variable) {
  CuValue made;
  switch (decl->u.var.init_kind) {
  case CX_INIT_NONE: {
    const CuType *plain = cu_plain(type);
    bool is_made =
        cu_is(plain, CU_RECORD)
            ? plain->u.record->has_constructor || plain->u.record->has_defaults
            : cu_is(plain, CU_ARRAY) && cu_is_constructed(cu, plain);
    if (!is_made || cu_starts_unset(cu, plain) || cu_starts_partly(cu, plain))
      return NULL;
    made = cu_construct(cu, plain, (CuValues){NULL, 0}, false, decl->span);
    return made.expr && made.expr->kind == EXPR_COMPOUND
               ? made.expr->u.compound.init
               : made.expr;
  }
  case CX_INIT_PAREN:
    made = cu_construct_of(cu, type, cu_arguments(cu, &decl->u.var.args), false,
                           decl->span);
    made = cu_convert(cu, made, type, "initialisation");
    break;
  case CX_INIT_EQUAL:
  case CX_INIT_BRACE:
    if (decl->u.var.init->kind == CX_EXPR_INIT_LIST &&
        cu_is_scalar(cu_plain(type))) {
      made = cu_from_list(cu, type, decl->u.var.init, decl->span);
      break;
    }
    if (decl->u.var.init->kind == CX_EXPR_INIT_LIST || type->kind == CU_ARRAY)
      return cu_initialiser(cu, type, decl->u.var.init);
    made = cu_operand(cu, decl->u.var.init);
    cu_texture_flow(cu, &made, variable);
    made = cu_convert(cu, made, type, "initialisation");
    break;
  default: return NULL;
  }
  if (is_const_number(type))
    variable->constant = made.constant;
  variable->type = cu_kept_type(cu, &made, type);
  if (cu_is(variable->type, CU_POINTER))
    variable->spot = cu_spot_pinned(cu, made.spot, decl->span);
  return made.expr;
}

// Known under its name, so that there is one message.
static void declare_poison(CuContext *cu, CxDecl *decl) {
  const CuType *poison = cu_basic(&cu->types, CU_POISON);
  cu_declare_local(cu, cu_new_local(cu, decl->name, poison), decl->name, decl);
}

static void declare_value(CuContext *cu, CxDecl *decl, const CuType *type) {
  if (decl->specs & CX_SPEC_CONSTEXPR)
    type = cu_qualified(&cu->types, type, CX_QUAL_CONST);
  type = complete_array(cu, type, decl);
  if (!cu_require_complete(cu, cu_array_base(type), decl->span)) {
    cu->reports.failed = true;
    declare_poison(cu, decl);
    return;
  }
  cu_refuse_destructor(cu, type, decl->span);
  CuVariable *variable = cu_new_local(cu, decl->name, type);
  cu_declare_local(cu, variable, decl->name, decl);
  bool must_be_known = (decl->specs & (CX_SPEC_CONSTEXPR | CX_SPEC_STATIC)) ||
                       cu_is_opaque(cu_array_base(type));
  variable->own = must_be_known ? CU_OWN_TYPE : CU_OWN_PLACE;
  Expr *init = local_initial(cu, decl, type, variable);
  variable->own = CU_OWN_NOT;
  type = variable->type;
  CuValue value = cu_rvalue(type, init, decl->span);
  value.spot = variable->spot;
  bool is_named = cu_bind_barrier(cu, variable, value, decl->span);
  bool is_token =
      cu_is_opaque(type) && cu_plain(type)->u.record->opaque == CU_OPAQUE_TOKEN;
  if (is_named || (cu_is_opaque(type) && !init && !is_token))
    return;
  Decl *made = variable->is_in_own
                   ? cu_add_split(cu, variable, init, decl->span)
                   : cu_add_local(cu, variable, init, decl->span);
  if (decl->u.var.init_kind == CX_INIT_NONE && cu_starts_partly(cu, type))
    cu_make_members(cu, variable, type, decl->span);
  cu_write_extents(cu, decl->type, made->type);
  cu_phase_hold(cu, init, decl);
  set_details(cu, variable, decl);
}

// float (*f)(float) = g; it leads to this function from here on.
static bool declare_function(CuContext *cu, CxDecl *decl, const CuType *type) {
  if (!cu_is_function_pointer(type) || !decl->u.var.init)
    return false;
  cu_declare_early(cu, decl, type);
  CuValue value = cu_function_constant(cu, init_value(cu, decl), type);
  if (!cu_is(value.type, CU_LAMBDA))
    return false;
  CuVariable *variable = cu_new_local(cu, decl->name, type);
  declare_closure(variable, value);
  cu_declare_local(cu, variable, decl->name, decl);
  return true;
}

static void local_declare_shared(CuContext *cu, CxDecl *decl) {
  const CuType *type = cu_resolve_type(cu, decl->type);
  CuVariable *variable = cu_shared_variable(cu, decl, type);
  if (variable)
    cu_declare_local(cu, variable, decl->name, decl);
  else
    declare_poison(cu, decl);
}

static void declare_static(CuContext *cu, CxDecl *decl, const CuType *type) {
  if (cu_is_const(type) || (decl->specs & CX_SPEC_CONSTEXPR)) {
    declare_value(cu, decl, type);
    return;
  }
  cu_unsupported(cu, decl->span, "'static' variables in functions",
                 "make it __shared__, or a __device__ variable of the file");
  declare_poison(cu, decl);
}

static void declare_variable(CuContext *cu, CxDecl *decl) {
  if (cu_refuse_unsupported(cu, decl, decl->name_span)) {
    declare_poison(cu, decl);
    return;
  }
  if (decl->specs & CX_SPEC_THREAD_LOCAL) {
    cu_unsupported(cu, decl->span, "'thread_local' variables",
                   "each thread has its own variables anyway");
    declare_poison(cu, decl);
    return;
  }
  if (decl->specs & CX_SPEC_SHARED) {
    local_declare_shared(cu, decl);
    return;
  }
  if (cu_has_auto(decl->type) || is_class_left_open(cu, decl)) {
    if (!cu_declare_choice(cu, decl, NULL))
      declare_auto(cu, decl);
    return;
  }
  const CuType *type = cu_is_decltype_auto(decl->type) && decl->u.var.init
                           ? cu_decltype(cu, decl->u.var.init)
                           : cu_resolve_type(cu, decl->type);
  if (cu_is_poison(type)) {
    declare_poison(cu, decl);
    return;
  }
  if (cu_is_function_pointer(type) && cu_declare_choice(cu, decl, type))
    return;
  if (declare_function(cu, decl, type))
    return;
  if (cu_is_function_table(decl, type)) {
    CuVariable *table = cu_new_local(cu, decl->name, type);
    table->holds = CU_HOLDS_CLOSURE;
    cu_hold_functions(cu, decl, type, table);
    cu_declare_local(cu, table, decl->name, decl);
    return;
  }
  if (decl->specs & CX_SPEC_EXTERN)
    cu_unsupported(cu, decl->span, "'extern' variables in functions",
                   "declare it at file scope");
  else if (type->kind == CU_REFERENCE)
    declare_reference(cu, decl, type);
  else if (decl->specs & CX_SPEC_STATIC)
    declare_static(cu, decl, type);
  else
    declare_value(cu, decl, type);
}

static void declare_members(CuContext *cu, CuValue object, Span span) {
  CuRecord *record = cu_plain(object.type)->u.record;
  for (uint32_t i = 0; i < record->fields.count; i++) {
    const CuField *field = &record->fields.data[i];
    CuValue member = cu_field_value(cu, object, record, i, span);
    if (!field->name && cu_is(cu_plain(field->type), CU_RECORD))
      declare_members(cu, member, span);
    if (!field->name)
      continue;
    CuVariable *variable = cu_new_local(
        cu, field->name, cu_reference(&cu->types, member.type, false));
    cu_bind_substitute(variable, member);
    cu_declare_local(cu, variable, field->name, NULL);
  }
}

// union { float f; unsigned u; }; whose members are names of the block.
static void declare_anonymous(CuContext *cu, const CxDecl *decl) {
  const CuType *type = cu_resolve_type(cu, decl->type);
  if (!cu_require_complete(cu, type, decl->span)) {
    cu->reports.failed = true;
    return;
  }
  CuVariable *variable = cu_new_local(cu, "either", cu_plain(type));
  variable->is_changed = true;
  cu_add_local(cu, variable, NULL, decl->span);
  declare_members(cu, cu_variable_value(cu, variable, decl->span), decl->span);
}

void cu_local_declaration(CuContext *cu, CxDecl *decl) {
  switch ((int)decl->kind) {
  case CX_DECL_VAR:
    if (decl->name)
      declare_variable(cu, decl);
    else
      declare_anonymous(cu, decl);
    return;
  case CX_DECL_STATIC_ASSERT: cu_static_assert(cu, decl); return;
  case CX_DECL_BINDING: cu_binding(cu, decl); return;
  case CX_DECL_FUNCTION: return; // a prototype
  default: {
    CxDeclList one = {&decl, 1};
    cu_declare_all(cu, cu->scope, &one);
    if (decl->kind == CX_DECL_UNKNOWN)
      cu_unsupported(cu, decl->span, "this declaration", NULL);
    return;
  }
  }
}
