// SPDX-License-Identifier: Apache-2.0
#include "convert/convert.h"

#include "check/solve/solve.h"
#include "session/program_cuda.h"
#include "session/program_heddle.h"
#include "syntax/parse.h"

#include <stdlib.h>
#include <string.h>

static const HdConvertOptions default_options = HD_CONVERT_OPTIONS_INIT;

static CudaTranslation translation_of(const HdConvertOptions *options,
                                      Arena *arena) {
  hd_vec(CudaFact) assumptions = {0};
  const char *const *given = options->assumptions;
  for (uint32_t i = 0; given && given[i]; i++)
    VEC_PUSH(arena, &assumptions, cuda_fact(given[i]));
  CudaTranslation out = {.assumptions = assumptions.data,
                         .n_assumptions = assumptions.count,
                         .has_lengths = true};
  for (int i = 0; i < 3; i++)
    out.block[i] = (uint32_t)options->block[i];
  return out;
}

// Where the kernel's block size comes from.
static BlockOrigin block_origin(const HdProgram *program, const Decl *kernel,
                                const HdConvertOptions *options) {
  CudaKernels kernels = cuda_kernels(cuda_unit(program));
  Place place = source_place(program->source, kernel->name_span);
  const CudaKernel *row = kernels.data;
  for (uint32_t i = 0; i < kernels.count && options->block[0] == 0;
       i++, row++) {
    Place other = source_place(program->source, row->span);
    if (other.line == place.line && other.col == place.col && other.file &&
        place.file && strcmp(other.file, place.file) == 0)
      return row->is_any     ? BLOCK_ANY
             : row->is_guess ? BLOCK_GUESSED
                             : BLOCK_KNOWN;
  }
  return options->block[0] == 0 ? BLOCK_ANY : BLOCK_KNOWN;
}

static bool has_flat_blocks(const AstUnit *unit) {
  for (uint32_t i = 0; i < unit->decls.count; i++) {
    const Decl *decl = unit->decls.data[i];
    const ClauseList *clauses = &decl->u.function.clauses;
    for (uint32_t k = 0; decl->kind == DECL_KERNEL && k < clauses->count; k++)
      if (clauses->data[k].kind == CLAUSE_THREADS &&
          clauses->data[k].args.count > 1)
        return false;
  }
  return true;
}

static void tidy_unit(HdProgram *program, AstUnit *unit, Arena *arena) {
  Conversion cx = {.program = program, .arena = arena, .unit = unit};
  Tidy tidy;
  tidy_start(&tidy, arena, program->names, unit);
  tidy.is_flat = has_flat_blocks(unit);
  tidy_casts(&tidy);
  tidy_unused(&tidy);
  convert_groups(&cx, &tidy);
}

static void convert_unit(HdProgram *program, AstUnit *unit,
                         const HdConvertOptions *options, Arena *arena) {
  for (uint32_t i = 0; i < unit->decls.count; i++) {
    if (unit->decls.data[i]->kind != DECL_KERNEL)
      continue;
    Conversion cx = {
        .program = program, .arena = arena, .unit = unit, .position = i};
    convert_own_kernel(&cx);
    convert_block(&cx, block_origin(program, unit->decls.data[i], options));
  }
  tidy_unit(program, unit, arena);
  for (uint32_t i = 0; i < unit->decls.count; i++) {
    Conversion cx = {
        .program = program, .arena = arena, .unit = unit, .position = i};
    if (unit->decls.data[i]->kind != DECL_KERNEL)
      continue;
    convert_extents(&cx);
    convert_apart(&cx);
    convert_alignment(&cx);
  }
}

// So that the translation states what the rules need of the kernel, and
// declares members for the memory that they point to.
static void state_conditions(HdProgram *program, const char *name,
                             const CudaTranslation *translation) {
  bool is_new;
  do {
    AstUnit *unit = cuda_translate(cuda_unit(program), name, translation);
    if (!unit)
      return;
    OpenConditions open = {0};
    OpenMembers members = {0};
    Arena *arena = arena_new();
    Conversion cx = {.program = program,
                     .arena = arena,
                     .position = unit->decls.count - 1,
                     .is_cuda = true,
                     .open = &open,
                     .open_members = &members};
    convert_lowered(&cx, unit, arena);
    is_new = cuda_hold_all(program, name, &members) ||
             cuda_state_all(program, &open);
    arena_free(arena);
  } while (is_new);
}

// Tells the kernel's errors, as a check of it would: in a round of their own,
// since another kernel may have some at the same places.
static bool convert_is_right(HdProgram *program, const char *name,
                             const CudaTranslation *translation) {
  diag_begin_round(program->diags);
  AstUnit *unit = cuda_translate(cuda_unit(program), name, translation);
  if (!unit)
    return false;
  Arena *arena = arena_new();
  Conversion cx = {.program = program,
                   .arena = arena,
                   .position = unit->decls.count - 1,
                   .is_cuda = true,
                   .tells_errors = true};
  bool result = convert_lowered(&cx, unit, arena) != NULL;
  arena_free(arena);
  return result;
}

// Kernels share their structs, so that what one states is another's.
static void state_all_conditions(HdProgram *program,
                                 const CudaTranslation *translation) {
  CudaKernels kernels = cuda_kernels(cuda_unit(program));
  uint32_t before;
  do {
    before = cuda_held_count(cuda_unit(program));
    for (uint32_t i = 0; i < kernels.count; i++)
      if (!kernels.data[i].is_open)
        state_conditions(program, kernels.data[i].name, translation);
  } while (cuda_held_count(cuda_unit(program)) > before && kernels.count > 1);
}

// Tells the errors of those that are left out.
static const bool *find_wrong(HdProgram *program, Arena *arena,
                              const CudaTranslation *translation) {
  CudaKernels kernels = cuda_kernels(cuda_unit(program));
  bool *is_wrong = ARENA_ARRAY(arena, bool, kernels.count + 1);
  CudaTranslation own = *translation;
  own.is_for_all = kernels.count > 1;
  state_all_conditions(program, &own);
  for (uint32_t i = 0; i < kernels.count; i++)
    is_wrong[i] = !kernels.data[i].is_open &&
                  !convert_is_right(program, kernels.data[i].name, &own);
  return is_wrong;
}

static const CudaStatement *state_all(HdProgram *program, Arena *arena,
                                      const CudaTranslation *translation) {
  CudaKernels kernels = cuda_kernels(cuda_unit(program));
  CudaStatement *all = ARENA_ARRAY(arena, CudaStatement, kernels.count + 1);
  CudaTranslation own = *translation;
  own.is_for_all = kernels.count > 1;
  for (uint32_t i = 0; i < kernels.count; i++)
    if (!kernels.data[i].is_open && !translation->leaves_out[i])
      all[i] = convert_launches(program, &kernels.data[i], &own, arena);
  return all;
}

static const CudaStatement *state_one(HdProgram *program, const char *name,
                                      Arena *arena,
                                      const CudaTranslation *translation) {
  const CudaKernel *row = cuda_find(program, name);
  CudaStatement *one = ARENA_NEW(arena, CudaStatement);
  if (row)
    *one = convert_launches(program, row, translation, arena);
  return one;
}

// NULL: nothing is left.
static const AstUnit *convert_translate(HdProgram *program, const char *name,
                                        CudaTranslation *translation,
                                        Arena *arena) {
  if (name) {
    state_conditions(program, name, translation);
    if (!convert_is_right(program, name, translation))
      return NULL;
    translation->statement = state_one(program, name, arena, translation);
    return cuda_translate(cuda_unit(program), name, translation);
  }
  translation->leaves_out = find_wrong(program, arena, translation);
  translation->statement = state_all(program, arena, translation);
  return cuda_translate_all(cuda_unit(program), translation);
}

static HdStatus convert_compile(HdProgram *program, const char *text,
                                HdProgram **out) {
  HdSession *session = program->session;
  HdLanguage language = session->options.language;
  session->options.language = HD_LANGUAGE_HEDDLE;
  HdStatus status = program_from_text(session, source_name(program->source),
                                      text, strlen(text), out);
  session->options.language = language;
  return status;
}

// Without what headers declare.
static const char *text_of_tree(const HdProgram *program, Arena *arena) {
  Text text = {.arena = arena};
  const AstUnit *given = heddle_unit(program);
  AstUnit unit = *given;
  unit.decls.data = ARENA_ARRAY(arena, Decl *, unit.decls.count + 1);
  unit.decls.count = 0;
  for (uint32_t i = 0; i < given->decls.count; i++) {
    Decl *decl = given->decls.data[i];
    Place place = source_place(program->source, decl->span);
    if (place.file && strcmp(place.file, source_name(program->source)) == 0)
      unit.decls.data[unit.decls.count++] = decl;
  }
  ast_print(&unit, &text);
  return text_cstr(&text);
}

static bool is_same_tree(const HdProgram *a, const HdProgram *b, Arena *arena) {
  return strcmp(text_of_tree(a, arena), text_of_tree(b, arena)) == 0;
}

// With the names of macros, if they mean the same there as in the CUDA file.
static const char *with_names(HdProgram *program, const AstUnit *unit,
                              const char *plain, const HdProgram *made,
                              Arena *arena) {
  Text text = {.arena = arena};
  HdProgram *other;
  ast_print_pretty(unit, true, &text);
  if (strcmp(text_cstr(&text), plain) == 0)
    return plain;
  HdStatus status = convert_compile(program, text_cstr(&text), &other);
  bool is_right = status == HD_OK && is_same_tree(made, other, arena);
  if (other)
    hd_program_free(other);
  return is_right ? text_cstr(&text) : plain;
}

// What is given must be right, whatever went wrong before.
static HdStatus print_right(HdProgram *program, const AstUnit *unit,
                            Arena *arena, const char **out) {
  HdSession *session = program->session;
  Text text = {.arena = arena};
  HdProgram *made;
  ast_print_pretty(unit, false, &text);
  HdStatus status = convert_compile(program, text_cstr(&text), &made);
  if (status == HD_ERROR_PROGRAM) {
    char *why = strdup(hd_last_message(session));
    session_fail(session, HD_ERROR_UNSUPPORTED,
                 "the conversion of '%s' has errors (please report):\n%s",
                 source_name(program->source), why ? why : "");
    free(why);
    status = HD_ERROR_UNSUPPORTED;
  }
  if (status == HD_OK)
    *out = with_names(program, unit, text_cstr(&text), made, arena);
  if (made)
    hd_program_free(made);
  return status;
}

// Kernel templates that the file launches nowhere; "": none.
static const char *open_templates(const HdProgram *program, Arena *arena) {
  CudaKernels kernels = cuda_kernels(cuda_unit(program));
  Text text = {.arena = arena};
  for (uint32_t i = 0; i < kernels.count; i++)
    if (kernels.data[i].is_open)
      text_printf(&text, "%s'%s<…>'", text.length ? ", " : "",
                  kernels.data[i].name);
  return text_cstr(&text);
}

static HdStatus fail_with_all(HdProgram *program, Arena *arena) {
  Text text = {.arena = arena};
  diag_render_text(program->diags, &text,
                   program->session->options.use_colour != 0);
  return session_fail(program->session, HD_ERROR_PROGRAM, "%s",
                      text_cstr(&text));
}

static HdStatus refuse_all(HdProgram *program, Arena *arena) {
  const char *name = source_name(program->source);
  const char *open = open_templates(program, arena);
  if (diag_error_count(program->diags) > 0)
    return fail_with_all(program, arena);
  if (*open)
    return session_fail(program->session, HD_ERROR_NOT_FOUND,
                        "kernel templates of %s need their arguments, since "
                        "the file launches none: name %s",
                        name, open);
  return session_fail(program->session, HD_ERROR_NOT_FOUND, "%s has no kernel",
                      name);
}

static HdStatus convert_kernels(HdProgram *program, const char *name,
                                const HdConvertOptions *options, Arena *arena,
                                Text *text) {
  if (!cuda_unit(program))
    return session_fail(
        program->session, HD_ERROR_ARGUMENT,
        "%s is Heddle C already, by its name; --language cuda overrides this",
        source_name(program->source));
  CudaTranslation translation = translation_of(options, arena);
  if (name) {
    HD_TRY(cuda_choose(program, &name));
    HD_TRY(cuda_refuse_open(program, name));
  }
  const AstUnit *made = convert_translate(program, name, &translation, arena);
  if (!made)
    return refuse_all(program, arena);
  AstUnit unit = *made;
  convert_unit(program, &unit, options, arena);
  const char *printed = NULL;
  HD_TRY(print_right(program, &unit, arena, &printed));
  text_add(text, printed);
  const char *open = name ? "" : open_templates(program, arena);
  if (*open)
    text_printf(text,
                "\n// Nothing here launches these templates; named, they are "
                "converted: %s\n",
                open);
  return HD_OK;
}

static HdStatus convert_locked(HdProgram *program, const char *kernel,
                               const HdConvertOptions *options, char **out) {
  HdSession *session = program->session;
  HdConvertOptions full = default_options;
  if (options)
    memcpy(&full, options,
           options->size_bytes < sizeof full ? options->size_bytes
                                             : sizeof full);
  session_lock(session);
  Arena *arena = arena_new();
  Text text = {.arena = arena};
  program->convert_end_ms =
      full.time_limit_ms ? solve_now_ms() + full.time_limit_ms : 0;
  HdStatus status = convert_kernels(program, kernel, &full, arena, &text);
  if (status == HD_OK) {
    *out = strdup(text_cstr(&text));
    if (!*out)
      status = session_no_memory(session, NULL);
  }
  arena_free(arena);
  session_unlock(session);
  return status;
}

HdStatus hd_convert(HdProgram *program, const char *kernel,
                    const HdConvertOptions *options, char **out) {
  if (out)
    *out = NULL;
  if (!program || !out)
    return session_null(program ? program->session : NULL, "hd_convert");
  PROGRAM_RESCUE(program, out);
  return convert_locked(program, kernel, options, out);
}
