// SPDX-License-Identifier: Apache-2.0
// Operations on tiles: which function does them, and what they count.
#include "interp/tile.h"
#include "base/panic.h"

// One for each element, more for large structs.
static uint64_t tile_cost(const Machine *m, IrType type) {
  uint64_t n = ir_tile_elements(m->program->kernel->module, type);
  return n * (1 + tile_element_bytes(m, type) / 64);
}

// Threads that share the elements of a store.
static uint64_t tile_sharers(const Machine *m, const IrNode *node) {
  const IrGroup *group = ir_node_group(m->program->kernel, node);
  return node->op == IR_TILE_STORE && group->size > 1 ? (uint64_t)group->size
                                                      : 1;
}

// tcgen05_ld and tcgen05_st, by 128 threads.
static bool tile_is_of_lanes(const Machine *m, const IrNode *node) {
  return (node->op == IR_TILE_LOAD || node->op == IR_TILE_STORE) &&
         node->u.section.object->is_tensor &&
         ir_node_group(m->program->kernel, node)->size > 1;
}

// Steps are counted before they are made, as those of the largest tile that
// the operation has, so that limits and interrupts hold in large tiles, too. A
// product counts its own.
static bool tile_charge(Machine *m, Thread *t, const IrNode *node) {
  enum { LANES_AT_ONCE = 16 };

  if (node->op == IR_TILE_AT)
    return true;
  if (node->op == IR_WGMMA_LOAD || node->op == IR_WGMMA_MMA ||
      ir_is_tensor_op(node->op))
    return true; // a matrix unit counts what it does
  uint64_t n = tile_cost(m, node->type), levels = 1;
  for (uint32_t i = 0; i < node->n_args; i++) {
    uint64_t of_operand = tile_cost(m, node->args[i]->type);
    if (of_operand > n)
      n = of_operand;
  }
  if (tile_is_of_lanes(m, node))
    return machine_charge(m, t, node, n / LANES_AT_ONCE);
  bool is_sorting = node->op == IR_TILE_SORT || node->op == IR_TILE_ARGSORT ||
                    node->op == IR_TILE_TOPK;
  for (uint64_t k = n; is_sorting && k > 1; k /= 2)
    levels++;
  return machine_charge(m, t, node, n * levels / tile_sharers(m, node));
}

static bool tile_row(Machine *m, Thread *t, const Insn *insn) {
  switch (ir_tile_op(insn->node->op)) {
  case TILE_BROADCAST:
  case TILE_IOTA:
  case TILE_RESHAPE:
  case TILE_PERMUTE:
  case TILE_CAT:
  case TILE_EXTRACT:
  case TILE_INSERT:
  case TILE_FLIP:
  case TILE_ROLL:
  case TILE_PAD:
  case TILE_BITCAST: return tile_move(m, t, insn);
  case TILE_CAST: return tile_cast(m, t, insn);
  case TILE_MAP: return tile_map(m, t, insn);
  case TILE_REDUCE:
  case TILE_REDUCE_BY: return tile_reduce(m, t, insn);
  case TILE_ARG: return tile_arg(m, t, insn);
  case TILE_SCAN:
  case TILE_SCAN_BY: return tile_scan(m, t, insn);
  case TILE_SORT:
  case TILE_ARGSORT:
  case TILE_TOPK: return tile_sort(m, t, insn);
  case TILE_HISTOGRAM: return tile_count(m, t, insn);
  case TILE_AT: return tile_at(m, t, insn);
  case TILE_COLLECT: return meet(m, t, insn);
  case TILE_MMA: return tile_mma(m, t, insn);
  case TILE_MMA_SCALED: return tile_mma_scaled(m, t, insn);
  case WGMMA_LOAD:
  case WGMMA_MMA: return tile_wgmma(m, t, insn);
  case TENSOR_READ:
  case TENSOR_MMA:
  case TENSOR_WRITE: return tile_tensor(m, t, insn);
  case TILE_LOAD:
  case TILE_STORE:
    if (tile_is_of_lanes(m, insn->node))
      return tile_tensor_lanes(m, t, insn);
    return tile_section(m, t, insn);
  case TILE_RMW:
  case TILE_CAS: return tile_section(m, t, insn);
  case TILE_PRINT: return tile_print(m, t, insn);
  case TILE_ASSERT: return tile_assert(m, t, insn);
  }
  HD_PANIC("'%s' is no operation on tiles", ir_op_info(insn->node)->text);
}

bool tile_operation(Machine *m, Thread *t, const Insn *insn) {
  if (insn->op == IR_GET)
    return tile_get(m, t, insn);
  TileMemoAnswer memo = tile_memo_give(m, t, insn);
  if (memo == TILE_MEMO_GIVEN)
    return true;
  if (!tile_charge(m, t, insn->node))
    return false;
  bool is_good = ir_family(insn->node) == FAMILY_TILE ? tile_row(m, t, insn)
                                                      : tile_lift(m, t, insn);
  if (is_good && memo == TILE_MEMO_OPEN)
    tile_memo_keep(m, t, insn);
  return is_good;
}
