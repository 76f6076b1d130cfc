// SPDX-License-Identifier: Apache-2.0
#include "codegen/llvm_target.h"
#include "codegen/llvm_memory.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/ErrorHandling.h>
#include <llvm-c/Target.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#if defined(__x86_64__) && defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

// Note [LLVM's fatal errors]
// LLVM ends the process on what it calls fatal errors, unless a handler does
// not return. Ours goes back to the call that was made on this thread, whose
// context is then abandoned: its memory is lost, the process lives.
typedef struct {
  jmp_buf back;
  char text[512];
} Fatal;

static _Thread_local Fatal *fatal_here;

static void on_fatal(const char *reason) {
  if (fatal_here == NULL)
    return; // LLVM exits, as nobody can go on
  strncpy(fatal_here->text, reason, sizeof fatal_here->text - 1);
  longjmp(fatal_here->back, 1);
}

// Without memory LLVM throws std::bad_alloc, or calls this.
static void on_bad_alloc(void) {
  if (rescue_is_there())
    rescue_out_of_memory();
}

HdStatus llvm_fail_foreign(RescueEnd end, const char **why) {
  fatal_here = NULL;
  *why = end == RESCUE_MEMORY ? "out of memory" : "LLVM threw an exception";
  return end == RESCUE_MEMORY ? HD_ERROR_MEMORY : HD_ERROR_DEVICE;
}

// As pthread_once, but what is left by a jump is begun again.
typedef struct {
  pthread_mutex_t lock;
  bool is_done;
} Once;

static void target_unlock(void *lock) {
  pthread_mutex_unlock(lock);
}

static void do_once(Once *once, void (*work)(void)) {
  pthread_mutex_lock(&once->lock);
  rescue_owe(target_unlock, &once->lock);
  if (!once->is_done)
    work();
  once->is_done = true;
  rescue_paid(&once->lock);
  pthread_mutex_unlock(&once->lock);
}

static void target_initialise(void) {
  LLVMResetFatalErrorHandler();
  LLVMInstallFatalErrorHandler(on_fatal);
  llvm_on_bad_alloc(on_bad_alloc);
  llvm_register_passes();
  LLVMInitializeNativeTarget();
  LLVMInitializeNativeAsmPrinter();
  LLVMInitializeNativeAsmParser();
}

void llvm_initialise(void) {
  static Once once = {.lock = PTHREAD_MUTEX_INITIALIZER};
  do_once(&once, target_initialise);
}

static void initialise_nvptx(void) {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
}

void llvm_initialise_nvptx(void) {
  static Once once = {.lock = PTHREAD_MUTEX_INITIALIZER};
  llvm_initialise();
  do_once(&once, initialise_nvptx);
}

// ----------------------------------------------------------------- target

static bool has_feature(const char *features, const char *name) {
  size_t length = strlen(name);
  for (const char *p = features; (p = strstr(p, name)) != NULL; p += length)
    if (p > features && p[-1] == '+' && (p[length] == ',' || p[length] == 0))
      return true;
  return false;
}

// Named CPU levels say what they have without a feature string.
static int x86_level(const char *cpu) {
  static const char prefix[] = "x86-64-v";
  if (strncmp(cpu, prefix, sizeof prefix - 1) != 0)
    return 0;
  return cpu[sizeof prefix - 1] - '0';
}

// The system gives a process the memory in which it keeps AMX's registers when
// the process asks, and may refuse. Asking again changes nothing.
static bool target_may_use_matrix(void) {
#if defined(__x86_64__) && defined(__linux__)
  enum { ASK_FOR_STATE = 0x1023, STATE_OF_TILES = 18 };

  return syscall(SYS_arch_prctl, ASK_FOR_STATE, STATE_OF_TILES) == 0;
#else
  return false;
#endif
}

static void describe_x86(LlvmTarget *target) {
  const char *features = target->features;
  int level = x86_level(target->cpu);
  bool avx512 =
      level >= 4 ||
      (has_feature(features, "avx512f") && has_feature(features, "avx512bw") &&
       has_feature(features, "avx512dq") && has_feature(features, "avx512vl"));
  bool avx2 = avx512 || level >= 3 || has_feature(features, "avx2");
  target->is_x86 = true;
  target->vector_bytes = avx512 ? 64 : avx2 ? 32 : 16;
  target->n_vectors = avx512 ? 32 : 16;
  target->has_f16c = level >= 3 || has_feature(features, "f16c");
  target->has_fma = level >= 3 || has_feature(features, "fma");
  target->has_dot4 = avx512 ? has_feature(features, "avx512vnni")
                     : avx2 ? has_feature(features, "avxvnni")
                            : false;
  target->has_dot2 = true;
  target->has_fdot2 = avx512 && has_feature(features, "avx512bf16");
  // Intel's cores with AMX take four times as long as for an fma.
  target->is_fdot2_slow = has_feature(features, "amx-bf16");
  target->has_matrix = target->has_dot4 && target->has_fdot2 &&
                       has_feature(features, "amx-tile") &&
                       has_feature(features, "amx-int8") &&
                       has_feature(features, "amx-bf16") && !target->checks &&
                       !target->schedules && target_may_use_matrix();
#if defined(__GLIBC__)
  target->mvec_letter = avx512 ? 'e' : avx2 ? 'd' : 'b';
#endif
}

static uint32_t target_cache_bytes(void) {
#ifdef _SC_LEVEL1_DCACHE_SIZE
  long bytes = sysconf(_SC_LEVEL1_DCACHE_SIZE);
  return bytes > 0 && bytes <= INT32_MAX ? (uint32_t)bytes : 0;
#else
  return 0;
#endif
}

static void target_describe(LlvmTarget *target) {
  target->cache_bytes = target_cache_bytes();
  target->vector_bytes = 16;
  target->n_vectors = 32;
  if (strncmp(target->triple, "x86_64", 6) == 0) {
    describe_x86(target);
  } else {
    target->has_f16c = true; // AArch64 always has them
    target->has_fma = true;
  }
}

static const char *take_message(Arena *arena, char *message) {
  const char *copy = arena_strdup(arena, message ? message : "unknown error");
  LLVMDisposeMessage(message);
  return copy;
}

// The stress build takes any x86 for one with vectors of 4 floats, so that a
// warp is eight of them and nothing comes from wider instructions.
static const char *default_cpu(const LlvmTarget *target) {
#ifdef HD_STRESS
  return strncmp(target->triple, "x86_64", 6) == 0 ? "x86-64" : NULL;
#else
  (void)target;
  return NULL;
#endif
}

static void name_cpu(LlvmTarget *target, Arena *arena) {
  const char *cpu = default_cpu(target);
  target->cpu = cpu ? arena_strdup(arena, cpu)
                    : take_message(arena, LLVMGetHostCPUName());
  target->features = cpu ? "" : take_message(arena, LLVMGetHostCPUFeatures());
}

static LLVMCodeGenOptLevel codegen_level(int opt_level) {
  switch (opt_level) {
  case 0: return LLVMCodeGenLevelNone;
  case 1: return LLVMCodeGenLevelLess;
  case 2: return LLVMCodeGenLevelDefault;
  default: return LLVMCodeGenLevelAggressive;
  }
}

void llvm_target_init(LlvmTarget *target, Arena *arena,
                      const CodeOptions *options) {
  memset(target, 0, sizeof *target);
  llvm_initialise();
  target->triple = take_message(arena, LLVMGetDefaultTargetTriple());
  name_cpu(target, arena);
  target->opt_level = options->opt_level;
  target->checks = options->checks;
  target->schedules = options->schedules;
  target_describe(target);
}

static LLVMTargetMachineRef make_machine(const LlvmTarget *target,
                                         LLVMTargetRef llvm, int opt_level) {
  return LLVMCreateTargetMachine(llvm, target->triple, target->cpu,
                                 target->features, codegen_level(opt_level),
                                 LLVMRelocPIC, LLVMCodeModelSmall);
}

HdStatus llvm_target_open(LlvmTarget *target, Arena *arena, const char **why) {
  LLVMTargetRef llvm;
  if (target->machine)
    return HD_OK;
  char *message = NULL;
  if (LLVMGetTargetFromTriple(target->triple, &llvm, &message)) {
    *why = take_message(arena, message);
    return HD_ERROR_DEVICE;
  }
  target->machine = make_machine(target, llvm, target->opt_level);
  if (target->machine == NULL) {
    *why = "LLVM has no code generator for this machine";
    return HD_ERROR_DEVICE;
  }
  return HD_OK;
}

void llvm_target_fini(LlvmTarget *target) {
  if (target->machine)
    LLVMDisposeTargetMachine(target->machine);
  for (int i = 0; i < 2; i++) {
    if (target->lower[i])
      LLVMDisposeTargetMachine(target->lower[i]);
    target->lower[i] = NULL;
  }
  target->machine = NULL;
}

// ------------------------------------------------------------------ units

static void on_diagnostic(LLVMDiagnosticInfoRef info, void *context) {
  LlvmUnit *unit = context;
  if (LLVMGetDiagInfoSeverity(info) != LLVMDSError || unit->error)
    return;
  char *text = LLVMGetDiagInfoDescription(info);
  unit->error = arena_strdup(unit->arena, text);
  LLVMDisposeMessage(text);
}

void llvm_unit_init(LlvmUnit *unit, Arena *arena, const LlvmTarget *target,
                    const char *name) {
  unit->arena = arena;
  unit->error = NULL;
  unit->is_abandoned = false;
  unit->cx = LLVMContextCreate();
  LLVMContextSetDiagnosticHandler(unit->cx, on_diagnostic, unit);
  LLVMContextSetDiscardValueNames(unit->cx, 1);
  unit->module = LLVMModuleCreateWithNameInContext(name, unit->cx);
  LLVMSetTarget(unit->module, target->triple);
  LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(target->machine);
  LLVMSetModuleDataLayout(unit->module, layout);
  LLVMDisposeTargetData(layout);
}

void llvm_unit_fini(LlvmUnit *unit) {
  if (!unit->is_abandoned && unit->module)
    LLVMDisposeModule(unit->module);
  if (!unit->is_abandoned && unit->cx)
    LLVMContextDispose(unit->cx);
  unit->module = NULL;
  unit->cx = NULL;
}

static const char *take_error(Arena *arena, LLVMErrorRef error) {
  char *message = LLVMGetErrorMessage(error);
  const char *copy = arena_strdup(arena, message);
  LLVMDisposeErrorMessage(message);
  return copy;
}

static HdStatus target_run_passes(LlvmUnit *unit, const LlvmTarget *target,
                                  const char *passes, const char **why) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef error =
      LLVMRunPasses(unit->module, passes, target->machine, options);
  LLVMDisposePassBuilderOptions(options);
  if (error)
    *why = take_error(unit->arena, error);
  else
    *why = unit->error;
  return *why ? HD_ERROR_DEVICE : HD_OK;
}

static HdStatus check_module(LlvmUnit *unit, const char **why) {
  char *message = NULL;
  bool is_bad =
      LLVMVerifyModule(unit->module, LLVMReturnStatusAction, &message) != 0;
  if (is_bad)
    *why = arena_printf(unit->arena, "invalid LLVM IR: %s", message);
  LLVMDisposeMessage(message);
  return is_bad ? HD_ERROR_DEVICE : HD_OK;
}

HdStatus llvm_optimise(LlvmUnit *unit, const LlvmTarget *target,
                       const char *passes, const char **why) {
  Fatal fatal = {.text = ""};
  fatal_here = &fatal;
  HdStatus status;
  if (setjmp(fatal.back) == 0) {
    status = HD_OK;
#ifndef NDEBUG
    status = check_module(unit, why);
#endif
    if (status == HD_OK)
      status = target_run_passes(unit, target, passes, why);
  } else {
    *why = arena_strdup(unit->arena, fatal.text);
    status = HD_ERROR_DEVICE;
    unit->is_abandoned = true;
  }
  fatal_here = NULL;
  (void)check_module;
  return status;
}

// The machine that makes a module's code.
static LLVMTargetMachineRef machine_for(LlvmTarget *target, int most_level) {
  if (most_level >= target->opt_level)
    return target->machine;
  HD_ASSERT(most_level >= 0 && most_level < 2);
  LLVMTargetMachineRef *machine = &target->lower[most_level];
  if (*machine == NULL)
    *machine = make_machine(target, LLVMGetTargetMachineTarget(target->machine),
                            most_level);
  return *machine ? *machine : target->machine;
}

HdStatus llvm_emit(LlvmUnit *unit, LlvmTarget *target, int most_level,
                   bool as_assembly, LLVMMemoryBufferRef *out,
                   const char **why) {
  Fatal fatal = {.text = ""};
  fatal_here = &fatal;
  HdStatus status = HD_OK;
  if (setjmp(fatal.back) == 0) {
    char *message = NULL;
    LLVMCodeGenFileType type = as_assembly ? LLVMAssemblyFile : LLVMObjectFile;
    bool failed = LLVMTargetMachineEmitToMemoryBuffer(
                      machine_for(target, most_level), unit->module, type,
                      &message, out) != 0;
    if (failed)
      *why = take_message(unit->arena, message);
    else if (unit->error) {
      *why = unit->error;
      LLVMDisposeMemoryBuffer(*out);
    }
    if (failed || unit->error)
      status = HD_ERROR_DEVICE;
  } else {
    *why = arena_strdup(unit->arena, fatal.text);
    status = HD_ERROR_DEVICE;
    unit->is_abandoned = true;
  }
  fatal_here = NULL;
  return status;
}
