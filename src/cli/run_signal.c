// SPDX-License-Identifier: Apache-2.0
#include "cli/run_signal.h"

#include "base/panic.h"
#include "cli/cli.h"
#include "cli/no_memory.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

// Signal handlers can only reach what is process-wide.
static HdSession *volatile interrupted_session;
static volatile sig_atomic_t n_signals;

static void end_now(int number) {
  static const char text[] = "heddle: interrupted\n";
  (void)number;
  ssize_t ignored = write(STDERR_FILENO, text, sizeof text - 1);
  (void)ignored;
  _exit(EXIT_INTERRUPTED);
}

static void on_signal(int number) {
  if (n_signals++ > 0)
    end_now(number);
  if (interrupted_session)
    hd_interrupt(interrupted_session);
  alarm(1);
}

static void run_signal_handle(int number, void (*handler)(int)) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  sigaction(number, &action, NULL);
}

// ------------------------------------------------------------------ faults

static const int fault_signals[] = {SIGSEGV, SIGBUS};
static char fault_text[512];

// Code of a library, not of a kernel or the runtime.
static bool is_compilers(const void *address) {
  Dl_info info;
  return dladdr(address, &info) && info.dli_fname &&
         (strstr(info.dli_fname, "libLLVM") ||
          strstr(info.dli_fname, "libz3") || strstr(info.dli_fname, "libisl"));
}

static const void *program_counter(const void *context) {
#if defined(__x86_64__)
  const ucontext_t *where = context;
  return (const void *)(uintptr_t)where->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
  const ucontext_t *where = context;
  return (const void *)(uintptr_t)where->uc_mcontext.pc;
#else
  (void)context;
  return NULL;
#endif
}

// The handler was taken away by its first call (SA_RESETHAND): to return is to
// fault again, as if there had been none.
static void run_signal_on_fault(int number, siginfo_t *info, void *context) {
  (void)number;
  (void)info;
  if (is_compilers(program_counter(context)))
    return;
  ssize_t ignored = write(STDERR_FILENO, fault_text, strlen(fault_text));
  (void)ignored;
  _exit(EXIT_WRONG);
}

void fault_begin(const char *kernel, bool is_sanitized) {
  snprintf(fault_text, sizeof fault_text,
           "heddle: kernel '%.200s' used an address that isn't memory of this "
           "process: %s\n",
           kernel,
           is_sanitized ? "outside of its arrays"
                        : "run it with --sanitize, which names the line and "
                          "the array");
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = run_signal_on_fault;
  action.sa_flags = SA_SIGINFO | (int)SA_RESETHAND | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < sizeof fault_signals / sizeof *fault_signals; i++)
    sigaction(fault_signals[i], &action, NULL);
}

void fault_end(void) {
  no_memory_watch_again();
}

void signal_begin(HdSession *session) {
  HD_ASSERT(session && !interrupted_session); // one at a time
  interrupted_session = session;
  n_signals = 0;
  run_signal_handle(SIGALRM, end_now);
  run_signal_handle(SIGINT, on_signal);
  run_signal_handle(SIGTERM, on_signal);
}

void signal_end(void) {
  alarm(0);
  run_signal_handle(SIGINT, SIG_DFL);
  run_signal_handle(SIGTERM, SIG_DFL);
  interrupted_session = NULL;
}
