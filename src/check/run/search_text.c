// SPDX-License-Identifier: Apache-2.0
// Findings in words.
#include "check/run/search.h"
#include <inttypes.h>
#include <string.h>

const IrObject *search_object(const Step *step) {
  if (step->kind == STEP_TOUCH)
    return step->u.touch.touch->object;
  return step->kind == STEP_BARRIER ? step->u.barrier->object : NULL;
}

const IrObject *search_barrier(const IrNode *node) {
  if (!node)
    return NULL;
  if (ir_op_info(node)->form == FORM_BARRIER)
    return node->u.barrier.object;
  return ir_op_info(node)->form == FORM_COPY ? node->u.copy.barrier : NULL;
}

// ------------------------------------------------------------------- runs

uint32_t search_code(const ConcreteFinding *found) {
  return found->kind == EVENT_FOUND_RACE && found->is_owner
             ? CODE_OWNER
             : fact_code(&found->fact);
}

static const char *search_text_of(const Check *check,
                                  const ConcreteFinding *found) {
  return fact_text(check->arena, check->kernel->module, &found->fact);
}

static const char *search_text_space_of(const IrObject *object) {
  return object->space == SPACE_SHARED ? "shared" : "global";
}

static const char *search_text_name_of(const IrNode *node,
                                       const IrObject *object) {
  if (node && (node->flags & NODE_INSIDE))
    return node->u.text.text;
  if (!object && node && ir_op_info(node)->form == FORM_ACCESS)
    object = node->u.access.object;
  if (!object && node && ir_op_info(node)->form == FORM_SECTION)
    object = node->u.section.object;
  if (!object && node && ir_is_claim(node))
    object = node->u.index.object;
  if (!object)
    object = search_barrier(node);
  return object ? object->name : "memory";
}

static bool is_owed(const IrNode *node) {
  return node->op == IR_ASSERT && (node->flags & NODE_OBLIGATION);
}

static bool search_text_is_copy(const IrNode *node) {
  return ir_op_info(node)->form == FORM_COPY || node->op == IR_MEMCPY_ASYNC;
}

// Of an mbarrier's marks: see ir/passes/track_inits.c.
static bool is_of_marks(const IrObject *object) {
  return object && object->marks_barrier;
}

// See ir/passes/track_ends.c.
static bool is_end(const ConcreteSide *side) {
  return side->node->flags & NODE_ENDS;
}

static const char *race_message(const Check *check,
                                const ConcreteFinding *found) {
  const IrObject *object = found->object;
  const char *name = search_text_name_of(found->a.node, object);
  if (is_end(&found->a) || is_end(&found->b))
    return arena_printf(check->arena,
                        "a block may end while another block uses its shared "
                        "%s '%s'",
                        is_of_marks(object) ? "mbarrier" : "array", name);
  if (!is_of_marks(object))
    return arena_printf(check->arena, "data race on %s array '%s'",
                        search_text_space_of(object), name);
  return arena_printf(check->arena,
                      found->a.is_write && found->b.is_write
                          ? "mbarrier '%s' is initialised by several threads"
                          : "mbarrier '%s' may be used before it is "
                            "initialised",
                      name);
}

static bool is_at_marks(const IrNode *node) {
  return ir_op_info(node)->form == FORM_ACCESS &&
         is_of_marks(node->u.access.object);
}

static const char *message_of(const Check *check,
                              const ConcreteFinding *found) {
  Arena *arena = check->arena;
  const char *name = search_text_name_of(found->a.node, found->object);
  switch (search_code(found)) {
  case CODE_RACE: return race_message(check, found);
  case CODE_OWNER:
    return arena_printf(
        arena, "'%s' is read by a thread that doesn't own the element", name);
  case CODE_FENCE:
    return arena_printf(
        arena, "'%s' passes from threads to the copy engine without '%s'", name,
        check_word(check, WORD_call_fence, NULL, NULL));
  case CODE_BOUNDS:
    if (found->a.node->op == IR_INSIDE)
      return arena_printf(arena, "%s is outside of %s",
                          found->a.node->flags & NODE_INSIDE ? "an element"
                                                             : "a view",
                          found->a.node->u.text.text);
    if (search_text_is_copy(found->a.node))
      return "this copy reaches outside of an array";
    if (search_is_null(found))
      return "access through a null pointer";
    return arena_printf(arena,
                        is_at_marks(found->a.node)
                            ? "mbarrier '%s' is initialised outside of its "
                              "array"
                            : "access outside of array '%s'",
                        name);
  case CODE_ALIGNMENT: return "misaligned access";
  case CODE_OVERFLOW:
    return arena_printf(arena,
                        "signed overflow: the result has more than %u bits",
                        ir_type_bits(found->a.node->type));
  case CODE_ASSERT:
    return is_owed(found->a.node)
               ? arena_printf(arena, "this condition can fail: %s",
                              found->a.node->u.text.text)
               : "this assertion can fail";
  case CODE_VALUE: return search_text_of(check, found);
  case CODE_RANGE: return "the group reaches beyond its parent";
  case CODE_UNIFORM:
    return check_word(check, WORD_false_uniform,
                      found->a.node->u.group.group->name, NULL);
  case CODE_WAITS: return "this waits for more copies than were made";
  case CODE_PHASE:
    return arena_printf(arena, "wait for mbarrier '%s' is out of phase", name);
  case CODE_COPY: return "an asynchronous copy is never waited for";
  case CODE_TWO_OWNERS:
    return arena_printf(arena, "two iterations own one element of '%s'", name);
  case CODE_NOT_OWNED:
    return arena_printf(arena, "the iteration doesn't own this element of '%s'",
                        name);
  case CODE_NO_CONTENTS:
    return arena_printf(arena, "'%s' is read before the iteration writes it",
                        name);
  case CODE_BYTES:
    return arena_printf(
        arena,
        "the bytes copied to mbarrier '%s' differ from the bytes it expects",
        name);
  case CODE_PARTIAL:
    return arena_printf(arena, "the last phase of mbarrier '%s' is incomplete",
                        name);
  case CODE_DEADLOCK: {
    const IrObject *barrier = search_barrier(found->a.node);
    return barrier
               ? arena_printf(arena, "threads wait forever for mbarrier '%s'",
                              barrier->name)
               : "threads wait forever";
  }
  case CODE_ARRIVALS:
    return arena_printf(
        arena, "mbarrier '%s' gets more arrivals than its count", name);
  default: return search_text_of(check, found);
  }
}

// ------------------------------------------------------------------ sides

static bool is_flat(const ConcreteSide *side) {
  return side->block[1] == 0 && side->block[2] == 0;
}

static const char *block_text(const Check *check, const ConcreteSide *side,
                              const ConcreteSide *other) {
  const int32_t *b = side->block;
  if (is_flat(side) && is_flat(other))
    return arena_printf(check->arena, "block %d", (int)b[0]);
  return arena_printf(check->arena, "block (%d, %d, %d)", (int)b[0], (int)b[1],
                      (int)b[2]);
}

// `other`: the finding's other side, or the same.
static const char *thread_text(const Check *check, const ConcreteSide *side,
                               const ConcreteSide *other) {
  const int32_t *dim = check->kernel->block_dim;
  const char *block = block_text(check, side, other);
  int t = side->thread;
  if (dim[0] == 1 && dim[1] == 1 && dim[2] == 1 && ir_has_tiles(check->kernel))
    return block;
  if (side->is_copy)
    return arena_printf(check->arena, "an asynchronous copy of %s", block);
  if (dim[1] == 1 && dim[2] == 1)
    return arena_printf(check->arena, "thread %d of %s", t, block);
  return arena_printf(check->arena, "thread %d (%d, %d, %d) of %s", t,
                      t % dim[0], t / dim[0] % dim[1], t / dim[0] / dim[1],
                      block);
}

// By the array that the side names: two may be one.
static const char *element_text(const Check *check,
                                const ConcreteFinding *found,
                                const ConcreteSide *side) {
  Text text = {.arena = check->arena};
  const IrObject *object = found->object;
  if (ir_op_info(side->node)->form == FORM_ACCESS &&
      side->node->u.access.object)
    object = side->node->u.access.object;
  text_add(&text, object ? object->name : "memory");
  for (uint32_t i = 0; i < found->n_index; i++)
    text_printf(&text, "[%" PRId64 "]", found->index[i]);
  return text_cstr(&text);
}

static const char *verb_of(const ConcreteFinding *found,
                           const ConcreteSide *side) {
  if (is_of_marks(found->object))
    return side->is_write ? "initialises" : "uses";
  if (side->is_atomic)
    return side->is_write ? "updates" : "reads";
  return side->is_write ? "writes" : "reads";
}

static const char *side_text(const Check *check, const ConcreteFinding *found,
                             const ConcreteSide *side) {
  const ConcreteSide *other = side == &found->a ? &found->b : &found->a;
  if (is_end(side))
    return arena_printf(check->arena, "%s ends",
                        block_text(check, side, other));
  return arena_printf(check->arena, "%s %s %s%s",
                      thread_text(check, side, other), verb_of(found, side),
                      element_text(check, found, side),
                      side->is_atomic ? " atomically" : "");
}

static bool search_text_is_of_tile(const ConcreteFinding *found) {
  return found->fact.kind == FACT_ONE_TILE;
}

static void add_race(const Check *check, const ConcreteFinding *found,
                     Finding *out) {
  // The later place in the program comes first.
  const ConcreteSide *first = &found->b, *second = &found->a;
  if (found->a.node->id > found->b.node->id) {
    first = &found->a;
    second = &found->b;
  }
  out->is_across_blocks =
      memcmp(first->block, second->block, sizeof first->block) != 0;
  out->node = first->node;
  out->notes[0] = side_text(check, found, first);
  out->notes[2] = search_text_of(check, found);
  if (first->node != second->node) {
    out->other = second->node;
    out->notes[1] = side_text(check, found, second);
  } else {
    out->notes[3] = search_text_is_of_tile(found)
                        ? "another element of the tile is stored there, too"
                        : arena_printf(check->arena, "%s does so, too",
                                       thread_text(check, second, first));
    if (first->is_write != second->is_write)
      out->notes[3] = side_text(check, found, second);
  }
  const char *sizes = out->witness, *between = sizes[0] ? ": " : "";
  const char *side = side_text(check, found, second);
  out->witness =
      search_text_is_of_tile(found)
          ? arena_printf(check->arena, "%s%s%s twice", sizes, between, side)
          : arena_printf(check->arena, "%s%s%s; %s", sizes, between, side,
                         side_text(check, found, first));
}

static const char *other_note(const ConcreteFinding *found) {
  if (found->kind == EVENT_FOUND_BARRIER)
    return "this completes the next phase";
  return ir_is_claim(found->b.node) ? "what the loop's clauses name"
                                    : "the other place";
}

// The index of an array, or of a view of one, that is outside.
static void search_text_add_index(const Fact *fact, Finding *out) {
  bool is_index =
      fact->kind == FACT_FAULT &&
      (fact->fault == FAULT_CODE_INDEX || fact->fault == FAULT_CODE_VIEW);
  if (!is_index)
    return;
  out->is_of_index = true;
  out->index = fact->args.numbers[0];
  out->dim = (uint32_t)fact->args.numbers[1];
}

static bool is_of_clauses(ConcreteKind kind) {
  switch (kind) {
  case EVENT_FOUND_TWO_OWNERS:
  case EVENT_FOUND_NOT_OWNED:
  case EVENT_FOUND_NO_CONTENTS: return true;
  case EVENT_FOUND_RACE:
  case EVENT_FOUND_FENCE:
  case EVENT_FOUND_BOUNDS:
  case EVENT_FOUND_OVERFLOW:
  case EVENT_FOUND_ASSERT:
  case EVENT_FOUND_VALUE:
  case EVENT_FOUND_RANGE:
  case EVENT_FOUND_UNIFORM:
  case EVENT_FOUND_DEADLOCK:
  case EVENT_FOUND_BARRIER:
  case EVENT_FOUND_PARTIAL:
  case EVENT_FOUND_COPY: break;
  }
  return false;
}

static void add_event(const Check *check, const ConcreteFinding *found,
                      Finding *out) {
  const char *sizes = out->witness;
  bool has_thread = found->a.thread >= 0;
  out->node = found->a.node;
  out->other = found->b.node;
  out->notes[0] = has_thread ? thread_text(check, &found->a, &found->a) : NULL;
  out->notes[2] = search_text_of(check, found);
  search_text_add_index(&found->fact, out);
  out->seen_arrivals = found->seen_arrivals;
  out->open_bytes = found->open_bytes;
  if (found->kind == EVENT_FOUND_DEADLOCK) {
    out->notes[0] = "this wait doesn't end";
    out->chain = found->chain.data;
    out->n_chain = found->chain.count;
    has_thread = false;
  }
  if (found->kind == EVENT_FOUND_PARTIAL) {
    out->notes[0] = "the last arrival";
    out->witness =
        arena_printf(check->arena, "%s%s%s", sizes, sizes[0] ? ": " : "",
                     search_text_of(check, found));
    out->notes[2] = NULL;
  }
  if (found->b.node)
    out->notes[1] = other_note(found);
  if (has_thread)
    out->witness =
        arena_printf(check->arena, "%s%s%s", sizes, sizes[0] ? ": " : "",
                     thread_text(check, &found->a, &found->a));
  if (found->kind == EVENT_FOUND_VALUE)
    out->notes[2] = NULL; // the message says it
  if (is_of_clauses(found->kind)) {
    out->witness = arena_printf(check->arena, "%s; %s", out->witness,
                                search_text_of(check, found));
    out->notes[2] = NULL;
  }
}

// The numbers of a launch are its maker's: those of the finding stay.
static const ConcreteLaunch *kept_launch(const Check *check,
                                         const ConcreteLaunch *launch) {
  ConcreteLaunch *kept = ARENA_NEW(check->arena, ConcreteLaunch);
  size_t n = check->kernel->params.count;
  int64_t *scalars = ARENA_ARRAY(check->arena, int64_t, n + 1);
  *kept = *launch;
  if (launch->scalars && n)
    memcpy(scalars, launch->scalars, n * sizeof *scalars);
  kept->scalars = scalars;
  return kept;
}

// Sizes, then contents that decide.
static const char *launch_text(const Check *check,
                               const ConcreteLaunch *launch) {
  bool has_random;
  const char *contents = search_contents_text(check, launch, &has_random);
  ConcreteLaunch told = *launch;
  if (!has_random)
    told.fill = FILL_ZEROS;
  const char *sizes = sizes_text(check->arena, check->kernel, &told);
  return arena_printf(check->arena, "%s%s%s", sizes,
                      *sizes && *contents ? ", " : "", contents);
}

Finding search_bug(const Check *check, const ConcreteLaunch *launch,
                   const ConcreteFinding *found) {
  Finding out = {.code = search_code(found), .verdict = VERDICT_BUG};
  out.message = message_of(check, found);
  out.launch = kept_launch(check, launch);
  out.witness = launch_text(check, launch);
  if (found->kind == EVENT_FOUND_RACE || found->kind == EVENT_FOUND_FENCE)
    add_race(check, found, &out);
  else
    add_event(check, found, &out);
  if (out.witness[0] == 0)
    out.witness = "in every launch";
  return out;
}

// --------------------------------------------------------------- suspects

static const char *suspect_name(const Suspect *suspect) {
  const IrObject *object = suspect->kind == SUSPECT_BARRIER
                               ? search_barrier(suspect->a->node)
                               : search_object(suspect->a);
  return search_text_name_of(suspect->a->node, object);
}

static bool search_text_is_wait(const Step *step) {
  return step->kind == STEP_COPY_WAIT;
}

static uint32_t suspect_code(const Suspect *suspect) {
  switch (suspect->kind) {
  case SUSPECT_RACE: return CODE_RACE;
  case SUSPECT_BOUNDS: return CODE_BOUNDS;
  case SUSPECT_OVERFLOW: return CODE_OVERFLOW;
  case SUSPECT_RANGE: return CODE_RANGE;
  case SUSPECT_UNIFORM: return CODE_UNIFORM;
  case SUSPECT_ASSERT: return CODE_ASSERT;
  case SUSPECT_VALUE: return CODE_VALUE;
  case SUSPECT_BARRIER: return CODE_DEADLOCK;
  case SUSPECT_PARTIAL: return CODE_PARTIAL;
  case SUSPECT_FENCE: return CODE_FENCE;
  case SUSPECT_COPY:
    return search_text_is_wait(suspect->a) ? CODE_WAITS : CODE_COPY;
  case SUSPECT_TWO_OWNERS: return CODE_TWO_OWNERS;
  case SUSPECT_NOT_OWNED: return CODE_NOT_OWNED;
  case SUSPECT_NO_CONTENTS: return CODE_NO_CONTENTS;
  }
  return CODE_RACE;
}

static const char *suspect_message(const Check *check, const Suspect *suspect) {
  Arena *arena = check->arena;
  const char *name = suspect_name(suspect);
  switch (suspect->kind) {
  case SUSPECT_RACE:
    if ((suspect->a->node->flags | suspect->b->node->flags) & NODE_ENDS)
      return arena_printf(
          arena, "a block may end while another block uses its '%s'", name);
    return arena_printf(arena,
                        is_of_marks(search_object(suspect->a))
                            ? "'%s' may be used before it is initialised"
                            : "'%s' may have a data race here",
                        name);
  case SUSPECT_BOUNDS:
    if (search_of_pointer(suspect))
      return "this may be an access through a null pointer";
    return arena_printf(arena,
                        is_at_marks(suspect->a->node)
                            ? "mbarrier '%s' may be initialised outside of its "
                              "array"
                            : "this may reach outside of '%s'",
                        name);
  case SUSPECT_OVERFLOW: return "this may overflow";
  case SUSPECT_RANGE: return "the group may reach beyond its parent";
  case SUSPECT_UNIFORM:
    return check_word(check, WORD_maybe_uniform, NULL, NULL);
  case SUSPECT_ASSERT:
    return is_owed(suspect->a->node)
               ? arena_printf(arena, "this condition may fail: %s",
                              suspect->a->node->u.text.text)
               : "this assertion may fail";
  case SUSPECT_VALUE:
    return arena_printf(arena, "'%s' may be read before it has a value",
                        suspect->a->node->u.text.text);
  case SUSPECT_BARRIER:
    return arena_printf(
        arena, "threads may wait forever, or not long enough, for '%s'", name);
  case SUSPECT_PARTIAL:
    return arena_printf(arena, "the last phase of '%s' may be incomplete",
                        name);
  case SUSPECT_FENCE:
    return arena_printf(arena, "'%s' may need a '%s'", name,
                        check_word(check, WORD_call_fence, NULL, NULL));
  case SUSPECT_COPY:
    return search_text_is_wait(suspect->a)
               ? "this may wait for more copies than were made"
               : "this copy may not be complete where it must be";
  case SUSPECT_TWO_OWNERS:
    return arena_printf(arena, "two iterations may own one element of '%s'",
                        name);
  case SUSPECT_NOT_OWNED:
    return arena_printf(arena, "the iteration may not own this element of '%s'",
                        name);
  case SUSPECT_NO_CONTENTS:
    return arena_printf(
        arena, "'%s' may be read before the iteration writes it", name);
  }
  return "";
}

// Nobody has refuted it, and not all solvers were asked.
static const char *with_tiers(const Check *check, const Suspect *suspect) {
  const bool *off = check->options->solve.tiers_off;
  bool no_isl = off[TIER_ISL];
  bool no_z3 = off[TIER_Z3_LINEAR] && off[TIER_Z3_BITS];
  const char *reason =
      suspect->reason.text ? suspect->reason.text : "not decided";
  if (suspect->has_model || suspect->is_of_extent || suspect->needs_isl ||
      (!no_isl && !no_z3))
    return reason;
  return arena_printf(check->arena, "%s; %s off, or not in this build", reason,
                      !no_z3    ? "isl is"
                      : !no_isl ? "Z3 is"
                                : "isl and Z3 are");
}

// An element lies in the range of its type, as paths state of each load.
static bool is_range_of_type(const Term *term) {
  const Term *sum = term->args[0];
  bool is_one = sum->kind == TERM_SUM && sum->n_parts == 1;
  const Term *atom = is_one ? sum->parts[0].atom : sum;
  if (atom->kind != TERM_APPLY)
    return false;
  uint32_t bits = ir_type_bits(atom->object->element);
  int64_t number = is_one ? sum->number : 0;
  bool is_lower = is_one && sum->parts[0].coefficient < 0;
  if (bits >= 64)
    return false;
  int64_t half = (int64_t)1 << (bits - 1);
  return is_lower ? number == 0 || number == -half
                  : number == 1 - half || number == 1 - 2 * half;
}

static void note_overwritten(const Term *term, const IrObject **found) {
  if (term->kind == TERM_LE && is_range_of_type(term))
    return;
  if (term->kind == TERM_APPLY && term->object->may_be_overwritten)
    *found = term->object;
  for (uint32_t i = 0; i < term->n_args && !*found; i++)
    note_overwritten(term->args[i], found);
  for (uint32_t i = 0; i < term->n_parts && !*found; i++)
    note_overwritten(term->parts[i].atom, found);
}

static void note_overwritten_in(const Step *step, const IrObject **found) {
  if (step)
    note_overwritten(step->path, found);
  if (!step || step->kind != STEP_TOUCH)
    return;
  const Touch *touch = step->u.touch.touch;
  for (int k = 0; k < touch->n_index; k++)
    note_overwritten(touch->index[k], found);
  if (touch->byte)
    note_overwritten(touch->byte, found);
}

// A table whose initial values might prove it, if they were sure to stay.
static const IrObject *overwritten_of(const Suspect *suspect) {
  const IrObject *found = NULL;
  if (suspect->is_of_extent)
    return NULL;
  note_overwritten_in(suspect->a, &found);
  note_overwritten_in(suspect->b, &found);
  if (suspect->a->kind == STEP_OBLIGATION && suspect->a->u.obligation.condition)
    note_overwritten(suspect->a->u.obligation.condition, &found);
  return found;
}

Finding search_unknown(const Check *check, const Suspect *suspect) {
  Finding out = {.code = suspect_code(suspect),
                 .verdict =
                     suspect->is_remark ? VERDICT_PROVED : VERDICT_UNKNOWN,
                 .node = suspect->a->node,
                 .is_of_extent = suspect->is_of_extent,
                 .message = suspect_message(check, suspect),
                 .reason = suspect->reason};
  out.reason.text = with_tiers(check, suspect);
  const IrObject *table = overwritten_of(suspect);
  if (table)
    out.reason =
        check_reason(check, WORD_state_kept, WORD_need_kept, table->name, NULL);
  if (suspect->b && suspect->b->node != suspect->a->node) {
    out.other = suspect->b->node;
    out.notes[1] = ir_is_claim(suspect->b->node) ? "a clause of the loop"
                                                 : "the other place";
  }
  return out;
}
