// SPDX-License-Identifier: Apache-2.0
#include "codegen/llvm_memory.h"

#include <cstdio>
#include <cstdlib>
#include <llvm/InitializePasses.h>
#include <llvm/PassRegistry.h>
#include <llvm/Support/ErrorHandling.h>

static void (*current)(void);

static void memory_handle(void *, const char *reason, bool) {
  current();
  std::fprintf(stderr, "LLVM ERROR: out of memory (%s)\n", reason);
  std::abort();
}

void llvm_register_passes() {
  llvm::PassRegistry &registry = *llvm::PassRegistry::getPassRegistry();
  llvm::initializeCore(registry);
  llvm::initializeAnalysis(registry);
  llvm::initializeTransformUtils(registry);
  llvm::initializeCodeGen(registry);
  llvm::initializeTarget(registry);
}

void llvm_on_bad_alloc(void (*handler)(void)) {
  current = handler;
  llvm::remove_bad_alloc_error_handler();
  llvm::install_bad_alloc_error_handler(memory_handle, nullptr);
}
