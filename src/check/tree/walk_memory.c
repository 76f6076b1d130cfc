// SPDX-License-Identifier: Apache-2.0
// Accesses and pointers.
#include "base/panic.h"
#include "check/tree/walk.h"
#include "ir/analyses/touches.h"

// ------------------------------------------------------------------ places

// Where an access goes: the address as in Touch.
typedef struct {
  const IrObject *object;
  bool is_null; // no object: no memory at all
  uint8_t n_index;
  const Term *const *index;
  const Term *byte;
  const Term *cluster_rank;
  const Term *guard; // NULL: none
  uint32_t next_arg; // behind the address
} Spot;

static void start_at_pointer(const Value *pointer, Spot *place) {
  place->next_arg = 1;
  place->is_null = pointer->kind == VALUE_POINTER && pointer->is_null;
  if (pointer->kind != VALUE_POINTER || !pointer->object)
    return;
  place->object = pointer->object;
  place->n_index = pointer->n_index;
  place->index = pointer->index;
  place->byte = pointer->term;
  place->cluster_rank = pointer->cluster_rank;
}

static void start_at_object(Walk *w, const IrNode *node, Spot *place) {
  const IrAccess *access = &node->u.access;
  const Term **index = ARENA_ARRAY(w->arena, const Term *, access->n_index);
  for (uint32_t k = 0; k < access->n_index; k++)
    index[k] = arg_signed(w, node, k);
  place->object = access->object;
  place->n_index = access->n_index;
  place->index = index;
  place->next_arg = access->n_index;
}

// `pointer`: what it is relative to, where that is no object.
static Spot walk_memory_place_of(Walk *w, const IrNode *node,
                                 const Value *pointer) {
  const IrAccess *access = &node->u.access;
  Spot place = {.byte = term_int(w->terms, 0)};
  if (access->object)
    start_at_object(w, node, &place);
  else
    start_at_pointer(pointer, &place);
  place.byte = term_add(w->terms, place.byte,
                        term_int(w->terms, (int64_t)access->offset_bytes));
  if (access->has_offset)
    place.byte =
        term_add(w->terms, place.byte, arg_signed(w, node, place.next_arg++));
  if (access->has_guard)
    place.guard = walk_arg(w, node, place.next_arg++)->term;
  return place;
}

// An address in bytes only is said by indices, if it can be.
static void walk_memory_unflatten(Walk *w, const IrNode *node, Spot *spot) {
  const IrObject *object = spot->object;
  if (!object || spot->n_index || object->rank == 0 || w->dry)
    return;
  const Term **index = ARENA_ARRAY(w->arena, const Term *, object->rank);
  const Term *byte;
  uint32_t n_bytes = ir_type_size(w->kernel->module, node->u.access.type);
  if (!walk_unflatten(w, object, n_bytes, spot->byte, index, &byte))
    return;
  spot->n_index = object->rank;
  spot->index = index;
  spot->byte = byte;
}

// ------------------------------------------------------------------ touches

static Touch *touch_new(Walk *w, const IrNode *node, const Spot *place) {
  IrTouch done;
  HD_ASSERT(ir_main_touch(node, &done));
  Touch *touch = ARENA_NEW(w->arena, Touch);
  touch->object = place->object;
  touch->n_index = place->n_index;
  for (uint32_t k = 0; k < place->n_index; k++)
    touch->index[k] = place->index[k];
  touch->byte = place->byte;
  touch->n_bytes = ir_type_size(w->kernel->module, done.type);
  touch->may_miss = done.bounds != BOUNDS_NONE;
  touch->is_read = done.is_read;
  touch->is_write = done.is_write;
  touch->is_atomic = done.is_atomic;
  touch->scope = done.scope;
  touch->proxy = done.proxy;
  touch->cluster_rank = place->cluster_rank;
  return touch;
}

static const Term *number_term(Walk *w, const Value *value) {
  if (value->kind == VALUE_INT)
    return value->is_unsigned ? value->term : value_signed(w, value);
  return value->kind == VALUE_BOOL ? value_signed(w, value) : NULL;
}

// Of anything but a number its bits: only who has the same ones is known. What
// is loaded from an array that nobody writes is a function of the index.
static const Term *stored_term(Walk *w, const IrNode *node, uint32_t k) {
  const IrNode *arg = node->args[k];
  const Value *value = walk_arg(w, node, k);
  const Term *element = map_get(&w->elements, MAP_KEY(arg));
  if (value->kind == VALUE_OPAQUE && element)
    return element;
  if (value->kind != VALUE_OPAQUE || ir_type_bits(arg->type) > 32)
    return number_term(w, value);
  return term_of(
      w->terms, walk_symbol(w, "value", arg, walk_over(w, arg), 0, UINT32_MAX));
}

static void emit_touch(Walk *w, const IrNode *node, const Spot *place) {
  if (w->dry)
    return;
  if (place->is_null) {
    if (node->u.access.bounds == BOUNDS_NONE)
      (void)walk_oblige(w, node, OBLIGATION_POINTER, term_false(w->terms));
    return;
  }
  Spot spot = *place;
  walk_memory_unflatten(w, node, &spot);
  Touch *touch = touch_new(w, node, &spot);
  if (node->op == IR_STORE && place->next_arg < node->n_args)
    touch->value = stored_term(w, node, place->next_arg);
  if (node->op == IR_RMW && place->next_arg < node->n_args)
    touch->value = number_term(w, walk_arg(w, node, place->next_arg));
  uint32_t mark = w->path.count;
  if (place->guard)
    path_push(w, place->guard);
  Step *step = step_new(w, STEP_TOUCH, node);
  step->u.touch.touch = touch;
  path_pop(w, mark);
}

// ------------------------------------------------------------------- values

static bool walk_memory_is_zero(const Term *term) {
  int64_t number;
  return term_is_constant(term, &number) && number == 0;
}

// The contents of an array that nobody writes are a function of the index.
static bool is_table(const Walk *w, const IrNode *node, const Spot *place) {
  const IrAccess *access = &node->u.access;
  const IrObject *object = place->object;
  if (!object || node->op != IR_LOAD || walk_is_written(w, object) ||
      object->kind != OBJECT_ARRAY || access->order != ORDER_PLAIN)
    return false;
  bool is_fixed =
      object->space == SPACE_GLOBAL || object->space == SPACE_CONSTANT;
  return is_fixed && object->rank > 0 && place->n_index == object->rank &&
         walk_memory_is_zero(place->byte) && access->bounds == BOUNDS_NONE &&
         ir_type_equal(access->type, object->element);
}

// For stored_term.
static void note_element(Walk *w, const IrNode *node, const Spot *place) {
  union {
    const Term *in;
    void *out;
  } entry = {
      .in = term_apply(w->terms, place->object, place->index, place->n_index)};

  bool is_known = !place->guard && walk_size(w, entry.in) <= WALK_MAX_SIZE;
  map_put(w->arena, &w->elements, MAP_KEY(node), is_known ? entry.out : NULL);
}

static bool is_signed_element(const Walk *w, const IrNode *node,
                              const IrObject *object) {
  if (object && object->param >= 0)
    return w->kernel->params.data[object->param].is_signed;
  return w->hints[node->id] != HINT_UNSIGNED;
}

// Elements of a table are the same numbers for all loads: two ranges that
// contradict each other would say that there are none.
static bool table_is_signed(Walk *w, const IrNode *node,
                            const IrObject *object) {
  static char signs[2];
  const char *known = map_get(&w->table_signs, MAP_KEY(object));
  if (known)
    return known == &signs[1];
  bool is_signed = is_signed_element(w, node, object);
  map_put(w->arena, &w->table_signs, MAP_KEY(object), &signs[is_signed]);
  return is_signed;
}

static const Value *table_value(Walk *w, const IrNode *node,
                                const Spot *place) {
  bool is_signed = table_is_signed(w, node, place->object);
  const Term *term =
      walk_known_element(w, place->object, place->index, is_signed);
  if (term && w->trusts_places)
    walk_trust(w, "constant memory holds its initial values");
  if (!term)
    term = term_apply(w->terms, place->object, place->index, place->n_index);
  uint32_t bits = ir_type_bits(node->type);
  int64_t low, high;
  type_range(bits, !is_signed, &low, &high);
  if (bits < 64)
    path_push_range(
        w, term_and(w->terms, term_le(w->terms, term_int(w->terms, low), term),
                    term_le(w->terms, term, term_int(w->terms, high))));
  const Value *value = value_int(w, bits, term, is_signed, !is_signed);
  if (!place->guard)
    return value;
  const Value *none = value_int(w, bits, term_int(w->terms, 0), true, true);
  return value_merge(w, place->guard, value, none);
}

static const Value *loaded(Walk *w, const IrNode *node, const Spot *place) {
  if (is_table(w, node, place) && ir_type_is_int(node->type)) {
    const Value *value = table_value(w, node, place);
    if (value->kind == VALUE_INT && walk_size(w, value->term) <= WALK_MAX_SIZE)
      return value;
  } else if (is_table(w, node, place)) {
    note_element(w, node, place);
  }
  if (!ir_type_is_int(node->type))
    return value_fresh(w, node, node->type);
  uint32_t bits = ir_type_bits(node->type);
  bool is_signed = is_signed_element(w, node, place->object);
  int64_t low, high;
  type_range(bits, !is_signed, &low, &high);
  const char *name = place->object ? place->object->name : "*pointer";
  const Symbol *symbol =
      walk_symbol(w, name, node, walk_over(w, node), low, high);
  return value_int(w, bits, term_of(w->terms, symbol), is_signed, !is_signed);
}

typedef const Value *(*OfPointer)(Walk *w, const IrNode *node,
                                  const Value *pointer);

// A choice between what becomes of each.
static const Value *each_choice(Walk *w, const IrNode *node, const Value *value,
                                OfPointer become) {
  if (value->kind != VALUE_CHOICE)
    return become(w, node, value);
  Value *choice = value_new(w, VALUE_CHOICE);
  *choice = *value;
  const Value **parts = ARENA_ARRAY(w->arena, const Value *, 2);
  for (uint32_t i = 0; i < 2; i++)
    parts[i] = each_choice(w, node, value->parts[i], become);
  choice->parts = parts;
  return choice;
}

static const Value *address_at(Walk *w, const IrNode *node,
                               const Value *pointer) {
  Spot place = walk_memory_place_of(w, node, pointer);
  Value *value = value_new(w, VALUE_POINTER);
  value->object = place.object;
  value->is_null = place.is_null;
  value->n_index = place.n_index;
  value->index = place.index;
  value->term = place.byte;
  value->cluster_rank = place.cluster_rank;
  return value;
}

// No device has atomic operations on a thread's own variables: through a
// pointer they lead nowhere.
static Spot touched_place(Walk *w, const IrNode *node, const Value *pointer) {
  Spot place = walk_memory_place_of(w, node, pointer);
  bool is_nowhere = pointer && ir_is_atomic(node) && place.object &&
                    place.object->space == SPACE_LOCAL;
  return is_nowhere ? walk_memory_place_of(w, node, value_lost(w)) : place;
}

// A touch of each array that it may be, where it is that one.
static void emit_touches(Walk *w, const IrNode *node, const Value *pointer) {
  ValueChoices choices;
  (void)value_choices(w, pointer, &choices); // as many as when it was made
  for (uint32_t i = 0; i < choices.n; i++) {
    Spot place = touched_place(w, node, choices.data[i].value);
    uint32_t mark = w->path.count;
    path_push(w, choices.data[i].condition);
    emit_touch(w, node, &place);
    path_pop(w, mark);
  }
}

const Value *walk_access(Walk *w, const IrNode *node) {
  const Value *pointer = node->u.access.object ? NULL : walk_arg(w, node, 0);
  bool is_choice = pointer && pointer->kind == VALUE_CHOICE;
  if (node->op == IR_ADDRESS)
    return is_choice ? each_choice(w, node, pointer, address_at)
                     : address_at(w, node, pointer);
  Spot place = touched_place(w, node, pointer); // of a choice: no object
  if (is_choice)
    emit_touches(w, node, pointer);
  else
    emit_touch(w, node, &place);
  if (node->type.kind == IR_TYPE_VOID)
    return NULL;
  return loaded(w, node, &place);
}

// ----------------------------------------------------------------- pointers

static const Value *walk_memory_moved(Walk *w, const IrNode *node,
                                      const Value *pointer) {
  Value *value = value_new(w, VALUE_POINTER);
  *value = *pointer;
  value->term = term_add(w->terms, pointer->term, arg_signed(w, node, 1));
  return value;
}

static const Value *in_block(Walk *w, const IrNode *node,
                             const Value *pointer) {
  Value *value = value_new(w, VALUE_POINTER);
  *value = *pointer;
  value->cluster_rank =
      term_mod(w->terms, arg_signed(w, node, 1), w->tree->cluster_size);
  return value;
}

static bool same_start(const Value *a, const Value *b) {
  if (a->kind != VALUE_POINTER || b->kind != VALUE_POINTER || !a->object ||
      a->object != b->object || a->n_index != b->n_index ||
      a->cluster_rank != b->cluster_rank)
    return false;
  for (uint32_t k = 0; k < a->n_index; k++)
    if (a->index[k] != b->index[k])
      return false;
  return true;
}

// It stays one of its loop, moved by `term` bytes: induct_pointers.
static bool is_head(const Value *value) {
  return value->kind == VALUE_POINTER && value->head_var && !value->object;
}

const Value *value_null(Walk *w) {
  Value *value = value_new(w, VALUE_POINTER);
  value->is_null = true;
  value->term = term_int(w->terms, 0);
  return value;
}

static bool walk_memory_is_null(const Value *value) {
  return value->kind == VALUE_POINTER && value->is_null &&
         walk_memory_is_zero(value->term);
}

// Of one that `pointer` may be: the kernel's own arrays and variables have
// addresses; a launch may pass no array.
static const Term *is_null_one(Walk *w, const Value *pointer,
                               const Term *unknown) {
  if (walk_memory_is_null(pointer))
    return term_true(w->terms);
  const IrObject *object =
      pointer->kind == VALUE_POINTER ? pointer->object : NULL;
  return object && object->param < 0 ? term_false(w->terms) : unknown;
}

const Value *walk_is_null(Walk *w, const IrNode *node) {
  const Value *a = walk_arg(w, node, 0), *b = walk_arg(w, node, 1);
  ValueChoices choices;
  if (walk_memory_is_null(a)) {
    const Value *swapped = a;
    a = b;
    b = swapped;
  }
  if (!walk_memory_is_null(b) || !value_choices(w, a, &choices))
    return NULL;
  TermTable *t = w->terms;
  const Value *fresh = value_fresh(w, node, node->type);
  const Term *is_null = term_false(t);
  for (uint32_t i = 0; i < choices.n; i++) {
    const Term *one = is_null_one(w, choices.data[i].value, fresh->term);
    is_null = term_or(t, is_null, term_and(t, choices.data[i].condition, one));
  }
  return value_bool(w, node->op == IR_EQ ? is_null : term_not(t, is_null));
}

const Value *walk_pointer(Walk *w, const IrNode *node) {
  const Value *a = walk_arg(w, node, 0);
  bool is_known = (a->kind == VALUE_POINTER && (a->object || a->is_null)) ||
                  a->kind == VALUE_CHOICE;
  if (is_head(a) && node->op == IR_PTR_ADD)
    return walk_memory_moved(w, node, a);
  switch ((int)node->op) {
  case IR_BITCAST: return is_known ? a : NULL;
  case IR_PTR_ADD:
    return is_known ? each_choice(w, node, a, walk_memory_moved) : NULL;
  case IR_MAP_SHARED:
    return is_known ? each_choice(w, node, a, in_block) : NULL;
  case IR_PTR_DIFF: {
    const Value *b = walk_arg(w, node, 1);
    if (!same_start(a, b))
      return NULL;
    return value_int(w, 64, term_sub(w->terms, a->term, b->term), true, false);
  }
  default: return NULL;
  }
}
