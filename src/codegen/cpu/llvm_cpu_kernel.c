// SPDX-License-Identifier: Apache-2.0
// The functions of a kernel and the record that the runtime reads.
//
//   never blocks   run_range: for each block, for each warp, the body
//   blocks         one coroutine for whole warps, one for parts of warps, and
//                  `start`, which picks one for a strand
#include "base/panic.h"
#include "codegen/cpu/llvm_cpu.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static void cpu_kernel_make_types(CpuEmit *e) {
  e->i1 = LLVMInt1TypeInContext(e->cx);
  e->i8 = LLVMInt8TypeInContext(e->cx);
  e->i16 = LLVMInt16TypeInContext(e->cx);
  e->i32 = LLVMInt32TypeInContext(e->cx);
  e->i64 = LLVMInt64TypeInContext(e->cx);
  e->f16 = LLVMHalfTypeInContext(e->cx);
  e->f32 = LLVMFloatTypeInContext(e->cx);
  e->f64 = LLVMDoubleTypeInContext(e->cx);
  e->ptr = LLVMPointerTypeInContext(e->cx, 0);
  e->none = LLVMVoidTypeInContext(e->cx);
  e->mask_type = cpu_vector_of(e, e->i1);
  CpuShape lane = cpu_affine(1);
  e->lane_ids = cpu_affine_offsets(e, e->i32, lane);
}

static LLVMMetadataRef cpu_kernel_text_node(CpuEmit *e, const char *text) {
  return LLVMMDStringInContext2(e->cx, text, strlen(text));
}

// One alias scope an object.
static void cpu_kernel_make_scopes(CpuEmit *e) {
  uint32_t n = e->kernel->objects.count;
  e->md_scope = LLVMGetMDKindIDInContext(e->cx, "alias.scope", 11);
  e->md_noalias = LLVMGetMDKindIDInContext(e->cx, "noalias", 7);
  e->md_invariant = LLVMGetMDKindIDInContext(e->cx, "invariant.load", 14);
  e->md_empty = LLVMMDNodeInContext2(e->cx, NULL, 0);
  e->scopes = ARENA_ARRAY(e->arena, LLVMValueRef, n);
  e->no_scopes = ARENA_ARRAY(e->arena, LLVMValueRef, n);
  if (n > 64)
    return; // the lists would be quadratic
  LLVMMetadataRef domain_parts[1] = {cpu_kernel_text_node(e, e->kernel->name)};
  LLVMMetadataRef domain = LLVMMDNodeInContext2(e->cx, domain_parts, 1);
  LLVMMetadataRef scopes[64];
  for (uint32_t i = 0; i < n; i++) {
    LLVMMetadataRef parts[2] = {
        cpu_kernel_text_node(e, arena_printf(e->arena, "object %u", i)),
        domain};
    scopes[i] = LLVMMDNodeInContext2(e->cx, parts, 2);
    e->scopes[i] =
        LLVMMetadataAsValue(e->cx, LLVMMDNodeInContext2(e->cx, &scopes[i], 1));
  }
  const CodeShared *shared = e->plan->shares ? e->plan->shared : NULL;
  for (uint32_t i = 0; i < n; i++) {
    LLVMMetadataRef others[64];
    uint32_t count = 0;
    for (uint32_t k = 0; k < n; k++)
      if (code_shared_are_apart(e->kernel, shared, i, k))
        others[count++] = scopes[k];
    if (count > 0)
      e->no_scopes[i] = LLVMMetadataAsValue(
          e->cx, LLVMMDNodeInContext2(e->cx, others, count));
  }
}

// -------------------------------------------------------------- functions

static void add_text_attribute(CpuEmit *e, LLVMValueRef function,
                               const char *name, const char *value) {
  LLVMAddAttributeAtIndex(
      function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
      LLVMCreateStringAttribute(e->cx, name, (unsigned)strlen(name), value,
                                (unsigned)strlen(value)));
}

static void cpu_kernel_add_attribute(CpuEmit *e, LLVMValueRef function,
                                     const char *name) {
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  LLVMAddAttributeAtIndex(function,
                          (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                          LLVMCreateEnumAttribute(e->cx, kind, 0));
}

static void function_begin(CpuEmit *e, const char *name, LLVMTypeRef type) {
  e->function = LLVMAddFunction(e->llvm, name, type);
  LLVMSetLinkage(e->function, LLVMInternalLinkage);
  cpu_kernel_add_attribute(e, e->function, "nounwind");
  add_text_attribute(e, e->function, "target-cpu", e->target->cpu);
  add_text_attribute(e, e->function, "target-features", e->target->features);
  const char *width = arena_printf(e->arena, "%u", e->target->vector_bytes * 8);
  add_text_attribute(e, e->function, "prefer-vector-width", width);
  add_text_attribute(e, e->function, "min-legal-vector-width", width);
  LLVMBasicBlockRef entry = cpu_new_block(e, "entry");
  LLVMBasicBlockRef start = cpu_new_block(e, "start");
  LLVMPositionBuilderAtEnd(e->hoist, entry);
  LLVMPositionBuilderAtEnd(e->b, start);
  e->launch = LLVMGetParam(e->function, 0);
  e->block = LLVMGetParam(e->function, 1);
  const IrKernel *kernel = e->kernel;
  e->slots = ARENA_ARRAY(e->arena, LLVMValueRef, kernel->n_slots + 1);
  e->object_base = ARENA_ARRAY(e->arena, LLVMValueRef, kernel->objects.count);
  e->privates = ARENA_ARRAY(e->arena, LLVMValueRef, kernel->objects.count);
  e->line_masks = ARENA_ARRAY(e->arena, LLVMValueRef, kernel->objects.count);
  e->global_base =
      ARENA_ARRAY(e->arena, LLVMValueRef, e->module->globals.count);
  e->first_lane = NULL;
  e->matrix_now = NULL;
  e->mask = NULL;
}

// The entry block goes on to the code.
static void function_end(CpuEmit *e) {
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(e->function);
  LLVMBuildBr(e->hoist, LLVMGetNextBasicBlock(entry));
}

static LLVMValueRef hoisted_i32(CpuEmit *e, LLVMValueRef record,
                                size_t offset_bytes) {
  LLVMValueRef offset = cpu_i64(e, (int64_t)offset_bytes);
  LLVMValueRef at =
      LLVMBuildGEP2(e->hoist, e->i8, record, &offset, 1, CPU_NAME);
  LLVMValueRef load = LLVMBuildLoad2(e->hoist, e->i32, at, CPU_NAME);
  LLVMSetMetadata(load, e->md_invariant,
                  LLVMMetadataAsValue(e->cx, e->md_empty));
  return load;
}

static void load_grid(CpuEmit *e) {
  for (size_t k = 0; k < 3; k++)
    e->grid[k] = hoisted_i32(e, e->launch,
                             offsetof(HdCpuLaunch, grid) + k * sizeof(int32_t));
}

LLVMValueRef cpu_private_array(CpuEmit *e, uint64_t bytes) {
  if (e->plan->private_bytes <= CPU_STACK_LIMIT_BYTES) {
    LLVMValueRef slot = cpu_alloca(e, LLVMArrayType2(e->i8, bytes));
    LLVMSetAlignment(slot, 64);
    return slot;
  }
  LLVMTypeRef types[2] = {e->ptr, e->i64};
  LLVMTypeRef type = LLVMFunctionType(e->ptr, types, 2, 0);
  LLVMValueRef args[2] = {e->block, cpu_i64(e, (int64_t)bytes)};
  LLVMValueRef service =
      cpu_service(e, offsetof(HdCpuServices, frame_alloc) / sizeof(void *));
  return LLVMBuildCall2(e->b, type, service, args, 2, CPU_NAME);
}

static void cpu_kernel_make_privates(CpuEmit *e) {
  for (uint32_t i = 0; i < e->kernel->objects.count; i++) {
    const IrObject *object = e->kernel->objects.data[i];
    if (object->space == SPACE_LOCAL)
      e->privates[i] =
          cpu_private_array(e, e->plan->privates[i].size_bytes * e->lanes);
  }
}

static void make_var_slots(CpuEmit *e) {
  uint32_t n = e->plan->n_var_leaves;
  e->var_slots = arena_alloc_array(e->arena, n, sizeof(e->var_slots[0]));
}

// The kernel's body for one warp. Control ends in a new block.
static void cpu_kernel_emit_body(CpuEmit *e) {
  LLVMBasicBlockRef end = cpu_new_block(e, "body_end");
  CpuSkip skip = {end, NULL}, *outer = e->skip;
  e->skip = &skip;
  memset(e->env, 0, e->plan->n_var_leaves * sizeof(CpuShape));
  cpu_begin_groups(e);
  if (cpu_emit_region(e, &e->kernel->body))
    LLVMBuildBr(e->b, end);
  cpu_begin_block(e, end);
  e->skip = outer;
}

// --------------------------------------------------------------- run_range

// Note [Counters that LLVM doesn't see through]
// The loops over blocks and warps are ours, and addresses in their bodies are
// already a base and a scaled counter, which is what the processor wants.
// Strength reduction would give every array a pointer of its own that counts
// along: more live registers, spills, and a fifth of the whole compile time. It
// leaves alone what isn't a recurrence, so the next count, in [0, end), passes
// through an empty piece of assembly. Short phases in a loop are another
// matter: there every instruction counts.
LLVMValueRef cpu_hide_count(CpuEmit *e, LLVMValueRef count, uint64_t end) {
  static const char range[] = "range";
  LLVMTypeRef type = LLVMFunctionType(e->i64, &e->i64, 1, 0);
  LLVMValueRef hidden = LLVMGetInlineAsm(type, "", 0, "=r,0", 4, 0, 0,
                                         LLVMInlineAsmDialectATT, 0);
  LLVMValueRef call = LLVMBuildCall2(e->b, type, hidden, &count, 1, CPU_NAME);
  const uint64_t bounds[] = {0, end};
  unsigned kind = LLVMGetEnumAttributeKindForName(range, sizeof range - 1);
  LLVMAddCallSiteAttribute(call, (LLVMAttributeIndex)LLVMAttributeReturnIndex,
                           LLVMCreateConstantRangeAttribute(
                               e->cx, kind, 64, &bounds[0], &bounds[1]));
  return call;
}

// Values that repeat within a warp: `rank % 16` in blocks of 16 x 16 threads.
static bool cpu_kernel_has_rows(const CpuPlan *plan) {
  uint32_t n = plan->node_leaf[plan->kernel->n_nodes];
  for (uint32_t i = 0; i < n; i++)
    if (plan->shapes[i].kind == CPU_AFFINE &&
        plan->shapes[i].period_log2 < CPU_WARP_LOG2)
      return true;
  return false;
}

static void one_warp(CpuEmit *e, uint32_t warp,
                     void (*body)(CpuEmit *e, void *context), void *context) {
  e->warp_index = cpu_i64(e, warp);
  e->warp_rank = cpu_i64(e, (int64_t)warp * CPU_WARP);
  body(e, context);
}

// Counts ranks, which addresses then scale for free; but warps, if the low bits
// of ranks must stay known.
static void each_of_several(CpuEmit *e, uint32_t first, uint32_t last,
                            void (*body)(CpuEmit *e, void *context),
                            void *context) {
  bool is_hidden = e->phased_depth == 0;
  bool counts_warps = is_hidden && cpu_kernel_has_rows(e->plan);
  int64_t step = counts_warps ? 1 : CPU_WARP, end_count = last * step;
  LLVMBasicBlockRef header = cpu_new_block(e, "warp");
  LLVMBasicBlockRef end = cpu_new_block(e, "warps_end");
  LLVMValueRef slot = cpu_alloca(e, e->i64), lanes = cpu_i64(e, CPU_WARP);
  LLVMBuildStore(e->b, cpu_i64(e, first * step), slot);
  LLVMBuildBr(e->b, header);
  cpu_begin_block(e, header);
  LLVMValueRef count = cpu_load_slot(e, e->i64, slot);
  e->warp_index =
      counts_warps ? count : LLVMBuildExactUDiv(e->b, count, lanes, CPU_NAME);
  e->warp_rank =
      counts_warps ? LLVMBuildNUWMul(e->b, count, lanes, CPU_NAME) : count;
  body(e, context);
  LLVMValueRef next = LLVMBuildNUWAdd(e->b, cpu_load_slot(e, e->i64, slot),
                                      cpu_i64(e, step), CPU_NAME);
  if (is_hidden)
    next = cpu_hide_count(e, next, (uint64_t)end_count + 1);
  LLVMBuildStore(e->b, next, slot);
  LLVMValueRef more =
      LLVMBuildICmp(e->b, LLVMIntULT, next, cpu_i64(e, end_count), CPU_NAME);
  LLVMBuildCondBr(e->b, more, header, end);
  cpu_begin_block(e, end);
}

// Warps [first, last) of a block, all lanes of them.
static void each_full_warp(CpuEmit *e, uint32_t first, uint32_t last,
                           void (*body)(CpuEmit *e, void *context),
                           void *context) {
  e->mask = NULL;
  e->warp_ranks =
      (CpuRanks){(int64_t)first * CPU_WARP, (int64_t)last * CPU_WARP - 1};
  if (last - first == 1)
    one_warp(e, first, body, context);
  else
    each_of_several(e, first, last, body, context);
}

static LLVMValueRef first_lanes(CpuEmit *e, uint32_t n) {
  LLVMValueRef bits[CPU_WARP];
  for (uint32_t i = 0; i < e->lanes; i++)
    bits[i] = LLVMConstInt(e->i1, i < n, 0);
  return LLVMConstVector(bits, e->lanes);
}

void cpu_some_warps(CpuEmit *e, uint32_t first, uint32_t last,
                    void (*body)(CpuEmit *e, void *context), void *context) {
  uint32_t n_full = e->plan->n_threads / CPU_WARP;
  uint32_t rest = e->plan->n_threads % CPU_WARP;
  if (first < n_full)
    each_full_warp(e, first, last < n_full ? last : n_full, body, context);
  if (last > n_full && rest > 0) {
    e->mask = first_lanes(e, rest);
    e->warp_ranks =
        (CpuRanks){(int64_t)n_full * CPU_WARP, (int64_t)e->plan->n_threads - 1};
    one_warp(e, n_full, body, context);
  }
  e->mask = NULL;
}

void cpu_each_warp(CpuEmit *e, void (*body)(CpuEmit *e, void *context),
                   void *context) {
  cpu_some_warps(e, 0, e->plan->n_warps, body, context);
}

static void emit_warp(CpuEmit *e, void *context) {
  (void)context;
  make_var_slots(e);
  cpu_kernel_emit_body(e);
}

static LLVMValueRef emit_run_range(CpuEmit *e) {
  LLVMTypeRef types[4] = {e->ptr, e->ptr, e->i64, e->i64};
  function_begin(e, "hd_run_range", LLVMFunctionType(e->none, types, 4, 0));
  load_grid(e);
  CpuRange range = cpu_range_begin(e);
  cpu_kernel_make_privates(e);
  cpu_range_enter(e, &range);
  if (e->plan->phases) {
    make_var_slots(e);
    cpu_emit_phases(e);
  } else {
    cpu_each_warp(e, emit_warp, NULL);
  }
  cpu_range_end(e, &range);
  function_end(e);
  return e->function;
}

// ------------------------------------------------------------- coroutines

// Lanes [begin, end) of a warp, known when the strand starts.
static void set_part_mask(CpuEmit *e, LLVMValueRef begin, LLVMValueRef end) {
  e->first_lane = begin;
  e->n_active = LLVMBuildSub(e->b, end, begin, CPU_NAME);
  LLVMValueRef from = LLVMBuildICmp(e->b, LLVMIntUGE, e->lane_ids,
                                    cpu_splat(e, begin), CPU_NAME);
  LLVMValueRef to =
      LLVMBuildICmp(e->b, LLVMIntULT, e->lane_ids, cpu_splat(e, end), CPU_NAME);
  e->mask = LLVMBuildAnd(e->b, from, to, CPU_NAME);
}

static void load_block_index(CpuEmit *e) {
  for (size_t k = 0; k < 3; k++)
    e->index[k] = hoisted_i32(
        e, e->block, offsetof(HdCpuBlock, index) + k * sizeof(int32_t));
  LLVMValueRef offset = cpu_i64(e, offsetof(HdCpuBlock, linear));
  LLVMValueRef at =
      LLVMBuildGEP2(e->hoist, e->i8, e->block, &offset, 1, CPU_NAME);
  e->linear = LLVMBuildLoad2(e->hoist, e->i64, at, CPU_NAME);
}

// (launch, block, warp, begin, end, strand) -> frame
static LLVMValueRef emit_strand(CpuEmit *e, const char *name, bool is_part) {
  LLVMTypeRef types[6] = {e->ptr, e->ptr, e->i32, e->i32, e->i32, e->i32};
  function_begin(e, name, LLVMFunctionType(e->ptr, types, 6, 0));
  cpu_kernel_add_attribute(e, e->function, "presplitcoroutine");
  e->is_coroutine = true;
  LLVMValueRef warp = LLVMGetParam(e->function, 2);
  e->strand_index = LLVMGetParam(e->function, 5);
  load_grid(e);
  load_block_index(e);
  cpu_coro_begin(e);
  make_var_slots(e);
  cpu_kernel_make_privates(e);
  e->yield_counter = cpu_alloca(e, e->i32);
  LLVMBuildStore(e->b, cpu_i32(e, 0), e->yield_counter);
  if (e->plan->does_yield) {
    e->has_written = cpu_alloca(e, e->i64);
    LLVMBuildStore(e->b, cpu_i64(e, 0), e->has_written);
  }
  if (e->plan->n_warps == 1)
    warp = cpu_i32(e, 0);
  LLVMValueRef wide = LLVMBuildSExt(e->b, warp, e->i64, CPU_NAME);
  e->warp_rank = LLVMBuildMul(e->b, wide, cpu_i64(e, CPU_WARP), CPU_NAME);
  e->n_active = cpu_i32(e, e->lanes);
  LLVMValueRef begin = LLVMGetParam(e->function, 3);
  if (e->lanes == 1)
    e->warp_rank =
        LLVMBuildAdd(e->b, e->warp_rank,
                     LLVMBuildSExt(e->b, begin, e->i64, CPU_NAME), CPU_NAME);
  else if (is_part)
    set_part_mask(e, begin, LLVMGetParam(e->function, 4));
  cpu_kernel_emit_body(e);
  cpu_end_streams(e);
  cpu_coro_end(e);
  function_end(e);
  e->is_coroutine = false;
  e->has_written = NULL;
  return e->function;
}

static LLVMValueRef strand_table(CpuEmit *e) {
  const CpuPlan *plan = e->plan;
  LLVMTypeRef fields[3] = {e->i32, e->i16, e->i16};
  LLVMTypeRef type = LLVMStructTypeInContext(e->cx, fields, 3, 0);
  LLVMValueRef *rows = ARENA_ARRAY(e->arena, LLVMValueRef, plan->n_strands);
  for (uint32_t i = 0; i < plan->n_strands; i++) {
    LLVMValueRef row[3] = {LLVMConstInt(e->i32, plan->strands[i].warp, 0),
                           LLVMConstInt(e->i16, plan->strands[i].begin, 0),
                           LLVMConstInt(e->i16, plan->strands[i].end, 0)};
    rows[i] = LLVMConstStructInContext(e->cx, row, 3, 0);
  }
  LLVMValueRef table = LLVMConstArray2(type, rows, plan->n_strands);
  LLVMValueRef global = LLVMAddGlobal(e->llvm, LLVMTypeOf(table), "strands");
  LLVMSetInitializer(global, table);
  LLVMSetLinkage(global, LLVMPrivateLinkage);
  LLVMSetGlobalConstant(global, 1);
  return global;
}

static bool cpu_kernel_is_whole(const CpuStrand *strand) {
  return strand->end - strand->begin == CPU_WARP;
}

static LLVMValueRef call_strand(CpuEmit *e, LLVMValueRef strand,
                                LLVMValueRef *args) {
  LLVMTypeRef types[6] = {e->ptr, e->ptr, e->i32, e->i32, e->i32, e->i32};
  LLVMTypeRef type = LLVMFunctionType(e->ptr, types, 6, 0);
  return LLVMBuildCall2(e->b, type, strand, args, 6, CPU_NAME);
}

// Returns the frame, or NULL if it has ended already.
static void return_frame(CpuEmit *e, LLVMValueRef frame) {
  LLVMValueRef resume = LLVMBuildLoad2(e->b, e->ptr, frame, CPU_NAME);
  LLVMValueRef ended = LLVMBuildIsNull(e->b, resume, CPU_NAME);
  LLVMValueRef null = LLVMConstNull(e->ptr);
  LLVMBuildRet(e->b, LLVMBuildSelect(e->b, ended, null, frame, CPU_NAME));
}

static LLVMValueRef emit_start(CpuEmit *e, LLVMValueRef table,
                               LLVMValueRef whole, LLVMValueRef part) {
  LLVMTypeRef types[3] = {e->ptr, e->ptr, e->i32};
  function_begin(e, "hd_start", LLVMFunctionType(e->ptr, types, 3, 0));
  LLVMValueRef strand = LLVMGetParam(e->function, 2);
  LLVMValueRef offset =
      LLVMBuildMul(e->b, LLVMBuildSExt(e->b, strand, e->i64, CPU_NAME),
                   cpu_i64(e, sizeof(HdCpuStrand)), CPU_NAME);
  LLVMValueRef row = LLVMBuildGEP2(e->b, e->i8, table, &offset, 1, CPU_NAME);
  LLVMValueRef begin = LLVMBuildSExt(
      e->b, cpu_field(e, e->i16, row, offsetof(HdCpuStrand, lane_begin)),
      e->i32, CPU_NAME);
  LLVMValueRef end = LLVMBuildSExt(
      e->b, cpu_field(e, e->i16, row, offsetof(HdCpuStrand, lane_end)), e->i32,
      CPU_NAME);
  LLVMValueRef args[6] = {
      e->launch,
      e->block,
      cpu_field(e, e->i32, row, offsetof(HdCpuStrand, warp)),
      begin,
      end,
      strand};
  if (whole && part) {
    LLVMBasicBlockRef if_whole = cpu_new_block(e, "whole");
    LLVMBasicBlockRef if_part = cpu_new_block(e, "part");
    LLVMValueRef count = LLVMBuildSub(e->b, end, begin, CPU_NAME);
    LLVMValueRef is_full =
        LLVMBuildICmp(e->b, LLVMIntEQ, count, cpu_i32(e, CPU_WARP), CPU_NAME);
    LLVMBuildCondBr(e->b, is_full, if_whole, if_part);
    cpu_begin_block(e, if_whole);
    return_frame(e, call_strand(e, whole, args));
    cpu_begin_block(e, if_part);
  }
  return_frame(e, call_strand(e, part ? part : whole, args));
  function_end(e);
  return e->function;
}

static void emit_init(CpuEmit *e) {
  const IrKernel *kernel = e->kernel;
  Arena *arena = e->arena;
  e->lanes = e->plan->lanes;
  cpu_kernel_make_types(e);
  cpu_kernel_make_scopes(e);
  e->b = LLVMCreateBuilderInContext(e->cx);
  e->hoist = LLVMCreateBuilderInContext(e->cx);
  uint32_t n_leaves = e->plan->node_leaf[kernel->n_nodes];
  e->values = ARENA_ARRAY(arena, CpuLeaf, n_leaves + 1);
  e->env = ARENA_ARRAY(arena, CpuShape, e->plan->n_var_leaves);
  e->targets = ARENA_ARRAY(arena, CpuTarget *, kernel->n_nodes);
  uint32_t n_groups = kernel->groups.count;
  e->ranks = ARENA_ARRAY(arena, CpuLeaf, n_groups);
  e->counts = ARENA_ARRAY(arena, CpuLeaf, n_groups);
  e->instances = ARENA_ARRAY(arena, CpuLeaf, n_groups);
  e->site_number = ARENA_ARRAY(arena, uint32_t, kernel->n_nodes);
  e->loc_number = ARENA_ARRAY(arena, uint32_t, e->module->locs.count);
  e->written = ARENA_ARRAY(arena, uint8_t,
                           kernel->objects.count + e->module->globals.count);
  if (e->plan->has_checks)
    cpu_find_clauses(e);
}

bool cpu_emit_kernel(Arena *arena, const CpuPlan *plan,
                     const LlvmTarget *target, LLVMContextRef cx,
                     LLVMModuleRef module, const char **why) {
  CpuEmit e = {.arena = arena,
               .plan = plan,
               .module = plan->module,
               .kernel = plan->kernel,
               .target = target,
               .cx = cx,
               .llvm = module};
  (void)why;
  emit_init(&e);
  if (!plan->is_blocking || plan->phases) {
    cpu_emit_record(&e, emit_run_range(&e), NULL, NULL);
  } else {
    bool has_whole = false, has_part = plan->lanes == 1;
    for (uint32_t i = 0; i < plan->n_strands && plan->lanes > 1; i++) {
      has_whole |= cpu_kernel_is_whole(&plan->strands[i]);
      has_part |= !cpu_kernel_is_whole(&plan->strands[i]);
    }
    LLVMValueRef whole = has_whole ? emit_strand(&e, "hd_strand", false) : NULL;
    LLVMValueRef part =
        has_part ? emit_strand(&e, "hd_part_strand", true) : NULL;
    LLVMValueRef table = strand_table(&e);
    cpu_emit_record(&e, NULL, emit_start(&e, table, whole, part), table);
  }
  LLVMDisposeBuilder(e.b);
  LLVMDisposeBuilder(e.hoist);
  return true;
}
