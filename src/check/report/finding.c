// SPDX-License-Identifier: Apache-2.0
// Obligations, as the parts of a check come to them.
#include "check/report/finding.h"

#include "base/panic.h"

void check_proved(Check *check) {
  check->report->n_obligations++;
  check->report->n_proved++;
}

static uint64_t finding_key_of(const Suspect *suspect) {
  uint64_t b = suspect->b ? suspect->b->id + 1ull : 0;
  return (uint64_t)suspect->kind << 56 | (uint64_t)suspect->a->id << 28 | b;
}

// The same two places may meet in several ways.
static void add_queries(Suspect *known, const Suspect *suspect) {
  for (uint32_t i = 0; i < suspect->n_queries && i < SUSPECT_QUERIES; i++) {
    if (known->n_queries > 0 && known->n_queries < SUSPECT_QUERIES)
      known->queries[known->n_queries] = suspect->queries[i];
    known->n_queries += known->n_queries > 0;
  }
}

static bool is_input(const Suspect *suspect) {
  return suspect->is_of_input || suspect->is_of_input_across;
}

// Of the same places, for other threads: a run that decides about one will do.
static void join_suspects(Suspect *known, const Suspect *suspect) {
  if (is_input(known) && !is_input(suspect)) {
    Suspect joined = *suspect;
    joined.is_of_input |= known->is_of_input;
    joined.is_of_input_across |= known->is_of_input_across;
    *known = joined;
    return;
  }
  known->is_of_input |= suspect->is_of_input;
  known->is_of_input_across |= suspect->is_of_input_across;
  add_queries(known, suspect);
}

void check_suspect(Check *check, const Suspect *suspect) {
  HD_ASSERT(suspect->a && (suspect->b || suspect->kind != SUSPECT_RACE));
  uint64_t key = finding_key_of(suspect);
  uintptr_t known = (uintptr_t)map_get(&check->suspected, key);
  if (known) {
    join_suspects(&check->suspects.data[known - 1], suspect);
    return;
  }
  map_put(check->arena, &check->suspected, key,
          (void *)(uintptr_t)(check->suspects.count + 1));
  check->report->n_obligations++;
  VEC_PUSH(check->arena, &check->suspects, *suspect);
  check->is_ended = check->is_ended || check->is_decided(check, suspect);
}
