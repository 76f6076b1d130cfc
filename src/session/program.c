// SPDX-License-Identifier: Apache-2.0
// Programs: source or IR text in, an index of kernels and diagnostics out.
#include "session/session.h"

#include "base/file.h"
#include "ir/verify/verify.h"
#include "session/program_cuda.h"
#include "session/source_index.h"
#include "syntax/load/load.h"
#include "syntax/parse.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char ir_first_line[] = "heddle-ir ";
static const size_t most_source_bytes = (size_t)64 << 20;

static void release_program(void *program) {
  hd_program_free(program);
}

static HdProgram *program_new(HdSession *session) {
  HdProgram *program = calloc(1, sizeof(*program));
  if (!program)
    return NULL;
  atomic_init(&program->references, 1);
  program->session = session;
  session_retain(session);
  rescue_owe(release_program, program);
  program->arena = arena_new();
  program->names = intern_new(program->arena);
  int limit = session->options.max_errors;
  program->diags =
      diag_engine_new(program->arena, limit > 0 ? (uint32_t)limit : 0);
  return program;
}

void program_retain(HdProgram *program) {
  atomic_fetch_add(&program->references, 1);
}

void hd_program_free(HdProgram *program) {
  if (!program || atomic_fetch_sub(&program->references, 1) != 1)
    return;
  rescue_paid(program);
  for (Spec *spec = program->specs; spec; spec = spec->next)
    arena_free(spec->module == program->ir ? NULL : spec->module->arena);
  globals_free(program);
  HdSession *session = program->session;
  arena_free(program->arena);
  arena_free(program->text_arena);
  free(program);
  hd_session_free(session);
}

// ------------------------------------------------------------ diagnostics

static const char *render(HdProgram *program, HdFormat format) {
  session_lock(program->session);
  Text text = {.arena = program->arena};
  if (format == HD_FORMAT_JSON)
    diag_render_json(program->diags, &text);
  else
    diag_render_text(program->diags, &text,
                     program->session->options.use_colour != 0);
  session_unlock(program->session);
  return text_cstr(&text);
}

const char *hd_program_diagnostics(HdProgram *program, HdFormat format) {
  if (!program)
    return NULL;
  SESSION_RESCUE(program->session, NULL, "");
  return render(program, format);
}

int hd_program_error_count(const HdProgram *program) {
  if (!program)
    return 0;
  return (int)diag_error_count(program->diags);
}

int hd_program_warning_count(const HdProgram *program) {
  if (!program)
    return 0;
  return (int)diag_warning_count(program->diags);
}

HdStatus program_fail(HdProgram *program) {
  Text text = {.arena = program->arena};
  diag_render_round_text(program->diags, &text,
                         program->session->options.use_colour != 0);
  return session_fail(program->session, HD_ERROR_PROGRAM, "%s",
                      text_cstr(&text));
}

// ---------------------------------------------------------------- loading

static uint32_t list_length(const char *const *list) {
  uint32_t count = 0;
  while (list && list[count])
    count++;
  return count;
}

static Hash128 hash_source(const SourceText *source) {
  HashState *state = hash_new();
  hash_add(state, source_text(source), source_length(source));
  Hash128 hash = hash_result(state);
  hash_free(state);
  return hash;
}

static HdStatus load_ir(HdProgram *program, const char *name, const char *text,
                        size_t length) {
  program->source = source_new(program->arena, name, text, length, false);
  program->source_hash = hash_source(program->source);
  program->ir = ir_parse(program->arena, program->source, program->diags);
  return program->ir ? HD_OK : program_fail(program);
}

static HdStatus load_source(HdProgram *program, const char *name,
                            const char *text, size_t length) {
  const HdSessionOptions *options = &program->session->options;
  LoadOptions load = {.text = text,
                      .length = length,
                      .include_dirs = options->include_dirs,
                      .n_include_dirs = list_length(options->include_dirs),
                      .defines = options->defines,
                      .n_defines = list_length(options->defines),
                      .is_confined = options->confine_includes,
                      .is_cuda = cuda_is_language(program->session, name)};
  SourceIndex kept = {program->session->cache_dir,
                      session_cache_limit(program->session)};
  PreprocessorMemory memory = source_index_memory(&kept);
  if (kept.cache_dir)
    load.memory = &memory;
  LoadedSource loaded;
  const char *why = NULL;
  HdStatus status = syntax_load(program->arena, program->names, program->diags,
                                name, &load, &loaded, &why);
  if (status == HD_ERROR_PROGRAM)
    return program_fail(program);
  if (status != HD_OK)
    return session_fail(program->session, status, "%s", why);
  program->source = loaded.source;
  program->source_hash = hash_source(loaded.source);
  if (load.is_cuda)
    return cuda_load(program);
  program->unit =
      parse_unit(program->arena, program->names, program->diags, loaded.source);
  if (diag_error_count(program->diags) > 0)
    return program_fail(program);
  SemaOptions sema = {.strict_groups = options->strict_groups != 0,
                      .fast_math = options->fast_math != 0};
  program->sema = sema_new(program->arena, program->names, program->diags,
                           loaded.source, &sema);
  sema_index_unit(program->sema, program->unit, &program->index);
  sema_check_unit(program->sema, program->unit);
  if (diag_error_count(program->diags) > 0)
    spec_check_others(program);
  return diag_error_count(program->diags) > 0 ? program_fail(program) : HD_OK;
}

// Reads enough of a regular file to tell IR text from source.
static bool file_is_ir(const char *path) {
  char head[sizeof ir_first_line] = {0};
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0)
    return false;
  ssize_t n = read(fd, head, sizeof head - 1);
  close(fd);
  return n == (ssize_t)sizeof head - 1 && strcmp(head, ir_first_line) == 0;
}

static bool text_is_ir(const char *text, size_t length) {
  return length >= sizeof ir_first_line - 1 &&
         memcmp(text, ir_first_line, sizeof ir_first_line - 1) == 0;
}

// Text from memory, from standard input (name "-") or, text == NULL, a file.
static HdStatus load(HdProgram *program, const char *name, const char *text,
                     size_t length) {
  const char *why = NULL;
  FileText file = {0};
  bool is_stdin = !text && strcmp(name, "-") == 0;
  if (is_stdin || (!text && file_is_ir(name))) {
    HdStatus status =
        file_read(program->arena, name, most_source_bytes, &file, &why);
    if (status != HD_OK)
      return session_fail(program->session, status, "%s", why);
    text = file.data;
    length = file.size_bytes;
  }
  if (text && text_is_ir(text, length))
    return load_ir(program, is_stdin ? "<stdin>" : name, text, length);
  return load_source(program, is_stdin ? "<stdin>" : name, text, length);
}

HdStatus program_from_text(HdSession *session, const char *name,
                           const char *text, size_t length, HdProgram **out) {
  HdProgram *program = program_new(session);
  *out = NULL;
  if (!program)
    return session_no_memory(session, NULL);
  HdStatus status = load(program, name, text, length);
  program->is_broken = status == HD_ERROR_PROGRAM;
  if (status == HD_OK || status == HD_ERROR_PROGRAM)
    *out = program;
  else
    hd_program_free(program);
  return status;
}

static HdStatus compile(HdSession *session, const char *name, const char *text,
                        size_t length, HdProgram **out) {
  session_lock(session);
  HdStatus status = program_from_text(session, name, text, length, out);
  session_unlock(session);
  return status;
}

HdStatus hd_compile_file(HdSession *session, const char *path,
                         HdProgram **out) {
  if (out)
    *out = NULL;
  if (!session || !path || !out)
    return session_null(session, "hd_compile_file");
  SESSION_RESCUE(session, NULL, HD_ERROR_MEMORY);
  return compile(session, path, NULL, 0, out);
}

// The program keeps its own copy: the caller's may go away.
static HdStatus compile_copy(HdSession *session, const char *name,
                             const char *text, size_t length, HdProgram **out) {
  Arena *arena = arena_new();
  char *copy = arena_strndup(arena, text, length);
  HdStatus status = compile(session, name, copy, length, out);
  if (*out)
    (*out)->text_arena = arena;
  else
    arena_free(arena);
  return status;
}

HdStatus hd_compile_text(HdSession *session, const char *name, const char *text,
                         size_t length, HdProgram **out) {
  if (out)
    *out = NULL;
  if (!session || !name || !out || (!text && length > 0))
    return session_null(session, "hd_compile_text");
  SESSION_RESCUE(session, NULL, HD_ERROR_MEMORY);
  return compile_copy(session, name, text, length, out);
}

// ---------------------------------------------------------------- kernels

int hd_program_kernel_count(const HdProgram *program) {
  if (!program)
    return 0;
  if (program->cuda)
    return (int)cuda_kernels(program->cuda).count;
  return (int)(program->ir ? program->ir->kernels.count
                           : program->index.n_kernels);
}

const char *hd_program_kernel_name(const HdProgram *program, int index) {
  if (!program)
    return NULL;
  if (index < 0 || index >= hd_program_kernel_count(program))
    return NULL;
  if (program->cuda)
    return cuda_kernels(program->cuda).data[index].name;
  return program->ir ? program->ir->kernels.data[index]->name
                     : program->index.kernels[index].name;
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

HdStatus program_tree(HdProgram *program, const char *name,
                      const SpecLimits *limits, KernelTree *out) {
  *out = (KernelTree){.unit = program->unit, .sema = program->sema};
  if (program->cuda) {
    const KernelTree *tree;
    HD_TRY(cuda_choose(program, &name));
    HD_TRY(cuda_tree(program, name, limits, &tree));
    *out = *tree;
    return HD_OK;
  }
  for (uint32_t i = 0; i < program->index.n_kernels; i++) {
    if (strcmp(program->index.kernels[i].name, name) == 0)
      out->index = &program->index.kernels[i];
  }
  return HD_OK;
}

const IndexKernel *program_index(const HdProgram *program, const char *name) {
  // Translations are made when they are first asked for: no part of the value.
  HdProgram *mutable_program = (HdProgram *)(uintptr_t)program;
  KernelTree tree;
  session_lock(program->session);
  HdStatus status = program_tree(mutable_program, name, NULL, &tree);
  session_unlock(program->session);
  return status == HD_OK ? tree.index : NULL;
}
