// SPDX-License-Identifier: Apache-2.0
// dumps JOBS < REQUESTS: many `heddle dump`, JOBS at a time.
//
// The dynamic linker takes half of the time of a short `heddle dump`, for LLVM.
// Here each is a child of a process that was linked before.
//
// A request is a line of fields with tabs between: BASE, then the words after
// `heddle dump`. Its output goes to BASE.out and BASE.err; its exit status, 128
// + SIGNAL for one that a signal ended, to standard output as "BASE STATUS".
#include "base/arena.h"
#include "cli/commands.h"
#include "cli/no_memory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_WORDS = 256, MOST_JOBS = 64, BASE_BYTES = 4096 };

typedef struct {
  pid_t process; // 0: none
  char base[BASE_BYTES];
} Job;

typedef struct {
  Job jobs[MOST_JOBS];
  int n_jobs, n_running;
} Jobs;

static _Noreturn void die(const char *what) {
  fprintf(stderr, "dumps: %s: %s\n", what, strerror(errno));
  exit(1);
}

static const CommandRow *dump_command(void) {
  for (int i = 0; i < n_commands; i++) {
    if (strcmp(commands[i].name, "dump") == 0)
      return &commands[i];
  }
  die("there is no 'heddle dump'");
}

static void redirect(FILE *stream, const char *base, const char *ending) {
  char path[BASE_BYTES + 8];
  snprintf(path, sizeof path, "%s.%s", base, ending);
  if (!freopen(path, "w", stream))
    die(path);
}

// What main of the command does; in the child.
static int dump(int n_words, char **words) {
  Rescue rescue RESCUE_SCOPE;
  if (RESCUE_ENTER(&rescue))
    return EXIT_USAGE;
  no_memory_begin();
  no_memory_watch_stack();
  const CommandRow *row = dump_command();
  Arena *arena = arena_new();
  Options options;
  int status = options_parse(arena, row->command, n_words, words, 0, &options);
  if (status == EXIT_DONE)
    status = row->run(&options);
  arena_free(arena);
  return fflush(stdout) == 0 && !ferror(stdout) ? status : EXIT_USAGE;
}

// Waits for one of the children.
static void reap(Jobs *jobs) {
  int status;
  pid_t process = waitpid(-1, &status, 0);
  if (process < 0)
    die("waitpid");
  for (int i = 0; i < jobs->n_jobs; i++) {
    Job *job = &jobs->jobs[i];
    if (job->process != process)
      continue;
    printf("%s %d\n", job->base,
           WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
    job->process = 0;
    jobs->n_running--;
  }
}

static Job *free_job(Jobs *jobs) {
  while (jobs->n_running == jobs->n_jobs)
    reap(jobs);
  Job *job = jobs->jobs;
  while (job->process != 0)
    job++;
  return job;
}

static void start(Jobs *jobs, char *line) {
  char *words[MOST_WORDS + 1] = {NULL};
  int n_words = 0;
  char *rest = line;
  for (char *word; (word = strsep(&rest, "\t"));) {
    if (n_words == MOST_WORDS)
      die("too many words");
    words[n_words++] = word;
  }
  if (strlen(words[0]) >= BASE_BYTES)
    die("a name is too long");
  Job *job = free_job(jobs);
  fflush(stdout);
  job->process = fork();
  if (job->process < 0)
    die("fork");
  if (job->process == 0) {
    redirect(stdout, words[0], "out");
    redirect(stderr, words[0], "err");
    int status = dump(n_words - 1, words + 1);
    fflush(stderr);
    _exit(status); // exit would move the place in standard input, for all
  }
  snprintf(job->base, sizeof job->base, "%s", words[0]);
  jobs->n_running++;
}

int main(int argc, char **argv) {
  Jobs jobs = {.n_jobs = argc == 2 ? atoi(argv[1]) : 0};
  if (jobs.n_jobs < 1 || jobs.n_jobs > MOST_JOBS) {
    fputs("usage: dumps JOBS < REQUESTS\n", stderr);
    return 2;
  }
  char *line = NULL;
  size_t capacity = 0;
  ssize_t length;
  while ((length = getline(&line, &capacity, stdin)) > 0) {
    line[length - (line[length - 1] == '\n')] = '\0';
    start(&jobs, line);
  }
  while (jobs.n_running > 0)
    reap(&jobs);
  free(line);
  return 0;
}
