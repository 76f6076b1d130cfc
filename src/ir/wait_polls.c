// SPDX-License-Identifier: Apache-2.0
// Loops that do nothing but ask an mbarrier until its phase has completed are
// waits for it: `while (!test_wait(b, parity)) {}`, or by a token.
//
// What the loop computes before it asks, its operands, is the same in every
// turn, as the loop sets no variable and reads no memory; it stands before the
// wait then.
#include "ir/analysis.h"

typedef hd_vec(IrNode *) Loops;

static bool is_lifetime(const IrKernel *kernel, const IrNode *loop) {
  for (uint32_t i = 0; i < kernel->objects.count; i++)
    if (kernel->objects.data[i]->lifetime == loop)
      return true;
  return false;
}

static bool is_still(const IrNode *node) {
  return node->op == IR_GET || (ir_op_info(node)->flags & OPF_PURE) != 0;
}

// `if test { exit loop }`
static bool leaves_by(const IrNode *node, const IrNode *test,
                      const IrNode *loop) {
  if (node->op != IR_IF || node->args[0] != test || node->regions[1].first)
    return false;
  const IrNode *exit = node->regions[0].first;
  return exit && exit->op == IR_EXIT && exit->u.exit.target == loop &&
         !exit->u.exit.is_continue && !exit->next;
}

// The only thing that the loop does is to ask; NULL: it does something else.
static IrNode *asked(const IrKernel *kernel, const IrNode *loop) {
  IrNode *node = loop->regions[0].first;
  while (node && is_still(node))
    node = node->next;
  bool is_test =
      node && (node->op == IR_MBAR_TEST || node->op == IR_MBAR_TEST_TOKEN);
  if (!is_test || !node->next || node->next->next ||
      !leaves_by(node->next, node, loop) || is_lifetime(kernel, loop))
    return NULL;
  return node;
}

static void make_wait(IrNode *loop, IrNode *test) {
  ir_node_unlink(test->next);
  test->op = test->op == IR_MBAR_TEST ? IR_MBAR_WAIT : IR_MBAR_WAIT_TOKEN;
  test->type = ir_scalar(IR_TYPE_VOID);
  while (loop->regions[0].first) {
    IrNode *node = loop->regions[0].first;
    ir_node_unlink(node);
    ir_node_insert_before(loop, node);
  }
  ir_node_unlink(loop);
}

typedef struct {
  Arena *arena;
  Loops loops;
} Found;

static bool note_loop(IrNode *node, void *context) {
  Found *found = context;
  if (node->op == IR_LOOP)
    VEC_PUSH(found->arena, &found->loops, node);
  return true;
}

bool ir_wait_polls(IrKernel *kernel) {
  Found found = {.arena = arena_new()};
  bool has_changed = false;
  ir_walk(&kernel->body, note_loop, &found);
  for (uint32_t i = 0; i < found.loops.count; i++) {
    IrNode *loop = found.loops.data[i], *test = asked(kernel, loop);
    if (!test)
      continue;
    make_wait(loop, test);
    has_changed = true;
  }
  arena_free(found.arena);
  if (has_changed)
    ir_kernel_renumber(kernel);
  return has_changed;
}
