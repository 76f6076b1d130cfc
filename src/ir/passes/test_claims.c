// SPDX-License-Identifier: Apache-2.0
// Conditions around barriers that ranks may decide: the block votes on them.
//
//   uniform(block, c)    assert any(block, c) == all(block, c)
//   uniform(block, i)    assert all(block, i == broadcast(block, i, 0))
//
// What was merely loaded is trusted (Note [Open conditions]); a test of that
// would cost programs that were always right a barrier in each turn.
#include "base/panic.h"
#include "ir/analyses/analysis.h"
#include "ir/rules/check_rules.h"

typedef struct {
  IrKernel *kernel;
  const Uniformity *u;
  Arena *scratch;
  hd_vec(IrNode *) claims;
} Testing;

static const IrType type_bool = {.kind = IR_TYPE_BOOL, .lanes = 1};
static const IrType type_i32 = {.kind = IR_TYPE_I32, .lanes = 1};

static IrNode *test_claims_put(const Testing *t, IrNode *claim, IrOp op,
                               IrType type, IrNode *const *args,
                               uint32_t n_args) {
  IrNode *node =
      ir_node_new(t->kernel, NULL, op, type, claim->loc, args, n_args);
  ir_node_insert_before(claim, node);
  return node;
}

static IrNode *test_claims_vote(const Testing *t, IrNode *claim, IrOp op,
                                IrNode *value) {
  IrNode *node = test_claims_put(t, claim, op, type_bool, &value, 1);
  node->u.group.group = claim->u.group.group;
  return node;
}

static IrNode *agree(const Testing *t, IrNode *claim) {
  IrNode *value = claim->args[0];
  if (value->op == IR_ZEXT && value->args[0]->type.kind == IR_TYPE_BOOL)
    value = value->args[0];
  if (value->type.kind == IR_TYPE_BOOL) {
    IrNode *votes[] = {test_claims_vote(t, claim, IR_ANY, value),
                       test_claims_vote(t, claim, IR_ALL, value)};
    return test_claims_put(t, claim, IR_EQ, type_bool, votes, 2);
  }
  IrNode *from[] = {value,
                    test_claims_put(t, claim, IR_CONST, type_i32, NULL, 0)};
  IrNode *first = test_claims_put(t, claim, IR_BROADCAST, value->type, from, 2);
  first->u.group.group = claim->u.group.group;
  IrNode *both[] = {value, first};
  return test_claims_vote(t, claim, IR_ALL,
                          test_claims_put(t, claim, IR_EQ, type_bool, both, 2));
}

static void test_one_claim(const Testing *t, IrNode *claim) {
  IrNode *holds = agree(t, claim);
  IrNode *node =
      test_claims_put(t, claim, IR_ASSERT, ir_scalar(IR_TYPE_VOID), &holds, 1);
  node->u.text.text = "all threads of the block agree on this, which decides "
                      "which threads get to a barrier (HD0405)";
}

// Conditions and values of a `switch` are.
static bool is_testable(IrType type) {
  return type.kind == IR_TYPE_BOOL || ir_type_is_int(type);
}

static bool test_claims_find_claim(IrNode *node, void *context) {
  Testing *t = context;
  if (node->op == IR_UNIFORM && is_testable(node->args[0]->type) &&
      check_is_tested(t->kernel, t->u, t->scratch, node))
    VEC_PUSH(t->scratch, &t->claims, node);
  return true;
}

bool ir_test_claims(IrKernel *kernel, const Uniformity *uniformity) {
  HD_ASSERT(uniformity->kernel == kernel);
  Testing t = {.kernel = kernel, .u = uniformity, .scratch = arena_new()};
  ir_walk(&kernel->body, test_claims_find_claim, &t);
  for (uint32_t i = 0; i < t.claims.count; i++)
    test_one_claim(&t, t.claims.data[i]);
  bool has_changed = t.claims.count > 0;
  if (has_changed)
    ir_kernel_renumber(kernel);
  arena_free(t.scratch);
  return has_changed;
}
