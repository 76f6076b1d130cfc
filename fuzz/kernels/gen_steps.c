// SPDX-License-Identifier: Apache-2.0
// Chains of steps through shared memory: threads write their element, meet,
// read others' by their rank, and again. Places are constants but for the rank,
// so that code may pass values from step to step without the array.
#include "gen_state.h"

typedef struct {
  Gen *g;
  const char *array, *value, *rank;
  const char *type;
  uint32_t size; // a power of two, at least the group's threads
} Steps;

static uint32_t power_above(uint32_t n) {
  uint32_t power = 1;
  while (power < n)
    power *= 2;
  return power;
}

// An element within the array, different for different ranks.
static const char *place(const Steps *s) {
  Gen *g = s->g;
  switch (gen_below(g, 5)) {
  case 0: return gen_text(g, "%s ^ %u", s->rank, gen_below(g, s->size));
  case 1: return gen_text(g, "%s + %u", s->rank, gen_below(g, s->size + 1));
  case 2: return gen_text(g, "%u - %s", s->size - 1, s->rank);
  case 3:
    return gen_text(g, "(%s + %u) %% %u", s->rank, gen_below(g, s->size),
                    s->size);
  default: return s->rank;
  }
}

static const char *guard(const Steps *s) {
  Gen *g = s->g;
  uint32_t a = gen_below(g, s->size + 2), b = gen_below(g, s->size + 2);
  switch (gen_below(g, 4)) {
  case 0: return gen_text(g, "%s < %u", s->rank, a);
  case 1: return gen_text(g, "%s >= %u", s->rank, a);
  case 2: return gen_text(g, "%s >= %u && %s < %u", s->rank, a, s->rank, b);
  default: return gen_text(g, "(%s & %u) == 0", s->rank, 1u << gen_below(g, 8));
  }
}

static void guarded(const Steps *s, const char *statement) {
  if (gen_chance(s->g, 40))
    gen_line(s->g, "if (%s)", guard(s));
  gen_line(s->g, "%s", statement);
}

static void write_step(const Steps *s) {
  Gen *g = s->g;
  guarded(s, gen_text(g, "%s[%s] = (%s)(%s + %u);", s->array, place(s), s->type,
                      s->value, gen_below(g, 4)));
}

static void read_step(const Steps *s) {
  Gen *g = s->g;
  guarded(s, gen_text(g, "%s = (%s)(%s%s[%s]);", s->value, s->type,
                      gen_chance(g, 50) ? gen_text(g, "%s + ", s->value) : "",
                      s->array, place(s)));
}

static void tree_step(const Steps *s) {
  Gen *g = s->g;
  const char *half = gen_name(g, "half");
  gen_line(g, "for (int %s = %u; %s > 0; %s /= 2) {", half, s->size / 2, half,
           half);
  gen_line(g, "if (%s < %s)", s->rank, half);
  gen_line(g, "    %s[%s] += %s[%s + %s];", s->array, s->rank, s->array,
           s->rank, half);
  gen_line(g, "sync();");
  gen_line(g, "}");
}

static void scan_step(const Steps *s) {
  Gen *g = s->g;
  const char *step = gen_name(g, "step"), *add = gen_name(g, "add");
  gen_line(g, "for (int %s = 1; %s < %u; %s *= 2) {", step, step, s->size,
           step);
  gen_line(g, "%s %s = %s >= %s ? %s[%s - %s] : 0;", s->type, add, s->rank,
           step, s->array, s->rank, step);
  gen_line(g, "sync();");
  gen_line(g, "%s[%s] += %s;", s->array, s->rank, add);
  gen_line(g, "sync();");
  gen_line(g, "}");
}

static void strided_step(const Steps *s) {
  Gen *g = s->g;
  const char *i = gen_name(g, "i");
  gen_line(g, "for (int %s = %s + %u; %s < %u; %s += %d)", i, s->rank,
           gen_below(g, 3), i, gen_below(g, 2 * s->size), i, (int)g->threads);
  gen_line(g, "    %s[%s] += (%s)%s;", s->array, i, s->type, i);
}

static void one_step(const Steps *s) {
  switch (gen_below(s->g, 8)) {
  case 0:
  case 1:
  case 2: write_step(s); break;
  case 3:
  case 4: read_step(s); break;
  case 5: tree_step(s); break;
  case 6: scan_step(s); break;
  default: strided_step(s); break;
  }
  gen_line(s->g, "sync();");
}

void gen_steps(Gen *g) {
  static const GenType types[] = {GEN_U32, GEN_F32, GEN_U64, GEN_U8};
  GenType type = types[gen_below(g, 4)];
  Steps s = {.g = g, .type = gen_types[type].text};
  s.array = gen_name(g, "sh");
  s.value = gen_name(g, "v");
  s.rank = gen_name(g, "t");
  s.size = power_above((uint32_t)g->threads);
  gen_line(g, "%s %s = %s;", s.type, s.value, gen_expr(g, type, 2, false));
  gen_line(g, "{ //=");
  gen_line(g, "shared %s %s[%u];", s.type, s.array, 2 * s.size + 1);
  gen_line(g, "int %s = rank();", s.rank);
  gen_line(g, "for (int k = %s; k < %u; k += %d)", s.rank, 2 * s.size + 1,
           (int)g->threads);
  gen_line(g, "    %s[k] = (%s)(%s * k);", s.array, s.type,
           gen_chance(g, 50) ? "3" : "(k & 5)");
  gen_line(g, "sync();");
  for (uint32_t n = 2 + gen_below(g, 5); n > 0; n--)
    one_step(&s);
  gen_line(g, "%s = %s[%s];", s.value, s.array, s.rank);
  gen_line(g, "sync();");
  gen_line(g, "}");
  gen_declare(g, s.value, type, false, false);
}
