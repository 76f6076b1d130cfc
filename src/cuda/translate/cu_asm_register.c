// SPDX-License-Identifier: Apache-2.0
// The special registers of inline assembly.
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_scope.h"
#include "cuda/form/cu_tree.h"
#include "cuda/form/cu_value.h"
#include "cuda/translate/cu_asm_parts.h"

#include <string.h>

static Expr *unsigned_one(CuContext *cu, Span span) {
  return cu_int_expr(cu, cu_basic(&cu->types, CU_UINT), 1, span);
}

static Expr *asm_register_lane(CuContext *cu, Span span) {
  return cu_word_call(
      cu, "rank", cu_word_call(cu, "this_warp", NULL, NULL, span), NULL, span);
}

static Expr *lane_bit(CuContext *cu, Span span) {
  return cu_binary(cu, BINARY_SHL, unsigned_one(cu, span),
                   asm_register_lane(cu, span), span);
}

static Expr *lanes_below(CuContext *cu, Span span) {
  return cu_binary(cu, BINARY_SUB, lane_bit(cu, span), unsigned_one(cu, span),
                   span);
}

static Expr *lanes_to(CuContext *cu, Span span) {
  return cu_binary(cu, BINARY_BIT_OR, lanes_below(cu, span), lane_bit(cu, span),
                   span);
}

static Expr *inverted(CuContext *cu, Expr *mask, Span span) {
  return cu_unary(cu, UNARY_BIT_NOT, mask, span);
}

static Expr *asm_register_position(CuContext *cu, const char *text, Span span) {
  static const struct {
    const char *name, *word;
  } positions[] = {{"tid", "thread_index"},
                   {"ntid", "block_dim"},
                   {"ctaid", "block_index"},
                   {"nctaid", "grid_dim"},
                   {"cluster_nctaid", "cluster_dim"}};

  static const char *const in_cluster = "cluster_ctaid.";
  if (strncmp(text, in_cluster, strlen(in_cluster)) == 0) {
    const char *axis = text + strlen(in_cluster);
    Expr *index =
        asm_register_position(cu, cu_format(cu, "ctaid.%s", axis), span);
    return index ? cu_binary(
                       cu, BINARY_REM, index,
                       asm_register_position(
                           cu, cu_format(cu, "cluster_nctaid.%s", axis), span),
                       span)
                 : NULL;
  }
  for (size_t i = 0; i < sizeof(positions) / sizeof(positions[0]); i++) {
    size_t length = strlen(positions[i].name);
    if (strncmp(text, positions[i].name, length) != 0 || text[length] != '.' ||
        !text[length + 1] || !strchr("xyz", text[length + 1]) ||
        text[length + 2])
      continue;
    const char *axis = intern_cstr(cu->names, text + length + 1);
    return cu_member(cu, cu_word_call(cu, positions[i].word, NULL, NULL, span),
                     axis, span);
  }
  return NULL;
}

typedef struct {
  const char *name, *word;
  CuTypeKind kind; // of the register
  int shift;       // where its bits begin in the word's
} Clock;

static const Clock *find_clock(const char *name) {
  static const Clock clocks[] = {
      {"clock", "clock64", CU_UINT, 0},
      {"clock_hi", "clock64", CU_UINT, 32},
      {"clock64", "clock64", CU_ULLONG, 0},
      {"globaltimer", "globaltimer", CU_ULLONG, 0},
      {"globaltimer_lo", "globaltimer", CU_UINT, 0},
      {"globaltimer_hi", "globaltimer", CU_UINT, 32}};

  for (size_t i = 0; i < sizeof(clocks) / sizeof(clocks[0]); i++)
    if (strcmp(clocks[i].name, name) == 0)
      return &clocks[i];
  return NULL;
}

static CuValue read_clock(CuContext *cu, const Clock *clock, Span span) {
  const CuType *whole = cu_basic(&cu->types, CU_ULLONG);
  Expr *bits =
      cu_cast(cu, whole, cu_word_call(cu, clock->word, NULL, NULL, span), span);
  if (clock->shift) {
    const CuType *type = cu_basic(&cu->types, CU_INT);
    bits = cu_binary(cu, BINARY_SHR, bits,
                     cu_int_expr(cu, type, clock->shift, span), span);
  }
  const CuType *type = cu_basic(&cu->types, clock->kind);
  return cu_rvalue(type, cu_cast(cu, type, bits, span), span);
}

static Expr *special_register(CuContext *cu, const char *text, Span span) {
  if (strcmp(text, "laneid") == 0)
    return asm_register_lane(cu, span);
  if (strcmp(text, "lanemask_eq") == 0)
    return lane_bit(cu, span);
  if (strcmp(text, "lanemask_lt") == 0)
    return lanes_below(cu, span);
  if (strcmp(text, "lanemask_le") == 0)
    return lanes_to(cu, span);
  if (strcmp(text, "lanemask_ge") == 0)
    return inverted(cu, lanes_below(cu, span), span);
  if (strcmp(text, "lanemask_gt") == 0)
    return inverted(cu, lanes_to(cu, span), span);
  if (strcmp(text, "warpid") == 0 || strcmp(text, "nwarpid") == 0)
    return cu_word_call(cu, text[0] == 'n' ? "meta_size" : "meta_rank",
                        cu_word_call(cu, "this_warp", NULL, NULL, span), NULL,
                        span);
  if (strcmp(text, "cluster_ctarank") == 0 ||
      strcmp(text, "cluster_nctarank") == 0)
    return cu_word_call(cu, text[8] == 'n' ? "meta_size" : "meta_rank",
                        cu_word_call(cu, "this_block", NULL, NULL, span), NULL,
                        span);
  return asm_register_position(cu, text, span);
}

CuValue cu_asm_special_register(CuContext *cu, const char *name, Span span) {
  const Clock *clock = find_clock(name);
  if (clock)
    return read_clock(cu, clock, span);
  Expr *expr = special_register(cu, name, span);
  const CuType *type = cu_basic(&cu->types, CU_UINT);
  return expr ? cu_rvalue(type, cu_cast(cu, type, expr, span), span)
              : cu_poison(cu, span);
}
