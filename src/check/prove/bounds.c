// SPDX-License-Identifier: Apache-2.0
// What a single thread owes: touches inside their arrays and aligned, sums
// without overflow, groups inside their parents, assertions that hold. And that
// the kernel's requirements can hold at all.
#include "check/prove/bounds.h"

#include "check/prove/decisive.h"
#include "check/prove/extents.h"
#include "check/prove/input.h"
#include "check/prove/rows.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  Check *check;
  Tree *tree;
  TermTable *terms;
  Map proved; // path and condition -> known to hold
  Map told;   // object -> its extent isn't known, which was said
  const Step *step;
  const Decisive *decisive;
} Bounds;

// ------------------------------------------------------- asking

static bool was_proved(Bounds *b, const Term *condition) {
  uint64_t key = (uint64_t)b->step->path->id << 32 | condition->id;
  return map_has(&b->proved, key);
}

static void remember(Bounds *b, const Term *condition) {
  uint64_t key = (uint64_t)b->step->path->id << 32 | condition->id;
  map_put(b->check->arena, &b->proved, key, b);
}

static const char *answer_reason(Bounds *b, const SolveAnswer *answer,
                                 const char *vague, const char *plain) {
  if (vague)
    return vague;
  if (answer->status == SOLVE_UNKNOWN)
    return arena_printf(b->check->arena, "the solvers can't tell: %s",
                        answer->reason ? answer->reason : "no reason given");
  return plain;
}

// The condition holds where the step is run; else a suspect.
static bool holds(Bounds *b, SuspectKind kind, const Term *condition,
                  const char *vague, const char *plain) {
  if (condition->kind == TERM_TRUE || was_proved(b, condition))
    return true;
  const Term *all[2] = {b->step->path, term_not(b->terms, condition)};
  SolveAnswer answer = solver_ask(b->check->solver, all, 2);
  if (answer.status == SOLVE_UNSAT) {
    remember(b, condition);
    return true;
  }
  if (kind == SUSPECT_OVERFLOW && rows_prove(b->check, b->step, condition))
    return true;
  bool is_of_input = kind == SUSPECT_BOUNDS &&
                     check_input(b->check, condition, INPUT_BOUNDS) != NULL;
  Suspect suspect = {.kind = kind,
                     .a = b->step,
                     .reason = answer_reason(b, &answer, vague, plain),
                     .has_model = answer.status == SOLVE_SAT,
                     .is_for_none = is_of_input,
                     .is_of_input = is_of_input,
                     .model = answer.model,
                     .queries = {term_and(b->terms, all[0], all[1])},
                     .n_queries = is_of_input ? 0 : 1};
  check_suspect(b->check, &suspect);
  return false;
}

static void tell(Bounds *b, SuspectKind kind, const char *reason) {
  check_suspect(b->check,
                &(Suspect){.kind = kind, .a = b->step, .reason = reason});
}

// ------------------------------------------------------- places in arrays

static const Term *within(TermTable *t, const Term *low, const Term *term,
                          const Term *high) {
  return term_and(t, term_le(t, low, term), term_le(t, term, high));
}

static const Term *extent_of(const Bounds *b, const IrObject *object, int k) {
  return extents_are_open(b->check->kernel, object)
             ? NULL
             : tree_extent(b->tree, object, k);
}

// 0 <= index[k] < extent[k]; NULL: an extent isn't known.
static const Term *index_inside(Bounds *b, const Touch *touch, int k) {
  TermTable *t = b->terms;
  const Term *extent = extent_of(b, touch->object, k);
  if (!extent)
    return NULL;
  return within(t, term_int(t, 0), touch->index[k],
                term_sub(t, extent, term_int(t, 1)));
}

static const char *vague_reason(Bounds *b, const Touch *touch) {
  CheckVague vague = {0};
  for (int k = 0; k < touch->n_index; k++)
    check_vague(touch->index[k], &vague);
  check_vague(touch->byte, &vague);
  const char *name = touch->object->name ? touch->object->name : "memory";
  if (vague.table && b->check->options->is_cuda)
    return arena_printf(b->check->arena,
                        "the index comes from memory ('%s'), which may hold "
                        "any numbers: --assume 'bounded(%s, 0, …)' says which",
                        vague.table->name, vague.table->name);
  if (vague.table)
    return arena_printf(b->check->arena,
                        "the index comes from memory ('%s'): "
                        "requires(bounded(%s, 0, …)) with the extent of '%s' "
                        "would prove it",
                        vague.table->name, vague.table->name, name);
  if (vague.value)
    return check_vague_value(b->check->arena, vague.value, "the index");
  return NULL;
}

static bool is_inside_element(const Touch *touch) {
  int64_t byte;
  return touch->n_index == touch->object->rank &&
         term_is_constant(touch->byte, &byte) && byte >= 0 &&
         byte + touch->n_bytes <= touch->object->element_bytes;
}

// Elements of the dimensions behind the first `from`; NULL: not known.
static const Term *elements(Bounds *b, const IrObject *object, int from) {
  const Term *product = term_int(b->terms, 1);
  for (int k = from; k < object->rank; k++) {
    const Term *extent = extent_of(b, object, k);
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
  const Term *extent = extent_of(b, object, last);
  if (!extent)
    return NULL;
  int64_t size = object->element_bytes;
  const Term *from =
      term_add(t, term_scale(t, touch->index[last], size), touch->byte);
  const Term *room =
      term_sub(t, term_scale(t, extent, size), term_int(t, touch->n_bytes));
  return term_and(t, all, within(t, term_int(t, 0), from, room));
}

// Bytes from the start of a dense array: condition, or NULL.
static const Term *inside_object(Bounds *b, const Touch *touch) {
  TermTable *t = b->terms;
  const IrObject *object = touch->object;
  const Term *all = elements(b, object, 0);
  if (!all || (object->has_strides && touch->n_index))
    return NULL;
  const Term *element = term_int(t, 0);
  for (int k = 0; k < touch->n_index; k++) {
    const Term *below = elements(b, object, k + 1);
    element = term_add(t, element, term_mul(t, touch->index[k], below));
  }
  const Term *from =
      term_add(t, term_scale(t, element, object->element_bytes), touch->byte);
  const Term *room = term_sub(t, term_scale(t, all, object->element_bytes),
                              term_int(t, touch->n_bytes));
  return within(t, term_int(t, 0), from, room);
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
  const char *way_out = b->check->options->is_cuda
                            ? "--shared BYTES"
                            : "requires(dynamic_shared_bytes == …)";
  bool is_enough = true;
  if (object->is_plain_pointer)
    way_out =
        b->check->options->is_cuda
            ? arena_printf(b->check->arena, "--assume '%s <= len(%s)'",
                           extents_hint(b->check, b->step, touch, &is_enough),
                           name)
            : arena_printf(b->check->arena, "an array parameter, %s[n],", name);
  Suspect suspect = {
      .kind = SUSPECT_BOUNDS,
      .a = b->step,
      .is_for_none = true,
      .is_of_extent = true,
      .reason =
          arena_printf(b->check->arena,
                       "how many elements '%s' has isn't known: %s says it%s",
                       name, way_out, is_enough ? "" : ", if that is enough")};
  check_suspect(b->check, &suspect);
}

static void check_elements(Bounds *b, const Touch *touch) {
  const char *vague = vague_reason(b, touch);
  bool all = true;
  for (int k = 0; k < touch->n_index && all; k++) {
    const Term *inside = index_inside(b, touch, k);
    if (!inside) {
      unknown_extent(b, touch);
      return;
    }
    all = holds(b, SUSPECT_BOUNDS, inside, vague,
                "the index may be outside of the array");
  }
  if (all)
    check_proved(b->check);
  else
    note_open(b, touch->object);
}

static void check_bytes(Bounds *b, const Touch *touch) {
  const char *vague = vague_reason(b, touch);
  const Term *row = inside_row(b, touch);
  const Term *object = inside_object(b, touch);
  if (!row && !object) {
    unknown_extent(b, touch);
    return;
  }
  if (row && (!object || solver_proves(b->check->solver, b->step->path, row)))
    object = row;
  if (holds(b, SUSPECT_BOUNDS, object, vague, "the access may leave the array"))
    check_proved(b->check);
  else
    note_open(b, touch->object);
}

// ------------------------------------------------------- trust

static const char data_text[] =
    "signed arithmetic on what arrays hold doesn't overflow";
static const char all_text[] = "signed arithmetic doesn't overflow";
static const char aligned_text[] = "pointers are aligned to 256 bytes";

static void trust(Bounds *b, const char *text) {
  CheckReport *report = b->check->report;
  for (uint32_t i = 0; i < report->trusted.count; i++) {
    if (report->trusted.data[i] == text)
      return;
  }
  VEC_PUSH(b->check->arena, &report->trusted, text);
}

// ------------------------------------------------------- alignment

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

  return b->check->options->is_cuda && object->param >= 0 &&
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
    const Term *below = elements(b, object, k + 1);
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
    trust(b, aligned_text);
    note_aligned(b, object, align);
  } else if (!base_is_aligned(b, object, align)) {
    const char *name = object->name ? object->name : "memory";
    tell(b, SUSPECT_BOUNDS,
         arena_printf(b->check->arena,
                      "an access of %u bytes must be aligned, and nothing says "
                      "where '%s' starts: requires(aligned(%s, %u)) would",
                      (unsigned)align, name, name, (unsigned)align));
    return;
  }
  const Term *from = linear_bytes(b, touch);
  if (!from) {
    tell(b, SUSPECT_BOUNDS, "the strides of the array may misalign the access");
    return;
  }
  const Term *rest = term_mod(b->terms, from, term_int(b->terms, align));
  if (holds(b, SUSPECT_BOUNDS, term_eq(b->terms, rest, term_int(b->terms, 0)),
            NULL, "the access may be misaligned"))
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
    tell(b, SUSPECT_BOUNDS, plain);
  for (uint32_t i = 0; i < object->holes.count && from; i++) {
    const IrHole *hole = &object->holes.data[i];
    const Term *end = term_add(t, from, term_int(t, touch->n_bytes));
    const Term *apart =
        term_or(t, term_le(t, end, term_int(t, (int64_t)hole->begin)),
                term_le(t, term_int(t, (int64_t)hole->end), from));
    if (!holds(b, SUSPECT_BOUNDS, apart, vague_reason(b, touch), plain))
      return;
    check_proved(b->check);
  }
}

static void check_touch(Bounds *b) {
  const Touch *touch = b->step->u.touch.touch;
  if (!touch->object) {
    if (!touch->may_miss)
      tell(b, SUSPECT_BOUNDS,
           "which array the pointer points into isn't known");
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

// ------------------------------------------------------- other obligations

// Sums of what memory holds: no bound of them can follow from the launch.
static bool is_of_data(const Term *condition) {
  CheckVague vague = {0};
  check_vague(condition, &vague);
  if (vague.table)
    return true;
  const IrNode *origin = vague.value ? vague.value->origin : NULL;
  return origin && ((ir_op_info(origin)->memory & MEM_READ) ||
                    (ir_op_info(origin)->flags & OPF_COLLECTIVE));
}

static void check_condition(Bounds *b, SuspectKind kind, const char *plain) {
  const Term *condition = b->step->u.obligation.condition;
  if (!condition) {
    tell(b, kind, "what must hold here is too complicated to be followed");
    return;
  }
  if (kind == SUSPECT_OVERFLOW && is_of_data(condition)) {
    const Term *all[2] = {b->step->path, term_not(b->terms, condition)};
    if (solver_ask(b->check->solver, all, 2).status != SOLVE_UNSAT)
      trust(b, data_text);
    check_proved(b->check);
    return;
  }
  CheckVague vague = {0};
  check_vague(condition, &vague);
  const char *reason = vague.value
                           ? check_vague_value(b->check->arena, vague.value,
                                               "what must hold here")
                           : NULL;
  if (holds(b, kind, condition, reason, plain))
    check_proved(b->check);
}

// An assertion of the program about what the host puts into memory: in CUDA C
// nothing can say that it holds, so that zeros there are no counterexample.
static bool is_of_input(const Bounds *b) {
  const IrNode *node = b->step->node;
  const Term *condition = b->step->u.obligation.condition;
  if (!b->check->options->is_cuda || !condition || node->op != IR_ASSERT ||
      (node->flags & NODE_OBLIGATION))
    return false;
  CheckVague vague = {0};
  check_vague(condition, &vague);
  const IrNode *origin = vague.value ? vague.value->origin : NULL;
  bool is_load = origin && origin->op == IR_LOAD;
  return vague.table ||
         (is_load && check_is_input(b->check, origin->u.access.object));
}

typedef struct {
  const IrKernel *kernel;
  bool is_found, is_stated;
  bool has_open_extent; // of an array, of which nothing is stated
} Launch;

static bool names(const IrKernel *kernel, const IrHost *host,
                  const Symbol *symbol, uint32_t depth) {
  if (!host || depth > 100)
    return false;
  if (host->op == HOST_PARAM &&
      strcmp(kernel->params.data[host->number].name, symbol->name) == 0)
    return true;
  for (uint32_t i = 0; i < host->n_args; i++)
    if (names(kernel, host->args[i], symbol, depth + 1))
      return true;
  return false;
}

static bool is_extent(const IrKernel *kernel, const Symbol *symbol) {
  for (uint32_t i = 0; i < kernel->params.count; i++) {
    const IrParam *p = &kernel->params.data[i];
    for (int k = 0; p->kind == PARAM_ARRAY && k < p->object->rank; k++)
      if (names(kernel, p->object->extents[k], symbol, 0))
        return true;
  }
  return false;
}

static void note_launch(const Symbol *symbol, void *context) {
  Launch *launch = context;
  if (symbol->kind != SYMBOL_LAUNCH)
    return;
  const IrKernel *kernel = launch->kernel;
  bool is_stated = false;
  for (uint32_t i = 0; i < kernel->requirements.count; i++)
    is_stated |=
        symbol->name &&
        names(kernel, kernel->requirements.data[i].condition, symbol, 0);
  launch->is_found = true;
  launch->is_stated |= is_stated;
  launch->has_open_extent |=
      !is_stated && symbol->name && is_extent(kernel, symbol);
}

// What a kernel of CUDA C asserts of its arguments and its grid is what it asks
// of whoever launches it, as it has no other word for that: no counterexample
// where nothing is known of launches, and nothing stated of what it names. Nor
// does a launch of the file tell how large the array behind a surface is.
static bool is_of_launch(const Bounds *b) {
  const IrNode *node = b->step->node;
  const Term *condition = b->step->u.obligation.condition;
  Launch launch = {.kernel = b->check->kernel};
  if (!b->check->options->is_cuda || !condition || node->op != IR_ASSERT ||
      (node->flags & NODE_OBLIGATION))
    return false;
  CheckVague vague = {0};
  check_vague(condition, &vague);
  term_symbols(condition, note_launch, &launch);
  bool is_open = launch.has_open_extent ||
                 (!launch.is_stated && !b->check->options->has_launch);
  return launch.is_found && is_open && !vague.value && !vague.table;
}

static void check_assertion(Bounds *b) {
  const Term *condition = b->step->u.obligation.condition;
  bool is_launch = is_of_launch(b);
  if ((!is_launch && !is_of_input(b)) ||
      solver_proves(b->check->solver, b->step->path, condition)) {
    check_condition(b, SUSPECT_ASSERT, "the condition may be false");
    return;
  }
  Suspect suspect = {.kind = SUSPECT_ASSERT,
                     .a = b->step,
                     .is_for_none = true,
                     .is_of_input = true,
                     .reason = is_launch
                                   ? "what must hold here is what the kernel "
                                     "asks of its launch: --assume says it"
                                   : "what must hold here is about what memory "
                                     "holds when the kernel starts"};
  check_suspect(b->check, &suspect);
}

// Sums of data that no subscript and no condition depends on: what memory gave
// may be anything, so that nothing could be proved of them. Not an obligation.
static bool is_data(const Bounds *b) {
  const Step *step = b->step;
  CheckVague vague = {0};
  if (!step->node || decisive_has(b->decisive, step->node))
    return false;
  if (!step->u.obligation.condition)
    return true;
  check_vague(step->u.obligation.condition, &vague);
  return vague.value || vague.table;
}

// Everything follows from an assumption that contradicts what holds here.
static void check_possible(Bounds *b) {
  const Step *step = b->step;
  const Term *all[2] = {step->path, step->u.obligation.condition};
  if (!all[1] || solver_ask(b->check->solver, all, 2).status != SOLVE_UNSAT ||
      solver_ask(b->check->solver, all, 1).status == SOLVE_UNSAT)
    return;
  Finding finding = {
      .code = CODE_NO_LAUNCH,
      .verdict = VERDICT_UNKNOWN,
      .node = step->node,
      .message = "no launch meets what is assumed here",
      .reason = "it contradicts what else holds here, so that everything would "
                "follow from it"};
  VEC_PUSH(b->check->arena, &b->check->report->findings, finding);
}

typedef struct {
  const Decisive *decisive;
  bool is_found;
} DataSearch;

static bool find_decisive(IrNode *node, void *context) {
  DataSearch *search = context;
  bool is_data =
      ir_op_info(node)->form == FORM_ACCESS || node->op == IR_UNKNOWN;
  search->is_found |= is_data && decisive_has(search->decisive, node);
  return true;
}

// Something that memory holds decides where threads go, or what they touch.
static bool is_led_by_data(const Bounds *b) {
  DataSearch search = {.decisive = b->decisive};
  ir_walk((IrRegion *)(uintptr_t)&b->check->kernel->body, find_decisive,
          &search);
  return search.is_found;
}

// Which lanes are there is a union of bits, any number here (decide_lanes.c). A
// run shows it, where data decide nothing.
static void check_lanes(Bounds *b) {
  const Step *step = b->step;
  const Term *condition = step->u.obligation.condition;
  if (condition && solver_proves(b->check->solver, step->path, condition)) {
    check_proved(b->check);
    return;
  }
  Suspect suspect = {.kind = SUSPECT_VALUE,
                     .a = step,
                     .is_of_input = is_led_by_data(b),
                     .reason = "whether the lane that a shuffle names takes "
                               "part in it isn't known"};
  check_suspect(b->check, &suspect);
}

// Where memory or a variable without a law decides who sets the variable and
// who reads it, the two may agree by what nothing here follows: a remark.
static void check_value(Bounds *b) {
  const Term *condition = b->step->u.obligation.condition;
  CheckVague vague = {0};
  if (ir_is_of_lanes(b->step->node)) {
    check_lanes(b);
    return;
  }
  if (condition)
    check_vague(condition, &vague);
  if (condition && !vague.value && !vague.table) {
    check_condition(b, SUSPECT_VALUE, "a way leads here that doesn't set it");
    return;
  }
  if (condition && solver_proves(b->check->solver, b->step->path, condition)) {
    check_proved(b->check);
    return;
  }
  Suspect suspect = {.kind = SUSPECT_VALUE,
                     .a = b->step,
                     .is_remark = true,
                     .is_of_input = b->check->options->is_cuda,
                     .reason = "what decides whether it is set is too "
                               "complicated to be followed"};
  check_suspect(b->check, &suspect);
}

static void check_obligation(Bounds *b) {
  switch (b->step->u.obligation.kind) {
  case OBLIGATION_OVERFLOW:
    if (is_data(b))
      break;
    // CUDA C says nothing of sizes, so nothing could be proved of products.
    if (b->check->options->is_cuda) {
      Suspect suspect = {.kind = SUSPECT_OVERFLOW,
                         .a = b->step,
                         .is_for_none = true,
                         .is_trusted = true};
      trust(b, all_text);
      check_suspect(b->check, &suspect);
      break;
    }
    check_condition(
        b, SUSPECT_OVERFLOW,
        "the result may be too large for its type; a smaller limit of sizes in "
        "`requires` would help");
    break;
  case OBLIGATION_GROUP_RANGE:
    check_condition(b, SUSPECT_RANGE,
                    "the threads may not all belong to the current group");
    break;
  case OBLIGATION_ASSERT: check_assertion(b); break;
  case OBLIGATION_OWN:
    check_condition(b, SUSPECT_ASSERT, "the condition may be false");
    break;
  case OBLIGATION_INSIDE:
    check_condition(b, SUSPECT_BOUNDS, "the index may be outside of the array");
    break;
  case OBLIGATION_VALUE: check_value(b); break;
  case OBLIGATION_POSSIBLE: check_possible(b); break;
  case OBLIGATION_UNIFORM: check_claim(b->check, b->step); break;
  }
}

static void check_step(const Step *step, void *context) {
  Bounds *b = context;
  b->step = step;
  if (b->check->is_ended)
    return;
  if (step->kind == STEP_TOUCH)
    check_touch(b);
  else if (step->kind == STEP_OBLIGATION)
    check_obligation(b);
}

void check_bounds(Check *check) {
  Bounds b = {.check = check,
              .tree = check->tree,
              .terms = check->terms,
              .decisive = decisive_new(check->arena, check->kernel)};
  tree_each(check->tree->first, check_step, &b);
}
