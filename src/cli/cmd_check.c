// SPDX-License-Identifier: Apache-2.0
// heddle check: verdicts about kernels of any number of files. Files are
// checked in parallel and told in order.
#include "base/panic.h"
#include "cli/check_file.h"
#include "cli/check_files.h"
#include "cli/no_memory.h"
#include "cli/process_memory.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef struct {
  const Options *options;
  FileCheck *files;
  uint32_t n_files;
  pthread_mutex_t lock; // guards what follows
  pthread_cond_t done;
  bool *is_done;
  uint32_t next, n_done;
  HdStatus failed; // to open a session
} Pool;

// ---------------------------------------------------------------- workers

static bool cmd_check_take(Pool *pool, uint32_t *index) {
  pthread_mutex_lock(&pool->lock);
  bool is_left = pool->next < pool->n_files && pool->failed == HD_OK;
  if (is_left)
    *index = pool->next++;
  pthread_mutex_unlock(&pool->lock);
  return is_left;
}

static void cmd_check_finish(Pool *pool, uint32_t index) {
  pthread_mutex_lock(&pool->lock);
  pool->is_done[index] = true;
  pool->n_done++;
  pthread_cond_signal(&pool->done);
  pthread_mutex_unlock(&pool->lock);
}

static void cmd_check_give_up(Pool *pool, HdStatus status) {
  pthread_mutex_lock(&pool->lock);
  pool->failed = status;
  pthread_cond_signal(&pool->done);
  pthread_mutex_unlock(&pool->lock);
}

// A session each: they share nothing.
static void work_on(Pool *pool) {
  HdSession *session;
  uint32_t index;
  HdStatus status = hd_session_new(&pool->options->session, &session);
  if (status != HD_OK) {
    cmd_check_give_up(pool, status);
    return;
  }
  while (cmd_check_take(pool, &index)) {
    pool->files[index].arena = arena_new();
    check_file(pool->options, session, &pool->files[index]);
    rescue_hand_over(pool->files[index].arena);
    cmd_check_finish(pool, index);
  }
  hd_session_free(session);
}

static void *cmd_check_work(void *context) {
  Rescue rescue RESCUE_SCOPE;
  if (RESCUE_ENTER(&rescue))
    return NULL;
  no_memory_begin();
  work_on(context);
  return NULL;
}

static uint32_t cmd_check_worker_count(const Pool *pool) {
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  uint32_t n = pool->options->n_jobs > 0 ? (uint32_t)pool->options->n_jobs
               : processors > 0          ? (uint32_t)processors
                                         : 1;
  return n < pool->n_files ? n : pool->n_files;
}

// --------------------------------------------------------------- progress

static double now_s(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

// One line on a terminal, once it takes longer than people like to wait.
typedef struct {
  double start_s, shown_s;
  bool is_on, is_shown;
} Progress;

static void progress_clear(Progress *progress) {
  if (progress->is_shown)
    fputs("\r\033[K", stderr);
  progress->is_shown = false;
}

static void progress_show(Progress *progress, const Pool *pool,
                          uint32_t index) {
  double now = now_s();
  if (!progress->is_on || now - progress->start_s < 1 ||
      now - progress->shown_s < 0.2)
    return;
  fprintf(stderr, "\r\033[K%u of %u checked, %.0f s; now %.60s", pool->n_done,
          pool->n_files, now - progress->start_s, pool->files[index].file);
  progress->shown_s = now;
  progress->is_shown = true;
}

// Waits for file `index`; false: it will never be done.
static bool cmd_check_wait_for(Pool *pool, uint32_t index, Progress *progress) {
  pthread_mutex_lock(&pool->lock);
  while (!pool->is_done[index] && pool->failed == HD_OK) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 200000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&pool->done, &pool->lock, &until);
    progress_show(progress, pool, index);
  }
  bool is_done = pool->is_done[index];
  pthread_mutex_unlock(&pool->lock);
  return is_done;
}

// ----------------------------------------------------------------- output

typedef struct {
  int status;
  bool has_kernel;
  int n_kernels[N_VERDICTS];
  Text kernels, diagnostics; // JSON
  Text needs;                // lines of the first unknown kernels
  int n_needs;
} Total;

static void cmd_check_append(Text *list, const Text *items) {
  if (items->length == 0)
    return;
  text_printf(list, "%s%s", list->length ? ",\n " : "", text_cstr(items));
}

// Of a folder's worth of them, some.
static void take_needs(const FileCheck *file, Total *total) {
  enum { MOST = 20 };

  const char *line = text_cstr(&file->needs), *end;
  for (; (end = strchr(line, '\n')); line = end + 1)
    if (total->n_needs++ < MOST)
      text_add_n(&total->needs, line, (size_t)(end + 1 - line));
    else if (total->n_needs == MOST + 1)
      text_add(&total->needs, "  …\n");
}

static void retire(const Options *options, FileCheck *file, Total *total) {
  fputs(text_cstr(&file->err), stderr);
  if (options->json) {
    cmd_check_append(&total->kernels, &file->kernels);
    cmd_check_append(&total->diagnostics, &file->diagnostics);
  } else {
    fputs(text_cstr(&file->out), stdout);
    fflush(stdout);
  }
  if (file->status > total->status)
    total->status = file->status;
  total->has_kernel |= file->has_kernel;
  for (int i = 0; i < N_VERDICTS; i++)
    total->n_kernels[i] += file->n_kernels[i];
  take_needs(file, total);
  arena_free(file->arena);
  file->arena = NULL;
}

static void say_total(const Options *options, const Total *total,
                      uint32_t n_files, double seconds) {
  const int *n = total->n_kernels;
  int n_all = n[HD_VERDICT_PROVED] + n[HD_VERDICT_BUG] + n[HD_VERDICT_UNKNOWN];
  if (options->json) {
    printf("{\"kernels\": [%s],\n \"diagnostics\": [%s]}\n",
           text_cstr(&total->kernels), text_cstr(&total->diagnostics));
    return;
  }
  if (options->check.rules_only)
    return;
  if (n_files > 1)
    printf("%d kernel%s in %u files: ", n_all, text_plural(n_all), n_files);
  else if (n_all > 1)
    printf("%d kernels: ", n_all);
  if (n_files > 1 || n_all > 1)
    printf("%d proved, %d with bugs, %d unknown (%.1f s)\n",
           n[HD_VERDICT_PROVED], n[HD_VERDICT_BUG], n[HD_VERDICT_UNKNOWN],
           seconds);
  if (total->n_needs > 0)
    printf("what would decide the unknown verdicts:\n%s",
           text_cstr(&total->needs));
}

static int tell_all(Pool *pool) {
  const Options *options = pool->options;
  Total total = {.kernels = {.arena = options->arena},
                 .diagnostics = {.arena = options->arena},
                 .needs = {.arena = options->arena}};
  Progress progress = {.start_s = now_s(), .is_on = isatty(STDERR_FILENO)};
  for (uint32_t i = 0; i < pool->n_files; i++) {
    bool is_done = cmd_check_wait_for(pool, i, &progress);
    progress_clear(&progress);
    if (!is_done)
      return cli_fail(NULL, pool->failed);
    retire(options, &pool->files[i], &total);
  }
  if (options->kernel && !total.has_kernel && pool->n_files > 1) {
    cli_error("none of %u files has a kernel '%s'", pool->n_files,
              options->kernel);
    return EXIT_USAGE;
  }
  if (!options->json || total.status != EXIT_USAGE || pool->n_files > 1)
    say_total(options, &total, pool->n_files, now_s() - progress.start_s);
  return total.status;
}

static int run_pool(Pool *pool) {
  uint32_t n_workers = cmd_check_worker_count(pool), n_started = 0;
  cli_return_large_blocks();
  if (pool->n_files > 1)
    cli_drop_loader_pages();
  pthread_t *threads =
      ARENA_ARRAY(pool->options->arena, pthread_t, n_workers + 1);
  while (n_started < n_workers &&
         pthread_create(&threads[n_started], NULL, cmd_check_work, pool) == 0)
    n_started++;
  if (n_started == 0)
    work_on(pool);
  int status = tell_all(pool);
  for (uint32_t i = 0; i < n_started; i++)
    pthread_join(threads[i], NULL);
  return status;
}

int cmd_check(const Options *options) {
  HD_ASSERT(options->command == CHECK);
  FileList list = {0};
  int status = check_files(options, &list);
  if (status != EXIT_DONE)
    return status;
  Pool pool = {.options = options,
               .n_files = list.count,
               .files = ARENA_ARRAY(options->arena, FileCheck, list.count),
               .is_done = ARENA_ARRAY(options->arena, bool, list.count),
               .lock = PTHREAD_MUTEX_INITIALIZER,
               .done = PTHREAD_COND_INITIALIZER,
               .failed = HD_OK};
  for (uint32_t i = 0; i < list.count; i++)
    pool.files[i] =
        (FileCheck){.file = list.data[i], .is_alone = list.count == 1};
  return run_pool(&pool);
}
