// SPDX-License-Identifier: Apache-2.0
// Random expressions without undefined behaviour.
#include "gen_state.h"

enum { INPUT_ELEMENTS = 64, TABLE_ELEMENTS = 16 };

GenType gen_any_type(Gen *g) {
  static const GenType common[] = {GEN_I32, GEN_I32, GEN_U32, GEN_F32,
                                   GEN_F32, GEN_I64, GEN_F64};
  if (gen_chance(g, 70))
    return common[gen_below(g, sizeof common / sizeof *common)];
  return (GenType)gen_below(g, GEN_TYPE_COUNT);
}

// ---------------------------------------------------------------- leaves

static const char *integer_literal(Gen *g, GenType type) {
  static const int64_t special[] = {0, 1, 2, 3, 7, 8, 15, 31, 32, 100, 127};
  int64_t value = special[gen_below(g, sizeof special / sizeof *special)];
  if (gen_chance(g, 25))
    value = (int64_t)gen_below(g, 0x7fffffff);
  switch ((int)type) {
  case GEN_U32: return gen_text(g, "%luu", (unsigned long)value);
  case GEN_I64:
    if (gen_chance(g, 15))
      value = value << 31 | 12345;
    return gen_text(g, gen_chance(g, 30) ? "(-%ldl)" : "%ldl", (long)value);
  case GEN_U64:
    return gen_text(g, "%lulu", (unsigned long)value * 0x100000001u);
  case GEN_I32:
    return gen_text(g, gen_chance(g, 30) ? "(-%ld)" : "%ld", (long)value);
  default:
    return gen_text(g, "((%s)%ld)", gen_types[type].text, (long)value & 127);
  }
}

static const char *float_literal(Gen *g, GenType type) {
  double value = (double)gen_below(g, 4096) / 256.0 - 4.0;
  if (type == GEN_F64)
    return gen_text(g, value < 0 ? "(%.8f)" : "%.8f", value);
  if (type == GEN_F32)
    return gen_text(g, value < 0 ? "(%.8ff)" : "%.8ff", value);
  return gen_text(g, "((half)%.3ff)", value);
}

static const char *literal(Gen *g, GenType type) {
  if (type == GEN_BOOL)
    return gen_chance(g, 50) ? "true" : "false";
  return gen_types[type].is_float ? float_literal(g, type)
                                  : integer_literal(g, type);
}

static const char *position(Gen *g, bool uniform) {
  if (g->in_function || g->is_flat)
    return literal(g, GEN_I32);
  if (uniform || g->is_thread)
    return gen_chance(g, 50) ? "block_index().x" : "grid_dim().x";
  switch (gen_below(g, 4)) {
  case 0: return "thread_index().x";
  case 1: return "thread_index().y";
  case 2: return "size()";
  default: return "rank()";
  }
}

static const char *input(Gen *g, GenType type, bool uniform) {
  const char *name = NULL;
  switch ((int)type) {
  case GEN_I32: name = gen_chance(g, 30) ? "table" : "in_int"; break;
  case GEN_F32:
    name = "in_float";
    if (!g->in_function && gen_chance(g, 30))
      return gen_text(g, "in_mat[%s][%s]", gen_index(g, 8, uniform),
                      gen_index(g, 16, uniform));
    break;
  case GEN_F64: name = "in_double"; break;
  case GEN_U8: name = "in_byte"; break;
  case GEN_F16: name = "in_half"; break;
  default: return literal(g, type);
  }
  bool is_table = name[0] == 't';
  if (g->in_function && !is_table)
    return literal(g, type);
  return gen_text(
      g, "%s[%s]", name,
      gen_index(g, is_table ? TABLE_ELEMENTS : INPUT_ELEMENTS, uniform));
}

static const char *leaf(Gen *g, GenType type, bool uniform) {
  const GenVar *var = gen_pick(g, type, uniform, false);
  if (var && gen_chance(g, 80))
    return var->name;
  if (type == GEN_I32 && gen_chance(g, 25))
    return position(g, uniform);
  if (gen_chance(g, 45) && g->depth < 12)
    return input(g, type, uniform);
  return literal(g, type);
}

// -------------------------------------------------------------- integers

// A type of the same kind to convert from.
static GenType other_integer(Gen *g) {
  return (GenType)(GEN_I8 + (int)gen_below(g, 8));
}

static const char *signed_arithmetic(Gen *g, GenType type, const char *a,
                                     const char *b) {
  const char *name = gen_types[type].text;
  const char *unsigned_name = type == GEN_I64 ? "unsigned long" : "unsigned";
  static const char *const ops[] = {"+", "-", "*"};
  const char *op = ops[gen_below(g, 3)];
  switch (gen_below(g, 4)) {
  case 0: return gen_text(g, "((%s & 32767) %s (%s & 32767))", a, op, b);
  case 1:
    return gen_text(g, "(%s)((%s)%s << (%s & 7))", name, unsigned_name, a, b);
  case 2: return gen_text(g, "(-(%s & 65535))", a);
  default:
    return gen_text(g, "(%s)((%s)%s %s (%s)%s)", name, unsigned_name, a, op,
                    unsigned_name, b);
  }
}

static const char *division(Gen *g, const char *a, const char *b) {
  const char *op = gen_chance(g, 50) ? "/" : "%";
  switch (gen_below(g, 4)) {
  case 0: return gen_text(g, "(%s %s %u)", a, op, 1 + gen_below(g, 40));
  case 1: return gen_text(g, "(%s %s (%s | 1))", a, op, b);
  default: return gen_text(g, "(%s %s ((%s & 31) + 1))", a, op, b);
  }
}

static const char *bits(Gen *g, const char *a, const char *b) {
  static const char *const ops[] = {"&", "|", "^"};
  switch (gen_below(g, 4)) {
  case 0: return gen_text(g, "(~%s)", a);
  case 1: return gen_text(g, "(%s >> (%s & 31))", a, b);
  default: return gen_text(g, "(%s %s %s)", a, ops[gen_below(g, 3)], b);
  }
}

static const char *integer_function(Gen *g, GenType type, const char *a,
                                    const char *b) {
  if (type == GEN_U32)
    switch (gen_below(g, 6)) {
    case 0: return gen_text(g, "rotl(%s, %s)", a, b);
    case 1: return gen_text(g, "bitreverse(%s)", a);
    case 2: return gen_text(g, "byteswap(%s)", a);
    case 3: return gen_text(g, "(unsigned)popcount(%s)", a);
    case 4: return gen_text(g, "(unsigned)clz(%s)", a);
    default: return gen_text(g, "(unsigned)ctz(%s)", a);
    }
  if (type == GEN_I32 && gen_chance(g, 30))
    return gen_text(g, "abs(%s & 65535)", a);
  return gen_text(g, "%s(%s, %s)", gen_chance(g, 50) ? "min" : "max", a, b);
}

static const char *integer_expr(Gen *g, GenType type, uint32_t depth,
                                bool uniform) {
  const char *a = gen_expr(g, type, depth - 1, uniform);
  const char *b = gen_expr(g, type, depth - 1, uniform);
  bool is_signed = gen_types[type].is_signed;
  switch (gen_below(g, 8)) {
  case 0:
  case 1:
    if (is_signed)
      return signed_arithmetic(g, type, a, b);
    return gen_text(g, "(%s %s %s)", a, gen_chance(g, 50) ? "+" : "*", b);
  case 2: return division(g, a, b);
  case 3:
  case 4: return bits(g, a, b);
  case 5: return integer_function(g, type, a, b);
  case 6: {
    GenType from = gen_chance(g, 30) ? GEN_F32 : other_integer(g);
    return gen_text(g, "((%s)%s)", gen_types[type].text,
                    gen_expr(g, from, depth - 1, uniform));
  }
  default:
    return gen_text(g, "(%s ? %s : %s)", gen_condition(g, depth - 1, uniform),
                    a, b);
  }
}

// char and short: arithmetic happens in int and can't overflow there.
static const char *small_expr(Gen *g, GenType type, uint32_t depth,
                              bool uniform) {
  const char *name = gen_types[type].text;
  if (gen_chance(g, 50))
    return gen_text(g, "((%s)%s)", name,
                    gen_expr(g, GEN_I32, depth - 1, uniform));
  static const char *const ops[] = {"+", "-", "*", "&", "^"};
  return gen_text(
      g, "((%s)(%s %s %s))", name,
      gen_expr(g, type == GEN_U16 ? GEN_U8 : type, depth - 1, uniform),
      ops[gen_below(g, 5)],
      gen_expr(g, type == GEN_U16 ? GEN_U8 : type, depth - 1, uniform));
}

// ---------------------------------------------------------------- floats

static const char *float_function(Gen *g, GenType type, const char *a) {
  static const char *const names[] = {"fabs",  "floor", "ceil",
                                      "trunc", "rint",  "round"};
  const char *name = gen_types[type].text;
  if (type == GEN_F16)
    return gen_text(g, "((half)fabs((float)%s))", a);
  switch (gen_below(g, 4)) {
  case 0: return gen_text(g, "sqrt(fabs(%s))", a);
  case 1:
    return gen_text(g, "%s(%s, (%s)%u.5)", gen_chance(g, 50) ? "fmin" : "fmax",
                    a, name, 1 + gen_below(g, 9));
  default: return gen_text(g, "%s(%s)", names[gen_below(g, 6)], a);
  }
}

static const char *float_conversion(Gen *g, GenType type, uint32_t depth,
                                    bool uniform) {
  static const GenType from[] = {GEN_I32, GEN_U32, GEN_I64, GEN_U8,
                                 GEN_F32, GEN_F64, GEN_F16};
  return gen_text(g, "((%s)%s)", gen_types[type].text,
                  gen_expr(g, from[gen_below(g, 7)], depth - 1, uniform));
}

static const char *float_expr(Gen *g, GenType type, uint32_t depth,
                              bool uniform) {
  const char *a = gen_expr(g, type, depth - 1, uniform);
  const char *b = gen_expr(g, type, depth - 1, uniform);
  static const char *const ops[] = {"+", "-", "*", "/"};
  switch (gen_below(g, 8)) {
  case 0: return float_function(g, type, a);
  case 1: return float_conversion(g, type, depth, uniform);
  case 2:
    return gen_text(g, "(%s ? %s : %s)", gen_condition(g, depth - 1, uniform),
                    a, b);
  case 3:
    if (type != GEN_F16)
      return gen_text(g, "fma(%s, %s, %s)", a, b, leaf(g, type, uniform));
    return gen_text(g, "(-%s)", a);
  case 4: // contracted to one rounding
    return gen_text(g, "(%s * %s %s %s)", a, b, gen_chance(g, 50) ? "+" : "-",
                    leaf(g, type, uniform));
  default: return gen_text(g, "(%s %s %s)", a, ops[gen_below(g, 4)], b);
  }
}

// ------------------------------------------------------------------ bool

const char *gen_condition(Gen *g, uint32_t depth, bool uniform) {
  static const char *const compare[] = {"<", "<=", ">", ">=", "==", "!="};
  uint32_t inner = depth ? depth - 1 : 0;
  if (depth && gen_chance(g, 25)) {
    const char *a = gen_condition(g, inner, uniform);
    const char *b = gen_condition(g, inner, uniform);
    return gen_text(g, "(%s %s %s)", a, gen_chance(g, 50) ? "&&" : "||", b);
  }
  if (depth && gen_chance(g, 10))
    return gen_text(g, "(!%s)", gen_condition(g, inner, uniform));
  GenType type = gen_any_type(g);
  const char *a = gen_expr(g, type, inner, uniform);
  if (type == GEN_BOOL)
    return a;
  if (gen_types[type].is_float && gen_chance(g, 15))
    return gen_text(g, "isnan(%s)",
                    type == GEN_F16 ? gen_text(g, "(float)%s", a) : a);
  return gen_text(g, "(%s %s %s)", a, compare[gen_below(g, 6)],
                  gen_expr(g, type, inner, uniform));
}

// ----------------------------------------------------------------- calls

static const char *call(Gen *g, GenType type, uint32_t depth) {
  for (uint32_t tries = 0; tries < 4 && g->functions.count; tries++) {
    const GenFunction *function =
        &g->functions.data[gen_below(g, g->functions.count)];
    if (function->result != type)
      continue;
    Text text = {.arena = g->arena};
    text_printf(&text, "%s(", function->name);
    for (uint32_t i = 0; i < function->n_params; i++)
      text_printf(&text, i ? ", %s" : "%s",
                  gen_expr(g, function->params[i], depth / 2, false));
    text_add_char(&text, ')');
    return text_cstr(&text);
  }
  return NULL;
}

const char *gen_index(Gen *g, uint32_t limit, bool uniform) {
  const char *value = leaf(g, gen_chance(g, 50) ? GEN_I32 : GEN_U32, uniform);
  if (!uniform && gen_chance(g, 30) && !g->in_function && !g->is_thread)
    value = gen_text(g, "(rank() + %u)", gen_below(g, 40));
  if ((limit & (limit - 1)) == 0)
    return gen_text(g, "%s & %u", value, limit - 1);
  return gen_text(g, "(unsigned)%s %% %uu", value, limit);
}

const char *gen_expr(Gen *g, GenType type, uint32_t depth, bool uniform) {
  if (depth == 0 || gen_chance(g, 15))
    return leaf(g, type, uniform);
  g->depth++;
  const char *text = NULL;
  if (!uniform && gen_chance(g, 8))
    text = call(g, type, depth);
  if (text)
    ;
  else if (type == GEN_BOOL)
    text = gen_condition(g, depth, uniform);
  else if (gen_types[type].is_float)
    text = float_expr(g, type, depth, uniform);
  else if (gen_types[type].size_bytes < 4)
    text = small_expr(g, type, depth, uniform);
  else
    text = integer_expr(g, type, depth, uniform);
  g->depth--;
  return text;
}
