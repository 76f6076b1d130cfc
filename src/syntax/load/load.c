// SPDX-License-Identifier: Apache-2.0
#include "syntax/load/load.h"

#include "base/file.h"
#include "base/map.h"
#include "diag/line_marker.h"
#include "syntax/limits.h"
#include "syntax/load/load_confine.h"
#include "syntax/load/load_cuda.h"
#include "syntax/load/load_stand_in.h"
#include "syntax/load/preprocess.h"
#include "syntax/load/source_scan.h"
#include <string.h>
#include <sys/stat.h>
#include <time.h>

typedef struct {
  Arena *arena;
  Interner *interner;
  DiagEngine *diags;
  const char *path;
  const char *name; // for people: `path`, or <stdin>
  bool is_pipe;
  LoadOptions options;
  struct timespec begun;
  LoadedSource *out;
  const char **why;
  hd_vec(SourceFile) files;
  Map seen; // interned names of files
  CudaSource cuda;
  LoadConfine *confine; // NULL: none
} Loader;

// --- Files that the text came from -----------------------------------------

// A file written in this or a later instant may have changed since.
static bool is_older(struct timespec time, struct timespec begun) {
  return time.tv_sec < begun.tv_sec ||
         (time.tv_sec == begun.tv_sec && time.tv_nsec < begun.tv_nsec);
}

static void load_add_file(Loader *cx, const char *path) {
  struct stat info;
  const char *name = intern_cstr(cx->interner, path);
  if (map_has(&cx->seen, MAP_KEY(name)))
    return;
  map_put(cx->arena, &cx->seen, MAP_KEY(name), cx);
  if (stat(name, &info) != 0 || !S_ISREG(info.st_mode)) {
    cx->out->is_stable = false;
    return;
  }
  if (!is_older(info.st_mtim, cx->begun))
    cx->out->is_stable = false;
  SourceFile file = {.path = name,
                     .size_bytes = (uint64_t)info.st_size,
                     .mtime_ns = (int64_t)info.st_mtim.tv_sec * 1000000000 +
                                 info.st_mtim.tv_nsec};
  VEC_PUSH(cx->arena, &cx->files, file);
}

// Files named by line markers; <built-in> and the like are none.
static void add_included_files(Loader *cx, const char *text, size_t length) {
  const char *end = text + length;
  for (const char *at = text; at < end;) {
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    size_t n = (size_t)((newline ? newline : end) - at);
    LineMarker marker;
    if (*at == '#' && line_marker_parse(cx->arena, at, n, &marker) &&
        marker.file && marker.file[0] != '<' &&
        strcmp(marker.file, cx->path) != 0)
      load_add_file(cx, marker.file);
    at += n + 1;
  }
}

// --- Reading ---------------------------------------------------------------

static SourceText *set_source(Loader *cx, const char *text, size_t length,
                              bool has_markers) {
  SourceText *source =
      source_new(cx->arena, cx->name, text, length, has_markers);
  source_set_own(source, syntax_own_headers(cx->arena));
  if (cx->options.policy & LOAD_STAND_INS)
    source_set_own(source, syntax_own_cuda_headers(cx->arena));
  diag_engine_set_source(cx->diags, source);
  cx->out->source = source;
  return source;
}

static HdStatus load_read_text(Loader *cx, FileText *text) {
  if (cx->options.text) {
    text->data = arena_strndup(cx->arena, cx->options.text, cx->options.length);
    text->size_bytes = cx->options.length;
    return HD_OK;
  }
  return file_read(cx->arena, cx->path, SYNTAX_MAX_SOURCE_BYTES, text, cx->why);
}

static HdStatus check_text(Loader *cx, const FileText *text) {
  size_t offset = 0;
  const char *problem =
      source_find_bad_text(cx->arena, text->data, text->size_bytes, &offset);
  if (!problem)
    return HD_OK;
  Place place = {.file = cx->name}; // no line of a binary file is shown
  if ((unsigned char)text->data[offset] >= 0x80) {
    SourceText *source = set_source(cx, text->data, text->size_bytes, false);
    Span span = {(uint32_t)offset, (uint32_t)offset + 1};
    place = source_place(source, span);
  }
  DIAG_REPORT(cx->diags, DIAG_not_text, place, DS(problem));
  return HD_ERROR_PROGRAM;
}

static HdStatus load_check_size(Loader *cx, const FileText *text) {
  if (text->size_bytes <= SYNTAX_MAX_SOURCE_BYTES)
    return HD_OK;
  *cx->why = arena_printf(cx->arena, "the source has more than %d bytes",
                          SYNTAX_MAX_SOURCE_BYTES);
  return HD_ERROR_IO;
}

// --- Preprocessing ---------------------------------------------------------

static HdStatus use_preprocessed(Loader *cx, const FileText *text,
                                 const char *result, size_t length) {
  SourceText *source = set_source(cx, result, length, true);
  source_set_original(source, text->data, text->size_bytes);
  add_included_files(cx, result, length);
  return HD_OK;
}

typedef hd_vec(const char *) FolderList;

// The folder part of a path, "" if it has none.
static const char *load_folder_of(Arena *arena, const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? arena_strndup(arena, path, (size_t)(slash - path) + 1) : "";
}

static void load_add_folder(Loader *cx, FolderList *folders,
                            const char *folder) {
  for (uint32_t i = 0; i < folders->count; i++)
    if (strcmp(folders->data[i], folder) == 0)
      return;
  VEC_PUSH(cx->arena, folders, folder);
}

static void load_remember(Loader *cx, Hash128 key, const PreprocessJob *job,
                          const PreprocessResult *result) {
  const LoadOptions *options = &cx->options;
  FolderList folders = {0};
  load_add_folder(cx, &folders, "");
  for (uint32_t i = 0; i < cx->files.count; i++)
    load_add_folder(cx, &folders,
                    load_folder_of(cx->arena, cx->files.data[i].path));
  for (uint32_t i = 0; i < options->n_include_dirs; i++)
    load_add_folder(cx, &folders, options->include_dirs[i]);
  if (job->headers)
    load_add_folder(cx, &folders, job->headers);
  if (job->cuda_headers)
    load_add_folder(cx, &folders, job->cuda_headers);
  bool has_own = !options->text && !cx->is_pipe; // files.data[0]
  Preprocessed what = {.key = key,
                       .files = cx->files.data + has_own,
                       .n_files = cx->files.count - has_own,
                       .folders = folders.data,
                       .n_folders = folders.count,
                       .text = result->text,
                       .length = result->length};
  options->memory->keep(options->memory->context, &what);
}

// The built-in declarations of CUDA C++ stand in front of what was
// preprocessed.
static HdStatus use_text(Loader *cx, const FileText *text, const char *result,
                         size_t length) {
  if (cx->options.policy & LOAD_PRELUDE)
    HD_TRY(load_cuda_join(cx->arena, result, &length, &result, cx->why));
  return use_preprocessed(cx, text, result, length);
}

static HdStatus load_refuse(Loader *cx, const Refused *what) {
  Diag *diag = DIAG_REPORT(cx->diags, DIAG_include_confined, what->place,
                           DS(what->name), DS(what->why));
  diag_note(cx->diags, diag, (Place){0},
            "only the folder of the source, Heddle's own headers and the "
            "folders given with -I are allowed");
  return HD_ERROR_PROGRAM;
}

// Nothing of a file from outside may be seen: this comes before all else that
// tells of what the preprocessor gave. `result` NULL: it was kept.
static HdStatus confine(Loader *cx, const PreprocessJob *job, const char *text,
                        size_t length, Place first,
                        const PreprocessResult *result) {
  if (!cx->options.is_confined)
    return HD_OK;
  Refused refused =
      load_confine_files(cx->arena, cx->interner, job, text, length, first);
  if (!refused.name && result) {
    refused.place = first;
    if (!preprocess_find_refused(cx->arena, cx->interner, result, &refused.name,
                                 &refused.why, &refused.place))
      return HD_OK;
  }
  return refused.name ? load_refuse(cx, &refused) : HD_OK;
}

static HdStatus run_preprocessor(Loader *cx, const FileText *text,
                                 const PreprocessJob *job, Place first,
                                 PreprocessResult *result) {
  HD_TRY(preprocess_run(cx->arena, job, result, cx->why));
  HD_TRY(confine(cx, job, result->text, result->length, first, result));
  if (result->is_too_large) {
    DIAG_REPORT(cx->diags, DIAG_preprocessed_too_large, first,
                DU(SYNTAX_MAX_SOURCE_BYTES));
    return HD_ERROR_PROGRAM;
  }
  preprocess_report(cx->arena, cx->interner, cx->diags, result, first);
  if (result->has_failed)
    return HD_ERROR_PROGRAM;
  if (cx->options.policy & LOAD_STAND_INS)
    result->text = load_cuda_tidy(&cx->cuda, result->text, &result->length);
  return use_text(cx, text, result->text, result->length);
}

// Those of the CUDA toolkit are written for another compiler: Heddle's own
// headers stand for them.
static bool is_toolkit(Arena *arena, const char *folder) {
  static const char *const marks[] = {"crt/host_defines.h", "cuda/std/version"};
  for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
    if (file_exists(arena_printf(arena, "%s/%s", folder, marks[i])))
      return true;
  return false;
}

static void drop_toolkits(Loader *cx) {
  LoadOptions *options = &cx->options;
  hd_vec(const char *) kept = {0};
  for (uint32_t i = 0; i < options->n_include_dirs; i++)
    if (!is_toolkit(cx->arena, options->include_dirs[i]))
      VEC_PUSH(cx->arena, &kept, options->include_dirs[i]);
  options->include_dirs = kept.data;
  options->n_include_dirs = kept.count;
}

static PreprocessJob make_job(Loader *cx, const FileText *text) {
  bool is_given = cx->options.text || cx->is_pipe;
  PreprocessJob job = {.path = cx->name,
                       .text = is_given ? text->data : NULL,
                       .length = text->size_bytes,
                       .headers = syntax_own_headers(cx->arena),
                       .options = &cx->options};
  if (cx->options.policy & LOAD_STAND_INS) {
    drop_toolkits(cx);
    job.cuda_headers = syntax_own_cuda_headers(cx->arena);
  }
  if (cx->options.is_confined) {
    cx->confine = load_confine_new(cx->arena, cx->path, &cx->options);
    load_confine_add(cx->confine, job.headers);
    load_confine_add(cx->confine, job.cuda_headers);
    job.confine = cx->confine;
  }
  if (!(cx->options.policy & LOAD_STAND_INS))
    return job;
  const char *headers[2] = {job.cuda_headers, job.headers};
  cx->cuda = load_cuda_scan(cx->arena, cx->path, text->data, text->size_bytes,
                            &cx->options, job.confine, headers);
  job.missing = cx->cuda.missing;
  job.n_missing = cx->cuda.n_missing;
  if (!cx->cuda.text)
    return job;
  job.text = cx->cuda.text;
  job.length = cx->cuda.length;
  const char *folder = load_folder_of(cx->arena, cx->path);
  job.text_folder = is_given || !*folder ? NULL : folder;
  return job;
}

static HdStatus load_preprocess(Loader *cx, const FileText *text) {
  const PreprocessorMemory *memory = cx->options.memory;
  PreprocessJob job = make_job(cx, text);
  if ((cx->options.policy & LOAD_STAND_INS) && !job.cuda_headers) {
    *cx->why = "Heddle's own CUDA headers were not found; set HEDDLE_INCLUDE "
               "to the folder of its C headers, next to which they are";
    return HD_ERROR_NOT_FOUND;
  }
  if (cx->options.is_confined && !job.headers) {
    *cx->why = "--confine-includes needs Heddle's own headers, which were not "
               "found; set HEDDLE_INCLUDE to their folder";
    return HD_ERROR_NOT_FOUND;
  }
  PreprocessResult result;
  Place first = source_place(
      set_source(cx, text->data, text->size_bytes, false), (Span){0, 1});
  Hash128 key;
  bool has_key = memory && preprocess_key(cx->arena, &job, text->data,
                                          text->size_bytes, &key);
  size_t length;
  const char *kept =
      has_key ? memory->find(memory->context, cx->arena, key, &length) : NULL;
  if (kept) {
    HD_TRY(confine(cx, &job, kept, length, first, NULL));
    return use_text(cx, text, kept, length);
  }
  HD_TRY(load_cuda_make_stand_ins(&cx->cuda, cx->why));
  job.last_folder = cx->cuda.folder;
  if (cx->confine)
    load_confine_add(cx->confine, cx->cuda.root);
  HdStatus status = run_preprocessor(cx, text, &job, first, &result);
  load_cuda_remove_stand_ins(&cx->cuda);
  HD_TRY(status);
  if (has_key && cx->out->is_stable && !*result.messages)
    load_remember(cx, key, &job, &result);
  return HD_OK;
}

// Before anything of it is read.
static HdStatus confine_main(Loader *cx) {
  bool is_file = !cx->options.text && !cx->is_pipe;
  const char *why = is_file && cx->options.is_confined
                        ? load_confine_main(cx->arena, cx->path, &cx->options)
                        : NULL;
  Refused refused = {cx->name, why, {.file = cx->name}};
  return why ? load_refuse(cx, &refused) : HD_OK;
}

static HdStatus load_whole_file(Loader *cx) {
  FileText text;
  HD_TRY(confine_main(cx));
  cx->out->is_stable = true;
  clock_gettime(CLOCK_REALTIME_COARSE, &cx->begun);
  if (!cx->options.text && !cx->is_pipe)
    load_add_file(cx, cx->path);
  HD_TRY(load_read_text(cx, &text));
  HD_TRY(load_check_size(cx, &text));
  if (cx->options.policy & LOAD_PLAIN_COMMENTS)
    source_plain_comments(cx->arena, text.data, text.size_bytes);
  HD_TRY(check_text(cx, &text));
  size_t length = text.size_bytes;
  const char *joined = source_join_lines(cx->arena, text.data, &length);
  if ((cx->options.policy & LOAD_PREPROCESS) || cx->options.n_defines > 0 ||
      source_needs_preprocessor(joined, length))
    return load_preprocess(cx, &text);
  set_source(cx, joined, length, false);
  return HD_OK;
}

HdStatus syntax_load(Arena *arena, Interner *interner, DiagEngine *diags,
                     const char *path, const LoadOptions *options,
                     LoadedSource *out, const char **why) {
  bool is_pipe = strcmp(path, "-") == 0 && !(options && options->text);
  Loader cx = {.arena = arena,
               .interner = interner,
               .diags = diags,
               .path = path,
               .name = is_pipe ? "<stdin>" : path,
               .is_pipe = is_pipe,
               .options = options ? *options : (LoadOptions){0},
               .cuda = {.arena = arena},
               .out = out,
               .why = why};
  *out = (LoadedSource){0};
  HdStatus status = load_whole_file(&cx);
  out->files = cx.files.data;
  out->n_files = cx.files.count;
  return status;
}
