// SPDX-License-Identifier: Apache-2.0
// Shared arrays that are used in turn: written, synced, read, now and then read
// again later. Syncs stand only where two accesses of one array need them, so
// that arrays may share their bytes in some of these programs, and must not in
// others.
#include "gen_state.h"

enum { MOST_ARRAYS = 5 };

typedef struct {
  Gen *g;
  const char *arrays[MOST_ARRAYS], *value;
  uint32_t n;
  bool is_written[MOST_ARRAYS]; // on all paths
  bool is_read[MOST_ARRAYS];    // since the last sync, on some path
} Turns;

static void turns_sync(Turns *t) {
  gen_line(t->g, "sync();");
  for (uint32_t i = 0; i < t->n; i++)
    t->is_read[i] = false;
}

static void turns_read(Turns *t, uint32_t array) {
  Gen *g = t->g;
  if (gen_chance(g, 30))
    gen_line(g, "if (%s)", gen_condition(g, 1, false));
  gen_line(g, "%s = %s * 3 ^ %s[%s];", t->value, t->value, t->arrays[array],
           gen_index(g, (uint32_t)g->threads, false));
  t->is_read[array] = true;
}

static void turns_use(Turns *t, uint32_t array) {
  Gen *g = t->g;
  if (t->is_read[array])
    turns_sync(t);
  gen_line(g, "%s[rank()] = (unsigned)%s ^ %s;", t->arrays[array], t->value,
           gen_expr(g, GEN_U32, 1, false));
  turns_sync(t);
  turns_read(t, array);
  uint32_t other = gen_below(g, t->n);
  if (t->is_written[other] && gen_chance(g, 30))
    turns_read(t, other);
  if (gen_chance(g, 60))
    turns_sync(t);
}

// All threads take it or none does.
static void turns_use_maybe(Turns *t, uint32_t array) {
  Turns before = *t;
  gen_line(t->g, "if (%s) {", gen_condition(t->g, 1, true));
  turns_use(t, array);
  gen_line(t->g, "}");
  for (uint32_t i = 0; i < t->n; i++)
    t->is_read[i] |= before.is_read[i];
}

// In the next turn of a loop the first array is written before a sync.
static void turns_body(Turns *t, bool is_loop) {
  for (uint32_t i = 0; i < t->n; i++) {
    uint32_t array = gen_chance(t->g, 75) ? i : gen_below(t->g, t->n);
    bool is_sure = i == 0 || gen_chance(t->g, 75);
    array = i == 0 ? 0 : array;
    if (is_sure)
      turns_use(t, array);
    else
      turns_use_maybe(t, array);
    t->is_written[array] |= is_sure;
  }
  if (is_loop && t->is_read[0])
    turns_sync(t);
}

void gen_turns(Gen *g) {
  Turns t = {.g = g, .n = 2 + gen_below(g, MOST_ARRAYS - 1)};
  t.value = gen_name(g, "v");
  gen_line(g, "unsigned %s = %s;", t.value, gen_expr(g, GEN_U32, 2, false));
  gen_line(g, "{ //=");
  for (uint32_t i = 0; i < t.n; i++) {
    t.arrays[i] = gen_name(g, "sh");
    gen_line(g, "shared unsigned %s[%d];", t.arrays[i],
             (int)g->threads + (int)gen_below(g, 40));
  }
  for (uint32_t n = 1 + gen_below(g, 2); n > 0; n--) {
    bool is_loop = gen_chance(g, 35);
    const char *k = gen_name(g, "k");
    if (is_loop)
      gen_line(g, "for (int %s = 0; %s < %u; %s++) {", k, k,
               1 + gen_below(g, 3), k);
    if (t.is_read[0])
      turns_sync(&t);
    turns_body(&t, is_loop);
    if (is_loop)
      gen_line(g, "}");
  }
  gen_line(g, "sync();");
  gen_line(g, "}");
  gen_declare(g, t.value, GEN_U32, false, false);
}
