// SPDX-License-Identifier: Apache-2.0
// Atomics of elements and of sections, fences, and loads and stores with
// hints.
#include "sema/tile.h"

#include <string.h>

static TExpr *check_atomic_poison(const BuiltinCall *call) {
  return build_poison(call->cx, call->span);
}

// --- words as arguments: orders, scopes, hints ---

static const BuiltinWord orders[] = {{"relaxed", TORDER_RELAXED},
                                     {"acquire", TORDER_ACQUIRE},
                                     {"release", TORDER_RELEASE},
                                     {"acq_rel", TORDER_ACQ_REL},
                                     {NULL, 0}};
static const BuiltinWord load_orders[] = {
    {"relaxed", TORDER_RELAXED}, {"acquire", TORDER_ACQUIRE}, {NULL, 0}};
static const BuiltinWord store_orders[] = {
    {"relaxed", TORDER_RELAXED}, {"release", TORDER_RELEASE}, {NULL, 0}};
static const BuiltinWord scopes[] = {{"block", TSCOPE_BLOCK},
                                     {"cluster", TSCOPE_CLUSTER},
                                     {"device", TSCOPE_DEVICE},
                                     {"system", TSCOPE_SYSTEM},
                                     {NULL, 0}};
// Loads and stores have one more.
static const BuiltinWord access_scopes[] = {
    {"block", TSCOPE_BLOCK},
    {"cluster", TSCOPE_CLUSTER},
    {"device", TSCOPE_DEVICE},
    {"system", TSCOPE_SYSTEM},
    {"system_unless_shared", TSCOPE_UNLESS_SHARED},
    {NULL, 0}};
static const BuiltinWord hints[] = {{"cached", THINT_CACHED},
                                    {"streaming", THINT_STREAMING},
                                    {"last_use", THINT_LAST_USE},
                                    {NULL, 0}};

static const char *word_list(SemaContext *cx, const BuiltinWord *words) {
  Text out = {.arena = cx->arena};
  for (const BuiltinWord *at = words; at->text; at++)
    text_printf(&out, "%s%s",
                at == words  ? ""
                : at[1].text ? ", "
                             : " and ",
                at->text);
  return text_cstr(&out);
}

bool builtin_word(const BuiltinCall *call, uint32_t index,
                  const BuiltinWord *words, int fallback, int *value) {
  *value = fallback;
  if (index >= call->args->count)
    return true;
  const Expr *expr = call->args->data[index];
  for (const BuiltinWord *at = words; at->text; at++)
    if (expr->kind == EXPR_NAME && strcmp(expr->u.name, at->text) == 0) {
      *value = at->value;
      return true;
    }
  if (expr->kind != EXPR_POISON)
    SEMA_ERROR(call->cx, expr->span, argument_word, DU(index + 1),
               DS(call->name), DS(word_list(call->cx, words)));
  return false;
}

// --- what they are of ---

// Argument 0 as the place of a section, poison: reported, or NULL: it is a
// pointer, if anything.
static TExpr *atomic_section_of(const BuiltinCall *call, TExpr *place) {
  TExpr *section = tile_section_place(call->cx, place);
  if (!section && is_tile_code(call->cx) && type_is(place->type, TY_ARRAY))
    return builtin_refuse_type(call, 0, place->type,
                               "a section of constant extents, or a pointer");
  return section;
}

// --- atomics ---

// Of these, each element is added to by itself.
static bool is_pair(const Type *type) {
  return type->kind == TY_VECTOR && type->u.vector.count == 2 &&
         type->size_bytes == 4 && type_is_floating(type->u.vector.element);
}

static bool check_atomic_is_type(const Type *type, BuiltinRule rule) {
  const Type *base = type_underlying(type);
  if (is_pair(type))
    return rule == RULE_RMW_ADD;
  bool is_byte = base->size_bytes == 1 && base->kind != TY_BOOL &&
                 (rule == RULE_ATOMIC_LD || rule == RULE_ATOMIC_ST);
  bool is_sized = is_byte || base->size_bytes == 2 || base->size_bytes == 4 ||
                  base->size_bytes == 8;
  if (!is_sized || !type_is_arithmetic(base))
    return false;
  if (rule == RULE_RMW_BITS)
    return type_is_integer(base);
  if (rule == RULE_RMW_UINT)
    return type_is_integer(base) && !type_is_signed(base);
  return true;
}

static const char *atomic_needs(BuiltinRule rule) {
  if (rule == RULE_RMW_BITS)
    return "a pointer to an integer of 16, 32 or 64 bits";
  if (rule == RULE_RMW_UINT)
    return "a pointer to an unsigned integer of 16, 32 or 64 bits";
  if (rule == RULE_RMW_ADD)
    return "a pointer to a number of 16, 32 or 64 bits, half2 or bfloat162";
  if (rule == RULE_ATOMIC_LD || rule == RULE_ATOMIC_ST)
    return "a pointer to a number of 8, 16, 32 or 64 bits";
  return "a pointer to a number of 16, 32 or 64 bits";
}

static const char *section_needs(BuiltinRule rule) {
  if (rule == RULE_RMW_BITS)
    return "a section of integers of 16, 32 or 64 bits";
  if (rule == RULE_RMW_UINT)
    return "a section of unsigned integers of 16, 32 or 64 bits";
  if (rule == RULE_ATOMIC_LD || rule == RULE_ATOMIC_ST)
    return "a section of numbers of 8, 16, 32 or 64 bits";
  return "a section of numbers of 16, 32 or 64 bits";
}

// `atomic_load(p, relaxed, system_unless_shared)`
static bool may_be_ordinary(const BuiltinCall *call, BuiltinRule rule) {
  const Expr *last = call->args->data[call->args->count - 1];
  return (rule == RULE_ATOMIC_LD || rule == RULE_ATOMIC_ST) &&
         last->kind == EXPR_NAME &&
         strcmp(last->u.name, "system_unless_shared") == 0;
}

static TExpr *atomic_refuse(const BuiltinCall *call, const Type *type,
                            const char *needed) {
  builtin_refuse_type(call, 0, type, needed);
  return NULL;
}

static TExpr *atomic_pointer(const BuiltinCall *call, BuiltinRule rule,
                             TExpr *pointer) {
  const Type *type = pointer->type;
  if (expr_is_poison(pointer))
    return NULL;
  if (type->kind != TY_POINTER ||
      !check_atomic_is_type(type->u.pointer.pointee, rule))
    return atomic_refuse(call, type, atomic_needs(rule));
  if (type->u.pointer.space == TSPACE_LOCAL && !may_be_ordinary(call, rule))
    return atomic_refuse(call, type, "a pointer to memory that threads share");
  if (type->u.pointer.to_const && rule != RULE_ATOMIC_LD)
    return atomic_refuse(call, type, "a pointer to writable memory");
  return pointer;
}

static TExpr *atomic_section(const BuiltinCall *call, BuiltinRule rule,
                             TExpr *place) {
  SemaContext *cx = call->cx;
  const Type *element = place->type->u.tile.element;
  Space space = sema_var_space(place->u.section->array);
  if (type_is_packed(element)) {
    SEMA_ERROR(cx, place->span, tile_packed, DS(place->u.section->array->name),
               DU(type_bits(element)),
               DS("no atomic operation changes one, as bytes have bits of "
                  "others, too"));
    return NULL;
  }
  if (type_lacks_arithmetic(element) || !check_atomic_is_type(element, rule))
    return atomic_refuse(call, place->type, section_needs(rule));
  if (space == TSPACE_LOCAL)
    return atomic_refuse(call, place->type,
                         "a section of memory that blocks share");
  const TSection *section = place->u.section;
  if (section->load_hint || section->store_hint)
    return atomic_refuse(call, place->type, "a section without hints");
  return rule == RULE_ATOMIC_LD ||
                 check_writable(cx, place, call->name, place->span)
             ? place
             : NULL;
}

// Argument 0: a pointer, or in tile code the place of a section; NULL:
// reported.
static TExpr *atomic_target(const BuiltinCall *call, BuiltinRule rule) {
  SemaContext *cx = call->cx;
  TExpr *place = check_expr(cx, call->args->data[0]);
  TExpr *section = atomic_section_of(call, place);
  if (!section)
    return atomic_pointer(call, rule, convert_to_value(cx, place));
  return expr_is_poison(section) ? NULL : atomic_section(call, rule, section);
}

static const BuiltinWord *atomic_scopes(BuiltinRule rule) {
  bool is_access = rule == RULE_ATOMIC_LD || rule == RULE_ATOMIC_ST;
  return is_access ? access_scopes : scopes;
}

static uint32_t atomic_operands(BuiltinRule rule) {
  if (rule == RULE_ATOMIC_LD)
    return 0;
  return rule == RULE_CAS ? 2 : 1;
}

static const BuiltinWord *atomic_orders(BuiltinRule rule) {
  if (rule == RULE_ATOMIC_LD)
    return load_orders;
  return rule == RULE_ATOMIC_ST ? store_orders : orders;
}

TExpr *check_atomic_call(const BuiltinCall *call, BuiltinRule rule) {
  SemaContext *cx = call->cx;
  uint32_t n_values = 1 + atomic_operands(rule);
  if (!builtin_takes(call, n_values, n_values + 2))
    return check_atomic_poison(call);
  TExpr *args[3] = {NULL};
  args[0] = atomic_target(call, rule);
  if (!args[0])
    return check_atomic_poison(call);
  const Type *type = args[0]->type;
  type = is_tile(args[0]) ? type : type->u.pointer.pointee;
  for (uint32_t i = 1; i < n_values; i++) {
    args[i] = check_value(cx, call->args->data[i]);
    args[i] = convert_assign(
        cx, args[i], type,
        sema_format(cx, "argument %u of '%s'", i + 1, call->name));
    if (expr_is_poison(args[i]))
      return check_atomic_poison(call);
  }
  int order, scope;
  if (!builtin_word(call, n_values, atomic_orders(rule), TORDER_RELAXED,
                    &order) ||
      !builtin_word(call, n_values + 1, atomic_scopes(rule), TSCOPE_DEVICE,
                    &scope))
    return check_atomic_poison(call);
  const Type *result = rule == RULE_ATOMIC_ST ? sema_basic(cx, TY_VOID) : type;
  TExpr *value = build_call_builtin(cx, call->builtin->id, result, args,
                                    n_values, call->span);
  value->u.builtin.order = (TOrder)order;
  value->u.builtin.scope = (TScope)scope;
  return value;
}

TExpr *check_fence_call(const BuiltinCall *call) {
  int scope;
  if (!builtin_takes(call, 1, 1) ||
      !builtin_word(call, 0, scopes, TSCOPE_DEVICE, &scope))
    return check_atomic_poison(call);
  TExpr *fence = build_call_builtin(
      call->cx, BI_FENCE, sema_basic(call->cx, TY_VOID), NULL, 0, call->span);
  fence->u.builtin.scope = (TScope)scope;
  return fence;
}

// --- hints ---

static bool is_hinted_type(const Type *type) {
  return type_is_scalar(type) || type->kind == TY_VECTOR;
}

// load(A[…], hint), store(A[…], hint): places, as what else stands around
// sections.
static TExpr *hint_section(const BuiltinCall *call, TExpr *place,
                           bool is_store) {
  int hint;
  if (!builtin_takes(call, 2, 2) || expr_is_poison(place) ||
      !builtin_word(call, 1, hints, THINT_CACHED, &hint))
    return check_atomic_poison(call);
  TExpr *result = tile_around(call, place);
  TSection *section = result->u.section;
  THint *to = is_store ? &section->store_hint : &section->load_hint;
  if (!tile_around_once(call, *to != THINT_NONE))
    return check_atomic_poison(call);
  *to = (THint)hint;
  return result;
}

TExpr *check_hint_call(const BuiltinCall *call, BuiltinRule rule) {
  SemaContext *cx = call->cx;
  bool is_store = rule == RULE_STORE_HINT;
  uint32_t n_values = is_store ? 2 : 1;
  TExpr *place = call->args->count ? check_expr(cx, call->args->data[0]) : NULL;
  TExpr *section = place ? atomic_section_of(call, place) : NULL;
  if (section)
    return hint_section(call, section, is_store);
  if (!builtin_takes(call, n_values + 1, n_values + 1))
    return check_atomic_poison(call);
  TExpr *args[2];
  args[0] = convert_to_value(cx, place);
  if (expr_is_poison(args[0]))
    return args[0];
  const Type *type = args[0]->type;
  if (type->kind != TY_POINTER || !is_hinted_type(type->u.pointer.pointee))
    return builtin_refuse_type(call, 0, type,
                               "a pointer to a number or a short vector");
  if (is_store && type->u.pointer.to_const)
    return builtin_refuse_type(call, 0, type, "a pointer to writable memory");
  const Type *element = type->u.pointer.pointee;
  if (is_store) {
    args[1] = check_value(cx, call->args->data[1]);
    args[1] = convert_assign(cx, args[1], element,
                             sema_format(cx, "argument 2 of '%s'", call->name));
    if (expr_is_poison(args[1]))
      return check_atomic_poison(call);
  }
  int hint;
  if (!builtin_word(call, n_values, hints, THINT_CACHED, &hint))
    return check_atomic_poison(call);
  const Type *result = is_store ? sema_basic(cx, TY_VOID) : element;
  TExpr *value = build_call_builtin(cx, call->builtin->id, result, args,
                                    n_values, call->span);
  value->u.builtin.hint = (THint)hint;
  return value;
}
