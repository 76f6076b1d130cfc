// SPDX-License-Identifier: Apache-2.0
// Loading an object into this process with LLVM's JIT linker.
#include "codegen/codegen_cpu.h"
#include "codegen/llvm_target.h"

#include <dlfcn.h>
#include <llvm-c/Core.h>
#include <llvm-c/LLJIT.h>
#include <stdlib.h>

struct CpuImage {
  LLVMOrcLLJITRef jit;
  void *math, *vector_math; // libraries that code may call
};

static HdStatus fail(Arena *arena, LLVMErrorRef error, const char **why) {
  char *message = LLVMGetErrorMessage(error);
  *why = arena_strdup(arena, message);
  LLVMDisposeErrorMessage(message);
  return HD_ERROR_DEVICE;
}

static HdStatus open_libraries(CpuImage *image, Arena *arena,
                               const char **why) {
  static const char *const names[] = {"libm.so.6", "libmvec.so.1"};
  LLVMOrcJITDylibRef main = LLVMOrcLLJITGetMainJITDylib(image->jit);
  char prefix = LLVMOrcLLJITGetGlobalPrefix(image->jit);
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    LLVMOrcDefinitionGeneratorRef generator;
    LLVMErrorRef error = LLVMOrcCreateDynamicLibrarySearchGeneratorForPath(
        &generator, names[i], prefix, NULL, NULL);
    if (error && i > 0) { // not every machine has vector functions
      LLVMConsumeError(error);
      continue;
    }
    if (error)
      return fail(arena, error, why);
    LLVMOrcJITDylibAddGenerator(main, generator);
  }
  return HD_OK;
}

static HdStatus link_object(CpuImage *image, const void *data,
                            size_t size_bytes, Arena *arena,
                            const HdCpuKernel **kernel, const char **why) {
  LLVMErrorRef error = LLVMOrcCreateLLJIT(&image->jit, NULL);
  if (error)
    return fail(arena, error, why);
  HD_TRY(open_libraries(image, arena, why));
  LLVMMemoryBufferRef buffer =
      LLVMCreateMemoryBufferWithMemoryRangeCopy(data, size_bytes, "kernel");
  error = LLVMOrcLLJITAddObjectFile(
      image->jit, LLVMOrcLLJITGetMainJITDylib(image->jit), buffer);
  if (error)
    return fail(arena, error, why);
  LLVMOrcExecutorAddress address = 0;
  error = LLVMOrcLLJITLookup(image->jit, &address, "hd_kernel");
  if (error)
    return fail(arena, error, why);
  *kernel = (const HdCpuKernel *)(uintptr_t)address;
  if ((*kernel)->abi_version == HD_CPU_ABI_VERSION)
    return HD_OK;
  *why = "the object was made for another version of the runtime";
  return HD_ERROR_DEVICE;
}

HdStatus cpu_image_load(const void *data, size_t size_bytes, Arena *arena,
                        CpuImage **out, const HdCpuKernel **kernel,
                        const char **why) {
  *out = NULL;
  CpuImage *image = calloc(1, sizeof *image);
  if (image == NULL) {
    *why = "out of memory";
    return HD_ERROR_MEMORY;
  }
  llvm_initialise();
  HdStatus status = link_object(image, data, size_bytes, arena, kernel, why);
  if (status == HD_OK)
    *out = image;
  else
    cpu_image_free(image);
  return status;
}

void cpu_image_free(CpuImage *image) {
  if (image == NULL)
    return;
  if (image->jit)
    LLVMConsumeError(LLVMOrcDisposeLLJIT(image->jit));
  free(image);
}
