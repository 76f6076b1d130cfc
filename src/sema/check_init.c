// SPDX-License-Identifier: Apache-2.0
// Initialisers, flattened to (offset, value) parts: C17 6.7.9 with designators
// and omitted braces.
#include "sema/tile.h"

typedef struct {
  const InitItem *items;
  uint32_t count, at;
} Cursor;

typedef struct {
  SemaContext *cx;
  const char *what;
  hd_vec(TInit) parts; // ascending, without overlap
  // The value of the item at the cursor, looked at once to choose between a
  // whole member and omitted braces.
  const Expr *seen;
  TExpr *seen_value;
  // The member that comes next, or in which the next element is; or NULL.
  const Field *field;
  const Type *record;
  bool is_wrong;
} InitState;

static void init_members(InitState *state, const Type *type, uint64_t offset,
                         Cursor *cursor, bool is_braced, int64_t *reached);

// --- parts ---

static uint64_t part_end(const TInit *part) {
  return part->offset_bytes + part->value->type->size_bytes;
}

// A later part replaces what it overlaps.
static void insert_part(InitState *state, TInit part) {
  hd_vec(TInit) kept = {0};
  bool is_inserted = false;
  for (uint32_t i = 0; i < state->parts.count; i++) {
    TInit old = state->parts.data[i];
    if (part_end(&old) > part.offset_bytes &&
        old.offset_bytes < part_end(&part))
      continue;
    if (!is_inserted && old.offset_bytes > part.offset_bytes) {
      VEC_PUSH(state->cx->arena, &kept, part);
      is_inserted = true;
    }
    VEC_PUSH(state->cx->arena, &kept, old);
  }
  if (!is_inserted)
    VEC_PUSH(state->cx->arena, &kept, part);
  state->parts.data = kept.data;
  state->parts.count = kept.count;
  state->parts.capacity = kept.capacity;
}

static void check_init_add_part(InitState *state, uint64_t offset,
                                TExpr *value) {
  if (expr_is_poison(value)) {
    state->is_wrong = true;
    return;
  }
  TInit part = {offset, value};
  bool is_last =
      state->parts.count == 0 || part_end(&VEC_LAST(&state->parts)) <= offset;
  if (is_last)
    VEC_PUSH(state->cx->arena, &state->parts, part);
  else
    insert_part(state, part);
}

static TExpr *see_value(InitState *state, const Expr *expr) {
  if (state->seen != expr) {
    state->seen = expr;
    state->seen_value = check_value(state->cx, expr);
  }
  return state->seen_value;
}

static void init_scalar(InitState *state, const Type *type, uint64_t offset,
                        const Expr *expr) {
  TExpr *value = see_value(state, expr);
  check_init_add_part(state, offset,
                      convert_to_member(state->cx, value, type, state->record,
                                        state->field, state->what));
}

static void enter_field(InitState *state, const Type *record,
                        const Field *field) {
  state->record = record;
  state->field = field;
}

// --- strings ---

static bool is_char_array(const Type *type) {
  if (type->kind != TY_ARRAY)
    return false;
  TypeKind kind = type->u.array.element->kind;
  return kind == TY_CHAR || kind == TY_SCHAR || kind == TY_UCHAR;
}

static void init_string(InitState *state, const Type *type, uint64_t offset,
                        const Expr *string, int64_t *reached) {
  SemaContext *cx = state->cx;
  int64_t length = (int64_t)string->u.string_lit.length;
  int64_t extent = type->u.array.extent;
  if (extent >= 0 && length > extent) {
    SEMA_ERROR(cx, string->span, excess_initialiser, NT(cx, type),
               DU((uint64_t)extent));
    state->is_wrong = true;
    return;
  }
  const Type *element = type->u.array.element;
  for (int64_t i = 0; i < length; i++) {
    int64_t byte = (signed char)string->u.string_lit.bytes[i];
    TExpr *value = build_int(cx, sema_basic(cx, TY_CHAR), byte, string->span);
    check_init_add_part(state, offset + (uint64_t)i,
                        build_convert(cx, value, element));
  }
  *reached = length + 1;
}

// --- aggregates ---

static bool is_aggregate(const Type *type) {
  return type->kind == TY_ARRAY || type->kind == TY_VECTOR ||
         type_is_record(type);
}

static int64_t member_count(const Type *type) {
  if (type->kind == TY_ARRAY)
    return type->u.array.extent < 0 ? INT64_MAX : type->u.array.extent;
  if (type->kind == TY_VECTOR)
    return type->u.vector.count;
  return type->kind == TY_UNION ? 1 : type->u.record.n_fields;
}

static const Type *member_at(const Type *type, int64_t index,
                             uint64_t *offset) {
  if (type->kind == TY_ARRAY || type->kind == TY_VECTOR) {
    const Type *element =
        type->kind == TY_ARRAY ? type->u.array.element : type->u.vector.element;
    *offset += (uint64_t)index * element->size_bytes;
    return element;
  }
  *offset += type->u.record.fields[index].offset_bytes;
  return type->u.record.fields[index].type;
}

static void refuse_excess(InitState *state, const Type *type, Span span) {
  uint64_t room = is_aggregate(type) ? (uint64_t)member_count(type) : 1;
  SEMA_ERROR(state->cx, span, excess_initialiser, NT(state->cx, type),
             DU(room));
  state->is_wrong = true;
}

static void init_braced(InitState *state, const Expr *list, const Type *type,
                        uint64_t offset, int64_t *reached) {
  Cursor cursor = {list->u.init_list.items, list->u.init_list.n_items, 0};
  if (is_aggregate(type)) {
    bool is_string = cursor.count == 1 && is_char_array(type) &&
                     cursor.items[0].value->kind == EXPR_STRING;
    if (is_string)
      init_string(state, type, offset, cursor.items[0].value, reached);
    else
      init_members(state, type, offset, &cursor, true, reached);
    return;
  }
  if (cursor.count > 1) {
    refuse_excess(state, type, cursor.items[1].value->span);
  } else if (cursor.count == 1 &&
             (cursor.items[0].n_designators ||
              cursor.items[0].value->kind == EXPR_INIT_LIST)) {
    SEMA_ERROR(state->cx, list->span, bad_initialiser, NT(state->cx, type),
               DS("by a list inside a list"));
    state->is_wrong = true;
  } else if (cursor.count == 1) {
    init_scalar(state, type, offset, cursor.items[0].value);
  }
}

// One member, from the item at the cursor (and those after it where braces
// were left out).
static void init_member(InitState *state, const Type *type, uint64_t offset,
                        Cursor *cursor) {
  const Expr *value = cursor->items[cursor->at].value;
  int64_t reached = 0;
  if (value->kind == EXPR_INIT_LIST) {
    cursor->at++;
    init_braced(state, value, type, offset, &reached);
  } else if (value->kind == EXPR_STRING && is_char_array(type)) {
    cursor->at++;
    init_string(state, type, offset, value, &reached);
  } else if (!is_aggregate(type)) {
    cursor->at++;
    init_scalar(state, type, offset, value);
  } else if (type->kind != TY_ARRAY && (see_value(state, value)->type == type ||
                                        expr_is_poison(state->seen_value))) {
    cursor->at++;
    check_init_add_part(state, offset, state->seen_value);
  } else {
    init_members(state, type, offset, cursor, false, &reached);
  }
}

// --- designators ---

// The member that a designator names; its index in `type`, its offset.
static const Type *check_init_designated(InitState *state, const Type *type,
                                         const Designator *designator,
                                         int64_t *index, uint64_t *offset) {
  SemaContext *cx = state->cx;
  if (designator->name && type_is_record(type)) {
    uint64_t inner = 0;
    const Field *field = type_find_field(type, designator->name, &inner);
    for (uint32_t i = 0; field && i < type->u.record.n_fields; i++)
      if (type->u.record.fields[i].offset_bytes <= inner)
        *index = i;
    *offset += inner;
    enter_field(state, type, field);
    if (field)
      return field->type;
  } else if (designator->index && type->kind == TY_ARRAY) {
    if (!check_const_int(cx, designator->index, "a designator", index))
      return NULL;
    if (*index >= 0 && *index < member_count(type))
      return member_at(type, *index, offset);
  }
  const char *text = designator->name
                         ? sema_format(cx, "member '%s'", designator->name)
                         : sema_format(cx, "element %s",
                                       sema_source_text(cx, designator->span));
  SEMA_ERROR(cx, designator->span, bad_designator, NT(cx, type), DS(text));
  return NULL;
}

// Follows all designators of the item; the first one's index tells where the
// list goes on.
static bool init_designated(InitState *state, const Type *type, uint64_t offset,
                            Cursor *cursor, int64_t *index) {
  const InitItem *item = &cursor->items[cursor->at];
  const Type *member = type;
  for (uint32_t i = 0; i < item->n_designators; i++) {
    int64_t ignored = 0;
    member = check_init_designated(state, member, &item->designators[i],
                                   i == 0 ? index : &ignored, &offset);
    if (!member) {
      state->is_wrong = true;
      return false;
    }
  }
  init_member(state, member, offset, cursor);
  return true;
}

static void init_members(InitState *state, const Type *type, uint64_t offset,
                         Cursor *cursor, bool is_braced, int64_t *reached) {
  int64_t count = member_count(type), index = 0;
  *reached = 0;
  while (cursor->at < cursor->count) {
    const InitItem *item = &cursor->items[cursor->at];
    if (item->n_designators) {
      if (!is_braced)
        return;
      if (!init_designated(state, type, offset, cursor, &index))
        return;
    } else if (index >= count) {
      if (is_braced)
        refuse_excess(state, type, item->value->span);
      return;
    } else {
      uint64_t at = offset;
      const Type *member = member_at(type, index, &at);
      if (type_is_record(type))
        enter_field(state, type, &type->u.record.fields[index]);
      init_member(state, member, at, cursor);
    }
    index++;
    *reached = index > *reached ? index : *reached;
    if (state->is_wrong)
      return;
  }
}

// --- whole objects ---

static TExpr *check_init_finish(InitState *state, const Type *type, Span span) {
  if (state->is_wrong || !type)
    return build_poison(state->cx, span);
  TExpr *result = build_expr(state->cx, TEXPR_AGGREGATE, type, span);
  result->u.aggregate.parts = state->parts.data;
  result->u.aggregate.n_parts = state->parts.count;
  return result;
}

static const Type *check_init_complete(SemaContext *cx, const Type *type,
                                       int64_t reached, Span span) {
  if (type->kind != TY_ARRAY || type->u.array.extent >= 0)
    return type;
  if (reached > 0)
    return type_array(cx->types, type->u.array.element, reached);
  SEMA_ERROR(cx, span, array_extent, DD(reached));
  return NULL;
}

static TExpr *check_value_initialiser(SemaContext *cx, const Expr *init,
                                      const Type *type, const Type **completed,
                                      const char *what) {
  TExpr *value =
      type->kind == TY_ARRAY ? check_expr(cx, init) : check_value(cx, init);
  if (expr_is_poison(value))
    return value;
  if (type->kind != TY_ARRAY)
    return convert_assign(cx, value, type, what);
  if (tile_is_local(value) &&
      value->type->u.array.element == type->u.array.element) {
    bool fits = type->u.array.extent < 0 || type == value->type;
    if (fits && completed)
      *completed = value->type;
    if (fits)
      return value;
  }
  SEMA_ERROR(cx, init->span, bad_initialiser, NT(cx, type),
             DS("by an expression: write {…}"));
  return build_poison(cx, init->span);
}

TExpr *check_initialiser(SemaContext *cx, const Expr *init, const Type *type,
                         const Type **completed, const char *what) {
  InitState state = {.cx = cx, .what = what};
  int64_t reached = 0;
  if (type_is_poison(type))
    return build_poison(cx, init->span);
  if (type_is(type, TY_TILE) && init->kind == EXPR_INIT_LIST) {
    SEMA_ERROR(cx, init->span, bad_initialiser, NT(cx, type),
               DS("by a list: load it from an array, or compute it from "
                  "arange(…)"));
    return build_poison(cx, init->span);
  }
  if (init->kind == EXPR_STRING && is_char_array(type))
    init_string(&state, type, 0, init, &reached);
  else if (init->kind == EXPR_INIT_LIST)
    init_braced(&state, init, type, 0, &reached);
  else
    return check_value_initialiser(cx, init, type, completed, what);
  if (state.is_wrong)
    return build_poison(cx, init->span);
  const Type *whole = check_init_complete(cx, type, reached, init->span);
  if (completed && whole)
    *completed = whole;
  if (is_aggregate(type))
    return check_init_finish(&state, whole, init->span);
  if (state.parts.count)
    return state.parts.data[0].value;
  TValue zero = {.u = 0};
  return build_const(cx, type, zero, init->span);
}

TExpr *check_compound_literal(SemaContext *cx, const Expr *expr) {
  ArrayContext arrays = {.allows_open = true, .what = "literal"};
  QualType type = sema_resolve_type(cx, expr->u.compound.type, &arrays);
  bool is_array = type_is(type.type, TY_ARRAY);
  if (is_array && (!cx->body || cx->in_clause)) {
    SEMA_ERROR(cx, expr->span, not_in_kernels,
               DS("an array literal outside functions"),
               DS("declare an array with this initialiser"));
    return build_poison(cx, expr->span);
  }
  if (!is_array && !type_is_complete(type.type)) {
    SEMA_ERROR(cx, expr->span, incomplete_type, NT(cx, type.type));
    return build_poison(cx, expr->span);
  }
  const Type *whole = type.type;
  TExpr *value = check_initialiser(cx, expr->u.compound.init, type.type, &whole,
                                   "compound literal");
  bool is_place = is_array || (expr == cx->wanted_literal && cx->body);
  if (!is_place || expr_is_poison(value))
    return value;
  type.type = whole;
  return check_literal_place(cx, type, value, expr->span);
}
