// SPDX-License-Identifier: Apache-2.0
// Group statements and thread loops: predicates on ranks.
//
// Whole warps branch on the warp's number, which ptxas knows to be the same in
// all lanes, so that the code inside may use what needs a warp together.
#include "base/panic.h"
#include "codegen/nvptx/llvm_nvptx.h"

static bool is_scattered(const IrGroup *group) {
  for (; group; group = group->parent)
    if (group->kind == GROUP_LABELED || group->kind == GROUP_COALESCED)
      return true;
  return false;
}

static LLVMValueRef nvptx_part_begin_of(NvEmit *e, const IrNode *node) {
  const IrGroup *group = node->u.part.group;
  if (node->n_args == 0)
    return nv_i32(e, group->begin < 0 ? 0 : group->begin);
  return LLVMBuildIntCast2(e->b, nv_arg(e, node, 0), e->i32, 1, NV_NAME);
}

// Rank in the block of the first thread of this thread's part of `group`.
static LLVMValueRef block_begin(NvEmit *e, const IrGroup *group) {
  if (group->kind <= GROUP_BLOCK)
    return nv_i32(e, 0);
  if (group->kind == GROUP_RANGE || group->kind == GROUP_SINGLE)
    return e->group_begin[group->id];
  return LLVMBuildSub(e->b, e->thread, nv_group_rank(e, group), NV_NAME);
}

// A range of whole warps of the block.
static bool is_of_warps(const IrGroup *group) {
  return group->size > 0 && group->size % NV_WARP == 0 &&
         group->alignment % NV_WARP == 0 && group->alignment > 0 &&
         !is_scattered(group);
}

static LLVMValueRef nvptx_part_is_inside(NvEmit *e, LLVMValueRef rank,
                                         LLVMValueRef begin, int64_t size) {
  LLVMValueRef at = LLVMBuildSub(e->b, rank, begin, NV_NAME);
  return LLVMBuildICmp(e->b, LLVMIntULT, at, nv_i32(e, size), NV_NAME);
}

// The condition under which this thread runs the body, or NULL: always.
static LLVMValueRef nvptx_part_membership(NvEmit *e, const IrNode *node) {
  const IrGroup *group = node->u.part.group, *parent = node->u.part.parent;
  LLVMValueRef from = e->group_from[group->id];
  bool is_whole = LLVMIsConstant(from) && LLVMConstIntGetSExtValue(from) == 0 &&
                  parent->size == group->size;
  if (is_whole && parent->size > 0)
    return NULL;
  if (!is_of_warps(group))
    return nvptx_part_is_inside(e, nv_group_rank(e, parent), from, group->size);
  LLVMValueRef first =
      LLVMBuildLShr(e->b, e->group_begin[group->id], nv_i32(e, 5), NV_NAME);
  return nvptx_part_is_inside(e, e->warp, first, group->size / NV_WARP);
}

void nv_emit_group(NvEmit *e, const IrNode *node) {
  const IrGroup *group = node->u.part.group, *parent = node->u.part.parent;
  HD_ASSERT(group->size > 0);
  LLVMValueRef from = nvptx_part_begin_of(e, node);
  e->group_from[group->id] = from;
  if (!is_scattered(parent))
    e->group_begin[group->id] =
        LLVMBuildAdd(e->b, block_begin(e, parent), from, NV_NAME);
  LLVMValueRef condition = nvptx_part_membership(e, node);
  if (condition == NULL) {
    nv_emit_region(e, &node->regions[0]);
    return;
  }
  NvIf place = nv_if(e, condition);
  if (nv_emit_region(e, &node->regions[0])) {
    nv_end_if(e, place);
    return;
  }
  nv_begin_block(e, place.after);
}

// ------------------------------------------------------------ thread loops

static LLVMValueRef as_type(NvEmit *e, LLVMValueRef v, LLVMTypeRef type) {
  return LLVMBuildIntCast2(e->b, v, type, 1, NV_NAME);
}

static bool emit_body(NvEmit *e, const IrNode *node, LLVMBasicBlockRef latch) {
  NvTarget *target = &e->targets[node->id];
  *target = (NvTarget){.after = nv_new_block(e, "after"), .latch = latch};
  return nv_emit_region(e, &node->regions[0]);
}

// Part j of the parent runs iteration j.
static bool emit_split(NvEmit *e, const IrNode *node) {
  const IrGroup *group = node->u.part.group;
  IrType type = node->args[0]->type;
  LLVMTypeRef llvm_type = nv_scalar_type(e, type);
  LLVMValueRef part = as_type(e, nv_group_part(e, group), llvm_type);
  LLVMValueRef step = LLVMConstInt(llvm_type, (uint64_t)node->u.part.step, 1);
  LLVMValueRef offset = LLVMBuildMul(e->b, part, step, NV_NAME);
  LLVMValueRef now = LLVMBuildAdd(e->b, nv_arg(e, node, 0), offset, NV_NAME);
  nv_store_var(e, e->plan->var_leaf[node->u.part.var], type, now);
  LLVMBasicBlockRef end = nv_new_block(e, "turn_end");
  if (emit_body(e, node, end))
    LLVMBuildBr(e->b, end);
  nv_begin_block(e, end);
  return nv_enter_after(e, node, true);
}

// Iterations, without a sign: (hi - lo) / step rounded up.
static LLVMValueRef count_iterations(NvEmit *e, const IrNode *node,
                                     LLVMTypeRef type) {
  LLVMValueRef low = as_type(e, nv_arg(e, node, 0), type);
  LLVMValueRef high = as_type(e, nv_arg(e, node, 1), type);
  int64_t step = node->u.part.step;
  LLVMValueRef n = LLVMBuildSub(e->b, high, low, NV_NAME);
  if (step != 1) {
    LLVMValueRef one = LLVMConstInt(type, 1, 0);
    LLVMValueRef by = LLVMConstInt(type, (uint64_t)step, 0);
    n = LLVMBuildUDiv(e->b, LLVMBuildSub(e->b, n, one, NV_NAME), by, NV_NAME);
    n = LLVMBuildAdd(e->b, n, one, NV_NAME);
  }
  LLVMValueRef some = LLVMBuildICmp(e->b, LLVMIntSLT, low, high, NV_NAME);
  return LLVMBuildSelect(e->b, some, n, LLVMConstNull(type), NV_NAME);
}

// What a strided loop counts.
typedef struct {
  LLVMTypeRef type;       // of `left`
  LLVMValueRef left, now; // slots: iterations from here on; the variable
  LLVMValueRef size;      // threads
  IrType var_type;
} Strided;

static void begin_strided(NvEmit *e, const IrNode *node, Strided *s,
                          LLVMBasicBlockRef head, LLVMBasicBlockRef done) {
  const IrGroup *parent = node->u.part.parent;
  LLVMTypeRef type = nv_scalar_type(e, s->var_type);
  LLVMValueRef rank = nv_group_rank(e, parent);
  LLVMValueRef total = count_iterations(e, node, s->type);
  LLVMValueRef mine = LLVMBuildIntCast2(e->b, rank, s->type, 0, NV_NAME);
  LLVMValueRef step = LLVMConstInt(type, (uint64_t)node->u.part.step, 1);
  LLVMValueRef offset =
      LLVMBuildMul(e->b, as_type(e, rank, type), step, NV_NAME);
  s->size = nv_group_size(e, parent);
  s->left = nv_alloca(e, s->type);
  s->now = nv_alloca(e, type);
  LLVMBuildStore(e->b, LLVMBuildSub(e->b, total, mine, NV_NAME), s->left);
  LLVMBuildStore(e->b, LLVMBuildAdd(e->b, nv_arg(e, node, 0), offset, NV_NAME),
                 s->now);
  LLVMValueRef some = LLVMBuildICmp(e->b, LLVMIntULT, mine, total, NV_NAME);
  LLVMBuildCondBr(e->b, some, head, done);
}

static void next_strided(NvEmit *e, const IrNode *node, const Strided *s,
                         LLVMBasicBlockRef head, LLVMBasicBlockRef done) {
  LLVMTypeRef type = nv_scalar_type(e, s->var_type);
  LLVMValueRef step = LLVMConstInt(type, (uint64_t)node->u.part.step, 1);
  LLVMValueRef by =
      LLVMBuildMul(e->b, as_type(e, s->size, type), step, NV_NAME);
  LLVMValueRef now = LLVMBuildLoad2(e->b, type, s->now, NV_NAME);
  LLVMBuildStore(e->b, LLVMBuildAdd(e->b, now, by, NV_NAME), s->now);
  LLVMValueRef left = LLVMBuildLoad2(e->b, s->type, s->left, NV_NAME);
  LLVMValueRef size = LLVMBuildIntCast2(e->b, s->size, s->type, 0, NV_NAME);
  LLVMValueRef more = LLVMBuildICmp(e->b, LLVMIntUGT, left, size, NV_NAME);
  LLVMBuildStore(e->b, LLVMBuildSub(e->b, left, size, NV_NAME), s->left);
  LLVMBuildCondBr(e->b, more, head, done);
}

// Thread r runs lo + r * step, lo + (r + M) * step, …. What is left is counted
// down, as the variable may wrap behind the last turn.
static bool emit_strided(NvEmit *e, const IrNode *node) {
  Strided s = {.var_type = node->args[0]->type};
  s.type = s.var_type.kind == IR_TYPE_I64 ? e->i64 : e->i32;
  LLVMBasicBlockRef head = nv_new_block(e, "turn");
  LLVMBasicBlockRef latch = nv_new_block(e, "latch");
  LLVMBasicBlockRef done = nv_new_block(e, "done");
  begin_strided(e, node, &s, head, done);
  nv_begin_block(e, head);
  LLVMTypeRef type = nv_scalar_type(e, s.var_type);
  nv_store_var(e, e->plan->var_leaf[node->u.part.var], s.var_type,
               LLVMBuildLoad2(e->b, type, s.now, NV_NAME));
  if (emit_body(e, node, latch))
    LLVMBuildBr(e->b, latch);
  nv_begin_block(e, latch);
  next_strided(e, node, &s, head, done);
  nv_begin_block(e, done);
  return nv_enter_after(e, node, true);
}

// The same where the number of turns is known: turn t is for r + t * M.
static bool emit_whole(NvEmit *e, const IrNode *node, NvWhole turns) {
  const IrGroup *parent = node->u.part.parent;
  IrType var_type = node->args[0]->type;
  LLVMTypeRef type = nv_scalar_type(e, var_type);
  LLVMBasicBlockRef head = nv_new_block(e, "turn");
  LLVMBasicBlockRef body = nv_new_block(e, "body");
  LLVMBasicBlockRef latch = nv_new_block(e, "latch");
  LLVMBasicBlockRef done = nv_new_block(e, "done");
  LLVMValueRef turn = nv_turn_slot(e, turns), slot = nv_alloca(e, e->i32);
  LLVMValueRef size = nv_group_size(e, parent);
  LLVMValueRef total = count_iterations(e, node, e->i32);
  LLVMBuildStore(e->b, nv_group_rank(e, parent), slot);
  LLVMBuildBr(e->b, head);
  nv_begin_block(e, head);
  LLVMBuildCondBr(e->b, nv_count_turn(e, turns, turn), body, done);
  nv_begin_block(e, body);
  LLVMValueRef mine = LLVMBuildLoad2(e->b, e->i32, slot, NV_NAME);
  if (!turns.is_exact) {
    LLVMBasicBlockRef inside = nv_new_block(e, "inside");
    LLVMValueRef some = LLVMBuildICmp(e->b, LLVMIntULT, mine, total, NV_NAME);
    LLVMBuildCondBr(e->b, some, inside, latch);
    nv_begin_block(e, inside);
  }
  LLVMValueRef step = LLVMConstInt(type, (uint64_t)node->u.part.step, 1);
  LLVMValueRef offset =
      LLVMBuildMul(e->b, as_type(e, mine, type), step, NV_NAME);
  nv_store_var(e, e->plan->var_leaf[node->u.part.var], var_type,
               LLVMBuildAdd(e->b, nv_arg(e, node, 0), offset, NV_NAME));
  if (emit_body(e, node, latch))
    LLVMBuildBr(e->b, latch);
  nv_begin_block(e, latch);
  LLVMBuildStore(e->b, LLVMBuildNUWAdd(e->b, mine, size, NV_NAME), slot);
  nv_branch_back(e, head, -1);
  nv_begin_block(e, done);
  return nv_enter_after(e, node, true);
}

bool nv_emit_thread_for(NvEmit *e, const IrNode *node) {
  if (node->u.part.is_split)
    return emit_split(e, node);
  NvWhole turns = nv_whole_turns(e->plan, node);
  return turns.most > 0 ? emit_whole(e, node, turns) : emit_strided(e, node);
}
