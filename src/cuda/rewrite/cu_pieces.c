// SPDX-License-Identifier: Apache-2.0
#include "cuda/form/cu_pieces.h"

#include "cuda/form/cu_local.h"
#include "cuda/form/cu_names.h"
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_resolve.h"
#include "cuda/form/cu_scope.h"
#include "cuda/form/cu_space.h"
#include "cuda/form/cu_texture.h"
#include "cuda/form/cu_tree.h"

enum {
  MAX_SEPARATE = 8, // elements without pointers that are a parameter each
  MAX_ELEMENTS = 4096,
  MAX_PIECES = 512, // a GPU takes 4 KB of parameters, or 32
};

bool cu_has_pointer(const CuType *type) {
  type = cu_plain(cu_array_base(type));
  if (type->kind == CU_POINTER)
    return true;
  if (type->kind != CU_RECORD)
    return false;
  for (uint32_t i = 0; i < type->u.record->fields.count; i++) {
    if (cu_has_pointer(type->u.record->fields.data[i].type))
      return true;
  }
  return false;
}

void cu_add_kernel_param(CuContext *cu, CuDeclVec *out, CuVariable *variable,
                         const CxDecl *written) {
  Decl *decl = cu_new_decl(cu, DECL_PARAM, variable->name, written->span,
                           written->name_span);
  decl->type = cu_emit_type(cu, variable->type, written->span);
  bool is_restrict = written->type->kind == CX_TYPE_POINTER &&
                     (written->type->quals & CX_QUAL_RESTRICT);
  if (is_restrict && decl->type->kind == TYPE_POINTER)
    decl->type->quals |= QUAL_RESTRICT;
  variable->decl = variable->name->decl = decl;
  variable->name->spaces = CU_SPACE_GLOBAL;
  VEC_PUSH(cu->arena, out, decl);
  if (cu_is(cu_plain(variable->type), CU_ENUM))
    VEC_PUSH(cu->arena, &cu->output.enums, variable);
}

static Expr *pieces_compared(CuContext *cu, BinaryOp op, CuVariable *variable,
                             int64_t value, Span span) {
  const CuType *type = cu_plain(variable->type)->u.enumeration->underlying;
  return cu_binary(cu, op, cu_name_expr(cu, variable->name, span),
                   cu_int_expr(cu, type, value, span), span);
}

void cu_bound_enums(CuContext *cu, CuClauseVec *clauses) {
  for (uint32_t i = 0; i < cu->output.enums.count; i++) {
    CuVariable *variable = cu->output.enums.data[i];
    CuEnum *enumeration = cu_plain(variable->type)->u.enumeration;
    Span span = variable->decl->span;
    int64_t low, high;
    if (!cu_enum_range(cu, enumeration, &low, &high))
      continue;
    Expr *condition = pieces_compared(cu, BINARY_LE, variable, high, span);
    if (cu_is_signed(enumeration->underlying))
      condition = cu_binary(cu, BINARY_LOG_AND,
                            pieces_compared(cu, BINARY_GE, variable, low, span),
                            condition, span);
    Clause clause = {.kind = CLAUSE_REQUIRES, .span = span, .is_made = true};
    clause.args.data = ARENA_ARRAY(cu->arena, Expr *, 1);
    clause.args.data[clause.args.count++] = condition;
    VEC_PUSH(cu->arena, clauses, clause);
  }
}

static Expr *add_piece(CuContext *cu, CuDeclVec *out, const CuType *type,
                       const char *name, const CxDecl *written);

static Expr *pieces_add_scalar(CuContext *cu, CuDeclVec *out,
                               const CuType *type, const char *name,
                               const CxDecl *written) {
  if (cu->output.pieces.count >= MAX_PIECES) {
    cu_unsupported(cu, written->span,
                   cu_format(cu, "a kernel parameter of more than %d pieces",
                             (int)MAX_PIECES),
                   "pass a pointer to global memory that holds them");
    return NULL;
  }
  CuVariable *variable = cu_new_local(cu, name, cu_plain(type));
  cu_add_kernel_param(cu, out, variable, written);
  VEC_PUSH(cu->arena, &cu->output.pieces, ((CuPiece){name, variable}));
  return cu_name_expr(cu, variable->name, written->span);
}

// A member that is a texture, or an array of them.
static Expr *add_textures(CuContext *cu, CuDeclVec *out, const CuType *type,
                          const char *name, const CxDecl *field,
                          const CxDecl *written) {
  if (!cu_is(type, CU_ARRAY))
    return cu_texture_parameter(cu, out, type, name, NULL, field, written);
  if (type->u.array.extent < 0 || type->u.array.extent > MAX_SEPARATE) {
    cu_unsupported(cu, written->span,
                   "a kernel parameter with so many textures",
                   "pass those that it needs");
    return NULL;
  }
  CuExprVec items = {0};
  for (int64_t i = 0; i < type->u.array.extent; i++) {
    Expr *made =
        add_textures(cu, out, type->u.array.element,
                     cu_format(cu, "%s_%d", name, (int)i), field, written);
    if (!made)
      return NULL;
    VEC_PUSH(cu->arena, &items, made);
  }
  return cu_list_expr(cu, &items, written->span);
}

// All members of a class.
static Expr *pieces_add_members(CuContext *cu, CuDeclVec *out,
                                const CuType *type, const char *name,
                                const CxDecl *written) {
  const CuRecord *record = type->u.record;
  if (record->is_union) {
    cu_unsupported(cu, written->span,
                   "a kernel parameter with a union that has a pointer",
                   "pass the member that is used");
    return NULL;
  }
  CuExprVec items = {0};
  for (uint32_t i = 0; i < record->fields.count; i++) {
    const CuField *field = &record->fields.data[i];
    if (field->base && !field->emitted)
      continue;
    const char *piece =
        cu_format(cu, "%s_%s", name, field->name ? field->name : "part");
    Expr *made =
        cu_is_texture(cu_array_base(field->type))
            ? add_textures(cu, out, field->type, piece, field->decl, written)
            : add_piece(cu, out, field->type, piece, written);
    if (!made)
      return NULL;
    VEC_PUSH(cu->arena, &items, made);
  }
  return cu_list_expr(cu, &items, written->span);
}

// The elements of `whole`, an expression of array type, as lists.
static Expr *elements_of(CuContext *cu, const Expr *whole, const CuType *type,
                         Span span) {
  CuExprVec items = {0};
  for (int64_t i = 0; i < type->u.array.extent; i++) {
    Expr *element = cu_subscript(cu, cu_clone(cu, whole, span),
                                 cu_int_literal(cu, i, span), true, span);
    if (cu_is(type->u.array.element, CU_ARRAY))
      element = elements_of(cu, element, type->u.array.element, span);
    VEC_PUSH(cu->arena, &items, element);
  }
  return cu_list_expr(cu, &items, span);
}

// `struct { T items[n]; } name`
static Expr *add_wrapped(CuContext *cu, CuDeclVec *out, const CuType *type,
                         const char *name, const CxDecl *written) {
  Span span = written->span;
  const char *items = intern_cstr(cu->names, "items");
  Decl *field = cu_new_decl(cu, DECL_FIELD, NULL, span, span);
  field->name = items;
  field->type = cu_emit_type(cu, cu_plain(type), span);
  CuDeclVec fields = {0};
  VEC_PUSH(cu->arena, &fields, field);
  CuName *tag = cu_new_name(cu, cu_format(cu, "%s_items", name), false);
  TypeSyntax *record = cu_new_type_syntax(cu, TYPE_STRUCT, span);
  cu_name_spelled(cu, tag, &record->u.record.tag);
  record->u.record.tag_span = span;
  record->u.record.is_definition = true;
  record->u.record.fields = (DeclList){fields.data, fields.count};
  Decl *made = cu_new_decl(cu, DECL_TYPEDEF, tag, span, span);
  made->type = record;
  made->storage = STORAGE_TYPEDEF;
  VEC_PUSH(cu->arena, &cu->output.decls, made);

  CuName *spelled = cu_new_local(cu, name, type)->name;
  Decl *param = cu_new_decl(cu, DECL_PARAM, spelled, span, written->name_span);
  param->type = cu_new_type_syntax(cu, TYPE_NAMED, span);
  cu_name_spelled(cu, tag, &param->type->u.named);
  spelled->decl = param;
  VEC_PUSH(cu->arena, out, param);
  Expr *whole = cu_member(cu, cu_name_expr(cu, spelled, span), items, span);
  return elements_of(cu, whole, type, span);
}

static int64_t pieces_n_elements(const CuType *type) {
  int64_t n = 1;
  for (; cu_is(type, CU_ARRAY); type = type->u.array.element) {
    if (type->u.array.extent < 0 || type->u.array.extent > MAX_ELEMENTS)
      return MAX_ELEMENTS + 1;
    n *= type->u.array.extent;
    if (n > MAX_ELEMENTS)
      return n;
  }
  return n;
}

static Expr *pieces_add_array(CuContext *cu, CuDeclVec *out, const CuType *type,
                              const char *name, const CxDecl *written) {
  int64_t n = pieces_n_elements(type);
  if (n > MAX_ELEMENTS) {
    cu_unsupported(cu, written->span,
                   cu_format(cu,
                             "a kernel parameter with a pointer and an array "
                             "of more than %d elements",
                             (int)MAX_ELEMENTS),
                   "pass a pointer to global memory that holds them");
    return NULL;
  }
  if (n > MAX_SEPARATE && !cu_has_pointer(type))
    return add_wrapped(cu, out, type, name, written);
  CuExprVec items = {0};
  for (int64_t i = 0; i < type->u.array.extent; i++) {
    Expr *made = add_piece(cu, out, type->u.array.element,
                           cu_format(cu, "%s_%d", name, (int)i), written);
    if (!made)
      return NULL;
    VEC_PUSH(cu->arena, &items, made);
  }
  return cu_list_expr(cu, &items, written->span);
}

// A class that is no word of Heddle C, with few numbers in it.
static bool pieces_is_small(const CuType *type) {
  const CuRecord *record = type->kind == CU_RECORD ? type->u.record : NULL;
  return record && !record->opaque && !record->heddle && !record->is_union &&
         !record->is_empty && record->size_bytes <= MAX_SEPARATE * 8u;
}

static Expr *add_piece(CuContext *cu, CuDeclVec *out, const CuType *type,
                       const char *name, const CxDecl *written) {
  type = cu_plain(type);
  if (type->kind == CU_ARRAY)
    return pieces_add_array(cu, out, type, name, written);
  if (pieces_is_small(type) ||
      (type->kind == CU_RECORD && cu_has_pointer(type)))
    return pieces_add_members(cu, out, type, name, written);
  return pieces_add_scalar(cu, out, type, name, written);
}

void cu_declare_pieces(CuContext *cu, const CuParam *param,
                       const CxDecl *written, const char *name,
                       CuDeclVec *out) {
  const CuType *type = cu_plain(param->type);
  Expr *init = pieces_add_members(cu, out, type, name, written);
  CuVariable *whole =
      cu_new_local(cu, name, init ? type : cu_basic(&cu->types, CU_POISON));
  if (init)
    cu_add_local(cu, whole, init, written->span);
  cu_declare_local(cu, whole, name, NULL);
}
