// SPDX-License-Identifier: Apache-2.0
// Generated tile kernels give the same arrays in the interpreter, which knows
// what each operation means, in code for the CPU, and in the interpreter again
// after they were lowered to lanes, in a random order of these.
//
//   tiles FIRST COUNT [--print] [--device NAME] [--test]
//
// tries the seeds FIRST, FIRST+1, …; the exit status is 1 when one failed.
// --print only prints the programs. --device cuda: on that device instead of
// the CPU; on sm_90 products have the sums of its tensor cores, bit by bit.
// --test: from another range for each HD_SEED, and 50 times as many where
// HD_LONG is set. Each seed runs in a process of its own; a failing one is
// tried with fewer statements first.
#include "base/status.h"
#include "base/text.h"
#include "diag/diag.h"
#include "gen.h"
#include "heddle/heddle.h"
#include "interp/interp.h"
#include "ir/passes/passes.h"
#include "ir/verify/verify.h"
#include "session/session.h"
#include "session/target.h"
#include "tile/tile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_STEPS = 500 * 1000 * 1000, MAX_SECONDS = 100, LONG_TIMES = 50 };

// ----------------------------------------------------------------- arrays

typedef struct {
  unsigned char *data[TILE_ARRAYS];
  uint64_t count[TILE_ARRAYS]; // elements
} Arrays;

// Bits of small integers, and a few that are special.
static uint64_t random_bits(const TileElement *element, uint64_t *state) {
  uint64_t bits = tile_random(state);
  int64_t number = (int64_t)(bits % 17) - 8;
  if (!element->is_float)
    return bits >> 60 ? (uint64_t)number : bits >> 7;
  if (bits >> 60 == 0)
    return tile_random(state); // infinities, NaNs
  float real = bits >> 59 & 1 && number == 0 ? -0.0f : (float)number;
  double wide = (double)real;
  uint32_t single;
  uint64_t whole;
  memcpy(&single, &real, sizeof single);
  memcpy(&whole, &wide, sizeof whole);
  if (element->bytes == 8)
    return whole;
  if (element->bytes == 4)
    return single;
  if (strcmp(element->name, "bf16") == 0)
    return single >> 16;
  // binary16: these numbers have 4 bits at most
  uint32_t exponent = single >> 23 & 255;
  return (single >> 16 & 0x8000) |
         (exponent ? (exponent - 112) << 10 | (single >> 13 & 0x3ff) : 0);
}

static void fill_arrays(Arena *arena, const TileProgram *program, uint64_t seed,
                        Arrays *arrays) {
  for (uint32_t i = 0; i < TILE_ARRAYS; i++) {
    const TileElement *element = &tile_elements[i / TILE_RANKS];
    arrays->count[i] = 1;
    for (uint32_t k = 0; k < program->arrays[i].rank; k++)
      arrays->count[i] *= program->arrays[i].extents[k];
    unsigned char *data =
        arena_alloc(arena, arrays->count[i] * element->bytes + 128);
    arrays->data[i] = data + (128 - (uintptr_t)data % 128) % 128;
    for (uint64_t k = 0; k < arrays->count[i]; k++) {
      uint64_t bits = random_bits(element, &seed);
      if (i / TILE_RANKS == 0)
        bits &= 1; // a bool
      memcpy(arrays->data[i] + k * element->bytes, &bits, element->bytes);
    }
  }
}

static bool is_nan_of(const TileElement *element, const unsigned char *at) {
  uint64_t bits = 0;
  memcpy(&bits, at, element->bytes);
  uint64_t infinity = element->bytes == 8   ? UINT64_C(0x7ff0000000000000)
                      : element->bytes == 4 ? 0x7f800000
                      : strcmp(element->name, "bf16") == 0 ? 0x7f80
                                                           : 0x7c00;
  uint64_t sign = UINT64_C(1) << (element->bytes * 8 - 1);
  return element->is_float && (bits & ~sign) > infinity;
}

// NULL: they are the same. Any NaN is like any other.
static const char *compare(Arena *arena, const Arrays *is, const Arrays *wanted,
                           const char *where) {
  for (uint32_t i = 0; i < TILE_ARRAYS; i++) {
    const TileElement *element = &tile_elements[i / TILE_RANKS];
    for (uint64_t k = 0; k < is->count[i]; k++) {
      const unsigned char *a = is->data[i] + k * element->bytes;
      const unsigned char *b = wanted->data[i] + k * element->bytes;
      if (memcmp(a, b, element->bytes) == 0 ||
          (is_nan_of(element, a) && is_nan_of(element, b)))
        continue;
      uint64_t x = 0, y = 0;
      memcpy(&x, a, element->bytes);
      memcpy(&y, b, element->bytes);
      return arena_printf(arena, "a%u[%llu] (%s) is 0x%llx %s, not 0x%llx", i,
                          (unsigned long long)k, element->name,
                          (unsigned long long)x, where, (unsigned long long)y);
    }
  }
  return NULL;
}

// ------------------------------------------------------------ interpreter

static IrKernel *read_kernel(Arena *arena, const TileProgram *program,
                             const char **why) {
  const char *text = program->text;
  SourceText *source =
      source_new(arena, "tiles.hir", text, strlen(text), false);
  DiagEngine *diags = diag_engine_new(arena, 0);
  IrModule *module = ir_parse(arena, source, diags);
  if (module)
    return module->kernels.data[0];
  Text message = {.arena = arena};
  diag_render_text(diags, &message, false);
  *why = arena_printf(arena, "refused: %s", text_cstr(&message));
  return NULL;
}

static HdStatus interpret(Arena *arena, const IrKernel *kernel,
                          const TileProgram *program, const Arrays *arrays,
                          uint64_t seed, const uint8_t *units,
                          const char **why) {
  uint64_t *args = ARENA_ARRAY(arena, uint64_t, kernel->n_slots + 1);
  InterpMemory memory[TILE_ARRAYS] = {{0}};
  for (uint32_t i = 0; i < TILE_ARRAYS; i++) {
    const TileArrayShape *shape = &program->arrays[i];
    uint64_t *slot = &args[kernel->params.data[i].slot], stride = 1;
    memory[i].data = arrays->data[i];
    memory[i].size_bytes =
        arrays->count[i] * tile_elements[i / TILE_RANKS].bytes;
    *slot++ = (uint64_t)(uintptr_t)arrays->data[i];
    for (uint32_t k = shape->rank; k-- > 0;) {
      slot[k] = shape->extents[k];
      slot[shape->rank + k] = stride;
      stride *= shape->extents[k];
    }
  }
  InterpLaunch launch = {.args = args,
                         .arrays = memory,
                         .grid = {(int)program->grid[0], (int)program->grid[1],
                                  (int)program->grid[2]},
                         .seed = seed,
                         .units = units,
                         .max_steps = MAX_STEPS};
  return interp_run(arena, kernel, &launch, why);
}

static HdStatus interpret_lanes(Arena *arena, const TileProgram *program,
                                const Arrays *arrays, uint64_t seed,
                                const char **why) {
  IrKernel *kernel = read_kernel(arena, program, why);
  PassRun run = {.kernel = kernel,
                 .when = PASS_RUN,
                 .diags = diag_engine_new(arena, 0),
                 .arena = arena};
  if (!ir_has_tiles(kernel))
    run.when |= PASS_UNTILED;
  passes_run(&run);
  if (kernel->level != LEVEL_TILES) // it has none
    return interpret(arena, kernel, program, arrays, 0, NULL, why);
  bool is_gpu = seed / 7 % 2 == 0;
  TileTarget target = {.lanes = is_gpu ? 32u << seed / 4 % 4 : 2u << seed % 5,
                       .takes_all = is_gpu,
                       .vector_bytes = 16u << seed / 5 % 3,
                       .n_vectors = 16u << seed / 15 % 2,
                       .has_dot4 = seed / 4 % 3 == 0,
                       .has_dot2 = seed / 4 % 3 == 1,
                       .has_fdot2 = seed / 4 % 2 == 0,
                       .has_matrix = !is_gpu && seed / 8 % 2 == 0,
                       .shows_doubles = seed % 3 == 0,
                       .shows_threads = seed / 5 % 2 == 0,
                       .joins_for_workers = is_gpu ? 0 : seed / 30 % 4};
  IrKernel *lanes = tile_lower(arena, kernel, &target);
  *why = ir_verify(lanes->module);
  if (*why)
    return HD_ERROR_PROGRAM;
  return interpret(arena, lanes, program, arrays, seed | 1, NULL, why);
}

// -------------------------------------------------------------------- CPU

typedef struct {
  HdSession *session;
  HdProgram *program;
  HdDevice *device;
  HdKernel *kernel;
  HdBuffer *buffers[TILE_ARRAYS];
} Compiled;

static const char *device_name = "cpu:1";

static TileSums device_sums; // of its products

static TileProgram program_of(Arena *arena, uint64_t seed, uint32_t budget) {
  return tile_generate(arena, seed, budget, device_sums);
}

static const HdType types_of[TILE_TYPES] = {
    HD_BOOL, HD_I8, HD_I16, HD_I32, HD_I64, HD_F16, HD_BF16, HD_F32, HD_F64};

// The array itself, or a copy where the device can't reach it.
static HdStatus compiled_buffer(Compiled *run, uint32_t i,
                                const TileArrayShape *shape,
                                const Arrays *from) {
  HdType type = types_of[i / TILE_RANKS];
  int64_t extents[TILE_RANKS];
  for (uint32_t k = 0; k < TILE_RANKS; k++)
    extents[k] = shape->extents[k];
  if (strcmp(hd_device_target(run->device), "cpu") == 0)
    return hd_buffer_wrap(run->device, from->data[i], type, (int)shape->rank,
                          extents, NULL, &run->buffers[i]);
  HD_TRY(hd_buffer_new(run->device, type, (int)shape->rank, extents,
                       &run->buffers[i]));
  return hd_buffer_write(run->buffers[i], from->data[i],
                         from->count[i] * tile_elements[i / TILE_RANKS].bytes);
}

static HdStatus compiled_open(Compiled *run, const TileProgram *program) {
  HdSessionOptions options = HD_SESSION_OPTIONS_INIT;
  options.use_disk_cache = 0;
  options.verify_each = 1;
  HD_TRY(hd_session_new(&options, &run->session));
  HD_TRY(hd_compile_text(run->session, "tiles.hir", program->text,
                         strlen(program->text), &run->program));
  HD_TRY(hd_device_open(run->session, device_name, &run->device));
  return hd_kernel_get(run->program, "k", NULL, 0, &run->kernel);
}

static HdStatus compiled_run(Compiled *run, const TileProgram *program,
                             const Arrays *arrays) {
  HD_TRY(compiled_open(run, program));
  HdArg args[TILE_ARRAYS];
  for (uint32_t i = 0; i < TILE_ARRAYS; i++) {
    HD_TRY(compiled_buffer(run, i, &program->arrays[i], arrays));
    args[i] = HD_BUF(run->buffers[i]);
  }
  HD_TRY(hd_kernel_launch(run->kernel, NULL, NULL, args, TILE_ARRAYS));
  if (strcmp(hd_device_target(run->device), "cpu") == 0)
    return HD_OK;
  for (uint32_t i = 0; i < TILE_ARRAYS; i++)
    HD_TRY(
        hd_buffer_read(run->buffers[i], arrays->data[i],
                       arrays->count[i] * tile_elements[i / TILE_RANKS].bytes));
  return HD_OK;
}

static void compiled_free(Compiled *run) {
  for (int i = 0; i < TILE_ARRAYS; i++)
    hd_buffer_free(run->buffers[i]);
  hd_kernel_free(run->kernel);
  hd_device_free(run->device);
  hd_program_free(run->program);
  hd_session_free(run->session);
}

// --------------------------------------------------------------- tensor cores

static const char known_target[] = "sm_90a";

// All but CPUs multiply by tensor cores. In a process of its own: the driver
// doesn't outlive a fork.
static TileSums sums_of_device(void) {
  if (strncmp(device_name, "cpu", 3) == 0)
    return SUMS_CHAINED;
  fflush(stdout);
  pid_t pid = fork();
  if (pid == 0) {
    HdSession *session;
    HdDevice *device;
    bool is_open = hd_session_new(NULL, &session) == HD_OK &&
                   hd_device_open(session, device_name, &device) == HD_OK;
    _exit(is_open && strcmp(hd_device_target(device), known_target) == 0);
  }
  int status = 0;
  bool is_known = pid > 0 && waitpid(pid, &status, 0) == pid &&
                  WIFEXITED(status) && WEXITSTATUS(status) == 1;
  return is_known ? SUMS_KNOWN : SUMS_CUT;
}

// The kernel as it is compiled, with the sums that it has there.
static HdStatus interpret_units(Arena *arena, Compiled *run,
                                const TileProgram *program,
                                const Arrays *arrays, const char **why) {
  const Spec *spec = run->kernel->spec;
  const uint8_t *units = NULL;
  session_lock(run->session);
  CodeTarget *target = target_find(run->session, known_target);
  HdStatus status = target ? HD_OK : HD_ERROR_UNSUPPORTED;
  if (target) {
    target_open(run->session, target);
    status = threads_units(run->program, target, spec, arena, &units);
  }
  session_unlock(run->session);
  if (status != HD_OK) {
    *why = hd_last_message(run->session);
    return status;
  }
  return interpret(arena, spec->kernel, program, arrays, 0, units, why);
}

// What is wrong on the device, or NULL.
static const char *try_units(Arena *arena, const TileProgram *program,
                             uint64_t seed) {
  Arrays wanted, of_device;
  fill_arrays(arena, program, seed, &wanted);
  fill_arrays(arena, program, seed, &of_device);
  Compiled run = {0};
  const char *why = NULL;
  if (compiled_run(&run, program, &of_device) != HD_OK)
    why = arena_strdup(arena, hd_last_message(run.session));
  else if (interpret_units(arena, &run, program, &wanted, &why) != HD_OK)
    why = arena_printf(arena, "interpreter: %s", why);
  else
    why = compare(arena, &of_device, &wanted,
                  arena_printf(arena, "on %s", device_name));
  compiled_free(&run);
  return why;
}

// ------------------------------------------------------------------ a seed

// What is wrong, or NULL.
static const char *try_here(Arena *arena, const TileProgram *program,
                            uint64_t seed) {
  Arrays wanted, of_device, of_lanes;
  fill_arrays(arena, program, seed, &wanted);
  fill_arrays(arena, program, seed, &of_device);
  fill_arrays(arena, program, seed, &of_lanes);
  const char *why = NULL;
  IrKernel *kernel = read_kernel(arena, program, &why);
  if (!kernel)
    return why;
  if (device_sums == SUMS_KNOWN)
    return try_units(arena, program, seed);
  if (interpret(arena, kernel, program, &wanted, 0, NULL, &why) != HD_OK)
    return arena_printf(arena, "interpreter: %s", why);
  Compiled run = {0};
  HdStatus status = compiled_run(&run, program, &of_device);
  why = status == HD_OK ? compare(arena, &of_device, &wanted,
                                  arena_printf(arena, "on %s", device_name))
                        : arena_strdup(arena, hd_last_message(run.session));
  compiled_free(&run);
  if (why)
    return why;
  if (interpret_lanes(arena, program, &of_lanes, seed, &why) != HD_OK)
    return arena_printf(arena, "lanes: %s", why);
  return compare(arena, &of_lanes, &wanted, "of lanes");
}

static _Noreturn void child(uint64_t seed, uint32_t budget, int out) {
  alarm(MAX_SECONDS);
  dup2(out, STDERR_FILENO);
  Arena *arena = arena_new();
  TileProgram program = program_of(arena, seed, budget);
  const char *why = try_here(arena, &program, seed);
  if (why)
    dprintf(out, "%s", why);
  _exit(0);
}

// NULL: it went well. The text is the caller's.
static char *try_seed(uint64_t seed, uint32_t budget) {
  int ends[2];
  char text[4096];
  if (pipe(ends) != 0)
    return strdup("no pipe");
  fflush(stdout);
  pid_t pid = fork();
  if (pid == 0)
    child(seed, budget, ends[1]);
  close(ends[1]);
  size_t length = 0;
  ssize_t n;
  while (length + 1 < sizeof text &&
         (n = read(ends[0], text + length, sizeof text - 1 - length)) > 0)
    length += (size_t)n;
  text[length] = 0;
  close(ends[0]);
  int status = 0;
  if (pid < 0 || waitpid(pid, &status, 0) != pid)
    return strdup("no process");
  if (WIFSIGNALED(status))
    snprintf(text + length, sizeof text - length, " (signal %d)",
             WTERMSIG(status));
  return text[0] ? strdup(text) : NULL;
}

static uint32_t budget_of(uint64_t seed) {
  return (uint32_t)(2 + seed % 29);
}

static void report(uint64_t seed, char *why) {
  uint32_t budget = 1;
  for (; budget < budget_of(seed); budget++) {
    char *smaller = try_seed(seed, budget);
    if (!smaller)
      continue;
    free(why);
    why = smaller;
    break;
  }
  Arena *arena = arena_new();
  printf("seed %llu, %u statements: %s\n%s\n", (unsigned long long)seed, budget,
         why, program_of(arena, seed, budget).text);
  arena_free(arena);
  free(why);
}

typedef struct {
  uint64_t first, count;
  bool prints;
} Options;

static bool read_options(int argc, char **argv, Options *options) {
  if (argc < 3)
    return false;
  *options = (Options){.first = strtoull(argv[1], NULL, 10),
                       .count = strtoull(argv[2], NULL, 10)};
  const char *seed = getenv("HD_SEED");
  for (int i = 3; i < argc; i++) {
    if (strcmp(argv[i], "--print") == 0) {
      options->prints = true;
    } else if (strcmp(argv[i], "--device") == 0 && i + 1 < argc) {
      device_name = argv[++i];
    } else if (strcmp(argv[i], "--test") == 0) {
      options->count *= getenv("HD_LONG") ? LONG_TIMES : 1;
      options->first += seed ? strtoull(seed, NULL, 10) << 20 : 0;
    } else {
      return false;
    }
  }
  return options->count > 0;
}

int main(int argc, char **argv) {
  Options options;
  if (!read_options(argc, argv, &options)) {
    fprintf(stderr, "usage: tiles FIRST COUNT [--print] [--device NAME] "
                    "[--test]\n");
    return 2;
  }
  int n_failed = 0;
  device_sums = sums_of_device();
  uint64_t end = options.first + options.count;
  for (uint64_t i = options.first; i < end && n_failed < 5; i++) {
    if (options.prints) {
      Arena *arena = arena_new();
      puts(program_of(arena, i, budget_of(i)).text);
      arena_free(arena);
      continue;
    }
    char *why = try_seed(i, budget_of(i));
    n_failed += why != NULL;
    if (why)
      report(i, why);
  }
  return n_failed > 0;
}
