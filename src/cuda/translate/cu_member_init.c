// SPDX-License-Identifier: Apache-2.0
// Bodies of constructors: how each member begins.
#include "cuda/form/cu_body.h"
#include "cuda/form/cu_local.h"
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_resolve.h"
#include "cuda/form/cu_scope.h"
#include "cuda/form/cu_tree.h"

// ---------------------------------------------------------------- arrays
//
// Heddle C has no assignment of arrays: their elements are assigned.

static void member_init_assign(CuContext *cu, CuValue place, Expr *value,
                               Span span) {
  cu_add_stmt(cu,
              cu_expr_stmt(cu, cu_assign(cu, place.expr, value, span), span));
}

static CuValue member_init_element(CuContext *cu, CuValue array, CuValue index,
                                   Span span) {
  array.expr = cu_clone(cu, array.expr, (Span){0, 0});
  return cu_index_of(cu, array, index, span);
}

static void assign_zeros(CuContext *cu, CuValue place, uint32_t from,
                         Span span);

static void assign_zero(CuContext *cu, CuValue place, Span span) {
  if (cu_is(place.type, CU_ARRAY))
    assign_zeros(cu, place, 0, span);
  else
    member_init_assign(cu, place, cu_zero(cu, place.type, span).expr, span);
}

static CuValue member_init_element_at(CuContext *cu, CuValue array, uint32_t i,
                                      Span span) {
  CuValue index = cu_int_value(cu, cu_basic(&cu->types, CU_INT), i, span);
  return member_init_element(cu, array, index, span);
}

// Elements of an array that are written one by one: places that are constant
// can stay in registers.
enum { MAX_SINGLE = 16 };

// All elements but the first `from`.
static void assign_zeros(CuContext *cu, CuValue place, uint32_t from,
                         Span span) {
  int64_t extent = place.type->u.array.extent;
  if (extent <= MAX_SINGLE) {
    for (uint32_t i = from; i < extent; i++)
      assign_zero(cu, member_init_element_at(cu, place, i, span), span);
    return;
  }
  CuVariable *counter = cu_new_local(cu, "i", cu_basic(&cu->types, CU_INT));
  Stmt *loop = cu_counting_loop(cu, counter, from, extent, span, span);
  CuStmtVec items = {0};
  CuStmtVec *before = cu->frame->statements;
  cu->frame->statements = &items;
  cu_push_block(cu);
  CuValue index = cu_variable_value(cu, counter, span);
  assign_zero(cu, member_init_element(cu, place, index, span), span);
  cu_pop_block(cu);
  cu->frame->statements = before;
  loop->u.loop.body = cu_block(cu, &items, span);
  cu_add_stmt(cu, loop);
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
static const Expr *array_list(CuContext *cu, CuRecord *record, uint32_t index,
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
    made = cu_member_default(cu, record, index);
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

static void init_array(CuContext *cu, CuRecord *record, uint32_t index,
                       const CxMemberInit *init, Span span) {
  const Expr *list = array_list(cu, record, index, init, span);
  if (!list)
    return;
  CuValue self = cu_self(cu, span);
  self.type = cu_plain(self.type);
  assign_list(cu, cu_field_value(cu, self, record, index, span), list, span);
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

static void init_reference(CuContext *cu, CuRecord *record, uint32_t index,
                           const CxMemberInit *init, Span span) {
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
    made = cu_member_default(cu, record, index);
  } else {
    cu_unsupported(cu, span, "a reference that is not initialised", NULL);
    return;
  }
  CuValue self = cu_self(cu, span);
  if (!cu_is_poisoned(&made) && made.expr && self.expr)
    cu_add_stmt(
        cu, cu_expr_stmt(
                cu,
                cu_assign(cu, cu_member(cu, self.expr, field->emitted, span),
                          made.expr, span),
                span));
}

static void init_field(CuContext *cu, CuRecord *record, uint32_t index,
                       const CxMemberInit *init) {
  const CuField *field = &record->fields.data[index];
  const CuType *type = field->type;
  Span span = init          ? init->span
              : field->decl ? field->decl->span
                            : record->decl->name_span;
  if (cu_is(type, CU_REFERENCE)) {
    init_reference(cu, record, index, init, span);
    return;
  }
  if (cu_is(type, CU_ARRAY)) {
    init_array(cu, record, index, init, span);
    return;
  }
  CuValue made;
  bool has_default = field->decl && field->decl->u.var.init;
  bool constructs = cu_is(cu_plain(type), CU_RECORD) &&
                    (cu_plain(type)->u.record->has_constructor ||
                     cu_plain(type)->u.record->has_defaults);
  if (field->base && !field->emitted)
    return;
  if (init)
    made = cu_construct_of(cu, cu_plain(type), cu_arguments(cu, &init->args),
                           init->is_braced || init->args.count == 0, span);
  else if (has_default)
    made = cu_member_default(cu, record, index);
  else if (constructs && !cu_starts_unset(cu, type))
    made = cu_construct(cu, cu_plain(type), (CuValues){NULL, 0}, false, span);
  else
    return;
  if (init && !cu_is_poisoned(&made))
    made = cu_convert(cu, made, cu_plain(type), "a member");
  CuValue self = cu_self(cu, span);
  self.type = cu_plain(self.type);
  if (!made.expr)
    return;
  CuValue place = cu_field_value(cu, self, record, index, span);
  cu_add_stmt(
      cu, cu_expr_stmt(cu, cu_assign(cu, place.expr, made.expr, span), span));
}

void cu_make_members(CuContext *cu, CuVariable *object, CuRecord *record) {
  CuVariable *before = cu->frame->self;
  cu->frame->self = object;
  for (uint32_t i = 0; i < record->fields.count; i++)
    init_field(cu, record, i, NULL);
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
  // C{} makes zeros of the members. C c; doesn't come here (cu_make_members),
  // but for elements of arrays and members, and then isn't told apart.
  bool is_zeroed = function->decl->u.function.is_defaulted;
  cu_add_local(cu, self,
               is_zeroed ? cu_zero(cu, record->type, span).expr : NULL, span);
  cu->frame->self = self;
  if (!delegates(cu, function, body)) {
    for (uint32_t i = 0; i < record->fields.count; i++)
      init_field(cu, record, i, init_of(cu, body, &record->fields.data[i]));
  }
  cu->frame->statements = before;
  if (body->block)
    cu_translate_body(cu, body->block, out);
  cu->frame->statements = out;
  CuValue value = cu_self(cu, span);
  cu_add_stmt(cu, cu_return_stmt(cu, value.expr, span));
  cu->frame->statements = before;
}
