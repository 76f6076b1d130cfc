// SPDX-License-Identifier: Apache-2.0
// cast(T, t[, mode…]): which modes a cast can have.
#include "sema/tile.h"

#include <string.h>

typedef enum { MODE_ROUNDING, MODE_OVERFLOW, MODE_WRAP } ModeKind;

typedef struct {
  const char *name;
  ModeKind kind;
  int64_t number; // as in the IR: numbers[0] of tile_cast, a bit of numbers[1]
} CastMode;

static const CastMode modes[] = {
    {"rn", MODE_ROUNDING, 1},  {"rz", MODE_ROUNDING, 2},
    {"ru", MODE_ROUNDING, 3},  {"rd", MODE_ROUNDING, 4},
    {"inf", MODE_OVERFLOW, 1}, {"wrap", MODE_WRAP, 2},
};

typedef struct {
  const BuiltinCall *call;
  const Type *from, *to;
  uint32_t seen; // bits of ModeKind
  TTileArgs tile;
} CastModes;

static bool refuse_mode(const CastModes *m, const Expr *word,
                        const char *problem) {
  SEMA_ERROR(m->call->cx, word->span, tile_mode,
             DS(sema_source_text(m->call->cx, word->span)), DS(problem));
  return false;
}

static const CastMode *mode_named(const Expr *word) {
  if (word->kind != EXPR_NAME)
    return NULL;
  for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
    if (strcmp(modes[i].name, word->u.name) == 0)
      return &modes[i];
  return NULL;
}

static const char *mode_problem(const CastModes *m, const CastMode *mode) {
  bool from_float = type_is_float_like(m->from);
  switch (mode->kind) {
  case MODE_ROUNDING:
    return from_float || type_is_float_like(m->to)
               ? NULL
               : "integers are not rounded to integers";
  case MODE_OVERFLOW:
    return type_is_fp8(m->to) ? NULL
                              : "only casts to fp8_e4m3 and fp8_e5m2 saturate "
                                "where others give infinity";
  case MODE_WRAP: break;
  }
  return !from_float && type_is_packed_int(m->to)
             ? NULL
             : "only integers cast to packed integers saturate without it";
}

static bool add_mode(CastModes *m, const Expr *word) {
  const CastMode *mode = mode_named(word);
  if (!mode)
    return refuse_mode(m, word, "it must be rn, rz, ru, rd, inf or wrap");
  if (m->seen >> mode->kind & 1)
    return refuse_mode(m, word, "it is the second one of its kind");
  const char *problem = mode_problem(m, mode);
  if (problem)
    return refuse_mode(m, word, problem);
  m->seen |= 1u << mode->kind;
  m->tile.numbers[mode->kind == MODE_ROUNDING ? 0 : 1] |= mode->number;
  return true;
}

static TExpr *cast_poison(const BuiltinCall *call) {
  return build_poison(call->cx, call->span);
}

static TExpr *cast_with_modes(const BuiltinCall *call, TExpr *value,
                              const Type *element) {
  SemaContext *cx = call->cx;
  CastModes m = {.call = call,
                 .from = type_underlying(type_tile_element(value->type)),
                 .to = element};
  m.tile.n_numbers = 2;
  for (uint32_t i = 2; i < call->args->count; i++)
    if (!add_mode(&m, call->args->data[i]))
      return cast_poison(call);
  return tile_build(call, type_tile_of(cx->types, value->type, element), &value,
                    1, &m.tile);
}

TExpr *tile_rule_cast(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  if (!builtin_takes(call, 2, 4))
    return cast_poison(call);
  const Type *element = tile_named_element(call);
  TExpr *value = tile_row(cx, check_value(cx, call->args->data[1]));
  if (!element || expr_is_poison(value))
    return cast_poison(call);
  if (!tile_is_element(type_underlying(type_tile_element(value->type))))
    return builtin_refuse_type(call, 1, value->type, "a tile or a number");
  if (!is_tile(value) && type_is_narrow(element)) {
    SEMA_ERROR(cx, call->span, narrow_place, NT(cx, element),
               DS("elements of tiles, which a cast of a number doesn't give"));
    return cast_poison(call);
  }
  return call->args->count == 2 ? tile_convert_elements(cx, value, element)
                                : cast_with_modes(call, value, element);
}
