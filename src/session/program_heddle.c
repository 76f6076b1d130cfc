// SPDX-License-Identifier: Apache-2.0
#include "session/program_heddle.h"

#include "syntax/parse.h"

#include <string.h>

typedef struct {
  AstUnit *unit;
  SemaContext *sema; // NULL: the tree has errors
  SemaIndex index;
} HeddleFile;

// NULL: nothing was read.
static const HeddleFile *program_heddle_file_of(const HdProgram *program) {
  return program->kernels == &kernels_in_heddle ? program->file : NULL;
}

AstUnit *heddle_unit(const HdProgram *program) {
  const HeddleFile *file = program_heddle_file_of(program);
  return file ? file->unit : NULL;
}

static bool program_heddle_reads(const HdSession *session, const char *name,
                                 const char *head, size_t head_bytes) {
  (void)session;
  (void)name;
  (void)head;
  (void)head_bytes;
  return true;
}

// --------------------------------------------------------------- the kernels

static int program_heddle_count(const HdProgram *program) {
  const HeddleFile *file = program_heddle_file_of(program);
  return file ? (int)file->index.n_kernels : 0;
}

static const char *program_heddle_name_of(const HdProgram *program, int index) {
  return program_heddle_file_of(program)->index.kernels[index].name;
}

bool index_is_open(const IndexKernel *kernel) {
  for (uint32_t i = 0; i < kernel->n_params; i++) {
    IndexParamKind kind = kernel->params[i].kind;
    if ((kind == INDEX_EMBEDDED || kind == INDEX_TYPE) &&
        !kernel->params[i].has_default)
      return true;
  }
  return false;
}

static bool program_heddle_is_open(const HdProgram *program, int index) {
  return index_is_open(&program_heddle_file_of(program)->index.kernels[index]);
}

static HdStatus program_heddle_find(HdProgram *program, const char *name,
                                    SourceKernel *out) {
  *out = (SourceKernel){0};
  for (int i = 0; i < program_heddle_count(program); i++) {
    if (strcmp(program_heddle_name_of(program, i), name) == 0)
      out->index = &program_heddle_file_of(program)->index.kernels[i];
  }
  return HD_OK;
}

static HdStatus program_heddle_specialise(HdProgram *program, const char *name,
                                          const HdEmbed *embeds, int n_embeds,
                                          const SpecLimits *limits,
                                          SourceForm *out) {
  (void)limits;
  const HeddleFile *file = program_heddle_file_of(program);
  SourceKernel kernel;
  HD_TRY(program_heddle_find(program, name, &kernel));
  KernelTree tree = {file->unit, file->sema, kernel.index};
  return source_type(program, &tree, embeds, n_embeds, &out->typed);
}

static HdStatus program_heddle_print(HdProgram *program, const char *kernel,
                                     Text *out) {
  (void)kernel;
  const AstUnit *unit = heddle_unit(program);
  if (!unit || unit->has_errors)
    return program_fail(program);
  ast_print(unit, out);
  return HD_OK;
}

// ------------------------------------------------------------------- loading

// For a program with errors: reports those about groups, too, that kernels have
// which are right as far as names and types go.
static void check_others(HdProgram *program, const HeddleFile *file) {
  for (uint32_t i = 0; i < file->index.n_kernels; i++) {
    const IndexKernel *index = &file->index.kernels[i];
    if (index_is_open(index))
      continue;
    TKernel *typed =
        sema_check_kernel(file->sema, file->unit, index->name, NULL);
    if (typed)
      source_check(program, typed);
  }
}

static HdStatus program_heddle_load(HdProgram *program) {
  const HdSessionOptions *options = &program->session->options;
  HeddleFile *file = ARENA_NEW(program->arena, HeddleFile);
  program->kernels = &kernels_in_heddle;
  program->file = file;
  file->unit = parse_unit(program->arena, program->names, program->diags,
                          program->source);
  if (diag_error_count(program->diags) > 0)
    return program_fail(program);
  SemaOptions sema = {.strict_groups = options->strict_groups != 0,
                      .fast_math = options->fast_math != 0};
  file->sema = sema_new(program->arena, program->names, program->diags,
                        program->source, &sema);
  sema_index_unit(file->sema, file->unit, &file->index);
  sema_check_unit(file->sema, file->unit);
  if (diag_error_count(program->diags) > 0)
    check_others(program, file);
  return diag_error_count(program->diags) > 0 ? program_fail(program) : HD_OK;
}

const KernelSource kernels_in_heddle = {
    .language = HD_LANGUAGE_HEDDLE,
    .is_preprocessed = true,
    .reads = program_heddle_reads,
    .load = program_heddle_load,
    .count = program_heddle_count,
    .name = program_heddle_name_of,
    .is_open = program_heddle_is_open,
    .find = program_heddle_find,
    .specialise = program_heddle_specialise,
    .print = program_heddle_print,
};
