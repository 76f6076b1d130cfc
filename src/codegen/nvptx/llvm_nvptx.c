// SPDX-License-Identifier: Apache-2.0
// The stages of compiling one kernel for an NVIDIA GPU.
#include "codegen/nvptx/llvm_nvptx.h"
#include "codegen/code_excess.h"
#include "codegen/codegen_nvptx.h"
#include "codegen/deep_stack.h"
#include "codegen/llvm_size.h"
#include "codegen/llvm_target.h"

#include "base/panic.h"
#include "base/rescue.h"
#include <stdlib.h>
#include <string.h>

struct NvptxCompiler {
  Arena *arena;
  int sm;
  LlvmTarget target;
  CodeExcess excess;
};

// PTX versions: the oldest that has all instructions that are emitted, so that
// older drivers take the code.
typedef struct {
  int sm;
  const char *cpu, *features, *ptx;
} Model;

static const Model models[] = {
    {80, "sm_80", "+ptx80", "ptx80"},
    {90, "sm_90a", "+ptx86", "ptx86"},
    {100, "sm_100a", "+ptx86", "ptx86"},
};

static const Model *model_of(int sm) {
  for (size_t i = 0; i < sizeof models / sizeof models[0]; i++)
    if (models[i].sm == sm)
      return &models[i];
  HD_PANIC("no code generation for sm_%d", sm);
}

static void start(void *context) {
  (void)context;
  llvm_initialise_nvptx();
}

static void release_compiler(void *compiler) {
  nvptx_compiler_free(compiler);
}

NvptxCompiler *nvptx_compiler_new(const NvptxOptions *options) {
  NvptxCompiler *compiler = calloc(1, sizeof *compiler);
  if (compiler == NULL)
    rescue_out_of_memory();
  const Model *model = model_of(options->sm);
  rescue_owe(release_compiler, compiler);
  compiler->arena = arena_new();
  compiler->sm = options->sm;
  if (rescue_foreign(start, NULL) != RESCUE_DONE)
    rescue_out_of_memory();
  rescue_paid(compiler);
  arena_keep(compiler->arena);
  compiler->target = (LlvmTarget){.triple = "nvptx64-nvidia-cuda",
                                  .cpu = model->cpu,
                                  .features = model->features,
                                  .opt_level = options->opt_level};
  return compiler;
}

static void end(void *context) {
  llvm_target_fini(context);
}

void nvptx_compiler_free(NvptxCompiler *compiler) {
  if (compiler == NULL)
    return;
  rescue_paid(compiler);
  (void)rescue_foreign(end, &compiler->target); // else what LLVM has is lost
  arena_free(compiler->arena);
  free(compiler);
}

const CodeExcess *nvptx_excess(const NvptxCompiler *compiler) {
  return &compiler->excess;
}

const char *nvptx_target_text(NvptxCompiler *compiler) {
  const Model *model = model_of(compiler->sm);
  return arena_printf(compiler->arena, "nvptx64 %s %s abi%d", model->cpu,
                      model->ptx, HD_CUDA_ABI_VERSION);
}

// One call of this file's functions, on whichever stack it runs.
typedef struct {
  NvptxCompiler *compiler;
  Arena *arena;
  const IrModule *module;
  const IrKernel *kernel;
  LlvmUnit unit;
  Text *text, header;
  const char **why;
  HdStatus status;
  void (*work)(void *job);
} Job;

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

static const char *pipeline(int opt_level) {
  if (opt_level == 0)
    return "always-inline,function(sroa)";
  if (opt_level == 1)
    return "always-inline,function(" PASSES_EARLY ")";
  return "always-inline,function(" PASSES_EARLY "," PASSES_LOOPS "," PASSES_LATE
         ")";
}

static HdStatus check_size(Job *job, size_t n_operations) {
  return code_excess_check(job->arena, job->kernel, job->kernel, n_operations,
                           &job->compiler->excess, job->why);
}

static HdStatus compile_begin(Job *job) {
  LlvmTarget *target = &job->compiler->target;
  NvEmit emit;
  job->compiler->excess = (CodeExcess){0};
  HD_TRY(check_size(job, job->kernel->n_nodes));
  HD_TRY(llvm_target_open(target, job->arena, job->why));
  NvPlan *plan = nv_plan_new(job->arena, job->kernel, job->compiler->sm);
  if (plan->why == NULL) {
    llvm_unit_init(&job->unit, job->arena, target, job->kernel->name);
    nv_emit_kernel(&emit, job->arena, plan, job->unit.cx, job->unit.module);
  }
  *job->why = plan->why;
  if (plan->why)
    return HD_ERROR_UNSUPPORTED;
  if (!nv_link_library(job->unit.module)) {
    *job->why = "the device math library can't be linked";
    return HD_ERROR_DEVICE;
  }
  HD_TRY(check_size(job, llvm_size(job->unit.module).n_instructions));
  HD_TRY(
      llvm_optimise(&job->unit, target, pipeline(target->opt_level), job->why));
  HD_TRY(check_size(job, llvm_size(job->unit.module).n_instructions));
  nv_take_normal(job->unit.module);
  nv_order_products(job->unit.module);
  nv_mend_forms(job->unit.module, job->kernel);
  nv_name_entry(&emit);
  nv_print_header(&emit, target->cpu, &job->header);
  return HD_OK;
}

// What a fatal error left behind is never used again.
static void compile_end(Job *job) {
  if (job->unit.is_abandoned)
    job->compiler->target.machine = NULL;
  llvm_unit_fini(&job->unit);
}

static void compile_job(void *context) {
  Job *job = context;
  LLVMMemoryBufferRef buffer = NULL;
  HdStatus status = compile_begin(job);
  if (status == HD_OK)
    status = llvm_emit(&job->unit, &job->compiler->target, false, true, &buffer,
                       job->why);
  if (status == HD_OK) {
    text_add(job->text, text_cstr(&job->header));
    text_add_n(job->text, LLVMGetBufferStart(buffer),
               LLVMGetBufferSize(buffer));
    LLVMDisposeMemoryBuffer(buffer);
  }
  compile_end(job);
  job->status = status;
}

static void dump_job(void *context) {
  Job *job = context;
  job->status = compile_begin(job);
  if (job->status == HD_OK) {
    char *text = LLVMPrintModuleToString(job->unit.module);
    text_add(job->text, text);
    LLVMDisposeMessage(text);
  }
  compile_end(job);
}

// On the stack that LLVM runs on.
static void run_guarded(void *context) {
  Job *job = context;
  RescueEnd end = rescue_foreign(job->work, job);
  if (end == RESCUE_DONE)
    return;
  job->unit.is_abandoned = true;
  compile_end(job);
  job->status = llvm_fail_foreign(end, job->why);
}

static HdStatus run_job(NvptxCompiler *compiler, Arena *arena,
                        const IrModule *module, const IrKernel *kernel,
                        Text *out, const char **why,
                        void (*work)(void *context)) {
  Job job = {.compiler = compiler,
             .arena = arena,
             .module = module,
             .kernel = kernel,
             .text = out,
             .header = {.arena = arena},
             .why = why,
             .work = work};
  *why = NULL;
  deep_stack_run(kernel->n_nodes, run_guarded, &job);
  return job.status;
}

HdStatus nvptx_compile(NvptxCompiler *compiler, Arena *arena,
                       const IrModule *module, const IrKernel *kernel,
                       Text *out, const char **why) {
  return run_job(compiler, arena, module, kernel, out, why, compile_job);
}

HdStatus nvptx_dump(NvptxCompiler *compiler, Arena *arena,
                    const IrModule *module, const IrKernel *kernel, Text *out,
                    const char **why) {
  return run_job(compiler, arena, module, kernel, out, why, dump_job);
}
