// SPDX-License-Identifier: Apache-2.0
#include "syntax/load/preprocess_guard.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

// Nothing of ours stays open in it: whoever reads from us waits for the end.
// System calls only, since other threads may have held locks.
_Noreturn static void be_guard(pid_t parent, pid_t group,
                               const char *const *paths, uint32_t n_paths) {
  sigset_t end;
  int signal;
  close_range(0, ~0U, 0);
  sigemptyset(&end);
  sigaddset(&end, SIGTERM);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  while (getppid() == parent && sigwait(&end, &signal) != 0) {
  }
  if (group)
    kill(-group, SIGKILL);
  for (uint32_t i = n_paths; i > 0; i--)
    if (unlink(paths[i - 1]) != 0)
      rmdir(paths[i - 1]);
  _exit(0);
}

pid_t preprocess_guard_start(pid_t group, const char *const *paths,
                             uint32_t n_paths) {
  sigset_t all;
  sigset_t old;
  pid_t parent = getpid();
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  pid_t guard = fork();
  if (guard == 0)
    be_guard(parent, group, paths, n_paths);
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  return guard > 0 ? guard : 0;
}

void preprocess_guard_end(pid_t guard) {
  if (guard <= 0)
    return;
  kill(guard, SIGKILL);
  while (waitpid(guard, NULL, 0) < 0 && errno == EINTR) {
  }
}
