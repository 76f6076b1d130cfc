// SPDX-License-Identifier: Apache-2.0
// New objects: aggregates, constructors, zero.
#include "cuda/form/cu_function.h"
#include "cuda/form/cu_local.h"
#include "cuda/form/cu_overload.h"
#include "cuda/form/cu_pack.h"
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_resolve.h"
#include "cuda/form/cu_scope.h"
#include "cuda/form/cu_tree.h"
#include "cxx/cx_parse.h"

#include <string.h>

// ---------------------------------------------------------------- zero

static Expr *zero_list(CuContext *cu, Span span) {
  CuExprVec items = {0};
  VEC_PUSH(cu->arena, &items, cu_int_literal(cu, 0, span));
  return cu_list_expr(cu, &items, span);
}

CuValue cu_zero(CuContext *cu, const CuType *type, Span span) {
  const CuType *plain = cu_plain(type);
  if (cu_is_integer(plain))
    return cu_int_value(cu, plain, 0, span);
  if (plain->kind == CU_FLOAT || plain->kind == CU_DOUBLE) {
    CuValue value = cu_rvalue(plain, cu_float_expr(cu, plain, 0, span), span);
    value.constant = (CuConst){.kind = CU_CONST_FLOAT};
    return value;
  }
  if (plain->kind == CU_RECORD || plain->kind == CU_ARRAY)
    return cu_rvalue(
        plain, cu_compound_literal(cu, plain, zero_list(cu, span), span), span);
  Expr *zero = cu_int_literal(cu, 0, span);
  CuValue value = cu_rvalue(plain, zero, span);
  value.constant = cu_const_int(0);
  if (plain->kind != CU_POINTER)
    value.expr = cu_cast(cu, plain, zero, span);
  return value;
}

// ---------------------------------------------------------------- constructors

static CuOverloads *constructors(CuContext *cu, CuRecord *record, Span span) {
  CuOverloads *set = ARENA_NEW(cu->arena, CuOverloads);
  CxNamePart *part = ARENA_NEW(cu->arena, CxNamePart);
  part->name = record->entity->name ? record->entity->name : "";
  part->span = span;
  set->part = part;
  set->is_qualified = true;
  CuEntity *entity = map_get(&record->scope->names, MAP_KEY(part->name));
  for (; entity; entity = entity->next) {
    if (entity->kind == CU_ENTITY_FUNCTION &&
        entity->decl->u.function.kind == CX_FUNCTION_CONSTRUCTOR)
      VEC_PUSH(cu->arena, &set->found, entity);
  }
  return set;
}

CuFunction *cu_find_constructor(CuContext *cu, CuRecord *record, CuValues args,
                                Span span) {
  if (!cu_complete_record(cu, record))
    return NULL;
  CuOverloads *set = constructors(cu, record, span);
  return set->found.count ? cu_choose_quietly(cu, set, NULL, args, false)
                          : NULL;
}

static CuFunction *conversion_to(CuContext *cu, const CuValue *value,
                                 const CuType *to, bool is_explicit,
                                 bool any_number) {
  const CuType *type = cu_plain(value->type);
  if (!cu_complete_record(cu, type->u.record))
    return NULL;
  CuFunction *best = NULL;
  const CxDeclList *members = &type->u.record->decl->u.record.members;
  for (uint32_t i = 0; i < members->count; i++) {
    CxDecl *decl = members->data[i];
    if (decl->kind != CX_DECL_FUNCTION ||
        decl->u.function.kind != CX_FUNCTION_CONVERSION || decl->n_templates ||
        ((decl->specs & CX_SPEC_EXPLICIT) && !is_explicit &&
         to->kind != CU_BOOL))
      continue;
    CuFunction *function = cu_instance(
        cu, cu_member_entity(cu, type->u.record, decl), (CuArgs){NULL, 0});
    if (!function || (cu_is_const(value->type) && !function->is_const_member))
      continue;
    const CuType *result = cu_plain(cu_referred(function->result));
    if (result == to || (any_number && cu_is_arithmetic(result)))
      return function;
    bool converts = cu_is_arithmetic(result) && cu_is_arithmetic(to);
    best = converts && !best ? function : best;
  }
  for (uint32_t i = 0; !best && i < type->u.record->fields.count; i++) {
    const CuField *field = &type->u.record->fields.data[i];
    CuValue base = {.type = field->type};
    if (field->base)
      best = conversion_to(cu, &base, to, is_explicit, any_number);
  }
  return best;
}

CuFunction *cu_find_conversion(CuContext *cu, const CuValue *value,
                               const CuType *to, bool is_explicit) {
  return conversion_to(cu, value, cu_plain(to), is_explicit, false);
}

CuFunction *cu_find_number(CuContext *cu, const CuValue *value) {
  return conversion_to(cu, value, cu_basic(&cu->types, CU_DOUBLE), false, true);
}

// ---------------------------------------------------------------- aggregates

// A reference holds where its object is, which must outlive the statement.
static CuValue held_reference(CuContext *cu, CuValue value, const CuType *type,
                              const char *what) {
  CuValue made = cu_convert(cu, value, type, what);
  if (cu_is_poisoned(&made) || !made.expr)
    return cu_poison(cu, value.span);
  if (made.is_lvalue && !cu_is_opaque(made.type))
    return cu_address_value(cu, made, value.span);
  cu_unsupported(cu, value.span,
                 made.is_lvalue ? "members that refer to groups and barriers"
                                : "a member that refers to a temporary object",
                 made.is_lvalue ? "pass it to the functions that need it"
                                : "name the object in a variable first");
  return cu_poison(cu, value.span);
}

CuValue cu_held(CuContext *cu, CuValue value, const CuType *type,
                const char *what) {
  return cu_is(type, CU_REFERENCE) ? held_reference(cu, value, type, what)
                                   : cu_convert(cu, value, type, what);
}

// The initialiser of a member that is written in the class.
CuValue cu_member_default(CuContext *cu, CuRecord *record, uint32_t index) {
  const CuField *field = &record->fields.data[index];
  CuScope *before = cu_set_scope(cu, record->scope);
  const CxExpr *init = field->decl->u.var.init;
  CuValue value =
      init->kind == CX_EXPR_INIT_LIST
          ? cu_from_list(cu, cu_plain(field->type), init, init->span)
          : cu_held(cu, cu_operand(cu, init), field->type, "a member");
  cu_set_scope(cu, before);
  return value;
}

// Elements of an array that constructors are called for.
enum { MAX_CONSTRUCTED = 256 };

static bool takes_nothing(const CxDecl *constructor) {
  const CxDeclList *params = &constructor->type->u.function.params;
  return params->count == 0 || params->data[0]->u.var.init;
}

// C() {}, if no member has more to say.
static bool does_nothing(CuContext *cu, CxDecl *constructor) {
  if (constructor->u.function.is_defaulted ||
      cu_attribute(constructor, "__heddle"))
    return true;
  if (!constructor->u.function.has_body)
    return false;
  const CxBody *body = cx_parse_body(cu->tree, constructor);
  return body && !body->has_errors && body->n_inits == 0 &&
         body->block->u.compound.items.count == 0;
}

static bool has_busy_constructor(CuContext *cu, const CuRecord *record) {
  const CxDeclList *members = &record->decl->u.record.members;
  for (uint32_t i = 0; i < members->count; i++) {
    CxDecl *member = members->data[i];
    if (member->kind == CX_DECL_FUNCTION &&
        member->u.function.kind == CX_FUNCTION_CONSTRUCTOR &&
        takes_nothing(member) && !does_nothing(cu, member))
      return true;
  }
  return false;
}

bool cu_is_constructed(CuContext *cu, const CuType *type) {
  const CuType *base = cu_plain(cu_array_base(type));
  return cu_is(base, CU_RECORD) && !cu_is_opaque(base) &&
         cu_complete_record(cu, base->u.record) &&
         (base->u.record->has_defaults ||
          (base->u.record->has_constructor &&
           has_busy_constructor(cu, base->u.record)));
}

// C() = default; is among the constructors.
static bool has_defaulted(const CuRecord *record) {
  const CxDeclList *members = &record->decl->u.record.members;
  for (uint32_t i = 0; i < members->count; i++) {
    const CxDecl *member = members->data[i];
    if (member->kind == CX_DECL_FUNCTION &&
        member->u.function.kind == CX_FUNCTION_CONSTRUCTOR &&
        member->u.function.is_defaulted &&
        member->type->u.function.params.count == 0)
      return true;
  }
  return false;
}

static bool is_record(CuContext *cu, const CuType *type) {
  return cu_is(type, CU_RECORD) && !cu_is_opaque(type) &&
         cu_complete_record(cu, type->u.record);
}

bool cu_starts_unset(CuContext *cu, const CuType *type) {
  const CuType *plain = cu_plain(type);
  return is_record(cu, plain) && !plain->u.record->has_defaults &&
         has_defaulted(plain->u.record);
}

bool cu_starts_partly(CuContext *cu, const CuType *type) {
  const CuType *plain = cu_plain(cu_array_base(type));
  if (!is_record(cu, plain) || plain->u.record->heddle)
    return false;
  const CuRecord *record = plain->u.record;
  return record->has_defaults && !record->is_union &&
         (!record->has_constructor || has_defaulted(record));
}

static Expr *scalar_item(CuContext *cu, const CuType *type, CuValue value) {
  return cu_held(cu, value, type, "an initialiser").expr;
}

// One value for a member: a list of its own, or an expression.
static Expr *item(CuContext *cu, const CuType *type, const CxExpr *init) {
  if (cu_is(type, CU_REFERENCE) && init->kind == CX_EXPR_INIT_LIST &&
      init->u.init_list.n_items == 1)
    init = init->u.init_list.items[0].value;
  if (init->kind == CX_EXPR_INIT_LIST || cu_is(type, CU_ARRAY))
    return cu_initialiser(cu, type, init);
  return scalar_item(cu, type, cu_operand(cu, init));
}

typedef struct {
  const CxExpr *list;
  uint32_t at;
} Cursor;

static Expr *aggregate(CuContext *cu, const CuType *type, Cursor *cursor,
                       Span span);

static bool at_end(const Cursor *cursor) {
  return cursor->at >= cursor->list->u.init_list.n_items;
}

// {1, 2, 3, 4} for an array of structs of two: the braces of a member may be
// missing.
static Expr *next_item(CuContext *cu, const CuType *type, Cursor *cursor) {
  const CxExpr *init = cursor->list->u.init_list.items[cursor->at].value;
  bool is_aggregate = cu_is(type, CU_ARRAY) || cu_is(cu_plain(type), CU_RECORD);
  if (!is_aggregate || init->kind == CX_EXPR_INIT_LIST ||
      init->kind == CX_EXPR_STRING) {
    cursor->at++;
    return item(cu, type, init);
  }
  if (cu_is(type, CU_ARRAY))
    return aggregate(cu, type, cursor, init->span);
  CuValue value = cu_operand(cu, init);
  if (cu_is_poisoned(&value) ||
      cu_conversion(cu, &value, type, true).rank != CU_RANK_NONE) {
    cursor->at++;
    return scalar_item(cu, type, value);
  }
  return aggregate(cu, type, cursor, init->span);
}

static Expr *missing_item(CuContext *cu, CuRecord *record, uint32_t index,
                          Span span) {
  const CuField *field = &record->fields.data[index];
  if (field->decl && field->decl->u.var.init) {
    // Its own members have no names yet, and `this` may be another object.
    CuVariable *self = cu->frame ? cu->frame->self : NULL;
    if (self)
      cu->frame->self = NULL;
    Expr *made = cu_member_default(cu, record, index).expr;
    if (self)
      cu->frame->self = self;
    bool is_array = cu_is(cu_plain(field->type), CU_ARRAY);
    return is_array && made && made->kind == EXPR_COMPOUND
               ? made->u.compound.init
               : made;
  }
  CuValue value =
      cu_construct(cu, cu_plain(field->type), (CuValues){NULL, 0}, true, span);
  return value.expr && value.expr->kind == EXPR_COMPOUND
             ? value.expr->u.compound.init
             : value.expr;
}

// An element of an array behind those that are written.
static Expr *missing_element(CuContext *cu, const CuType *type, Span span) {
  CuValue made =
      cu_construct(cu, cu_plain(type), (CuValues){NULL, 0}, false, span);
  return made.expr && made.expr->kind == EXPR_COMPOUND
             ? made.expr->u.compound.init
             : made.expr;
}

static uint32_t item_count(const CuType *type) {
  if (type->kind == CU_ARRAY)
    return type->u.array.extent < 0 ? UINT32_MAX
                                    : (uint32_t)type->u.array.extent;
  return type->u.record->is_union ? 1 : type->u.record->fields.count;
}

static bool to_designated(CuContext *cu, const CuRecord *record,
                          const CxInitItem *designated, uint32_t *index) {
  for (uint32_t i = 0; designated->field && i < record->fields.count; i++) {
    if (record->fields.data[i].name == designated->field) {
      *index = i;
      return true;
    }
  }
  CU_ERROR(cu, designated->span, bad_designator, DS(record->shown),
           DS(designated->field ? designated->field : "subscript"));
  return false;
}

static void fill_record(CuContext *cu, CuRecord *record, Cursor *cursor,
                        Span span, CuExprVec *out) {
  uint32_t n = record->is_union ? 1 : record->fields.count;
  bool needs_all = record->has_defaults;
  for (uint32_t i = 0; i < n; i++) {
    const CuField *field = &record->fields.data[i];
    if (field->base && !field->emitted)
      continue;
    if (at_end(cursor) && !needs_all)
      break;
    Expr *made = NULL;
    uint32_t wanted = i;
    const CxInitItem *next =
        at_end(cursor) ? NULL : &cursor->list->u.init_list.items[cursor->at];
    if (next && (next->field || next->index) &&
        !to_designated(cu, record, next, &wanted))
      return;
    made = !next || wanted > i ? missing_item(cu, record, i, span)
                               : next_item(cu, field->type, cursor);
    if (made)
      VEC_PUSH(cu->arena, out, made);
  }
}

static Expr *aggregate(CuContext *cu, const CuType *type, Cursor *cursor,
                       Span span) {
  CuExprVec items = {0};
  const CuType *plain = cu_plain(type);
  if (plain->kind == CU_RECORD) {
    if (!cu_require_complete(cu, plain, span))
      return cu_poison_expr(cu, span);
    fill_record(cu, plain->u.record, cursor, span, &items);
  } else {
    const CuType *element = plain->u.array.element;
    uint32_t n = item_count(plain);
    bool needs_all = cu_is_constructed(cu, element);
    if (needs_all && n > MAX_CONSTRUCTED) {
      cu_unsupported(cu, span, "an array of so many objects with constructors",
                     "assign its elements in a loop");
      return NULL;
    }
    for (uint32_t i = 0; i < n && (!at_end(cursor) || needs_all); i++) {
      Expr *made = at_end(cursor) ? missing_element(cu, element, span)
                                  : next_item(cu, element, cursor);
      if (made)
        VEC_PUSH(cu->arena, &items, made);
    }
  }
  return items.count ? cu_list_expr(cu, &items, span) : zero_list(cu, span);
}

static Expr *whole_list(CuContext *cu, const CuType *type, const CxExpr *list) {
  Cursor cursor = {list, 0};
  Expr *made = aggregate(cu, type, &cursor, list->span);
  if (!at_end(&cursor) && !cu->reports.failed)
    CU_ERROR(cu, list->u.init_list.items[cursor.at].value->span,
             excess_initialiser, DS(CU_TEXT(cu, type)),
             DU(item_count(cu_plain(type))));
  return made;
}

static CuValues list_values(CuContext *cu, const CxExpr *list) {
  uint32_t n = list->u.init_list.n_items;
  CuValue *data = ARENA_ARRAY(cu->arena, CuValue, n + 1);
  for (uint32_t i = 0; i < n; i++)
    data[i] = cu_expr(cu, list->u.init_list.items[i].value);
  return (CuValues){data, n};
}

static bool is_class_with_constructor(CuContext *cu, const CuType *type) {
  return type->kind == CU_RECORD && cu_complete_record(cu, type->u.record) &&
         type->u.record->has_constructor;
}

CuValue cu_from_list(CuContext *cu, const CuType *type, const CxExpr *list,
                     Span span) {
  const CuType *plain = cu_plain(type);
  list = cu_expanded_init(cu, list);
  uint32_t n = list->u.init_list.n_items;
  if (is_class_with_constructor(cu, plain))
    return cu_construct(cu, plain, list_values(cu, list), true, span);
  bool is_aggregate = plain->kind == CU_RECORD || plain->kind == CU_ARRAY;
  if (n == 0)
    return cu_construct(cu, plain, (CuValues){NULL, 0}, true, span);
  if (!is_aggregate && n == 1)
    return cu_convert_exactly(cu,
                              cu_operand(cu, list->u.init_list.items[0].value),
                              plain, "an initialiser");
  if (!is_aggregate) {
    CU_ERROR(cu, list->u.init_list.items[1].value->span, excess_initialiser,
             DS(CU_TEXT(cu, type)), DU(1));
    return cu_poison(cu, span);
  }
  if (n == 1) { // a copy: S{other}
    CuValue value =
        cu_expr_decltype_value(cu, list->u.init_list.items[0].value);
    if (cu_plain(value.type) == plain && plain->kind == CU_RECORD)
      return cu_operand(cu, list->u.init_list.items[0].value);
  }
  Expr *made = whole_list(cu, plain, list);
  return cu_rvalue(plain, cu_compound_literal(cu, plain, made, span), span);
}

Expr *cu_initialiser(CuContext *cu, const CuType *type, const CxExpr *init) {
  if (init->kind == CX_EXPR_STRING && cu_is(type, CU_ARRAY))
    return cu_expr(cu, init).expr;
  if (init->kind != CX_EXPR_INIT_LIST) {
    CuValue value = cu_operand(cu, init);
    return cu_convert(cu, value, type, "initialisation").expr;
  }
  init = cu_expanded_init(cu, init);
  CuValue value = cu_is(type, CU_ARRAY) && init->u.init_list.n_items
                      ? cu_rvalue(type, whole_list(cu, type, init), init->span)
                      : cu_from_list(cu, type, init, init->span);
  if (value.expr && value.expr->kind == EXPR_COMPOUND)
    return value.expr->u.compound.init;
  return value.expr;
}

// ---------------------------------------------------------------- T(…)

static CuValue from_values(CuContext *cu, const CuType *type, CuValues args,
                           Span span) {
  CuRecord *record = type->u.record;
  CuExprVec items = {0};
  for (uint32_t i = 0; i < args.count && i < record->fields.count; i++) {
    CuValue made = cu_held(cu, args.data[i], record->fields.data[i].type,
                           "an initialiser");
    if (made.expr && made.expr->kind == EXPR_COMPOUND && args.data[i].list)
      made.expr = made.expr->u.compound.init;
    if (made.expr)
      VEC_PUSH(cu->arena, &items, made.expr);
  }
  if (args.count > record->fields.count)
    CU_ERROR(cu, args.data[record->fields.count].span, excess_initialiser,
             DS(record->shown), DU(record->fields.count));
  return cu_rvalue(
      type, cu_compound_literal(cu, type, cu_list_expr(cu, &items, span), span),
      span);
}

// As an empty list would make it.
static CuValue by_default(CuContext *cu, const CuType *type, Span span) {
  CxExpr *none = ARENA_NEW(cu->arena, CxExpr);
  none->kind = CX_EXPR_INIT_LIST;
  none->span = span;
  Expr *made = whole_list(cu, type, none);
  if (!made)
    return cu_poison(cu, span);
  return cu_rvalue(type, cu_compound_literal(cu, type, made, span), span);
}

static CuValue default_record(CuContext *cu, const CuType *type, Span span) {
  return type->u.record->has_defaults ? by_default(cu, type, span)
                                      : cu_zero(cu, type, span);
}

static CuValue construct_record(CuContext *cu, const CuType *type,
                                CuValues args, bool is_braced, Span span) {
  CuRecord *record = type->u.record;
  if (!cu_require_complete(cu, type, span))
    return cu_poison(cu, span);
  bool is_copy =
      args.count == 1 && cu_is(cu_plain(args.data[0].type), CU_RECORD);
  CuOverloads *set = constructors(cu, record, span);
  CuFunction *function =
      set->found.count ? cu_choose_quietly(cu, set, NULL, args, true) : NULL;
  if (is_copy && !function) {
    uint32_t path[16], n = 0;
    if (cu_find_base(cu, cu_plain(args.data[0].type)->u.record, record, path,
                     &n))
      return cu_convert(cu, args.data[0], type, "initialisation");
  }
  if (!function && args.count == 1 && is_copy) {
    CuFunction *conversion = cu_find_conversion(cu, &args.data[0], type, true);
    if (conversion)
      return cu_call_function(cu, conversion, &args.data[0],
                              (CuValues){NULL, 0}, span);
  }
  if (function || record->has_constructor) {
    function = function ? function : cu_choose(cu, set, NULL, args, span);
    return function ? cu_call_function(cu, function, NULL, args, span)
                    : cu_poison(cu, span);
  }
  if (args.count == 0)
    return default_record(cu, type, span);
  if (args.count == 1 && args.data[0].list)
    return cu_from_list(cu, type, args.data[0].list, span);
  if (is_braced || args.count == record->fields.count)
    return from_values(cu, type, args, span);
  CU_ERROR(cu, span, cuda_no_overload, DS(record->shown), DS("(…)"));
  return cu_poison(cu, span);
}

CuValue cu_construct(CuContext *cu, const CuType *type, CuValues args,
                     bool is_braced, Span span) {
  type = cu_plain(type);
  if (cu_is_poison(type))
    return cu_poison(cu, span);
  if (type->kind == CU_RECORD)
    return construct_record(cu, type, args, is_braced, span);
  if (args.count == 0)
    return type->kind == CU_ARRAY && cu_is_constructed(cu, type)
               ? by_default(cu, type, span)
               : cu_zero(cu, type, span);
  if (args.count == 1 && args.data[0].list)
    return cu_from_list(cu, type, args.data[0].list, span);
  if (args.count == 1)
    return cu_convert_exactly(cu, args.data[0], type, "initialisation");
  CU_ERROR(cu, span, excess_initialiser, DS(CU_TEXT(cu, type)), DU(1));
  return cu_poison(cu, span);
}
