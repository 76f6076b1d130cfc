// SPDX-License-Identifier: Apache-2.0
// Programs in IR text: the kernels are those of one module, without embedded
// parameters.
#include "session/kernel_source.h"

#include "ir/verify/verify.h"

#include <string.h>

static const char first_line[] = "heddle-ir ";

static bool program_ir_reads(const HdSession *session, const char *name,
                             const char *head, size_t head_bytes) {
  (void)session;
  (void)name;
  size_t length = sizeof first_line - 1;
  return head_bytes >= length && memcmp(head, first_line, length) == 0;
}

static HdStatus program_ir_load(HdProgram *program) {
  IrModule *module = ir_parse(program->arena, program->source, program->diags);
  if (!module)
    return program_fail(program);
  program->kernels = &kernels_in_ir;
  program->file = module;
  return HD_OK;
}

static int program_ir_count(const HdProgram *program) {
  const IrModule *module = program->file;
  return (int)module->kernels.count;
}

static const char *program_ir_name_of(const HdProgram *program, int index) {
  const IrModule *module = program->file;
  return module->kernels.data[index]->name;
}

static bool program_ir_is_open(const HdProgram *program, int index) {
  (void)program;
  (void)index;
  return false;
}

static IrKernel *find_ir(const IrModule *module, const char *name) {
  for (uint32_t i = 0; i < module->kernels.count; i++) {
    if (strcmp(module->kernels.data[i]->name, name) == 0)
      return module->kernels.data[i];
  }
  return NULL;
}

static HdStatus program_ir_find(HdProgram *program, const char *name,
                                SourceKernel *out) {
  const IrModule *module = program->file;
  *out = (SourceKernel){.module = module, .ir = find_ir(module, name)};
  return HD_OK;
}

static HdStatus program_ir_specialise(HdProgram *program, const char *name,
                                      const HdEmbed *embeds, int n_embeds,
                                      const SpecLimits *limits,
                                      SourceForm *out) {
  (void)embeds;
  (void)limits;
  if (n_embeds > 0)
    return session_fail(program->session, HD_ERROR_LAUNCH,
                        "IR text has no constexpr parameters to be given");
  out->module = program->file;
  out->kernel = find_ir(program->file, name);
  return HD_OK;
}

const KernelSource kernels_in_ir = {
    .language = HD_LANGUAGE_HEDDLE,
    .reads = program_ir_reads,
    .load = program_ir_load,
    .count = program_ir_count,
    .name = program_ir_name_of,
    .is_open = program_ir_is_open,
    .find = program_ir_find,
    .specialise = program_ir_specialise,
};
