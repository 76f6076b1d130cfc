// SPDX-License-Identifier: Apache-2.0
// Random numbers: Philox 4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel Random
// Numbers: As Easy as 1, 2, 3; SC 2011), element by element.
#include "lower/lower_tile.h"

#include <math.h>

static IrNode *random_const(Lowering *lw, IrType type, uint64_t bits) {
  IrNode *node = lower_const(lw, ir_element_type(lw->module, type), bits);
  return ir_is_tile(type) ? lower_emit1(lw, IR_TILE_BROADCAST, type, node)
                          : node;
}

static IrNode *random_word(Lowering *lw, IrNode *wide, IrType word, bool high) {
  if (high)
    wide = lower_emit2(lw, IR_LSHR, wide->type, wide,
                       random_const(lw, wide->type, 32));
  return lower_emit1(lw, IR_TRUNC, word, wide);
}

static IrNode *random_xor(Lowering *lw, IrNode *a, IrNode *b, IrNode *c) {
  return lower_emit2(lw, IR_XOR, a->type,
                     lower_emit2(lw, IR_XOR, a->type, a, b), c);
}

typedef struct {
  IrNode *counter[4], *key[2];
} Philox;

static void philox_round(Lowering *lw, Philox *p) {
  static const uint64_t factors[2] = {0xD2511F53, 0xCD9E8D57};
  IrType word = p->counter[0]->type;
  IrNode *high[2], *low[2];
  for (int i = 0; i < 2; i++) {
    IrNode *factor = random_const(lw, word, factors[i]),
           *at = p->counter[2 * i];
    high[i] = lower_emit2(lw, IR_UMULH, word, at, factor);
    low[i] = lower_emit2(lw, IR_MUL, word, at, factor);
  }
  p->counter[0] = random_xor(lw, high[1], p->counter[1], p->key[0]);
  p->counter[2] = random_xor(lw, high[0], p->counter[3], p->key[1]);
  p->counter[1] = low[1];
  p->counter[3] = low[0];
}

static void philox_next_key(Lowering *lw, Philox *p) {
  static const uint64_t steps[2] = {0x9E3779B9, 0xBB67AE85};
  for (int i = 0; i < 2; i++)
    p->key[i] = lower_emit2(lw, IR_ADD, p->key[i]->type, p->key[i],
                            random_const(lw, p->key[i]->type, steps[i]));
}

static Philox philox(Lowering *lw, const TExpr *expr) {
  IrNode *seed = lower_scalar(lw, expr->u.builtin.args[0]);
  IrNode *offset = lower_scalar(lw, expr->u.builtin.args[1]);
  IrType word = lower_shaped(lw, seed, ir_scalar(IR_TYPE_I32));
  Philox p;
  for (int i = 0; i < 2; i++) {
    p.key[i] = random_word(lw, seed, word, i);
    p.counter[i] = random_word(lw, offset, word, i);
    p.counter[2 + i] = random_const(lw, word, 0);
  }
  for (int i = 0; i < 10; i++) {
    if (i > 0)
      philox_next_key(lw, &p);
    philox_round(lw, &p);
  }
  return p;
}

static IrNode *random_f32(Lowering *lw, IrType type, float value) {
  union {
    float f;
    uint32_t u;
  } bits = {value};

  return random_const(lw, type, bits.u);
}

Value lower_tile_random_bits(Lowering *lw, const TExpr *expr) {
  return lower_value_node(philox(lw, expr).counter[0]);
}

// The top 24 bits, each a float as it is.
Value lower_tile_random(Lowering *lw, const TExpr *expr) {
  IrNode *word = philox(lw, expr).counter[0];
  IrType type = lower_shaped(lw, word, ir_scalar(IR_TYPE_F32));
  IrNode *top = lower_emit2(lw, IR_LSHR, word->type, word,
                            random_const(lw, word->type, 8));
  return lower_value_node(lower_emit2(lw, IR_MUL, type,
                                      lower_emit1(lw, IR_UTOF, type, top),
                                      random_f32(lw, type, 0x1p-24F)));
}

// (word + more) * 2^-32, exact in double, as float.
static IrNode *random_unit(Lowering *lw, IrNode *word, uint64_t more) {
  IrType wide = lower_shaped(lw, word, ir_scalar(IR_TYPE_I64));
  IrType type = lower_shaped(lw, word, ir_scalar(IR_TYPE_F32));
  IrNode *whole =
      lower_emit2(lw, IR_ADD, wide, lower_emit1(lw, IR_ZEXT, wide, word),
                  random_const(lw, wide, more));
  return lower_emit2(lw, IR_MUL, type, lower_emit1(lw, IR_UTOF, type, whole),
                     random_f32(lw, type, 0x1p-32F));
}

// Box and Muller: sqrt(-2 log u) cos(2 pi v).
Value lower_tile_normal(Lowering *lw, const TExpr *expr) {
  Philox p = philox(lw, expr);
  IrNode *u = random_unit(lw, p.counter[0], 1);
  IrNode *v = random_unit(lw, p.counter[1], 0);
  IrType type = u->type;
  IrNode *log = lower_emit1(lw, IR_LOG, type, u);
  IrNode *length =
      lower_emit1(lw, IR_SQRT, type,
                  lower_emit2(lw, IR_MUL, type, log, random_f32(lw, type, -2)));
  IrNode *turn =
      lower_emit1(lw, IR_COSPI, type,
                  lower_emit2(lw, IR_MUL, type, v, random_f32(lw, type, 2)));
  return lower_value_node(lower_emit2(lw, IR_MUL, type, length, turn));
}
