// SPDX-License-Identifier: Apache-2.0
// The back end of this machine's CPU: a warp is a SIMD value. Its code is an
// ELF object (x86-64 or AArch64) whose symbol `hd_kernel` is an HdCpuKernel.
#include "abi/cpu.h"
#include "base/panic.h"
#include "codegen/code_ops.h"
#include "codegen/cpu/cpu_phase.h"
#include "codegen/cpu/cpu_plan.h"
#include "codegen/cpu/llvm_cpu.h"
#include "codegen/cpu/llvm_masked.h"
#include "codegen/llvm_chain.h"
#include "codegen/llvm_job.h"
#include "codegen/llvm_loop_parts.h"
#include "codegen/llvm_outline.h"
#include "codegen/llvm_size.h"
#include "codegen/llvm_sums_ahead.h"
#include "codegen/llvm_target.h"
#include "ir/passes/passes.h"

#include "base/rescue.h"
#include <llvm/Config/llvm-config.h>
#include <stdlib.h>
#include <string.h>

#define LONG_TILE_INSTRUCTIONS 1000

typedef struct {
  CpuCompiler *compiler;
  const CodeOptions *options;
} Start;

static void compiler_start(void *context) {
  const Start *start = context;
  llvm_target_init(&start->compiler->target, start->compiler->arena,
                   start->options);
}

static void compiler_stop(void *context) {
  CpuCompiler *compiler = context;
  llvm_loader_fini(compiler);
  llvm_target_fini(&compiler->target);
}

static void cpu_close(CodeCompiler *base) {
  CpuCompiler *compiler = (CpuCompiler *)base;
  if (compiler == NULL)
    return;
  rescue_paid(compiler);
  (void)rescue_foreign(compiler_stop, compiler); // else what LLVM has is lost
  arena_free(compiler->arena);
  free(compiler);
}

static void compiler_release(void *compiler) {
  cpu_close(compiler);
}

static const char *target_text(const CpuCompiler *compiler) {
  const LlvmTarget *target = &compiler->target;
  return arena_printf(
      compiler->arena, "%s %s %s cache%u abi%d%s%s%s", target->triple,
      target->cpu, target->features, target->cache_bytes, HD_CPU_ABI_VERSION,
      target->checks ? " checks" : "", target->schedules ? " schedules" : "",
      target->has_matrix ? " matrix" : "");
}

static CodeCompiler *cpu_open(const CodeOptions *options,
                              const CodeModel *model) {
  (void)model;
  CpuCompiler *compiler = calloc(1, sizeof *compiler);
  if (compiler == NULL)
    rescue_out_of_memory();
  rescue_owe(compiler_release, compiler);
  compiler->arena = arena_new();
  if (rescue_foreign(compiler_start, &(Start){compiler, options}) !=
      RESCUE_DONE)
    rescue_out_of_memory();
  compiler->base.text = target_text(compiler);
  compiler->base.vector_bytes = compiler->target.vector_bytes;
  compiler->base.n_vectors = compiler->target.n_vectors;
  compiler->base.cache_bytes = compiler->target.cache_bytes;
  compiler->base.has_dot4 = compiler->target.has_dot4;
  compiler->base.has_dot2 = compiler->target.has_dot2;
  compiler->base.has_fdot2 =
      compiler->target.has_fdot2 && !compiler->target.is_fdot2_slow;
  compiler->base.has_matrix = compiler->target.has_matrix;
  compiler->base.follows_blocks = options->checks || options->schedules;
  rescue_paid(compiler);
  arena_keep(compiler->arena);
  return &compiler->base;
}

const char *code_version_text(void) {
  return "heddle " HD_VERSION " (LLVM " LLVM_VERSION_STRING ", glibc libmvec)";
}

// One call of this file's functions.
typedef struct {
  LlvmJob base;
  CpuCompiler *compiler;
  Arena *arena;
  const IrModule *module;
  const IrKernel *kernel;
  const IrKernel *emitted; // the kernel, or its copy with loops repeated
  CodeObject *object;
  bool as_assembly;
  int most_level; // see llvm_size.h
  Text *text;
} CpuJob;

#define PASSES_AFTER                                                           \
  ",early-cse<memssa>,instcombine<no-verify-fixpoint;max-iterations=1>,"       \
  "simplifycfg,loop-mssa(loop-rotate,licm),early-cse<memssa>,"                 \
  "instcombine<no-verify-fixpoint;max-iterations=1>,simplifycfg)"
#define PASSES_COROUTINES "coro-early,cgscc(coro-split),coro-cleanup"

// A short list: the full one takes many times as long on wide vectors. Slots
// of variables are all that mem2reg must promote, arrays need SROA.
static const char *compile_pipeline(int opt_level, bool has_coroutines,
                                    bool has_arrays) {
  if (has_coroutines)
    return opt_level == 0 ? PASSES_COROUTINES
                          : PASSES_COROUTINES ",function(sroa" PASSES_AFTER;
  if (opt_level == 0)
    return "function(sroa)";
  return has_arrays ? "function(sroa" PASSES_AFTER
                    : "function(mem2reg" PASSES_AFTER;
}

static HdStatus check_size(CpuJob *job, size_t n_operations) {
  return code_excess_check(job->arena, job->kernel, job->emitted, n_operations,
                           &job->compiler->base.excess, job->base.why);
}

// Before coroutines are split.
static HdStatus prepare_coroutines(CpuJob *job) {
  const LlvmTarget *target = &job->compiler->target;
  HD_TRY(llvm_optimise(&job->base.unit, target,
                       target->opt_level == 0
                           ? "function(sroa)"
                           : "function(sroa,early-cse<memssa>)",
                       job->base.why));
  llvm_cut_chains(job->arena, job->base.unit.module);
  return HD_OK;
}

// The time of a long tile kernel is that of loops of products, which LLVM emits
// with less effort as well, and a tenth sooner.
static int compile_level(const IrKernel *kernel, LlvmSize size) {
  int most = llvm_most_level(size);
  bool is_long =
      kernel->is_of_tiles && size.n_instructions > LONG_TILE_INSTRUCTIONS;
  return is_long && most > 1 ? 1 : most;
}

static HdStatus cpu_compile_plan(CpuJob *job, CpuPlan **out) {
  LlvmTarget *target = &job->compiler->target;
  job->compiler->base.excess = (CodeExcess){0};
  HD_TRY(llvm_target_open(target, job->arena, job->base.why));
  const IrKernel *unrolled = ir_unroll(job->arena, job->kernel);
  job->emitted = unrolled ? unrolled : job->kernel;
  pass_done(PASS_UNROLL, job->emitted, unrolled != NULL);
  HD_TRY(check_size(job, job->emitted->n_nodes));
  *out = cpu_plan_new(job->arena, job->module, job->emitted, target->checks,
                      target->schedules, job->base.why);
  return *out ? HD_OK : HD_ERROR_UNSUPPORTED;
}

static HdStatus cpu_compile_begin(CpuJob *job) {
  LlvmTarget *target = &job->compiler->target;
  CpuPlan *plan;
  HD_TRY(cpu_compile_plan(job, &plan));
  llvm_unit_init(&job->base.unit, job->arena, target, job->kernel->name);
  if (!cpu_emit_kernel(job->arena, plan, target, job->base.unit.cx,
                       job->base.unit.module, job->base.why))
    return HD_ERROR_UNSUPPORTED;
  bool has_arrays =
      plan->private_bytes > 0 || (plan->phases && plan->phases->has_straight);
  bool has_coroutines = plan->is_blocking && plan->phases == NULL;
  HD_TRY(check_size(job, llvm_size(job->base.unit.module).n_instructions));
  if (has_coroutines)
    HD_TRY(prepare_coroutines(job));
  const char *passes =
      compile_pipeline(target->opt_level, has_coroutines, has_arrays);
  HD_TRY(llvm_optimise(&job->base.unit, target, passes, job->base.why));
  if (target->opt_level > 0)
    llvm_sums_ahead(job->base.unit.module);
  if (target->opt_level > 0)
    llvm_loop_parts(job->arena, job->base.unit.module, target);
  llvm_name_masked_loads(job->arena, job->base.unit.module, target);
  llvm_cut_masks(job->arena, job->base.unit.module, target);
  llvm_outline(job->arena, job->base.unit.module);
  LlvmSize size = llvm_size(job->base.unit.module);
  job->most_level = compile_level(job->kernel, size);
  return check_size(job, size.n_instructions);
}

static HdStatus cpu_compile_job(LlvmJob *base) {
  CpuJob *job = (CpuJob *)base;
  LLVMMemoryBufferRef buffer = NULL;
  HdStatus status = cpu_compile_begin(job);
  if (status == HD_OK)
    status = llvm_emit(&job->base.unit, &job->compiler->target, job->most_level,
                       false, &buffer, job->base.why);
  if (status == HD_OK) {
    CodeObject *out = job->object;
    out->size_bytes = LLVMGetBufferSize(buffer);
    out->data = malloc(out->size_bytes);
    if (out->data)
      memcpy(out->data, LLVMGetBufferStart(buffer), out->size_bytes);
    else
      status = HD_ERROR_MEMORY;
    LLVMDisposeMemoryBuffer(buffer);
  }
  return status;
}

static CpuJob job_of(CodeCompiler *compiler, Arena *scratch,
                     const IrModule *module, const IrKernel *kernel,
                     const char **why, HdStatus (*work)(LlvmJob *job)) {
  HD_ASSERT(kernel->module == module && kernel->level <= LEVEL_THREAD);
  CpuCompiler *of_cpu = (CpuCompiler *)compiler;
  return (CpuJob){.base = {.target = &of_cpu->target, .work = work, .why = why},
                  .compiler = of_cpu,
                  .arena = scratch,
                  .module = module,
                  .kernel = kernel};
}

static HdStatus cpu_compile(CodeCompiler *compiler, Arena *scratch,
                            const IrModule *module, const IrKernel *kernel,
                            CodeObject *out, const char **why) {
  *out = (CodeObject){0};
  CpuJob job = job_of(compiler, scratch, module, kernel, why, cpu_compile_job);
  job.object = out;
  return llvm_job_run(&job.base, kernel->n_nodes);
}

static HdStatus cpu_dump_job(LlvmJob *base) {
  CpuJob *job = (CpuJob *)base;
  LLVMMemoryBufferRef buffer = NULL;
  HdStatus status = cpu_compile_begin(job);
  if (status == HD_OK && !job->as_assembly) {
    char *text = LLVMPrintModuleToString(job->base.unit.module);
    text_add(job->text, text);
    LLVMDisposeMessage(text);
  } else if (status == HD_OK) {
    status = llvm_emit(&job->base.unit, &job->compiler->target, job->most_level,
                       true, &buffer, job->base.why);
  }
  if (buffer && status == HD_OK) {
    text_add_n(job->text, LLVMGetBufferStart(buffer),
               LLVMGetBufferSize(buffer));
    LLVMDisposeMemoryBuffer(buffer);
  }
  return status;
}

static HdStatus cpu_dump_shared(LlvmJob *base) {
  CpuJob *job = (CpuJob *)base;
  CpuPlan *plan;
  HD_TRY(cpu_compile_plan(job, &plan));
  code_shared_text(job->arena, plan->kernel, plan->shared, plan->n_own_objects,
                   plan->shared_bytes, job->text);
  return HD_OK;
}

enum { STAGE_LLVM, STAGE_ASM, STAGE_SHARED };

static HdStatus cpu_dump(CodeCompiler *compiler, Arena *scratch,
                         const IrModule *module, const IrKernel *kernel,
                         int stage, Text *out, const char **why) {
  HD_ASSERT(stage >= STAGE_LLVM && stage <= STAGE_SHARED);
  CpuJob job = job_of(compiler, scratch, module, kernel, why,
                      stage == STAGE_SHARED ? cpu_dump_shared : cpu_dump_job);
  job.as_assembly = stage == STAGE_ASM;
  job.text = out;
  return llvm_job_run(&job.base, kernel->n_nodes);
}

static const CodeModel models[] = {{.name = "cpu",
                                    .is_usual = true,
                                    .tile_lanes = CPU_WARP,
                                    .most_tile_lanes = CPU_WARP}};

static const char *const stages[] = {[STAGE_LLVM] = "llvm",
                                     [STAGE_ASM] = "asm",
                                     [STAGE_SHARED] = "shared",
                                     NULL};

extern const CodeOps cpu_code_ops;

const CodeOps cpu_code_ops = {
    .device = "cpu",
    .models = models,
    .n_models = 1,
    .stages = stages,
    .has_checks = true,
    .has_schedules = true,
    .has_timelines = true,
    .open = cpu_open,
    .close = cpu_close,
    .compile = cpu_compile,
    .dump = cpu_dump,
    .load = llvm_load,
};
