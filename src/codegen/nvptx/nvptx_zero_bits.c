// SPDX-License-Identifier: Apache-2.0
// How many low bits of an integer are surely zero: k * 64 has six, whatever k
// is.
//
// A variable has as many as the least of all that is assigned to it. Where an
// assignment depends on the variable itself, as in i = i + 64, it is taken to
// have all bits zero there: no operation that is followed makes fewer of them
// than its operands have together.
#include "codegen/nvptx/llvm_nvptx.h"

enum { ALL_BITS = 63, MOST_STEPS = 12 };

typedef struct {
  const IrKernel *kernel; // NULL: nothing is known of variables
  bool *is_open;          // by variable: being looked at
} Search;

typedef struct {
  Search *search;
  uint32_t var, zeros, steps;
} Setters;

static uint32_t zero_bits_least(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

static uint32_t zeros_of_number(uint64_t v) {
  return v == 0 ? ALL_BITS
                : zero_bits_least((uint32_t)__builtin_ctzll(v), ALL_BITS);
}

static uint32_t zeros_of(Search *search, const IrNode *node, uint32_t steps);

static bool look_at_setter(IrNode *node, void *context) {
  Setters *s = context;
  uint32_t zeros = ALL_BITS;
  if (node->op == IR_SET && node->u.variable.var == s->var)
    zeros = zeros_of(s->search, node->args[0], s->steps);
  else if (node->op == IR_FOR && node->u.loop.var == s->var)
    zeros = zero_bits_least(zeros_of(s->search, node->args[0], s->steps),
                            zeros_of_number((uint64_t)node->u.loop.step));
  else if (node->op == IR_THREAD_FOR && node->u.part.var == s->var)
    zeros = zero_bits_least(zeros_of(s->search, node->args[0], s->steps),
                            zeros_of_number((uint64_t)node->u.part.step));
  else if (ir_is_operator(node) &&
           (node->u.by.left == s->var || node->u.by.right == s->var))
    zeros = 0;
  s->zeros = zero_bits_least(s->zeros, zeros);
  return s->zeros > 0;
}

static uint32_t zeros_of_variable(Search *search, uint32_t var,
                                  uint32_t steps) {
  Setters s = {search, var, ALL_BITS, steps};
  if (!search->kernel)
    return 0;
  if (search->is_open[var])
    return ALL_BITS;
  search->is_open[var] = true;
  IrRegion body = search->kernel->body;
  ir_walk(&body, look_at_setter, &s);
  search->is_open[var] = false;
  return s.zeros;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wswitch-enum"

static uint32_t zeros_of(Search *search, const IrNode *node, uint32_t steps) {
  IrNode *const *args = node->args;
  int64_t count;
  if (steps == 0)
    return 0;
  steps--;
  switch (node->op) {
  case IR_CONST: return zeros_of_number(node->u.constant.bits);
  case IR_GET: return zeros_of_variable(search, node->u.variable.var, steps);
  case IR_ADD:
  case IR_SUB:
  case IR_OR:
  case IR_XOR:
    return zero_bits_least(zeros_of(search, args[0], steps),
                           zeros_of(search, args[1], steps));
  case IR_SELECT:
    return zero_bits_least(zeros_of(search, args[1], steps),
                           zeros_of(search, args[2], steps));
  case IR_MUL:
    return zero_bits_least(zeros_of(search, args[0], steps) +
                               zeros_of(search, args[1], steps),
                           ALL_BITS);
  case IR_SHL:
    if (!code_const_int(args[1], &count) || count < 0 || count > 31)
      return 0;
    return zero_bits_least(zeros_of(search, args[0], steps) + (uint32_t)count,
                           ALL_BITS);
  case IR_NEG:
  case IR_SEXT:
  case IR_ZEXT:
  case IR_TRUNC:
  case IR_UNIFORM: return zeros_of(search, args[0], steps);
  default: return 0;
  }
}

#pragma GCC diagnostic pop

uint32_t nv_zero_bits(const NvPlan *plan, const IrNode *node) {
  Search search = {plan->kernel, NULL};
  search.is_open = ARENA_ARRAY(plan->arena, bool, plan->kernel->vars.count + 1);
  return zeros_of(&search, node, MOST_STEPS);
}

uint32_t nv_zero_bits_at_once(const IrNode *node) {
  Search search = {NULL, NULL};
  return zeros_of(&search, node, MOST_STEPS);
}
