// SPDX-License-Identifier: Apache-2.0
#include "syntax/load/preprocess_confine.h"

#include "syntax/load/preprocess_stuck.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define OWN_MACHINE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_MACHINE AUDIT_ARCH_AARCH64
#else
#define OWN_MACHINE 0 // nothing is asked
#endif
#ifdef SYS_open
#define OLD_OPEN SYS_open
#else
#define OLD_OPEN SYS_openat
#endif

PreprocessConfine preprocess_confine(Arena *arena, const LoadConfine *rules,
                                     const char *last_header) {
  PreprocessConfine out = {.arena = arena,
                           .rules = rules,
                           .sockets = {-1, -1},
                           .asked = -1,
                           .last_header = last_header};
  if (rules && OWN_MACHINE &&
      socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0,
                 out.sockets) != 0)
    out.sockets[0] = out.sockets[1] = -1;
  return out;
}

// --- In the child ----------------------------------------------------------

// A descriptor to answer by, or -1. TSYNC_ESRCH, which a single thread has no
// use for, is refused by kernels that can't let a call go on.
static int ask_before_opening(void) {
  struct sock_filter steps[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OWN_MACHINE, 0, 4),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 3, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OLD_OPEN, 2, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat2, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF)};
  struct sock_fprog filter = {sizeof steps / sizeof steps[0], steps};
  unsigned flags = SECCOMP_FILTER_FLAG_NEW_LISTENER |
                   SECCOMP_FILTER_FLAG_TSYNC | SECCOMP_FILTER_FLAG_TSYNC_ESRCH;
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
    return -1;
  return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &filter);
}

typedef union {
  struct cmsghdr head;
  char bytes[CMSG_SPACE(sizeof(int))];
} Handed;

bool preprocess_confine_child(const PreprocessConfine *confine) {
  if (confine->sockets[1] < 0)
    return true;
  int asked = ask_before_opening();
  if (asked < 0)
    return true;
  char byte = 0;
  struct iovec data = {&byte, 1};
  Handed handed = {.head = {CMSG_LEN(sizeof asked), SOL_SOCKET, SCM_RIGHTS}};
  memcpy(CMSG_DATA(&handed.head), &asked, sizeof asked);
  struct msghdr message = {.msg_iov = &data,
                           .msg_iovlen = 1,
                           .msg_control = handed.bytes,
                           .msg_controllen = sizeof handed.bytes};
  return sendmsg(confine->sockets[1], &message, 0) >= 0;
}

// --- In the parent ---------------------------------------------------------

void preprocess_confine_begin(PreprocessConfine *confine) {
  if (confine->sockets[0] < 0)
    return;
  char byte;
  struct iovec data = {&byte, 1};
  Handed handed = {0};
  struct msghdr message = {.msg_iov = &data,
                           .msg_iovlen = 1,
                           .msg_control = handed.bytes,
                           .msg_controllen = sizeof handed.bytes};
  ssize_t n = recvmsg(confine->sockets[0], &message, MSG_CMSG_CLOEXEC);
  struct cmsghdr *head = n > 0 ? CMSG_FIRSTHDR(&message) : NULL;
  if (head && head->cmsg_type == SCM_RIGHTS)
    memcpy(&confine->asked, CMSG_DATA(head), sizeof confine->asked);
  close(confine->sockets[0]);
  close(confine->sockets[1]);
  confine->sockets[0] = confine->sockets[1] = -1;
}

void preprocess_confine_end(PreprocessConfine *confine) {
  preprocess_confine_begin(confine); // if it wasn't
  if (confine->asked >= 0)
    close(confine->asked);
  confine->asked = -1;
}

static bool is_bound(const PreprocessConfine *confine, pid_t pid) {
  for (int i = 0; i < confine->n_bound; i++)
    if (confine->bound[i] == pid)
      return true;
  return confine->n_bound == CONFINE_MOST_PROCESSES;
}

// The name that the call opens, as we would open it; NULL: it can't be read.
static const char *preprocess_confine_name_of(PreprocessConfine *confine,
                                              const struct seccomp_notif *ask) {
  bool is_at = ask->data.nr != OLD_OPEN || OLD_OPEN == SYS_openat;
  char path[PATH_MAX];
  if (!preprocess_read_path((pid_t)ask->pid, ask->data.args[is_at], path))
    return NULL;
  int folder = is_at ? (int)ask->data.args[0] : AT_FDCWD;
  if (path[0] == '/' || folder == AT_FDCWD)
    return arena_strdup(confine->arena, path);
  return arena_printf(confine->arena, "/proc/%u/fd/%d/%s", ask->pid, folder,
                      path);
}

static bool may_open(PreprocessConfine *confine,
                     const struct seccomp_notif *ask) {
  const char *name = preprocess_confine_name_of(confine, ask);
  pid_t pid = (pid_t)ask->pid;
  if (!name)
    return true;
  if (is_bound(confine, pid))
    return load_confine_allows(confine->rules, name);
  if (strcmp(name, confine->last_header) == 0)
    confine->bound[confine->n_bound++] = pid;
  return true;
}

void preprocess_confine_answer(PreprocessConfine *confine) {
  struct seccomp_notif ask = {0};
  if (ioctl(confine->asked, SECCOMP_IOCTL_NOTIF_RECV, &ask) != 0)
    return; // it has ended
  struct seccomp_notif_resp answer = {.id = ask.id};
  if (may_open(confine, &ask))
    answer.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
  else
    answer.error = -EACCES;
  ioctl(confine->asked, SECCOMP_IOCTL_NOTIF_SEND, &answer);
}
