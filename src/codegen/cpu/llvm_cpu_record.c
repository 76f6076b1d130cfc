// SPDX-License-Identifier: Apache-2.0
// The record `hd_kernel` that the runtime reads, and its tables.
#include "codegen/cpu/llvm_cpu.h"

LLVMValueRef cpu_constant_table(CpuEmit *e, LLVMValueRef value) {
  LLVMValueRef global = LLVMAddGlobal(e->llvm, LLVMTypeOf(value), "table");
  LLVMSetInitializer(global, value);
  LLVMSetLinkage(global, LLVMPrivateLinkage);
  LLVMSetGlobalConstant(global, 1);
  return global;
}

static LLVMValueRef barrier_table(CpuEmit *e) {
  const CpuPlan *plan = e->plan;
  LLVMTypeRef fields[3] = {e->ptr, e->i32, e->i32};
  LLVMTypeRef type = LLVMStructTypeInContext(e->cx, fields, 3, 0);
  LLVMValueRef *rows = ARENA_ARRAY(e->arena, LLVMValueRef, plan->n_barriers);
  for (uint32_t g = 0; g < e->kernel->groups.count; g++) {
    const CpuBarrierRows *group = &plan->barriers[g];
    if (group->first == UINT32_MAX)
      continue;
    const CodeParts *parts =
        code_parts_of(plan->parts, e->kernel->groups.data[g]);
    LLVMValueRef name = cpu_text(e, e->kernel->groups.data[g]->name);
    uint32_t n_begins = group->n_rows / group->n_levels;
    for (uint32_t i = 0; i < group->n_rows; i++) {
      int32_t begin = group->is_by_begin || parts == NULL
                          ? (int32_t)(i % n_begins << group->shift)
                          : parts->data[i].begin;
      LLVMValueRef row[3] = {name, cpu_i32(e, begin),
                             cpu_i32(e, group->n_threads)};
      rows[group->first + i] = LLVMConstStructInContext(e->cx, row, 3, 0);
    }
  }
  return cpu_constant_table(e, LLVMConstArray2(type, rows, plan->n_barriers));
}

static uint32_t cpu_record_element_count(const IrObject *object) {
  int64_t count = 1, extent;
  for (uint32_t k = 0; k < object->rank; k++)
    count *= code_host_const(object->extents[k], &extent) ? extent : 0;
  return (uint32_t)count;
}

typedef struct {
  CpuEmit *e;
  const IrObject *object;
  LLVMValueRef places[64];
  uint32_t count;
} Sources;

// What arrives on the barrier, or copies for it.
static bool note_source(IrNode *node, void *context) {
  Sources *sources = context;
  IrForm form = ir_op_info(node)->form;
  bool is_source = false;
  if (form == FORM_BARRIER)
    is_source = node->u.barrier.object == sources->object &&
                ir_op_info(node)->signals == EVENT_MBARRIER &&
                node->op != IR_MBAR_EXPECT;
  else if (form == FORM_COPY)
    is_source = node->u.copy.barrier == sources->object;
  if (is_source && sources->count < 64)
    sources->places[sources->count++] =
        cpu_i32(sources->e, cpu_loc(sources->e, node->loc));
  return true;
}

static LLVMValueRef source_table(CpuEmit *e, const IrObject *object,
                                 uint32_t *n) {
  Sources sources = {.e = e, .object = object};
  IrRegion body = e->kernel->body;
  ir_walk(&body, note_source, &sources);
  *n = sources.count;
  return sources.count
             ? cpu_constant_table(
                   e, LLVMConstArray2(e->i32, sources.places, sources.count))
             : LLVMConstNull(e->ptr);
}

// Arrays of mbarriers; *n is their number.
static LLVMValueRef mbarrier_table(CpuEmit *e, uint32_t *n) {
  const IrKernel *kernel = e->kernel;
  LLVMTypeRef fields[9] = {e->ptr, e->i64, e->i32, e->i32, e->i32,
                           e->i32, e->i32, e->i32, e->ptr};
  LLVMTypeRef type = LLVMStructTypeInContext(e->cx, fields, 9, 0);
  LLVMValueRef *rows =
      ARENA_ARRAY(e->arena, LLVMValueRef, kernel->objects.count + 1);
  *n = 0;
  for (uint32_t i = 0; i < kernel->objects.count; i++) {
    const IrObject *object = kernel->objects.data[i];
    if (object->kind != OBJECT_MBARRIER)
      continue;
    const CodeShared *place = &e->plan->shared[i];
    uint32_t n_sources;
    LLVMValueRef sources = source_table(e, object, &n_sources);
    LLVMValueRef row[9] = {
        cpu_text(e, object->name ? object->name : "mbarrier"),
        cpu_i64(e, (int64_t)place->offset_bytes),
        cpu_i32(e, cpu_record_element_count(object) * place->n_instances),
        cpu_i32(e, object->arrivals),
        cpu_i32(e, cpu_loc(e, object->loc)),
        cpu_i32(e, object->rank),
        cpu_i32(e, n_sources),
        cpu_i32(e, 0),
        sources};
    rows[(*n)++] = LLVMConstStructInContext(e->cx, row, 9, 0);
  }
  return *n ? cpu_constant_table(e, LLVMConstArray2(type, rows, *n))
            : LLVMConstNull(e->ptr);
}

static LLVMValueRef loc_table(CpuEmit *e) {
  uint32_t n = e->locs.count + 1;
  LLVMValueRef *rows = ARENA_ARRAY(e->arena, LLVMValueRef, n);
  rows[0] = cpu_text(e, "unknown place");
  for (uint32_t i = 1; i < n; i++)
    rows[i] =
        cpu_text(e, ir_loc_text(e->module, e->locs.data[i - 1], e->arena));
  return cpu_constant_table(e, LLVMConstArray2(e->ptr, rows, n));
}

void cpu_emit_record(CpuEmit *e, LLVMValueRef run_range, LLVMValueRef start,
                     LLVMValueRef strands) {
  const CpuPlan *plan = e->plan;
  uint32_t n_barriers = start ? plan->n_barriers : 0;
  LLVMValueRef null = LLVMConstNull(e->ptr);
  LLVMValueRef dims[4], cluster[4];
  for (int k = 0; k < 4; k++) {
    dims[k] = cpu_i32(e, k < 3 ? e->kernel->block_dim[k] : 0);
    cluster[k] = cpu_i32(e, k < 3 ? e->kernel->cluster_dim[k] : 0);
  }
  LLVMValueRef barriers = n_barriers ? barrier_table(e) : null;
  uint32_t n_mbarriers;
  LLVMValueRef mbarriers = mbarrier_table(e, &n_mbarriers);
  uint32_t n_arrays = 0;
  LLVMValueRef sites = cpu_site_table(e);
  LLVMValueRef arrays = plan->has_checks || e->sites.count > 0
                            ? cpu_array_table(e, &n_arrays)
                            : null;
  LLVMValueRef clauses = cpu_clause_table(e);
  LLVMValueRef locs = loc_table(e); // the last that names places
  LLVMValueRef fields[] = {
      cpu_i32(e, HD_CPU_ABI_VERSION),
      cpu_i32(e, start ? plan->n_strands : 0),
      cpu_text(e, e->kernel->name),
      cpu_text(e, e->module->name ? e->module->name : ""),
      run_range ? run_range : null,
      start ? start : null,
      strands ? strands : null,
      barriers,
      locs,
      cpu_i32(e, n_barriers),
      cpu_i32(e, e->locs.count + 1),
      LLVMConstArray2(e->i32, dims, 4),
      cpu_i64(e, (int64_t)plan->shared_bytes),
      cpu_i64(e, (int64_t)(plan->private_bytes <= CPU_STACK_LIMIT_BYTES
                               ? plan->private_bytes
                               : 0)),
      cpu_i32(e, plan->does_yield),
      cpu_i32(e, plan->has_checks),
      sites,
      arrays,
      cpu_i32(e, e->sites.count),
      cpu_i32(e, n_arrays),
      cpu_i32(e, plan->syncs_grid),
      cpu_i32(e, n_mbarriers),
      mbarriers,
      cpu_i32(e, plan->copy_kinds),
      cpu_i32(e, plan->copy_groups.count),
      cpu_i32(e, e->clauses.count),
      cpu_i32(e, (int64_t)plan->scratch_bytes),
      cpu_i32(e, e->kernel->is_of_tiles),
      LLVMConstArray2(e->i32, cluster, 4),
      clauses,
  };
  LLVMValueRef record = LLVMConstStructInContext(
      e->cx, fields, sizeof fields / sizeof fields[0], 0);
  LLVMValueRef global = LLVMAddGlobal(e->llvm, LLVMTypeOf(record), "hd_kernel");
  LLVMSetInitializer(global, record);
  LLVMSetGlobalConstant(global, 1);
}
