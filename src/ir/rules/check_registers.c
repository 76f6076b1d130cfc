// SPDX-License-Identifier: Apache-2.0
// Registers that warpgroups give back and take: all of a block are in one
// file, so what they set must fit it together.
#include "ir/rules/check_rules.h"

enum {
  MOST_GROUPS = 8, // warpgroups of a block of 1024 threads
  WARPGROUP = 128,
  REGISTER_FILE = 65536,
};

typedef struct {
  Checker *c;
  int32_t most[MOST_GROUPS]; // of each warpgroup, 0: it sets none
  const IrNode *last;        // of those that set them
} Registers;

// The warpgroups [*first, *end) that the statement is for. Where a group is
// one of several parts, it is for each of them.
static void registers_of(const IrGroup *group, int64_t *first, int64_t *end) {
  while (group->parent && ir_group_block_begin(group) == SIZE_UNKNOWN &&
         (group->kind == GROUP_TILED || group->kind == GROUP_SPLIT))
    group = group->parent;
  int64_t begin = ir_group_block_begin(group), size = group->size;
  bool is_known = begin != SIZE_UNKNOWN && size > 0 &&
                  begin + size <= (int64_t)MOST_GROUPS * WARPGROUP;
  *first = is_known ? begin / WARPGROUP : 0;
  *end = is_known ? (begin + size) / WARPGROUP : 0;
}

static bool registers_note(IrNode *node, void *context) {
  Registers *r = context;
  if (node->op != IR_SET_MAX_REGS)
    return true;
  int64_t first, end;
  int32_t number = (int32_t)node->u.index.number;
  registers_of(ir_node_group(r->c->kernel, node), &first, &end);
  for (int64_t i = first; i < end; i++)
    if (r->most[i] < number) {
      r->most[i] = number;
      r->last = node;
    }
  return true;
}

void check_registers(Checker *c) {
  Registers r = {.c = c};
  IrRegion *body = (IrRegion *)(uintptr_t)&c->kernel->body;
  if (c->n_errors)
    return;
  ir_walk(body, registers_note, &r);
  int32_t sum = 0;
  for (uint32_t i = 0; i < MOST_GROUPS; i++)
    sum += r.most[i];
  if (sum * WARPGROUP <= REGISTER_FILE)
    return;
  Diag *diag = DIAG_REPORT(c->diags, DIAG_too_many_registers,
                           blame_place(c->blamer, r.last), DD(sum),
                           DD(sum * WARPGROUP), DD(REGISTER_FILE));
  diag_note(c->diags, diag, (Place){0},
            "the numbers of all warpgroups may be %d together",
            REGISTER_FILE / WARPGROUP);
  check_finish(c, diag, r.last);
}
