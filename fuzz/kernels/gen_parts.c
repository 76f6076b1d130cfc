// SPDX-License-Identifier: Apache-2.0
// Groups as values: partitions of the current group, and collectives of them.
#include "gen_state.h"

enum { MOST_PART_DEPTH = 6 };

// ----------------------------------------------------------------- groups

static GenGroup current_group(const Gen *g) {
  return (GenGroup){.name = "this_group()",
                    .most = g->threads,
                    .size = g->threads,
                    .level = g->level,
                    .is_in_warp = g->is_aligned && g->threads <= 32};
}

static bool is_together(const Gen *g, const GenGroup *group) {
  if (group->is_coalesced)
    return group->region == g->region && !group->is_dead;
  return g->is_uniform && !g->is_thread && group->level == g->level;
}

// A group whose threads are together here. False: there is none.
static bool pick_group(Gen *g, GenGroup *out) {
  uint32_t n_found = 0;
  if (g->is_uniform && !g->is_thread) {
    *out = current_group(g);
    n_found = 1;
    if (g->is_aligned && gen_chance(g, 30)) {
      int32_t size = g->threads % 32 == 0 ? 32 : 0;
      *out = (GenGroup){.name = "this_warp()",
                        .most = g->threads < 32 ? g->threads : 32,
                        .size = g->threads < 32 ? g->threads : size,
                        .level = g->level,
                        .is_in_warp = true};
    }
  }
  for (uint32_t i = 0; i < g->groups.count; i++)
    if (is_together(g, &g->groups.data[i]) &&
        (gen_below(g, ++n_found) == 0 || gen_chance(g, 40)))
      *out = g->groups.data[i];
  return n_found > 0;
}

static GenGroup *declare(Gen *g, const GenGroup *parent, const char *name) {
  GenGroup group = {.name = name,
                    .most = parent->most,
                    .level = g->level,
                    .region = g->region,
                    .is_in_warp = parent->is_in_warp,
                    .is_coalesced = parent->is_coalesced};
  VEC_PUSH(g->arena, &g->groups, group);
  return &VEC_LAST(&g->groups);
}

static void tiles(Gen *g, const GenGroup *parent) {
  const char *name = gen_name(g, "g");
  int32_t n = 1 << gen_below(g, 10);
  if (gen_chance(g, 60))
    n = 1 << gen_below(g, 6);
  bool is_dynamic =
      gen_chance(g, 15) && !parent->is_coalesced && parent->level == g->level;
  if (is_dynamic)
    gen_line(g, "group %s = tiled_partition(%s, 1 << (%s));", name,
             parent->name, gen_index(g, 6, true));
  else
    gen_line(g, "group %s = tiled_partition(%s, %d);", name, parent->name,
             (int)n);
  int32_t size = parent->size, most = parent->most;
  bool is_in_warp =
      parent->is_in_warp ||
      (!is_dynamic && n <= 32 && g->is_aligned && parent->size == g->threads);
  GenGroup *group = declare(g, parent, name);
  group->is_in_warp = is_in_warp;
  if (is_dynamic)
    return;
  group->most = n < most ? n : most;
  group->size = size && size % n == 0 ? n : 0;
}

static void labels(Gen *g, const GenGroup *parent) {
  const char *name = gen_name(g, "g");
  if (gen_chance(g, 30))
    gen_line(g, "group %s = binary_partition(%s, %s);", name, parent->name,
             gen_condition(g, 2, false));
  else
    gen_line(g, "group %s = labeled_partition(%s, %s);", name, parent->name,
             gen_index(g, 1 + gen_below(g, 7), false));
  declare(g, parent, name);
}

// ------------------------------------------------------------- collectives

static GenType number_type(Gen *g) {
  static const GenType types[] = {GEN_I32, GEN_U32, GEN_I64, GEN_U64, GEN_F32,
                                  GEN_F64, GEN_F16, GEN_I16, GEN_U8};
  return types[gen_below(g, sizeof types / sizeof *types)];
}

static const char *operator_for(Gen *g, GenType type) {
  static const char *const all[] = {"plus",    "min",    "max",
                                    "bit_and", "bit_or", "bit_xor"};
  if (type == GEN_U32 && gen_chance(g, 25))
    return "op_mix";
  if (type == GEN_I32 && gen_chance(g, 20))
    return "op_last";
  return all[gen_below(g, gen_types[type].is_float ? 3 : 6)];
}

// Sums of signed values must not overflow.
static const char *summand(Gen *g, GenType type, const char *op) {
  const char *value = gen_expr(g, type, 3, false);
  bool is_sum =
      op[0] == 'p' && gen_types[type].is_signed && !gen_types[type].is_float;
  if (is_sum && gen_types[type].size_bytes >= 4)
    return gen_text(g, "(%s & 65535)", value);
  if (is_sum)
    return gen_text(g, "(%s)(%s & 15)", gen_types[type].text, value);
  return value;
}

static bool is_whole(const Gen *g, const GenGroup *group) {
  return group->size > 0 && group->size == g->threads &&
         group->level == g->level && !group->is_coalesced;
}

static void combination(Gen *g, const GenGroup *group) {
  GenType type = number_type(g);
  const char *op = operator_for(g, type), *v = gen_name(g, "v");
  const char *text = gen_types[type].text, *value = summand(g, type, op);
  uint32_t which = gen_below(g, 5);
  bool has_no_identity = op[0] == 'o';
  if (which < 2) {
    gen_line(g, "%s %s = reduce(%s, %s, %s);", text, v, group->name, value, op);
    gen_declare(g, v, type, false, is_whole(g, group) && g->is_uniform);
    return;
  }
  if (which == 2)
    gen_line(g, "%s %s = inclusive_scan(%s, %s, %s);", text, v, group->name,
             value, op);
  else if (which == 3 || has_no_identity)
    gen_line(g, "%s %s = exclusive_scan(%s, %s, %s, %s);", text, v, group->name,
             value, op, summand(g, type, op));
  else
    gen_line(g, "%s %s = exclusive_scan(%s, %s, %s);", text, v, group->name,
             value, op);
  gen_declare(g, v, type, false, false);
}

static void shuffle(Gen *g, const GenGroup *group) {
  static const char *const names[] = {"shfl", "shfl_up", "shfl_down",
                                      "shfl_xor"};
  GenType type = gen_any_type(g);
  const char *v = gen_name(g, "v"), *text = gen_types[type].text;
  const char *value = gen_expr(g, type, 2, false);
  if (gen_chance(g, 20)) {
    gen_line(g, "%s %s = broadcast(%s, %s, %u);", text, v, group->name, value,
             gen_below(g, (uint32_t)group->most));
    gen_declare(g, v, type, false, is_whole(g, group) && g->is_uniform);
    return;
  }
  const char *by = gen_chance(g, 50)
                       ? gen_text(g, "%u", gen_below(g, 40))
                       : gen_index(g, (uint32_t)group->most + 3, false);
  gen_line(g, "%s %s = %s(%s, %s, (int)(%s));", text, v, names[gen_below(g, 4)],
           group->name, value, by);
  gen_declare(g, v, type, false, false);
}

static void votes(Gen *g, const GenGroup *group) {
  const char *v = gen_name(g, "v");
  bool is_shared = is_whole(g, group) && g->is_uniform;
  if (group->most <= 32 && gen_chance(g, 40)) {
    static const char *const matches[] = {"match_any", "match_all"};
    if (gen_chance(g, 50))
      gen_line(g, "unsigned %s = ballot(%s, %s);", v, group->name,
               gen_condition(g, 2, false));
    else
      gen_line(g, "unsigned %s = %s(%s, %s);", v, matches[gen_below(g, 2)],
               group->name, gen_index(g, 1 + gen_below(g, 4), false));
    gen_declare(g, v, GEN_U32, false, false);
    return;
  }
  static const char *const names[] = {"any", "all", "count"};
  uint32_t which = gen_below(g, 3);
  gen_line(g, "%s %s = %s(%s, %s);", which < 2 ? "bool" : "int", v,
           names[which], group->name, gen_condition(g, 2, false));
  gen_declare(g, v, which < 2 ? GEN_BOOL : GEN_I32, false, is_shared);
}

static void position(Gen *g, const GenGroup *group) {
  static const char *const names[] = {"rank", "size", "meta_rank", "meta_size"};
  const char *v = gen_name(g, "v");
  gen_line(g, "int %s = %s(%s);", v, names[gen_below(g, 4)], group->name);
  gen_declare(g, v, GEN_I32, false, false);
}

// Struct values, and one thread for all.
static void wholes(Gen *g, const GenGroup *group) {
  const char *v = gen_name(g, "v"), *w = gen_name(g, "w");
  if (gen_chance(g, 40)) {
    gen_line(g, "int %s = invoke_one_broadcast(%s, %s);", v, group->name,
             gen_expr(g, GEN_I32, 3, false));
    gen_declare(g, v, GEN_I32, false, is_whole(g, group) && g->is_uniform);
    return;
  }
  gen_line(g, "struct Affine %s = {%s, %s};", w, gen_expr(g, GEN_U32, 2, false),
           gen_expr(g, GEN_U32, 2, false));
  if (gen_chance(g, 50))
    gen_line(g, "struct Affine %s = reduce(%s, %s, op_affine);", v, group->name,
             w);
  else
    gen_line(g, "struct Affine %s = inclusive_scan(%s, %s, op_affine);", v,
             group->name, w);
  gen_declare(g, gen_text(g, "%s.b", v), GEN_U32, false, false);
}

static void update(Gen *g, const GenGroup *group) {
  static const char *const names[] = {"add", "min", "max", "and", "or", "xor"};
  static const char *const ops[] = {"plus",    "min",    "max",
                                    "bit_and", "bit_or", "bit_xor"};
  uint32_t which = gen_below(g, 6);
  gen_line(g, "reduce_update(%s, &count_%s[(me + %u) & 15], %s, %s);",
           group->name, names[which], gen_below(g, 16),
           summand(g, GEN_I32, ops[which]), ops[which]);
}

static void collective(Gen *g, const GenGroup *group) {
  switch (gen_below(g, 10)) {
  case 0:
  case 1:
  case 2: combination(g, group); break;
  case 3:
  case 4: shuffle(g, group); break;
  case 5: votes(g, group); break;
  case 6: position(g, group); break;
  case 7: wholes(g, group); break;
  case 8: update(g, group); break;
  default: gen_line(g, "sync(%s);", group->name); break;
  }
}

// --------------------------------------------------------------- statements

static void with_group(Gen *g, const GenGroup *group) {
  const char *v = gen_name(g, "v");
  if (group->size == 0 || gen_chance(g, 30)) {
    gen_line(g, "int %s = 0;", v);
    gen_line(g, "with (%s) %s = reduce(rank(), plus) + size();", group->name,
             v);
    gen_declare(g, v, GEN_I32, false, false);
    return;
  }
  gen_line(g, "with (%s) {", group->name);
  gen_part_body(g, group->size, false, false, false);
  gen_line(g, "}");
}

// Collectives of a part in the branches of its label.
static void by_label(Gen *g, const GenGroup *parent) {
  const char *label = gen_name(g, "k"), *name = gen_name(g, "g");
  const char *v = gen_name(g, "v");
  gen_line(g, "int %s = 0;", v);
  gen_line(g, "{ //=");
  gen_line(g, "int %s = (int)(%s);", label, gen_index(g, 4, false));
  gen_line(g, "group %s = labeled_partition(%s, %s);", name, parent->name,
           label);
  gen_line(g, "switch (%s) {", label);
  gen_line(g, "case 0: %s = reduce(%s, me, max); break;", v, name);
  gen_line(g, "case 1: %s = inclusive_scan(%s, (me & 255), plus); break;", v,
           name);
  gen_line(g, "case 2: if (size(%s) > 2) %s = shfl_up(%s, me, 1); break;", name,
           v, name);
  gen_line(g, "default: %s = count(%s, %s); break;", v, name,
           gen_condition(g, 2, false));
  gen_line(g, "}");
  gen_line(g, "}");
  gen_declare(g, v, GEN_I32, false, false);
}

static void some_of(Gen *g, const GenGroup *group) {
  uint32_t which = gen_below(g, 100);
  if (which < 18)
    tiles(g, group);
  else if (which < 28 && group->is_in_warp)
    labels(g, group);
  else if (which < 34 && group->is_in_warp)
    by_label(g, group);
  else if (which < 42 && g->depth < MOST_PART_DEPTH && !group->is_coalesced)
    with_group(g, group);
  else
    collective(g, group);
}

void gen_parts(Gen *g) {
  GenGroup group;
  if (pick_group(g, &group))
    some_of(g, &group);
}

void gen_coalesced(Gen *g) {
  GenGroup group;
  if (g->in_function || g->is_flat || g->is_thread) {
    gen_assign(g);
    return;
  }
  if (gen_chance(g, 50) && pick_group(g, &group)) {
    some_of(g, &group);
    return;
  }
  const char *name = gen_name(g, "g");
  gen_line(g, "group %s = coalesced_threads();", name);
  GenGroup parent = {.most = g->threads < 32 ? g->threads : 32,
                     .is_in_warp = true,
                     .is_coalesced = true};
  group = *declare(g, &parent, name);
  some_of(g, &group);
}

void gen_leave(Gen *g) {
  for (uint32_t i = 0; i < g->groups.count; i++)
    g->groups.data[i].is_dead = true;
}
