// SPDX-License-Identifier: Apache-2.0
#include "cli/run_signal.h"

#include "cli/cli.h"

#include <signal.h>
#include <string.h>
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

static void handle(int number, void (*handler)(int)) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  sigaction(number, &action, NULL);
}

void signal_begin(HdSession *session) {
  interrupted_session = session;
  n_signals = 0;
  handle(SIGALRM, end_now);
  handle(SIGINT, on_signal);
  handle(SIGTERM, on_signal);
}

void signal_end(void) {
  alarm(0);
  handle(SIGINT, SIG_DFL);
  handle(SIGTERM, SIG_DFL);
  interrupted_session = NULL;
}
