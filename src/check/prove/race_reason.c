// SPDX-License-Identifier: Apache-2.0
// Why two touches aren't proved apart: the term that says too little, and what
// would say more.
#include "check/prove/bounds.h"
#include "check/prove/race.h"

static void look_in_touch(const Touch *touch, CheckVague *vague) {
  for (int k = 0; k < touch->n_index; k++)
    check_vague(touch->index[k], vague);
  if (touch->byte)
    check_vague(touch->byte, vague);
}

static const char *object_name(const IrObject *object) {
  return object && object->name ? object->name : "memory";
}

static CheckReason alias_reason(const Race *race, const Touch *a,
                                const Touch *b) {
  if (!a->object || !b->object)
    return (CheckReason){
        .text = "a pointer here may point to any array: subscript the "
                "array itself instead"};
  return check_reason(race->check, WORD_state_disjoint, WORD_need_disjoint,
                      object_name(a->object), object_name(b->object));
}

static bool differs_by_thread(const Race *race, const Touch *touch) {
  CheckVague vague = {0};
  look_in_touch(touch, &vague);
  if (vague.table || vague.value)
    return true;
  for (int k = 0; k < touch->n_index; k++) {
    if (!race_is_fixed(touch->index[k]))
      return true;
  }
  (void)race;
  return false;
}

static void note_thread(const Symbol *symbol, void *context) {
  bool *has = context;
  *has |= symbol->kind == SYMBOL_THREAD || symbol->kind == SYMBOL_BLOCK;
}

bool race_is_one_element(const Pair *pair) {
  const Race *race = pair->race;
  const Touch *touch = pair->second->u.touch.touch;
  if (pair->first->step != pair->second || !touch->is_write ||
      differs_by_thread(race, touch))
    return false;
  bool has_thread = false;
  for (int k = 0; k < touch->n_index; k++)
    term_symbols(touch->index[k], note_thread, &has_thread);
  return !has_thread;
}

static const char *example(const Pair *pair, const SolveAnswer *answer) {
  Race *race = pair->race;
  int64_t first, second;
  const Symbol *thread = race->tree->thread;
  if (answer->status != SOLVE_SAT || pair->set->kind == SET_THREAD ||
      !term_model_get(&answer->model, thread, &second) ||
      !term_model_get(&answer->model, race_copy(race, thread), &first))
    return "";
  bool one_block = pair->set->kind == SET_PART;
  return arena_printf(race->check->arena,
                      one_block ? ", for example threads %lld and %lld"
                                : ", for example threads %lld and %lld of "
                                  "different blocks",
                      (long long)first, (long long)second);
}

static const char *meeting_reason(const Pair *pair, const SolveAnswer *answer) {
  Arena *arena = pair->race->check->arena;
  const Touch *a = pair->first->step->u.touch.touch;
  const char *name = object_name(a->object);
  bool one_block = pair->set->kind == SET_PART || pair->set->kind == SET_THREAD;
  if (race_is_one_element(pair))
    return arena_printf(arena,
                        one_block
                            ? "every thread that gets here writes the same "
                              "element of '%s': let one thread store it"
                            : "every block writes the same element of '%s'",
                        name);
  if (a->done == DONE_TENSOR)
    return "the tensor core may still be at work: no wait for an mbarrier that "
           "a later 'tcgen05_commit' arrives on is proved to lie between the "
           "two";
  if (a->done == DONE_BARRIER)
    return "the copy may still run: no wait for the mbarrier that it completes "
           "is proved to lie between the two";
  if (pair->first->sets)
    return arena_printf(arena,
                        "the copy may still run: no wait of the threads that "
                        "made it, followed by a sync, lies between the two");
  switch (pair->set->kind) {
  case SET_GRID:
    return arena_printf(arena,
                        "two blocks may touch the same element of '%s'%s", name,
                        example(pair, answer));
  case SET_CLUSTER:
    return arena_printf(arena,
                        "two blocks of a cluster may touch the same element of "
                        "'%s', with no sync of the cluster between them%s",
                        name, example(pair, answer));
  case SET_THREAD:
  case SET_PART: break;
  }
  if (pair->race->check->order)
    return arena_printf(
        arena,
        "two threads may touch the same element of '%s', and neither a sync "
        "nor an mbarrier is proved to lie between them%s",
        name, example(pair, answer));
  return arena_printf(arena,
                      "two threads may touch the same element of '%s', with no "
                      "sync of a group that contains both between them%s",
                      name, example(pair, answer));
}

// Of touches of one object whose indices come from no table.
static const char *index_reason(const Pair *pair, const SolveAnswer *answer,
                                const IrObject *input, CheckVague vague) {
  Race *race = pair->race;
  Arena *arena = race->check->arena;
  if (vague.value && vague.value->n_var && input)
    return arena_printf(arena,
                        "the index comes from memory ('%s'), which the kernel "
                        "computes '%s' from",
                        object_name(input), vague.value->name);
  if (vague.value && !ir_is_async_copy(pair->second->node) &&
      !ir_is_async_copy(pair->first->step->node))
    return check_vague_value(arena, vague.value, "the index");
  if (race->has_handover)
    return "the checker ignores order by atomic operations and semaphores, and "
           "nothing else orders the two";
  if (answer->status == SOLVE_UNKNOWN)
    return arena_printf(arena, "the solvers can't decide: %s",
                        answer->reason ? answer->reason
                                       : "they give no reason");
  vague = (CheckVague){0};
  check_vague(pair->first->step->path, &vague);
  check_vague(pair->second->path, &vague);
  if (vague.value && vague.value->origin &&
      (vague.value->origin->op == IR_LOAD || vague.value->origin->op == IR_RMW))
    return check_vague_value(arena, vague.value,
                             "the condition that leads here");
  return meeting_reason(pair, answer);
}

CheckReason race_reason(const Pair *pair, const SolveAnswer *answer,
                        const IrObject *input) {
  const Race *race = pair->race;
  const Touch *a = pair->first->step->u.touch.touch;
  const Touch *b = pair->second->u.touch.touch;
  if (!a->object || a->object != b->object)
    return alias_reason(race, a, b);
  CheckVague vague = {0};
  look_in_touch(a, &vague);
  look_in_touch(b, &vague);
  if (vague.table)
    return check_reason(race->check, WORD_state_table_injective,
                        WORD_need_injective, object_name(vague.table), NULL);
  return (CheckReason){.text = index_reason(pair, answer, input, vague)};
}
