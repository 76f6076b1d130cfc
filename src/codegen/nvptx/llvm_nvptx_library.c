// SPDX-License-Identifier: Apache-2.0
// Functions of src/devicemath: declared where a kernel calls them, then linked
// from the bitcode that the library carries.
#include "base/panic.h"
#include "codegen/nvptx/llvm_nvptx.h"
#include "codegen/nvptx/nvptx_device_math.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Linker.h>
#include <string.h>

typedef struct {
  IrOp op;
  const char *text, *family;
} Function;

static const Function functions[] = {
#define FUNCTION(op, text, kind, family) {IR_##op, #text, #family},
#include "devicemath/devicemath.def"
#undef FUNCTION
};

enum { N_FUNCTIONS = sizeof functions / sizeof functions[0] };

static const char prefix[] = "hdm_";

bool nv_is_in_library(IrOp op) {
  for (size_t i = 0; i < N_FUNCTIONS; i++)
    if (functions[i].op == op)
      return true;
  return false;
}

LLVMValueRef nv_call_library(NvEmit *e, const char *name, LLVMTypeRef result,
                             LLVMValueRef *args, unsigned n_args) {
  LLVMTypeRef types[3];
  for (unsigned i = 0; i < n_args; i++)
    types[i] = LLVMTypeOf(args[i]);
  LLVMTypeRef type = LLVMFunctionType(result, types, n_args, 0);
  name = arena_printf(e->arena, "%s%s", prefix, name);
  LLVMValueRef callee = LLVMGetNamedFunction(e->llvm, name);
  if (callee == NULL)
    callee = LLVMAddFunction(e->llvm, name, type);
  return LLVMBuildCall2(e->b, type, callee, args, n_args, NV_NAME);
}

static const char *family_of(const char *name) {
  const char *text = name + strlen(prefix);
  for (size_t i = 0; i < N_FUNCTIONS; i++) {
    size_t n = strlen(functions[i].text);
    if (strncmp(text, functions[i].text, n) == 0 && text[n] == '_' &&
        strchr(text + n + 1, '_') == NULL)
      return functions[i].family;
  }
  HD_PANIC("no function %s in the device math library", name);
}

static const NvDeviceMath *find_bitcode(const char *family) {
  const NvDeviceMath *file = nv_device_math;
  while (file->family && strcmp(file->family, family) != 0)
    file++;
  if (file->family == NULL)
    HD_PANIC("no device math of family %s", family);
  return file;
}

// Of clang's settings none may come along: the kernel's decide.
static void adopt(LLVMModuleRef library, LLVMModuleRef kernel) {
  LLVMSetTarget(library, LLVMGetTarget(kernel));
  LLVMSetDataLayout(library, LLVMGetDataLayoutStr(kernel));
  static const char *const settings[] = {"target-cpu",
                                         "target-features",
                                         "frame-pointer",
                                         "min-legal-vector-width",
                                         "no-trapping-math",
                                         "stack-protector-buffer-size",
                                         "no-builtins",
                                         "tune-cpu",
                                         "uniform-work-group-size"};
  for (LLVMValueRef f = LLVMGetFirstFunction(library); f;
       f = LLVMGetNextFunction(f)) {
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
      LLVMRemoveStringAttributeAtIndex(
          f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, settings[i],
          (unsigned)strlen(settings[i]));
    // What isn't called stays behind.
    if (LLVMGetLinkage(f) == LLVMExternalLinkage && !LLVMIsDeclaration(f))
      LLVMSetLinkage(f, LLVMLinkOnceODRLinkage);
  }
}

// Only the bodies of functions that are called are read.
static bool link_family(LLVMModuleRef kernel, const char *family) {
  const NvDeviceMath *file = find_bitcode(family);
  LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRange(
      (const char *)file->bytes, file->size, family, 0);
  LLVMModuleRef library = NULL;
  if (LLVMGetBitcodeModuleInContext2(LLVMGetModuleContext(kernel), buffer,
                                     &library)) {
    LLVMDisposeMemoryBuffer(buffer);
    return false;
  }
  adopt(library, kernel);
  return !LLVMLinkModules2(kernel, library); // takes `library`
}

static bool is_of_library(LLVMValueRef function) {
  size_t n;
  const char *name = LLVMGetValueName2(function, &n);
  return strncmp(name, prefix, strlen(prefix)) == 0;
}

static LLVMValueRef next_missing(LLVMModuleRef kernel) {
  for (LLVMValueRef f = LLVMGetFirstFunction(kernel); f;
       f = LLVMGetNextFunction(f))
    if (LLVMIsDeclaration(f) && is_of_library(f))
      return f;
  return NULL;
}

bool nv_link_library(LLVMModuleRef kernel) {
  LLVMValueRef missing;
  while ((missing = next_missing(kernel)) != NULL) {
    size_t n;
    if (!link_family(kernel, family_of(LLVMGetValueName2(missing, &n))))
      return false;
  }
  unsigned always = LLVMGetEnumAttributeKindForName("alwaysinline", 12);
  LLVMAttributeRef is_inline =
      LLVMCreateEnumAttribute(LLVMGetModuleContext(kernel), always, 0);
  for (LLVMValueRef f = LLVMGetFirstFunction(kernel); f;
       f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f) || !is_of_library(f))
      continue;
    LLVMSetLinkage(f, LLVMInternalLinkage);
    LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            is_inline);
  }
  return true;
}
