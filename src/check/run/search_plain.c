// SPDX-License-Identifier: Apache-2.0
// Note [Degenerate witnesses]
// Runs with a count of 0, a stride of 0 or a pitch below the width are launches
// that `requires` allows and nobody makes. A bug that one of them has shown is
// looked for with other sizes, which are then told instead. If the solver
// refutes that there are any, the bug is told with what it needs: "only for
// n = 0".
#include "check/run/search_parts.h"

#include <string.h>

enum { MOST_CONDITIONS = 8, PLAIN_MS = 200 };

typedef struct {
  const Term *term;
  const char *text;
} Condition;

typedef struct {
  Search *s;
  const Suspect *suspect;
  const ConcreteLaunch *launch; // that showed it
  Condition all[MOST_CONDITIONS];
  uint32_t n;
} Plain;

static void search_plain_add(Plain *p, const Term *term, const char *text) {
  if (p->n < MOST_CONDITIONS)
    p->all[p->n++] = (Condition){term, text};
}

static const Term *search_plain_size_of(const Plain *p, uint32_t param) {
  const IrParam *row = &p->s->check->kernel->params.data[param];
  if (row->kind != PARAM_SCALAR || !ir_type_is_int(row->type))
    return NULL;
  return aim_size(p->s->aim, p->suspect->queries[0], row->name);
}

// ------------------------------------------------------------------- counts

static void search_plain_add_counts(Plain *p) {
  const Check *check = p->s->check;
  TermTable *t = check->terms;
  for (uint32_t i = 0; i < check->kernel->params.count; i++) {
    const Term *size = search_plain_size_of(p, i);
    if (!size || p->launch->scalars[i] > 0)
      continue;
    const Term *zero = term_int(t, 0);
    if (p->launch->scalars[i] == 0)
      search_plain_add(
          p, term_eq(t, size, zero),
          arena_printf(check->arena, "%s = 0", size->symbol->name));
    search_plain_add(p, term_le(t, size, zero),
                     arena_printf(check->arena, "%s <= 0", size->symbol->name));
  }
}

// ------------------------------------------------------------------- strides

typedef struct {
  const Symbol *symbol;
  bool is_found;
} Factor;

static void look_for_factor(const Symbol *symbol, void *context) {
  Factor *factor = context;
  factor->is_found |= symbol == factor->symbol;
}

static bool multiplies(const Symbol *symbol, const Term *term, int depth) {
  Factor factor = {.symbol = symbol};
  if (!term || depth > 64)
    return false;
  if (term->kind == TERM_MUL)
    term_symbols(term, look_for_factor, &factor);
  bool is_found = factor.is_found;
  for (uint32_t i = 0; i < term->n_args && !is_found; i++)
    is_found = multiplies(symbol, term->args[i], depth + 1);
  for (uint32_t i = 0; i < term->n_parts && !is_found; i++)
    is_found = multiplies(symbol, term->parts[i].atom, depth + 1);
  return is_found;
}

static bool is_stride_of(const Symbol *symbol, const Step *step) {
  if (!step || step->kind != STEP_TOUCH)
    return false;
  const Touch *touch = step->u.touch.touch;
  bool is_one = multiplies(symbol, touch->byte, 0);
  for (int i = 0; i < touch->n_index && !is_one; i++)
    is_one = multiplies(symbol, touch->index[i], 0);
  return is_one;
}

static void add_pitches(Plain *p) {
  const Check *check = p->s->check;
  uint32_t n = check->kernel->params.count;
  for (uint32_t i = 0; i < n; i++) {
    const Term *pitch = search_plain_size_of(p, i);
    if (!pitch || (!is_stride_of(pitch->symbol, p->suspect->a) &&
                   !is_stride_of(pitch->symbol, p->suspect->b)))
      continue;
    for (uint32_t k = 0; k < n; k++) {
      const Term *width = search_plain_size_of(p, k);
      if (width && k != i && p->launch->scalars[i] < p->launch->scalars[k])
        search_plain_add(p, term_lt(check->terms, pitch, width),
                         arena_printf(check->arena, "%s < %s",
                                      pitch->symbol->name,
                                      width->symbol->name));
    }
  }
}

// ------------------------------------------------------------------- answers

// It never happens otherwise, whichever way the two places meet.
static bool search_plain_is_needed(const Plain *p, const Condition *condition) {
  const Suspect *suspect = p->suspect;
  if (suspect->n_queries > SUSPECT_QUERIES)
    return false;
  for (uint32_t i = 0; i < suspect->n_queries; i++)
    if (!aim_refutes(p->s->aim, suspect->queries[i], condition->term))
      return false;
  return true;
}

static const char *search_plain_needed(const Plain *p) {
  for (uint32_t i = 0; i < p->n; i++)
    if (search_plain_is_needed(p, &p->all[i]))
      return p->all[i].text;
  return NULL;
}

static bool show_one(const Plain *p, const Term *query, const Term *avoid,
                     Finding *finding) {
  Check *check = p->s->check;
  int64_t *scalars =
      ARENA_ARRAY(check->arena, int64_t, check->kernel->params.count + 1);
  TermModel model;
  ConcreteLaunch launch;
  if (!aim_model(p->s->aim, query, avoid, &model) ||
      !search_aimed_launch(p->s, &model, scalars, &launch))
    return false;
  launch.fill = p->launch->fill;
  launch.seed = p->launch->seed;
  return search_shows(p->s, &launch, p->suspect, finding);
}

static void search_plain_show(const Plain *p, Finding *finding) {
  const Suspect *suspect = p->suspect;
  TermTable *t = p->s->check->terms;
  const Term *avoid = term_false(t);
  for (uint32_t i = 0; i < p->n; i++)
    avoid = term_or(t, avoid, p->all[i].term);
  for (uint32_t i = 0; i < suspect->n_queries && i < SUSPECT_QUERIES; i++)
    if (show_one(p, suspect->queries[i], avoid, finding))
      return;
}

static void show_plainly(Search *s, const ShownBug *bug) {
  Check *check = s->check;
  Finding *finding = &check->report->findings.data[bug->finding];
  Plain p = {.s = s,
             .suspect = &check->suspects.data[bug->suspect],
             .launch = finding->launch};
  if (p.suspect->n_queries == 0 || !p.launch)
    return;
  search_plain_add_counts(&p);
  add_pitches(&p);
  const char *condition = search_plain_needed(&p);
  if (condition)
    finding->witness = arena_printf(check->arena, "%s; only for %s",
                                    finding->witness, condition);
  else if (p.n > 0)
    search_plain_show(&p, finding);
}

// With time of its own: what other suspects took says nothing about bugs.
void search_show_plainly(Search *s) {
  if (s->shown.count == 0)
    return;
  aim_free(s->aim);
  s->aim = aim_new(s->check, PLAIN_MS);
  for (uint32_t i = 0; i < s->shown.count; i++)
    show_plainly(s, &s->shown.data[i]);
}
