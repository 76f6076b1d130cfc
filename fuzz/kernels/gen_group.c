// SPDX-License-Identifier: Apache-2.0
// Statements that all threads of the current group reach together: parts of
// the group, thread loops, and phases of shared memory.
#include "gen_state.h"

enum { MOST_SHARED_DEPTH = 6, COUNTERS = 8 };

// Runs `g->threads`, level and the rest for a part of the group.
void gen_part_body(Gen *g, int32_t threads, bool is_thread, bool can_share,
                   bool is_aligned) {
  Gen outer = *g;
  g->is_aligned = is_aligned;
  g->region = ++g->n_regions;
  g->level++;
  g->depth++;
  g->threads = threads;
  g->is_thread |= is_thread;
  g->is_uniform = !is_thread;
  g->can_share &= can_share;
  g->loop = LOOP_NONE;
  gen_block(g);
  g->level = outer.level;
  g->depth = outer.depth;
  g->threads = outer.threads;
  g->is_thread = outer.is_thread;
  g->is_uniform = outer.is_uniform;
  g->can_share = outer.can_share;
  g->loop = outer.loop;
  g->vars.count = outer.vars.count;
  g->groups.count = outer.groups.count;
  g->is_aligned = outer.is_aligned;
  g->region = outer.region;
}

static void part_body(Gen *g, int32_t threads, bool is_thread, bool can_share) {
  gen_part_body(g, threads, is_thread, can_share, false);
}

// ------------------------------------------------------- group statements

static int32_t part_size(Gen *g) {
  static const int32_t usual[] = {1, 2, 8, 16, 31, 32, 33, 64, 96};
  int32_t size = usual[gen_below(g, 9)];
  if (size > g->threads || gen_chance(g, 20))
    size = 1 + (int32_t)gen_below(g, (uint32_t)g->threads);
  return size;
}

static void thread_group(Gen *g) {
  int32_t size = part_size(g);
  uint32_t places = (uint32_t)(g->threads - size) + 1;
  bool is_dynamic = gen_chance(g, 30);
  const char *begin = is_dynamic ? gen_index(g, places, true)
                                 : gen_text(g, "%u", gen_below(g, places));
  gen_line(g, "thread_group (%s, %d) {", begin, (int)size);
  part_body(g, size, false, !is_dynamic);
  gen_line(g, "}");
}

static void single_thread(Gen *g) {
  if (gen_chance(g, 50))
    gen_line(g, "single_thread {");
  else
    gen_line(g, "single_thread (%u) {", gen_below(g, (uint32_t)g->threads));
  part_body(g, 1, false, false);
  gen_line(g, "}");
}

static void warp_statement(Gen *g) {
  uint32_t n_warps = (uint32_t)g->threads / 32;
  if (n_warps == 0) {
    single_thread(g);
    return;
  }
  uint32_t count = 1 + gen_below(g, n_warps);
  uint32_t first = gen_below(g, n_warps - count + 1);
  if (count == 1)
    gen_line(g, "single_warp (%u) {", first);
  else
    gen_line(g, "warp_group (%u, %u) {", first, count);
  gen_part_body(g, (int32_t)count * 32, false, true, g->is_aligned);
  gen_line(g, "}");
}

// ------------------------------------------------------------ thread loops

static void split_loop(Gen *g) {
  int32_t parts[16], n = 0;
  for (int32_t i = 1; i <= g->threads && n < 16; i++)
    if (g->threads % i == 0)
      parts[n++] = i;
  int32_t count = parts[gen_below(g, (uint32_t)n)];
  const char *i = gen_name(g, "t");
  gen_line(g, "thread for (int %s = 0; %s < %d; %s++) {", i, i, (int)count, i);
  uint32_t n_vars = g->vars.count;
  g->level++; // the variable agrees over each part
  gen_declare(g, i, GEN_I32, true, true);
  g->level--;
  int32_t size = g->threads / count;
  part_body(g, size, size == 1, true);
  g->vars.count = n_vars;
  gen_line(g, "}");
}

static void strided_loop(Gen *g) {
  const char *i = gen_name(g, "t");
  // Never constant: a constant number of iterations must divide the group.
  const char *n = gen_chance(g, 50) ? gen_text(g, "n")
                                    : gen_text(g, "(int)((ku ^ (%s)) & 63)",
                                               gen_index(g, 64, true));
  uint32_t step = 1 + gen_below(g, 3);
  gen_line(g, "thread for (int %s = %u; %s < %s; %s += %u) {", i,
           gen_below(g, 3), i, n, i, step);
  uint32_t n_vars = g->vars.count;
  gen_declare(g, i, GEN_I32, true, false);
  part_body(g, 1, true, false);
  g->vars.count = n_vars;
  gen_line(g, "}");
}

// --------------------------------------------------------- shared memory
// Each is one unit, marked for the reducer: parts of it can't be taken away
// without making a race.

static GenType shared_type(Gen *g) {
  static const GenType types[] = {GEN_I32, GEN_F32, GEN_U32, GEN_F64,
                                  GEN_I64, GEN_U8,  GEN_F16};
  return types[gen_below(g, 7)];
}

// Everyone writes an element, all meet, everyone reads some other.
static void exchange(Gen *g) {
  GenType type = shared_type(g);
  const char *name = gen_name(g, "sh"), *value = gen_name(g, "v");
  uint32_t pad = gen_below(g, 3);
  gen_line(g, "%s %s = 0;", gen_types[type].text, value);
  gen_line(g, "{ //=");
  gen_line(g, "shared %s %s[%d];", gen_types[type].text, name,
           (int)g->threads + (int)pad);
  if (gen_chance(g, 50))
    gen_line(g, "%s[rank()] = %s;", name, gen_expr(g, type, 3, false));
  else
    gen_line(g, "%s[%d - rank()] = %s;", name, (int)g->threads - 1,
             gen_expr(g, type, 3, false));
  gen_line(g, "sync();");
  if (gen_chance(g, 40))
    gen_line(g, "if (%s)", gen_condition(g, 2, false));
  gen_line(g, "%s = %s[%s];", value, name,
           gen_index(g, (uint32_t)g->threads, false));
  gen_line(g, "sync();");
  gen_line(g, "}");
  gen_declare(g, value, type, false, false);
}

// Rows and columns: written by rows, read by columns.
static void matrix(Gen *g) {
  const char *name = gen_name(g, "sh"), *value = gen_name(g, "v");
  int32_t columns = 1 + (int32_t)gen_below(g, 9);
  int32_t rows = (g->threads + columns - 1) / columns;
  gen_line(g, "int %s = 0;", value);
  gen_line(g, "{ //=");
  gen_line(g, "shared int %s[%d][%d];", name, (int)rows, (int)columns + 1);
  gen_line(g, "%s[rank() / %d][rank() %% %d] = %s;", name, (int)columns,
           (int)columns, gen_expr(g, GEN_I32, 3, false));
  gen_line(g, "sync();");
  gen_line(g, "for (int k = 0; k < %d; k++)", (int)columns);
  gen_line(g, "    if (k + rank() / %d * %d < %d)", (int)columns, (int)columns,
           (int)g->threads);
  gen_line(g, "        %s ^= %s[rank() / %d][k];", value, name, (int)columns);
  gen_line(g, "sync();");
  gen_line(g, "}");
  gen_declare(g, value, GEN_I32, false, false);
}

static void counters(Gen *g) {
  static const char *const ops[] = {"atomic_add", "atomic_xor", "atomic_max"};
  const char *name = gen_name(g, "sh"), *value = gen_name(g, "v");
  gen_line(g, "int %s = 0;", value);
  gen_line(g, "{ //=");
  gen_line(g, "shared int %s[%u];", name, COUNTERS);
  gen_line(g, "for (int k = rank(); k < %u; k += %d)", COUNTERS,
           (int)g->threads);
  gen_line(g, "    %s[k] = k;", name);
  gen_line(g, "sync();");
  const char *op = ops[gen_below(g, 3)];
  if (gen_chance(g, 50))
    gen_line(g, "if (%s)", gen_condition(g, 2, false));
  gen_line(g, "%s(&%s[(me + (%s)) & %u], %s);", op, name,
           gen_index(g, COUNTERS, false), COUNTERS - 1,
           gen_expr(g, GEN_I32, 2, false));
  gen_line(g, "sync();");
  gen_line(g, "%s = %s[%s];", value, name, gen_index(g, COUNTERS, false));
  gen_line(g, "sync();");
  gen_line(g, "}");
  gen_declare(g, value, GEN_I32, false, false);
}

// The same in a function, inlined.
static void collective_call(Gen *g) {
  const char *value = gen_name(g, "v");
  gen_line(g, "int %s = meet(%s, %s, %d);", value,
           gen_expr(g, GEN_I32, 3, false), gen_index(g, 64, false),
           (int)g->threads);
  gen_declare(g, value, GEN_I32, false, false);
}

// An array of the size that the launcher says.
static void sized_at_launch(Gen *g) {
  const char *name = gen_name(g, "sh"), *value = gen_name(g, "v");
  g->has_sized = true;
  gen_line(g, "int %s = 0;", value);
  gen_line(g, "{ //=");
  gen_line(g, "shared int %s[n + %d];", name, (int)g->threads);
  gen_line(g, "%s[rank() + n] = %s;", name, gen_expr(g, GEN_I32, 3, false));
  gen_line(g, "sync();");
  gen_line(g, "%s = %s[n + (%s)];", value, name,
           gen_index(g, (uint32_t)g->threads, false));
  gen_line(g, "sync();");
  gen_line(g, "}");
  gen_declare(g, value, GEN_I32, false, false);
}

// A loop with fork and join: what one thread wrote any other may read behind.
static void fork_join(Gen *g) {
  GenType type = shared_type(g);
  const char *name = gen_name(g, "sh"), *value = gen_name(g, "v");
  const char *i = gen_name(g, "i");
  uint32_t length = (uint32_t)g->threads + gen_below(g, 40);
  gen_line(g, "%s %s = 0;", gen_types[type].text, value);
  gen_line(g, "{ //=");
  gen_line(g, "shared %s %s[%u], %sb[%u];", gen_types[type].text, name, length,
           name, length);
  gen_line(g, "parallel for (int %s = 0; %s < %u; %s++)", i, i, length, i);
  bool was_thread = g->is_thread, was_uniform = g->is_uniform;
  uint32_t n_vars = g->vars.count;
  g->is_thread = true; // rank() is 0 there: not for indices
  g->is_uniform = false;
  // The same value whichever thread runs the iteration.
  const char *expr = gen_expr(g, type, 2, true);
  if (gen_types[type].is_float)
    gen_line(g, "    %s[%s] = %s + (%s)%s;", name, i, expr,
             gen_types[type].text, i);
  else
    gen_line(g, "    %s[%s] = (%s)(%s ^ %s);", name, i, gen_types[type].text,
             expr, i);
  g->is_thread = was_thread;
  g->is_uniform = was_uniform;
  g->vars.count = n_vars;
  gen_line(g, "parallel for (int %s = 0; %s < %u; %s++)", i, i, length, i);
  if (gen_chance(g, 50))
    gen_line(g, "    %sb[%s] = %s[%s];", name, i, name, i);
  else
    gen_line(g, "    %sb[%s] = %s[%u - %s];", name, i, name, length - 1, i);
  gen_line(g, "%s = %sb[%s];", value, name, gen_index(g, length, false));
  gen_line(g, "sync();");
  gen_line(g, "}");
  gen_declare(g, value, type, false, false);
}

static void share(Gen *g) {
  if (!g->can_share || g->depth > MOST_SHARED_DEPTH) {
    gen_line(g, "sync();");
    return;
  }
  if (!g->has_sized && g->level == 0 && gen_chance(g, 10)) {
    sized_at_launch(g);
    return;
  }
  switch (gen_below(g, 12)) {
  case 0:
  case 1:
  case 2: exchange(g); break;
  case 9:
  case 10:
  case 11: gen_turns(g); break;
  case 7:
  case 8: gen_steps(g); break;
  case 3: matrix(g); break;
  case 4: counters(g); break;
  case 5: collective_call(g); break;
  default: fork_join(g); break;
  }
}

void gen_collective(Gen *g) {
  if (g->depth > MOST_SHARED_DEPTH) {
    gen_assign(g);
    return;
  }
  if (g->has_groups && gen_chance(g, 60)) {
    if (gen_chance(g, 75))
      gen_parts(g);
    else
      gen_sync(g);
    return;
  }
  switch (gen_below(g, 10)) {
  case 0:
  case 1: thread_group(g); break;
  case 2: single_thread(g); break;
  case 3: warp_statement(g); break;
  case 4: split_loop(g); break;
  case 5: strided_loop(g); break;
  default: share(g); break;
  }
}
