// SPDX-License-Identifier: Apache-2.0
// Generated tile kernels give the same arrays in the interpreter, which knows
// what each operation means, in code for the CPU, and in the interpreter again
// after they were lowered to lanes, in a random order of these.
//
//   tiles FIRST COUNT [--print] [--test]
//
// tries the seeds FIRST, FIRST+1, …; the exit status is 1 when one failed.
// --print only prints the programs. --test: from another range for each
// HD_SEED, and 50 times as many where HD_LONG is set. Each seed runs in a
// process of its own; a failing one is tried with fewer statements first.
#include "base/status.h"
#include "base/text.h"
#include "diag/diag.h"
#include "gen.h"
#include "heddle/heddle.h"
#include "interp/interp.h"
#include "ir/passes/passes.h"
#include "ir/verify/verify.h"
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
                          uint64_t seed, const char **why) {
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
    return interpret(arena, kernel, program, arrays, 0, why);
  bool is_gpu = seed / 7 % 2 == 0;
  TileTarget target = {.lanes = is_gpu ? 32u << seed % 4 : 2u << seed % 5,
                       .takes_all = is_gpu,
                       .vector_bytes = 16u << seed / 5 % 3,
                       .n_vectors = 16u << seed / 15 % 2,
                       .has_dot4 = seed / 4 % 3 == 0,
                       .has_dot2 = seed / 4 % 3 == 1,
                       .has_fdot2 = seed / 4 % 2 == 0,
                       .has_matrix = seed / 8 % 2 == 0,
                       .shows_doubles = seed % 3 == 0,
                       .shows_threads = seed / 5 % 2 == 0,
                       .joins_for_workers = is_gpu ? 0 : seed / 30 % 4};
  IrKernel *lanes = tile_lower(arena, kernel, &target);
  *why = ir_verify(lanes->module);
  if (*why)
    return HD_ERROR_PROGRAM;
  return interpret(arena, lanes, program, arrays, seed | 1, why);
}

// -------------------------------------------------------------------- CPU

typedef struct {
  HdSession *session;
  HdProgram *program;
  HdDevice *device;
  HdKernel *kernel;
  HdBuffer *buffers[TILE_ARRAYS];
} Cpu;

static const HdType types_of[TILE_TYPES] = {
    HD_BOOL, HD_I8, HD_I16, HD_I32, HD_I64, HD_F16, HD_BF16, HD_F32, HD_F64};

static HdStatus cpu_run(Cpu *cpu, const TileProgram *program,
                        const Arrays *arrays) {
  HdSessionOptions options = HD_SESSION_OPTIONS_INIT;
  options.use_disk_cache = 0;
  options.verify_each = 1;
  HD_TRY(hd_session_new(&options, &cpu->session));
  HD_TRY(hd_compile_text(cpu->session, "tiles.hir", program->text,
                         strlen(program->text), &cpu->program));
  HD_TRY(hd_device_open(cpu->session, "cpu:1", &cpu->device));
  HD_TRY(hd_kernel_get(cpu->program, "k", NULL, 0, &cpu->kernel));
  HdArg args[TILE_ARRAYS];
  for (uint32_t i = 0; i < TILE_ARRAYS; i++) {
    int64_t extents[TILE_RANKS];
    for (uint32_t k = 0; k < TILE_RANKS; k++)
      extents[k] = program->arrays[i].extents[k];
    HD_TRY(hd_buffer_wrap(
        cpu->device, arrays->data[i], types_of[i / TILE_RANKS],
        (int)program->arrays[i].rank, extents, NULL, &cpu->buffers[i]));
    args[i] = HD_BUF(cpu->buffers[i]);
  }
  return hd_kernel_launch(cpu->kernel, NULL, NULL, args, TILE_ARRAYS);
}

static void cpu_free(Cpu *cpu) {
  for (int i = 0; i < TILE_ARRAYS; i++)
    hd_buffer_free(cpu->buffers[i]);
  hd_kernel_free(cpu->kernel);
  hd_device_free(cpu->device);
  hd_program_free(cpu->program);
  hd_session_free(cpu->session);
}

// ------------------------------------------------------------------ a seed

// What is wrong, or NULL.
static const char *try_here(Arena *arena, const TileProgram *program,
                            uint64_t seed) {
  Arrays wanted, of_cpu, of_lanes;
  fill_arrays(arena, program, seed, &wanted);
  fill_arrays(arena, program, seed, &of_cpu);
  fill_arrays(arena, program, seed, &of_lanes);
  const char *why = NULL;
  IrKernel *kernel = read_kernel(arena, program, &why);
  if (!kernel)
    return why;
  if (interpret(arena, kernel, program, &wanted, 0, &why) != HD_OK)
    return arena_printf(arena, "interpreter: %s", why);
  Cpu cpu = {0};
  HdStatus status = cpu_run(&cpu, program, &of_cpu);
  why = status == HD_OK ? compare(arena, &of_cpu, &wanted, "on the CPU")
                        : arena_strdup(arena, hd_last_message(cpu.session));
  cpu_free(&cpu);
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
  TileProgram program = tile_generate(arena, seed, budget);
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
         why, tile_generate(arena, seed, budget).text);
  arena_free(arena);
  free(why);
}

int main(int argc, char **argv) {
  uint64_t first = argc > 2 ? strtoull(argv[1], NULL, 10) : 0;
  uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
  bool prints = argc > 3 && strcmp(argv[3], "--print") == 0;
  const char *seed = getenv("HD_SEED");
  if (argc > 3 && strcmp(argv[3], "--test") == 0) {
    count *= getenv("HD_LONG") ? LONG_TIMES : 1;
    first += seed ? strtoull(seed, NULL, 10) << 20 : 0;
  }
  if (count == 0) {
    fprintf(stderr, "usage: tiles FIRST COUNT [--print] [--test]\n");
    return 2;
  }
  int n_failed = 0;
  for (uint64_t i = first; i < first + count && n_failed < 5; i++) {
    if (prints) {
      Arena *arena = arena_new();
      puts(tile_generate(arena, i, budget_of(i)).text);
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
