// SPDX-License-Identifier: Apache-2.0
// Programs: source or IR text in, an index of kernels and diagnostics out.
#include "base/panic.h"
#include "session/kernel_source.h"

#include "base/file.h"
#include "session/source_index.h"
#include "syntax/load/load.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const KernelSource *const kinds[] = {&kernels_in_ir, &kernels_in_cuda,
                                            &kernels_in_heddle};
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
  program->kernels = &kernels_in_heddle;
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
  int before = atomic_fetch_add(&program->references, 1);
  HD_ASSERT(before > 0); // else it is being freed
}

void hd_program_free(HdProgram *program) {
  if (!program || atomic_fetch_sub(&program->references, 1) != 1)
    return;
  rescue_paid(program);
  for (Spec *spec = program->specs; spec; spec = spec->next)
    if (spec->module->arena != program->arena)
      arena_free(spec->module->arena);
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

static HdStatus program_preprocess(HdProgram *program, const KernelSource *kind,
                                   const char *name, const char *text,
                                   size_t length) {
  const HdSessionOptions *options = &program->session->options;
  LoadOptions load = {.text = text,
                      .length = length,
                      .include_dirs = options->include_dirs,
                      .n_include_dirs = list_length(options->include_dirs),
                      .defines = options->defines,
                      .n_defines = list_length(options->defines),
                      .is_confined = options->confine_includes,
                      .policy = kind->policy.load};
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
  return HD_OK;
}

enum { MOST_HEAD_BYTES = 16 }; // that tell kinds of sources apart

// The first bytes of a regular file.
static size_t read_head(const char *path, char head[MOST_HEAD_BYTES]) {
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0)
    return 0;
  ssize_t n = read(fd, head, MOST_HEAD_BYTES);
  close(fd);
  return n > 0 ? (size_t)n : 0;
}

static const KernelSource *choose_kind(const HdSession *session,
                                       const char *name, const char *text,
                                       size_t length) {
  char head[MOST_HEAD_BYTES];
  size_t head_bytes = text ? length : read_head(name, head);
  size_t i = 0;
  while (!kinds[i]->reads(session, name, text ? text : head, head_bytes))
    i++; // the last one reads everything
  return kinds[i];
}

static HdStatus read_file(HdProgram *program, const char *name,
                          const char **text, size_t *length) {
  const char *why = NULL;
  FileText file = {0};
  HdStatus status =
      file_read(program->arena, name, most_source_bytes, &file, &why);
  if (status != HD_OK)
    return session_fail(program->session, status, "%s", why);
  *text = file.data;
  *length = file.size_bytes;
  return HD_OK;
}

// Text from memory, from standard input (name "-") or, text == NULL, a file.
static HdStatus program_load(HdProgram *program, const char *name,
                             const char *text, size_t length) {
  bool is_stdin = !text && strcmp(name, "-") == 0;
  if (is_stdin) {
    HD_TRY(read_file(program, name, &text, &length));
    name = "<stdin>";
  }
  const KernelSource *kind = choose_kind(program->session, name, text, length);
  if (kind->is_preprocessed) {
    HD_TRY(program_preprocess(program, kind, name, text, length));
  } else {
    if (!text)
      HD_TRY(read_file(program, name, &text, &length));
    program->source = source_new(program->arena, name, text, length, false);
  }
  program->source_hash = hash_source(program->source);
  return kind->load(program);
}

HdStatus program_from_text(HdSession *session, const char *name,
                           const char *text, size_t length, HdProgram **out) {
  HdProgram *program = program_new(session);
  *out = NULL;
  if (!program)
    return session_no_memory(session, NULL);
  HdStatus status = program_load(program, name, text, length);
  program->is_broken = status == HD_ERROR_PROGRAM;
  if (status == HD_OK || status == HD_ERROR_PROGRAM)
    *out = program;
  else
    hd_program_free(program);
  return status;
}

static HdStatus program_compile(HdSession *session, const char *name,
                                const char *text, size_t length,
                                HdProgram **out) {
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
  return program_compile(session, path, NULL, 0, out);
}

// The program keeps its own copy: the caller's may go away.
static HdStatus compile_copy(HdSession *session, const char *name,
                             const char *text, size_t length, HdProgram **out) {
  Arena *arena = arena_new();
  char *copy = arena_strndup(arena, text, length);
  HdStatus status = program_compile(session, name, copy, length, out);
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
  return program ? program->kernels->count(program) : 0;
}

const char *hd_program_kernel_name(const HdProgram *program, int index) {
  if (!program)
    return NULL;
  if (index < 0 || index >= hd_program_kernel_count(program))
    return NULL;
  return program->kernels->name(program, index);
}

const IndexKernel *program_index(const HdProgram *program, const char *name) {
  // Translations are made when they are first asked for: no part of the value.
  HdProgram *mutable_program = (HdProgram *)(uintptr_t)program;
  SourceKernel found;
  session_lock(program->session);
  HdStatus status = program->kernels->find(mutable_program, name, &found);
  session_unlock(program->session);
  return status == HD_OK ? found.index : NULL;
}
