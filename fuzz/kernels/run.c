// SPDX-License-Identifier: Apache-2.0
#include "run.h"
#include "base/status.h"
#include "diag/diag.h"
#include "heddle/heddle.h"
#include "interp/interp.h"
#include "ir/form/float_format.h"
#include "ir/verify/verify.h"
#include "lower/lower.h"
#include "sema/sema.h"
#include "syntax/parse.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_ULP = 8, MAX_STEPS = 200 * 1000 * 1000 };

// ----------------------------------------------------------------- inputs

// Contents of every array before the launch; arrays of scalars stay NULL.
typedef struct {
  unsigned char *data[GEN_MAX_PARAMS];
  uint64_t size_bytes[GEN_MAX_PARAMS];
} Arrays;

static double random_real(uint64_t *state) {
  uint64_t bits = gen_split_mix(state);
  if (bits % 16 == 0) { // a few that are special
    static const double special[] = {0, -0.0, 1, -1, 0.5, 1e-3, 300, -70000};
    return special[bits / 16 % 8];
  }
  return (double)(bits >> 40) / (double)(1 << 20) - 8;
}

static int64_t random_integer(uint64_t *state) {
  uint64_t bits = gen_split_mix(state);
  return bits % 4 ? (int64_t)(bits >> 56) - 128 : (int64_t)(bits >> 4);
}

static void fill(const GenParam *param, unsigned char *data, uint64_t *state) {
  uint32_t size = gen_types[param->type].size_bytes;
  for (int64_t i = 0; i < param->elements; i++) {
    uint64_t bits = (uint64_t)random_integer(state);
    double real = random_real(state);
    if (param->type == GEN_F16)
      bits = float_bits_from_double(FLOAT_F16, real);
    else if (param->type == GEN_F32)
      bits = float_bits_from_double(FLOAT_F32, real);
    else if (param->type == GEN_F64)
      memcpy(&bits, &real, sizeof real);
    memcpy(data + (uint64_t)i * size, &bits, size);
  }
}

static void make_arrays(Arena *arena, const GenProgram *program, uint64_t seed,
                        Arrays *arrays) {
  memset(arrays, 0, sizeof *arrays);
  for (uint32_t i = 0; i < program->n_params; i++) {
    const GenParam *param = &program->params[i];
    if (!param->is_array)
      continue;
    arrays->size_bytes[i] =
        (uint64_t)param->elements * gen_types[param->type].size_bytes;
    unsigned char *data = arena_alloc(arena, arrays->size_bytes[i] + 128);
    arrays->data[i] = data + (128 - (uintptr_t)data % 128) % 128;
    fill(param, arrays->data[i], &seed);
  }
}

// -------------------------------------------------------------------- CPU

typedef struct {
  HdSession *session;
  HdProgram *program;
  HdDevice *device;
  HdKernel *kernel;
  HdBuffer *buffers[GEN_MAX_PARAMS];
  HdBuffer *wholes[GEN_MAX_PARAMS]; // on a GPU: what the buffers are parts of
  char *ir;
} Cpu;

static void cpu_free(Cpu *cpu) {
  for (int i = 0; i < GEN_MAX_PARAMS; i++)
    hd_buffer_free(cpu->buffers[i]), hd_buffer_free(cpu->wholes[i]);
  hd_kernel_free(cpu->kernel);
  hd_text_free(cpu->ir);
  hd_device_free(cpu->device);
  hd_program_free(cpu->program);
  hd_session_free(cpu->session);
}

// Up to the IR text: what fails here was refused by the compiler.
static HdStatus cpu_compile_source(Cpu *cpu, const char *source) {
  HdSessionOptions options = HD_SESSION_OPTIONS_INIT;
  options.use_disk_cache = 0;
  options.verify_each = 1;
  HD_TRY(hd_session_new(&options, &cpu->session));
  HD_TRY(hd_compile_text(cpu->session, "generated.hd", source, strlen(source),
                         &cpu->program));
  return hd_dump(cpu->program, "k", NULL, 0, "ir", &cpu->ir);
}

static HdArg scalar_arg(const GenParam *param) {
  if (gen_types[param->type].is_float)
    return HD_FLOAT(param->real);
  return HD_INT(param->integer);
}

// The arrays themselves; those of vectors, which can't be wrapped, and those
// for a GPU are copied.
static HdStatus cpu_buffer(Cpu *cpu, const GenParam *param, unsigned char *data,
                           uint64_t size_bytes, HdBuffer **whole,
                           HdBuffer **out) {
  const GenTypeInfo *type = &gen_types[param->type];
  if (param->lanes == 1 && strcmp(hd_device_target(cpu->device), "cpu") == 0)
    return hd_buffer_wrap(cpu->device, data, (HdType)type->hd_type, param->rank,
                          param->extents, param->strides, out);
  if (param->lanes == 1) {
    int64_t elements = param->elements;
    HD_TRY(
        hd_buffer_new(cpu->device, (HdType)type->hd_type, 1, &elements, whole));
    HD_TRY(hd_buffer_write(*whole, data, size_bytes));
    return hd_buffer_view(*whole, 0, param->rank, param->extents,
                          param->strides, out);
  }
  size_t element_bytes = type->size_bytes * (size_t)param->lanes;
  HD_TRY(hd_buffer_new_bytes(cpu->device, element_bytes, param->rank,
                             param->extents, out));
  return hd_buffer_write(*out, data, size_bytes);
}

static HdStatus cpu_launch(Cpu *cpu, const GenProgram *program,
                           const Arrays *arrays) {
  HD_TRY(hd_device_open(
      cpu->session, program->device ? program->device : "cpu:1", &cpu->device));
  HD_TRY(hd_kernel_get(cpu->program, "k", NULL, 0, &cpu->kernel));
  HdArg args[GEN_MAX_PARAMS];
  for (uint32_t i = 0; i < program->n_params; i++) {
    const GenParam *param = &program->params[i];
    args[i] = scalar_arg(param);
    if (!param->is_array)
      continue;
    HD_TRY(cpu_buffer(cpu, param, arrays->data[i], arrays->size_bytes[i],
                      &cpu->wholes[i], &cpu->buffers[i]));
    args[i] = HD_BUF(cpu->buffers[i]);
  }
  HdLaunchOptions options = HD_LAUNCH_OPTIONS_INIT;
  options.has_grid = program->has_grid;
  for (int i = 0; i < 3; i++)
    options.grid[i] = program->grid[i];
  HD_TRY(hd_kernel_launch(cpu->kernel, NULL, &options, args,
                          (int)program->n_params));
  for (uint32_t i = 0; i < program->n_params; i++) {
    HdBuffer *copy =
        program->params[i].lanes > 1 ? cpu->buffers[i] : cpu->wholes[i];
    if (copy)
      HD_TRY(hd_buffer_read(copy, arrays->data[i], arrays->size_bytes[i]));
  }
  return HD_OK;
}

// ------------------------------------------------------------ interpreter

static uint64_t scalar_slot(const GenParam *param) {
  switch ((int)param->type) {
  case GEN_F16: return float_bits_from_double(FLOAT_F16, param->real);
  case GEN_F32: return float_bits_from_double(FLOAT_F32, param->real);
  case GEN_F64: return float_bits_from_double(FLOAT_F64, param->real);
  default: return (uint64_t)param->integer;
  }
}

// The grid by the kernel's own clause where it has one.
static void grid_of(const IrKernel *kernel, const GenProgram *program,
                    int32_t *grid) {
  for (int i = 0; i < 3; i++) {
    const IrHost *host = kernel->grid[i];
    grid[i] = program->grid[i];
    if (kernel->n_grid > 0)
      grid[i] = host && host->op == HOST_CONST ? (int32_t)host->number : 1;
  }
}

// The kernel as lowered, before any pass has changed it.
static const char *lowered_text(Arena *arena, const char *text) {
  SourceText *source =
      source_new(arena, "generated.hd", text, strlen(text), false);
  Interner *names = intern_new(arena);
  DiagEngine *diags = diag_engine_new(arena, 0);
  SemaOptions options = {0};
  SemaContext *sema = sema_new(arena, names, diags, source, &options);
  AstUnit *unit = parse_unit(arena, names, diags, source);
  TKernel *typed = sema_check_kernel(sema, unit, "k", NULL);
  IrModule *module = ir_module_new(arena, "generated.hd");
  Text out = {.arena = arena};
  if (typed && lower_kernel(module, typed, source, diags))
    ir_print(module, &out);
  return text_cstr(&out);
}

// NULL and *why when the text is refused or doesn't print as it was read.
static const IrKernel *read_back(Arena *arena, const char *ir,
                                 const char **why) {
  SourceText *source = source_new(arena, "dump.hir", ir, strlen(ir), false);
  DiagEngine *diags = diag_engine_new(arena, 0);
  IrModule *module = ir_parse(arena, source, diags);
  Text text = {.arena = arena};
  if (!module || module->kernels.count != 1) {
    diag_render_text(diags, &text, false);
    *why = arena_printf(arena, "IR text is refused: %s", text_cstr(&text));
    return NULL;
  }
  ir_print(module, &text);
  if (strcmp(text_cstr(&text), ir) == 0)
    return module->kernels.data[0];
  *why = "IR text doesn't print as it was read";
  return NULL;
}

static void array_slots(const GenParam *param, uint64_t *slots) {
  for (int i = 0; i < param->rank; i++) {
    slots[i] = (uint64_t)param->extents[i];
    slots[param->rank + i] = (uint64_t)param->strides[i];
  }
}

static HdStatus interpret(Arena *arena, const char *ir,
                          const GenProgram *program, const Arrays *arrays,
                          uint64_t seed, const char **why) {
  const IrKernel *kernel = read_back(arena, ir, why);
  if (!kernel)
    return HD_ERROR_PROGRAM;
  uint64_t *args = ARENA_ARRAY(arena, uint64_t, kernel->n_slots + 1);
  InterpMemory memory[GEN_MAX_PARAMS] = {0};
  for (uint32_t i = 0; i < program->n_params; i++) {
    const IrParam *param = &kernel->params.data[i];
    const GenParam *given = &program->params[i];
    args[param->slot] = scalar_slot(given);
    if (!given->is_array)
      continue;
    args[param->slot] = (uint64_t)(uintptr_t)arrays->data[i];
    array_slots(given, &args[param->slot + 1]);
    memory[i] = (InterpMemory){arrays->data[i], arrays->size_bytes[i]};
  }
  InterpLaunch launch = {
      .args = args, .arrays = memory, .seed = seed, .max_steps = MAX_STEPS};
  grid_of(kernel, program, launch.grid);
  return interp_run(arena, kernel, &launch, why);
}

// ------------------------------------------------------------- comparison

static double real_of(GenType type, const unsigned char *at) {
  uint64_t bits = 0;
  memcpy(&bits, at, gen_types[type].size_bytes);
  FloatFormat format = type == GEN_F16   ? FLOAT_F16
                       : type == GEN_F32 ? FLOAT_F32
                                         : FLOAT_F64;
  return float_bits_to_double(format, bits);
}

// Any NaN is like any other; results of library functions may differ a little.
static bool same_element(const GenParam *param, const unsigned char *a,
                         const unsigned char *b) {
  if (memcmp(a, b, gen_types[param->type].size_bytes) == 0)
    return true;
  if (!gen_types[param->type].is_float)
    return false;
  double x = real_of(param->type, a), y = real_of(param->type, b);
  if (isnan(x) && isnan(y))
    return true;
  double ulp = fabs(x) * 0x1p-23;
  return param->is_close && fabs(x - y) <= MAX_ULP * ulp;
}

static const char *element_text(Arena *arena, const GenParam *param,
                                const unsigned char *at) {
  uint64_t bits = 0;
  memcpy(&bits, at, gen_types[param->type].size_bytes);
  if (gen_types[param->type].is_float)
    return arena_printf(arena, "%.17g (0x%llx)", real_of(param->type, at),
                        (unsigned long long)bits);
  return arena_printf(arena, "0x%llx", (unsigned long long)bits);
}

// NULL when equal.
static const char *compare(Arena *arena, const GenProgram *program,
                           const Arrays *cpu, const Arrays *interp) {
  for (uint32_t i = 0; i < program->n_params; i++) {
    const GenParam *param = &program->params[i];
    uint32_t size = gen_types[param->type].size_bytes;
    for (int64_t k = 0; param->is_array && k < param->elements; k++) {
      const unsigned char *a = cpu->data[i] + (uint64_t)k * size;
      const unsigned char *b = interp->data[i] + (uint64_t)k * size;
      if (!same_element(param, a, b))
        return arena_printf(
            arena, "%s[%lld] is %s on %s, %s in the interpreter", param->name,
            (long long)k, element_text(arena, param, a),
            program->device ? program->device : "the CPU",
            element_text(arena, param, b));
    }
  }
  return NULL;
}

static Outcome run_compiled(Arena *arena, Cpu *cpu, const GenProgram *program,
                            const char *source, uint64_t seed,
                            const char **why) {
  Arrays cpu_arrays, interp_arrays;
  make_arrays(arena, program, seed, &cpu_arrays);
  make_arrays(arena, program, seed, &interp_arrays);
  if (!read_back(arena, cpu->ir, why))
    return OUTCOME_FAILED;
  const char *ir = lowered_text(arena, source);
  HdStatus status = interpret(arena, ir, program, &interp_arrays, 0, why);
  if (status != HD_OK) {
    *why = arena_printf(arena, "interpreter: %s", *why);
    return OUTCOME_FAILED;
  }
  if (program->without_cpu) {
    status = interpret(arena, cpu->ir, program, &cpu_arrays, seed | 1, why);
    if (status != HD_OK) {
      *why = arena_printf(arena, "interpreter, other order: %s", *why);
      return OUTCOME_FAILED;
    }
  } else if (cpu_launch(cpu, program, &cpu_arrays) != HD_OK) {
    *why =
        arena_printf(arena, "%s: %s", program->device ? program->device : "CPU",
                     hd_last_message(cpu->session));
    return OUTCOME_FAILED;
  }
  *why = compare(arena, program, &cpu_arrays, &interp_arrays);
  return *why ? OUTCOME_DIFFERS : OUTCOME_SAME;
}

static Outcome run_here(Arena *arena, const GenProgram *program,
                        const char *source, uint64_t seed, const char **why) {
  Cpu cpu = {0};
  Outcome outcome = OUTCOME_REFUSED;
  *why = NULL;
  if (cpu_compile_source(&cpu, source) == HD_OK)
    outcome = run_compiled(arena, &cpu, program, source, seed, why);
  else
    *why = arena_strdup(arena, hd_last_message(cpu.session));
  cpu_free(&cpu);
  return outcome;
}

// ------------------------------------------------------------ isolation

enum { MAX_SECONDS = 60, MAX_TEXT = 1 << 16 };

static _Noreturn void child(const GenProgram *program, const char *source,
                            uint64_t seed, int out) {
  alarm(MAX_SECONDS);
  dup2(out, STDERR_FILENO); // a panic's text
  Arena *arena = arena_new();
  const char *why;
  Outcome outcome = run_here(arena, program, source, seed, &why);
  dprintf(out, "%c%s", (char)outcome, why ? why : "");
  _exit(0);
}

// Everything up to the end; what is beyond the buffer is dropped.
static size_t read_all(int in, char *text, size_t size) {
  size_t length = 0;
  char byte;
  while (read(in, &byte, 1) == 1)
    if (length + 1 < size)
      text[length++] = byte;
  text[length] = '\0';
  return length;
}

Outcome run_both(Arena *arena, const GenProgram *program, const char *source,
                 uint64_t seed, const char **why) {
  int ends[2];
  *why = "no process could be started";
  if (pipe(ends) != 0)
    return OUTCOME_CRASHED;
  fflush(stdout);
  pid_t pid = fork();
  if (pid == 0)
    child(program, source, seed, ends[1]);
  close(ends[1]);
  char *text = arena_alloc(arena, MAX_TEXT);
  size_t length = read_all(ends[0], text, MAX_TEXT);
  close(ends[0]);
  int status = 0;
  if (pid < 0 || waitpid(pid, &status, 0) != pid)
    return OUTCOME_CRASHED;
  bool has_ended = WIFEXITED(status) && WEXITSTATUS(status) == 0 && length > 0;
  *why = has_ended ? text + 1 : text;
  if (!has_ended && WIFSIGNALED(status))
    *why = arena_printf(arena, "signal %d: %s", WTERMSIG(status), text);
  return has_ended ? (Outcome)text[0] : OUTCOME_CRASHED;
}
