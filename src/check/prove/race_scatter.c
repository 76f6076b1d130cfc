// SPDX-License-Identifier: Apache-2.0
// A tile that is stored through index tiles, against itself: which of two
// elements that go to one place stays there nobody says, so that is a race of
// the block with itself. The two are of one execution: all symbols but those of
// elements are shared. Sections without index tiles can't do so.
#include "check/prove/bounds.h"
#include "check/prove/race.h"

// The second element's.
static const Term *race_scatter_symbol(const Symbol *symbol, void *context) {
  Race *race = context;
  if (!symbol->is_axis && !symbol->is_of_element)
    return NULL;
  return term_of(race->terms, race_copy(race, symbol));
}

static const Term *other_element(Race *race, const Term *term) {
  return term_replace(race->terms, term, race_scatter_symbol, race);
}

static bool is_scatter(const Step *step) {
  const IrNode *node = step->node;
  if (step->kind != STEP_TOUCH || !node || node->op != IR_TILE_STORE ||
      ir_is_atomic(node))
    return false;
  bool has_gather = false;
  for (uint32_t k = 0; k < node->u.section.object->rank; k++)
    has_gather |= node->u.section.kind[k] == SECTION_GATHER;
  return has_gather && step->u.touch.touch->n_axes > 0;
}

// Two elements of the tile are stored to one of the array.
static const Term *both_meet(Race *race, const Step *step) {
  TermTable *t = race->terms;
  const Touch *touch = step->u.touch.touch;
  const Term *is_other = term_false(t);
  for (uint32_t i = 0; i < touch->n_axes; i++) {
    const Term *at = term_of(t, touch->axis[i]);
    is_other = term_or(t, is_other, term_ne(t, at, other_element(race, at)));
  }
  const Term *all = is_other;
  for (uint32_t k = 0; k < touch->n_index; k++)
    all = term_and(
        t, all,
        term_eq(t, touch->index[k], other_element(race, touch->index[k])));
  all = term_and(t, all, step->path);
  return term_and(t, all, other_element(race, step->path));
}

static CheckReason scatter_reason(Race *race, const Step *step,
                                  const SolveAnswer *answer) {
  Arena *arena = race->check->arena;
  const Touch *touch = step->u.touch.touch;
  CheckVague vague = {0};
  for (uint32_t k = 0; k < touch->n_index; k++)
    check_vague(touch->index[k], &vague);
  if (vague.table)
    return check_reason(race->check, WORD_state_table_injective,
                        WORD_need_injective, vague.table->name, NULL);
  CheckReason reason = {0};
  if (vague.value)
    reason.text = check_vague_value(arena, vague.value, "the index");
  else if (answer->status == SOLVE_UNKNOWN)
    reason.text =
        arena_printf(arena, "the solvers can't decide: %s",
                     answer->reason ? answer->reason : "they give no reason");
  else
    reason.text = arena_printf(
        arena, "two elements of the tile may be stored to one element of '%s'",
        touch->object->name);
  return reason;
}

static void race_scatter(Race *race, const Step *step) {
  Check *check = race->check;
  const Term *query = both_meet(race, step);
  SolveAnswer answer = {.status = SOLVE_UNSAT};
  if (query->kind != TERM_FALSE)
    answer = solver_ask(check->solver, &query, 1);
  if (answer.status == SOLVE_UNSAT) {
    check_proved(check);
    return;
  }
  Suspect suspect = {.kind = SUSPECT_RACE,
                     .a = step,
                     .b = step,
                     .reason = scatter_reason(race, step, &answer),
                     .has_model = answer.status == SOLVE_SAT,
                     .model = answer.model,
                     .queries = {query},
                     .n_queries = 1};
  check_suspect(check, &suspect);
}

void race_scatters(Race *race) {
  for (uint32_t i = 0; i < race->steps.count; i++) {
    const Step *step = race->steps.data[i];
    if (step && is_scatter(step) && !race_is_over(race, step))
      race_scatter(race, step);
  }
}
