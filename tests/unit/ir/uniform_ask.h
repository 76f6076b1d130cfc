// SPDX-License-Identifier: Apache-2.0
// Questions to the uniformity analysis of a kernel that a test has made.
#ifndef HD_TESTS_UNIT_IR_UNIFORM_ASK_H
#define HD_TESTS_UNIT_IR_UNIFORM_ASK_H

#include "make.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
// cmocka wants the ones above first.
#include <cmocka.h>

static inline bool same_over(Make *m, const IrNode *node,
                             const IrGroup *group) {
  ir_kernel_renumber(m->kernel);
  Uniformity *u = ir_uniformity(m->arena, m->kernel);
  return uniformity_has(u, node, group);
}

static inline bool same(Make *m, const IrNode *node) {
  return same_over(m, node, make_block_group(m));
}

static inline bool met_by(Make *m, const IrNode *node, const IrGroup *group) {
  ir_kernel_renumber(m->kernel);
  Uniformity *u = ir_uniformity(m->arena, m->kernel);
  return uniformity_converged(u, node, group);
}

static inline bool met(Make *m, const IrNode *node) {
  return met_by(m, node, make_block_group(m));
}

#define AGREES(m, node)  assert_true(same(&(m), (node)))
#define DIFFERS(m, node) assert_false(same(&(m), (node)))

#endif
