// SPDX-License-Identifier: Apache-2.0
// Note [What a group computes once]
// All threads of a group compute the same tiles from the same operands, if
// nothing is wrong. Each operation without effects keeps what it had and gave
// last: who comes with the same operands is given the same value, at the price
// of a comparison. Operands are compared by their elements where they aren't
// one value, since each thread loads its own. So runs of groups cost little
// more than those of one thread.
#include "interp/tile.h"
#include "ir/form/group_set.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_OPERANDS = 4, WAYS = 4 };

// What all memos together may hold.
static const uint64_t most_memo_bytes = UINT64_C(64) << 20;

typedef struct {
  TileValue *tile; // or NULL
  uint64_t bits;   // of what is no tile
} Held;

typedef struct {
  bool is_used;
  Held operands[MOST_OPERANDS], result;
} MemoEntry;

// The last ones: several groups may run the same operation.
typedef struct TileMemo {
  MemoEntry entries[WAYS];
  uint32_t next;
} TileMemo;

// ------------------------------------------------------------------ operands

static bool is_one_slot(const Machine *m, IrType type) {
  return program_layout(m->program, type)->n_slots == 1;
}

static bool memo_is_kept(const Machine *m, const IrNode *node) {
  const IrKernel *kernel = m->program->kernel;
  const IrOpInfo *info = ir_op_info(node);
  bool is_one = ir_is_tile(node->type) || is_one_slot(m, node->type);
  if (!(info->flags & OPF_PURE) || node->n_regions ||
      node->n_args > MOST_OPERANDS || !is_one ||
      group_is_one_thread(ir_node_group(kernel, node)))
    return false;
  for (uint32_t i = 0; i < node->n_args; i++)
    if (!ir_is_tile(node->args[i]->type) &&
        !is_one_slot(m, node->args[i]->type))
      return false;
  return true;
}

// Borrowed. False: a register that holds nothing.
static bool memo_operands(const Machine *m, Thread *t, const Insn *insn,
                          Held *held) {
  for (uint32_t i = 0; i < insn->node->n_args; i++) {
    held[i] = (Held){0};
    if (!ir_is_tile(insn->node->args[i]->type))
      held[i].bits = *machine_operand(m, t, insn, i);
    else if (!(held[i].tile = t->tiles[m->program->args.data[insn->args + i]]))
      return false;
  }
  return true;
}

static bool memo_is_equal(const Held *a, const Held *b) {
  if (!a->tile || !b->tile)
    return a->tile == b->tile && a->bits == b->bits;
  return a->tile == b->tile ||
         (a->tile->size_bytes == b->tile->size_bytes &&
          memcmp(a->tile->bytes, b->tile->bytes, a->tile->size_bytes) == 0);
}

// NULL: nobody had these operands lately.
static const MemoEntry *memo_find(const Machine *m, const IrNode *node,
                                  const Held *operands) {
  const TileMemo *memo = m->memos ? m->memos[node->id] : NULL;
  for (uint32_t way = 0; memo && way < WAYS; way++) {
    const MemoEntry *entry = &memo->entries[way];
    bool is_same = entry->is_used;
    for (uint32_t i = 0; i < node->n_args && is_same; i++)
      is_same = memo_is_equal(&entry->operands[i], &operands[i]);
    if (is_same)
      return entry;
  }
  return NULL;
}

// ------------------------------------------------------------------ memory

static void memo_release(Machine *m, MemoEntry *entry) {
  for (uint32_t i = 0; i <= MOST_OPERANDS; i++) {
    Held *held = i < MOST_OPERANDS ? &entry->operands[i] : &entry->result;
    if (held->tile)
      m->memo_bytes -= held->tile->size_bytes;
    tile_release(m, held->tile);
  }
  *entry = (MemoEntry){0};
}

void tile_memo_free(Machine *m) {
  for (uint32_t i = 0; m->memos && i < m->program->kernel->n_nodes; i++) {
    for (uint32_t way = 0; m->memos[i] && way < WAYS; way++)
      memo_release(m, &m->memos[i]->entries[way]);
    free(m->memos[i]);
  }
  free(m->memos);
  m->memos = NULL;
}

static TileMemo *memo_of(Machine *m, const IrNode *node) {
  size_t n = m->program->kernel->n_nodes;
  if (m->memo_bytes > most_memo_bytes)
    tile_memo_free(m);
  if (!m->memos)
    m->memos = calloc(n, sizeof *m->memos);
  if (m->memos && !m->memos[node->id])
    m->memos[node->id] = calloc(1, sizeof(TileMemo));
  return m->memos ? m->memos[node->id] : NULL;
}

static void memo_hold(Machine *m, Held *held, const Held *value) {
  *held = *value;
  if (!held->tile)
    return;
  held->tile->n_references++;
  m->memo_bytes += held->tile->size_bytes;
}

static void memo_put(Machine *m, const IrNode *node, const Held *operands,
                     const Held *result) {
  TileMemo *memo = memo_of(m, node);
  if (!memo)
    return;
  MemoEntry *entry = &memo->entries[memo->next], before = *entry;
  *entry = (MemoEntry){.is_used = true};
  for (uint32_t i = 0; i < node->n_args; i++)
    memo_hold(m, &entry->operands[i], &operands[i]);
  memo_hold(m, &entry->result, result);
  memo_release(m, &before);
  memo->next = (memo->next + 1) % WAYS;
}

// ---------------------------------------------------------------- operations

TileMemoAnswer tile_memo_give(Machine *m, Thread *t, const Insn *insn) {
  Held held[MOST_OPERANDS];
  const IrNode *node = insn->node;
  if (!memo_is_kept(m, node) || !memo_operands(m, t, insn, held))
    return TILE_MEMO_NONE;
  const MemoEntry *entry = memo_find(m, node, held);
  if (!entry)
    return TILE_MEMO_OPEN;
  if (!ir_is_tile(node->type)) {
    t->frame[insn->dst] = entry->result.bits;
    return TILE_MEMO_GIVEN;
  }
  entry->result.tile->n_references++;
  (void)tile_give(m, t, insn, entry->result.tile);
  return TILE_MEMO_GIVEN;
}

// Operands are still in their registers.
void tile_memo_keep(Machine *m, Thread *t, const Insn *insn) {
  Held held[MOST_OPERANDS], result = {0};
  const IrNode *node = insn->node;
  if (!memo_operands(m, t, insn, held))
    return;
  if (ir_is_tile(node->type))
    result.tile = t->tiles[insn->dst];
  else
    result.bits = t->frame[insn->dst];
  memo_put(m, node, held, &result);
}

// Of tcgen05_mma, too, whose operand 3 has decided what operand 2 is.
const TileValue *tile_memo_product(const Machine *m, const IrNode *node,
                                   TileValue *const *operands) {
  Held held[MOST_OPERANDS] = {0};
  for (uint32_t i = 0; i < 3; i++)
    held[i] = (Held){.tile = operands[i]};
  const MemoEntry *entry = memo_find(m, node, held);
  return entry ? entry->result.tile : NULL;
}

void tile_memo_keep_product(Machine *m, const IrNode *node,
                            TileValue *const *operands, TileValue *result) {
  Held held[MOST_OPERANDS] = {0}, of_result = {.tile = result};
  for (uint32_t i = 0; i < 3; i++)
    held[i] = (Held){.tile = operands[i]};
  memo_put(m, node, held, &of_result);
}
