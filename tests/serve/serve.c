// SPDX-License-Identifier: Apache-2.0
// Loading a program's libraries takes longer than most of what tests ask of it.
// Preloaded into a program (LD_PRELOAD), this library waits for command lines
// once the libraries are there, and calls `main` for each in a process of its
// own, forked from the waiting one. tests/server.py is the other side.
//
// A request on standard input: the number of bytes that follow, then strings
// that end with NUL: the folder, the files of standard input, output and error,
// the number of arguments, they, and the environment. The answers on standard
// output: the process that was started, then its status as waitpid gives it.
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FOLDER, INPUT, OUTPUT, ERRORS, N_ARGUMENTS, N_FIXED };

typedef int Main(int argc, char **argv, char **environment);
typedef int Start(Main *program, int argc, char **argv, void (*init)(void),
                  void (*fini)(void), void (*end)(void), void *stack);

// Replaces the C library's.
__attribute__((visibility("default"))) Start __libc_start_main; // NOLINT

static Main *served;

static void serve_fail(const char *what) {
  fprintf(stderr, "serve: %s: %s\n", what, strerror(errno));
  _exit(120);
}

static bool serve_read(void *to, size_t size) {
  for (size_t done = 0; done < size;) {
    ssize_t got = read(STDIN_FILENO, (char *)to + done, size - done);
    if (got <= 0)
      return false;
    done += (size_t)got;
  }
  return true;
}

static void serve_answer(int32_t number) {
  if (write(STDOUT_FILENO, &number, sizeof number) != sizeof number)
    serve_fail("can't answer");
}

// The strings of a request, and NULL after them.
static char **serve_split(char *text, size_t size) {
  size_t count = 0;
  for (size_t i = 0; i < size; i++)
    count += text[i] == '\0';
  char **strings = calloc(count + 1, sizeof *strings);
  if (!strings || count < N_FIXED)
    serve_fail("no request");
  for (size_t i = 0; i < count; i++, text += strlen(text) + 1)
    strings[i] = text;
  return strings;
}

static void serve_open(const char *path, int flags, int as) {
  int fd = open(path, flags, 0666);
  if (fd < 0 || dup2(fd, as) < 0)
    serve_fail(path);
  close(fd);
}

// In the new process: what `heddle` would find if it had been started.
static int serve_run(char **request) {
  setsid();
  serve_open(request[INPUT], O_RDONLY, STDIN_FILENO);
  serve_open(request[OUTPUT], O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
  serve_open(request[ERRORS], O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
  if (chdir(request[FOLDER]) != 0)
    serve_fail(request[FOLDER]);
  int argc = atoi(request[N_ARGUMENTS]);
  char **arguments = calloc((size_t)argc + 1, sizeof *arguments);
  if (!arguments)
    serve_fail("no memory");
  memcpy(arguments, request + N_FIXED, (size_t)argc * sizeof *arguments);
  environ = request + N_FIXED + argc;
  return served(argc, arguments, environ);
}

static int serve(int argc, char **argv, char **environment) {
  (void)argc, (void)argv, (void)environment;
  uint32_t size = 0;
  while (serve_read(&size, sizeof size)) {
    char *text = malloc(size);
    if (!text || !serve_read(text, size))
      serve_fail("half a request");
    char **request = serve_split(text, size);
    pid_t child = fork();
    if (child < 0)
      serve_fail("can't fork");
    if (child == 0)
      return serve_run(request);
    serve_answer(child);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    serve_answer(status);
    free(request);
    free(text);
  }
  _exit(0);
}

int __libc_start_main(Main *program, int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*end)(void), void *stack) {
  union {
    void *object;
    Start *function;
  } real = {.object = dlsym(RTLD_NEXT, "__libc_start_main")};

  served = program;
  return real.function(serve, argc, argv, init, fini, end, stack);
}
