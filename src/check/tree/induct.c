// SPDX-License-Identifier: Apache-2.0
// Laws of a loop's variables.
//
// Note [Laws]. `back` is a variable's value at the end of a turn as a term of
// heads, the variables' values at its start. A law L is right if L(0) is the
// value before the loop and, for every turn, back with L(turn) in place of the
// head is L(turn + 1), wherever the way back is taken. Laws of other variables
// may be used in that, if they were proved before: so laws are found in rounds,
// a variable after those that it depends on. What is left without a law stays a
// head, which may be anything.
//
// Laws are guessed from the form of `back` (x + c, x mod S, x >> 1, …) and, for
// counters that start over, from the constants in it. A guess is first tried
// with small numbers, which is cheap, then proved.
//
// In a walk for the laws of a loop around, variables start with that loop's
// heads, of which nothing is known. What a law needs of them (0 <= x < S) is
// assumed there, and proved when the outer loop's laws are known.
#include "check/tree/induct.h"

// ------------------------------------------------------------------ questions

typedef struct {
  const Walk *w;
  const CheckLoop *loop;
  const Symbol *turn;
  bool is_outer;
} OuterTest;

static void test_outer(const Symbol *symbol, void *context) {
  OuterTest *test = context;
  if (symbol->loop == test->loop || loop_is_inside(symbol->loop, test->loop))
    test->is_outer = false;
}

bool induct_is_outer(const Induct *in, const Term *term) {
  OuterTest test = {in->w, in->laws->loop, in->laws->turn, true};
  term_symbols(term, test_outer, &test);
  return test.is_outer;
}

static void test_turn(const Symbol *symbol, void *context) {
  OuterTest *test = context;
  if (symbol != test->turn)
    test_outer(symbol, context);
}

bool induct_is_of_turn(const Induct *in, const Term *term) {
  OuterTest test = {in->w, in->laws->loop, in->laws->turn, true};
  term_symbols(term, test_turn, &test);
  return test.is_outer;
}

// ---------------------------------------------------------------- replacement

const Term *induct_replace(const Symbol *symbol, void *context) {
  const LoopLaws *laws = context;
  if (symbol->loop != laws->loop || symbol->kind != SYMBOL_VALUE)
    return NULL;
  const Symbol *head = symbol->received_of ? symbol->received_of : symbol;
  const Term *law = NULL;
  for (uint32_t i = 0; i < laws->n && !law; i++)
    if (laws->vars[i].symbol == head)
      law = laws->is_short && laws->vars[i].short_law ? laws->vars[i].short_law
                                                      : laws->vars[i].law_term;
  // What another thread has in this turn, if all have the same.
  int64_t same;
  return head == symbol || (law && term_is_constant(law, &same)) ? law : NULL;
}

typedef struct {
  const Symbol *symbol;
  const Term *by;
} One;

static const Term *replace_one(const Symbol *symbol, void *context) {
  const One *one = context;
  return symbol == one->symbol ? one->by : NULL;
}

const Term *induct_put(Walk *w, const Term *term, const Symbol *symbol,
                       const Term *by) {
  One one = {symbol, by};
  return term_replace(w->terms, term, replace_one, &one);
}

const Value *induct_at(Walk *w, const LoopLaws *laws, const LoopVar *var,
                       const Term *turn) {
  One one = {laws->turn, turn};
  return value_map(w, var->law, replace_one, &one);
}

// --------------------------------------------------------------------- proofs

static bool is_unsigned_head(const LoopVar *var) {
  return var->head->kind == VALUE_INT && var->head->is_unsigned;
}

const Term *induct_number(Walk *w, const LoopVar *var, const Value *value) {
  return is_unsigned_head(var) ? value_unsigned(w, value)
                               : value_signed(w, value);
}

// What holds at the end of a turn, with the laws that are known.
static const Term *known_at_back(Induct *in) {
  Walk *w = in->w;
  return term_and(
      w->terms, path_now(w),
      term_replace(w->terms, in->laws->back_path, induct_replace, in->laws));
}

static bool proves_at_back(Induct *in, const Term *given,
                           const Term *condition) {
  Walk *w = in->w;
  if (in->n_proofs == 0)
    return false;
  in->n_proofs--;
  return solver_proves(w->quick, term_and(w->terms, known_at_back(in), given),
                       condition);
}

bool induct_proves_at_back(Induct *in, const Term *condition) {
  return proves_at_back(in, term_true(in->w->terms), condition);
}

bool induct_proves_at_start(Induct *in, const Term *condition) {
  if (condition->kind == TERM_TRUE || condition->kind == TERM_FALSE)
    return condition->kind == TERM_TRUE;
  Walk *w = in->w;
  if (solver_proves(w->quick, path_now(w), condition))
    return true;
  // About the start as a head of a loop around, whose law isn't known yet.
  if (w->dry == 0)
    return false;
  VEC_PUSH(w->arena, &w->assumptions, condition);
  return true;
}

// Tries turns from 0 on with numbers. False: the law is wrong.
static bool survives_numbers(Induct *in, const Term *after, const Term *law) {
  enum { TURNS = 12 };

  Walk *w = in->w;
  const Symbol *turn = in->laws->turn;
  for (int64_t k = 0; k < TURNS; k++) {
    const Term *a = induct_put(w, after, turn, term_int(w->terms, k));
    const Term *b = induct_put(w, law, turn, term_int(w->terms, k + 1));
    int64_t x, y;
    if (term_is_constant(a, &x) && term_is_constant(b, &y) && x != y)
      return false;
  }
  return true;
}

bool induct_may_be_law(Induct *in, LoopVar *var, const Term *law) {
  Walk *w = in->w;
  TermTable *t = w->terms;
  const Symbol *turn = in->laws->turn;
  var->law_term = law;
  const Term *after = term_replace(t, var->back_term, induct_replace, in->laws);
  const Term *next =
      induct_put(w, law, turn, term_add(t, term_of(t, turn), term_int(t, 1)));
  bool is_right = after == next;
  if (!is_right && in->n_proofs > 0 && induct_is_of_turn(in, after) &&
      survives_numbers(in, after, law)) {
    in->n_proofs--;
    is_right =
        solver_proves(w->quick, known_at_back(in), term_eq(t, after, next));
  }
  var->law_term = NULL;
  return is_right;
}

bool induct_proves_short(Induct *in, LoopVar *var, const Term *law,
                         const Term *next) {
  Walk *w = in->w;
  if (in->n_proofs == 0)
    return false;
  in->laws->is_short = true;
  var->short_law = law;
  const Term *after =
      term_replace(w->terms, var->back_term, induct_replace, in->laws);
  bool is_right = after == next;
  if (!is_right) {
    in->n_proofs--;
    is_right = solver_proves(w->quick, known_at_back(in),
                             term_eq(w->terms, after, next));
  }
  if (!is_right)
    var->short_law = NULL;
  in->laws->is_short = false;
  return is_right;
}

static void check_induct_accept(Induct *in, LoopVar *var, const Term *law) {
  Walk *w = in->w;
  TermTable *t = w->terms;
  var->law_term = law;
  if (var->head->kind == VALUE_BOOL) {
    var->law = value_bool(w, term_eq(t, law, term_int(t, 1)));
    return;
  }
  bool is_unsigned = is_unsigned_head(var);
  var->law = value_int(w, var->head->bits, law, !is_unsigned, is_unsigned);
}

// ------------------------------------------------------------------- guesses

typedef bool (*Guess)(Induct *in, LoopVar *var, const Term *back);

// x: nothing but itself.
static bool guess_same(Induct *in, LoopVar *var, const Term *back) {
  if (back != term_of(in->w->terms, var->symbol))
    return false;
  check_induct_accept(in, var, var->first);
  return true;
}

// x + c
static bool guess_sum(Induct *in, LoopVar *var, const Term *back) {
  TermTable *t = in->w->terms;
  const Term *by = term_sub(t, back, term_of(t, var->symbol));
  if (!induct_is_outer(in, by))
    return false;
  const Term *turn = term_of(t, in->laws->turn);
  var->step = by;
  check_induct_accept(in, var, term_add(t, var->first, term_mul(t, by, turn)));
  return true;
}

// c ? x + a : x + b, where no turn changes c: what threads of a role count.
static bool guess_choice_of_sums(Induct *in, LoopVar *var, const Term *back) {
  TermTable *t = in->w->terms;
  if (back->kind != TERM_ITE || !induct_is_outer(in, back->args[0]))
    return false;
  const Term *now = term_of(t, var->symbol), *turn = term_of(t, in->laws->turn);
  const Term *laws[2];
  for (int i = 0; i < 2; i++) {
    const Term *by = term_sub(t, back->args[i + 1], now);
    if (!induct_is_outer(in, by))
      return false;
    laws[i] = term_add(t, var->first, term_mul(t, by, turn));
  }
  check_induct_accept(in, var, term_ite(t, back->args[0], laws[0], laws[1]));
  return true;
}

// In the walk for laws of a loop around this is assumed of that loop's heads,
// unless that has been wrong: then all would be lost for it.
static bool starts_within(Induct *in, const LoopVar *var, int64_t low,
                          int64_t high) {
  Walk *w = in->w;
  TermTable *t = w->terms;
  const Term *starts = term_and(t, term_le(t, term_int(t, low), var->first),
                                term_le(t, var->first, term_int(t, high)));
  if (w->dry == 0 || w->doubts_starts || var->first->kind != TERM_SYMBOL)
    return solver_proves(w->quick, path_now(w), starts);
  w->n_starts++;
  return induct_proves_at_start(in, starts);
}

// The law stays in the range of the variable's type, so that no turn wraps.
static bool stays_in_range(Induct *in, LoopVar *var, const Term *law) {
  Walk *w = in->w;
  TermTable *t = w->terms;
  const Symbol *turn = in->laws->turn;
  int64_t low, high;
  type_range(var->head->bits, is_unsigned_head(var), &low, &high);
  if (in->n_proofs == 0)
    return false;
  if (var->head->bits >= 64) { // whose ends no term says
    high = (int64_t)1 << 62;
    low = is_unsigned_head(var) ? 0 : -high;
    if (!starts_within(in, var, low, high))
      return false;
  }
  in->n_proofs--;
  const Term *next =
      induct_put(w, law, turn, term_add(t, term_of(t, turn), term_int(t, 1)));
  const Term *now_fits = term_and(t, term_le(t, term_int(t, low), law),
                                  term_le(t, law, term_int(t, high)));
  const Term *next_fits = term_and(t, term_le(t, term_int(t, low), next),
                                   term_le(t, next, term_int(t, high)));
  var->law_term = law;
  const Term *given = term_and(t, now_fits, known_at_back(in));
  var->law_term = NULL;
  return solver_proves(w->quick, given, next_fits);
}

// The same as x + c, but of a number that may wrap as far as the term says: it
// doesn't where the way back shows that, else the law holds modulo the width.
static bool guess_wrapping_sum(Induct *in, LoopVar *var, const Term *back) {
  Walk *w = in->w;
  TermTable *t = w->terms;
  (void)back;
  if (var->back->kind != VALUE_INT || var->start->kind != VALUE_INT)
    return false;
  const Term *raw = term_replace(t, var->back->term, induct_replace, in->laws);
  const Term *by = term_sub(t, raw, term_of(t, var->symbol));
  if (!induct_is_outer(in, by))
    return false;
  const Term *turn = term_of(t, in->laws->turn);
  const Term *law = term_add(t, var->first, term_mul(t, by, turn));
  if (stays_in_range(in, var, law)) {
    var->step = by;
    check_induct_accept(in, var, law);
    if (var->head->bits >= 64)
      var->law = value_int(w, 64, law, true, true);
    return true;
  }
  const Value *modular = value_int(w, var->head->bits, law, false, false);
  var->law = modular;
  var->law_term = induct_number(w, var, modular);
  return true;
}

static bool is_half(TermTable *t, const Term *back, const Term *whole,
                    int64_t divisor) {
  return back == term_div(t, whole, term_int(t, divisor));
}

// x >> k, x / 2^k of a number that isn't negative
static bool guess_shift_right(Induct *in, LoopVar *var, const Term *back) {
  Walk *w = in->w;
  TermTable *t = w->terms;
  Symbol model = *var->symbol;
  model.low = 0;
  const Term *whole = term_of(t, term_symbol_new(t, &model));
  const Term *halved = induct_put(w, back, var->symbol, whole);
  for (int64_t k = 1; k <= 5; k++) {
    if (!is_half(t, halved, whole, (int64_t)1 << k))
      continue;
    if (!induct_proves_at_start(in, term_le(t, term_int(t, 0), var->first)))
      return false;
    const Term *by = term_scale(t, term_of(t, in->laws->turn), k);
    check_induct_accept(in, var, term_bits(t, TERM_SHR, var->first, by));
    return true;
  }
  return false;
}

// x * 2^k
static bool guess_shift_left(Induct *in, LoopVar *var, const Term *back) {
  TermTable *t = in->w->terms;
  const Term *head = term_of(t, var->symbol);
  for (int64_t k = 1; k <= 5; k++) {
    if (back != term_scale(t, head, (int64_t)1 << k))
      continue;
    const Term *by = term_scale(t, term_of(t, in->laws->turn), k);
    check_induct_accept(in, var, term_bits(t, TERM_SHL, var->first, by));
    return true;
  }
  return false;
}

// The last turn that there may be: in turn k nothing goes back, and turns come
// one after the other. That a later one would go back again doesn't matter.
static int64_t induct_last_turn(Induct *in) {
  enum { MOST = 66 };

  Walk *w = in->w;
  if (!in->laws->back_path)
    return INT64_MAX;
  const Term *back =
      term_replace(w->terms, in->laws->back_path, induct_replace, in->laws);
  if (!induct_is_of_turn(in, back))
    return INT64_MAX;
  for (int64_t k = 0; k < MOST; k++)
    if (induct_put(w, back, in->laws->turn, term_int(w->terms, k))->kind ==
        TERM_FALSE)
      return k;
  return INT64_MAX;
}

// first * 2^(k * last) fits, so that no turn wraps.
static bool fits_shifted(Induct *in, const LoopVar *var, int64_t k,
                         int64_t most) {
  int64_t low, high, last = induct_last_turn(in);
  term_interval(in->w->terms, var->first, &low, &high);
  return low >= 0 && last < 62 && k * last < 62 && high <= most >> (k * last);
}

// The same of an unsigned number that doesn't wrap where the way back shows
// that, as in `for (unsigned s = 1; s < n; s *= 2)`, or where there are few
// turns.
static bool guess_wrapping_shift(Induct *in, LoopVar *var, const Term *back) {
  TermTable *t = in->w->terms;
  const Term *head = term_of(t, var->symbol);
  (void)back;
  if (var->back->kind != VALUE_INT || var->head->bits >= 64)
    return false;
  int64_t low, high;
  type_range(var->head->bits, is_unsigned_head(var), &low, &high);
  const Term *raw = term_replace(t, var->back->term, induct_replace, in->laws);
  for (int64_t k = 1; k <= 5; k++) {
    if (raw != term_scale(t, head, (int64_t)1 << k))
      continue;
    const Term *natural = term_le(t, term_int(t, 0), head);
    if (!fits_shifted(in, var, k, high) &&
        (!proves_at_back(in, natural, term_le(t, raw, term_int(t, high))) ||
         !induct_proves_at_start(in, term_le(t, term_int(t, 0), var->first))))
      return false;
    const Term *by = term_scale(t, term_of(t, in->laws->turn), k);
    check_induct_accept(in, var, term_bits(t, TERM_SHL, var->first, by));
    return true;
  }
  return false;
}

// What the turn before made of numbers that are terms of the turn alone.
static bool guess_previous(Induct *in, LoopVar *var, const Term *back) {
  Walk *w = in->w;
  TermTable *t = w->terms;
  if (!induct_is_of_turn(in, back))
    return false;
  const Symbol *turn = in->laws->turn;
  const Term *now = term_of(t, turn);
  const Term *before =
      induct_put(w, back, turn, term_sub(t, now, term_int(t, 1)));
  const Term *law =
      induct_put(w, before, turn, term_int(t, 0)) == var->first
          ? before
          : term_ite(t, term_eq(t, now, term_int(t, 0)), var->first, before);
  check_induct_accept(in, var, law);
  return true;
}

// A flag that every turn leaves as it was, whoever gives it.
static bool guess_kept_flag(Induct *in, LoopVar *var, const Term *back) {
  (void)back;
  int64_t first;
  if (var->head->kind != VALUE_BOOL || !term_is_constant(var->first, &first) ||
      !induct_may_be_law(in, var, var->first))
    return false;
  check_induct_accept(in, var, var->first);
  return true;
}

static const Guess guesses[] = {
    guess_same,           guess_kept_flag,   guess_sum,
    guess_choice_of_sums, guess_from_turn,   guess_cycle,
    guess_reflection,     guess_shift_right, guess_shift_left,
    guess_wrapping_shift, guess_period,      guess_phase,
    guess_term_period,    guess_rounds,      guess_minimum,
    guess_maximum,        guess_alongside,   guess_wrapping_sum,
    guess_flags,          guess_previous,    guess_late_sum,
};

// What counters of barriers do: they never start over, and don't wrap.
static bool is_guess_of_counters(Guess guess) {
  return guess == guess_same || guess == guess_sum ||
         guess == guess_choice_of_sums || guess == guess_from_turn ||
         guess == guess_late_sum;
}

void induct_accept(Induct *in, LoopVar *var, const Term *law) {
  check_induct_accept(in, var, law);
}

static bool induct_is_number(const Value *value) {
  return value && (value->kind == VALUE_INT || value->kind == VALUE_BOOL);
}

static bool try_var(Induct *in, LoopVar *var) {
  Walk *w = in->w;
  const Term *back =
      term_replace(w->terms, var->back_term, induct_replace, in->laws);
  if (walk_size(w, back) > WALK_MAX_SIZE)
    return false;
  bool is_counter = walk_is_counter(w, var->var);
  for (size_t i = 0; i < sizeof guesses / sizeof *guesses; i++)
    if ((!is_counter || is_guess_of_counters(guesses[i])) &&
        guesses[i](in, var, back)) {
      bool is_small = walk_size(w, var->law_term) <= WALK_MAX_SIZE;
      if (!is_small)
        var->law = NULL, var->law_term = NULL;
      return is_small;
    }
  return false;
}

// --------------------------------------------------------------------- ranges

// Where the values are that a term chooses among, as far as their form says:
// relative to the head, or by themselves.
typedef struct {
  const Term *head;
  bool is_other;             // some value isn't head + number
  int64_t least_by, most_by; // of those that are
  bool is_negative;          // some other value may be
} Choices;

static bool induct_has_part(const Term *sum, const Term *atom) {
  for (uint32_t i = 0; sum->kind == TERM_SUM && i < sum->n_parts; i++)
    if (sum->parts[i].atom == atom)
      return true;
  return sum == atom;
}

static void see_choice(Induct *in, const Term *term, Choices *choices,
                       uint32_t depth) {
  enum { MAX_CHOICES = 16 };

  TermTable *t = in->w->terms;
  int64_t low, high;
  const Term *by = term_sub(t, term, choices->head);
  if (!induct_has_part(by, choices->head)) {
    term_interval(t, by, &low, &high);
    choices->least_by = low < choices->least_by ? low : choices->least_by;
    choices->most_by = high > choices->most_by ? high : choices->most_by;
    return;
  }
  if (term->kind == TERM_ITE && depth < MAX_CHOICES) {
    see_choice(in, term->args[1], choices, depth + 1);
    see_choice(in, term->args[2], choices, depth + 1);
    return;
  }
  term_interval(t, term, &low, &high);
  choices->is_other = true;
  choices->is_negative |= low < 0;
}

// x mod d somewhere in it, where no turn changes d: its largest value.
static const Term *find_divisor(Induct *in, const Term *term, uint32_t depth) {
  enum { MAX_DEPTH = 12 };

  if (depth > MAX_DEPTH)
    return NULL;
  int64_t number;
  if (term->kind == TERM_MOD && induct_is_outer(in, term->args[1]) &&
      !term_is_constant(term->args[1], &number))
    return term->args[1];
  const Term *found = NULL;
  for (uint32_t i = 0; i < term->n_args && !found; i++)
    found = find_divisor(in, term->args[i], depth + 1);
  for (uint32_t i = 0; i < term->n_parts && !found; i++)
    found = find_divisor(in, term->parts[i].atom, depth + 1);
  return found;
}

// x = (x + c) % size, where only the launch knows the size: x stays below it,
// if it starts there and a turn that begins there ends there.
static bool find_remainder(Induct *in, LoopVar *var, const Term *back) {
  Walk *w = in->w;
  TermTable *t = w->terms;
  const Term *size = find_divisor(in, back, 0), *zero = term_int(t, 0);
  if (!size)
    return false;
  const Term *head = term_of(t, var->symbol);
  const Term *starts =
      term_and(t, term_le(t, zero, var->first), term_lt(t, var->first, size));
  const Term *given =
      term_and(t, term_le(t, zero, head), term_lt(t, head, size));
  const Term *ends =
      term_and(t, term_le(t, zero, back), term_lt(t, back, size));
  if (!solver_proves(w->quick, path_now(w), starts) ||
      !proves_at_back(in, given, ends))
    return false;
  var->low = zero;
  var->high = term_sub(t, size, term_int(t, 1));
  return true;
}

// A variable that only grows, or shrinks, or grows by one at most, or stays in
// a period.
static void induct_find_range(Induct *in, LoopVar *var) {
  Walk *w = in->w;
  TermTable *t = w->terms;
  const Term *back = term_replace(t, var->back_term, induct_replace, in->laws);
  if (var->head->kind != VALUE_INT || w->dry ||
      walk_size(w, back) > WALK_MAX_SIZE)
    return;
  if (find_remainder(in, var, back))
    return;
  Choices choices = {.head = term_of(t, var->symbol)};
  see_choice(in, back, &choices, 0);
  int64_t least, most;
  term_interval(t, var->first, &least, &most);
  if (choices.least_by >= 0 && !choices.is_other)
    var->low = var->first;
  else if (choices.least_by >= 0 && !choices.is_negative && least >= 0)
    var->low = term_int(t, 0);
  if (choices.is_other || choices.most_by > 1)
    var->high = induct_period_bound(in, var, back);
  else if (choices.most_by <= 0)
    var->high = var->first;
  else
    var->high = term_add(t, var->first, term_of(t, in->laws->turn));
}

bool induct_stays_below(Induct *in, LoopVar *var, const Term *back,
                        int64_t bound) {
  TermTable *t = in->w->terms;
  const Term *head = term_of(t, var->symbol), *end = term_int(t, bound);
  int64_t least, most;
  term_interval(t, var->first, &least, &most);
  if (most >= bound)
    return false;
  const Term *given = term_lt(t, head, end);
  if (var->low)
    given = term_and(t, given, term_le(t, var->low, head));
  return proves_at_back(in, given, term_lt(t, back, end));
}

// --------------------------------------------------------------------- rounds

// The walk for laws went on from what isn't so: nothing of it counts.
static void induct_forget(Walk *w, LoopLaws *laws) {
  for (uint32_t i = 0; i < laws->n; i++)
    laws->vars[i].law = NULL, laws->vars[i].law_term = NULL;
  laws->back_path = NULL;
  laws->is_forgotten = true;
  w->is_cut |= w->dry > 0;
}

// What loops inside assumed of this loop's heads.
static bool holds_assumed(Induct *in) {
  Walk *w = in->w;
  uint32_t end = w->assumptions.count, first = w->n_assumed;
  bool is_right = true;
  for (uint32_t i = first; i < end && is_right; i++) {
    const Term *condition = term_replace(w->terms, w->assumptions.data[i],
                                         induct_replace, in->laws);
    is_right = induct_is_of_turn(in, condition) &&
               induct_proves_at_start(in, condition);
  }
  // New ones, about heads further out, stand behind.
  uint32_t n_new = w->assumptions.count - end;
  for (uint32_t i = 0; i < n_new; i++)
    w->assumptions.data[first + i] = w->assumptions.data[end + i];
  w->assumptions.count = first + n_new;
  return is_right;
}

static void induct_prepare(Induct *in) {
  for (uint32_t i = 0; i < in->laws->n; i++) {
    LoopVar *var = &in->laws->vars[i];
    bool is_known = var->head && induct_is_number(var->start) &&
                    induct_is_number(var->back);
    if (!is_known) {
      var->back_term = NULL;
      continue;
    }
    var->first = induct_number(in->w, var, var->start);
    var->back_term = induct_number(in->w, var, var->back);
  }
}

void induct(Walk *w, LoopLaws *laws) {
  enum { MAX_ROUNDS = 4, MAX_PROOFS = 24 };

  Induct in = {.w = w, .laws = laws, .n_proofs = MAX_PROOFS};
  induct_prepare(&in);
  for (uint32_t i = 0; i < laws->n; i++)
    if (walk_is_counter(w, laws->vars[i].var) && laws->vars[i].back_term)
      (void)try_var(&in, &laws->vars[i]);
  induct_follow(&in, true);
  bool is_new = true;
  for (int round = 0; round < MAX_ROUNDS && is_new; round++) {
    is_new = false;
    for (uint32_t i = 0; i < laws->n; i++) {
      LoopVar *var = &laws->vars[i];
      if (!var->law && var->back_term)
        is_new |= try_var(&in, var);
    }
  }
  induct_follow(&in, false);
  if (!holds_assumed(&in)) {
    induct_forget(w, laws);
    return;
  }
  laws->last_turn =
      laws->loop->node->op == IR_LOOP ? induct_last_turn(&in) : INT64_MAX;
  induct_pointers(&in);
  for (uint32_t i = 0; i < laws->n; i++)
    if (!laws->vars[i].law && laws->vars[i].back_term)
      induct_find_range(&in, &laws->vars[i]);
}
