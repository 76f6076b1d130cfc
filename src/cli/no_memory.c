// SPDX-License-Identifier: Apache-2.0
#include "cli/no_memory.h"

#include "cli/cli.h"

#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <ucontext.h>
#include <unistd.h>

enum {
  SIGNAL_STACK_BYTES = 32 * 1024,
  NEAR_BYTES = 256 * 1024 // a frame, and arrays in it
};

// No memory is needed to say it, and nothing is waited for.
static void end_process(void *unused) {
  static const char text[] = "heddle: error[HD0902]: out of memory\n";
  (void)unused;
  ssize_t ignored = write(STDERR_FILENO, text, sizeof text - 1);
  (void)ignored;
  _exit(EXIT_USAGE);
}

void no_memory_begin(void) {
  rescue_owe(end_process, NULL);
}

// ----------------------------------------------------------- before main

// LLVM aborts where its own start finds no memory, which is before main.
static void on_early_abort(int number) {
  end_process(NULL);
  (void)number;
}

static void set_handler(int number, void (*handler)(int)) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  sigaction(number, &action, NULL);
}

static void before_libraries(void) {
  set_handler(SIGABRT, on_early_abort);
}

// Those of a program run before anything of its libraries does.
__attribute__((section(".preinit_array"),
               used)) static void (*const preinit)(void) = before_libraries;

// ------------------------------------------------------------------- stack

static uintptr_t stack_pointer(const void *context) {
#if defined(__x86_64__)
  const ucontext_t *where = context;
  return (uintptr_t)where->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
  const ucontext_t *where = context;
  return (uintptr_t)where->uc_mcontext.sp;
#else
  (void)context;
  return 0;
#endif
}

// Other faults happen again once there is no handler (SA_RESETHAND).
static void no_memory_on_fault(int number, siginfo_t *info, void *context) {
  uintptr_t at = (uintptr_t)info->si_addr, sp = stack_pointer(context);
  (void)number;
  if (at + NEAR_BYTES > sp && at < sp + NEAR_BYTES)
    end_process(NULL);
}

void no_memory_watch_again(void) {
  struct rlimit space;
  set_handler(SIGBUS, SIG_DFL);
  set_handler(SIGSEGV, SIG_DFL);
  if (getrlimit(RLIMIT_AS, &space) != 0 || space.rlim_cur == RLIM_INFINITY)
    return;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = no_memory_on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | (int)SA_RESETHAND;
  sigemptyset(&action.sa_mask);
  sigaction(SIGSEGV, &action, NULL);
}

void no_memory_watch_stack(void) {
  static char memory[SIGNAL_STACK_BYTES];
  stack_t stack = {.ss_sp = memory, .ss_size = sizeof memory};
  set_handler(SIGABRT, SIG_DFL);
  sigaltstack(&stack, NULL);
  no_memory_watch_again();
}
