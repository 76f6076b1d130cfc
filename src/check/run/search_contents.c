// SPDX-License-Identifier: Apache-2.0
// What arrays hold in a run that shows a bug, in words that `heddle run` takes:
// of those whose elements decide what is touched, or where threads go.
#include "check/prove/decisive.h"
#include "check/run/search.h"
#include "check/run/trial.h"
#include "ir/form/float_format.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// Longer ones aren't listed.
enum { MOST_ELEMENTS = 64 };

typedef struct {
  const Check *check;
  const ConcreteLaunch *launch;
  const Decisive *decisive;
  bool *is_decisive; // by parameter
  Trial trial;
  bool has_random; // of one that isn't listed
  Text *text;
} Contents;

static bool search_contents_note_load(IrNode *node, void *context) {
  Contents *c = context;
  bool is_read = node->op == IR_LOAD;
  if (is_read && node->u.access.object && node->u.access.object->param >= 0 &&
      decisive_has(c->decisive, node))
    c->is_decisive[node->u.access.object->param] = true;
  return true;
}

// ----------------------------------------------------------------- elements

typedef struct {
  const IrParam *param;
  IrType type; // of an element
  int64_t n;
} Array;

static int64_t search_contents_count_of(const Contents *c,
                                        const IrParam *param) {
  const IrObject *object = param->object;
  int64_t n = 1;
  if (param->kind == PARAM_POINTER)
    return object->element_bytes
               ? (int64_t)(c->trial.arrays[object->param].size_bytes /
                           object->element_bytes)
               : 0;
  for (uint32_t i = 0; i < object->rank; i++)
    n *= (int64_t)c->trial.slots[param->slot + 1 + i];
  return n;
}

static uint64_t bits_at(const Contents *c, const Array *a, int64_t number) {
  const IrObject *object = a->param->object;
  const uint64_t *slots = c->trial.slots + a->param->slot;
  int64_t offset = 0, rest = number;
  for (uint32_t i = object->rank; i-- > 0 && a->param->kind == PARAM_ARRAY;) {
    int64_t extent = (int64_t)slots[1 + i];
    offset += rest % extent * (int64_t)slots[1 + object->rank + i];
    rest /= extent;
  }
  if (a->param->kind == PARAM_POINTER)
    offset = number;
  uint64_t bits = 0;
  memcpy(&bits,
         (const char *)c->trial.arrays[object->param].data +
             offset * (int64_t)object->element_bytes,
         (ir_type_bits(a->type) + 7) / 8);
  return bits;
}

static double real_of(const Array *a, uint64_t bits) {
  return float_bits_to_double(ir_float_format(a->type), bits);
}

static int64_t integer_of(const Array *a, uint64_t bits) {
  uint32_t width = ir_type_bits(a->type);
  if (a->param->is_signed && width < 64) {
    uint64_t sign = UINT64_C(1) << (width - 1);
    return (int64_t)((bits ^ sign) - sign);
  }
  return (int64_t)bits;
}

static bool search_contents_is_number(const Contents *c, const Array *a,
                                      int64_t number, int64_t value) {
  uint64_t bits = bits_at(c, a, number);
  return ir_type_is_float(a->type) ? real_of(a, bits) == (double)value
                                   : integer_of(a, bits) == value;
}

// --------------------------------------------------------------------- text

static void search_contents_add_element(const Contents *c, const Array *a,
                                        int64_t number) {
  uint64_t bits = bits_at(c, a, number);
  if (ir_type_is_float(a->type))
    text_printf(c->text, "%.9g", real_of(a, bits));
  else if (a->param->is_signed)
    text_printf(c->text, "%" PRId64, integer_of(a, bits));
  else
    text_printf(c->text, "%" PRIu64, bits);
}

static void search_contents_add_name(const Contents *c, const Array *a) {
  text_printf(c->text, "%s%s", c->text->length ? ", " : "", a->param->name);
  if (check_has(c->check, CHECK_TELL_LENGTHS))
    text_printf(c->text, "[%" PRId64 "]", a->n);
}

// Behind the last element that is listed all are zeros.
static void add_list(const Contents *c, Array *a, int64_t n_listed) {
  search_contents_add_name(c, a);
  text_add(c->text, "=list:");
  for (int64_t i = 0; i < n_listed; i++) {
    text_add(c->text, i ? "," : "");
    search_contents_add_element(c, a, i);
  }
}

static bool is_listable(IrType type) {
  return type.kind != IR_TYPE_STRUCT && type.lanes <= 1 &&
         (ir_type_is_int(type) || type.kind == IR_TYPE_BOOL ||
          type.kind == IR_TYPE_F16 || type.kind == IR_TYPE_BF16 ||
          type.kind == IR_TYPE_F32 || type.kind == IR_TYPE_F64);
}

static void search_contents_add_array(Contents *c, const IrParam *param) {
  Array a = {param, param->object->element, search_contents_count_of(c, param)};
  if (!is_listable(a.type) || !c->trial.arrays[param->object->param].data) {
    c->has_random |= c->launch->fill == FILL_RANDOM;
    return;
  }
  int64_t n_listed = a.n;
  while (n_listed > 0 && search_contents_is_number(c, &a, n_listed - 1, 0))
    n_listed--;
  bool is_iota = true;
  for (int64_t i = 0; i < a.n && is_iota; i++)
    is_iota = search_contents_is_number(c, &a, i, i);
  if (n_listed == 0)
    return; // as they are if nothing is said
  if (is_iota) {
    search_contents_add_name(c, &a);
    text_add(c->text, "=iota");
  } else if (n_listed <= MOST_ELEMENTS) {
    add_list(c, &a, n_listed);
  } else {
    c->has_random |= c->launch->fill == FILL_RANDOM;
  }
}

static bool has_decisive(const Contents *c, const IrKernel *kernel) {
  for (uint32_t i = 0; i < kernel->params.count; i++)
    if (c->is_decisive[i] && kernel->params.data[i].object)
      return true;
  return false;
}

static void add_arrays(Contents *c, Arena *scratch, const IrKernel *kernel) {
  bool is_filled = trial_shape(&c->trial, scratch, kernel, c->launch) &&
                   trial_fill(&c->trial);
  for (uint32_t i = 0; i < kernel->params.count && is_filled; i++)
    if (c->is_decisive[i] && kernel->params.data[i].object)
      search_contents_add_array(c, &kernel->params.data[i]);
  trial_end(&c->trial);
}

const char *search_contents_text(const Check *check,
                                 const ConcreteLaunch *launch,
                                 bool *has_random) {
  Arena *scratch = arena_new();
  Text text = {.arena = check->arena};
  const IrKernel *kernel = check->kernel;
  Contents c = {.check = check, .launch = launch, .text = &text};
  c.decisive = decisive_new(scratch, kernel);
  c.is_decisive = ARENA_ARRAY(scratch, bool, kernel->params.count + 1);
  (void)ir_walk((IrRegion *)(uintptr_t)&kernel->body, search_contents_note_load,
                &c);
  if (has_decisive(&c, kernel)) // filling large ones costs more than a run
    add_arrays(&c, scratch, kernel);
  arena_free(scratch);
  *has_random = c.has_random;
  return text_cstr(&text);
}
