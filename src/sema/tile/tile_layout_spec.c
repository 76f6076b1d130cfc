// SPDX-License-Identifier: Apache-2.0
// Layouts as programs write them: names, products of factors, bits.
#include "sema/tile.h"

#include "tile/layout/layout_name.h"

#include <string.h>

#define LAYOUT_WORDS                                                            \
  "mma_a, mma_b, mma_c, wgmma_a, wgmma_c, blocked(…), product(…) and bits " \
  "reg(…) lane(…) warp(…)"

typedef struct {
  SemaContext *cx;
  const char *name; // of what takes the layout
  uint32_t argument;
  LayoutSpec *out;
} SpecReader;

static bool spec_refuse(const SpecReader *r, const Expr *expr) {
  if (expr->kind != EXPR_POISON)
    SEMA_ERROR(r->cx, expr->span, argument_word, DU(r->argument), DS(r->name),
               DS(LAYOUT_WORDS));
  return false;
}

// The name that stands there, alone or called; NULL: there is none.
static const char *spec_word(const Expr *expr) {
  const Expr *name = expr->kind == EXPR_CALL ? expr->u.call.callee : expr;
  return name && name->kind == EXPR_NAME ? name->u.name : NULL;
}

static const ExprList *spec_arguments(const Expr *expr) {
  static const ExprList none;
  return expr->kind == EXPR_CALL ? &expr->u.call.args : &none;
}

static bool is_layout_of_tiles(const char *word) {
  LayoutOwner owner;
  const char *name;
  for (uint32_t i = 0; (name = layout_name(i, &owner)); i++)
    if (owner == LAYOUT_OF_TILE && strcmp(name, word) == 0)
      return true;
  return false;
}

// What is too large for any tile becomes 0, which fits none.
static bool spec_number(const SpecReader *r, const Expr *expr, uint32_t *out) {
  int64_t n;
  if (!check_const_int(r->cx, expr, "a number of a layout", &n))
    return false;
  *out = n < 0 || n > TYPE_MAX_TILE_ELEMENTS ? 0 : (uint32_t)n;
  return true;
}

// blocked(1, 8), mma_c(2, 2)
static bool spec_named(const SpecReader *r, const char *word,
                       const Expr *expr) {
  const ExprList *args = spec_arguments(expr);
  r->out->name = word;
  r->out->n_numbers = args->count;
  for (uint32_t i = 0; i < args->count && i < LAYOUT_MAX_RANK; i++)
    if (!spec_number(r, args->data[i], &r->out->numbers[i]))
      return false;
  return true;
}

// -------------------------------------------------------------------- bits

static bool spec_place(const char *word, const char *const words[3],
                       PlaceKind *place) {
  for (PlaceKind i = PLACE_REGISTER; i <= PLACE_WARP; i++)
    if (word && strcmp(word, words[i]) == 0) {
      *place = i;
      return true;
    }
  return false;
}

static bool spec_too_many(const SpecReader *r, const Expr *expr) {
  SEMA_ERROR(
      r->cx, expr->span, tile_layout, DS(sema_source_text(r->cx, expr->span)),
      DS("a tile"),
      DS(sema_format(r->cx, "a place has %d bits at most", (int)BIT_MAP_MAX)));
  return false;
}

// (0, 2): what the bit adds to the index, one number an axis.
static bool spec_bit(const SpecReader *r, const Expr *expr, LayoutBits *bits) {
  Expr *alone = (Expr *)(uintptr_t)expr;
  ExprList numbers = {&alone, 1};
  if (expr->kind == EXPR_COMMA)
    numbers = expr->u.list;
  if (bits->n == BIT_MAP_MAX || numbers.count > LAYOUT_MAX_RANK)
    return spec_too_many(r, expr);
  TileIndex *offset = &bits->offsets[bits->n++];
  for (uint32_t i = 0; i < numbers.count; i++)
    if (!spec_number(r, numbers.data[i], &offset->of[i]))
      return false;
  return true;
}

static bool spec_odd(const SpecReader *r, const Expr *expr, LayoutBits *bits) {
  const ExprList *args = spec_arguments(expr);
  uint32_t axis;
  if (args->count != 1)
    return spec_refuse(r, expr);
  if (!spec_number(r, args->data[0], &axis))
    return false;
  bits->odd_axis = axis < LAYOUT_MAX_RANK ? (int)axis : LAYOUT_MAX_RANK;
  return true;
}

// reg((0, 1), (8, 0), odd(1)) lane(…) warp(…), each once
static bool spec_bits(const SpecReader *r, const ExprList *parts) {
  static const char *const words[] = {"reg", "lane", "warp"};
  uint32_t seen = 0;
  for (uint32_t i = 0; i < parts->count; i++) {
    const Expr *part = parts->data[i];
    PlaceKind place;
    if (part->kind != EXPR_CALL ||
        !spec_place(spec_word(part), words, &place) || seen >> place & 1)
      return spec_refuse(r, part);
    seen |= 1u << place;
    LayoutBits *bits = &r->out->bits[place];
    const ExprList *args = spec_arguments(part);
    for (uint32_t k = 0; k < args->count; k++) {
      const char *word = spec_word(args->data[k]);
      bool is_odd = word && strcmp(word, "odd") == 0;
      if (is_odd ? !spec_odd(r, args->data[k], bits)
                 : !spec_bit(r, args->data[k], bits))
        return false;
    }
  }
  return true;
}

// ---------------------------------------------------------------- products

// One factor of a product: along the last axis first, its bits go on where
// those of the factors before it end.
static bool spec_factor(const SpecReader *r, const Expr *expr,
                        uint32_t used[LAYOUT_MAX_RANK]) {
  static const char *const words[] = {"regs", "lanes", "warps"};
  PlaceKind place;
  if (expr->kind != EXPR_CALL || !spec_place(spec_word(expr), words, &place))
    return spec_refuse(r, expr);
  const ExprList *args = spec_arguments(expr);
  LayoutBits *bits = &r->out->bits[place];
  for (uint32_t axis = args->count; axis-- > 0;) {
    uint32_t n;
    if (axis >= LAYOUT_MAX_RANK)
      return spec_too_many(r, expr);
    if (!spec_number(r, args->data[axis], &n))
      return false;
    for (; n > 1 && n % 2 == 0; n /= 2) {
      if (bits->n == BIT_MAP_MAX || used[axis] >= 20)
        return spec_too_many(r, expr);
      bits->offsets[bits->n++].of[axis] = 1u << used[axis]++;
    }
    if (n == 0 || (n > 1 && bits->odd_axis >= 0))
      return spec_refuse(r, args->data[axis]);
    if (n > 1)
      bits->odd_axis = (int)axis;
  }
  return true;
}

// product(regs(2, 1), lanes(4, 8), warps(2, 2)): from low bits to high ones.
static bool spec_product(const SpecReader *r, const Expr *expr) {
  uint32_t used[LAYOUT_MAX_RANK] = {0};
  const ExprList *args = spec_arguments(expr);
  for (uint32_t i = 0; i < args->count; i++)
    if (!spec_factor(r, args->data[i], used))
      return false;
  return true;
}

// --------------------------------------------------------------------- all

static bool spec_read(const SpecReader *r, const ExprList *parts) {
  const Expr *first = parts->data[0];
  const char *word = spec_word(first);
  bool is_one = parts->count == 1;
  const Symbol *symbol = is_one && word && first->kind == EXPR_NAME
                             ? sema_scope_find(r->cx, word)
                             : NULL;
  if (symbol && symbol->kind == SYMBOL_LAYOUT) {
    *r->out = *symbol->layout;
    return true;
  }
  if (is_one && word && is_layout_of_tiles(word))
    return spec_named(r, word, first);
  if (is_one && word && strcmp(word, "product") == 0 &&
      first->kind == EXPR_CALL)
    return spec_product(r, first);
  return spec_bits(r, parts);
}

bool tile_read_layout(SemaContext *cx, const ExprList *parts, const char *name,
                      uint32_t argument, LayoutSpec *out) {
  SpecReader reader = {cx, name, argument, out};
  *out = (LayoutSpec){.name = NULL};
  for (PlaceKind i = 0; i < N_PLACES; i++)
    out->bits[i].odd_axis = -1;
  return spec_read(&reader, parts);
}

uint32_t tile_layout_threads(const LayoutSpec *spec) {
  enum { WARP = 32, WARPGROUP = 128, MOST = 32 }; // warps

  if (!spec->name) {
    uint32_t bits = spec->bits[PLACE_LANE].n + spec->bits[PLACE_WARP].n;
    return bits <= 10 ? 1u << bits : WARP;
  }
  if (strncmp(spec->name, "wgmma", 5) == 0)
    return WARPGROUP;
  bool has_grid = strncmp(spec->name, "mma", 3) == 0 && spec->n_numbers == 2 &&
                  spec->numbers[0] <= MOST && spec->numbers[1] <= MOST;
  uint32_t warps = has_grid ? spec->numbers[0] * spec->numbers[1] : 1;
  return WARP * (warps > 0 && warps <= MOST ? warps : 1);
}

void tile_declare_constant(SemaContext *cx, const Decl *decl) {
  LayoutSpec *spec = ARENA_NEW(cx->arena, LayoutSpec);
  bool is_good =
      decl->u.var.layout.parts.count > 0 &&
      tile_read_layout(cx, &decl->u.var.layout.parts, decl->name, 1, spec);
  Symbol *symbol = sema_scope_declare(
      cx, is_good ? SYMBOL_LAYOUT : SYMBOL_POISON, decl->name, decl->name_span);
  if (symbol)
    symbol->layout = spec;
}
