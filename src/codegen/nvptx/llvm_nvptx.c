// SPDX-License-Identifier: Apache-2.0
// The back end of NVIDIA GPUs: a thread is a thread. Its code is PTX as
// abi/cuda.h describes it, for the driver to assemble.
#include "codegen/nvptx/llvm_nvptx.h"
#include "codegen/code_ops.h"
#include "codegen/llvm_job.h"
#include "codegen/llvm_size.h"
#include "codegen/llvm_target.h"

#include "base/panic.h"
#include "base/rescue.h"
#include <stdlib.h>
#include <string.h>

typedef struct {
  CodeCompiler base;
  Arena *arena;
  int sm;
  LlvmTarget target;
} NvptxCompiler;

// Four warps, or those of the clause tile(warps(n)).
#define TILES(shared_kb)                                                       \
  .tile_lanes = 128, .most_tile_lanes = 1024, .runs_threads_at_once = true,    \
  .most_shared_bytes = (shared_kb)*1024

// Of products whose rows are spread over the threads of a block.
enum { ROW_BYTES = 512, ROWS_IN_REGISTERS = 10 };

// sm_80 is a subset of all that follow; code for the others runs on exactly
// these.
static const CodeModel models[] = {
    {.name = "sm_80", .capability = 80, .runs_on_later = true, TILES(163)},
    {.name = "sm_90a", .capability = 90, .is_usual = true, TILES(227)},
    {.name = "sm_100a", .capability = 100, TILES(227)},
};

enum { N_MODELS = sizeof models / sizeof models[0] };

// The oldest that has all instructions that are emitted, so that older drivers
// take the code.
static const char *const ptx_versions[N_MODELS] = {"ptx80", "ptx86", "ptx86"};

static void nvptx_start(void *context) {
  (void)context;
  llvm_initialise_nvptx();
}

static void nvptx_end(void *context) {
  llvm_target_fini(context);
}

static void nvptx_close(CodeCompiler *base) {
  NvptxCompiler *compiler = (NvptxCompiler *)base;
  if (compiler == NULL)
    return;
  rescue_paid(compiler);
  (void)rescue_foreign(nvptx_end,
                       &compiler->target); // else what LLVM has is lost
  arena_free(compiler->arena);
  free(compiler);
}

static void nvptx_release_compiler(void *compiler) {
  nvptx_close(compiler);
}

static CodeCompiler *nvptx_open(const CodeOptions *options,
                                const CodeModel *model) {
  NvptxCompiler *compiler = calloc(1, sizeof *compiler);
  if (compiler == NULL)
    rescue_out_of_memory();
  HD_ASSERT(model >= models && model < models + N_MODELS);
  const char *ptx = ptx_versions[model - models];
  rescue_owe(nvptx_release_compiler, compiler);
  compiler->arena = arena_new();
  compiler->sm = model->capability;
  if (rescue_foreign(nvptx_start, NULL) != RESCUE_DONE)
    rescue_out_of_memory();
  compiler->base.text = arena_printf(compiler->arena, "nvptx64 %s %s abi%d",
                                     model->name, ptx, HD_CUDA_ABI_VERSION);
  const char *features = arena_printf(compiler->arena, "+%s", ptx);
  compiler->target = (LlvmTarget){.triple = "nvptx64-nvidia-cuda",
                                  .cpu = model->name,
                                  .features = features,
                                  .opt_level = options->opt_level};
  compiler->base.vector_bytes = ROW_BYTES;
  compiler->base.n_vectors = ROWS_IN_REGISTERS;
  compiler->base.has_units = model->capability == 90;
  compiler->base.has_tensors = model->capability == 100;
  rescue_paid(compiler);
  arena_keep(compiler->arena);
  return &compiler->base;
}

// One call of this file's functions.
typedef struct {
  LlvmJob base;
  NvptxCompiler *compiler;
  Arena *arena;
  const IrModule *module;
  const IrKernel *kernel;
  Text *text, header;
} NvptxJob;

// The full list takes several times as long and gains nothing on what kernels
// are: no calls, addresses that are already sums. Induction variables keep
// their 32 bits, as additions of 64 take two instructions. The code generator
// joins loads and stores, and shares parts of addresses.
#define COMBINE "instcombine<no-verify-fixpoint;max-iterations=1>"
#define PASSES_EARLY                                                           \
  "infer-address-spaces,sroa,early-cse<memssa>," COMBINE ",simplifycfg"
#define PASSES_LOOPS "loop-mssa(loop-rotate,licm),loop(loop-unroll-full)"
#define PASSES_LATE                                                            \
  "sroa,early-cse<memssa>," COMBINE ",simplifycfg,loop-unroll,"                \
  "early-cse<memssa>," COMBINE ",simplifycfg,infer-alignment"

static const char *nvptx_pipeline(int opt_level) {
  if (opt_level == 0)
    return "always-inline,function(sroa)";
  if (opt_level == 1)
    return "always-inline,function(" PASSES_EARLY ")";
  return "always-inline,function(" PASSES_EARLY "," PASSES_LOOPS "," PASSES_LATE
         ")";
}

static HdStatus nvptx_check_size(NvptxJob *job, size_t n_operations) {
  return code_excess_check(job->arena, job->kernel, job->kernel, n_operations,
                           &job->compiler->base.excess, job->base.why);
}

static HdStatus nvptx_compile_begin(NvptxJob *job) {
  LlvmTarget *target = &job->compiler->target;
  NvEmit emit;
  job->compiler->base.excess = (CodeExcess){0};
  HD_TRY(nvptx_check_size(job, job->kernel->n_nodes));
  HD_TRY(llvm_target_open(target, job->arena, job->base.why));
  NvPlan *plan = nv_plan_new(job->arena, job->kernel, job->compiler->sm);
  if (plan->why == NULL) {
    llvm_unit_init(&job->base.unit, job->arena, target, job->kernel->name);
    nv_emit_kernel(&emit, job->arena, plan, job->base.unit.cx,
                   job->base.unit.module);
  }
  *job->base.why = plan->why;
  if (plan->why)
    return HD_ERROR_UNSUPPORTED;
  if (!nv_link_library(job->base.unit.module)) {
    *job->base.why = "the device math library can't be linked";
    return HD_ERROR_DEVICE;
  }
  HD_TRY(
      nvptx_check_size(job, llvm_size(job->base.unit.module).n_instructions));
  HD_TRY(llvm_optimise(&job->base.unit, target,
                       nvptx_pipeline(target->opt_level), job->base.why));
  HD_TRY(
      nvptx_check_size(job, llvm_size(job->base.unit.module).n_instructions));
  nv_take_normal(job->base.unit.module);
  nv_order_products(job->base.unit.module);
  nv_mend_forms(job->base.unit.module, job->kernel);
  nv_name_entry(&emit);
  nv_print_header(&emit, target->cpu, &job->header);
  return HD_OK;
}

static HdStatus nvptx_compile_job(LlvmJob *base) {
  NvptxJob *job = (NvptxJob *)base;
  LLVMMemoryBufferRef buffer = NULL;
  HdStatus status = nvptx_compile_begin(job);
  if (status == HD_OK)
    status = llvm_emit(&job->base.unit, &job->compiler->target, 3, true,
                       &buffer, job->base.why);
  if (status == HD_OK) {
    text_add(job->text, text_cstr(&job->header));
    text_add_n(job->text, LLVMGetBufferStart(buffer),
               LLVMGetBufferSize(buffer));
    LLVMDisposeMemoryBuffer(buffer);
  }
  return status;
}

static HdStatus nvptx_dump_job(LlvmJob *base) {
  NvptxJob *job = (NvptxJob *)base;
  HdStatus status = nvptx_compile_begin(job);
  if (status == HD_OK) {
    char *text = LLVMPrintModuleToString(job->base.unit.module);
    text_add(job->text, text);
    LLVMDisposeMessage(text);
  }
  return status;
}

static HdStatus nvptx_dump_shared(LlvmJob *base) {
  NvptxJob *job = (NvptxJob *)base;
  job->compiler->base.excess = (CodeExcess){0};
  HD_TRY(nvptx_check_size(job, job->kernel->n_nodes));
  const NvPlan *plan = nv_plan_new(job->arena, job->kernel, job->compiler->sm);
  *job->base.why = plan->why;
  if (plan->why)
    return HD_ERROR_UNSUPPORTED;
  code_shared_text(job->arena, plan->kernel, plan->shared,
                   plan->kernel->objects.count, plan->shared_bytes, job->text);
  return HD_OK;
}

static HdStatus nvptx_run_job(CodeCompiler *compiler, Arena *scratch,
                              const IrModule *module, const IrKernel *kernel,
                              Text *out, const char **why,
                              HdStatus (*work)(LlvmJob *job)) {
  HD_ASSERT(kernel->module == module && kernel->level <= LEVEL_THREAD);
  NvptxCompiler *of_nvptx = (NvptxCompiler *)compiler;
  NvptxJob job = {
      .base = {.target = &of_nvptx->target, .work = work, .why = why},
      .compiler = of_nvptx,
      .arena = scratch,
      .module = module,
      .kernel = kernel,
      .text = out,
      .header = {.arena = scratch}};
  *why = NULL;
  return llvm_job_run(&job.base, kernel->n_nodes);
}

static HdStatus nvptx_compile(CodeCompiler *compiler, Arena *scratch,
                              const IrModule *module, const IrKernel *kernel,
                              CodeObject *out, const char **why) {
  *out = (CodeObject){0};
  Text text = {.arena = scratch};
  HD_TRY(nvptx_run_job(compiler, scratch, module, kernel, &text, why,
                       nvptx_compile_job));
  out->data = strdup(text_cstr(&text));
  out->size_bytes = text.length;
  *why = "out of memory";
  return out->data ? HD_OK : HD_ERROR_MEMORY;
}

enum { STAGE_LLVM, STAGE_PTX, STAGE_SHARED };

static HdStatus nvptx_dump(CodeCompiler *compiler, Arena *scratch,
                           const IrModule *module, const IrKernel *kernel,
                           int stage, Text *out, const char **why) {
  static HdStatus (*const work[])(LlvmJob *
                                  job) = {[STAGE_LLVM] = nvptx_dump_job,
                                          [STAGE_PTX] = nvptx_compile_job,
                                          [STAGE_SHARED] = nvptx_dump_shared};
  HD_ASSERT(stage >= STAGE_LLVM && stage <= STAGE_SHARED);
  return nvptx_run_job(compiler, scratch, module, kernel, out, why,
                       work[stage]);
}

static bool nvptx_remark(Arena *arena, const IrKernel *kernel,
                         CodeRemark *out) {
  enum { NO_HARDWARE = 1092 };

  const IrGroup *group = nv_left_out(arena, kernel);
  if (!group || !group->maker)
    return false;
  *out = (CodeRemark){
      .code = NO_HARDWARE,
      .node = group->maker,
      .message = arena_printf(
          arena, "GPUs have no hardware barrier left for '%s'", group->name),
      .note = "a block has 15 besides its own, one for each part of a group "
              "that syncs; these threads meet at an mbarrier instead, which "
              "takes an arrival and a loop of tests each time"};
  return true;
}

static const char *const stages[] = {[STAGE_LLVM] = "llvm",
                                     [STAGE_PTX] = "ptx",
                                     [STAGE_SHARED] = "shared",
                                     NULL};

extern const CodeOps nvptx_code_ops;

const CodeOps nvptx_code_ops = {
    .device = "cuda",
    .models = models,
    .n_models = N_MODELS,
    .stages = stages,
    .open = nvptx_open,
    .close = nvptx_close,
    .compile = nvptx_compile,
    .dump = nvptx_dump,
    .remark = nvptx_remark,
};
