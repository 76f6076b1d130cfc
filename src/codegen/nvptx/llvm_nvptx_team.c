// SPDX-License-Identifier: Apache-2.0
// Who is together at an operation, and words from lane to lane.
//
// Note [Together]
// What a warp does by parts, each under a mask of its own, it does one part
// after the other; under one mask for all lanes, at once. So the largest group
// around is looked for whose threads all come to the operation together: the
// warp at best. Any part may then take the result of all and pick its own.
// That lanes come together is proved by the uniformity analysis; the hardware
// waits for all lanes of a mask and needs no more than that.
#include "codegen/nvptx/llvm_nvptx_team.h"
#include "base/bits.h"
#include "base/panic.h"

static const IrNode *statement_around(const IrNode *node) {
  const IrNode *at = node->region->owner;
  while (at && ir_op_info(at)->form != FORM_PART)
    at = at->region->owner;
  return at;
}

bool nv_is_together(const NvEmit *e, const IrNode *node, const IrGroup *group) {
  for (const IrNode *at = node;;) {
    if (!uniformity_converged(e->plan->uniformity, at, group))
      return false;
    const IrNode *statement = statement_around(at);
    if (statement == NULL ||
        ir_group_holds(e->kernel, statement->u.part.group, group))
      return true;
    // All threads around run the body, as one part or another?
    bool is_for_all =
        statement->op == IR_WITH ||
        (statement->op == IR_THREAD_FOR && statement->u.part.is_split);
    if (!is_for_all)
      return false;
    at = statement;
  }
}

const IrGroup *nv_warp_row(const NvEmit *e) {
  for (uint32_t i = 0; i < e->kernel->groups.count; i++)
    if (e->kernel->groups.data[i]->kind == GROUP_WARP)
      return e->kernel->groups.data[i];
  HD_PANIC("no warp among the groups"); // see nv_prepare_kernel
}

bool nv_is_warp_converged(const NvEmit *e, const IrNode *node) {
  return nv_is_together(e, node, nv_warp_row(e));
}

NvTeam nv_team(NvEmit *e, const IrNode *node, const IrGroup *group) {
  NvTeam team = {.group = group, .row = &e->plan->groups[group->id]};
  if (nv_is_warp_converged(e, node) || team.row->tile == NV_WARP) {
    team.sync = nv_all_lanes(e);
    team.is_warp = true;
    return team;
  }
  const IrGroup *all = group;
  for (const IrGroup *up = group->parent;
       up && e->plan->groups[up->id].in_warp && nv_is_together(e, node, up);
       up = up->parent)
    all = up;
  team.sync = nv_group_mask(e, all);
  return team;
}

// ------------------------------------------------------------ instructions

LLVMValueRef nv_ballot(NvEmit *e, LLVMValueRef sync, LLVMValueRef holds) {
  LLVMValueRef args[2] = {sync, holds};
  return nv_intrinsic(e, "llvm.nvvm.vote.ballot.sync", NULL, 0, args, 2);
}

LLVMValueRef nv_vote_any(NvEmit *e, LLVMValueRef sync, LLVMValueRef holds) {
  LLVMValueRef args[2] = {sync, holds};
  return nv_intrinsic(e, "llvm.nvvm.vote.any.sync", NULL, 0, args, 2);
}

LLVMValueRef nv_shfl(NvEmit *e, const char *mode, LLVMValueRef sync,
                     LLVMValueRef word, LLVMValueRef by, uint32_t clamp) {
  LLVMValueRef args[4] = {sync, word, by, nv_i32(e, clamp)};
  const char *name = arena_printf(e->arena, "llvm.nvvm.shfl.sync.%s.i32", mode);
  return nv_intrinsic(e, name, NULL, 0, args, 4);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wswitch-enum"

static const char *redux_name(IrRmw combine) {
  switch (combine) {
  case RMW_SMIN: return "min";
  case RMW_SMAX: return "max";
  case RMW_UMIN: return "umin";
  case RMW_UMAX: return "umax";
  case RMW_AND: return "and";
  case RMW_OR: return "or";
  case RMW_XOR: return "xor";
  default: return "add";
  }
}

#pragma GCC diagnostic pop

LLVMValueRef nv_redux(NvEmit *e, LLVMValueRef sync, IrRmw combine,
                      LLVMValueRef word) {
  LLVMValueRef args[2] = {word, sync};
  const char *name =
      arena_printf(e->arena, "llvm.nvvm.redux.sync.%s", redux_name(combine));
  return nv_intrinsic(e, name, NULL, 0, args, 2);
}

// ------------------------------------------------------------------ leaves

uint32_t nv_leaf_bits(IrType type) {
  return type.kind == IR_TYPE_TOKEN ? 64 : ir_type_bits(type);
}

uint32_t nv_place_leaf(uint32_t bits, IrType type) {
  uint32_t unit = nv_leaf_bits(type);
  unit = unit > 32 ? 32 : unit;
  return (uint32_t)bits_align_up(bits, unit);
}

NvLeaves nv_leaves(NvEmit *e, const IrNode *node) {
  NvLeaves leaves = {.n = nv_leaf_count(e, node)};
  uint32_t offset;
  for (uint32_t k = 0; k < leaves.n; k++) {
    leaves.types[k] = nv_leaf_type(e, node->type, k, &offset);
    leaves.v[k] = nv_value(e, node, k);
  }
  return leaves;
}

void nv_set_leaves(NvEmit *e, const IrNode *node, const NvLeaves *leaves) {
  for (uint32_t k = 0; k < leaves->n; k++)
    nv_set_value(e, node, k, leaves->v[k]);
}

NvWords nv_pack(NvEmit *e, const NvLeaves *leaves) {
  NvWords packed = {0};
  uint32_t bits = 0;
  for (uint32_t k = 0; k < leaves->n; k++) {
    LLVMValueRef words[2];
    bits = nv_place_leaf(bits, leaves->types[k]);
    uint32_t n = nv_to_words(e, leaves->types[k], leaves->v[k], words);
    uint32_t at = bits / 32;
    if (bits % 32 == 0) {
      packed.words[at] = words[0];
    } else {
      LLVMValueRef high =
          LLVMBuildShl(e->b, words[0], nv_i32(e, bits % 32), NV_NAME);
      packed.words[at] = LLVMBuildOr(e->b, packed.words[at], high, NV_NAME);
    }
    if (n == 2)
      packed.words[at + 1] = words[1];
    bits += nv_leaf_bits(leaves->types[k]);
  }
  packed.n = (bits + 31) / 32;
  return packed;
}

void nv_unpack(NvEmit *e, const NvWords *packed, NvLeaves *leaves) {
  uint32_t bits = 0;
  for (uint32_t k = 0; k < leaves->n; k++) {
    bits = nv_place_leaf(bits, leaves->types[k]);
    uint32_t at = bits / 32;
    LLVMValueRef words[2] = {packed->words[at], NULL};
    if (bits % 32 != 0)
      words[0] = LLVMBuildLShr(e->b, words[0], nv_i32(e, bits % 32), NV_NAME);
    if (nv_leaf_bits(leaves->types[k]) > 32)
      words[1] = packed->words[at + 1];
    leaves->v[k] = nv_from_words(e, leaves->types[k], words);
    bits += nv_leaf_bits(leaves->types[k]);
  }
}

NvLeaves nv_move(NvEmit *e, const NvLeaves *leaves, const char *mode,
                 LLVMValueRef sync, LLVMValueRef by, uint32_t clamp) {
  NvLeaves moved = *leaves;
  NvWords words = nv_pack(e, leaves);
  for (uint32_t i = 0; i < words.n; i++)
    words.words[i] = nv_shfl(e, mode, sync, words.words[i], by, clamp);
  nv_unpack(e, &words, &moved);
  return moved;
}

NvLeaves nv_choose(NvEmit *e, LLVMValueRef condition, const NvLeaves *a,
                   const NvLeaves *b) {
  NvLeaves chosen = *a;
  for (uint32_t k = 0; k < a->n; k++)
    chosen.v[k] = LLVMBuildSelect(e->b, condition, a->v[k], b->v[k], NV_NAME);
  return chosen;
}
