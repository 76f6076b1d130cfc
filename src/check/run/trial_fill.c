// SPDX-License-Identifier: Apache-2.0
// Contents of arrays: zeros, counting, or at random, as what the kernel
// requires of them allows.
#include "check/run/trial_fill.h"
#include "base/rescue.h"
#include "ir/analyses/alias.h"
#include "ir/form/float_format.h"
#include <stdlib.h>
#include <string.h>

// Elements from `first` up to `last`, in row-major order.
typedef struct {
  bool is_any;
  int64_t first, last;
} Range;

// What the requirements say of one array, as far as they are a conjunction.
// Where several name positions, more is made to hold: all between them.
typedef struct {
  Range injective, monotone;
  bool is_bounded;
  int64_t low, high; // values
} Wanted;

typedef struct {
  Trial *trial;
  const IrParam *param;
  Wanted wanted;
  int64_t n; // elements
  uint64_t random;
  const int64_t *permutation; // of the injective elements, at random
} Filling;

static uint64_t next_random(uint64_t *state) {
  *state += UINT64_C(0x9e3779b97f4a7c15);
  uint64_t z = *state;
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

// ----------------------------------------------------------------- values

static void fill_scalar(IrTypeKind kind, char *to, int64_t number,
                        double real) {
  IrType type = ir_scalar(kind);
  uint64_t bits = (uint64_t)number;
  if (kind == IR_TYPE_PTR || kind == IR_TYPE_VOID)
    return;
  if (kind == IR_TYPE_BOOL)
    bits = number & 1;
  else if (!ir_type_is_int(type))
    bits = kind == IR_TYPE_E4M3 || kind == IR_TYPE_E5M2
               ? 0x38 // about one
               : float_bits_from_double(ir_float_format(type), real);
  memcpy(to, &bits, (ir_type_bits(type) + 7) / 8);
}

void fill_value(const IrModule *module, IrType type, char *to, int64_t number,
                double real) {
  if (type.kind != IR_TYPE_STRUCT) {
    IrType scalar = ir_scalar((IrTypeKind)type.kind);
    uint32_t size = ir_type_size(module, scalar);
    for (uint32_t i = 0; i < type.lanes; i++)
      fill_scalar((IrTypeKind)type.kind, to + i * size, number, real);
    return;
  }
  const IrStruct *row = module->structs.data[type.index];
  for (uint32_t i = 0; i < row->leaves.count; i++) {
    const IrLeaf *leaf = &row->leaves.data[i];
    IrType scalar = ir_scalar((IrTypeKind)leaf->type.kind);
    uint32_t size = ir_type_size(module, scalar);
    for (uint32_t k = 0; k < leaf->type.lanes; k++)
      fill_scalar((IrTypeKind)leaf->type.kind,
                  to + leaf->offset_bytes + k * size, number, real);
  }
}

// ----------------------------------------------------------- requirements

// Of a plain pointer, all that the run gives it.
static int64_t trial_fill_count_of(const Trial *trial, const IrParam *param) {
  const IrObject *object = param->object;
  int64_t n = 1;
  if (param->kind == PARAM_POINTER) {
    const InterpMemory *memory =
        &trial->arrays[param - trial->kernel->params.data];
    return object->element_bytes > 0
               ? (int64_t)(memory->size_bytes / object->element_bytes)
               : 0;
  }
  for (uint32_t i = 0; i < object->rank; i++)
    n *= (int64_t)trial->slots[param->slot + 1 + i];
  return n;
}

static int64_t trial_fill_clamp(int64_t value, int64_t most) {
  return value < 0 ? 0 : value > most ? most : value;
}

// The elements that the bounds of a predicate name by their positions along
// the first dimension.
static bool trial_fill_find_range(const Trial *trial, const IrParam *param,
                                  const IrHost *x, Range *out) {
  int64_t n = trial_fill_count_of(trial, param), rows = n, first = 0, last;
  if (param->kind == PARAM_ARRAY && param->object->rank > 1 && n > 0)
    rows = (int64_t)trial->slots[param->slot + 1];
  last = rows;
  if ((x->args[0] && !trial_evaluate(trial, x->args[0], &first)) ||
      (x->args[1] && !trial_evaluate(trial, x->args[1], &last)))
    return false;
  int64_t row = rows > 0 ? n / rows : 0;
  out->first = trial_fill_clamp(first, rows) * row;
  out->last = trial_fill_clamp(last, rows) * row;
  out->is_any = out->first < out->last;
  return true;
}

static void note_range(Filling *f, const IrHost *x, Range *to) {
  Range range;
  if (!trial_fill_find_range(f->trial, f->param, x, &range) || !range.is_any)
    return;
  if (to->is_any && to->first < range.first)
    range.first = to->first;
  if (to->is_any && to->last > range.last)
    range.last = to->last;
  *to = range;
}

static void note_wanted(Filling *f, const IrHost *x, int depth) {
  Wanted *w = &f->wanted;
  if (!x || depth > 64)
    return;
  if (x->op == HOST_LOGICAL_AND) {
    note_wanted(f, x->args[0], depth + 1);
    note_wanted(f, x->args[1], depth + 1);
    return;
  }
  if (!x->object || x->object->param < 0 ||
      x->object->param != f->param->object->param)
    return; // by number: of a copy of the kernel, they are those of the first
  if (x->op == HOST_INJECTIVE)
    note_range(f, x, &w->injective);
  if (x->op == HOST_MONOTONE)
    note_range(f, x, &w->monotone);
  int64_t low, high;
  if (x->op != HOST_BOUNDED || !x->args[0] || !x->args[1] ||
      !trial_evaluate(f->trial, x->args[0], &low) ||
      !trial_evaluate(f->trial, x->args[1], &high))
    return;
  if (!w->is_bounded || low > w->low)
    w->low = low;
  if (!w->is_bounded || high < w->high)
    w->high = high;
  w->is_bounded = true;
}

static void find_wanted(Filling *f) {
  const IrKernel *kernel = f->trial->kernel;
  for (uint32_t i = 0; i < kernel->requirements.count; i++)
    if (kernel->requirements.data[i].kind == REQUIRE_CONTENTS)
      note_wanted(f, kernel->requirements.data[i].condition, 0);
}

static bool trial_fill_is_in(const Range *range, int64_t number) {
  return range->is_any && number >= range->first && number < range->last;
}

static int64_t at_random(Filling *f, int64_t number) {
  const Wanted *w = &f->wanted;
  uint64_t random = next_random(&f->random);
  if (trial_fill_is_in(&w->injective, number)) {
    number -= w->injective.first;
    return w->low + (f->permutation ? f->permutation[number] : number);
  }
  if (trial_fill_is_in(&w->monotone, number)) {
    int64_t step = number * 2 - (int64_t)(random % 2);
    return w->is_bounded ? w->low + step * (w->high - w->low) / (2 * f->n + 1)
                         : step;
  }
  if (w->is_bounded)
    return w->low + (int64_t)(random % (uint64_t)(w->high - w->low));
  // Places, mostly; numbers that conditions may compare with, too.
  uint64_t seed = f->trial->given->seed;
  if (seed > 0 && seed % 4 == 0)
    return (int64_t)(random % 1024);
  return (int64_t)(random % (uint64_t)(2 * f->n + 4)) - 2;
}

static int64_t integer_at(Filling *f, int64_t number) {
  const Wanted *w = &f->wanted;
  bool is_iota = f->trial->given->fill == FILL_IOTA;
  if (f->trial->given->fill == FILL_RANDOM)
    return at_random(f, number);
  bool is_monotone = trial_fill_is_in(&w->monotone, number);
  if (trial_fill_is_in(&w->injective, number))
    return w->low + (is_iota || is_monotone ? number - w->injective.first
                                            : w->injective.last - 1 - number);
  int64_t value = is_iota ? number : 0;
  if (!w->is_bounded)
    return value;
  if (is_iota && !is_monotone)
    return w->low + value % (w->high - w->low);
  value += w->low;
  return value < w->high ? value : w->high - 1;
}

// As many of a permutation of 0 … high - low - 1 as are injective.
static void permute(Filling *f) {
  const Range *range = &f->wanted.injective;
  int64_t room = f->wanted.high - f->wanted.low;
  if (!range->is_any || f->wanted.monotone.is_any || room > 1 << 20 ||
      f->trial->given->fill != FILL_RANDOM)
    return;
  int64_t *all = ARENA_ARRAY(f->trial->arena, int64_t, (size_t)room);
  for (int64_t i = 0; i < room; i++)
    all[i] = i;
  for (int64_t i = 0; i < range->last - range->first; i++) {
    int64_t k = i + (int64_t)(next_random(&f->random) % (uint64_t)(room - i));
    int64_t value = all[i];
    all[i] = all[k];
    all[k] = value;
  }
  f->permutation = all;
}

// ----------------------------------------------------------------- arrays

static char *trial_fill_element_at(const Trial *trial, const IrParam *param,
                                   int64_t number) {
  const IrObject *object = param->object;
  const uint64_t *slots = &trial->slots[param->slot];
  if (param->kind == PARAM_POINTER || !object->has_strides)
    return (char *)(uintptr_t)slots[0] +
           number * (int64_t)object->element_bytes;
  int64_t offset = 0;
  for (uint32_t i = object->rank; i-- > 0;) {
    int64_t extent = (int64_t)slots[1 + i];
    offset += number % extent * (int64_t)slots[1 + object->rank + i];
    number /= extent;
  }
  return (char *)(uintptr_t)slots[0] + offset * (int64_t)object->element_bytes;
}

static bool is_possible(Filling *f) {
  Wanted *w = &f->wanted;
  int64_t n_apart = w->injective.last - w->injective.first;
  if (w->injective.is_any && !w->is_bounded) {
    w->is_bounded = true;
    w->high = f->param->kind == PARAM_POINTER ? n_apart : f->n;
  }
  int64_t room;
  if (!w->is_bounded || f->n == 0)
    return true;
  return !__builtin_sub_overflow(w->high, w->low, &room) && room > 0 &&
         (!w->injective.is_any || room >= n_apart);
}

typedef struct {
  const IrObject *object;
  bool is_found;
} Atomics;

static bool find_atomic(IrNode *node, void *context) {
  Atomics *atomics = context;
  if (!ir_is_atomic(node))
    return true;
  const IrObject *at = ir_target_object(node);
  bool may_reach = !at && atomics->object->address_taken &&
                   ir_type_is_int(atomics->object->element) &&
                   ir_pointer_may_reach(node, atomics->object);
  atomics->is_found |= at == atomics->object || may_reach;
  return !atomics->is_found;
}

// Counters and flags begin with zeros, although nothing requires it: what
// happens otherwise is hardly what anybody asks. What an object of C++ updates
// through its pointer may be any array of integers that decays to one.
static bool trial_fill_is_counter(const Trial *trial, const IrObject *object) {
  Atomics atomics = {.object = object};
  (void)ir_walk((IrRegion *)(uintptr_t)&trial->kernel->body, find_atomic,
                &atomics);
  return atomics.is_found;
}

static double real_at(ConcreteFill fill, int64_t i, uint64_t *random) {
  if (fill == FILL_IOTA)
    return (double)i;
  return fill == FILL_RANDOM
             ? (double)(next_random(random) >> 40) / (1 << 20) - 8
             : 0;
}

static bool fill_array(Trial *trial, uint32_t number) {
  const IrParam *param = &trial->kernel->params.data[number];
  Filling f = {.trial = trial, .param = param};
  f.random = trial->given->seed * 77 + number;
  f.n = trial_fill_count_of(trial, param);
  find_wanted(&f);
  if (trial->large[number] &&
      (f.wanted.is_bounded || f.wanted.injective.is_any)) {
    trial->why = "an array is too large";
    return false;
  }
  if (!is_possible(&f)) {
    trial->why = "no contents satisfy the requirements";
    return false;
  }
  bool is_zero = trial->given->fill == FILL_ZEROS || trial->large[number] ||
                 trial_fill_is_counter(trial, param->object);
  if (is_zero && !f.wanted.is_bounded)
    return true;
  permute(&f);
  trial->n_filled += (uint64_t)f.n;
  bool is_float = param->object->element.kind == IR_TYPE_F32 &&
                  param->object->element.lanes <= 1;
  for (int64_t i = 0; i < f.n; i++) {
    double real = real_at(trial->given->fill, i, &f.random);
    char *to = trial_fill_element_at(trial, param, i);
    if (is_float)
      memcpy(to, &(float){(float)real}, sizeof(float));
    else
      fill_value(trial->kernel->module, param->object->element, to,
                 integer_at(&f, i), real);
  }
  return true;
}

static bool is_wanted(Trial *trial, uint32_t number) {
  Filling f = {.trial = trial, .param = &trial->kernel->params.data[number]};
  find_wanted(&f);
  return f.wanted.is_bounded || f.wanted.injective.is_any ||
         f.wanted.monotone.is_any;
}

// What a plain pointer points to of which nothing is required: the start of it,
// where that is real numbers, so that stores of them differ. Integers stay
// zeros: they may be places, and nothing says which ones are right.
static void fill_pointer(Trial *trial, uint32_t number) {
  enum { MOST_ELEMENTS = 8192 };

  const IrObject *object = trial->kernel->params.data[number].object;
  if (!ir_type_is_float(object->element) || object->element_bytes == 0 ||
      trial->large[number] || trial_fill_is_counter(trial, object))
    return;
  uint64_t random = trial->given->seed * 77 + number;
  char *data = trial->arrays[number].data;
  int64_t n =
      (int64_t)(trial->arrays[number].size_bytes / object->element_bytes);
  for (int64_t i = 0; i < n && i < MOST_ELEMENTS; i++)
    fill_value(trial->kernel->module, object->element,
               data + i * object->element_bytes, 0,
               real_at(trial->given->fill, i, &random));
}

// --------------------------------------------------------------- contents

typedef struct {
  int64_t value;
} Value;

static int64_t read_integer(const IrParam *param, const char *at) {
  uint32_t bits = ir_type_bits(param->object->element);
  uint64_t value = 0;
  memcpy(&value, at, (bits + 7) / 8);
  if (param->is_signed && bits < 64) {
    uint64_t sign = UINT64_C(1) << (bits - 1);
    return (int64_t)((value ^ sign) - sign);
  }
  return value > INT64_MAX && !param->is_signed ? INT64_MAX : (int64_t)value;
}

static int by_value(const void *a, const void *b) {
  const Value *x = a, *y = b;
  return x->value < y->value ? -1 : x->value > y->value;
}

static bool values_hold(const Trial *trial, const IrHost *x) {
  const IrParam *param = &trial->kernel->params.data[x->object->param];
  int64_t low = INT64_MIN, high = INT64_MAX;
  Range range = {true, 0, trial_fill_count_of(trial, param)};
  bool has_bounds = x->op == HOST_BOUNDED && x->args[0] && x->args[1];
  if (has_bounds && (!trial_evaluate(trial, x->args[0], &low) ||
                     !trial_evaluate(trial, x->args[1], &high)))
    return false;
  if (x->op != HOST_BOUNDED && !trial_fill_find_range(trial, param, x, &range))
    return false;
  int64_t n = range.last > range.first ? range.last - range.first : 0;
  Value *values = ARENA_ARRAY(trial->arena, Value, (size_t)n + 1);
  bool holds = true;
  for (int64_t i = 0; i < n; i++) {
    values[i].value = read_integer(
        param, trial_fill_element_at(trial, param, range.first + i));
    holds &= !has_bounds || (values[i].value >= low && values[i].value < high);
    holds &= x->op != HOST_MONOTONE || i == 0 ||
             values[i].value >= values[i - 1].value;
  }
  if (x->op == HOST_INJECTIVE && holds) {
    qsort(values, (size_t)n, sizeof *values, by_value);
    for (int64_t i = 1; i < n; i++)
      holds &= values[i].value != values[i - 1].value;
  }
  return holds;
}

static bool contents_hold(const Trial *trial, const IrHost *x, int depth) {
  if (depth > 64)
    return false;
  switch ((int)x->op) {
  case HOST_INJECTIVE:
  case HOST_BOUNDED:
  case HOST_MONOTONE: return values_hold(trial, x);
  case HOST_DISJOINT: return !trial->given->overlap;
  case HOST_LOGICAL_AND:
    return contents_hold(trial, x->args[0], depth + 1) &&
           contents_hold(trial, x->args[1], depth + 1);
  case HOST_LOGICAL_OR:
    return contents_hold(trial, x->args[0], depth + 1) ||
           contents_hold(trial, x->args[1], depth + 1);
  case HOST_LOGICAL_NOT: return !contents_hold(trial, x->args[0], depth + 1);
  default: return trial_is_true(trial, x);
  }
}

enum { ALIGN = 1024, LARGE = 1 << 22 };

static char *trial_fill_allocate(Trial *trial, uint32_t number,
                                 uint64_t bytes) {
  if (bytes < LARGE)
    return arena_alloc(trial->arena, bytes);
  return trial->large[number] = calloc(bytes, 1);
}

// The smaller one of each pair begins where the larger one does.
static void overlap_arrays(Trial *trial) {
  const IrKernel *kernel = trial->kernel;
  for (uint32_t i = 0; i < kernel->may_alias.count; i++) {
    int32_t a = kernel->may_alias.data[i].a->param;
    int32_t b = kernel->may_alias.data[i].b->param;
    if (a < 0 || b < 0 || kernel->may_alias.data[i].begins_elsewhere)
      continue;
    if (trial->arrays[a].size_bytes < trial->arrays[b].size_bytes) {
      int32_t swap = a;
      a = b;
      b = swap;
    }
    trial->arrays[b].data = trial->arrays[a].data;
    trial->slots[kernel->params.data[b].slot] =
        (uint64_t)(uintptr_t)trial->arrays[a].data;
  }
}

static void release_trial(void *trial) {
  trial_end(trial);
}

bool trial_fill(Trial *trial) {
  rescue_owe(release_trial, trial);
  const IrKernel *kernel = trial->kernel;
  for (uint32_t i = 0; i < kernel->params.count; i++) {
    const IrParam *param = &kernel->params.data[i];
    if (param->kind != PARAM_ARRAY && param->kind != PARAM_POINTER)
      continue;
    uint64_t size = trial->arrays[i].size_bytes;
    char *data = trial_fill_allocate(trial, i, size + 2 * ALIGN);
    if (!data) {
      trial->why = "an array is too large";
      return false;
    }
    data += ALIGN - (uintptr_t)data % ALIGN;
    trial->arrays[i].data = data;
    trial->slots[param->slot] = (uint64_t)(uintptr_t)data;
    bool is_plain = param->kind == PARAM_POINTER && !is_wanted(trial, i);
    if (is_plain)
      fill_pointer(trial, i);
    else if (size > 0 && !fill_array(trial, i))
      return false;
  }
  if (trial->given->overlap)
    overlap_arrays(trial);
  for (uint32_t i = 0; i < kernel->requirements.count; i++) {
    const IrRequire *require = &kernel->requirements.data[i];
    if (require->kind == REQUIRE_CONTENTS && require->condition &&
        !contents_hold(trial, require->condition, 0)) {
      trial->why = "no contents satisfy the requirements";
      return false;
    }
  }
  return true;
}
