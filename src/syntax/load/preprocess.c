// SPDX-License-Identifier: Apache-2.0
#include "syntax/load/preprocess.h"

#include "base/rescue.h"
#include "base/text.h"
#include "base/vec.h"
#include "syntax/limits.h"
#include "syntax/load/preprocess_confine.h"
#include "syntax/load/preprocess_guard.h"
#include "syntax/load/preprocess_stuck.h"
#include "syntax/load/preprocess_wait.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
  MAX_MESSAGE_BYTES = 1024 * 1024,
  MAX_MEMORY_BYTES = 512 * 1024 * 1024,
  TIME_LIMIT_SECONDS = 60,
  LOOK_MS = 200,    // of silence, after which it is looked what it does
  SILENCE_MS = 1000 // after which it waits, if there is what to wait for
};

typedef hd_vec(char *) Arguments;

// --- The command -----------------------------------------------------------

// Splits $HEDDLE_CPP on blanks.
static void preprocess_add_words(Arena *arena, Arguments *argv,
                                 const char *words) {
  const char *at = words + strspn(words, " \t\n");
  while (*at) {
    size_t n = strcspn(at, " \t\n");
    VEC_PUSH(arena, argv, arena_strndup(arena, at, n));
    at += n;
    at += strspn(at, " \t\n");
  }
}

static void preprocess_add(Arena *arena, Arguments *argv, const char *prefix,
                           const char *word) {
  VEC_PUSH(arena, argv, arena_printf(arena, "%s%s", prefix, word));
}

// MAJOR.MINOR.PATCH as one number, 10203 for 1.2.3.
static int version_number(void) {
  char *at = NULL;
  long major = strtol(HD_VERSION, &at, 10);
  long minor = *at == '.' ? strtol(at + 1, &at, 10) : 0;
  long patch = *at == '.' ? strtol(at + 1, &at, 10) : 0;
  return (int)(major * 10000 + minor * 100 + patch);
}

// What a C preprocessor needs to read CUDA C++.
static void add_cuda(Arena *arena, Arguments *argv, const PreprocessJob *job) {
  static const char *const macros[] = {"-D__cplusplus=201703L", "-Dlinux=1",
                                       "-D__linux__=1", "-D__x86_64__=1",
                                       "-imacros"};
  // Those that most headers of C++ bring.
  static const char *const headers[] = {"/limits", "/type_traits"};
  if (!job->cuda_headers)
    return;
  for (size_t i = 0; i < sizeof(macros) / sizeof(macros[0]); i++)
    preprocess_add(arena, argv, "", macros[i]);
  preprocess_add(arena, argv, job->cuda_headers, "/heddle_cuda_macros.h");
  for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++) {
    preprocess_add(arena, argv, "", "-include");
    preprocess_add(arena, argv, job->cuda_headers, headers[i]);
  }
  if (job->text_folder) {
    preprocess_add(arena, argv, "", "-iquote");
    preprocess_add(arena, argv, "", job->text_folder);
  }
  preprocess_add(arena, argv, "", "-isystem");
  preprocess_add(arena, argv, "", job->cuda_headers);
  if (job->last_folder) {
    preprocess_add(arena, argv, "", "-idirafter");
    preprocess_add(arena, argv, "", job->last_folder);
  }
}

static const char *confined_header(Arena *arena, const PreprocessJob *job) {
  return arena_printf(arena, "%s/heddle_confined.h",
                      job->headers ? job->headers : "");
}

// -std=c2x: C17 would take 1'000 for the start of a character constant.
// gnu2x: raw strings too.
char **preprocess_command(Arena *arena, const PreprocessJob *job) {
  static const char *const fixed[] = {"-undef", "-nostdinc", "-x", "c"};
  Arguments argv = {0};
  const char *command = getenv("HEDDLE_CPP");
  bool has_command = command && command[strspn(command, " \t\n")];
  preprocess_add_words(arena, &argv, has_command ? command : "cc -E");
  for (size_t i = 0; i < sizeof(fixed) / sizeof(fixed[0]); i++)
    preprocess_add(arena, &argv, "", fixed[i]);
  preprocess_add(arena, &argv, "",
                 job->cuda_headers ? "-std=gnu2x" : "-std=c2x");
  for (uint32_t i = 0; i < job->options->n_include_dirs; i++)
    preprocess_add(arena, &argv, "-I", job->options->include_dirs[i]);
  add_cuda(arena, &argv, job);
  if (job->headers) {
    preprocess_add(arena, &argv, "", "-isystem");
    preprocess_add(arena, &argv, "", job->headers);
  }
  if (job->options->is_confined) {
    // A #line would have lines of any file shown.
    preprocess_add(arena, &argv, "", "-fno-diagnostics-show-caret");
    preprocess_add(arena, &argv, "", "-imacros");
    preprocess_add(arena, &argv, "", confined_header(arena, job));
  }
  VEC_PUSH(arena, &argv,
           arena_printf(arena, "-D__HEDDLE__=%d", version_number()));
  for (uint32_t i = 0; i < job->options->n_defines; i++)
    preprocess_add(arena, &argv, "-D", job->options->defines[i]);
  if (job->text)
    preprocess_add(arena, &argv, "", "-");
  else
    preprocess_add(arena, &argv, job->path[0] == '-' ? "./" : "", job->path);
  VEC_PUSH(arena, &argv, NULL);
  return argv.data;
}

static bool preprocess_is_dropped(const char *variable) {
  // They add folders of headers, write files, or translate messages.
  static const char *const names[] = {
      "CPATH=",    "C_INCLUDE_PATH=", "DEPENDENCIES_OUTPUT=",
      "LANGUAGE=", "LC_ALL=",         "SUNPRO_DEPENDENCIES="};
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
    if (strncmp(variable, names[i], strlen(names[i])) == 0)
      return true;
  return false;
}

static Arguments make_environment(Arena *arena) {
  Arguments out = {0};
  for (char **at = environ; *at; at++)
    if (!preprocess_is_dropped(*at))
      VEC_PUSH(arena, &out, *at);
  VEC_PUSH(arena, &out, arena_strdup(arena, "LC_ALL=C"));
  VEC_PUSH(arena, &out, NULL);
  return out;
}

// --- The child -------------------------------------------------------------

typedef struct {
  Arena *arena;
  pid_t pid;
  int out, err; // what we read from; -1 when closed
  struct timespec deadline;
  bool is_timed_out;
  int read_error;      // errno of what it printed, 0: none
  PreprocessWait wait; // what it may come to wait for
  PreprocessConfine confine;
  pid_t guard; // 0: none
  bool is_waiting;
} Child;

static HdStatus fail_start(Arena *arena, const char **why, const char *program,
                           int error) {
  char buffer[128];
  *why = arena_printf(arena,
                      "can't run the C preprocessor '%s': %s (install a C "
                      "compiler, or set HEDDLE_CPP to a preprocessor)",
                      program, strerror_r(error, buffer, sizeof(buffer)));
  return error == ENOENT ? HD_ERROR_NOT_FOUND : HD_ERROR_IO;
}

static bool preprocess_write_all(int fd, const char *data, size_t size) {
  while (size > 0) {
    ssize_t n = write(fd, data, size);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return false;
    data += n;
    size -= (size_t)n;
  }
  return true;
}

// A file in memory with the text, named by a #line in front, so that the child
// can be fed without a pipe that might fill up.
static int open_text(Arena *arena, const PreprocessJob *job) {
  Text first = {.arena = arena};
  text_add(&first, "#line 1 \"");
  for (const char *c = job->path; *c; c++) {
    if (*c == '"' || *c == '\\')
      text_add_char(&first, '\\');
    text_add_char(&first, *c == '\n' ? ' ' : *c);
  }
  text_add(&first, "\"\n");
  const char *line = text_cstr(&first);
  int fd = memfd_create("heddle-source", MFD_CLOEXEC);
  if (fd < 0)
    return -1;
  if (preprocess_write_all(fd, line, first.length) &&
      preprocess_write_all(fd, job->text, job->length) &&
      lseek(fd, 0, SEEK_SET) == 0)
    return fd;
  close(fd);
  return -1;
}

static int preprocess_open_input(Arena *arena, const PreprocessJob *job) {
  return job->text ? open_text(arena, job)
                   : open("/dev/null", O_RDONLY | O_CLOEXEC);
}

typedef struct {
  const int *fds;
  char **argv;
  char **environment;
  const PreprocessConfine *confine;
  volatile int error; // of exec
} ChildStart;

// An #include of a device that never ends would take all memory before the
// time is up. Whatever the child starts inherits the limits.
static void limit_child(void) {
  static const struct rlimit memory = {MAX_MEMORY_BYTES, MAX_MEMORY_BYTES};
  static const struct rlimit seconds = {TIME_LIMIT_SECONDS, TIME_LIMIT_SECONDS};
  setrlimit(RLIMIT_DATA, &memory);
  setrlimit(RLIMIT_CPU, &seconds);
}

// Signals as usual, and all of them let through. No handler of ours may run in
// the child.
static void reset_signals(void) {
  struct sigaction action = {.sa_handler = SIG_DFL};
  for (int i = 1; i < NSIG; i++) {
    struct sigaction old;
    bool is_usual = i == SIGPIPE || i == SIGINT || i == SIGCHLD;
    if (sigaction(i, NULL, &old) == 0 &&
        (is_usual || old.sa_handler != SIG_IGN))
      sigaction(i, &action, NULL);
  }
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

// As dup2, but `to` stays open over exec even if it is `from`.
static bool move_fd(int from, int to) {
  return from == to ? fcntl(to, F_SETFD, 0) == 0 : dup2(from, to) >= 0;
}

// In the child, which has our memory until exec: system calls only. Its own
// process group, so that its children end with it. It ends with us.
_Noreturn static void be_child(ChildStart *start) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (int i = 0; i < 3; i++)
    if (!move_fd(start->fds[i], i))
      goto fail;
  limit_child();
  reset_signals();
  if (preprocess_confine_child(start->confine))
    execvpe(start->argv[0], start->argv, start->environment);
fail:
  start->error = errno;
  _exit(127);
}

// posix_spawn has no limits, and set from outside they come too late for the
// children of a quick child. Signals wait: a handler would run in the child.
static int spawn_with(Child *child, const int fds[3], char **argv,
                      char **environment) {
  ChildStart start = {fds, argv, environment, &child->confine, 0};
  sigset_t all;
  sigset_t old;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  pid_t pid = vfork();
  if (pid == 0)
    be_child(&start);
  int error = pid < 0 ? errno : start.error;
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  if (pid > 0 && error)
    waitpid(pid, NULL, 0);
  preprocess_confine_begin(&child->confine);
  child->pid = pid;
  return error;
}

static void close_pair(const int pair[2]) {
  close(pair[0]);
  close(pair[1]);
}

// Starts the child with pipes for its output; an errno on failure.
static int start_child(Child *child, const PreprocessJob *job, char **argv) {
  int out[2];
  int err[2];
  char **environment = make_environment(child->arena).data;
  int input = preprocess_open_input(child->arena, job);
  if (input < 0)
    return errno;
  if (pipe2(out, O_CLOEXEC) != 0) {
    int error = errno;
    close(input);
    return error;
  }
  if (pipe2(err, O_CLOEXEC) != 0) {
    int error = errno;
    close(input);
    close_pair(out);
    return error;
  }
  int error =
      spawn_with(child, (int[3]){input, out[1], err[1]}, argv, environment);
  close(input);
  close(out[1]);
  close(err[1]);
  child->out = out[0];
  child->err = err[0];
  if (error)
    close_pair((int[2]){out[0], err[0]});
  return error;
}

static int milliseconds_left(Child *child) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  long left = (child->deadline.tv_sec - now.tv_sec) * 1000 +
              (child->deadline.tv_nsec - now.tv_nsec) / 1000000;
  child->is_timed_out |= left <= 0;
  return left > 0 ? (int)left : 0;
}

// Moves what is there from *fd to `text`; closes it at its end. False: more
// than `limit`.
static bool drain(Child *child, int *fd, Text *text, size_t limit) {
  char buffer[16384];
  ssize_t n = read(*fd, buffer, sizeof(buffer));
  if (n < 0 && (errno == EINTR || errno == EAGAIN))
    return true;
  if (n < 0)
    child->read_error = errno;
  if (n <= 0) {
    close(*fd);
    *fd = -1;
    return true;
  }
  text_add_n(text, buffer, (size_t)n);
  return text->length <= limit;
}

// After some silence: it waits for what never comes.
static bool is_waiting(Child *child, int silence_ms) {
  const char *what = preprocess_stuck(child->arena, child->pid);
  if (what)
    child->wait.what = what;
  return what || (child->wait.what && silence_ms >= SILENCE_MS);
}

// Reads both outputs to their ends, or until we know that they never come.
// False: the output is too large. More messages than the limit are dropped.
static bool read_outputs(Child *child, Text *out, Text *err) {
  int silence_ms = 0;
  while (child->out >= 0 || child->err >= 0) {
    struct pollfd fds[3] = {{.fd = child->out, .events = POLLIN},
                            {.fd = child->err, .events = POLLIN},
                            {.fd = child->confine.asked, .events = POLLIN}};
    int left = milliseconds_left(child);
    int ready = poll(fds, 3, left < LOOK_MS ? left : LOOK_MS);
    silence_ms = ready == 0 ? silence_ms + LOOK_MS : 0;
    child->is_waiting = ready == 0 && is_waiting(child, silence_ms);
    if (child->is_timed_out || child->is_waiting)
      return true;
    if (ready <= 0)
      continue;
    if (fds[2].revents & POLLIN)
      preprocess_confine_answer(&child->confine);
    else if (fds[2].revents)
      preprocess_confine_end(&child->confine); // nobody is left to ask
    if (fds[0].revents &&
        !drain(child, &child->out, out, SYNTAX_MAX_SOURCE_BYTES))
      return false;
    if (fds[1].revents && !drain(child, &child->err, err, MAX_MESSAGE_BYTES))
      err->length = MAX_MESSAGE_BYTES;
  }
  return true;
}

// Waits until the deadline, then kills. The exit status, or -1.
static int finish_child(Child *child, bool is_killed) {
  int status = 0;
  preprocess_guard_end(child->guard);
  preprocess_confine_end(&child->confine);
  if (child->out >= 0)
    close(child->out);
  if (child->err >= 0)
    close(child->err);
  while (!is_killed && !child->is_timed_out) {
    pid_t done = waitpid(child->pid, &status, WNOHANG);
    if (done == child->pid)
      return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    if (done < 0 && errno != EINTR)
      return 0; // the program around us lets no one wait: trust the messages
    struct timespec pause = {.tv_nsec = 1000000};
    nanosleep(&pause, NULL);
    milliseconds_left(child);
  }
  kill(-child->pid, SIGKILL);
  while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR) {
  }
  return -1;
}

static void stop_child(void *what) {
  finish_child(what, true);
}

HdStatus preprocess_run(Arena *arena, const PreprocessJob *job,
                        PreprocessResult *out, const char **why) {
  Child child = {.arena = arena,
                 .out = -1,
                 .err = -1,
                 .wait = preprocess_wait(arena, job),
                 .confine = preprocess_confine(arena, job->confine,
                                               confined_header(arena, job))};
  Text text = {.arena = arena};
  Text messages = {.arena = arena};
  char **argv = preprocess_command(arena, job);
  *out = (PreprocessResult){.program = argv[0]};
  clock_gettime(CLOCK_MONOTONIC, &child.deadline);
  child.deadline.tv_sec += TIME_LIMIT_SECONDS;
  int error = start_child(&child, job, argv);
  if (error)
    preprocess_confine_end(&child.confine);
  if (error)
    return fail_start(arena, why, argv[0], error);
  rescue_owe(stop_child, &child);
  // What waits doesn't see that its parent, the driver, has ended with us.
  if (child.wait.is_open)
    child.guard = preprocess_guard_start(child.pid, NULL, 0);
  out->is_too_large = !read_outputs(&child, &text, &messages);
  rescue_paid(&child);
  int status = finish_child(&child, out->is_too_large || child.is_waiting);
  char error_text[128];
  if (child.read_error) {
    *why = arena_printf(
        arena, "can't read the output of the C preprocessor: %s",
        strerror_r(child.read_error, error_text, sizeof error_text));
    return HD_ERROR_IO;
  }
  if (child.is_waiting) {
    *why =
        arena_printf(arena, "%s: the C preprocessor would never reach its end",
                     child.wait.what);
    return HD_ERROR_IO;
  }
  if (child.is_timed_out) {
    *why = arena_printf(arena,
                        "the C preprocessor '%s' ran for more than %d "
                        "seconds and was stopped",
                        argv[0], TIME_LIMIT_SECONDS);
    return HD_ERROR_IO;
  }
  out->has_failed = status != 0;
  out->text = text_cstr(&text);
  out->length = text.length;
  out->messages = text_cstr(&messages);
  return HD_OK;
}
