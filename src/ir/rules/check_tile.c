// SPDX-License-Identifier: Apache-2.0
// Operations on tiles in programs of threads. One execution of them is the
// whole group's that is current there: all of its threads come together, with
// the same operands. Tile kernels have one thread a block, for which all holds.
#include "ir/rules/check_rules.h"

#include "base/bits.h"

static bool tile_is_operation(const IrNode *node) {
  if (node->op == IR_GET || node->op == IR_CONST)
    return false;
  if (node->op == IR_SET)
    return ir_is_tile(node->args[0]->type);
  return ir_family(node) == FAMILY_TILE || ir_is_tile(node->type);
}

static bool tile_fits_group(const IrGroup *group) {
  int64_t begin = ir_group_block_begin(group);
  if (group->kind == GROUP_LABELED || group->kind == GROUP_COALESCED ||
      group->size <= 0)
    return false;
  if (group->size <= 32)
    return bits_is_power((uint64_t)group->size);
  return group->size % 32 == 0 &&
         (group->kind == GROUP_BLOCK || group->alignment % 32 == 0 ||
          (begin != SIZE_UNKNOWN && begin % 32 == 0));
}

static bool tile_check_group(Checker *c, const IrNode *node,
                             const IrGroup *group) {
  if (tile_fits_group(group))
    return true;
  const void *cause = group;
  if (map_has(&c->blamed, MAP_KEY(cause)))
    return false;
  map_put(c->arena, &c->blamed, MAP_KEY(cause), c);
  Diag *diag = DIAG_REPORT(
      c->diags, DIAG_tile_group, blame_place(c->blamer, node),
      DS(check_text(c, node)), DS(blame_group_phrase(c->blamer, group)),
      DS(check_size_text(c, group)));
  check_finish(c, diag, node);
  return false;
}

static bool tile_is_scatter(const IrNode *node) {
  for (uint32_t i = 0; i < node->u.section.object->rank; i++)
    if (node->u.section.kind[i] == SECTION_GATHER)
      return true;
  return false;
}

// What groups of several threads can't do yet, or NULL.
static const char *tile_not_yet(const IrNode *node) {
  if (node->op == IR_TILE_PRINT)
    return "print";
  if (ir_op_info(node)->form != FORM_SECTION)
    return NULL;
  if (node->u.section.object->space == SPACE_LOCAL)
    return "a section of a thread's own array";
  if (ir_is_atomic(node))
    return "an atomic operation on a section";
  if (node->op == IR_TILE_STORE && tile_is_scatter(node))
    return "a scatter";
  return NULL;
}

void check_tile(Checker *c, const IrNode *node) {
  const IrGroup *group = ir_node_group(c->kernel, node);
  if (!tile_is_operation(node) || group_is_one_thread(group) ||
      !tile_check_group(c, node, group))
    return;
  const char *not_yet = tile_not_yet(node);
  if (not_yet) {
    Diag *diag = DIAG_REPORT(
        c->diags, DIAG_tile_place, blame_place(c->blamer, node), DS(not_yet),
        DS(arena_printf(c->arena,
                        "several threads hold the tiles of %s, and only a "
                        "single thread can do this yet",
                        blame_group_phrase(c->blamer, group))));
    check_finish(c, diag, node);
    return;
  }
  uint32_t before = c->n_errors;
  check_together(c, node, group);
  const char *what =
      arena_printf(c->arena, "an operand of %s", check_text(c, node));
  // A tile that isn't the same has an operand that isn't.
  uint32_t n_same = node->op == IR_TILE_COLLECT ? 0
                    : node->op == IR_TILE_AT    ? 1
                                                : node->n_args;
  for (uint32_t i = 0; i < n_same && c->n_errors == before; i++)
    if (c->n_errors == 0 || !ir_is_tile(node->args[i]->type))
      check_same(c, node, node->args[i], group, what);
}
