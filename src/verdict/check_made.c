// SPDX-License-Identifier: Apache-2.0
// Note [Arguments that the host computes]
// Some arguments of a launch are computed by host code in a way that isn't
// followed (cu_made.c): they have some values, and nobody here knows which. So
// a bug that needs other values of them than the host computes is none. Each
// bug of such a launch is asked again with a value that they have, where a call
// names one, or else with a large power of two. Where it is proved then, it is
// no more than a possible bug, and the report names the arguments.
//
// With a small number there may be only one block, or a single thread with
// something to do: that would excuse races, so it excuses accesses outside
// alone.
#include "verdict/check_rounds.h"

#include "base/panic.h"
#include "check/report/finding.h"

#include <inttypes.h>

enum { MADE_TRY_MS = 500, LEAST_MANY = 1024, BLOCKS_OF_MANY = 4 };

typedef struct {
  const CheckTask *task;
  const CheckRound *first;
  HdCheck *check;
} MadeArgs;

// The launch's facts say what it is, or relate it to others so that nothing
// else is possible: the trial is none then (check_is_impossible).
static HdStatus made_ask(const MadeArgs *x, int64_t value, HdCheck **out) {
  CheckRound round = *x->first;
  Arena *arena = x->check->arena;
  round.limits = x->check->limits;
  round.only_proofs = true;
  round.time_ms = MADE_TRY_MS;
  for (uint32_t i = 0; i < x->check->n_made; i++) {
    const CudaMade *made = &x->check->made[i];
    check_round_assume(
        arena, &round,
        cuda_fact(arena_printf(arena, "%s == %" PRId64, made->name,
                               made->has_value ? made->value : value)));
  }
  return check_try_proof(x->task, &round, out);
}

// 'n' = 64 and 'm' = 1024
static const char *made_text(const MadeArgs *x, int64_t value) {
  Text text = {.arena = x->check->arena};
  uint32_t n = x->check->n_made;
  for (uint32_t i = 0; i < n; i++) {
    const CudaMade *made = &x->check->made[i];
    text_printf(&text, "%s'%s' = %" PRId64,
                i == 0      ? ""
                : i + 1 < n ? ", "
                            : " and ",
                made->name, made->has_value ? made->value : value);
  }
  return text_cstr(&text);
}

static bool made_apply(const MadeArgs *x, const HdCheck *other, int64_t value,
                       bool is_small) {
  HdCheck *check = x->check;
  bool is_any = false;
  for (uint32_t i = 0; i < check->findings.count; i++) {
    Finding *finding = &check->report.findings.data[i];
    bool is_bounds = finding->code == CODE_BOUNDS;
    if (finding->verdict != VERDICT_BUG || (is_small && !is_bounds) ||
        !check_doubt_is_gone(check, i, other))
      continue;
    finding->verdict = VERDICT_UNKNOWN;
    finding->reason.text = arena_printf(
        check->arena,
        "it is a bug for some values, but not for %s, and how the host "
        "computes %s isn't followed: state with --assume what holds",
        made_text(x, value), check->n_made > 1 ? "them" : "it");
    is_any = true;
  }
  return is_any;
}

static bool made_has_all_values(const HdCheck *check) {
  for (uint32_t i = 0; i < check->n_made; i++)
    if (!check->made[i].has_value)
      return false;
  return true;
}

HdStatus check_made(const CheckTask *task, const CheckRound *first,
                    HdCheck *check) {
  HD_ASSERT(check->ir);
  MadeArgs x = {.task = task, .first = first, .check = check};
  int64_t threads =
      (int64_t)check->block[0] * check->block[1] * check->block[2];
  int64_t many = threads * BLOCKS_OF_MANY;
  const int64_t values[] = {many > LEAST_MANY ? many : LEAST_MANY, threads, 1};
  int n = check->n_made == 0 ? 0 : made_has_all_values(check) ? 1 : 3;
  bool is_any = false;
  for (int i = 0; i < n && !solve_is_behind(&first->end); i++) {
    HdCheck *other;
    if (made_ask(&x, values[i], &other) != HD_OK)
      break;
    if (other->was_checked && !check_is_impossible(other))
      is_any |= made_apply(&x, other, values[i], i > 0);
    hd_check_free(other);
  }
  if (is_any)
    check_doubt_settle(task, check);
  return HD_OK;
}
