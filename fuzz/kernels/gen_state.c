// SPDX-License-Identifier: Apache-2.0
#include "gen_state.h"
#include "heddle/heddle.h"
#include <string.h>

const GenTypeInfo gen_types[GEN_TYPE_COUNT] = {
#define GEN_TYPE(id, text, hd, bytes, is_float, is_signed)                     \
  {text, hd, bytes, is_float, is_signed},
#include "gen_types.def"
#undef GEN_TYPE
};

uint64_t gen_split_mix(uint64_t *state) {
  uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

uint32_t gen_below(Gen *g, uint32_t limit) {
  return (uint32_t)(gen_split_mix(&g->random) >> 11) % limit;
}

bool gen_chance(Gen *g, uint32_t percent) {
  return gen_below(g, 100) < percent;
}

const char *gen_text(Gen *g, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const char *text = arena_vprintf(g->arena, format, args);
  va_end(args);
  return text;
}

const char *gen_name(Gen *g, const char *stem) {
  return gen_text(g, "%s%u", stem, g->n_names++);
}

void gen_line(Gen *g, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const char *line = arena_vprintf(g->arena, format, args);
  va_end(args);
  size_t length = strlen(line);
  if (line[0] == '}')
    g->indent--;
  text_add_repeat(&g->out, ' ', (size_t)4 * g->indent);
  text_add(&g->out, line);
  text_add_char(&g->out, '\n');
  const char *comment = strstr(line, " //");
  if (comment)
    length = (size_t)(comment - line);
  if (length && line[length - 1] == '{')
    g->indent++;
}

void gen_declare(Gen *g, const char *name, GenType type, bool is_const,
                 bool is_uniform) {
  GenVar var = {name, type, is_const, is_uniform, g->level};
  VEC_PUSH(g->arena, &g->vars, var);
}

// Inside a part of its group, and where threads went different ways, a
// uniform variable must not change: it would differ afterwards.
static bool may_assign(const Gen *g, const GenVar *var) {
  if (var->is_const)
    return false;
  return !var->is_uniform || (g->is_uniform && var->level == g->level);
}

const GenVar *gen_pick(Gen *g, GenType type, bool uniform, bool assignable) {
  uint32_t n_found = 0;
  const GenVar *found = NULL;
  for (uint32_t i = 0; i < g->vars.count; i++) {
    const GenVar *var = &g->vars.data[i];
    if (var->type != type || (uniform && !var->is_uniform) ||
        (assignable && !may_assign(g, var)))
      continue;
    // Later ones more often: they are the results that matter here.
    if (gen_below(g, ++n_found) == 0 || gen_chance(g, 20))
      found = var;
  }
  return found;
}

GenParam *gen_param(Gen *g, const char *name, GenType type) {
  GenParam *param = &g->program->params[g->program->n_params++];
  *param = (GenParam){.name = name, .type = type};
  return param;
}
