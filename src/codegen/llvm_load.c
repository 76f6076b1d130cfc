// SPDX-License-Identifier: Apache-2.0
// Loading objects into this process with LLVM's JIT linker: one linker for a
// compiler, one library of symbols for an object.
#include "codegen/llvm_target.h"

#include "abi/cpu.h"

#include <llvm-c/Core.h>
#include <llvm-c/LLJIT.h>
#include <pthread.h>

static HdStatus load_fail(Arena *arena, LLVMErrorRef error, const char **why) {
  char *message = LLVMGetErrorMessage(error);
  *why = arena_strdup(arena, message);
  LLVMDisposeErrorMessage(message);
  return HD_ERROR_DEVICE;
}

// What is said here is said again by the call that failed.
static void load_ignore_error(void *context, LLVMErrorRef error) {
  (void)context;
  LLVMConsumeError(error);
}

// The linker gets a target machine for code that it never makes. The plainest
// one will do, and spares it to look for the features of this processor.
static LLVMOrcLLJITBuilderRef plain_builder(const LlvmTarget *target) {
  LLVMTargetRef llvm;
  char *message = NULL;
  if (LLVMGetTargetFromTriple(target->triple, &llvm, &message)) {
    LLVMDisposeMessage(message);
    return NULL;
  }
  LLVMTargetMachineRef machine = LLVMCreateTargetMachine(
      llvm, target->triple, "", "", LLVMCodeGenLevelNone, LLVMRelocPIC,
      LLVMCodeModelSmall);
  if (machine == NULL)
    return NULL;
  LLVMOrcLLJITBuilderRef builder = LLVMOrcCreateLLJITBuilder();
  LLVMOrcLLJITBuilderSetJITTargetMachineBuilder(
      builder, LLVMOrcJITTargetMachineBuilderCreateFromTargetMachine(machine));
  return builder;
}

static HdStatus open_linker(CpuCompiler *compiler, Arena *arena,
                            const char **why) {
  if (compiler->jit)
    return HD_OK;
  LLVMErrorRef error =
      LLVMOrcCreateLLJIT(&compiler->jit, plain_builder(&compiler->target));
  if (error) {
    compiler->jit = NULL;
    return load_fail(arena, error, why);
  }
  LLVMOrcExecutionSessionSetErrorReporter(
      LLVMOrcLLJITGetExecutionSession(compiler->jit), load_ignore_error, NULL);
  return HD_OK;
}

void llvm_loader_fini(CpuCompiler *compiler) {
  if (compiler->jit)
    LLVMConsumeError(LLVMOrcDisposeLLJIT(compiler->jit));
  compiler->jit = NULL;
}

// What code may call: LLVM's own calls of memcpy and its kin, mathematics.
static HdStatus add_libraries(CpuCompiler *compiler, LLVMOrcJITDylibRef library,
                              Arena *arena, const char **why) {
  static const char *const names[] = {"libm.so.6", "libmvec.so.1"};
  char prefix = LLVMOrcLLJITGetGlobalPrefix(compiler->jit);
  LLVMOrcDefinitionGeneratorRef generator;
  LLVMErrorRef error = LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(
      &generator, prefix, NULL, NULL);
  if (error)
    return load_fail(arena, error, why);
  LLVMOrcJITDylibAddGenerator(library, generator);
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    error = LLVMOrcCreateDynamicLibrarySearchGeneratorForPath(
        &generator, names[i], prefix, NULL, NULL);
    if (error && i > 0) { // not every machine has vector functions
      LLVMConsumeError(error);
      continue;
    }
    if (error)
      return load_fail(arena, error, why);
    LLVMOrcJITDylibAddGenerator(library, generator);
  }
  return HD_OK;
}

// A lookup may answer on another thread.
typedef struct {
  pthread_mutex_t lock;
  pthread_cond_t answered;
  bool is_answered;
  LLVMErrorRef error;
  uint64_t address;
} Lookup;

static void take_answer(LLVMErrorRef error, LLVMOrcCSymbolMapPairs symbols,
                        size_t n_symbols, void *context) {
  Lookup *lookup = context;
  pthread_mutex_lock(&lookup->lock);
  lookup->error = error;
  if (!error && n_symbols > 0)
    lookup->address = symbols[0].Sym.Address;
  lookup->is_answered = true;
  pthread_cond_signal(&lookup->answered);
  pthread_mutex_unlock(&lookup->lock);
}

static HdStatus find_symbol(CpuCompiler *compiler, LLVMOrcJITDylibRef library,
                            const char *name, uint64_t *address, Arena *arena,
                            const char **why) {
  LLVMOrcExecutionSessionRef session =
      LLVMOrcLLJITGetExecutionSession(compiler->jit);
  LLVMOrcCJITDylibSearchOrderElement order[] = {
      {library, LLVMOrcJITDylibLookupFlagsMatchAllSymbols}};
  LLVMOrcCLookupSetElement symbols[] = {
      {LLVMOrcLLJITMangleAndIntern(compiler->jit, name),
       LLVMOrcSymbolLookupFlagsRequiredSymbol}};
  Lookup lookup = {.lock = PTHREAD_MUTEX_INITIALIZER,
                   .answered = PTHREAD_COND_INITIALIZER};
  LLVMOrcExecutionSessionLookup(session, LLVMOrcLookupKindStatic, order, 1,
                                symbols, 1, take_answer, &lookup);
  pthread_mutex_lock(&lookup.lock);
  while (!lookup.is_answered)
    pthread_cond_wait(&lookup.answered, &lookup.lock);
  pthread_mutex_unlock(&lookup.lock);
  *address = lookup.address;
  return lookup.error ? load_fail(arena, lookup.error, why) : HD_OK;
}

static HdStatus codegen_llvm_load(CpuCompiler *compiler, const void *data,
                                  size_t size_bytes, Arena *arena,
                                  const HdCpuKernel **kernel,
                                  const char **why) {
  HD_TRY(open_linker(compiler, arena, why));
  const char *name = arena_printf(arena, "kernel %u", compiler->n_loaded++);
  LLVMOrcJITDylibRef library = LLVMOrcExecutionSessionCreateBareJITDylib(
      LLVMOrcLLJITGetExecutionSession(compiler->jit), name);
  HD_TRY(add_libraries(compiler, library, arena, why));
  LLVMErrorRef error = LLVMOrcLLJITAddObjectFile(
      compiler->jit, library,
      LLVMCreateMemoryBufferWithMemoryRangeCopy(data, size_bytes, name));
  if (error)
    return load_fail(arena, error, why);
  uint64_t address;
  HD_TRY(find_symbol(compiler, library, "hd_kernel", &address, arena, why));
  *kernel = (const HdCpuKernel *)(uintptr_t)address;
  if ((*kernel)->abi_version == HD_CPU_ABI_VERSION)
    return HD_OK;
  *why = "the object was made for another version of the runtime";
  return HD_ERROR_DEVICE;
}

typedef struct {
  CpuCompiler *compiler;
  const void *data;
  size_t size_bytes;
  Arena *arena;
  const HdCpuKernel **kernel;
  const char **why;
  HdStatus status;
} Loading;

static void load_work(void *context) {
  Loading *l = context;
  l->status = codegen_llvm_load(l->compiler, l->data, l->size_bytes, l->arena,
                                l->kernel, l->why);
}

// A linker that ran out of memory is abandoned with what it loaded, which
// launches may go on to use.
HdStatus llvm_load(CodeCompiler *base, const void *data, size_t size_bytes,
                   Arena *arena, const void **out, const char **why) {
  CpuCompiler *compiler = (CpuCompiler *)base;
  const HdCpuKernel *kernel = NULL;
  Loading loading = {.compiler = compiler,
                     .data = data,
                     .size_bytes = size_bytes,
                     .arena = arena,
                     .kernel = &kernel,
                     .why = why};
  RescueEnd end = rescue_foreign(load_work, &loading);
  *out = kernel;
  if (end == RESCUE_DONE)
    return loading.status;
  compiler->jit = NULL;
  return llvm_fail_foreign(end, why);
}
