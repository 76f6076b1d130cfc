// SPDX-License-Identifier: Apache-2.0
// Touches: inside their arrays, aligned, and outside of holes.
#include "check/prove/bounds.h"
#include "check/prove/bounds_parts.h"
#include "check/prove/extents.h"

// ------------------------------------------------------- places in arrays

static const Term *bounds_touch_within(TermTable *t, const Term *low,
                                       const Term *term, const Term *high) {
  return term_and(t, term_le(t, low, term), term_le(t, term, high));
}

static const Term *bounds_touch_extent_of(const Bounds *b,
                                          const IrObject *object, int k) {
  return extents_are_open(b->check->kernel, object)
             ? NULL
             : tree_extent(b->tree, object, k);
}

// 0 <= index[k] < extent[k]; NULL: an extent isn't known.
static const Term *index_inside(Bounds *b, const Touch *touch, int k) {
  TermTable *t = b->terms;
  const Term *extent = bounds_touch_extent_of(b, touch->object, k);
  if (!extent)
    return NULL;
  return bounds_touch_within(t, term_int(t, 0), touch->index[k],
                             term_sub(t, extent, term_int(t, 1)));
}

// Without a text where nothing is vague.
static CheckReason vague_reason(Bounds *b, const Touch *touch) {
  CheckVague vague = {0};
  for (int k = 0; k < touch->n_index; k++)
    check_vague(touch->index[k], &vague);
  check_vague(touch->byte, &vague);
  const char *name = touch->object->name ? touch->object->name : "memory";
  if (vague.table)
    return check_reason(b->check, WORD_state_table_bounded, WORD_need_bounded,
                        vague.table->name, name);
  CheckReason reason = {0};
  if (vague.value)
    reason.text = check_vague_value(b->check->arena, vague.value, "the index");
  return reason;
}

static bool is_inside_element(const Touch *touch) {
  int64_t byte;
  return touch->n_index == touch->object->rank &&
         term_is_constant(touch->byte, &byte) && byte >= 0 &&
         byte + touch->n_bytes <= touch->object->element_bytes;
}

// Elements of the dimensions behind the first `from`; NULL: not known.
static const Term *bounds_touch_elements(Bounds *b, const IrObject *object,
                                         int from) {
  const Term *product = term_int(b->terms, 1);
  for (int k = from; k < object->rank; k++) {
    const Term *extent = bounds_touch_extent_of(b, object, k);
    if (!extent)
      return NULL;
    product = term_mul(b->terms, product, extent);
  }
  return product;
}

// The bytes lie in the last row that the indices name: condition, or NULL.
static const Term *inside_row(Bounds *b, const Touch *touch) {
  TermTable *t = b->terms;
  const IrObject *object = touch->object;
  if (touch->n_index != object->rank || object->rank == 0)
    return NULL;
  const Term *all = term_true(t);
  int last = object->rank - 1;
  for (int k = 0; k < last; k++) {
    const Term *inside = index_inside(b, touch, k);
    if (!inside)
      return NULL;
    all = term_and(t, all, inside);
  }
  const Term *extent = bounds_touch_extent_of(b, object, last);
  if (!extent)
    return NULL;
  int64_t size = object->element_bytes;
  const Term *from =
      term_add(t, term_scale(t, touch->index[last], size), touch->byte);
  const Term *room =
      term_sub(t, term_scale(t, extent, size), term_int(t, touch->n_bytes));
  return term_and(t, all, bounds_touch_within(t, term_int(t, 0), from, room));
}

// Bytes from the start of a dense array: condition, or NULL.
static const Term *inside_object(Bounds *b, const Touch *touch) {
  TermTable *t = b->terms;
  const IrObject *object = touch->object;
  const Term *all = bounds_touch_elements(b, object, 0);
  if (!all || (object->has_strides && touch->n_index))
    return NULL;
  const Term *element = term_int(t, 0);
  for (int k = 0; k < touch->n_index; k++) {
    const Term *below = bounds_touch_elements(b, object, k + 1);
    element = term_add(t, element, term_mul(t, touch->index[k], below));
  }
  const Term *from =
      term_add(t, term_scale(t, element, object->element_bytes), touch->byte);
  const Term *room = term_sub(t, term_scale(t, all, object->element_bytes),
                              term_int(t, touch->n_bytes));
  return bounds_touch_within(t, term_int(t, 0), from, room);
}

static void note_open(Bounds *b, const IrObject *object) {
  if (object->param >= 0)
    VEC_PUSH(b->check->arena, &b->check->report->open_params,
             (uint32_t)object->param);
}

static void unknown_extent(Bounds *b, const Touch *touch) {
  const IrObject *object = touch->object;
  note_open(b, object);
  if (map_has(&b->told, MAP_KEY(object)))
    return;
  map_put(b->check->arena, &b->told, MAP_KEY(object), b);
  const char *name = object->name ? object->name : "memory";
  bool is_enough = true;
  bool has_hint =
      object->is_plain_pointer && check_has(b->check, CHECK_OPEN_INPUT);
  const char *hint =
      has_hint ? extents_hint(b->check, b->step, touch, &is_enough) : NULL;
  CheckReason reason = object->is_plain_pointer
                           ? check_reason(b->check, WORD_state_length,
                                          WORD_need_length, name, hint)
                           : check_reason(b->check, WORD_state_shared_bytes,
                                          WORD_need_shared_bytes, NULL, NULL);
  reason.text = arena_printf(
      b->check->arena,
      "the number of elements of '%s' is unknown: state it with %s%s", name,
      reason.text, is_enough ? "" : ", if that is enough");
  Suspect suspect = {.kind = SUSPECT_BOUNDS,
                     .a = b->step,
                     .is_for_none = true,
                     .is_of_extent = true,
                     .reason = reason};
  check_suspect(b->check, &suspect);
}

static void check_elements(Bounds *b, const Touch *touch) {
  CheckReason vague = vague_reason(b, touch);
  bool all = true;
  for (int k = 0; k < touch->n_index && all; k++) {
    const Term *inside = index_inside(b, touch, k);
    if (!inside) {
      unknown_extent(b, touch);
      return;
    }
    all = bounds_holds(b, SUSPECT_BOUNDS, inside, vague,
                       "the index may be outside of the array");
  }
  if (all)
    check_proved(b->check);
  else
    note_open(b, touch->object);
}

static void check_bytes(Bounds *b, const Touch *touch) {
  CheckReason vague = vague_reason(b, touch);
  const Term *row = inside_row(b, touch);
  const Term *object = inside_object(b, touch);
  if (!row && !object) {
    unknown_extent(b, touch);
    return;
  }
  if (row && (!object || solver_proves(b->check->solver, b->step->path, row)))
    object = row;
  if (bounds_holds(b, SUSPECT_BOUNDS, object, vague,
                   "the access may leave the array"))
    check_proved(b->check);
  else
    note_open(b, touch->object);
}

// ------------------------------------------------------- alignment

static const char aligned_text[] = "pointers are aligned to 256 bytes";

static bool requires_aligned(const IrHost *x, const IrObject *object,
                             uint32_t align) {
  if (x->op == HOST_LOGICAL_AND)
    return requires_aligned(x->args[0], object, align) ||
           requires_aligned(x->args[1], object, align);
  return x->op == HOST_ALIGNED && x->object == object && x->n_args &&
         x->args[0]->op == HOST_CONST && x->args[0]->number > 0 &&
         x->args[0]->number % align == 0;
}

static bool base_is_aligned(const Bounds *b, const IrObject *object,
                            uint32_t align) {
  if (object->align_bytes && object->align_bytes % align == 0)
    return true;
  const IrKernel *kernel = b->check->kernel;
  for (uint32_t i = 0; i < kernel->requirements.count; i++) {
    const IrRequire *r = &kernel->requirements.data[i];
    if (r->condition && requires_aligned(r->condition, object, align))
      return true;
  }
  return false;
}

// What cudaMalloc gives.
static bool is_trusted_aligned(const Bounds *b, const IrObject *object,
                               uint32_t align) {
  enum { CUDA_ALIGN = 256 };

  return check_has(b->check, CHECK_TRUST_ALIGNMENT) && object->param >= 0 &&
         CUDA_ALIGN % align == 0;
}

static void note_aligned(Bounds *b, const IrObject *object, uint32_t align) {
  AlignedParam need = {(uint32_t)object->param, align};
  if (!base_is_aligned(b, object, align))
    VEC_PUSH(b->check->arena, &b->check->report->aligned_params, need);
}

static const Term *linear_bytes(Bounds *b, const Touch *touch) {
  TermTable *t = b->terms;
  const IrObject *object = touch->object;
  const Term *from = touch->byte;
  if (object->has_strides && touch->n_index)
    return NULL;
  for (int k = 0; k < touch->n_index; k++) {
    const Term *below = bounds_touch_elements(b, object, k + 1);
    if (!below)
      return NULL;
    const Term *at = term_scale(t, touch->index[k], object->element_bytes);
    from = term_add(t, from, term_mul(t, at, below));
  }
  return from;
}

static uint32_t needed_alignment(const IrNode *node) {
  if (!node)
    return 0;
  if (ir_is_bulk(node))
    return node->u.copy.align_bytes;
  return ir_op_info(node)->form == FORM_ACCESS ? node->u.access.align_bytes : 0;
}

// `touch` begins where the access does.
static void check_alignment(Bounds *b, const Touch *touch) {
  uint32_t align = needed_alignment(b->step->node);
  const IrObject *object = touch->object;
  int64_t byte;
  bool is_natural = term_is_constant(touch->byte, &byte) && align &&
                    byte % align == 0 && object->element_bytes % align == 0 &&
                    object->align_bytes % align == 0;
  if (align < 2 || is_natural)
    return;
  if (is_trusted_aligned(b, object, align)) {
    bounds_trust(b, aligned_text);
    note_aligned(b, object, align);
  } else if (!base_is_aligned(b, object, align)) {
    const char *name = object->name ? object->name : "memory";
    const char *need = arena_printf(
        b->check->arena, "requires(aligned(%s, %u))", name, (unsigned)align);
    const char *text = arena_printf(
        b->check->arena,
        "an access of %u bytes must be aligned, and the alignment of '%s' "
        "is unknown: state it with %s",
        (unsigned)align, name, need);
    bounds_tell(b, SUSPECT_BOUNDS, (CheckReason){.text = text, .need = need});
    return;
  }
  const Term *from = linear_bytes(b, touch);
  if (!from) {
    bounds_tell(b, SUSPECT_BOUNDS,
                (CheckReason){.text =
                                  "the strides of the array may misalign the "
                                  "access"});
    return;
  }
  const Term *rest = term_mod(b->terms, from, term_int(b->terms, align));
  if (bounds_holds(b, SUSPECT_BOUNDS,
                   term_eq(b->terms, rest, term_int(b->terms, 0)),
                   (CheckReason){0}, "the access may be misaligned"))
    check_proved(b->check);
}

// ------------------------------------------------------- holes

// What a CUDA program does to the bytes of its mbarriers isn't seen in the
// mbarriers, which are objects of their own: so nothing may touch them.
static void check_holes(Bounds *b, const Touch *touch) {
  const IrObject *object = touch->object;
  if (object->holes.count == 0)
    return;
  TermTable *t = b->terms;
  const Term *from = linear_bytes(b, touch);
  const char *plain = arena_printf(
      b->check->arena, "the access may touch an mbarrier that lies in '%s'",
      object->name);
  if (!from)
    bounds_tell(b, SUSPECT_BOUNDS, (CheckReason){.text = plain});
  for (uint32_t i = 0; i < object->holes.count && from; i++) {
    const IrHole *hole = &object->holes.data[i];
    const Term *end = term_add(t, from, term_int(t, touch->n_bytes));
    const Term *apart =
        term_or(t, term_le(t, end, term_int(t, (int64_t)hole->begin)),
                term_le(t, term_int(t, (int64_t)hole->end), from));
    if (!bounds_holds(b, SUSPECT_BOUNDS, apart, vague_reason(b, touch), plain))
      return;
    check_proved(b->check);
  }
}

void bounds_check_touch(Bounds *b) {
  const Touch *touch = b->step->u.touch.touch;
  if (!touch->object) {
    if (!touch->may_miss)
      bounds_tell(b, SUSPECT_BOUNDS,
                  (CheckReason){.text =
                                    "the array that the pointer points into "
                                    "is unknown"});
    return;
  }
  if (!touch->may_miss) {
    if (is_inside_element(touch))
      check_elements(b, touch);
    else
      check_bytes(b, touch);
  }
  check_holes(b, touch);
  Touch first = *touch;
  if (touch->start)
    first.byte = touch->start;
  check_alignment(b, &first);
}
