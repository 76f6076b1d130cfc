// SPDX-License-Identifier: Apache-2.0
// Groups: ranks, membership, thread loops, syncs.
#include "base/panic.h"
#include "codegen/cpu/llvm_cpu.h"

#include <stddef.h>

static const IrType type_i32 = {.kind = IR_TYPE_I32, .lanes = 1};
static const IrType type_i64 = {.kind = IR_TYPE_I64, .lanes = 1};

CpuLeaf cpu_position_leaf(CpuEmit *e, CpuShape shape, LLVMValueRef base,
                          LLVMValueRef vector) {
  CpuLeaf leaf = {.shape = shape, .type = type_i32, .v = base};
  if (shape.kind == CPU_UNIFORM)
    leaf.v = LLVMBuildTrunc(e->b, base, e->i32, CPU_NAME);
  else if (shape.kind == CPU_VARYING)
    leaf.v = vector;
  return leaf;
}

// The groups that are current when a block starts.
void cpu_begin_groups(CpuEmit *e) {
  const CpuPlan *plan = e->plan;
  CpuLeaf zero = cpu_leaf_of(cpu_uniform(), type_i32, cpu_i32(e, 0));
  CpuLeaf rank =
      cpu_position_leaf(e, plan->ranks[GROUP_ROW_BLOCK], e->warp_rank, NULL);
  for (int row = GROUP_ROW_GRID; row <= GROUP_ROW_BLOCK; row++) {
    e->ranks[row] = rank;
    e->counts[row] = e->instances[row] = zero;
  }
  LLVMValueRef before =
      LLVMBuildMul(e->b, e->linear, cpu_i64(e, plan->n_threads), CPU_NAME);
  CpuLeaf *grid = &e->ranks[GROUP_ROW_GRID];
  grid->shape = plan->ranks[GROUP_ROW_GRID];
  grid->type = type_i64;
  grid->v = LLVMBuildAdd(e->b, before, e->warp_rank, CPU_NAME);
  if (!e->is_coroutine)
    return; // every block is a cluster of its own
  e->counts[GROUP_ROW_BLOCK].v = cpu_cluster_rank(e);
  e->counts[GROUP_ROW_CLUSTER].v = LLVMBuildTrunc(
      e->b,
      cpu_field(e, e->i64, e->block, offsetof(HdCpuBlock, cluster_number)),
      e->i32, CPU_NAME);
  CpuLeaf *cluster = &e->ranks[GROUP_ROW_CLUSTER];
  LLVMValueRef inside = LLVMBuildMul(e->b, cpu_cluster_rank(e),
                                     cpu_i32(e, plan->n_threads), CPU_NAME);
  cluster->v =
      LLVMBuildAdd(e->b, e->warp_rank,
                   LLVMBuildSExt(e->b, inside, e->i64, CPU_NAME), CPU_NAME);
  cluster->shape = plan->ranks[GROUP_ROW_CLUSTER];
  if (cluster->shape.kind == CPU_UNIFORM)
    cluster->v = LLVMBuildTrunc(e->b, cluster->v, e->i32, CPU_NAME);
}

LLVMValueRef cpu_cluster_rank(CpuEmit *e) {
  return e->is_coroutine ? cpu_field(e, e->i32, e->block,
                                     offsetof(HdCpuBlock, cluster_rank))
                         : cpu_i32(e, 0);
}

LLVMValueRef cpu_cluster_size(CpuEmit *e) {
  return e->is_coroutine ? cpu_field(e, e->i32, e->block,
                                     offsetof(HdCpuBlock, cluster_size))
                         : cpu_i32(e, 1);
}

LLVMValueRef cpu_cluster_count(CpuEmit *e) {
  LLVMValueRef blocks =
      cpu_field(e, e->i64, e->launch, offsetof(HdCpuLaunch, n_blocks));
  LLVMValueRef size =
      LLVMBuildSExt(e->b, cpu_cluster_size(e), e->i64, CPU_NAME);
  return LLVMBuildTrunc(e->b, LLVMBuildSDiv(e->b, blocks, size, CPU_NAME),
                        e->i32, CPU_NAME);
}

// rank - begin, in the planned shape.
static CpuLeaf inner_rank(CpuEmit *e, const IrGroup *group, CpuLeaf rank,
                          CpuLeaf begin) {
  CpuShape shape = e->plan->ranks[group->id];
  if (group->size == 1)
    return cpu_leaf_of(shape, type_i32, cpu_i32(e, 0));
  if (shape.kind == CPU_VARYING) {
    LLVMValueRef v = LLVMBuildSub(e->b, cpu_as_vector(e, rank),
                                  cpu_as_vector(e, begin), CPU_NAME);
    return cpu_position_leaf(e, shape, NULL, v);
  }
  LLVMValueRef base =
      LLVMBuildSub(e->b, cpu_base(e, rank), cpu_base(e, begin), CPU_NAME);
  return cpu_position_leaf(e, shape, base, NULL);
}

// The strand's own rank, for groups that take strands whole.
static LLVMValueRef strand_rank(CpuEmit *e, CpuLeaf rank) {
  LLVMValueRef lane = e->first_lane ? e->first_lane : cpu_i32(e, 0);
  if (rank.shape.kind == CPU_VARYING)
    return LLVMBuildExtractElement(e->b, rank.v, lane, CPU_NAME);
  if (rank.shape.kind == CPU_AFFINE && e->first_lane == NULL)
    return LLVMBuildTrunc(e->b, rank.v, e->i32, CPU_NAME);
  return cpu_at_lane(e, rank, lane);
}

// Ranks are i32; affine values have a base of 64 bits in any type.
static CpuLeaf narrow_begin(CpuEmit *e, CpuLeaf begin) {
  if (begin.type.kind == IR_TYPE_I64 && begin.shape.kind == CPU_UNIFORM)
    begin.v = LLVMBuildTrunc(e->b, begin.v, e->i32, CPU_NAME);
  else if (begin.type.kind == IR_TYPE_I64 && begin.shape.kind == CPU_VARYING)
    begin.v = LLVMBuildTrunc(e->b, begin.v, cpu_vector_of(e, e->i32), CPU_NAME);
  begin.type = type_i32;
  return begin;
}

// Threads outside of the parent: the first one that gets here tells.
static void cpu_group_check_range(CpuEmit *e, const IrNode *node,
                                  CpuLeaf begin) {
  const IrGroup *group = node->u.part.group, *parent = node->u.part.parent;
  CpuLeaf size = cpu_group_threads(e, parent);
  LLVMValueRef first = cpu_as_vector(e, begin);
  LLVMValueRef last =
      LLVMBuildSub(e->b, cpu_as_vector(e, size),
                   cpu_splat(e, cpu_i32(e, group->size)), CPU_NAME);
  LLVMValueRef zero = cpu_splat(e, cpu_i32(e, 0));
  LLVMValueRef is_before =
      LLVMBuildICmp(e->b, LLVMIntSLT, first, zero, CPU_NAME);
  LLVMValueRef is_beyond =
      LLVMBuildICmp(e->b, LLVMIntSGT, first, last, CPU_NAME);
  cpu_fault_where(e, node, LLVMBuildOr(e->b, is_before, is_beyond, CPU_NAME),
                  "error[HD0504]: the group reaches beyond its parent");
}

void cpu_emit_group(CpuEmit *e, const IrNode *node) {
  const IrGroup *group = node->u.part.group, *parent = node->u.part.parent;
  CpuLeaf rank = cpu_group_rank(e, parent);
  CpuLeaf begin = cpu_leaf_of(cpu_uniform(), type_i32, NULL);
  if (node->n_args > 0) {
    begin = narrow_begin(e, cpu_leaf(e, node->args[0], 0));
    if (e->plan->has_checks)
      cpu_group_check_range(e, node, begin);
  } else {
    begin.v = cpu_i32(e, group->begin < 0 ? 0 : group->begin);
  }
  HD_ASSERT(group->size > 0);
  LLVMValueRef member;
  if (cpu_flow(e->plan, node)->is_divergent) {
    LLVMValueRef inside = LLVMBuildSub(e->b, cpu_as_vector(e, rank),
                                       cpu_as_vector(e, begin), CPU_NAME);
    member = LLVMBuildICmp(e->b, LLVMIntULT, inside,
                           cpu_splat(e, cpu_i32(e, group->size)), CPU_NAME);
  } else {
    LLVMValueRef inside =
        LLVMBuildSub(e->b, strand_rank(e, rank), begin.v, CPU_NAME);
    member = LLVMBuildICmp(e->b, LLVMIntULT, inside, cpu_i32(e, group->size),
                           CPU_NAME);
  }
  e->ranks[group->id] = inner_rank(e, group, rank, begin);
  e->counts[group->id] = cpu_leaf_of(cpu_uniform(), type_i32, cpu_i32(e, 0));
  e->instances[group->id] = cpu_group_instance(e, parent);
  bool is_member;
  if (e->plan->phases && cpu_known_member(node, e->warp_ranks, &is_member))
    cpu_emit_known(e, node, is_member ? 0 : 1);
  else
    cpu_emit_members(e, node, member);
}

// --------------------------------------------------- split thread loops

CpuLeaf cpu_part_of(CpuEmit *e, CpuLeaf rank, int64_t size, CpuShape shape,
                    bool is_quotient) {
  if (size == 1) {
    CpuLeaf zero = cpu_leaf_of(cpu_uniform(), type_i32, cpu_i32(e, 0));
    return is_quotient ? rank : zero;
  }
  if (shape.kind == CPU_VARYING) {
    LLVMValueRef by = cpu_const_splat(e, cpu_i32(e, size));
    LLVMValueRef ranks = cpu_as_vector(e, rank);
    LLVMValueRef v = is_quotient ? LLVMBuildUDiv(e->b, ranks, by, CPU_NAME)
                                 : LLVMBuildURem(e->b, ranks, by, CPU_NAME);
    return cpu_position_leaf(e, shape, NULL, v);
  }
  // Ranks may vary where their part or their rest is the same for all: of
  // parts of one thread, or of one part.
  LLVMValueRef base =
      rank.shape.kind == CPU_VARYING
          ? LLVMBuildSExt(e->b, strand_rank(e, rank), e->i64, CPU_NAME)
          : cpu_base(e, rank);
  LLVMValueRef by = cpu_i64(e, size);
  LLVMValueRef v = is_quotient ? LLVMBuildUDiv(e->b, base, by, CPU_NAME)
                               : LLVMBuildURem(e->b, base, by, CPU_NAME);
  return cpu_position_leaf(e, shape, v, NULL);
}

static void set_split_groups(CpuEmit *e, const IrNode *node) {
  const IrGroup *group = node->u.part.group, *parent = node->u.part.parent;
  CpuLeaf rank = cpu_group_rank(e, parent);
  CpuShape inner = e->plan->ranks[group->id];
  CpuShape part = e->plan->counts[group->id];
  int64_t size = group->size;
  e->ranks[group->id] = cpu_part_of(e, rank, size, inner, false);
  e->counts[group->id] = cpu_part_of(e, rank, size, part, true);
  CpuLeaf outer = cpu_group_instance(e, parent), mine = e->counts[group->id];
  CpuShape shape = e->plan->instances[group->id];
  CpuLeaf *instance = &e->instances[group->id];
  if (shape.kind == CPU_VARYING) {
    LLVMValueRef count = cpu_const_splat(e, cpu_i32(e, group->instances));
    LLVMValueRef before =
        LLVMBuildMul(e->b, cpu_as_vector(e, outer), count, CPU_NAME);
    *instance = cpu_position_leaf(
        e, shape, NULL,
        LLVMBuildAdd(e->b, before, cpu_as_vector(e, mine), CPU_NAME));
    return;
  }
  LLVMValueRef before = LLVMBuildMul(e->b, cpu_base(e, outer),
                                     cpu_i64(e, group->instances), CPU_NAME);
  *instance = cpu_position_leaf(
      e, shape, LLVMBuildAdd(e->b, before, cpu_base(e, mine), CPU_NAME), NULL);
}

// lo + part * step.
static CpuLeaf iteration(CpuEmit *e, const IrNode *node, CpuShape shape) {
  CpuLeaf low = cpu_leaf(e, node->args[0], 0);
  CpuLeaf part = e->counts[node->u.part.group->id];
  CpuLeaf value = {.shape = shape, .type = low.type};
  if (shape.kind == CPU_VARYING) {
    LLVMTypeRef type = cpu_scalar_type(e, low.type);
    LLVMValueRef parts = LLVMBuildIntCast2(e->b, cpu_as_vector(e, part),
                                           cpu_vector_of(e, type), 1, CPU_NAME);
    LLVMValueRef step =
        cpu_const_splat(e, LLVMConstInt(type, (uint64_t)node->u.part.step, 1));
    value.v = LLVMBuildAdd(e->b, cpu_as_vector(e, low),
                           LLVMBuildMul(e->b, parts, step, CPU_NAME), CPU_NAME);
    return value;
  }
  LLVMValueRef offset = LLVMBuildMul(e->b, cpu_base(e, part),
                                     cpu_i64(e, node->u.part.step), CPU_NAME);
  value.v = LLVMBuildAdd(e->b, cpu_base(e, low), offset, CPU_NAME);
  if (shape.kind == CPU_UNIFORM)
    value.v =
        LLVMBuildTrunc(e->b, value.v, cpu_scalar_type(e, low.type), CPU_NAME);
  return value;
}

static CpuShape iteration_shape(CpuEmit *e, const IrNode *node) {
  CpuLeaf low = cpu_leaf(e, node->args[0], 0);
  CpuShape part = e->plan->counts[node->u.part.group->id];
  bool is_affine_type =
      low.type.kind == IR_TYPE_I32 || low.type.kind == IR_TYPE_I64;
  if (low.shape.kind != CPU_UNIFORM || part.kind == CPU_VARYING ||
      (part.kind == CPU_AFFINE && !is_affine_type))
    return cpu_varying();
  if (part.kind == CPU_AFFINE) {
    part.step *= node->u.part.step;
    part.outer *= node->u.part.step;
  }
  return part;
}

void cpu_emit_thread_for(CpuEmit *e, const IrNode *node, bool *goes_on) {
  *goes_on = true;
  if (!node->u.part.is_split) {
    cpu_emit_strided(e, node);
    return;
  }
  set_split_groups(e, node);
  CpuLeaf value = iteration(e, node, iteration_shape(e, node));
  cpu_store_var(e, e->plan->var_leaf[node->u.part.var], value);
  cpu_emit_block(e, node, goes_on);
}

// ------------------------------------------------------------------ with

// Only what is current changes: rows that are computed at each use are kept
// for statements inside.
bool cpu_emit_with(CpuEmit *e, const IrNode *node) {
  return cpu_emit_region(e, &node->regions[0]);
}

// -------------------------------------------------------------- position

static void cpu_group_set_integer(CpuEmit *e, const IrNode *node,
                                  LLVMValueRef v) {
  LLVMTypeRef type = cpu_scalar_type(e, node->type);
  cpu_set_value(e, node, 0, LLVMBuildIntCast2(e->b, v, type, 1, CPU_NAME));
}

// A rank in the planned shape and the node's type.
static void set_rank(CpuEmit *e, const IrNode *node, CpuLeaf rank) {
  CpuShape shape = cpu_node_shape(e->plan, node);
  if (shape.kind == CPU_VARYING) {
    LLVMValueRef v = cpu_as_vector(e, rank);
    LLVMTypeRef type = cpu_vector_type(e, node->type);
    cpu_set_value(e, node, 0, LLVMBuildIntCast2(e->b, v, type, 1, CPU_NAME));
  } else if (shape.kind == CPU_AFFINE) {
    cpu_set_value(e, node, 0, rank.v);
  } else {
    cpu_group_set_integer(e, node, rank.v);
  }
}

static void emit_thread_index(CpuEmit *e, const IrNode *node) {
  const int32_t *dim = e->kernel->block_dim;
  CpuLeaf rank = e->ranks[GROUP_ROW_BLOCK];
  CpuShape shape = cpu_node_shape(e->plan, node);
  uint32_t number = node->u.index.number;
  if (dim[1] == 1 && dim[2] == 1) {
    CpuLeaf zero = cpu_leaf_of(cpu_uniform(), type_i32, cpu_i32(e, 0));
    set_rank(e, node, number == 0 ? rank : zero);
  } else if (number == 0) {
    set_rank(e, node, cpu_part_of(e, rank, dim[0], shape, false));
  } else if (number == 2) {
    set_rank(e, node,
             cpu_part_of(e, rank, (int64_t)dim[0] * dim[1], shape, true));
  } else if (dim[2] == 1) {
    set_rank(e, node, cpu_part_of(e, rank, dim[0], shape, true));
  } else {
    CpuLeaf row = cpu_part_of(e, rank, dim[0], shape, true);
    set_rank(e, node, cpu_part_of(e, row, dim[1], shape, false));
  }
}

static int64_t cpu_group_block_dim(const CpuEmit *e, uint32_t number) {
  return e->kernel->block_dim[number];
}

void cpu_emit_position(CpuEmit *e, const IrNode *node) {
  const IrGroup *group = node->u.group.group;
  uint32_t number = node->u.index.number;
  switch (ir_position_op(node->op)) {
  case IR_RANK: set_rank(e, node, cpu_group_rank(e, group)); break;
  case IR_META_RANK: set_rank(e, node, cpu_group_part(e, group)); break;
  case IR_SIZE: set_rank(e, node, cpu_group_threads(e, group)); break;
  case IR_META_SIZE: set_rank(e, node, cpu_group_parts_of(e, group)); break;
  case IR_BLOCK_INDEX: cpu_group_set_integer(e, node, e->index[number]); break;
  case IR_GRID_DIM: cpu_group_set_integer(e, node, e->grid[number]); break;
  case IR_BLOCK_DIM:
    cpu_group_set_integer(e, node, cpu_i32(e, cpu_group_block_dim(e, number)));
    break;
  case IR_THREAD_INDEX: emit_thread_index(e, node); break;
  case IR_MAKE_GROUP: cpu_emit_make_group(e, node); break;
  }
}
