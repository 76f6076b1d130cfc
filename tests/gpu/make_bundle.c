// SPDX-License-Identifier: Apache-2.0
// make_bundle FOLDER < LAUNCHES: compiles launches for a GPU, runs them on the
// CPU, and writes both to a bundle (bundle.h).
//
// A line of LAUNCHES has fields with tabs between: PATH:LINE, the folder to be
// in, the names of arrays to compare (with commas), "RELATIVE ABSOLUTE" or
// nothing, "exact", "unordered" or nothing for what is printed, what a failing
// launch says or nothing, and then the words of `heddle run`.
#include "bundle.h"

#include "base/disk_cache.h"
#include "base/file.h"
#include "cli/run.h"
#include "session/args.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { N_FIELDS = 6, MOST_WORDS = 256, MOST_CODES = 8192 };

typedef struct {
  const char *folder, *target;
  FILE *manifest, *data;
  uint64_t data_bytes;
  uint64_t codes[MOST_CODES]; // hashes of PTX
  uint64_t blobs[65536][2];   // hash and offset of what was written, by hash
  int n_codes, n_made, n_left_out;
} Bundle;

// One launch while it is made.
typedef struct {
  Bundle *bundle;
  char *fields[N_FIELDS];
  char *words[MOST_WORDS];
  int n_words;
  Run run;
  Options options;
  int n_memories;
  Memory *memories[64];
} Launch;

static _Noreturn void die(const char *what) {
  fprintf(stderr, "make_bundle: %s: %s\n", what, strerror(errno));
  exit(1);
}

// ------------------------------------------------------------------- bytes

static void put_bytes(Bundle *bundle, const void *bytes, uint64_t size_bytes) {
  uint64_t hash = hash_bytes(bytes, size_bytes) ^ size_bytes;
  uint64_t *slot = bundle->blobs[hash % 65536];
  if (slot[0] != hash) {
    slot[0] = hash;
    slot[1] = bundle->data_bytes;
    if (size_bytes > 0 && fwrite(bytes, size_bytes, 1, bundle->data) != 1)
      die("data");
    bundle->data_bytes += size_bytes;
  }
  fprintf(bundle->manifest, "%" PRIu64 " %" PRIu64, slot[1], size_bytes);
}

static bool is_zero(const char *bytes, uint64_t size_bytes) {
  return size_bytes == 0 ||
         (bytes[0] == 0 && memcmp(bytes, bytes + 1, size_bytes - 1) == 0);
}

static void put_content(Bundle *bundle, const char *bytes,
                        uint64_t size_bytes) {
  if (is_zero(bytes, size_bytes)) {
    fputs("zeros", bundle->manifest);
    return;
  }
  fputs("bytes ", bundle->manifest);
  put_bytes(bundle, bytes, size_bytes);
}

// -------------------------------------------------------------------- code

static int put_code(Bundle *bundle, const CodeEntry *entry) {
  uint64_t hash = hash_bytes(entry->text, entry->text_bytes);
  for (int i = 0; i < bundle->n_codes; i++) {
    if (bundle->codes[i] == hash)
      return i;
  }
  char path[8192];
  snprintf(path, sizeof path, "%s/ptx/%d.ptx", bundle->folder, bundle->n_codes);
  FILE *file = fopen(path, "wb");
  if (!file || fwrite(entry->text, entry->text_bytes, 1, file) != 1 ||
      fclose(file) != 0 || bundle->n_codes == MOST_CODES)
    die(path);
  bundle->codes[bundle->n_codes] = hash;
  return bundle->n_codes++;
}

static HdStatus compile(Launch *launch, int *code) {
  HdArgs *args = launch->run.args;
  HdSession *session = launch->run.session;
  const CodeEntry *entry;
  session_lock(session);
  CodeTarget *target = target_find(session, launch->bundle->target);
  HdStatus status =
      target ? code_get(args->kernel->program, target, args->kernel->spec,
                        args_facts(args, NULL), &entry)
             : HD_ERROR_NOT_FOUND;
  session_unlock(session);
  if (status == HD_OK)
    *code = put_code(launch->bundle, entry);
  return status;
}

// ------------------------------------------------------------------ inputs

static int memory_number(Launch *launch, Memory *memory) {
  for (int i = 0; i < launch->n_memories; i++) {
    if (launch->memories[i] == memory)
      return i;
  }
  if (launch->n_memories == 64)
    die("too many arrays");
  launch->memories[launch->n_memories] = memory;
  return launch->n_memories++;
}

// The word that generates the whole memory of array `index`, or NULL.
static const char *generator(const Launch *launch, uint32_t index) {
  const HdArgs *args = launch->run.args;
  const HdBuffer *buffer = args->buffers[index];
  const char *name = args->ir->params.data[index].name;
  if (buffer->data != buffer->memory->data)
    return NULL;
  for (uint32_t i = 0; i < launch->options.assignments.count; i++) {
    Assignment pair = launch->options.assignments.data[i];
    if (strcmp(pair.name, name) == 0 && pair.value[0] != '@')
      return pair.value;
  }
  return NULL;
}

static void put_memory(Launch *launch, uint32_t index) {
  Bundle *bundle = launch->bundle;
  const HdArgs *args = launch->run.args;
  const HdBuffer *buffer = args->buffers[index];
  int before = launch->n_memories;
  if (memory_number(launch, buffer->memory) != before)
    return; // seen
  fprintf(bundle->manifest, "memory %" PRIu64 " ", buffer->memory->size_bytes);
  const char *word = generator(launch, index);
  int row = run_find_param(&launch->run, args->ir->params.data[index].name);
  const HdParamInfo *info = &launch->run.params[row];
  if (word && strcmp(word, "zeros") != 0)
    fprintf(bundle->manifest, "generated %d %d %" PRIu64 " %s",
            info->lanes > 1 ? info->type_of_lane : info->type, info->lanes,
            buffer->memory->size_bytes / buffer->element_bytes, word);
  else
    put_content(bundle, buffer->memory->data, buffer->memory->size_bytes);
  fputc('\n', bundle->manifest);
}

static void put_slots(Launch *launch) {
  const HdArgs *args = launch->run.args;
  const IrKernel *ir = args->ir;
  int *memories = calloc(ir->n_slots + 1, sizeof *memories);
  uint64_t *offsets = calloc(ir->n_slots + 1, sizeof *offsets);
  for (uint32_t i = 0; i < ir->params.count; i++) {
    const HdBuffer *buffer = args->buffers[i];
    if (!buffer)
      continue;
    put_memory(launch, i);
    uint32_t slot = ir->params.data[i].slot;
    memories[slot] = memory_number(launch, buffer->memory) + 1;
    offsets[slot] = (uint64_t)(buffer->data - buffer->memory->data);
  }
  for (uint32_t i = 0; i < ir->n_slots; i++) {
    if (memories[i])
      fprintf(launch->bundle->manifest, "address %d %" PRIu64 "\n",
              memories[i] - 1, offsets[i]);
    else
      fprintf(launch->bundle->manifest, "slot %" PRIx64 "\n", args->slots[i]);
  }
  free(memories);
  free(offsets);
}

static void put_globals(Launch *launch) {
  const IrModule *module = launch->run.args->kernel->spec->module;
  for (uint32_t i = 0; i < module->globals.count; i++) {
    const IrObject *object = module->globals.data[i];
    uint64_t bytes = object->element_bytes;
    for (int k = 0; k < object->rank; k++)
      bytes *= (uint64_t)object->extents[k]->number;
    fprintf(launch->bundle->manifest, "global %" PRIu64 " ", bytes);
    if (object->initial)
      put_content(launch->bundle, (const char *)object->initial,
                  object->initial_bytes < bytes ? object->initial_bytes
                                                : bytes);
    else
      fputs("zeros", launch->bundle->manifest);
    fputc('\n', launch->bundle->manifest);
  }
}

// ----------------------------------------------------------------- results

static bool is_listed(const char *list, const char *name) {
  size_t length = strlen(name);
  for (const char *p = list; *p; p += strcspn(p, ","), p += *p == ',') {
    if (strncmp(p, name, length) == 0 && (p[length] == ',' || p[length] == 0))
      return true;
  }
  return false;
}

static void put_results(Launch *launch) {
  FILE *manifest = launch->bundle->manifest;
  const HdArgs *args = launch->run.args;
  double relative, absolute;
  bool has_tolerance =
      sscanf(launch->fields[3], "%lf %lf", &relative, &absolute) == 2;
  for (uint32_t i = 0; i < args->ir->params.count; i++) {
    const HdBuffer *buffer = args->buffers[i];
    if (!buffer || !is_listed(launch->fields[2], args->ir->params.data[i].name))
      continue;
    int row = run_find_param(&launch->run, args->ir->params.data[i].name);
    const HdParamInfo *info = &launch->run.params[row];
    HdType type = info->lanes > 1 ? info->type_of_lane : info->type;
    int memory = memory_number(launch, buffer->memory);
    if (has_tolerance && bundle_is_float(type)) {
      fprintf(manifest, "within %d %d %.17g %.17g ", memory, type, relative,
              absolute);
      put_bytes(launch->bundle, buffer->memory->data,
                buffer->memory->size_bytes);
      fputc('\n', manifest);
    } else {
      fprintf(manifest, "same %d %d %" PRIx64 "\n", memory, type,
              bundle_hash(type, hd_type_size(type), buffer->memory->data,
                          buffer->memory->size_bytes));
    }
  }
}

// Runs it on the CPU; what the kernel prints goes to the file.
static HdStatus run_on_cpu(Launch *launch, FILE *printed) {
  HdLaunchOptions options = run_launch_options(&launch->run);
  fflush(stdout);
  int terminal = dup(STDOUT_FILENO);
  if (terminal < 0 || dup2(fileno(printed), STDOUT_FILENO) < 0)
    die("stdout");
  HdStatus status = hd_args_launch(launch->run.args, NULL, &options);
  fflush(stdout);
  if (dup2(terminal, STDOUT_FILENO) < 0)
    die("stdout");
  close(terminal);
  return status;
}

static void put_printed(Launch *launch, FILE *printed) {
  static char text[1 << 20];
  rewind(printed);
  size_t length = fread(text, 1, sizeof text, printed);
  if (!*launch->fields[4])
    return;
  fprintf(launch->bundle->manifest, "prints %s ", launch->fields[4]);
  put_bytes(launch->bundle, text, length);
  fputc('\n', launch->bundle->manifest);
}

// -------------------------------------------------------------- the launch

static void leave_out(Launch *launch, const char *why) {
  launch->bundle->n_left_out++;
  fprintf(stdout, "%s: left out: %.*s\n", launch->fields[0],
          (int)strcspn(why, "\n"), why);
}

static void put_launch(Launch *launch) {
  Bundle *bundle = launch->bundle;
  Run *run = &launch->run;
  HdLaunchOptions options = run_launch_options(run);
  int32_t grid[3], cluster[3];
  uint64_t dynamic;
  int code;
  if (args_check(run->args) != HD_OK ||
      args_grid(run->args, &options, grid) != HD_OK ||
      args_cluster(run->args, &options, grid, cluster) != HD_OK ||
      args_dynamic_shared(run->args, &dynamic) != HD_OK ||
      compile(launch, &code) != HD_OK) {
    leave_out(launch, hd_last_message(run->session));
    return;
  }
  FILE *printed = tmpfile();
  if (!printed)
    die("tmpfile");
  fprintf(bundle->manifest, "test %s\ncode %d\ngrid %d %d %d\n",
          launch->fields[0], code, grid[0], grid[1], grid[2]);
  fprintf(bundle->manifest, "cluster %d %d %d\ndynamic %" PRIu64 "\n",
          cluster[0], cluster[1], cluster[2], dynamic);
  put_slots(launch);
  put_globals(launch);
  HdStatus status = run_on_cpu(launch, printed);
  fprintf(bundle->manifest, "status %d %s\n", status, launch->fields[5]);
  if (status == HD_OK)
    put_results(launch);
  put_printed(launch, printed);
  fputs("end\n", bundle->manifest);
  fclose(printed);
  bundle->n_made++;
}

static void make(Launch *launch) {
  Run *run = &launch->run;
  Arena *arena = arena_new();
  if (chdir(launch->fields[1]) != 0)
    die(launch->fields[1]);
  int status = options_parse(arena, RUN, launch->n_words, launch->words, 0,
                             &launch->options);
  run->options = &launch->options;
  if (status == EXIT_DONE)
    status = cli_open(&launch->options, &run->session, &run->program);
  const char *name =
      status == EXIT_DONE
          ? cli_kernel_name(&launch->options, run->session, run->program)
          : NULL;
  if (!name || run_open_kernel(run, name) != HD_OK ||
      run_set_arguments(run) != EXIT_DONE)
    leave_out(launch, "refused before a launch");
  else
    put_launch(launch);
  run_close(run);
  arena_free(arena);
}

static bool read_line(Launch *launch, char *line) {
  line[strcspn(line, "\n")] = 0;
  char *rest = line, *field;
  int n = 0;
  while ((field = strsep(&rest, "\t"))) {
    if (n < N_FIELDS)
      launch->fields[n] = field;
    else if (launch->n_words < MOST_WORDS)
      launch->words[launch->n_words++] = field;
    n++;
  }
  return launch->n_words > 0;
}

int main(int argc, char **argv) {
  static Bundle bundle;
  char path[8192], folder[4096];
  if (argc != 3) {
    fputs("usage: make_bundle FOLDER TARGET < LAUNCHES\n", stderr);
    return 2;
  }
  if (!realpath(argv[1], folder))
    die(argv[1]);
  bundle.folder = folder;
  bundle.target = argv[2];
  snprintf(path, sizeof path, "%s/ptx", folder);
  if (mkdir(path, 0777) != 0 && errno != EEXIST)
    die(path);
  snprintf(path, sizeof path, "%s/manifest", folder);
  bundle.manifest = fopen(path, "wb");
  snprintf(path, sizeof path, "%s/data", folder);
  bundle.data = fopen(path, "wb");
  if (!bundle.manifest || !bundle.data)
    die(folder);
  char *line = NULL;
  size_t capacity = 0;
  while (getline(&line, &capacity, stdin) > 0) {
    Launch launch = {.bundle = &bundle};
    if (read_line(&launch, line))
      make(&launch);
  }
  free(line);
  if (fclose(bundle.manifest) != 0 || fclose(bundle.data) != 0)
    die("the bundle");
  printf("%d launches of %d kernels, %d left out\n", bundle.n_made,
         bundle.n_codes, bundle.n_left_out);
  return 0;
}
