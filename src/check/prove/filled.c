// SPDX-License-Identifier: Apache-2.0
#include "check/prove/filled.h"

#include "check/prove/race.h"
#include "check/tree/tree.h"

#include <string.h>

// Note [Filled] in docs/internals/check.md.

bool filled_is_followed(const IrObject *object) {
  return object && object->kind == OBJECT_ARRAY && !object->initial &&
         !object->marks_barrier && !object->is_tensor &&
         (object->space == SPACE_SHARED || object->space == SPACE_LOCAL);
}

static void gather(const Step *step, void *context) {
  Filled *f = context;
  if (step->kind == STEP_SYNC)
    VEC_PUSH(f->arena, &f->meets, step);
  if (step->kind != STEP_TOUCH)
    return;
  const Touch *touch = step->u.touch.touch;
  if (filled_is_followed(touch->object))
    VEC_PUSH(f->arena, &f->touches, step);
  else if (!touch->object && race_space(step) != SPACE_GLOBAL &&
           race_space(step) != SPACE_CONSTANT) {
    f->writes_anywhere |= touch->is_write;
    if (touch->is_read)
      VEC_PUSH(f->arena, &f->reads, step);
  }
}

// A thread may get there.
static bool filled_is_reached(Filled *f, const Step *step) {
  return solver_ask(f->check->solver, &step->path, 1).status != SOLVE_UNSAT;
}

// --------------------------------------------------------- never written

static bool filled_is_written(const Filled *f, const IrObject *object) {
  if (object->address_taken && f->writes_anywhere)
    return true;
  for (uint32_t i = 0; i < f->touches.count; i++) {
    const Touch *touch = f->touches.data[i]->u.touch.touch;
    // An atomic operation makes something of what is there.
    if (touch->object == object && touch->is_write && !touch->is_read)
      return true;
  }
  return false;
}

static void find_unwritten(Filled *f) {
  Map known = {0}; // one read of each array: the others have the same cause
  for (uint32_t i = 0; i < f->touches.count; i++) {
    const Step *step = f->touches.data[i];
    const IrObject *object = step->u.touch.touch->object;
    if (!step->u.touch.touch->is_read || map_has(&known, MAP_KEY(object)) ||
        filled_is_written(f, object) || !filled_is_reached(f, step))
      continue;
    map_put(f->arena, &known, MAP_KEY(object), f);
    VEC_PUSH(f->check->arena, &f->check->unwritten, step);
  }
}

static bool is_suspected(const Check *check) {
  for (uint32_t i = 0; i < check->report->findings.count; i++)
    if (check->report->findings.data[i].verdict != VERDICT_PROVED)
      return true;
  for (uint32_t i = 0; i < check->suspects.count; i++)
    if (check->suspects.data[i].kind != SUSPECT_PARTIAL &&
        !check->suspects.data[i].is_remark &&
        !check->suspects.data[i].is_trusted)
      return true;
  return check->is_ended;
}

// What memory holds, or is made of it: no term says what it is.
static void note_contents(const Symbol *symbol, void *context) {
  bool is_elected = symbol->origin && symbol->origin->op == IR_GROUP;
  *(bool *)context |= symbol->kind == SYMBOL_VALUE && symbol->origin &&
                      symbol->n_var == 0 && !symbol->is_axis && !is_elected;
}

static bool filled_has_element(const Term *term) {
  bool found = term->kind == TERM_APPLY;
  for (uint32_t i = 0; i < term->n_args && !found; i++)
    found = filled_has_element(term->args[i]);
  for (uint32_t i = 0; i < term->n_parts && !found; i++)
    found = filled_has_element(term->parts[i].atom);
  return found;
}

// What memory holds decides whether the write is made.
static bool is_led_by_contents(const Step *write) {
  bool found = false;
  for (const Step *at = write->parent; at; at = at->parent)
    if (at->kind == STEP_IF) {
      term_symbols(at->u.branch.condition, note_contents, &found);
      found |= filled_has_element(at->u.branch.condition);
    }
  return found;
}

// Which blocks a copy writes in depends on its own.
static bool has_open_mask(const Step *write) {
  const BarrierUse *use = write->u.touch.copy_barrier;
  int64_t number;
  return use && use->mask && !term_is_constant(use->mask, &number);
}

// One instance for each part of a group, of which terms say too little.
static bool is_of_parts(const Filled *f, const IrObject *object) {
  const GroupView *view =
      object->group ? tree_group(f->tree, object->group) : NULL;
  int64_t number;
  return object->group && object->group->id > 2 &&
         !(view && view->is_known && term_is_constant(view->instance, &number));
}

// It isn't for want of terms or time that the proof is missing, or barriers
// and other blocks are about.
static bool filled_is_owed(const Filled *f, const Step *read) {
  const IrObject *object = read->u.touch.touch->object;
  bool is_owed = f->check->has_order || read->u.touch.touch->cluster_rank ||
                 object->is_cluster_shared;
  for (uint32_t i = 0; i < f->touches.count; i++) {
    const Step *write = f->touches.data[i];
    const Touch *touch = write->u.touch.touch;
    if (touch->object != object || !touch->is_write)
      continue;
    if (has_open_mask(write) || touch->start) // or a row of bytes
      return false;
    is_owed |= touch->cluster_rank || is_led_by_contents(write);
  }
  return is_owed && !is_of_parts(f, object);
}

static bool has_pointers_into(const Filled *f) {
  for (uint32_t i = 0; i < f->touches.count; i++)
    if (f->touches.data[i]->u.touch.touch->object->address_taken)
      return true;
  return false;
}

void check_filled(Check *check) {
  if (is_suspected(check))
    return;
  Filled f = {.check = check,
              .tree = check->tree,
              .terms = check->terms,
              .arena = arena_new()};
  tree_each(check->tree->first, gather, &f);
  find_unwritten(&f);
  for (uint32_t i = 0; i < f.touches.count; i++) {
    Unfilled open = {.read = f.touches.data[i]};
    if (open.read->u.touch.touch->is_read &&
        !filled_is_covered(&f, open.read, &open.model) &&
        filled_is_reached(&f, open.read)) {
      open.is_owed = filled_is_owed(&f, open.read);
      VEC_PUSH(check->arena, &check->unfilled, open);
    }
  }
  for (uint32_t i = 0; i < f.reads.count && has_pointers_into(&f); i++)
    VEC_PUSH(check->arena, &check->unfilled,
             ((Unfilled){.read = f.reads.data[i]}));
  arena_free(f.arena);
}

// ---------------------------------------------------------------- what is told

static const char *name_of(const Step *read) {
  const IrObject *object = read->u.touch.touch->object;
  return object && object->name ? object->name : "memory";
}

static void tell_unwritten(Check *check, const Step *read, const char *why) {
  const char *name = name_of(read);
  Finding open = {
      .code = CODE_VALUE,
      .verdict = VERDICT_UNKNOWN,
      .node = read->node,
      .message = arena_printf(check->arena,
                              "'%s' may be read before it has a value", name),
      .reason.text = why};
  check->report->n_obligations++;
  VEC_PUSH(check->arena, &check->report->findings, open);
}

static bool filled_is_told(const Check *check, const Step *read) {
  const CheckReport *report = check->report;
  for (uint32_t i = 0; i < report->findings.count; i++)
    if (report->findings.data[i].code == CODE_VALUE &&
        report->findings.data[i].node == read->node)
      return true;
  return false;
}

// That it was written is trusted, and listed.
static void trust(Check *check, const Step *read) {
  CheckReport *report = check->report;
  const IrModule *module = check->kernel->module;
  uint32_t line = module->locs.data[read->node->loc].place.line;
  const char *what = arena_printf(
      check->arena, "line %u reads elements of '%s' that were written before",
      line, name_of(read));
  for (uint32_t i = 0; i < report->trusted.count; i++)
    if (strcmp(report->trusted.data[i], what) == 0)
      return;
  VEC_PUSH(check->arena, &report->trusted, what);
  report->n_unfilled++;
}

void check_tell_filled(Check *check) {
  for (uint32_t i = 0; i < check->report->findings.count; i++)
    if (check->report->findings.data[i].verdict == VERDICT_BUG)
      return;
  for (uint32_t i = 0; i < check->unwritten.count; i++)
    tell_unwritten(
        check, check->unwritten.data[i],
        arena_printf(check->arena,
                     "nothing in the kernel writes '%s', so it has no values: "
                     "store them before they are read",
                     name_of(check->unwritten.data[i])));
  for (uint32_t i = 0; i < check->unfilled.count && check->unwritten.count == 0;
       i++) {
    const Unfilled *open = &check->unfilled.data[i];
    if (!open->is_owed)
      trust(check, open->read);
    else if (!filled_is_told(check, open->read))
      tell_unwritten(
          check, open->read,
          arena_printf(check->arena,
                       "it isn't shown that each element of '%s' that is read "
                       "here was written before: write it on every path to "
                       "the read, or clear it first",
                       name_of(open->read)));
  }
}
