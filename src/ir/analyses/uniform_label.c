// SPDX-License-Identifier: Apache-2.0
// Labels written again: `binary_partition(g, v & 1)` and then `if (v & 1)`.
#include "ir/analyses/uniform.h"

enum { MAX_STEPS = 24 };

typedef struct {
  const Uniformity *u;
  uint32_t steps;
} Comparison;

static bool same_value(Comparison *c, const IrNode *a, const IrNode *b);

static bool same_args(Comparison *c, const IrNode *a, const IrNode *b) {
  if (a->n_args != b->n_args)
    return false;
  for (uint32_t i = 0; i < a->n_args; i++)
    if (!same_value(c, a->args[i], b->args[i]))
      return false;
  return true;
}

// One assignment reaches both reads. (A version that was lost may be several.)
static bool same_version(const Comparison *c, const IrNode *a,
                         const IrNode *b) {
  Token version = c->u->version[a->id];
  return a->u.variable.var == b->u.variable.var &&
         version == c->u->version[b->id] &&
         c->u->tokens.data[version].kind != TOKEN_LOST;
}

static bool same_attributes(const IrNode *a, const IrNode *b) {
  switch ((int)ir_op_info(a)->form) {
  case FORM_PLAIN: return true;
  case FORM_CONST: return a->u.constant.bits == b->u.constant.bits;
  case FORM_INDEX:
    return a->u.index.number == b->u.index.number &&
           a->u.index.object == b->u.index.object;
  case FORM_GROUP: return a->u.group.group == b->u.group.group;
  default: return false;
  }
}

static bool same_value(Comparison *c, const IrNode *a, const IrNode *b) {
  if (a == b)
    return true;
  if (a->op != b->op || !ir_type_equal(a->type, b->type) ||
      ++c->steps > MAX_STEPS)
    return false;
  if (a->op == IR_GET)
    return same_version(c, a, b);
  return (ir_op_info(a)->flags & OPF_PURE) && same_attributes(a, b) &&
         same_args(c, a, b);
}

// The operation that is true where `op` is false; *is_turned: with the
// operands exchanged.
static IrOp uniform_label_opposite(IrOp op, bool *is_turned) {
  *is_turned = op != IR_EQ && op != IR_NE;
  switch ((int)op) {
  case IR_EQ: return IR_NE;
  case IR_NE: return IR_EQ;
  case IR_SLT: return IR_SLE;
  case IR_SLE: return IR_SLT;
  case IR_ULT: return IR_ULE;
  case IR_ULE: return IR_ULT;
  default: return IR_OP_COUNT;
  }
}

bool uniform_repeats(const Uniformity *u, const IrNode *node,
                     const IrNode *label) {
  Comparison c = {u, 0};
  if (same_value(&c, node, label))
    return true;
  bool is_turned;
  if (label->n_args != 2 ||
      node->op != uniform_label_opposite(label->op, &is_turned))
    return false;
  c.steps = 0;
  return same_value(&c, node->args[is_turned], label->args[0]) &&
         same_value(&c, node->args[!is_turned], label->args[1]);
}
