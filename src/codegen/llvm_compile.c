// SPDX-License-Identifier: Apache-2.0
// The stages of compiling one kernel for a CPU.
#include "codegen/codegen_cpu.h"
#include "codegen/cpu/cpu_plan.h"
#include "codegen/cpu/llvm_cpu.h"
#include "codegen/deep_stack.h"
#include "codegen/llvm_target.h"
#include "ir/analysis.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  LlvmTarget target;
  LlvmUnit unit;
} Compilation;

static HdStatus compile_begin(Compilation *c, Arena *arena,
                              const IrModule *module, const IrKernel *kernel,
                              const CpuOptions *options, const char **why) {
  memset(c, 0, sizeof *c);
  HD_TRY(llvm_target_init(&c->target, arena, options, why));
  const IrKernel *unrolled = ir_unroll(arena, kernel);
  if (unrolled)
    kernel = unrolled;
  CpuPlan *plan = cpu_plan_new(arena, module, kernel, why);
  if (plan == NULL)
    return HD_ERROR_UNSUPPORTED;
  llvm_unit_init(&c->unit, arena, &c->target, kernel->name);
  if (!cpu_emit_kernel(arena, plan, &c->target, c->unit.cx, c->unit.module,
                       why))
    return HD_ERROR_UNSUPPORTED;
  return llvm_optimise(&c->unit, &c->target, options ? options->opt_level : 2,
                       plan->is_blocking && plan->phases == NULL,
                       plan->private_bytes > 0, why);
}

static void compile_end(Compilation *c) {
  llvm_unit_fini(&c->unit);
  llvm_target_fini(&c->target);
}

// One call of this file's functions, on whichever stack it runs.
typedef struct {
  Arena *arena;
  const IrModule *module;
  const IrKernel *kernel;
  const CpuOptions *options;
  CpuObject *object;
  bool as_assembly;
  Text *text;
  const char **why;
  HdStatus status;
} Job;

static void compile_job(void *context) {
  Job *job = context;
  Compilation c;
  LLVMMemoryBufferRef buffer = NULL;
  HdStatus status = compile_begin(&c, job->arena, job->module, job->kernel,
                                  job->options, job->why);
  if (status == HD_OK)
    status = llvm_emit(&c.unit, &c.target, false, &buffer, job->why);
  if (status == HD_OK) {
    CpuObject *out = job->object;
    out->size_bytes = LLVMGetBufferSize(buffer);
    out->data = malloc(out->size_bytes);
    if (out->data)
      memcpy(out->data, LLVMGetBufferStart(buffer), out->size_bytes);
    else
      status = HD_ERROR_MEMORY;
    LLVMDisposeMemoryBuffer(buffer);
  }
  compile_end(&c);
  job->status = status;
}

HdStatus cpu_compile(Arena *arena, const IrModule *module,
                     const IrKernel *kernel, const CpuOptions *options,
                     CpuObject *out, const char **why) {
  *out = (CpuObject){0};
  Job job = {.arena = arena,
             .module = module,
             .kernel = kernel,
             .options = options,
             .object = out,
             .why = why};
  deep_stack_run(kernel->n_nodes, compile_job, &job);
  return job.status;
}

void cpu_object_free(CpuObject *object) {
  if (object == NULL)
    return;
  free(object->data);
  *object = (CpuObject){0};
}

static void dump_job(void *context) {
  Job *job = context;
  Compilation c;
  LLVMMemoryBufferRef buffer = NULL;
  HdStatus status = compile_begin(&c, job->arena, job->module, job->kernel,
                                  job->options, job->why);
  if (status == HD_OK && !job->as_assembly) {
    char *text = LLVMPrintModuleToString(c.unit.module);
    text_add(job->text, text);
    LLVMDisposeMessage(text);
  } else if (status == HD_OK) {
    status = llvm_emit(&c.unit, &c.target, true, &buffer, job->why);
  }
  if (buffer && status == HD_OK) {
    text_add_n(job->text, LLVMGetBufferStart(buffer),
               LLVMGetBufferSize(buffer));
    LLVMDisposeMemoryBuffer(buffer);
  }
  compile_end(&c);
  job->status = status;
}

HdStatus cpu_dump(Arena *arena, const IrModule *module, const IrKernel *kernel,
                  const CpuOptions *options, bool as_assembly, Text *out,
                  const char **why) {
  Job job = {.arena = arena,
             .module = module,
             .kernel = kernel,
             .options = options,
             .as_assembly = as_assembly,
             .text = out,
             .why = why};
  deep_stack_run(kernel->n_nodes, dump_job, &job);
  return job.status;
}
