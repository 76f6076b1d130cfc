// SPDX-License-Identifier: Apache-2.0
// Cases with symbols of their own, as sets of which these are projected out.
//
//   given  S  subset of  union of  { u : for some x, case(u, x) }
//
// Products, bit operations and elements of tables are unknown integers in what
// is given, and in a case where they hold none of its own symbols. What else a
// case says of its own symbols by them is taken to be false: less is covered.
#include "check/solve/solve_parts.h"

#ifdef HD_HAVE_ISL

#include "base/rescue.h"
#include "check/solve/isl_encode.h"
#include "check/solve/isl_memory.h"
#include <isl/ctx.h>
#include <isl/set.h>
#include <isl/val.h>

enum {
  MOST_DIMENSIONS = 48,
  MOST_GIVEN_CHOICES = 64,
  MOST_OPERATIONS = 60000,
};

typedef struct {
  IslSpace in; // dimensions of what is given first, a case's own behind them
  Query *query;
  TermList given;
  uint32_t n_given; // dimensions
  Map known;        // MAP_KEY(term): is one of them
} Cover;

// ------------------------------------------------------------ what is given

// The dimensions that the term would be made of, and its choices.
static IslSpace cover_parts_of(const Cover *c, const Term *term) {
  IslSpace parts = {.table = c->in.table, .arena = c->in.arena, .n_choices = 1};
  isl_note(&parts, term, ++c->in.table->stamp);
  return parts;
}

static bool cover_has_unknown(const Term *term) {
  return isl_is_dimension(term) && term->kind != TERM_SYMBOL;
}

// Less may be given: what has many pieces is left out.
static void collect_given(Cover *c) {
  TermList all = {0};
  uint32_t product = 1;
  if (query_has(c->query, cover_has_unknown))
    solve_lemmas(c->query, NULL, 0, &all);
  for (uint32_t i = 0; i < c->query->all.count; i++)
    VEC_PUSH(c->in.arena, &all, c->query->all.data[i]);
  for (uint32_t i = 0; i < all.count; i++) {
    uint32_t n = cover_parts_of(c, all.data[i]).n_choices;
    if ((uint64_t)product * n > MOST_GIVEN_CHOICES)
      continue;
    product *= n;
    VEC_PUSH(c->in.arena, &c->given, all.data[i]);
  }
}

// ------------------------------------------------------------------- a case

static bool is_own(const SolveCase *a_case, const Symbol *symbol) {
  for (uint32_t i = 0; i < a_case->n_own; i++)
    if (a_case->own[i] == symbol)
      return true;
  return false;
}

typedef struct {
  const SolveCase *a_case;
  bool has_own;
} Looking;

static void look_at_symbol(const Symbol *symbol, void *context) {
  Looking *looking = context;
  looking->has_own |= is_own(looking->a_case, symbol);
}

static bool cover_has_own(const SolveCase *a_case, const Term *term) {
  Looking looking = {a_case, false};
  term_symbols(term, look_at_symbol, &looking);
  return looking.has_own;
}

// Own symbols stand in no product or the like.
static bool is_clear(const Cover *c, const SolveCase *a_case,
                     const Term *term) {
  IslSpace parts = cover_parts_of(c, term);
  for (uint32_t i = 0; i < parts.atoms.count; i++)
    if (cover_has_unknown(parts.atoms.data[i]) &&
        cover_has_own(a_case, parts.atoms.data[i]))
      return false;
  return true;
}

// What of the condition isl can say, at most.
static const Term *clear_part(Cover *c, const SolveCase *a_case,
                              const Term *term) {
  TermTable *t = c->in.table;
  if (term->kind != TERM_ALL && term->kind != TERM_SOME)
    return is_clear(c, a_case, term) ? term : term_false(t);
  bool is_all = term->kind == TERM_ALL;
  const Term *whole = is_all ? term_true(t) : term_false(t);
  for (uint32_t i = 0; i < term->n_args; i++) {
    const Term *arg = clear_part(c, a_case, term->args[i]);
    whole = is_all ? term_and(t, whole, arg) : term_or(t, whole, arg);
  }
  return whole;
}

// A case in the space of what is given and its own symbols; its own projected
// out. NULL: nothing of it can be said.
static isl_set *set_of(Cover *c, const SolveCase *a_case) {
  const Term *condition = clear_part(c, a_case, a_case->condition);
  if (condition->kind == TERM_FALSE)
    return NULL;
  IslSpace q = {.context = c->in.context,
                .table = c->in.table,
                .arena = c->in.arena,
                .n_choices = 1};
  for (uint32_t i = 0; i < c->n_given; i++)
    VEC_PUSH(q.arena, &q.atoms, c->in.atoms.data[i]);
  IslSpace found = cover_parts_of(c, condition);
  for (uint32_t i = 0; i < found.atoms.count; i++) {
    const Term *atom = found.atoms.data[i];
    if (!map_has(&c->in.dimensions, MAP_KEY(atom)))
      VEC_PUSH(q.arena, &q.atoms, atom);
  }
  if (q.atoms.count > MOST_DIMENSIONS || found.n_choices > ISL_MAX_CHOICES)
    return NULL;
  isl_space_begin(&q);
  isl_set *set =
      isl_set_intersect(isl_box(&q, c->n_given), isl_encode(&q, condition));
  set = isl_set_project_out(set, isl_dim_set, c->n_given,
                            q.atoms.count - c->n_given);
  isl_space_end(&q);
  return set;
}

// Symbols of a case that aren't its own, and of which nothing is given, are
// dimensions of what is given as well: it must hold for all of their values.
static void cover_note_atoms(Cover *c, const SolveCase *a_case,
                             const Term *term) {
  IslSpace found = cover_parts_of(c, term);
  for (uint32_t i = 0; i < found.atoms.count; i++) {
    const Term *atom = found.atoms.data[i];
    if (map_has(&c->known, MAP_KEY(atom)) ||
        (a_case && cover_has_own(a_case, atom)))
      continue;
    map_put(c->in.arena, &c->known, MAP_KEY(atom), c);
    VEC_PUSH(c->in.arena, &c->in.atoms, atom);
  }
}

static isl_set *with_sizes_below(const Cover *c, isl_set *set, int64_t most) {
  for (uint32_t i = 0; i < c->n_given; i++) {
    const Symbol *symbol = c->in.atoms.data[i]->symbol;
    if (symbol && symbol->kind == SYMBOL_LAUNCH && symbol->low <= most)
      set = isl_set_upper_bound_val(
          set, isl_dim_set, i, isl_val_int_from_si(c->in.context, (long)most));
  }
  return set;
}

// A point of the set, which is taken, with small sizes where there is one.
static void read_missing(const Cover *c, isl_set *set, TermModel *model) {
  static const int64_t most[] = {8, 70, 600, 5000, INT64_MAX};
  bool is_read = false;
  for (uint32_t i = 0; i < sizeof most / sizeof *most && !is_read; i++) {
    isl_point *point =
        isl_set_sample_point(with_sizes_below(c, isl_set_copy(set), most[i]));
    is_read = point && isl_point_is_void(point) == isl_bool_false &&
              isl_read_point(&c->in, c->query->solver->arena, point, model);
    isl_point_free(point);
  }
  isl_set_free(set);
  if (!is_read)
    *model = (TermModel){0};
}

static bool covers(Cover *c, const SolveCase *cases, uint32_t n_cases,
                   TermModel *missing) {
  isl_set *given = isl_box(&c->in, 0), *all = isl_set_copy(given);
  all = isl_set_subtract(all, isl_set_copy(given));
  for (uint32_t i = 0; i < c->given.count && given; i++)
    given = isl_set_intersect(given, isl_encode(&c->in, c->given.data[i]));
  for (uint32_t i = 0; i < n_cases && all; i++) {
    isl_set *set = set_of(c, &cases[i]);
    if (set)
      all = isl_set_union(all, set);
  }
  isl_set *rest = isl_set_subtract(given, all);
  isl_bool is_empty = isl_set_is_empty(rest);
  if (is_empty == isl_bool_false)
    read_missing(c, isl_set_copy(rest), missing);
  isl_set_free(rest);
  return is_empty == isl_bool_true;
}

bool isl_covers(Query *query, const SolveCase *cases, uint32_t n_cases,
                TermModel *missing) {
  Cover c = {.in = {.table = query->table, .arena = query->arena},
             .query = query};
  c.in.n_choices = 1;
  collect_given(&c);
  for (uint32_t i = 0; i < c.given.count; i++)
    cover_note_atoms(&c, NULL, c.given.data[i]);
  for (uint32_t i = 0; i < n_cases; i++)
    cover_note_atoms(&c, &cases[i], cases[i].condition);
  c.n_given = c.in.atoms.count;
  if (c.n_given > MOST_DIMENSIONS)
    return false;
  isl_ctx *context = c.in.context = isl_context_of(query->solver);
  isl_ctx_reset_error(context);
  isl_ctx_reset_operations(context);
  isl_ctx_set_max_operations(context, MOST_OPERATIONS);
  uint64_t begin_us = solve_now_us();
  isl_space_begin(&c.in);
  bool is_covered = covers(&c, cases, n_cases, missing);
  isl_space_end(&c.in);
  solve_add_time(query->solver, begin_us);
  if (isl_memory_is_out(context))
    rescue_out_of_memory();
  is_covered = is_covered && isl_ctx_last_error(context) == isl_error_none;
  isl_ctx_set_max_operations(context, 0);
  isl_ctx_reset_error(context);
  return is_covered;
}

#else

bool isl_covers(Query *query, const SolveCase *cases, uint32_t n_cases,
                TermModel *missing) {
  (void)query, (void)cases, (void)n_cases, (void)missing;
  return false;
}

#endif
