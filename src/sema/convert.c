// SPDX-License-Identifier: Apache-2.0
// Conversions: of places to values, C's arithmetic ones, as if by assignment,
// and casts.
#include "sema/tile.h"

const Type *sema_basic(SemaContext *cx, TypeKind kind) {
  return type_basic(cx->types, kind);
}

// --- places to values ---

// An array that is itself an element (a row) gets the missing subscripts, so
// that every access names its array with full rank.
TExpr *convert_first_element(SemaContext *cx, TExpr *array) {
  uint32_t rank, n_given = 0;
  const Type *base = type_array_base(array->type, &rank);
  TExpr *first = build_expr(cx, TEXPR_INDEX, base, array->span);
  first->is_lvalue = true;
  first->is_const_place = array->is_const_place;
  first->u.index.base = array;
  if (array->kind == TEXPR_INDEX) {
    first->u.index.base = array->u.index.base;
    n_given = array->u.index.n_indices;
  }
  TExpr **indices = ARENA_ARRAY(cx->arena, TExpr *, n_given + rank);
  for (uint32_t i = 0; i < n_given; i++)
    indices[i] = array->u.index.indices[i];
  for (uint32_t i = 0; i < rank; i++)
    indices[n_given + i] =
        build_int(cx, sema_basic(cx, TY_LONG), 0, array->span);
  first->u.index.indices = indices;
  first->u.index.n_indices = n_given + rank;
  first->u.index.n_written = n_given;
  return first;
}

static TExpr *point_to_array(SemaContext *cx, TExpr *array,
                             const Type *pointee) {
  TExpr *place = convert_first_element(cx, array);
  TExpr *first = build_addr(cx, place, array->span);
  const Type *type = first->type;
  if (type->u.pointer.pointee == pointee)
    return first;
  const Type *to = type_pointer(cx->types, pointee, type->u.pointer.space,
                                type->u.pointer.to_const);
  return build_convert(cx, first, to);
}

// The first row of an array of arrays has array type: a pointer to it is made
// from a pointer to its first element.
TExpr *convert_decay(SemaContext *cx, TExpr *array) {
  return point_to_array(cx, array, array->type->u.array.element);
}

TExpr *convert_array_address(SemaContext *cx, TExpr *array) {
  return point_to_array(cx, array, array->type);
}

bool convert_is_lone(SemaContext *cx, const TExpr *place, Span span,
                     Span array) {
  if (!place->is_lvalue || !type_is_narrow(place->type))
    return false;
  SEMA_ERROR(cx, span, narrow_element, DS(sema_source_text(cx, array)),
             NT(cx, place->type));
  return true;
}

TExpr *convert_to_value(SemaContext *cx, TExpr *expr) {
  if (expr_is_poison(expr))
    return expr;
  if (expr->type->kind == TY_GROUP) {
    SEMA_ERROR(cx, expr->span, group_as_value,
               DS(sema_source_text(cx, expr->span)));
    return build_poison(cx, expr->span);
  }
  if (expr->is_lvalue &&
      !sema_may_be(cx, expr->span, type_array_base(expr->type, NULL), "copied"))
    return build_poison(cx, expr->span);
  if (expr->type->kind == TY_ARRAY && !expr->is_lvalue && cx->body) {
    TExpr *fill = check_materialise(cx, &expr);
    return check_after_fill(cx, fill, convert_decay(cx, expr));
  }
  if (expr->type->kind == TY_ARRAY)
    return convert_decay(cx, expr);
  if (convert_is_lone(cx, expr, expr->span, expr->span) ||
      !tile_check_loaded(cx, expr))
    return build_poison(cx, expr->span);
  if (expr->is_lvalue)
    return build_load(cx, expr);
  return expr;
}

// --- arithmetic ---

TExpr *convert_promote(SemaContext *cx, TExpr *value) {
  const Type *type = type_underlying(value->type);
  if (type_is_integer(type) && type->kind < TY_INT)
    return build_convert(cx, value, sema_basic(cx, TY_INT));
  return build_convert(cx, value, type);
}

// Enumerators order the unsigned type of a rank after the signed one.
static const Type *common_integer(SemaContext *cx, const Type *a,
                                  const Type *b) {
  if (a->kind < b->kind) {
    const Type *swap = a;
    a = b;
    b = swap;
  }
  // `a` has the higher rank or is the unsigned type of the same rank. A signed
  // type of higher rank must hold all values of the unsigned one.
  if (type_is_signed(a) && !type_is_signed(b) && a->size_bytes == b->size_bytes)
    return sema_basic(cx, (TypeKind)(a->kind + 1));
  return a;
}

// NULL: half and bfloat16 have no common type.
const Type *convert_common_type(SemaContext *cx, const Type *a, const Type *b) {
  a = type_underlying(a);
  b = type_underlying(b);
  bool a_floats = type_is_floating(a), b_floats = type_is_floating(b);
  if (a_floats && b_floats) {
    if (a->kind != b->kind && a->kind <= TY_BFLOAT16 && b->kind <= TY_BFLOAT16)
      return NULL;
    return a->kind > b->kind ? a : b;
  }
  if (a_floats || b_floats)
    return a_floats ? a : b;
  const Type *least = sema_basic(cx, TY_INT);
  a = a->kind < TY_INT ? least : a;
  b = b->kind < TY_INT ? least : b;
  return common_integer(cx, a, b);
}

static void report_operands(SemaContext *cx, const char *op, TExpr *left,
                            TExpr *right, Span span) {
  if (expr_is_poison(left) || expr_is_poison(right))
    return;
  SEMA_ERROR(cx, span, bad_operands, DS(op), NT(cx, left->type),
             NT(cx, right->type));
}

static TExpr *convert_broadcast(SemaContext *cx, TExpr *value,
                                const Type *vector) {
  value = build_convert(cx, value, vector->u.vector.element);
  TExpr *expr = build_expr(cx, TEXPR_BROADCAST, vector, value->span);
  expr->u.operand = value;
  return expr;
}

// Vector operands: the other one is the same vector, or a scalar that is
// broadcast. A scalar never widens the elements: `float4 * 2.0` stays float.
static bool convert_vectors(SemaContext *cx, const char *op, TExpr **left,
                            TExpr **right, Span span) {
  const Type *a = (*left)->type, *b = (*right)->type;
  if (a == b)
    return true;
  bool a_is_vector = a->kind == TY_VECTOR;
  const Type *vector = a_is_vector ? a : b;
  const Type *other = a_is_vector ? b : a;
  if (!type_is_arithmetic(other)) {
    report_operands(cx, op, *left, *right, span);
    return false;
  }
  if (type_is_integer(vector->u.vector.element) && type_is_floating(other)) {
    report_operands(cx, op, *left, *right, span);
    return false;
  }
  TExpr **scalar = a_is_vector ? right : left;
  *scalar = convert_broadcast(cx, *scalar, vector);
  return true;
}

bool convert_usual(SemaContext *cx, const char *op, TExpr **left, TExpr **right,
                   Span span) {
  const Type *a = (*left)->type, *b = (*right)->type;
  if (type_is_poison(a) || type_is_poison(b))
    return false;
  if (a->kind == TY_VECTOR || b->kind == TY_VECTOR)
    return convert_vectors(cx, op, left, right, span);
  if (!type_is_arithmetic(a) || !type_is_arithmetic(b)) {
    report_operands(cx, op, *left, *right, span);
    return false;
  }
  const Type *common = convert_common_type(cx, a, b);
  if (!common) {
    SEMA_ERROR(cx, span, mixed_halves, NT(cx, a), NT(cx, b));
    return false;
  }
  *left = build_convert(cx, *left, common);
  *right = build_convert(cx, *right, common);
  return true;
}

TExpr *convert_to_bool(SemaContext *cx, TExpr *value) {
  if (expr_is_poison(value))
    return value;
  const Type *boolean = sema_basic(cx, TY_BOOL);
  if (!type_is_scalar(value->type)) {
    SEMA_ERROR(cx, value->span, scalar_condition, NT(cx, value->type));
    return build_poison(cx, value->span);
  }
  // A comparison's int is only a widened bool.
  if (value->kind == TEXPR_CONVERT && value->u.operand->type == boolean)
    return value->u.operand;
  return build_convert(cx, value, boolean);
}

// --- assignment ---

static TExpr *sema_convert_refuse(SemaContext *cx, TExpr *value, const Type *to,
                                  const char *what) {
  if (!expr_is_poison(value) && !type_is_poison(to))
    SEMA_ERROR(cx, value->span, cannot_convert, DS(what), NT(cx, value->type),
               NT(cx, to));
  return build_poison(cx, value->span);
}

// Whoever made the struct may declare it otherwise.
static bool note_open_member(SemaContext *cx, Space from) {
  if (!cx->target || !cx->target->name || !cx->target_record->u.record.tag ||
      !cx->options.open_members)
    return false;
  OpenMember open = {.tag = cx->target_record->u.record.tag,
                     .name = cx->target->name,
                     .span = cx->target->span,
                     .space = from};
  VEC_PUSH(cx->arena, cx->options.open_members, open);
  return true;
}

bool convert_note_open(SemaContext *cx, const char *tag, Span span) {
  if (!cx->options.open_members)
    return false;
  OpenMember open = {
      .tag = tag, .name = "", .span = span, .space = TSPACE_GENERIC};
  VEC_PUSH(cx->arena, cx->options.open_members, open);
  return true;
}

static bool is_space_convertible(SemaContext *cx, TExpr *value, Space to,
                                 const char *what) {
  Space from = value->type->u.pointer.space;
  if (from == to || from == TSPACE_UNKNOWN || to == TSPACE_UNKNOWN)
    return true;
  if (to == TSPACE_GENERIC)
    return true;
  if (note_open_member(cx, from))
    return false;
  Diag *diag = SEMA_ERROR(cx, value->span, space_mismatch, DS(what),
                          DS(space_name(from)), DS(space_name(to)));
  if (diag->notes.count == 0)
    diag_note(cx->diags, diag, (Place){0},
              "a pointer declared 'generic' may point to either");
  return false;
}

// float (*)[4] to float *, where a parameter takes the elements of an array.
static bool is_row_of(const Type *from, const Type *to) {
  return from->kind == TY_ARRAY && type_array_base(from, NULL) == to;
}

static TExpr *assign_pointer(SemaContext *cx, TExpr *value, const Type *to,
                             const char *what) {
  const Type *from = value->type;
  if (expr_is_null(value) && type_is_integer(from)) {
    TValue null = {.u = 0};
    return build_const(cx, to, null, value->span);
  }
  if (from->kind != TY_POINTER)
    return sema_convert_refuse(cx, value, to, what);
  const Type *source = from->u.pointer.pointee, *target = to->u.pointer.pointee;
  bool is_compatible = source == target || source->kind == TY_VOID ||
                       target->kind == TY_VOID || is_row_of(source, target) ||
                       type_is_poison(source) || type_is_poison(target);
  if (!is_compatible)
    return sema_convert_refuse(cx, value, to, what);
  if (from->u.pointer.to_const && !to->u.pointer.to_const) {
    SEMA_ERROR(cx, value->span, drops_const, DS(what), NT(cx, from),
               NT(cx, to));
    return build_poison(cx, value->span);
  }
  if (!is_space_convertible(cx, value, to->u.pointer.space, what))
    return build_poison(cx, value->span);
  if (expr_is_const(value)) {
    return build_const(cx, to, value->u.value, value->span);
  }
  return build_convert(cx, value, to);
}

static bool mixes_halves(const Type *a, const Type *b) {
  return (a->kind == TY_HALF && b->kind == TY_BFLOAT16) ||
         (a->kind == TY_BFLOAT16 && b->kind == TY_HALF);
}

static bool convert_is_number(const Type *type) {
  return type_is_arithmetic(type) || type_is_fp8(type);
}

TExpr *convert_to_member(SemaContext *cx, TExpr *value, const Type *to,
                         const Type *record, const Field *field,
                         const char *what) {
  cx->target = field;
  cx->target_record = record;
  TExpr *made = convert_assign(cx, value, to, what);
  cx->target = NULL;
  return made;
}

TExpr *convert_assign(SemaContext *cx, TExpr *value, const Type *to,
                      const char *what) {
  const Type *from = value->type;
  if (type_is_poison(from) || type_is_poison(to))
    return build_poison(cx, value->span);
  if (from->kind == TY_VOID) {
    SEMA_ERROR0(cx, value->span, void_value);
    return build_poison(cx, value->span);
  }
  if (from == to)
    return value;
  if (to->kind == TY_TILE)
    return tile_assign(cx, value, to, what);
  if (to->kind == TY_POINTER)
    return assign_pointer(cx, value, to, what);
  if (to->kind == TY_BOOL && type_is_scalar(from))
    return convert_to_bool(cx, value);
  if (convert_is_number(to) && convert_is_number(from)) {
    if (mixes_halves(to, from)) {
      SEMA_ERROR(cx, value->span, mixed_halves, NT(cx, from), NT(cx, to));
      return build_poison(cx, value->span);
    }
    return build_convert(cx, value, to);
  }
  if (to->kind == TY_VECTOR && type_is_arithmetic(from) &&
      !mixes_halves(to->u.vector.element, from))
    return convert_broadcast(cx, value, to);
  return sema_convert_refuse(cx, value, to, what);
}

// --- casts ---

static TExpr *refuse_cast(SemaContext *cx, TExpr *value, const Type *to,
                          Span span) {
  Diag *diag = SEMA_ERROR(cx, span, bad_cast, NT(cx, value->type), NT(cx, to));
  bool is_space = value->type->kind == TY_POINTER && to->kind == TY_POINTER;
  if (is_space && diag->notes.count == 0)
    diag_note(cx->diags, diag, (Place){0},
              "it points to %s memory; a cast keeps the space, or makes the "
              "pointer generic",
              space_name(value->type->u.pointer.space));
  return build_poison(cx, span);
}

// To another element type of the same space. A cast that states no space keeps
// that of the operand.
static TExpr *convert_cast_pointer(SemaContext *cx, TExpr *value, QualType to,
                                   Span span) {
  const Type *from = value->type;
  Space space = to.type->u.pointer.space;
  if (to.takes_space)
    space = from->u.pointer.space;
  const Type *wanted =
      to.takes_space ? type_pointer_in(cx->types, to.type, space) : to.type;
  if (from->u.pointer.space != space &&
      from->u.pointer.space != TSPACE_UNKNOWN && space != TSPACE_GENERIC)
    return refuse_cast(cx, value, wanted, span);
  return build_convert(cx, value, wanted);
}

static TExpr *cast_to_pointer(SemaContext *cx, TExpr *value, QualType to,
                              Span span) {
  if (value->type->kind == TY_POINTER)
    return convert_cast_pointer(cx, value, to, span);
  if (expr_is_null(value))
    return convert_assign(cx, value, to.type, "cast");
  Diag *diag =
      SEMA_ERROR(cx, span, bad_cast, NT(cx, value->type), NT(cx, to.type));
  if (diag->notes.count == 0)
    diag_note(cx->diags, diag, (Place){0},
              "pointers are made from arrays and other pointers only");
  return build_poison(cx, span);
}

static bool is_vector_cast(const Type *from, const Type *to) {
  return from->kind == TY_VECTOR && to->kind == TY_VECTOR &&
         from->u.vector.count == to->u.vector.count;
}

TExpr *convert_cast(SemaContext *cx, TExpr *value, QualType to, Span span) {
  const Type *from = value->type;
  if (type_is_poison(from) || type_is_poison(to.type))
    return build_poison(cx, span);
  TExpr *result = NULL;
  if (is_tile(value) && tile_is_element(type_underlying(to.type)) &&
      tile_is_element(value->type->u.tile.element))
    result = tile_convert_elements(cx, value, type_underlying(to.type));
  else if (to.type->kind == TY_VOID || from == to.type)
    result = build_convert(cx, value, to.type);
  else if (to.type->kind == TY_POINTER)
    result = cast_to_pointer(cx, value, to, span);
  else if (to.type->kind == TY_BOOL && type_is_scalar(from))
    result = convert_to_bool(cx, value);
  else if ((convert_is_number(from) && convert_is_number(to.type)) ||
           is_vector_cast(from, to.type))
    result = build_convert(cx, value, to.type);
  else if (from->kind == TY_POINTER && type_is_integer(to.type) &&
           type_bits(to.type) == 64)
    result = build_convert(cx, value, to.type);
  else if (to.type->kind == TY_VECTOR && type_is_arithmetic(from))
    result = convert_broadcast(cx, value, to.type);
  else
    result = refuse_cast(cx, value, to.type, span);
  if (result == value) { // a place of its own: casts are values
    TExpr *copy = ARENA_NEW(cx->arena, TExpr);
    *copy = *value;
    copy->span = span;
    return copy;
  }
  return result;
}
