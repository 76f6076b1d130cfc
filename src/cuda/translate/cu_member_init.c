// SPDX-License-Identifier: Apache-2.0
// Bodies of constructors: how each member begins.
#include "cuda/form/cu_body.h"
#include "cuda/form/cu_local.h"
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_resolve.h"
#include "cuda/form/cu_scope.h"
#include "cuda/form/cu_tree.h"

// ---------------------------------------------------------------- places

// What is initialised: the object that is made, or a member or element of such
// a place.
typedef struct Begun {
  const struct Begun *outer; // NULL: the object
  CuRecord *record;          // it is a member of this class; NULL: an element
  uint32_t index;
  CuVariable *counter; // has the index, in a loop over elements; or NULL
} Begun;

static const Begun whole_object;

static CuValue member_init_element(CuContext *cu, CuValue array, CuValue index,
                                   Span span) {
  array.expr = cu_clone(cu, array.expr, (Span){0, 0});
  return cu_index_of(cu, array, index, span);
}

static CuValue member_init_element_at(CuContext *cu, CuValue array, uint32_t i,
                                      Span span) {
  CuValue index = cu_int_value(cu, cu_basic(&cu->types, CU_INT), i, span);
  return member_init_element(cu, array, index, span);
}

static CuValue begun_value(CuContext *cu, const Begun *place, Span span) {
  if (!place->outer) {
    CuValue self = cu_self(cu, span);
    self.type = cu_plain(self.type);
    return self;
  }
  CuValue outer = begun_value(cu, place->outer, span);
  if (!outer.expr)
    return outer;
  if (place->record)
    return cu_field_value(cu, outer, place->record, place->index, span);
  return place->counter
             ? member_init_element(
                   cu, outer, cu_variable_value(cu, place->counter, span), span)
             : member_init_element_at(cu, outer, place->index, span);
}

// The default of a member of the object; of others inside of it, too, but it
// can't name their members.
static CuValue default_at(CuContext *cu, const Begun *object, CuRecord *record,
                          uint32_t index) {
  CuVariable *self = cu->frame->self;
  if (object->outer)
    cu->frame->self = NULL;
  CuValue made = cu_member_default(cu, record, index);
  cu->frame->self = self;
  return made;
}

// ---------------------------------------------------------------- arrays
//
// Heddle C has no assignment of arrays: their elements are assigned.

static void member_init_assign(CuContext *cu, CuValue place, Expr *value,
                               Span span) {
  cu_add_stmt(cu,
              cu_expr_stmt(cu, cu_assign(cu, place.expr, value, span), span));
}

static void assign_zeros(CuContext *cu, CuValue place, uint32_t from,
                         Span span);

static void assign_zero(CuContext *cu, CuValue place, Span span) {
  if (cu_is(place.type, CU_ARRAY))
    assign_zeros(cu, place, 0, span);
  else
    member_init_assign(cu, place, cu_zero(cu, place.type, span).expr, span);
}

// Elements of an array that are written one by one: places that are constant
// can stay in registers.
enum { MAX_SINGLE = 16 };

typedef struct {
  CuVariable *counter;
  Stmt *loop;
  CuStmtVec items, *before;
} ElementLoop;

// What is added from here on is its body.
static void element_loop_open(CuContext *cu, ElementLoop *l, int64_t from,
                              int64_t extent, Span span) {
  *l = (ElementLoop){.counter =
                         cu_new_local(cu, "i", cu_basic(&cu->types, CU_INT)),
                     .before = cu->frame->statements};
  l->loop = cu_counting_loop(cu, l->counter, from, extent, span, span);
  cu->frame->statements = &l->items;
  cu_push_block(cu);
}

static void element_loop_close(CuContext *cu, ElementLoop *l, Span span) {
  cu_pop_block(cu);
  cu->frame->statements = l->before;
  l->loop->u.loop.body = cu_block(cu, &l->items, span);
  cu_add_stmt(cu, l->loop);
}

// All elements but the first `from`.
static void assign_zeros(CuContext *cu, CuValue place, uint32_t from,
                         Span span) {
  int64_t extent = place.type->u.array.extent;
  if (extent <= MAX_SINGLE) {
    for (uint32_t i = from; i < extent; i++)
      assign_zero(cu, member_init_element_at(cu, place, i, span), span);
    return;
  }
  ElementLoop loop;
  element_loop_open(cu, &loop, from, extent, span);
  CuValue index = cu_variable_value(cu, loop.counter, span);
  assign_zero(cu, member_init_element(cu, place, index, span), span);
  element_loop_close(cu, &loop, span);
}

// `list` is what an initialiser of the array would be.
static void assign_list(CuContext *cu, CuValue place, const Expr *list,
                        Span span) {
  uint32_t n = list->u.init_list.n_items;
  for (uint32_t i = 0; i < n; i++) {
    Expr *item = list->u.init_list.items[i].value;
    CuValue one = member_init_element_at(cu, place, i, span);
    bool is_array = cu_is(one.type, CU_ARRAY);
    bool is_whole = is_array || cu_is(cu_plain(one.type), CU_RECORD);
    if (item->kind == EXPR_INIT_LIST && is_array)
      assign_list(cu, one, item, span);
    else if (item->kind == EXPR_INIT_LIST)
      member_init_assign(cu, one, cu_compound_literal(cu, one.type, item, span),
                         span);
    else if (item->kind == EXPR_INT && is_whole) // {0}
      assign_zero(cu, one, span);
    else
      member_init_assign(cu, one, item, span);
  }
  assign_zeros(cu, place, n, span);
}

// NULL: it isn't initialised, or an error was reported.
static const Expr *array_list(CuContext *cu, const Begun *object,
                              CuRecord *record, uint32_t index,
                              const CxMemberInit *init, Span span) {
  const CuField *field = &record->fields.data[index];
  CuValue made = {0};
  if (init && init->args.count) {
    CxExpr *list = ARENA_NEW(cu->arena, CxExpr);
    list->kind = CX_EXPR_INIT_LIST;
    list->span = span;
    uint32_t n = init->args.count;
    list->u.init_list.items = ARENA_ARRAY(cu->arena, CxInitItem, n);
    list->u.init_list.n_items = n;
    for (uint32_t i = 0; i < n; i++)
      list->u.init_list.items[i] = (CxInitItem){.value = init->args.data[i]};
    made.expr = cu_initialiser(cu, field->type, list);
  } else if (!init && field->decl && field->decl->u.var.init) {
    made = default_at(cu, object, record, index);
  } else if (init || cu_is_constructed(cu, field->type)) {
    made = cu_construct(cu, field->type, (CuValues){NULL, 0}, true, span);
  }
  if (made.expr && made.expr->kind == EXPR_COMPOUND)
    made.expr = made.expr->u.compound.init;
  if (!made.expr || made.expr->kind == EXPR_INIT_LIST)
    return made.expr;
  if (made.expr->kind != EXPR_POISON)
    cu_unsupported(cu, span, "initialising an array member with this",
                   "assign its elements in the body");
  return NULL;
}

static void init_array(CuContext *cu, const Begun *object, CuRecord *record,
                       uint32_t index, const CxMemberInit *init, Span span) {
  const Expr *list = array_list(cu, object, record, index, init, span);
  if (!list)
    return;
  Begun place = {.outer = object, .record = record, .index = index};
  assign_list(cu, begun_value(cu, &place, span), list, span);
}

// ---------------------------------------------------------------- members

static const CxMemberInit *init_of(CuContext *cu, const CxBody *body,
                                   const CuField *field) {
  for (uint32_t i = 0; i < body->n_inits; i++) {
    const CxMemberInit *init = &body->inits[i];
    if (field->base) {
      const CuType *type = cu_name_type(cu, init->name);
      if (type && cu_plain(type) == cu_plain(field->type))
        return init;
    } else if (field->name &&
               init->name->parts[init->name->n_parts - 1].name == field->name) {
      return init;
    }
  }
  return NULL;
}

static void init_reference(CuContext *cu, const Begun *object, CuRecord *record,
                           uint32_t index, const CxMemberInit *init,
                           Span span) {
  const CuField *field = &record->fields.data[index];
  CuValue made;
  if (init) {
    CuValues args = cu_arguments(cu, &init->args);
    if (args.count != 1) {
      CU_ERROR(cu, span, cannot_convert, DS("a member"), DS("(…)"),
               DS(CU_TEXT(cu, field->type)));
      return;
    }
    made = cu_held(cu, args.data[0], field->type, "a member");
  } else if (field->decl->u.var.init) {
    made = default_at(cu, object, record, index);
  } else {
    cu_unsupported(cu, span, "a reference that is not initialised", NULL);
    return;
  }
  CuValue self = begun_value(cu, object, span);
  if (!cu_is_poisoned(&made) && made.expr && self.expr)
    cu_add_stmt(
        cu, cu_expr_stmt(
                cu,
                cu_assign(cu, cu_member(cu, self.expr, field->emitted, span),
                          made.expr, span),
                span));
}

static bool member_init_is_made(const CuType *type) {
  const CuType *plain = cu_plain(type);
  return cu_is(plain, CU_RECORD) &&
         (plain->u.record->has_constructor || plain->u.record->has_defaults);
}

static void begin_place(CuContext *cu, const Begun *place, const CuType *type,
                        Span span);

// Of one that isn't an array, and has an initialiser.
static void init_one(CuContext *cu, const Begun *place,
                     const CxMemberInit *init, const CuType *type, Span span) {
  CuValue made =
      cu_construct_of(cu, cu_plain(type), cu_arguments(cu, &init->args),
                      init->is_braced || init->args.count == 0, span);
  if (!cu_is_poisoned(&made))
    made = cu_convert(cu, made, cu_plain(type), "a member");
  if (made.expr)
    member_init_assign(cu, begun_value(cu, place, span), made.expr, span);
}

static void init_field(CuContext *cu, const Begun *object, CuRecord *record,
                       uint32_t index, const CxMemberInit *init) {
  const CuField *field = &record->fields.data[index];
  const CuType *type = field->type;
  Begun place = {.outer = object, .record = record, .index = index};
  Span span = init          ? init->span
              : field->decl ? field->decl->span
                            : record->decl->name_span;
  bool has_default = field->decl && field->decl->u.var.init;
  if (cu_is(type, CU_REFERENCE)) {
    init_reference(cu, object, record, index, init, span);
  } else if (cu_is(type, CU_ARRAY)) {
    if (!init && !has_default && cu_starts_partly(cu, type))
      begin_place(cu, &place, type, span);
    else
      init_array(cu, object, record, index, init, span);
  } else if (field->base && !field->emitted) {
    return;
  } else if (init) {
    init_one(cu, &place, init, type, span);
  } else if (has_default) {
    CuValue made = default_at(cu, object, record, index);
    if (made.expr)
      member_init_assign(cu, begun_value(cu, &place, span), made.expr, span);
  } else {
    begin_place(cu, &place, type, span);
  }
}

static void begin_elements(CuContext *cu, const Begun *array,
                           const CuType *type, Span span) {
  const CuType *element = type->u.array.element;
  int64_t extent = type->u.array.extent;
  Begun place = {.outer = array};
  if (extent <= MAX_SINGLE) {
    for (; place.index < extent; place.index++)
      begin_place(cu, &place, element, span);
    return;
  }
  ElementLoop loop;
  element_loop_open(cu, &loop, 0, extent, span);
  place.counter = loop.counter;
  begin_place(cu, &place, element, span);
  element_loop_close(cu, &loop, span);
}

// What has no initialiser: its constructor makes it, its members are made, or
// it stays unset.
static void begin_place(CuContext *cu, const Begun *place, const CuType *type,
                        Span span) {
  const CuType *plain = cu_plain(type);
  bool is_array = cu_is(plain, CU_ARRAY);
  if (!is_array && (!member_init_is_made(plain) || cu_starts_unset(cu, plain)))
    return;
  if (is_array) {
    begin_elements(cu, place, plain, span);
  } else if (cu_starts_partly(cu, plain)) {
    CuRecord *record = plain->u.record;
    for (uint32_t i = 0; i < record->fields.count; i++)
      init_field(cu, place, record, i, NULL);
  } else {
    CuValue made = cu_construct(cu, plain, (CuValues){NULL, 0}, false, span);
    if (made.expr)
      member_init_assign(cu, begun_value(cu, place, span), made.expr, span);
  }
}

void cu_make_members(CuContext *cu, CuVariable *object, const CuType *type,
                     Span span) {
  CuVariable *before = cu->frame->self;
  cu->frame->self = object;
  begin_place(cu, &whole_object, type, span);
  cu->frame->self = before;
}

// S(other) : S(…) {}
static bool delegates(CuContext *cu, CuFunction *function, const CxBody *body) {
  if (body->n_inits != 1)
    return false;
  const CuType *type = cu_name_type(cu, body->inits[0].name);
  if (!type || cu_plain(type) != function->record->type)
    return false;
  const CxMemberInit *init = &body->inits[0];
  CuValue made =
      cu_construct(cu, function->record->type, cu_arguments(cu, &init->args),
                   init->is_braced, init->span);
  CuValue self = cu_self(cu, init->span);
  if (made.expr)
    cu_add_stmt(
        cu, cu_expr_stmt(cu, cu_assign(cu, self.expr, made.expr, init->span),
                         init->span));
  return true;
}

void cu_constructor_body(CuContext *cu, CuFunction *function,
                         const CxBody *body, CuStmtVec *out) {
  CuStmtVec *before = cu->frame->statements;
  cu->frame->statements = out;
  CuRecord *record = function->record;
  CuVariable *self = cu_new_local(cu, "self", record->type);
  Span span = function->decl->name_span;
  // C{} makes zeros of the members. C c; doesn't come here (cu_make_members).
  bool is_zeroed = function->decl->u.function.is_defaulted;
  cu_add_local(cu, self,
               is_zeroed ? cu_zero(cu, record->type, span).expr : NULL, span);
  cu->frame->self = self;
  if (!delegates(cu, function, body)) {
    for (uint32_t i = 0; i < record->fields.count; i++)
      init_field(cu, &whole_object, record, i,
                 init_of(cu, body, &record->fields.data[i]));
  }
  cu->frame->statements = before;
  if (body->block)
    cu_translate_body(cu, body->block, out);
  cu->frame->statements = out;
  CuValue value = cu_self(cu, span);
  cu_add_stmt(cu, cu_return_stmt(cu, value.expr, span));
  cu->frame->statements = before;
}
