// SPDX-License-Identifier: Apache-2.0
// Bounds of integers as far as their form shows them: labels of few values are
// told apart by ballots.
#include "codegen/code_parts.h"
#include "codegen/nvptx/llvm_nvptx_team.h"

enum { MAX_DEPTH = 6, MAX_SETS = 8, MAX_VISITS = 64 };

typedef struct {
  int64_t lo, hi;
} Range;

typedef struct {
  const IrKernel *kernel;
  uint32_t visits; // bounds the work on hostile programs
} Search;

static bool nvptx_range_find(Search *s, const IrNode *node, uint32_t depth,
                             Range *out);

static bool nvptx_range_known(Range *out, int64_t lo, int64_t hi) {
  *out = (Range){lo, hi};
  return lo <= hi;
}

static bool nvptx_range_join(Search *s, const IrNode *a, const IrNode *b,
                             uint32_t depth, Range *out) {
  Range left, right;
  if (!nvptx_range_find(s, a, depth, &left) ||
      !nvptx_range_find(s, b, depth, &right))
    return false;
  return nvptx_range_known(out, left.lo < right.lo ? left.lo : right.lo,
                           left.hi > right.hi ? left.hi : right.hi);
}

typedef struct {
  uint32_t var, n;
  const IrNode *sets[MAX_SETS];
} Sets;

// Stops when there are too many; loops set their variables in another way.
static bool nvptx_range_find_sets(IrNode *node, void *context) {
  Sets *sets = context;
  bool is_loop = node->op == IR_FOR || node->op == IR_THREAD_FOR;
  uint32_t var = node->op == IR_THREAD_FOR ? node->u.part.var
                 : node->op == IR_FOR      ? node->u.loop.var
                                           : node->u.variable.var;
  if ((node->op != IR_SET && !is_loop) || var != sets->var)
    return true;
  if (is_loop || sets->n == MAX_SETS)
    return false;
  sets->sets[sets->n++] = node;
  return true;
}

// A variable begins with zero and holds what one of its assignments gave it.
static bool range_of_var(Search *s, uint32_t var, uint32_t depth, Range *out) {
  Sets sets = {.var = var};
  IrRegion body = s->kernel->body;
  if (!ir_walk(&body, nvptx_range_find_sets, &sets))
    return false;
  nvptx_range_known(out, 0, 0);
  for (uint32_t i = 0; i < sets.n; i++) {
    Range one;
    if (!nvptx_range_find(s, sets.sets[i]->args[0], depth, &one))
      return false;
    nvptx_range_known(out, one.lo < out->lo ? one.lo : out->lo,
                      one.hi > out->hi ? one.hi : out->hi);
  }
  return true;
}

// x & mask, x % n, x >> n: whatever x is.
static bool range_of_rest(Search *s, const IrNode *node, uint32_t depth,
                          Range *out) {
  int64_t by;
  Range one;
  if (node->op == IR_AND &&
      (nvptx_range_find(s, node->args[1], depth, &one) ||
       nvptx_range_find(s, node->args[0], depth, &one)) &&
      one.lo >= 0)
    return nvptx_range_known(out, 0, one.hi);
  if (!code_const_int(node->args[1], &by) || by <= 0)
    return false;
  uint32_t bits = ir_type_bits(node->type);
  switch ((int)node->op) {
  case IR_UREM: return nvptx_range_known(out, 0, by - 1);
  case IR_SREM: {
    bool is_positive =
        nvptx_range_find(s, node->args[0], depth, &one) && one.lo >= 0;
    return nvptx_range_known(out, is_positive ? 0 : 1 - by, by - 1);
  }
  case IR_LSHR:
    return by < bits && bits - by < 62 &&
           nvptx_range_known(out, 0, ((int64_t)1 << (bits - by)) - 1);
  default: return false;
  }
}

static bool range_of_sum(Search *s, const IrNode *node, uint32_t depth,
                         Range *out) {
  Range a, b;
  if (!nvptx_range_find(s, node->args[0], depth, &a) ||
      !nvptx_range_find(s, node->args[1], depth, &b))
    return false;

  enum { FAR = 1 << 30 }; // no operand wraps the sum

  if (a.lo < -FAR || a.hi > FAR || b.lo < -FAR || b.hi > FAR ||
      ir_type_bits(node->type) < 32)
    return false;
  return node->op == IR_ADD ? nvptx_range_known(out, a.lo + b.lo, a.hi + b.hi)
                            : nvptx_range_known(out, a.lo - b.hi, a.hi - b.lo);
}

static bool range_of_narrow(const IrNode *node, Range *out) {
  uint32_t bits = ir_type_bits(node->args[0]->type);
  bool is_signed = node->op == IR_SEXT;
  if (bits > 16)
    return false;
  int64_t most = ((int64_t)1 << (is_signed ? bits - 1 : bits)) - 1;
  return nvptx_range_known(out, is_signed ? -most - 1 : 0, most);
}

static bool nvptx_range_find(Search *s, const IrNode *node, uint32_t depth,
                             Range *out) {
  int64_t value;
  if (code_const_int(node, &value))
    return nvptx_range_known(out, value, value);
  if (node->type.kind == IR_TYPE_BOOL)
    return nvptx_range_known(out, 0, 1);
  if (depth == 0 || !ir_type_is_int(node->type) || s->visits == 0)
    return false;
  depth--;
  s->visits--;
  switch ((int)node->op) {
  case IR_ZEXT:
  case IR_SEXT:
    // Zeros in: of what is negative something large comes.
    if (nvptx_range_find(s, node->args[0], depth, out) &&
        (node->op == IR_SEXT || out->lo >= 0))
      return true;
    return range_of_narrow(node, out);
  case IR_SELECT:
    return nvptx_range_join(s, node->args[1], node->args[2], depth, out);
  case IR_SMIN:
  case IR_SMAX:
    return nvptx_range_join(s, node->args[0], node->args[1], depth, out);
  case IR_ADD:
  case IR_SUB: return range_of_sum(s, node, depth, out);
  case IR_AND:
  case IR_UREM:
  case IR_SREM:
  case IR_LSHR: return range_of_rest(s, node, depth, out);
  case IR_GET: return range_of_var(s, node->u.variable.var, depth, out);
  case IR_POPCOUNT:
  case IR_CLZ:
  case IR_CTZ: return nvptx_range_known(out, 0, ir_type_bits(node->type));
  default: return false;
  }
}

bool nv_value_range(const NvEmit *e, const IrNode *node, int64_t *lo,
                    int64_t *hi) {
  Search search = {e->kernel, MAX_VISITS};
  Range range;
  if (!nvptx_range_find(&search, node, MAX_DEPTH, &range))
    return false;
  *lo = range.lo;
  *hi = range.hi;
  return true;
}
