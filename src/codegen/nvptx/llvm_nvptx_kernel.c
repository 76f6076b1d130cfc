// SPDX-License-Identifier: Apache-2.0
// The kernel's function: parameters, positions, shared memory, its end.
#include "base/panic.h"
#include "codegen/nvptx/llvm_nvptx.h"

#include <stdarg.h>
#include <string.h>

void nv_unsupported(NvEmit *e, const IrNode *node, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const char *reason = arena_vprintf(e->arena, format, args);
  va_end(args);
  nv_refuse(e->plan, node ? node->loc : 0, "%s", reason);
}

static void nvptx_kernel_make_types(NvEmit *e) {
  e->i1 = LLVMInt1TypeInContext(e->cx);
  e->i8 = LLVMInt8TypeInContext(e->cx);
  e->i16 = LLVMInt16TypeInContext(e->cx);
  e->i32 = LLVMInt32TypeInContext(e->cx);
  e->i64 = LLVMInt64TypeInContext(e->cx);
  e->f16 = LLVMHalfTypeInContext(e->cx);
  e->bf16 = LLVMBFloatTypeInContext(e->cx);
  e->f32 = LLVMFloatTypeInContext(e->cx);
  e->f64 = LLVMDoubleTypeInContext(e->cx);
  e->none = LLVMVoidTypeInContext(e->cx);
  for (unsigned space = 0; space < 8; space++)
    e->ptr[space] = LLVMPointerTypeInContext(e->cx, space);
}

static void nvptx_kernel_make_tables(NvEmit *e) {
  const IrKernel *kernel = e->kernel;
  uint32_t n_objects = kernel->objects.count, n_groups = kernel->groups.count;
  e->values = ARENA_ARRAY(e->arena, LLVMValueRef,
                          e->plan->node_leaf[kernel->n_nodes] + 1);
  e->var_slots = ARENA_ARRAY(e->arena, LLVMValueRef,
                             e->plan->var_leaf[kernel->vars.count] + 1);
  e->privates = ARENA_ARRAY(e->arena, LLVMValueRef, n_objects);
  e->object_base = ARENA_ARRAY(e->arena, LLVMValueRef, n_objects);
  e->global_base =
      ARENA_ARRAY(e->arena, LLVMValueRef, e->module->globals.count);
  e->targets = ARENA_ARRAY(e->arena, NvTarget, kernel->n_nodes);
  e->group_from = ARENA_ARRAY(e->arena, LLVMValueRef, n_groups);
  e->group_begin = ARENA_ARRAY(e->arena, LLVMValueRef, n_groups);
  e->group_made = ARENA_ARRAY(e->arena, LLVMValueRef, n_groups);
  e->group_leaders = ARENA_ARRAY(e->arena, LLVMValueRef, n_groups);
  e->group_turn = ARENA_ARRAY(e->arena, LLVMValueRef, n_groups);
  e->slots = ARENA_ARRAY(e->arena, LLVMValueRef,
                         kernel->n_slots + HD_CUDA_N_HIDDEN + 1);
}

// ---------------------------------------------------------- alias scopes

static LLVMMetadataRef nvptx_kernel_text_node(NvEmit *e, const char *text) {
  return LLVMMDStringInContext2(e->cx, text, strlen(text));
}

#define MOST_SCOPES 64 // the lists would be quadratic

static void make_scope_lists(NvEmit *e, const LLVMMetadataRef *scopes,
                             uint32_t n) {
  const CodeShared *shared = e->plan->shares ? e->plan->shared : NULL;
  for (uint32_t i = 0; i < n; i++) {
    LLVMMetadataRef others[MOST_SCOPES];
    uint32_t count = 0;
    for (uint32_t k = 0; k < n; k++)
      if (code_shared_are_apart(e->kernel, shared, i, k))
        others[count++] = scopes[k];
    if (count > 0)
      e->no_scopes[i] = LLVMMetadataAsValue(
          e->cx, LLVMMDNodeInContext2(e->cx, others, count));
  }
}

// One alias scope an object.
static void nvptx_kernel_make_scopes(NvEmit *e) {
  uint32_t n = e->kernel->objects.count;
  e->md_scope = LLVMGetMDKindIDInContext(e->cx, "alias.scope", 11);
  e->md_noalias = LLVMGetMDKindIDInContext(e->cx, "noalias", 7);
  e->md_invariant = LLVMGetMDKindIDInContext(e->cx, "invariant.load", 14);
  e->md_loop = LLVMGetMDKindIDInContext(e->cx, "llvm.loop", 9);
  e->md_empty = LLVMMDNodeInContext2(e->cx, NULL, 0);
  e->scopes = ARENA_ARRAY(e->arena, LLVMValueRef, n);
  e->no_scopes = ARENA_ARRAY(e->arena, LLVMValueRef, n);
  if (n > MOST_SCOPES)
    return;
  LLVMMetadataRef domain_parts[1] = {
      nvptx_kernel_text_node(e, e->kernel->name)};
  LLVMMetadataRef domain = LLVMMDNodeInContext2(e->cx, domain_parts, 1);
  LLVMMetadataRef scopes[MOST_SCOPES];
  for (uint32_t i = 0; i < n; i++) {
    LLVMMetadataRef parts[2] = {
        nvptx_kernel_text_node(e, arena_printf(e->arena, "object %u", i)),
        domain};
    scopes[i] = LLVMMDNodeInContext2(e->cx, parts, 2);
    e->scopes[i] =
        LLVMMetadataAsValue(e->cx, LLVMMDNodeInContext2(e->cx, &scopes[i], 1));
  }
  make_scope_lists(e, scopes, n);
}

// -------------------------------------------------------------- function

static void nvptx_kernel_add_text_attribute(NvEmit *e, const char *name,
                                            const char *value) {
  LLVMAddAttributeAtIndex(
      e->function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
      LLVMCreateStringAttribute(e->cx, name, (unsigned)strlen(name), value,
                                (unsigned)strlen(value)));
}

static void add_attribute(NvEmit *e, LLVMAttributeIndex index, const char *name,
                          uint64_t value) {
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  LLVMAddAttributeAtIndex(e->function, index,
                          LLVMCreateEnumAttribute(e->cx, kind, value));
}

// A struct by value that the kernel never writes.
static void add_struct_parameter(NvEmit *e, uint32_t number, LLVMTypeRef type,
                                 uint64_t align) {
  LLVMAttributeIndex index = number + 1;
  unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
  LLVMAddAttributeAtIndex(e->function, index,
                          LLVMCreateTypeAttribute(e->cx, kind, type));
  add_attribute(e, index, "align", align);
  add_attribute(e, index, "readonly", 0);
  static const char constant[] = "nvvm.grid_constant";
  LLVMAddAttributeAtIndex(
      e->function, index,
      LLVMCreateStringAttribute(e->cx, constant, sizeof constant - 1, "", 0));
}

static bool sets_no_registers(IrNode *node, void *context) {
  (void)context;
  return node->op != IR_SET_MAX_REGS;
}

// How many a thread begins with: all that fit, where the kernel doesn't say it.
int32_t nv_registers(const IrKernel *kernel) {
  enum { REGISTER_FILE = 65536, MOST = 255, STEP = 8 };

  const int32_t *block = kernel->block_dim;
  int32_t blocks = kernel->min_blocks > 0 ? kernel->min_blocks : 1;
  int32_t most =
      REGISTER_FILE / (block[0] * block[1] * block[2] * blocks) / STEP * STEP;
  if (kernel->max_registers > 0)
    return kernel->max_registers;
  return most < MOST ? most : MOST;
}

static void add_launch_bounds(NvEmit *e) {
  const IrKernel *kernel = e->kernel;
  IrRegion *body = (IrRegion *)(uintptr_t)&kernel->body;
  bool sets_registers = !ir_walk(body, sets_no_registers, NULL);
  const int32_t *block = kernel->block_dim, *cluster = kernel->cluster_dim;
  nvptx_kernel_add_text_attribute(
      e, "nvvm.reqntid",
      arena_printf(e->arena, "%d,%d,%d", block[0], block[1], block[2]));
  if (kernel->min_blocks > 0 || (sets_registers && !kernel->max_registers))
    nvptx_kernel_add_text_attribute(
        e, "nvvm.minctasm",
        arena_printf(e->arena, "%d",
                     kernel->min_blocks > 0 ? kernel->min_blocks : 1));
  if (kernel->max_registers > 0)
    nvptx_kernel_add_text_attribute(
        e, "nvvm.maxnreg", arena_printf(e->arena, "%d", kernel->max_registers));
  if (cluster[0] > 0 && e->sm >= 90)
    nvptx_kernel_add_text_attribute(
        e, "nvvm.cluster_dim",
        arena_printf(e->arena, "%d,%d,%d", cluster[0], cluster[1], cluster[2]));
}

static void begin_function(NvEmit *e) {
  uint32_t n_maps = e->plan->maps.count;
  LLVMTypeRef *types = ARENA_ARRAY(e->arena, LLVMTypeRef, n_maps + 1);
  for (uint32_t i = 0; i <= n_maps; i++)
    types[i] = e->ptr[NV_SPACE_GENERIC];
  LLVMTypeRef type = LLVMFunctionType(e->none, types, n_maps + 1, 0);
  e->function = LLVMAddFunction(e->llvm, "kernel", type);
  LLVMSetFunctionCallConv(e->function, LLVMPTXKernelCallConv);
  LLVMAttributeIndex self = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
  add_attribute(e, self, "nounwind", 0);
  add_attribute(e, self, "convergent", 0);
  add_launch_bounds(e);
  uint64_t n_words = (uint64_t)e->kernel->n_slots + HD_CUDA_N_HIDDEN +
                     e->module->globals.count;
  add_struct_parameter(e, 0, LLVMArrayType2(e->i64, n_words), 8);
  for (uint32_t i = 0; i < n_maps; i++)
    add_struct_parameter(e, i + 1, LLVMArrayType2(e->i8, 128), 64);
  LLVMBasicBlockRef entry = nv_new_block(e, "entry");
  LLVMBasicBlockRef start = nv_new_block(e, "start");
  LLVMPositionBuilderAtEnd(e->hoist, entry);
  LLVMPositionBuilderAtEnd(e->b, start);
  e->args = LLVMGetParam(e->function, 0);
}

static void declare_shared(NvEmit *e) {
  LLVMTypeRef type = LLVMArrayType2(e->i8, 0);
  e->shared =
      LLVMAddGlobalInAddressSpace(e->llvm, type, "hd_shared", NV_SPACE_SHARED);
  LLVMSetLinkage(e->shared, LLVMExternalLinkage);
  LLVMSetAlignment(e->shared, 1024);
}

// -------------------------------------------------------------- position

// A special register with the values [0, end).
static LLVMValueRef nvptx_kernel_special(NvEmit *e, const char *name,
                                         uint64_t end) {
  LLVMBuilderRef outer = e->b;
  e->b = e->hoist;
  LLVMValueRef v = nv_intrinsic(
      e, arena_printf(e->arena, "llvm.nvvm.read.ptx.sreg.%s", name), NULL, 0,
      NULL, 0);
  e->b = outer;
  const uint64_t bounds[] = {0, end};
  unsigned kind = LLVMGetEnumAttributeKindForName("range", 5);
  LLVMAddCallSiteAttribute(v, (LLVMAttributeIndex)LLVMAttributeReturnIndex,
                           LLVMCreateConstantRangeAttribute(
                               e->cx, kind, 32, &bounds[0], &bounds[1]));
  return v;
}

static LLVMValueRef nvptx_kernel_scaled(NvEmit *e, LLVMValueRef v, int64_t by) {
  return LLVMBuildNSWMul(e->hoist, v, nv_i32(e, by), NV_NAME);
}

static void find_thread(NvEmit *e) {
  static const char *const names[] = {"tid.x", "tid.y", "tid.z"};
  const int32_t *dim = e->kernel->block_dim;
  int64_t stride = 1;
  e->thread = NULL;
  for (uint32_t k = 0; k < 3; k++) {
    e->thread_index[k] = nv_i32(e, 0);
    if (dim[k] > 1) {
      LLVMValueRef v = nvptx_kernel_special(e, names[k], (uint64_t)dim[k]);
      e->thread_index[k] = v;
      v = stride == 1 ? v : nvptx_kernel_scaled(e, v, stride);
      e->thread =
          e->thread ? LLVMBuildNSWAdd(e->hoist, e->thread, v, NV_NAME) : v;
    }
    stride *= dim[k];
  }
  if (e->thread == NULL)
    e->thread = nv_i32(e, 0);
}

// The warp's number comes from its first lane, so that ptxas knows that all
// lanes have the same.
static void find_lane(NvEmit *e) {
  if (e->plan->n_warps == 1) {
    e->lane = e->thread;
    e->warp = nv_i32(e, 0);
    return;
  }
  e->lane = LLVMBuildAnd(e->hoist, e->thread, nv_i32(e, NV_WARP - 1), NV_NAME);
  LLVMBuilderRef outer = e->b;
  e->b = e->hoist;
  LLVMValueRef mine = LLVMBuildLShr(e->hoist, e->thread, nv_i32(e, 5), NV_NAME);
  uint32_t rest = e->plan->n_threads % NV_WARP;
  LLVMValueRef args[4] = {nv_i32(e, -1), mine, nv_i32(e, 0), nv_i32(e, 31)};
  e->warp = rest != 0 ? mine
                      : nv_intrinsic(e, "llvm.nvvm.shfl.sync.idx.i32", NULL, 0,
                                     args, 4);
  e->b = outer;
}

static void nvptx_kernel_find_block(NvEmit *e) {
  static const char *const index[] = {"ctaid.x", "ctaid.y", "ctaid.z"};
  static const char *const count[] = {"nctaid.x", "nctaid.y", "nctaid.z"};
  for (uint32_t k = 0; k < 3; k++) {
    uint64_t end = k == 0 ? INT32_MAX : 65536;
    e->index[k] = nvptx_kernel_special(e, index[k], end);
    e->grid[k] = nvptx_kernel_special(e, count[k], end);
  }
}

static void nvptx_kernel_make_privates(NvEmit *e) {
  for (uint32_t i = 0; i < e->kernel->objects.count; i++) {
    const IrObject *object = e->kernel->objects.data[i];
    if (object->space == SPACE_LOCAL)
      e->privates[i] = nv_private_array(e, object);
  }
}

void nv_emit_kernel(NvEmit *e, Arena *arena, NvPlan *plan, LLVMContextRef cx,
                    LLVMModuleRef module) {
  *e = (NvEmit){.arena = arena,
                .plan = plan,
                .module = plan->module,
                .kernel = plan->kernel,
                .sm = plan->sm,
                .cx = cx,
                .llvm = module};
  nvptx_kernel_make_types(e);
  nvptx_kernel_make_tables(e);
  nvptx_kernel_make_scopes(e);
  e->b = LLVMCreateBuilderInContext(cx);
  e->hoist = LLVMCreateBuilderInContext(cx);
  declare_shared(e);
  begin_function(e);
  nv_begin_lines(e);
  find_thread(e);
  find_lane(e);
  nvptx_kernel_find_block(e);
  nvptx_kernel_make_privates(e);
  nv_begin_barriers(e);
  if (nv_emit_region(e, &plan->kernel->body)) {
    nv_end_barriers(e);
    LLVMBuildRetVoid(e->b);
  }
  nv_end_faults(e);
  if (LLVMIsACallInst(e->warp) && LLVMGetFirstUse(e->warp) == NULL)
    LLVMInstructionEraseFromParent(e->warp); // LLVM keeps shuffles
  if (LLVMGetFirstUse(e->shared) == NULL)
    LLVMDeleteGlobal(e->shared);
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(e->function);
  LLVMBuildBr(e->hoist, LLVMGetNextBasicBlock(entry));
  nv_end_lines(e);
  LLVMDisposeBuilder(e->b);
  LLVMDisposeBuilder(e->hoist);
  e->b = e->hoist = NULL;
}
