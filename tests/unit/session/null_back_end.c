// SPDX-License-Identifier: Apache-2.0
#include "session/null_back_end.h"

#include "abi/cpu.h"
#include "base/arena.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

NullCounts null_counts;

typedef struct Loaded {
  struct Loaded *next;
  HdCpuKernel kernel;
  char name[64];
} Loaded;

typedef struct {
  CodeCompiler base;
  Loaded *loaded;
} NullCompiler;

static CodeCompiler *null_open(const CodeOptions *options,
                               const CodeModel *model) {
  NullCompiler *compiler = calloc(1, sizeof *compiler);
  if (!compiler)
    abort();
  compiler->base.text = model->name;
  null_counts.n_compilers++;
  null_counts.options = *options;
  return &compiler->base;
}

static void null_close(CodeCompiler *base) {
  NullCompiler *compiler = (NullCompiler *)base;
  if (!compiler)
    return;
  for (Loaded *loaded = compiler->loaded, *next; loaded; loaded = next) {
    next = loaded->next;
    free(loaded);
  }
  free(compiler);
  null_counts.n_compilers--;
}

// "null NAME 64 1 1": the name and the threads of a block. Kernels called
// `refused` and `huge` are neither compiled nor dumped.
static HdStatus print(CodeCompiler *compiler, const IrKernel *kernel, Text *out,
                      const char **why) {
  compiler->excess = (CodeExcess){0};
  *why = "the null back end refuses it";
  if (strcmp(kernel->name, "huge") == 0)
    compiler->excess = (CodeExcess){
        .n_operations = 1001, .most = 1000, .place = kernel->body.first->loc};
  if (compiler->excess.n_operations || strcmp(kernel->name, "refused") == 0)
    return HD_ERROR_UNSUPPORTED;
  text_printf(out, "null %s %d %d %d\n", kernel->name, kernel->block_dim[0],
              kernel->block_dim[1], kernel->block_dim[2]);
  return HD_OK;
}

static HdStatus null_compile(CodeCompiler *compiler, Arena *scratch,
                             const IrModule *module, const IrKernel *kernel,
                             CodeObject *out, const char **why) {
  (void)module;
  *out = (CodeObject){0};
  Text text = {.arena = scratch};
  HD_TRY(print(compiler, kernel, &text, why));
  null_counts.n_compiled++;
  *out = (CodeObject){strdup(text_cstr(&text)), text.length};
  return HD_OK;
}

static HdStatus null_dump(CodeCompiler *compiler, Arena *scratch,
                          const IrModule *module, const IrKernel *kernel,
                          int stage, Text *out, const char **why) {
  (void)scratch;
  (void)module;
  (void)stage;
  return print(compiler, kernel, out, why);
}

static void run_nothing(const HdCpuLaunch *launch, HdCpuBlock *block,
                        int64_t first, int64_t last) {
  (void)launch;
  (void)block;
  (void)first;
  (void)last;
}

static HdStatus null_load(CodeCompiler *base, const void *data,
                          size_t size_bytes, Arena *arena, const void **out,
                          const char **why) {
  static const char *const locs[] = {"unknown place"};
  NullCompiler *compiler = (NullCompiler *)base;
  Loaded *loaded = calloc(1, sizeof *loaded);
  if (!loaded)
    abort();
  HdCpuKernel *kernel = &loaded->kernel;
  int32_t *dim = kernel->block_dim;
  const char *text = arena_strndup(arena, data, size_bytes);
  if (null_counts.fails_to_load ||
      sscanf(text, "null %63s %d %d %d", loaded->name, &dim[0], &dim[1],
             &dim[2]) != 4) {
    free(loaded);
    *why = "it isn't null";
    return HD_ERROR_DEVICE;
  }
  kernel->abi_version = HD_CPU_ABI_VERSION;
  kernel->name = loaded->name;
  kernel->file = "null";
  kernel->run_range = run_nothing;
  kernel->locs = locs;
  kernel->n_locs = 1;
  loaded->next = compiler->loaded;
  compiler->loaded = loaded;
  null_counts.n_loaded++;
  *out = kernel;
  return HD_OK;
}

// Of kernels called `slow`.
static bool null_remark(Arena *arena, const IrKernel *kernel, CodeRemark *out) {
  *out = (CodeRemark){.code = 1092,
                      .node = kernel->body.first,
                      .message =
                          arena_printf(arena, "'%s' isn't null", kernel->name),
                      .note = "what is null takes no time"};
  return strcmp(kernel->name, "slow") == 0;
}

static const char *const stages[] = {"null", NULL};

#define NULL_OPS(models_of)                                                    \
  .device = "cpu", .models = (models_of), .n_models = 1, .stages = stages,     \
  .open = null_open, .close = null_close, .compile = null_compile,             \
  .dump = null_dump, .remark = null_remark

static const CodeModel model = {.name = "null", .is_usual = true};
static const CodeModel text_model = {.name = "null_text", .is_usual = true};

static const CodeModel rare_model = {.name = "null_rare"};

static const CodeOps null_ops = {NULL_OPS(&model), .load = null_load};
static const CodeOps null_text_ops = {NULL_OPS(&text_model)};

static const CodeOps null_rare_ops = {NULL_OPS(&rare_model), .load = null_load};

static const CodeOps *const rows[] = {&null_ops};
static const CodeOps *const text_rows[] = {&null_text_ops};
static const CodeOps *const rare_rows[] = {&null_rare_ops};

const CodeBackEnds null_back_ends = {rows, 1};
const CodeBackEnds null_text_back_ends = {text_rows, 1};
const CodeBackEnds null_rare_back_ends = {rare_rows, 1};
