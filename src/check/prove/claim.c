// SPDX-License-Identifier: Apache-2.0
// uniform(e) states that all threads of a group that get there together have
// one value: two threads of it, in the same turns of all loops.
#include "check/prove/bounds.h"

#include "ir/analyses/analysis.h"

typedef struct {
  Check *check;
  const Step *step;
  const IrGroup *group;
  Map copies;
} Claim;

static bool claim_is_shared(const Claim *claim, const Symbol *symbol) {
  bool other_blocks =
      claim->group->kind == GROUP_GRID || claim->group->kind == GROUP_CLUSTER;
  switch (symbol->kind) {
  case SYMBOL_LAUNCH: return true;
  case SYMBOL_BLOCK: return !other_blocks;
  case SYMBOL_THREAD: return false;
  case SYMBOL_TURN: break;
  case SYMBOL_VALUE:
    if (!symbol->over || !ir_group_contains(symbol->over, claim->group))
      return false;
    break;
  }
  // The turns that both are in are those of the loops around the claim.
  for (const CheckLoop *l = claim->step->loop; l; l = l->parent) {
    if (l == symbol->loop)
      return true;
  }
  return !symbol->loop;
}

static const Term *first_symbol(const Symbol *symbol, void *context) {
  Claim *claim = context;
  if (claim_is_shared(claim, symbol))
    return NULL;
  Symbol *copy = map_get(&claim->copies, symbol->id + 1ull);
  if (!copy) {
    copy = term_copy_symbol(claim->check->terms, symbol);
    map_put(claim->check->arena, &claim->copies, symbol->id + 1ull, copy);
  }
  return term_of(claim->check->terms, copy);
}

static const Term *first(Claim *claim, const Term *term) {
  return term_replace(claim->check->terms, term, first_symbol, claim);
}

// The rules of the language find it without help.
static bool claim_is_known(const Check *check, const Step *step) {
  const IrNode *node = step->node;
  return node && node->op == IR_UNIFORM &&
         uniformity_has(check->tree->uniformity, node->args[0],
                        step->u.obligation.group);
}

void check_claim(Check *check, const Step *step) {
  TermTable *t = check->terms;
  if (claim_is_known(check, step)) {
    check_proved(check);
    return;
  }
  const Term *value = step->u.obligation.value;
  Claim claim = {
      .check = check, .step = step, .group = step->u.obligation.group};
  const GroupView *view = tree_group(check->tree, claim.group);
  Suspect suspect = {.kind = SUSPECT_UNIFORM, .a = step};
  if (!value) {
    suspect.reason.text = "the value is too complicated for the checker";
    check_suspect(check, &suspect);
    return;
  }
  const Term *one = term_true(t);
  if (view && view->is_known)
    one = term_and(t, term_and(t, view->member, first(&claim, view->member)),
                   term_eq(t, view->instance, first(&claim, view->instance)));
  const Term *all[4] = {step->path, first(&claim, step->path), one,
                        term_ne(t, value, first(&claim, value))};
  SolveAnswer answer = solver_ask(check->solver, all, 4);
  if (answer.status == SOLVE_UNSAT) {
    check_proved(check);
    return;
  }
  CheckVague vague = {0};
  check_vague(value, &vague);
  if (vague.value)
    suspect.reason.text =
        check_vague_value(check->arena, vague.value, "the value");
  else if (vague.table)
    suspect.reason.text = "the value comes from memory";
  else
    suspect.reason.text = "two threads of the group may have different values";
  suspect.has_model = answer.status == SOLVE_SAT;
  suspect.model = answer.model;
  check_suspect(check, &suspect);
}
