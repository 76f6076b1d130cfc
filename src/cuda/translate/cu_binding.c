// SPDX-License-Identifier: Apache-2.0
// References and structured bindings: names of places.
#include "cuda/form/cu_barrier.h"
#include "cuda/form/cu_local.h"
#include "cuda/form/cu_pack.h"
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_resolve.h"
#include "cuda/form/cu_space.h"
#include "cuda/form/cu_spot.h"
#include "cuda/form/cu_tree.h"

#include <string.h>

// A place that means the same as long as the reference lives: a variable, or
// an element whose subscripts are constants or names that never change.
static bool is_stable(CuContext *cu, const Expr *expr) {
  switch ((int)expr->kind) {
  case EXPR_INT: return true;
  case EXPR_NAME: {
    CuName *name = map_get(&cu->output.named, MAP_KEY(expr));
    return name && name->is_variable;
  }
  case EXPR_MEMBER:
    return !expr->u.member.is_arrow && is_stable(cu, expr->u.member.base);
  case EXPR_INDEX:
    for (uint32_t i = 0; i < expr->u.index.n_subscripts; i++) {
      const Expr *index = expr->u.index.subscripts[i].index;
      if (!index || index->kind != EXPR_INT)
        return false;
    }
    return is_stable(cu, expr->u.index.base);
  default: return false;
  }
}

void cu_bind_substitute(CuVariable *variable, CuValue value) {
  variable->holds = CU_HOLDS_SUBSTITUTE;
  variable->substitute = value;
}

static void bind_pointer(CuContext *cu, CuVariable *variable, CuValue value,
                         Span span) {
  variable->holds = CU_HOLDS_POINTER;
  variable->spot = cu_is(value.type, CU_POINTER)
                       ? NULL
                       : cu_spot_pinned(cu, value.spot, span);
  CuValue address = cu_address_value(cu, value, span);
  if (!address.expr)
    return;
  Decl *decl = cu_new_decl(cu, DECL_VAR, variable->name, span, span);
  decl->type = cu_emit_type(
      cu, cu_pointer(&cu->types, cu_referred(variable->type)), span);
  decl->u.var.init = address.expr;
  cu_note_spaces(cu, variable->name, address.expr);
  variable->decl = variable->name->decl = decl;
  cu_add_stmt(cu, cu_decl_stmt(cu, decl));
}

void cu_bind_reference(CuContext *cu, CuVariable *variable, CuValue value,
                       Span span) {
  const CuType *inner = variable->type->u.inner;
  if (cu_is_poisoned(&value) || cu_bind_barrier(cu, variable, value, span))
    return;
  bool is_value = !value.is_lvalue || cu_is_opaque(inner);
  if (is_value && inner->kind != CU_ARRAY) { // its temporary lives as long
    if (value.variable && cu_is_opaque(inner)) {
      cu_bind_substitute(variable, value);
      return;
    }
    variable->type = inner;
    cu_add_local(cu, variable, value.expr, span);
  } else if (is_stable(cu, value.expr)) {
    cu_bind_substitute(variable, value);
  } else {
    bind_pointer(cu, variable, value, span);
  }
}

CuVariable *cu_bind_hidden(CuContext *cu, const char *name, CuValue value,
                           Span span) {
  CuVariable *variable = cu_new_local(
      cu, "range", cu_reference(&cu->types, value.type, !value.is_lvalue));
  cu_bind_reference(cu, variable, value, span);
  cu_declare_local(cu, variable, name, NULL);
  return variable;
}

// auto &[a, b]: the tree has the names only.
static bool binds_reference(CuContext *cu, const CxDecl *decl) {
  const char *text = source_text(cu->source);
  for (uint32_t i = decl->span.begin; i < decl->span.end && text[i] != '[';
       i++) {
    if (text[i] == '&')
      return true;
  }
  return false;
}

// In place of names that nothing can be bound to, so that there is one message.
static void bind_poison(CuContext *cu, CxDecl *decl) {
  const CuType *poison = cu_basic(&cu->types, CU_POISON);
  for (uint32_t i = 0; i < decl->u.binding.n_names; i++)
    cu_declare_local(cu, cu_new_local(cu, decl->u.binding.names[i], poison),
                     decl->u.binding.names[i], decl);
}

// std::tuple: its elements are the first one and the rest.
static bool is_tuple(CuContext *cu, const CuType *type) {
  if (type->kind != CU_RECORD)
    return false;
  const CuRecord *record = type->u.record;
  return record->entity->name && strcmp(record->entity->name, "tuple") == 0 &&
         cu_is_own_header(cu, record->decl->name_span);
}

static bool fits_binding(CuContext *cu, const CuType *type,
                         const CxDecl *decl) {
  int64_t n = decl->u.binding.n_names;
  if (is_tuple(cu, type))
    return cu_flat_args(cu,
                        (CuArgs){type->u.record->args, type->u.record->n_args})
               .count == n;
  if (type->kind == CU_ARRAY)
    return type->u.array.extent == n;
  if (type->kind != CU_RECORD || !cu_complete_record(cu, type->u.record) ||
      type->u.record->fields.count != n)
    return false;
  for (uint32_t i = 0; i < n; i++)
    if (!type->u.record->fields.data[i].name)
      return false; // members of a base
  return true;
}

// Element or member number `i` of what is bound.
static CuValue bound_part(CuContext *cu, CuValue whole, uint32_t i, Span span) {
  whole.expr = cu_clone(cu, whole.expr, (Span){0, 0});
  for (; i && is_tuple(cu, cu_plain(whole.type)); i--)
    whole = cu_field_value(cu, whole, cu_plain(whole.type)->u.record, 1, span);
  if (whole.type->kind != CU_ARRAY)
    return cu_field_value(cu, whole, cu_plain(whole.type)->u.record, i, span);
  CuValue index = cu_int_value(cu, cu_basic(&cu->types, CU_INT), i, span);
  return cu_index_of(cu, whole, index, span);
}

static void bind_part(CuContext *cu, CxDecl *decl, uint32_t i, CuValue part,
                      bool is_copy) {
  const char *name = decl->u.binding.names[i];
  const CuType *type = is_copy ? cu_plain(part.type) : part.type;
  CuVariable *variable =
      is_copy ? cu_new_local(cu, name, type) : ARENA_NEW(cu->arena, CuVariable);
  variable->type = type;
  variable->frame = cu_real_frame(cu->frame);
  if (is_copy)
    cu_add_local(cu, variable,
                 cu_convert(cu, part, type, "initialisation").expr, decl->span);
  else
    cu_bind_substitute(variable, part);
  cu_declare_local(cu, variable, name, decl);
}

// What the names are parts of: the object itself or, where its place may change
// its meaning, what a pointer to it points to.
static CuValue bound_object(CuContext *cu, CuValue value, bool is_reference,
                            Span span) {
  if (!is_reference || !value.is_lvalue)
    return cu_temporary(cu, value, "bound");
  if (is_stable(cu, value.expr))
    return value;
  CuVariable *pointer =
      cu_new_local(cu, "bound", cu_reference(&cu->types, value.type, false));
  bind_pointer(cu, pointer, value, span);
  return cu_variable_value(cu, pointer, span);
}

// auto [a, b] = e: a copy, and names for its members; of an array copies of its
// elements.
void cu_binding(CuContext *cu, CxDecl *decl) {
  CuValue value = cu_operand(cu, decl->u.binding.init);
  const CuType *type = cu_plain(value.type);
  if (cu_is_poisoned(&value) || !fits_binding(cu, type, decl)) {
    if (!cu_is_poisoned(&value))
      cu_unsupported(cu, decl->span, "a structured binding of this type",
                     "name the members");
    bind_poison(cu, decl);
    return;
  }
  bool is_reference = binds_reference(cu, decl);
  bool copies_elements = type->kind == CU_ARRAY && !is_reference;
  if (!copies_elements)
    value = bound_object(cu, value, is_reference, decl->span);
  for (uint32_t i = 0; i < decl->u.binding.n_names; i++)
    bind_part(cu, decl, i, bound_part(cu, value, i, decl->span),
              copies_elements);
}
