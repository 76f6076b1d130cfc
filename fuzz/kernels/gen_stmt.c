// SPDX-License-Identifier: Apache-2.0
// Random statements that every thread may run on its own way.
#include "gen_state.h"

enum { PRIVATE_ELEMENTS = 8, MOST_DEPTH = 4 };

// --------------------------------------------------------------- scopes

typedef struct {
  uint32_t n_vars, n_groups, region;
  bool is_uniform;
  GenLoop loop;
} Scope;

static Scope open_scope(Gen *g) {
  g->depth++;
  Scope scope = {g->vars.count, g->groups.count, g->region, g->is_uniform,
                 g->loop};
  g->region = ++g->n_regions;
  return scope;
}

static void close_scope(Gen *g, Scope scope) {
  g->depth--;
  g->vars.count = scope.n_vars;
  g->groups.count = scope.n_groups;
  g->region = scope.region;
  g->is_uniform = scope.is_uniform;
  g->loop = scope.loop;
}

// Where threads went different ways nothing is uniform any more.
static void body(Gen *g, bool stays_uniform, GenLoop loop) {
  Scope scope = open_scope(g);
  g->is_uniform &= stays_uniform;
  g->loop = loop;
  gen_block(g);
  close_scope(g, scope);
}

// ---------------------------------------------------------- declarations

static bool takes_uniform_value(const Gen *g) {
  return g->is_uniform && !g->is_thread && !g->in_function;
}

void gen_declaration(Gen *g, bool uniform) {
  GenType type = gen_any_type(g);
  const char *name = gen_name(g, "v");
  uniform &= takes_uniform_value(g);
  gen_line(g, "%s %s = %s;", gen_types[type].text, name,
           gen_expr(g, type, 3, uniform));
  gen_declare(g, name, type, false, uniform);
}

void gen_assign(Gen *g) {
  GenType type = gen_any_type(g);
  const GenVar *var = gen_pick(g, type, false, true);
  if (!var) {
    gen_declaration(g, gen_chance(g, 40));
    return;
  }
  bool uniform = var->is_uniform;
  const char *name = var->name;
  bool is_wide = gen_types[type].size_bytes >= 4;
  static const char *const ops[] = {"&=", "|=", "^="};
  if (gen_types[type].is_float && gen_chance(g, 30)) {
    gen_line(g, "%s %s %s;", name,
             gen_chance(g, 50) ? "+=" : "*=", gen_expr(g, type, 2, uniform));
  } else if (!gen_types[type].is_float && is_wide && gen_chance(g, 30)) {
    gen_line(g, "%s %s %s;", name, ops[gen_below(g, 3)],
             gen_expr(g, type, 2, uniform));
  } else if ((type == GEN_U32 || type == GEN_U64) && gen_chance(g, 30)) {
    gen_line(g, "%s%s;", name, gen_chance(g, 50) ? "++" : " += 3");
  } else {
    gen_line(g, "%s = %s;", name, gen_expr(g, type, 3, uniform));
  }
}

// --------------------------------------------------------------- memory

static void store(Gen *g) {
  static const struct {
    const char *name;
    GenType type;
  } outputs[] = {{"out_int", GEN_I32},  {"out_float", GEN_F32},
                 {"out_long", GEN_I64}, {"out_double", GEN_F64},
                 {"out_byte", GEN_U8},  {"out_half", GEN_F16},
                 {"out_uint", GEN_U32}, {"out_short", GEN_I16}};

  uint32_t which = gen_below(g, 10);
  if (which == 8) {
    gen_line(g, "out_mat[me][%u] = %s;", gen_below(g, 3),
             gen_expr(g, GEN_I32, 3, false));
    return;
  }
  if (which == 9) {
    gen_line(g, "out_vec[me] = (float4){%s, %s, %s, %s};",
             gen_expr(g, GEN_F32, 2, false), gen_expr(g, GEN_F32, 2, false),
             gen_expr(g, GEN_F32, 1, false), gen_expr(g, GEN_F32, 1, false));
    return;
  }
  gen_line(g, "%s[own + %u] = %s;", outputs[which].name,
           gen_below(g, g->n_slots),
           gen_expr(g, outputs[which].type, 3, false));
}

// Order makes no difference to these, and nobody looks at the old value.
static void atomic(Gen *g) {
  static const char *const names[] = {"atomic_add", "atomic_min", "atomic_max",
                                      "atomic_and", "atomic_or",  "atomic_xor"};
  uint32_t which = gen_below(g, 7);
  if (which == 6) {
    gen_line(g, "atomic_add(&count_long[(me + (%s)) & 15], %s);",
             gen_index(g, 16, false), gen_expr(g, GEN_I64, 2, false));
    return;
  }
  // The index differs between threads: where several run one iteration, they
  // may not do the same thing several times.
  gen_line(g, "%s(&count_%s[(me + (%s)) & 15], %s);", names[which],
           names[which] + 7, gen_index(g, 16, false),
           gen_expr(g, GEN_I32, 2, false));
}

static void private_array(Gen *g) {
  const char *name = gen_name(g, "p"), *i = gen_name(g, "i");
  GenType type = gen_chance(g, 60) ? GEN_I32 : gen_any_type(g);
  gen_line(g, "%s %s[%u] = {0};", gen_types[type].text, name, PRIVATE_ELEMENTS);
  gen_line(g, "for (int %s = 0; %s < %u; %s++)", i, i, PRIVATE_ELEMENTS, i);
  Scope scope = open_scope(g);
  g->is_uniform = false;
  gen_declare(g, i, GEN_I32, true, false);
  gen_line(g, "    %s[%s] = %s;", name, i, gen_expr(g, type, 2, false));
  close_scope(g, scope);
  for (uint32_t k = 1 + gen_below(g, 3); k > 0; k--)
    gen_line(g, "%s[%s] = %s;", name, gen_index(g, PRIVATE_ELEMENTS, false),
             gen_expr(g, type, 2, false));
  const char *value = gen_name(g, "v");
  if (type == GEN_I32 && gen_chance(g, 50)) {
    gen_line(g, "bump(%s, %s, %s);", name,
             gen_index(g, PRIVATE_ELEMENTS, false),
             gen_expr(g, GEN_I32, 2, false));
    gen_line(g, "int %s = fold(%s + 0, %s);", value, name,
             gen_index(g, PRIVATE_ELEMENTS, false));
    gen_declare(g, value, type, false, false);
    return;
  }
  gen_line(g, "%s %s = %s[%s];", gen_types[type].text, value, name,
           gen_index(g, PRIVATE_ELEMENTS, false));
  gen_declare(g, value, type, false, false);
}

static void record(Gen *g) {
  const char *name = gen_name(g, "s"), *other = gen_name(g, "s");
  gen_line(g, "struct Pair %s = {%s, %s, {%s, %s}};", name,
           gen_expr(g, GEN_I32, 2, false), gen_expr(g, GEN_F64, 2, false),
           gen_expr(g, GEN_U8, 2, false), gen_expr(g, GEN_U8, 2, false));
  gen_line(g, "struct Pair %s = %s;", other, name);
  gen_line(g, "if (%s)", gen_condition(g, 2, false));
  gen_line(g, "    %s.a = %s;", other, gen_expr(g, GEN_I32, 2, false));
  gen_line(g, "%s = swap_pair(%s, %s);", name, other,
           gen_expr(g, GEN_I32, 2, false));
  const char *fields[] = {gen_text(g, "%s.a", name), gen_text(g, "%s.b", name),
                          gen_text(g, "%s.c[1]", other)};
  static const GenType types[] = {GEN_I32, GEN_F64, GEN_U8};
  for (int i = 0; i < 3; i++)
    gen_declare(g, fields[i], types[i], false, false);
}

static void short_vector(Gen *g) {
  bool is_float = gen_chance(g, 60);
  GenType type = is_float ? GEN_F32 : GEN_U32;
  const char *kind = is_float ? "float4" : "uint4";
  const char *a = gen_name(g, "w"), *b = gen_name(g, "w");
  static const char *const ops[] = {"+", "-", "*"};
  gen_line(g, "%s %s = {%s, %s, %s, %s};", kind, a, gen_expr(g, type, 1, false),
           gen_expr(g, type, 1, false), gen_expr(g, type, 1, false),
           gen_expr(g, type, 1, false));
  gen_line(g, "%s %s = %s %s %s;", kind, b, a, ops[gen_below(g, 3)],
           gen_expr(g, type, 2, false));
  gen_line(g, "%s.%c = %s.%c;", b, "xyzw"[gen_below(g, 4)], a,
           "xyzw"[gen_below(g, 4)]);
  gen_line(g, "%s = %s %s %s;", b, b, ops[gen_below(g, 3)], a);
  gen_declare(g, gen_text(g, "%s.%c", b, "xyzw"[gen_below(g, 4)]), type, false,
              false);
  gen_declare(g, gen_text(g, "%s.%c", a, "xyzw"[gen_below(g, 4)]), type, false,
              false);
}

// ---------------------------------------------------------------- control

static void branch(Gen *g) {
  bool uniform = takes_uniform_value(g) && gen_chance(g, 50);
  gen_line(g, "if (%s) {", gen_condition(g, 3, uniform));
  body(g, uniform, g->loop == LOOP_UNIFORM && !uniform ? LOOP_NONE : g->loop);
  if (gen_chance(g, 50)) {
    gen_line(g, "} else {");
    body(g, uniform, g->loop == LOOP_UNIFORM && !uniform ? LOOP_NONE : g->loop);
  }
  gen_line(g, "}");
}

static void choice(Gen *g) {
  bool uniform = takes_uniform_value(g) && gen_chance(g, 50);
  uint32_t n_cases = 2 + gen_below(g, 3);
  uint32_t other = gen_below(g, n_cases + 2); // which one is `default`
  gen_line(g, "switch (%s) {",
           gen_index(g, n_cases + gen_below(g, 2), uniform));
  for (uint32_t i = 0; i < n_cases; i++) {
    if (i == other)
      gen_line(g, "default: {");
    else
      gen_line(g, "case %u: {", i);
    // A `continue` inside is the loop's; `break` is this switch's.
    body(g, uniform, LOOP_NONE);
    gen_line(g, "}");
    if (gen_chance(g, 75))
      gen_line(g, "break;");
  }
  gen_line(g, "}");
}

static const char *trip_count(Gen *g, bool uniform) {
  if (gen_chance(g, 40))
    return gen_text(g, "%u", 1 + gen_below(g, 6));
  return gen_text(g, "(int)(%s)", gen_index(g, 8, uniform));
}

static void counted_loop(Gen *g) {
  bool uniform = takes_uniform_value(g) && gen_chance(g, 50);
  const char *i = gen_name(g, "i"), *n = trip_count(g, uniform);
  Scope scope = open_scope(g);
  if (gen_chance(g, 15)) {
    gen_line(g, "for (int %s = %s; %s > 0; %s--) {", i, n, i, i);
  } else if (gen_chance(g, 20)) {
    gen_line(g, "for (unsigned %s = 0; %s < (unsigned)%s; %s++) {", i, i, n, i);
    i = gen_text(g, "(int)%s", i);
  } else if (gen_chance(g, 30)) {
    gen_line(g, "for (int %s = -1; %s <= %s; %s += 2) {", i, i, n, i);
  } else {
    if (gen_chance(g, 20))
      gen_line(g, "#pragma unroll");
    gen_line(g, "for (int %s = 0; %s < %s; %s++) {", i, i, n, i);
  }
  gen_declare(g, i, GEN_I32, true, uniform);
  body(g, uniform, uniform ? LOOP_UNIFORM : LOOP_DIVERGENT);
  gen_line(g, "}");
  close_scope(g, scope);
}

static void while_loop(Gen *g) {
  bool uniform = takes_uniform_value(g) && gen_chance(g, 50);
  const char *i = gen_name(g, "i");
  gen_line(g, "int %s = %s;", i, trip_count(g, uniform));
  bool is_do = gen_chance(g, 30);
  if (is_do)
    gen_line(g, "do {");
  else
    gen_line(g, "while (%s > 0 && %s) {", i, gen_condition(g, 1, uniform));
  Scope scope = open_scope(g);
  gen_line(g, "%s--;", i); // before anything that could go on
  gen_declare(g, i, GEN_I32, true, uniform);
  body(g, uniform, uniform ? LOOP_UNIFORM : LOOP_DIVERGENT);
  close_scope(g, scope);
  if (is_do)
    gen_line(g, "} while (%s > 0);", i);
  else
    gen_line(g, "}");
}

// Leaves a loop, by a condition on which as many threads agree as must.
static void leave_loop(Gen *g) {
  if (g->loop == LOOP_NONE)
    return;
  bool uniform = g->loop == LOOP_UNIFORM;
  gen_line(g, "if (%s)", gen_condition(g, 2, uniform));
  gen_line(g, "    %s;", gen_chance(g, 60) ? "break" : "continue");
  gen_leave(g);
}

static void early_return(Gen *g) {
  if (!g->in_function)
    return;
  gen_line(g, "if (%s)", gen_condition(g, 2, false));
  gen_line(g, "    return %s;", gen_expr(g, g->result, 2, false));
}

static void control(Gen *g) {
  if (g->depth > MOST_DEPTH) {
    gen_assign(g);
    return;
  }
  switch (gen_below(g, 6)) {
  case 0:
  case 1: branch(g); break;
  case 2: choice(g); break;
  case 3: counted_loop(g); break;
  case 4: while_loop(g); break;
  default: leave_loop(g); break;
  }
}

static void statement(Gen *g) {
  uint32_t which = gen_below(g, 100);
  if (takes_uniform_value(g) && which < 32)
    gen_collective(g);
  else if (g->has_groups && which < 10)
    gen_coalesced(g);
  else if (which < 45)
    control(g);
  else if (which < 57)
    gen_declaration(g, gen_chance(g, 40));
  else if (which < 75)
    gen_assign(g);
  else if (which < 80)
    private_array(g);
  else if (which < 84)
    record(g);
  else if (which < 88)
    short_vector(g);
  else if (which < 90)
    early_return(g);
  else if (g->in_function)
    gen_assign(g);
  else if (which < 94)
    atomic(g);
  else
    store(g);
}

void gen_block(Gen *g) {
  uint32_t count = 1 + gen_below(g, 5);
  for (uint32_t i = 0; i < count && g->budget > 0; i++) {
    g->budget--;
    statement(g);
  }
  // What was computed here, before it goes out of scope.
  if (!g->in_function && gen_chance(g, 40))
    store(g);
}
