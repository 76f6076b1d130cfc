// SPDX-License-Identifier: Apache-2.0
// The back end of this machine's CPU: a warp is a SIMD value. Its code is an
// ELF object (x86-64 or AArch64) whose symbol `hd_kernel` is an HdCpuKernel.
#include "abi/cpu.h"
#include "codegen/code_ops.h"
#include "codegen/cpu/cpu_phase.h"
#include "codegen/cpu/cpu_plan.h"
#include "codegen/cpu/llvm_cpu.h"
#include "codegen/deep_stack.h"
#include "codegen/llvm_chain.h"
#include "codegen/llvm_outline.h"
#include "codegen/llvm_size.h"
#include "codegen/llvm_target.h"
#include "ir/passes/passes.h"

#include "base/rescue.h"
#include <llvm/Config/llvm-config.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  CpuCompiler *compiler;
  const CodeOptions *options;
} Start;

static void compile_start(void *context) {
  const Start *start = context;
  llvm_target_init(&start->compiler->target, start->compiler->arena,
                   start->options);
}

static void codegen_llvm_compile_end(void *context) {
  CpuCompiler *compiler = context;
  llvm_loader_fini(compiler);
  llvm_target_fini(&compiler->target);
}

static void cpu_close(CodeCompiler *base) {
  CpuCompiler *compiler = (CpuCompiler *)base;
  if (compiler == NULL)
    return;
  rescue_paid(compiler);
  (void)rescue_foreign(codegen_llvm_compile_end,
                       compiler); // else what LLVM has is lost
  arena_free(compiler->arena);
  free(compiler);
}

static void compile_release_compiler(void *compiler) {
  cpu_close(compiler);
}

static const char *target_text(const CpuCompiler *compiler) {
  const LlvmTarget *target = &compiler->target;
  return arena_printf(compiler->arena, "%s %s %s abi%d%s%s", target->triple,
                      target->cpu, target->features, HD_CPU_ABI_VERSION,
                      target->checks ? " checks" : "",
                      target->schedules ? " schedules" : "");
}

static CodeCompiler *cpu_open(const CodeOptions *options,
                              const CodeModel *model) {
  (void)model;
  CpuCompiler *compiler = calloc(1, sizeof *compiler);
  if (compiler == NULL)
    rescue_out_of_memory();
  rescue_owe(compile_release_compiler, compiler);
  compiler->arena = arena_new();
  if (rescue_foreign(compile_start, &(Start){compiler, options}) != RESCUE_DONE)
    rescue_out_of_memory();
  compiler->base.text = target_text(compiler);
  rescue_paid(compiler);
  arena_keep(compiler->arena);
  return &compiler->base;
}

const char *code_version_text(void) {
  return "heddle " HD_VERSION " (LLVM " LLVM_VERSION_STRING ", glibc libmvec)";
}

// One call of this file's functions, on whichever stack it runs.
typedef struct {
  CpuCompiler *compiler;
  Arena *arena;
  const IrModule *module;
  const IrKernel *kernel;
  const IrKernel *emitted; // the kernel, or its copy with loops repeated
  LlvmUnit unit;
  CodeObject *object;
  bool as_assembly;
  bool is_quick; // see llvm_size.h
  Text *text;
  const char **why;
  HdStatus status;
  void (*work)(void *job);
} Job;

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

static HdStatus check_size(Job *job, size_t n_operations) {
  return code_excess_check(job->arena, job->kernel, job->emitted, n_operations,
                           &job->compiler->base.excess, job->why);
}

// Before coroutines are split.
static HdStatus prepare_coroutines(Job *job) {
  const LlvmTarget *target = &job->compiler->target;
  HD_TRY(llvm_optimise(&job->unit, target,
                       target->opt_level == 0
                           ? "function(sroa)"
                           : "function(sroa,early-cse<memssa>)",
                       job->why));
  llvm_cut_chains(job->arena, job->unit.module);
  return HD_OK;
}

static HdStatus llvm_compile_begin(Job *job) {
  LlvmTarget *target = &job->compiler->target;
  job->compiler->base.excess = (CodeExcess){0};
  HD_TRY(llvm_target_open(target, job->arena, job->why));
  const IrKernel *unrolled = ir_unroll(job->arena, job->kernel);
  job->emitted = unrolled ? unrolled : job->kernel;
  pass_done(PASS_UNROLL, job->emitted, unrolled != NULL);
  HD_TRY(check_size(job, job->emitted->n_nodes));
  CpuPlan *plan = cpu_plan_new(job->arena, job->module, job->emitted,
                               target->checks, target->schedules, job->why);
  if (plan == NULL)
    return HD_ERROR_UNSUPPORTED;
  llvm_unit_init(&job->unit, job->arena, target, job->kernel->name);
  if (!cpu_emit_kernel(job->arena, plan, target, job->unit.cx, job->unit.module,
                       job->why))
    return HD_ERROR_UNSUPPORTED;
  bool has_arrays =
      plan->private_bytes > 0 || (plan->phases && plan->phases->has_straight);
  bool has_coroutines = plan->is_blocking && plan->phases == NULL;
  HD_TRY(check_size(job, llvm_size(job->unit.module).n_instructions));
  if (has_coroutines)
    HD_TRY(prepare_coroutines(job));
  const char *passes =
      compile_pipeline(target->opt_level, has_coroutines, has_arrays);
  HD_TRY(llvm_optimise(&job->unit, target, passes, job->why));
  llvm_outline(job->arena, job->unit.module);
  LlvmSize size = llvm_size(job->unit.module);
  job->is_quick = llvm_is_quick(size);
  return check_size(job, size.n_instructions);
}

// What a fatal error left behind is never used again.
static void llvm_compile_end(Job *job) {
  if (job->unit.is_abandoned)
    job->compiler->target.machine = job->compiler->target.quick = NULL;
  llvm_unit_fini(&job->unit);
}

static void llvm_compile_job(void *context) {
  Job *job = context;
  LLVMMemoryBufferRef buffer = NULL;
  HdStatus status = llvm_compile_begin(job);
  if (status == HD_OK)
    status = llvm_emit(&job->unit, &job->compiler->target, job->is_quick, false,
                       &buffer, job->why);
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
  llvm_compile_end(job);
  job->status = status;
}

// On the stack that LLVM runs on.
static void run_job(void *context) {
  Job *job = context;
  RescueEnd end = rescue_foreign(job->work, job);
  if (end == RESCUE_DONE)
    return;
  job->unit.is_abandoned = true;
  llvm_compile_end(job);
  job->status = llvm_fail_foreign(end, job->why);
}

static HdStatus cpu_compile(CodeCompiler *compiler, Arena *scratch,
                            const IrModule *module, const IrKernel *kernel,
                            CodeObject *out, const char **why) {
  *out = (CodeObject){0};
  Job job = {.compiler = (CpuCompiler *)compiler,
             .arena = scratch,
             .module = module,
             .kernel = kernel,
             .object = out,
             .why = why,
             .work = llvm_compile_job};
  deep_stack_run(kernel->n_nodes, run_job, &job);
  return job.status;
}

static void compile_dump_job(void *context) {
  Job *job = context;
  LLVMMemoryBufferRef buffer = NULL;
  HdStatus status = llvm_compile_begin(job);
  if (status == HD_OK && !job->as_assembly) {
    char *text = LLVMPrintModuleToString(job->unit.module);
    text_add(job->text, text);
    LLVMDisposeMessage(text);
  } else if (status == HD_OK) {
    status = llvm_emit(&job->unit, &job->compiler->target, job->is_quick, true,
                       &buffer, job->why);
  }
  if (buffer && status == HD_OK) {
    text_add_n(job->text, LLVMGetBufferStart(buffer),
               LLVMGetBufferSize(buffer));
    LLVMDisposeMemoryBuffer(buffer);
  }
  llvm_compile_end(job);
  job->status = status;
}

enum { STAGE_LLVM, STAGE_ASM };

static HdStatus cpu_dump(CodeCompiler *compiler, Arena *scratch,
                         const IrModule *module, const IrKernel *kernel,
                         int stage, Text *out, const char **why) {
  Job job = {.compiler = (CpuCompiler *)compiler,
             .arena = scratch,
             .module = module,
             .kernel = kernel,
             .as_assembly = stage == STAGE_ASM,
             .text = out,
             .why = why,
             .work = compile_dump_job};
  deep_stack_run(kernel->n_nodes, run_job, &job);
  return job.status;
}

static const CodeModel models[] = {{.name = "cpu", .is_usual = true}};

static const char *const stages[] = {
    [STAGE_LLVM] = "llvm", [STAGE_ASM] = "asm", NULL};

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
