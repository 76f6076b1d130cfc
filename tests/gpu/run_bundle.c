// SPDX-License-Identifier: Apache-2.0
// run_bundle FOLDER [PATTERN [SECONDS]]: runs the launches of a bundle
// (bundle.h) whose names have PATTERN in them on the first GPU and compares
// what they compute. Each is given SECONDS, 10 if nothing else is said: tools
// that watch kernels make them slow. $HEDDLE_CACHE_DIR, if set, keeps the
// machine code. Needs the runtime, not the compiler.
#include "bundle.h"

#include "base/file.h"
#include "cli/array.h"
#include "rt/device.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
  MOST_MEMORIES = 64,
  MOST_SLOTS = 1024,
  MOST_RESULTS = 64,
  EXIT_LOST = 3 // the device is lost for the process
};

typedef struct {
  uint64_t size_bytes;
  void *address; // on the device
} Place;

typedef struct {
  int memory;
  HdType type;
  bool is_exact;
  uint64_t hash;
  double relative, absolute;
  uint64_t offset, size_bytes;
} Result;

// The launch that is read and run.
typedef struct {
  char name[512];
  int code;
  int32_t grid[3], cluster[3];
  uint64_t dynamic;
  int n_memories, n_slots, n_globals, n_results;
  Place memories[MOST_MEMORIES], globals[MOST_MEMORIES];
  uint64_t slots[MOST_SLOTS];
  Result results[MOST_RESULTS];
  int status;
  char message[512];
  int prints; // 0: not compared, 1: exactly, 2: lines in any order
  uint64_t prints_offset, prints_bytes;
} Test;

// What a process that loses its device leaves to the next one.
typedef struct {
  int n_begun, n_passed, n_failed, n_skipped;
  char name[512]; // of the last test that began
} Progress;

typedef struct {
  const char *folder, *pattern;
  time_t patience_s;
  Arena *arena;
  FileText data;
  RtDevice *device;
  int32_t interrupt; // set when a launch takes too long
  time_t deadline;   // 0: nothing runs
  pthread_mutex_t lock;
  Progress *progress; // shared with the parent
} Bench;

// ------------------------------------------------- what generate.c asks for

size_t hd_type_size(HdType type) {
  switch (type) {
#define ROW(name, value, bytes, text)                                          \
  case name: return bytes;
    HD_TYPE_TABLE(ROW)
#undef ROW
  }
  return 0;
}

const char *hd_type_name(HdType type) {
  switch (type) {
#define ROW(name, value, bytes, text)                                          \
  case name: return text;
    HD_TYPE_TABLE(ROW)
#undef ROW
  }
  return "unknown";
}

int64_t array_count(const HostArray *array) {
  return array->extents[0];
}

// ------------------------------------------------------------------ reading

static _Noreturn void die(const char *what) {
  fprintf(stderr, "run_bundle: %s\n", what);
  exit(2);
}

static const char *bytes_at(const Bench *bench, uint64_t offset,
                            uint64_t size_bytes) {
  if (offset + size_bytes > bench->data.size_bytes)
    die("the bundle's data are too short");
  return bench->data.data + offset;
}

// Content as a line says; malloc'd.
static char *read_content(const Bench *bench, const char *text,
                          uint64_t size_bytes) {
  char word[256];
  int type, lanes;
  uint64_t offset, length, count;
  char *content = calloc(1, size_bytes + 1);
  if (!content)
    die("out of memory");
  if (sscanf(text, "bytes %" SCNu64 " %" SCNu64, &offset, &length) == 2) {
    memcpy(content, bytes_at(bench, offset, length),
           length < size_bytes ? length : size_bytes);
  } else if (sscanf(text, "generated %d %d %" SCNu64 " %255s", &type, &lanes,
                    &count, word) == 4) {
    HostArray array = {.type = (HdType)type,
                       .element_bytes = count ? size_bytes / count : 1,
                       .rank = 1,
                       .extents = {(int64_t)count},
                       .data = content,
                       .size_bytes = size_bytes};
    if (array_generate(bench->arena, &array, (HdType)type, lanes, word))
      die(word);
  }
  return content;
}

static bool make_place(Bench *bench, const char *text, Place *place) {
  RtError error = {0};
  const RtDeviceOps *ops = bench->device->ops;
  int skipped = 0;
  if (sscanf(text, "%" SCNu64 " %n", &place->size_bytes, &skipped) != 1)
    die(text);
  char *content = read_content(bench, text + skipped, place->size_bytes);
  bool is_made = ops->memory_new(bench->device, place->size_bytes,
                                 &place->address, &error) == HD_OK &&
                 ops->memory_write(bench->device, place->address, content,
                                   place->size_bytes, &error) == HD_OK;
  free(content);
  if (!is_made)
    printf("FAILED  memory: %s\n", error.text);
  return is_made;
}

static void read_result(Test *test, const char *line) {
  Result r = {0};
  int type;
  if (sscanf(line, "same %d %d %" SCNx64, &r.memory, &type, &r.hash) == 3)
    r.is_exact = true;
  else if (sscanf(line, "within %d %d %lf %lf %" SCNu64 " %" SCNu64, &r.memory,
                  &type, &r.relative, &r.absolute, &r.offset,
                  &r.size_bytes) != 6)
    die(line);
  r.type = (HdType)type;
  if (test->n_results == MOST_RESULTS)
    die("too many results");
  test->results[test->n_results++] = r;
}

static void read_slot(Test *test, const char *line) {
  int memory;
  uint64_t offset;
  uint64_t *slot = &test->slots[test->n_slots++];
  if (test->n_slots > MOST_SLOTS)
    die("too many slots");
  if (sscanf(line, "address %d %" SCNu64, &memory, &offset) == 2)
    *slot = (uint64_t)(uintptr_t)test->memories[memory].address + offset;
  else if (sscanf(line, "slot %" SCNx64, slot) != 1)
    die(line);
}

static void read_line(Bench *bench, Test *test, const char *line) {
  char how[32];
  int skipped = 0;
  if (sscanf(line, "code %d", &test->code) == 1 ||
      sscanf(line, "grid %d %d %d", &test->grid[0], &test->grid[1],
             &test->grid[2]) == 3 ||
      sscanf(line, "cluster %d %d %d", &test->cluster[0], &test->cluster[1],
             &test->cluster[2]) == 3 ||
      sscanf(line, "dynamic %" SCNu64, &test->dynamic) == 1)
    return;
  if (strncmp(line, "memory ", 7) == 0) {
    (void)make_place(bench, line + 7, &test->memories[test->n_memories++]);
  } else if (strncmp(line, "global ", 7) == 0) {
    (void)make_place(bench, line + 7, &test->globals[test->n_globals++]);
  } else if (strncmp(line, "slot ", 5) == 0 ||
             strncmp(line, "address ", 8) == 0) {
    read_slot(test, line);
  } else if (sscanf(line, "status %d %n", &test->status, &skipped) == 1) {
    snprintf(test->message, sizeof test->message, "%s", line + skipped);
  } else if (sscanf(line, "prints %31s %" SCNu64 " %" SCNu64, how,
                    &test->prints_offset, &test->prints_bytes) == 3) {
    test->prints = how[0] == 'e' ? 1 : 2;
  } else {
    read_result(test, line);
  }
  if (test->n_memories == MOST_MEMORIES || test->n_globals == MOST_MEMORIES)
    die("too many arrays");
}

// ---------------------------------------------------------------- comparing

static bool is_near(const Result *r, double got, double want) {
  return got == want || (isnan(got) && isnan(want)) ||
         fabs(got - want) <= r->absolute + r->relative * fabs(want);
}

// False after saying what differs first.
static bool compare(const Bench *bench, const Test *test, const Result *r,
                    char *got) {
  const Place *place = &test->memories[r->memory];
  size_t width = hd_type_size(r->type);
  if (r->is_exact) {
    if (bundle_hash(r->type, width, got, place->size_bytes) == r->hash)
      return true;
    printf("FAILED  %s: array %d differs from what the CPU computes\n",
           test->name, r->memory);
    return false;
  }
  const char *want = bytes_at(bench, r->offset, r->size_bytes);
  for (uint64_t at = 0; at + width <= place->size_bytes; at += width) {
    double x = bundle_value(r->type, got + at, width);
    double y = bundle_value(r->type, want + at, width);
    if (is_near(r, x, y))
      continue;
    printf("FAILED  %s: array %d, element %" PRIu64 ": %.17g, the CPU computes "
           "%.17g\n",
           test->name, r->memory, at / width, x, y);
    return false;
  }
  return true;
}

static bool compare_results(Bench *bench, Test *test) {
  for (int i = 0; i < test->n_results; i++) {
    const Result *r = &test->results[i];
    const Place *place = &test->memories[r->memory];
    RtError error = {0};
    char *got = malloc(place->size_bytes + 1);
    if (!got)
      die("out of memory");
    bool is_right =
        bench->device->ops->memory_read(bench->device, got, place->address,
                                        place->size_bytes, &error) == HD_OK;
    if (!is_right)
      printf("FAILED  %s: %s\n", test->name, error.text);
    is_right = is_right && compare(bench, test, r, got);
    free(got);
    if (!is_right)
      return false;
  }
  return true;
}

static int by_text(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

// The lines of a text in order; cuts it.
static int sort_lines(char *text, char **lines, int most) {
  int count = 0;
  char *rest = text, *line;
  while (count < most && (line = strsep(&rest, "\n")))
    lines[count++] = line;
  qsort(lines, (size_t)count, sizeof *lines, by_text);
  return count;
}

static bool compare_printed(const Bench *bench, const Test *test,
                            FILE *printed) {
  enum { MOST_LINES = 65536, MOST_BYTES = 1 << 20 };

  static char got[MOST_BYTES + 1], want[MOST_BYTES + 1];
  static char *got_lines[MOST_LINES], *want_lines[MOST_LINES];
  rewind(printed);
  size_t length = fread(got, 1, MOST_BYTES, printed);
  got[length] = 0;
  if (test->prints == 0)
    return true;
  memcpy(want, bytes_at(bench, test->prints_offset, test->prints_bytes),
         test->prints_bytes);
  want[test->prints_bytes] = 0;
  bool is_same = strcmp(got, want) == 0;
  if (test->prints == 2) {
    int n = sort_lines(got, got_lines, MOST_LINES);
    is_same = n == sort_lines(want, want_lines, MOST_LINES);
    for (int i = 0; i < n && is_same; i++)
      is_same = strcmp(got_lines[i], want_lines[i]) == 0;
  }
  if (!is_same)
    printf("FAILED  %s: prints something else than on the CPU\n", test->name);
  return is_same;
}

// ------------------------------------------------------------------ running

// Ends launches that take too long.
static void *watch(void *context) {
  Bench *bench = context;
  for (;;) {
    sleep(1);
    pthread_mutex_lock(&bench->lock);
    if (bench->deadline && time(NULL) > bench->deadline)
      __atomic_store_n(&bench->interrupt, 1, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&bench->lock);
  }
  return NULL;
}

static void set_deadline(Bench *bench, time_t deadline) {
  pthread_mutex_lock(&bench->lock);
  bench->deadline = deadline;
  __atomic_store_n(&bench->interrupt, 0, __ATOMIC_RELAXED);
  pthread_mutex_unlock(&bench->lock);
}

static HdStatus launch(Bench *bench, Test *test, RtError *error) {
  const RtDeviceOps *ops = bench->device->ops;
  char path[4096];
  FileText text;
  const char *why;
  RtCode *code;
  void *globals[MOST_MEMORIES];
  for (int i = 0; i < test->n_globals; i++)
    globals[i] = test->globals[i].address;
  snprintf(path, sizeof path, "%s/ptx/%d.ptx", bench->folder, test->code);
  if (file_read(bench->arena, path, 1 << 26, &text, &why) != HD_OK)
    die(why);
  RtSource source = {.text = text.data,
                     .size_bytes = text.size_bytes,
                     .cache_dir = getenv("HEDDLE_CACHE_DIR"),
                     .cache_limit_bytes = (uint64_t)1 << 30};
  HdStatus status = ops->code_load(bench->device, &source, &code, error);
  if (status != HD_OK)
    return status;
  RtLaunch launch = {.code = code,
                     .args = test->slots,
                     .n_slots = (uint32_t)test->n_slots,
                     .dynamic_shared_bytes = test->dynamic,
                     .globals = globals,
                     .interrupt = &bench->interrupt};
  memcpy(launch.grid, test->grid, sizeof launch.grid);
  memcpy(launch.cluster, test->cluster, sizeof launch.cluster);
  set_deadline(bench, time(NULL) + bench->patience_s);
  status = ops->launch(bench->device, NULL, &launch, NULL, NULL, error);
  set_deadline(bench, 0);
  ops->code_free(bench->device, code);
  return status;
}

static bool check_status(const Test *test, HdStatus status,
                         const RtError *error) {
  if ((int)status != test->status) {
    printf("FAILED  %s: status %d, the CPU gives %d: %s\n", test->name, status,
           test->status, error->text);
    return false;
  }
  if (strstr(error->text, test->message))
    return true;
  printf("FAILED  %s: says '%s', not '%s'\n", test->name, error->text,
         test->message);
  return false;
}

static void run(Bench *bench, Test *test) {
  RtError error = {0};
  FILE *printed = tmpfile();
  if (!printed)
    die("no temporary file");
  fflush(stdout);
  int terminal = dup(STDOUT_FILENO);
  if (terminal < 0 || dup2(fileno(printed), STDOUT_FILENO) < 0)
    die("no standard output");
  HdStatus status = launch(bench, test, &error);
  fflush(stdout);
  if (dup2(terminal, STDOUT_FILENO) < 0)
    die("no standard output");
  close(terminal);
  bool is_right = check_status(test, status, &error);
  if (is_right && status == HD_OK)
    is_right = compare_results(bench, test);
  if (is_right)
    is_right = compare_printed(bench, test, printed);
  fclose(printed);
  if (is_right)
    bench->progress->n_passed++;
  else
    bench->progress->n_failed++;
}

static void finish(Bench *bench, Test *test) {
  const RtDeviceOps *ops = bench->device->ops;
  for (int i = 0; i < test->n_memories; i++)
    ops->memory_free(bench->device, test->memories[i].address);
  for (int i = 0; i < test->n_globals; i++)
    ops->memory_free(bench->device, test->globals[i].address);
  void *probe = NULL;
  RtError error = {0};
  if (ops->memory_new(bench->device, 1, &probe, &error) != HD_OK) {
    fflush(stdout);
    _exit(EXIT_LOST);
  }
  ops->memory_free(bench->device, probe);
}

static void run_all(Bench *bench, FILE *manifest) {
  static Test test;
  Progress *progress = bench->progress;
  char *line = NULL;
  size_t capacity = 0;
  bool is_wanted = false;
  int number = 0, n_before = progress->n_begun;
  while (getline(&line, &capacity, manifest) > 0) {
    line[strcspn(line, "\n")] = 0;
    if (strncmp(line, "test ", 5) == 0) {
      bool is_named = !bench->pattern || strstr(line, bench->pattern);
      bool is_new = number++ >= n_before;
      is_wanted = is_named && is_new;
      memset(&test, 0, sizeof test);
      snprintf(test.name, sizeof test.name, "%s", line + 5);
      if (is_new) {
        progress->n_begun = number;
        progress->n_skipped += !is_named;
        memcpy(progress->name, test.name, sizeof test.name);
      }
    } else if (is_wanted && strcmp(line, "end") == 0) {
      run(bench, &test);
      finish(bench, &test);
    } else if (is_wanted) {
      read_line(bench, &test, line);
    }
  }
  free(line);
}

// The driver is only used in child processes.
static int run_child(Bench *bench) {
  char path[4096], text[512];
  const char *why;
  pthread_t watcher;
  RtError error = {0};
  int count;
  bench->arena = arena_new();
  if (rt_cuda_ops.count(&count, &error) != HD_OK) {
    printf("skipped: %s\n", error.text);
    return 77;
  }
  snprintf(path, sizeof path, "%s/data", bench->folder);
  if (file_read(bench->arena, path, (size_t)1 << 32, &bench->data, &why) !=
      HD_OK)
    die(why);
  snprintf(path, sizeof path, "%s/manifest", bench->folder);
  FILE *manifest = fopen(path, "rb");
  if (!manifest)
    die(path);
  rt_cuda_ops.describe(0, text, sizeof text);
  if (bench->progress->n_begun == 0)
    printf("%s\n", text);
  if (rt_cuda_ops.open(0, &bench->device, &error) != HD_OK)
    die(error.text);
  pthread_mutex_init(&bench->lock, NULL);
  if (pthread_create(&watcher, NULL, watch, bench) != 0)
    die("no thread");
  run_all(bench, manifest);
  fclose(manifest);
  bench->device->ops->close(bench->device);
  return 0;
}

int main(int argc, char **argv) {
  Bench bench = {.patience_s = 10};
  int status;
  setvbuf(stdout, NULL, _IOLBF, 0);
  if (argc < 2 || argc > 4)
    die("usage: run_bundle FOLDER [PATTERN [SECONDS]]");
  bench.folder = argv[1];
  bench.pattern = argv[2];
  if (argc == 4)
    bench.patience_s = (time_t)strtol(argv[3], NULL, 10);
  bench.progress = mmap(NULL, sizeof *bench.progress, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (bench.progress == MAP_FAILED)
    die("out of memory");
  do {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
      exit(run_child(&bench));
    if (child < 0 || waitpid(child, &status, 0) != child)
      die("no process");
    if (WIFSIGNALED(status)) {
      printf("FAILED  %s: the process ended by signal %d\n",
             bench.progress->name, WTERMSIG(status));
      bench.progress->n_failed++;
    }
  } while (WIFSIGNALED(status) || WEXITSTATUS(status) == EXIT_LOST);
  if (WEXITSTATUS(status) != 0)
    return WEXITSTATUS(status);
  printf("%d launches passed, %d failed, %d skipped (not named)\n",
         bench.progress->n_passed, bench.progress->n_failed,
         bench.progress->n_skipped);
  return bench.progress->n_failed > 0;
}
