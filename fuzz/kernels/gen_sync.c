// SPDX-License-Identifier: Apache-2.0
// Barriers in two pieces, mbarriers, pipelines, copies and clusters. Each is
// one unit, marked for the reducer: parts of it can't be taken away without
// making a race or a deadlock.
#include "gen_state.h"

enum { INPUT_ELEMENTS = 64 };

static void begin(Gen *g, const char *value) {
  gen_line(g, "int %s = 0;", value);
  gen_line(g, "{ //=");
}

static void end(Gen *g, const char *value) {
  gen_line(g, "sync();");
  gen_line(g, "}");
  gen_declare(g, value, GEN_I32, false, false);
}

// Declarations of barriers stand outside of loops.
static bool is_outside(const Gen *g) {
  return g->depth == 0 && g->level == 0 && g->loop == LOOP_NONE;
}

static void split_barrier(Gen *g) {
  const char *v = gen_name(g, "v"), *sh = gen_name(g, "sh");
  const char *token = gen_name(g, "tk");
  begin(g, v);
  gen_line(g, "shared int %s[%d];", sh, (int)g->threads);
  gen_line(g, "%s[rank()] = %s;", sh, gen_expr(g, GEN_I32, 3, false));
  gen_line(g, "token %s = arrive();", token);
  gen_line(g, "%s = (%s) & 4095;", v, gen_expr(g, GEN_I32, 3, false));
  gen_line(g, "wait(%s);", token);
  gen_line(g, "%s ^= %s[%s];", v, sh,
           gen_index(g, (uint32_t)g->threads, false));
  end(g, v);
}

// ---------------------------------------------------------------- mbarriers

static void all_arrive(Gen *g) {
  const char *v = gen_name(g, "v"), *sh = gen_name(g, "sh");
  const char *b = gen_name(g, "b"), *token = gen_name(g, "tk");
  bool by_token = gen_chance(g, 50);
  begin(g, v);
  gen_line(g, "shared int %s[%d];", sh, (int)g->threads);
  gen_line(g, "shared mbarrier(%d) %s;", (int)g->threads, b);
  gen_line(g, "for (int k = 0; k < %u; k++) {", 1 + gen_below(g, 4));
  gen_line(g, "%s[rank()] = (%s) ^ k;", sh, gen_expr(g, GEN_I32, 2, false));
  if (by_token) {
    gen_line(g, "token %s = arrive(%s);", token, b);
    gen_line(g, "wait(%s, %s);", b, token);
  } else {
    gen_line(g, "arrive(%s);", b);
    gen_line(g, "wait(%s, k & 1);", b);
  }
  gen_line(g, "%s += %s[%s] & 4095;", v, sh,
           gen_index(g, (uint32_t)g->threads, false));
  gen_line(g, "sync();");
  gen_line(g, "}");
  end(g, v);
}

// The first `a` threads fill slots, the others empty them.
static void ring(Gen *g) {
  int32_t a = 1 + (int32_t)gen_below(g, (uint32_t)g->threads - 1);
  if (g->threads > 32 && gen_chance(g, 50))
    a = 32;
  int32_t b = g->threads - a, slots = 1 + (int32_t)gen_below(g, 5);
  int32_t turns = 1 + (int32_t)gen_below(g, 15);
  const char *v = gen_name(g, "v"), *sh = gen_name(g, "sh");
  const char *full = gen_name(g, "f"), *empty = gen_name(g, "e");
  begin(g, v);
  gen_line(g, "shared int %s[%d][%d];", sh, (int)slots, (int)a);
  gen_line(g, "shared mbarrier(%d) %s[%d];", (int)a, full, (int)slots);
  gen_line(g, "shared mbarrier(%d) %s[%d];", (int)b, empty, (int)slots);
  gen_line(g, "thread_group (0, %d)", (int)a);
  gen_line(g, "for (int k = 0; k < %d; k++) {", (int)turns);
  gen_line(g, "wait(%s[k %% %d], (k / %d & 1) ^ 1);", empty, (int)slots,
           (int)slots);
  gen_line(g, "%s[k %% %d][rank()] = (%s) ^ k;", sh, (int)slots,
           gen_expr(g, GEN_I32, 2, false));
  gen_line(g, "arrive(%s[k %% %d]);", full, (int)slots);
  gen_line(g, "}");
  gen_line(g, "thread_group (%d, %d)", (int)a, (int)b);
  gen_line(g, "for (int k = 0; k < %d; k++) {", (int)turns);
  gen_line(g, "wait(%s[k %% %d], k / %d & 1);", full, (int)slots, (int)slots);
  gen_line(g, "%s = (%s << 1 & 65535) ^ %s[k %% %d][(rank() + k) %% %d];", v, v,
           sh, (int)slots, (int)a);
  gen_line(g, "arrive(%s[k %% %d]);", empty, (int)slots);
  gen_line(g, "}");
  end(g, v);
}

static void pipeline(Gen *g) {
  int32_t a = 1 + (int32_t)gen_below(g, (uint32_t)g->threads - 1);
  int32_t b = g->threads - a, slots = 1 + (int32_t)gen_below(g, 4);
  int32_t turns = 1 + (int32_t)gen_below(g, 12);
  bool has_tma = gen_chance(g, 40);
  const char *v = gen_name(g, "v"), *sh = gen_name(g, "sh");
  const char *p = gen_name(g, "p");
  int32_t width = has_tma ? 8 : a;
  begin(g, v);
  gen_line(g, "shared int %s[%d][%d];", sh, (int)slots, (int)width);
  gen_line(g, "pipeline(%d) %s;", (int)slots, p);
  gen_line(g, "thread_group (0, %d)", (int)a);
  gen_line(g, "for (int k = 0; k < %d; k++)", (int)turns);
  gen_line(g, "produce (%s, k) {", p);
  if (has_tma)
    gen_line(g,
             "single_thread tma_load(%s[slot(%s, k)][0:8], "
             "in_int[k * 5 - 3:8], full(%s, k));",
             sh, p, p);
  else
    gen_line(g, "%s[slot(%s, k)][rank()] = (%s) ^ k;", sh, p,
             gen_expr(g, GEN_I32, 2, false));
  gen_line(g, "}");
  gen_line(g, "thread_group (%d, %d)", (int)a, (int)b);
  gen_line(g, "for (int k = 0; k < %d; k++)", (int)turns);
  gen_line(g, "consume (%s, k) {", p);
  gen_line(g, "%s = (%s << 1 & 65535) ^ %s[slot(%s, k)][(rank() + k) %% %d];",
           v, v, sh, p, (int)width);
  gen_line(g, "}");
  end(g, v);
}

// ------------------------------------------------------------------ copies

static void copy_async(Gen *g) {
  const char *v = gen_name(g, "v"), *sh = gen_name(g, "sh");
  uint32_t length = 1 + gen_below(g, 40), from = gen_below(g, 64 - length + 1);
  begin(g, v);
  gen_line(g, "shared int %s[2][%u];", sh, length);
  gen_line(g, "copy_async(%s[0][0:%u], in_int[%u:%u]);", sh, length, from,
           length);
  gen_line(g, "copy_commit();");
  gen_line(g, "copy_async(%s[1][0:%u], in_int[%u:%u]);", sh, length,
           INPUT_ELEMENTS - length - from, length);
  gen_line(g, "copy_commit();");
  gen_line(g, "copy_wait(1);");
  gen_line(g, "sync();");
  gen_line(g, "%s = %s[0][%s];", v, sh, gen_index(g, length, false));
  gen_line(g, "copy_wait(0);");
  gen_line(g, "sync();");
  gen_line(g, "%s ^= %s[1][%s] & 255;", v, sh, gen_index(g, length, false));
  end(g, v);
}

static void copy_on_barrier(Gen *g) {
  const char *v = gen_name(g, "v"), *sh = gen_name(g, "sh");
  const char *b = gen_name(g, "b");
  uint32_t length = 1 + gen_below(g, 50);
  begin(g, v);
  gen_line(g, "shared int %s[%u];", sh, length);
  gen_line(g, "shared mbarrier(%d) %s;", (int)g->threads, b);
  gen_line(g, "copy_async(%s[0:%u], in_int[%u:%u], %s);", sh, length,
           gen_below(g, INPUT_ELEMENTS - length + 1), length, b);
  gen_line(g, "wait(%s, 0);", b);
  gen_line(g, "%s = %s[%s];", v, sh, gen_index(g, length, false));
  end(g, v);
}

// Bytes of any number and alignment, the next ones while these are read.
static void stream(Gen *g) {
  const char *v = gen_name(g, "v"), *sh = gen_name(g, "sh");
  uint32_t length = 1 + gen_below(g, 15), turns = 1 + gen_below(g, 4);
  uint32_t from = gen_below(g, INPUT_ELEMENTS - length * turns + 1);
  begin(g, v);
  gen_line(g, "shared unsigned char %s[2][%u];", sh, length);
  gen_line(g, "memcpy_async(this_group(), %s[0], &in_byte[%u], %u);", sh, from,
           length);
  gen_line(g, "for (int k = 0; k < %u; k++) {", turns);
  gen_line(g, "if (k + 1 < %u) {", turns);
  gen_line(g,
           "memcpy_async(this_group(), %s[(k + 1) %% 2], &in_byte[%u + (k + "
           "1) * %u], %u);",
           sh, from, length, length);
  gen_line(g, "wait_prior(this_group(), 1);");
  gen_line(g, "} else {");
  gen_line(g, "wait(this_group());");
  gen_line(g, "}");
  gen_line(g, "%s += %s[k %% 2][%s];", v, sh, gen_index(g, length, false));
  gen_line(g, "sync();");
  gen_line(g, "}");
  end(g, v);
}

static void tma(Gen *g) {
  const char *v = gen_name(g, "v"), *sh = gen_name(g, "sh");
  const char *b = gen_name(g, "b");
  uint32_t length = 1 + gen_below(g, 30);
  int from = (int)gen_below(g, 80) - 10;
  begin(g, v);
  gen_line(g, "shared int %s[%u];", sh, length);
  gen_line(g, "shared mbarrier(1) %s;", b);
  gen_line(g, "single_thread {");
  gen_line(g, "arrive_expect(%s, bytes_of(%s[0:%u]));", b, sh, length);
  gen_line(g, "tma_load(%s[0:%u], in_int[%d:%u], %s);", sh, length, from,
           length, b);
  gen_line(g, "}");
  gen_line(g, "wait(%s, 0);", b);
  gen_line(g, "%s = %s[%s];", v, sh, gen_index(g, length, false));
  end(g, v);
}

static void tma_store(Gen *g) {
  const char *sh = gen_name(g, "sh");
  g->has_stored = true;
  gen_line(g, "{ //=");
  gen_line(g, "shared int %s[%d];", sh, (int)g->threads);
  gen_line(g, "%s[rank()] = %s;", sh, gen_expr(g, GEN_I32, 3, false));
  gen_line(g, "fence_async();");
  gen_line(g, "sync();");
  gen_line(g, "single_thread {");
  gen_line(g, "tma_store(out_copy[block_index().x * %d:%d], %s[0:%d]);",
           (int)g->threads, (int)g->threads, sh, (int)g->threads);
  gen_line(g, "tma_commit();");
  gen_line(g, "tma_wait(0);");
  gen_line(g, "}");
  gen_line(g, "sync();");
  gen_line(g, "}");
}

// ----------------------------------------------------------- above a block

static void neighbours(Gen *g) {
  const char *v = gen_name(g, "v"), *sh = gen_name(g, "sh");
  int32_t n = g->in_cluster;
  begin(g, v);
  gen_line(g, "shared int %s[%d];", sh, (int)g->threads);
  gen_line(g, "%s[rank()] = %s;", sh, gen_expr(g, GEN_I32, 3, false));
  gen_line(g, "sync(this_cluster());");
  gen_line(g,
           "int *%s_far = map_shared(this_cluster(), %s, "
           "(block_index().x + 1) %% %d);",
           sh, sh, (int)n);
  gen_line(g, "%s = %s_far[%s];", v, sh,
           gen_index(g, (uint32_t)g->threads, false));
  gen_line(g, "sync(this_cluster());");
  end(g, v);
}

static void above(Gen *g) {
  const char *v = gen_name(g, "v");
  const char *group =
      g->in_cluster > 1 && gen_chance(g, 60) ? "this_cluster()" : "this_grid()";
  bool is_float = gen_chance(g, 40);
  GenType type = is_float ? GEN_F32 : GEN_U32;
  const char *text = gen_types[type].text;
  if (gen_chance(g, 60))
    gen_line(g, "%s %s = reduce(%s, %s, plus);", text, v, group,
             gen_expr(g, type, 2, false));
  else
    gen_line(g, "%s %s = inclusive_scan(%s, %s, plus);", text, v, group,
             gen_expr(g, type, 2, false));
  gen_declare(g, v, type, false, false);
}

// ------------------------------------------------------------------- choice

static void outside_of_loops(Gen *g) {
  switch (gen_below(g, 8)) {
  case 0:
  case 1:
    if (g->threads > 1)
      ring(g);
    break;
  case 2:
    if (g->threads > 1)
      pipeline(g);
    break;
  case 3: all_arrive(g); break;
  case 4: copy_on_barrier(g); break;
  case 5: tma(g); break;
  case 6:
    if (!g->has_stored)
      tma_store(g);
    break;
  default:
    if (g->in_cluster > 1 && gen_chance(g, 60))
      neighbours(g);
    else
      above(g);
    break;
  }
}

void gen_sync(Gen *g) {
  if (!g->can_share) {
    gen_line(g, "sync();");
    return;
  }
  if (is_outside(g) && gen_chance(g, 60)) {
    outside_of_loops(g);
    return;
  }
  switch (gen_below(g, 4)) {
  case 0:
  case 1: split_barrier(g); break;
  case 2: copy_async(g); break;
  default: stream(g); break;
  }
}
