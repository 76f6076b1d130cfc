// SPDX-License-Identifier: Apache-2.0
// Until the CPU code generator lands, everything but running works: this file
// says so, and goes when codegen/cpu comes.
#include "codegen/codegen_cpu.h"

static const char pending[] = "this build has no code generator";

HdStatus cpu_compile(Arena *arena, const IrModule *module,
                     const IrKernel *kernel, const CpuOptions *options,
                     CpuObject *out, const char **why) {
  (void)arena, (void)module, (void)kernel, (void)options, (void)out;
  *why = pending;
  return HD_ERROR_UNSUPPORTED;
}

void cpu_object_free(CpuObject *object) {
  (void)object;
}

HdStatus cpu_dump(Arena *arena, const IrModule *module, const IrKernel *kernel,
                  const CpuOptions *options, bool as_assembly, Text *out,
                  const char **why) {
  (void)arena, (void)module, (void)kernel, (void)options, (void)as_assembly;
  (void)out;
  *why = pending;
  return HD_ERROR_UNSUPPORTED;
}

const char *cpu_target_text(Arena *arena, const CpuOptions *options) {
  (void)arena, (void)options;
  return "none";
}

HdStatus cpu_image_load(const void *data, size_t size_bytes, Arena *arena,
                        CpuImage **out, const HdCpuKernel **kernel,
                        const char **why) {
  (void)data, (void)size_bytes, (void)arena, (void)out, (void)kernel;
  *why = pending;
  return HD_ERROR_UNSUPPORTED;
}

void cpu_image_free(CpuImage *image) {
  (void)image;
}
