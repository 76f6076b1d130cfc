// SPDX-License-Identifier: Apache-2.0
#include "syntax/load/load_cuda.h"

#include "base/map.h"
#include "base/text.h"
#include "base/vec.h"
#include "diag/line_marker.h"
#include "syntax/limits.h"
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// `..` in includes: the stand-ins lie this deep in their folder.
enum { MAX_INCLUDE_DEPTH = 64, MAX_FILES = 4096 };

typedef struct {
  Arena *arena;
  const LoadOptions *options;
  const LoadConfine *confine;
  const char *const *headers; // Heddle's own, two folders or NULL
  Interner *names;
  Map seen;   // paths that were looked through
  Map absent; // names that are missing
  hd_vec(const char *) missing;
  uint32_t n_files;
} Scanner;

// --- Includes --------------------------------------------------------------

typedef struct {
  const char *name;
  bool is_quoted;
} Include;

static const char *skip_blanks(const char *at, const char *end) {
  while (at < end && (*at == ' ' || *at == '\t'))
    at++;
  return at;
}

// The include on the line [at, end), name NULL if it holds none.
static Include read_include(Arena *arena, const char *at, const char *end) {
  Include none = {0};
  at = skip_blanks(at, end);
  if (at == end || *at != '#')
    return none;
  at = skip_blanks(at + 1, end);
  if (end - at < 8 || memcmp(at, "include", 7) != 0)
    return none;
  at = skip_blanks(at + 7, end);
  if (at == end || (*at != '"' && *at != '<'))
    return none;
  const char *close =
      memchr(at + 1, *at == '"' ? '"' : '>', (size_t)(end - at - 1));
  if (!close || close == at + 1)
    return none;
  return (Include){arena_strndup(arena, at + 1, (size_t)(close - at - 1)),
                   *at == '"'};
}

static const char *in_folder(Scanner *cx, const char *folder,
                             const char *name) {
  const char *path =
      !*folder ? name : arena_printf(cx->arena, "%s/%s", folder, name);
  return file_is_regular(path) ? path : NULL;
}

static const char *load_cuda_folder_of(Arena *arena, const char *path) {
  const char *slash = strrchr(path, '/');
  return !slash          ? ""
         : slash == path ? "/"
                         : arena_strndup(arena, path, (size_t)(slash - path));
}

// Where the preprocessor will find the file; NULL: nowhere. *is_own: in a
// folder of Heddle's.
static const char *find_header(Scanner *cx, const char *from, Include include,
                               bool *is_own) {
  const char *found = NULL;
  *is_own = false;
  if (include.name[0] == '/')
    return file_is_regular(include.name) ? include.name : NULL;
  if (include.is_quoted)
    found = in_folder(cx, load_cuda_folder_of(cx->arena, from), include.name);
  for (uint32_t i = 0; i < cx->options->n_include_dirs && !found; i++)
    found = in_folder(cx, cx->options->include_dirs[i], include.name);
  for (int i = 0; i < 2 && !found; i++) {
    found = cx->headers[i] ? in_folder(cx, cx->headers[i], include.name) : NULL;
    *is_own = found != NULL;
  }
  return found;
}

static bool can_stand_in(const char *name) {
  int n_up = 0;
  if (name[0] == '/' || strlen(name) > 1024)
    return false;
  for (const char *at = name; (at = strstr(at, "..")) != NULL; at += 2)
    n_up++;
  return n_up <= LOAD_CUDA_STEPS_UP;
}

static void load_cuda_add_missing(Scanner *cx, const char *name) {
  const char *known = intern_cstr(cx->names, name);
  if (map_has(&cx->absent, MAP_KEY(known)) || !can_stand_in(name))
    return;
  map_put(cx->arena, &cx->absent, MAP_KEY(known), cx);
  VEC_PUSH(cx->arena, &cx->missing, known);
}

static void load_cuda_scan_text(Scanner *cx, const char *path, const char *text,
                                size_t length, int depth);

static void load_cuda_follow(Scanner *cx, const char *from, Include include,
                             int depth) {
  bool is_own;
  const char *path = find_header(cx, from, include, &is_own);
  if (!path) {
    load_cuda_add_missing(cx, include.name);
    return;
  }
  const char *name = intern_cstr(cx->names, path);
  if (is_own || !load_confine_allows(cx->confine, path) ||
      map_has(&cx->seen, MAP_KEY(name)) || depth >= MAX_INCLUDE_DEPTH ||
      ++cx->n_files > MAX_FILES)
    return;
  map_put(cx->arena, &cx->seen, MAP_KEY(name), cx);
  FileText file;
  const char *why;
  if (file_read(cx->arena, path, SYNTAX_MAX_SOURCE_BYTES, &file, &why) ==
          HD_OK &&
      file.size_bytes <= SYNTAX_MAX_SOURCE_BYTES)
    load_cuda_scan_text(cx, path, file.data, file.size_bytes, depth + 1);
}

// Conditions aren't looked at: a stand-in too many does no harm.
static void load_cuda_scan_text(Scanner *cx, const char *path, const char *text,
                                size_t length, int depth) {
  const char *end = text + length;
  for (const char *at = text; at < end;) {
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    const char *line_end = newline ? newline : end;
    Include include = read_include(cx->arena, at, line_end);
    if (include.name)
      load_cuda_follow(cx, path, include, depth);
    at = line_end + 1;
  }
}

// --- Comments and pragmas --------------------------------------------------

typedef struct {
  const char *text;
  size_t pos, length;
  Text out;
  size_t copied; // of the text, into `out`
  bool is_changed;
} Rewriter;

static bool load_cuda_at_text(const Rewriter *cx, const char *text) {
  size_t n = strlen(text);
  return n <= cx->length - cx->pos && memcmp(cx->text + cx->pos, text, n) == 0;
}

static size_t line_end(const Rewriter *cx) {
  const char *newline = memchr(cx->text + cx->pos, '\n', cx->length - cx->pos);
  return newline ? (size_t)(newline - cx->text) : cx->length;
}

static bool is_balanced(const char *text, size_t length) {
  int depth = 0;
  for (size_t i = 0; i < length; i++) {
    depth += text[i] == '(';
    depth -= text[i] == ')';
    if (depth < 0 || text[i] == '"' || text[i] == '\'')
      return false;
  }
  return depth == 0;
}

// Puts `word` and ) for the text from `from` to `to`, and [inner, inner_end)
// between them.
static void load_cuda_replace(Rewriter *cx, size_t from, size_t to,
                              const char *word, size_t inner,
                              size_t inner_end) {
  text_add_n(&cx->out, cx->text + cx->copied, from - cx->copied);
  text_printf(&cx->out, "%s%.*s)", word, (int)(inner_end - inner),
              cx->text + inner);
  cx->copied = cx->pos = to;
  cx->is_changed = true;
}

static size_t trim_end(const Rewriter *cx, size_t begin, size_t end) {
  while (end > begin && strchr(" \t\r", cx->text[end - 1]))
    end--;
  return end;
}

// The first word of [from, to).
static size_t word_end(const Rewriter *cx, size_t from, size_t to) {
  while (from < to &&
         (isalnum((unsigned char)cx->text[from]) || cx->text[from] == '_'))
    from++;
  return from;
}

// At `//`: of `// heddle: …` the rest of the line is kept. Where that would
// harm the text behind it, the comment stays, and its first word is told of.
static void rewrite_comment(Rewriter *cx) {
  size_t begin = cx->pos;
  size_t end = line_end(cx);
  size_t at = begin + 2;
  while (at < end && (cx->text[at] == ' ' || cx->text[at] == '\t'))
    at++;
  bool is_own = end - at > 7 && memcmp(cx->text + at, "heddle:", 7) == 0;
  size_t inner = at + 7;
  size_t inner_end = trim_end(cx, begin, end);
  cx->pos = end;
  if (!is_own || inner >= inner_end)
    return;
  if (cx->text[inner_end - 1] != '\\' &&
      is_balanced(cx->text + inner, inner_end - inner)) {
    load_cuda_replace(cx, begin, end, "__heddle_comment(", inner, inner_end);
    return;
  }
  while (inner < inner_end && strchr(" \t", cx->text[inner]))
    inner++;
  load_cuda_replace(cx, begin, begin, "__heddle_comment(__heddle_harmful ",
                    inner, word_end(cx, inner, inner_end));
  cx->pos = end;
}

static bool load_cuda_is_number(const char *text, size_t length) {
  for (size_t i = 0; i < length; i++)
    if (text[i] < '0' || text[i] > '9')
      return false;
  return true;
}

// At `#` that begins a line: a pragma whose words need expansion is replaced,
// other directives are passed over with all lines that they continue on.
static void rewrite_directive(Rewriter *cx) {
  size_t begin = cx->pos++;
  size_t end = line_end(cx);
  while (end < cx->length && end > begin && cx->text[end - 1] == '\\') {
    cx->pos = end + 1;
    end = line_end(cx);
  }
  const char *at = skip_blanks(cx->text + begin + 1, cx->text + end);
  const char *stop = cx->text + end;
  cx->pos = end;
  if (stop - at < 7 || memcmp(at, "pragma", 6) != 0)
    return;
  at = skip_blanks(at + 6, stop);
  if (stop - at < 7 || memcmp(at, "unroll", 6) != 0)
    return;
  size_t inner = (size_t)(skip_blanks(at + 6, stop) - cx->text);
  size_t inner_end = trim_end(cx, inner, end);
  size_t length = inner_end - inner;
  if (length > 0 && !load_cuda_is_number(cx->text + inner, length) &&
      !memchr(cx->text + inner, '/', length) &&
      is_balanced(cx->text + inner, length))
    load_cuda_replace(cx, begin, end, "__heddle_unroll(", inner, inner_end);
}

static void load_cuda_skip_quoted(Rewriter *cx) {
  char quote = cx->text[cx->pos++];
  while (cx->pos < cx->length && cx->text[cx->pos] != '\n') {
    char c = cx->text[cx->pos];
    cx->pos += c == '\\' ? 2 : 1;
    if (c == quote)
      return;
  }
}

static void load_cuda_skip_block_comment(Rewriter *cx) {
  const char *end =
      memmem(cx->text + cx->pos + 2, cx->length - cx->pos - 2, "*/", 2);
  cx->pos = end ? (size_t)(end - cx->text) + 2 : cx->length;
}

// A number's `'` opens no quote.
static void load_cuda_skip_word(Rewriter *cx) {
  while (cx->pos < cx->length) {
    char c = cx->text[cx->pos];
    bool is_word = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                   (c >= 'A' && c <= 'Z') || c == '_' || c == '\'';
    if (!is_word)
      return;
    cx->pos++;
  }
}

static void load_cuda_rewrite(Rewriter *cx) {
  bool is_line_start = true;
  while (cx->pos < cx->length) {
    char c = cx->text[cx->pos];
    bool is_blank = c == ' ' || c == '\t' || c == '\r';
    if (c == '#' && is_line_start)
      rewrite_directive(cx);
    else if (load_cuda_at_text(cx, "//"))
      rewrite_comment(cx);
    else if (load_cuda_at_text(cx, "/*"))
      load_cuda_skip_block_comment(cx);
    else if (c == '"' || c == '\'')
      load_cuda_skip_quoted(cx);
    else if (c >= '0' && c <= '9')
      load_cuda_skip_word(cx);
    else
      cx->pos++;
    if (cx->pos > cx->length)
      cx->pos = cx->length;
    is_line_start = c == '\n' || (is_line_start && is_blank);
  }
  text_add_n(&cx->out, cx->text + cx->copied, cx->length - cx->copied);
}

CudaSource load_cuda_scan(Arena *arena, const char *path, const char *text,
                          size_t length, const LoadOptions *options,
                          const LoadConfine *confine,
                          const char *const headers[2]) {
  CudaSource out = {.arena = arena};
  Scanner cx = {.arena = arena,
                .options = options,
                .confine = confine,
                .headers = headers,
                .names = intern_new(arena)};
  load_cuda_scan_text(&cx, path, text, length, 0);
  out.missing = cx.missing.data;
  out.n_missing = cx.missing.count;
  Rewriter rewriter = {.text = text, .length = length, .out = {.arena = arena}};
  load_cuda_rewrite(&rewriter);
  if (rewriter.is_changed) {
    out.text = text_cstr(&rewriter.out);
    out.length = rewriter.out.length;
  }
  return out;
}

// --- After the preprocessor ------------------------------------------------

static const char *without_steps_up(const char *name) {
  while (strncmp(name, "../", 3) == 0)
    name += 3;
  return name;
}

static bool load_cuda_ends_with(const char *text, const char *end) {
  size_t n = strlen(text);
  size_t n_end = strlen(end);
  return n > n_end && text[n - n_end - 1] == '/' &&
         strcmp(text + n - n_end, end) == 0;
}

// The name of the stand-in that the line is a marker of; NULL if it is none.
// Preprocessors shorten `a/../`, so the path is no more than alike.
static const char *stand_in_of(const CudaSource *source, const char *line,
                               size_t length) {
  LineMarker marker;
  if (line[0] != '#' ||
      !memmem(line, length, source->root, strlen(source->root)) ||
      !line_marker_parse(source->arena, line, length, &marker) || !marker.file)
    return NULL;
  for (uint32_t i = 0; i < source->n_missing; i++)
    if (load_cuda_ends_with(marker.file, without_steps_up(source->missing[i])))
      return source->missing[i];
  return "";
}

const char *load_cuda_tidy(const CudaSource *source, const char *text,
                           size_t *length) {
  Text out = {.arena = source->arena};
  const char *end = text + *length;
  if (!source->folder)
    return text;
  for (const char *at = text; at < end;) {
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    size_t n = newline ? (size_t)(newline - at) + 1 : (size_t)(end - at);
    const char *name = stand_in_of(source, at, n);
    if (name)
      text_printf(&out, "#pragma heddle missing_header %s\n", name);
    else
      text_add_n(&out, at, n);
    at += n;
  }
  *length = out.length;
  return text_cstr(&out);
}
