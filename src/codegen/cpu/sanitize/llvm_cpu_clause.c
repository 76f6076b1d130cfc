// SPDX-License-Identifier: Apache-2.0
// What --sanitize adds for the clauses of thread loops: the runtime is told of
// each iteration that begins, and of every access in which loops it stands.
#include "codegen/cpu/llvm_cpu.h"

#include <stddef.h>

// Loops that have a bit; what those behind them own isn't tested.
enum { MOST_LOOPS = 32 };

static bool cpu_clause_find(IrNode *node, void *context) {
  CpuEmit *e = context;
  if (ir_is_claim(node))
    VEC_PUSH(e->arena, &e->clauses, (const IrNode *)node);
  return true;
}

void cpu_find_clauses(CpuEmit *e) {
  IrRegion body = e->kernel->body;
  ir_walk(&body, cpu_clause_find, e);
}

static bool is_of_one_loop(const IrNode *a, const IrNode *b) {
  return a->region == b->region && ir_claim_names(a) == ir_claim_names(b);
}

// The first clause of its loop.
static bool cpu_clause_is_first(const CpuEmit *e, uint32_t number) {
  for (uint32_t i = 0; i < number; i++)
    if (is_of_one_loop(e->clauses.data[i], e->clauses.data[number]))
      return false;
  return true;
}

static uint32_t loop_number(const CpuEmit *e, const IrNode *clause) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < e->clauses.count; i++) {
    if (is_of_one_loop(e->clauses.data[i], clause))
      break;
    n += cpu_clause_is_first(e, i);
  }
  return n;
}

static bool cpu_clause_is_inside(const IrNode *node, const IrRegion *region) {
  const IrRegion *r = node->region;
  while (r != region && r->owner)
    r = r->owner->region;
  return r == region;
}

uint32_t cpu_clause_loops(const CpuEmit *e, const IrNode *node) {
  uint32_t loops = 0, n = 0;
  for (uint32_t i = 0; i < e->clauses.count && n < MOST_LOOPS; i++) {
    if (!cpu_clause_is_first(e, i))
      continue;
    if (cpu_clause_is_inside(node, e->clauses.data[i]->region))
      loops |= 1u << n;
    n++;
  }
  return loops;
}

// ---------------------------------------------------------------- table

// The group whose threads share the iterations among them.
static const IrGroup *cpu_clause_group_of(const CpuEmit *e,
                                          const IrNode *clause) {
  const IrNode *owner = clause->region->owner;
  if (owner && owner->op == IR_THREAD_FOR)
    return owner->u.part.parent;
  return ir_node_group(e->kernel, owner ? owner : clause);
}

static uint32_t flags_of(const CpuEmit *e, const IrNode *clause) {
  bool is_uninit = clause->u.index.number & CLAIM_UNINIT;
  uint32_t flags = clause->op != IR_READS ? HD_CPU_CLAUSE_OWNS : 0;
  if (is_uninit && clause->op != IR_PRODUCES)
    flags |= HD_CPU_CLAUSE_UNINIT;
  else if (clause->op != IR_PRODUCES)
    flags |= HD_CPU_CLAUSE_CONTENTS;
  if (clause->u.index.number & CLAIM_PART)
    flags |= HD_CPU_CLAUSE_PART;
  if (clause->u.index.number & CLAIM_NEST)
    flags |= HD_CPU_CLAUSE_NEST;
  else if (code_is_scattered(cpu_clause_group_of(e, clause)))
    flags |= HD_CPU_CLAUSE_WARP;
  return flags;
}

LLVMValueRef cpu_clause_table(CpuEmit *e) {
  uint32_t n = e->clauses.count;
  if (n == 0)
    return LLVMConstNull(e->ptr);
  LLVMValueRef *rows = ARENA_ARRAY(e->arena, LLVMValueRef, n);
  for (uint32_t i = 0; i < n; i++) {
    const IrNode *clause = e->clauses.data[i];
    const IrObject *object = clause->u.index.object;
    LLVMValueRef fields[] = {
        cpu_i32(e, cpu_loc(e, clause->loc)),
        cpu_i32(e, loop_number(e, clause)),
        cpu_i32(e, flags_of(e, clause)),
        cpu_i32(e, ir_claim_names(clause)),
        cpu_i32(e, object ? cpu_array_row(e, object) : -1),
    };
    rows[i] = LLVMConstStructInContext(e->cx, fields,
                                       sizeof fields / sizeof fields[0], 0);
  }
  return cpu_constant_table(e, LLVMConstArray2(LLVMTypeOf(rows[0]), rows, n));
}

// --------------------------------------------------------------- telling

static uint32_t clause_number(const CpuEmit *e, const IrNode *node) {
  uint32_t i = 0;
  while (e->clauses.data[i] != node)
    i++;
  return i;
}

static LLVMValueRef spilled_operand(CpuEmit *e, const IrNode *node,
                                    uint32_t number) {
  LLVMValueRef v = cpu_as_vector(e, cpu_leaf(e, node->args[number], 0));
  v = LLVMBuildIntCast2(e->b, v, cpu_vector_of(e, e->i64), 1, CPU_NAME);
  return cpu_spilled_lanes(e, v, e->i64);
}

static LLVMValueRef operand_table(CpuEmit *e, const IrNode *node, uint32_t n) {
  LLVMValueRef table = cpu_alloca(e, LLVMArrayType2(e->ptr, n));
  for (uint32_t i = 0; i < n; i++)
    cpu_set_field(e, spilled_operand(e, node, i), table, i * sizeof(void *));
  return table;
}

static LLVMValueRef spilled_parts(CpuEmit *e, const IrNode *node) {
  const IrGroup *group = cpu_clause_group_of(e, node);
  bool is_one = node->u.index.number & CLAIM_NEST ||
                group->kind == GROUP_BLOCK || group->kind == GROUP_GRID ||
                group->kind == GROUP_CLUSTER;
  return cpu_spilled_lanes(e,
                           is_one ? LLVMConstNull(cpu_vector_of(e, e->i32))
                                  : cpu_part_numbers(e, group),
                           e->i32);
}

void cpu_tell_clause(CpuEmit *e, const IrNode *node) {
  if (!e->plan->has_checks || !node->u.index.object ||
      !(node->u.index.number & CLAIM_TURNS))
    return;
  uint32_t n = node->n_args - 1;
  LLVMValueRef operands = operand_table(e, node, n);
  LLVMValueRef turns = spilled_operand(e, node, n);
  LLVMValueRef parts = spilled_parts(e, node);
  CpuTold lanes = cpu_told_lanes(e, NULL);
  LLVMValueRef record =
      cpu_alloca(e, LLVMArrayType2(e->i8, sizeof(HdCpuClause)));
  LLVMSetAlignment(record, sizeof(void *));

  const struct {
    size_t offset;
    LLVMValueRef v;
  } fields[] = {
      {offsetof(HdCpuClause, parts), parts},
      {offsetof(HdCpuClause, turns), turns},
      {offsetof(HdCpuClause, operands), operands},
      {offsetof(HdCpuClause, number), cpu_i32(e, clause_number(e, node))},
      {offsetof(HdCpuClause, warp), lanes.warp},
      {offsetof(HdCpuClause, mask), lanes.bits},
  };

  for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
    cpu_set_field(e, fields[i].v, record, fields[i].offset);
  LLVMTypeRef types[2] = {e->ptr, e->ptr};
  LLVMValueRef args[2] = {e->block, record};
  cpu_tell_runtime(e, offsetof(HdCpuServices, check_clause), types, args, 2);
}
