// SPDX-License-Identifier: Apache-2.0
// CUDA files: headers that are missing, own headers, comments and pragmas.
#include "syntax/load/load_cuda.h"

#include "parse_text.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
// cmocka wants the ones above first.
#include <cmocka.h>

#include <sys/stat.h>
#include <unistd.h>

static char folder[64];

static int set_up(void **state) {
  (void)state;
  strcpy(folder, "/tmp/heddle-load-XXXXXX");
  if (!mkdtemp(folder))
    return -1;
  char *stand_ins = malloc(128);
  snprintf(stand_ins, 128, "%s/tmp", folder);
  int error = mkdir(stand_ins, 0700) || setenv("TMPDIR", stand_ins, 1);
  free(stand_ins);
  return error;
}

static int tear_down(void **state) {
  (void)state;
  char command[128];
  unsetenv("TMPDIR");
  snprintf(command, sizeof(command), "rm -r '%s'", folder);
  return system(command);
}

static const char *write_file(const char *name, const char *text) {
  static char path[128];
  snprintf(path, sizeof(path), "%s/%s", folder, name);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  assert_true(fputs(text, file) >= 0);
  assert_int_equal(fclose(file), 0);
  return path;
}

typedef struct {
  Arena *arena;
  DiagEngine *diags;
  LoadedSource source;
  HdStatus status;
  const char *why;
} Loaded;

static Loaded load(const char *path, const LoadOptions *given) {
  LoadOptions options = given ? *given : (LoadOptions){0};
  options.policy =
      LOAD_PREPROCESS | LOAD_PRELUDE | LOAD_STAND_INS | LOAD_PLAIN_COMMENTS;
  Loaded out = {.arena = arena_new(), .why = ""};
  out.diags = diag_engine_new(out.arena, 0);
  out.status = syntax_load(out.arena, intern_new(out.arena), out.diags, path,
                           &options, &out.source, &out.why);
  return out;
}

// What follows the built-in declarations, without line markers and blanks.
static const char *text_of(const Loaded *loaded) {
  assert_int_equal(loaded->status, HD_OK);
  Text out = {.arena = loaded->arena};
  const char *all = source_text(loaded->source.source);
  const char *at = strstr(all, "BEGIN");
  assert_non_null(at);
  while (*at) {
    size_t n = strcspn(at, "\n");
    if (*at != '#' || strncmp(at, "#pragma", 7) == 0)
      text_printf(&out, "%.*s%s", (int)n, at, n ? "\n" : "");
    at += n + (at[n] == '\n');
  }
  return text_cstr(&out);
}

static void assert_no_stand_ins(void) {
  char path[128];
  snprintf(path, sizeof(path), "%s/tmp", folder);
  assert_int_equal(rmdir(path), 0); // it is empty
  assert_int_equal(mkdir(path, 0700), 0);
}

static void headers_that_are_missing(void **state) {
  (void)state;
  write_file("there.h", "#include <gone/deep.h>\nint there;\n");
  Loaded loaded = load(
      write_file("a.cu", "BEGIN\n#include <vector>\n  #  include \"there.h\"\n"
                         "#include \"../../up.h\"\n#include <vector>\nend\n"),
      NULL);
  assert_string_equal(text_of(&loaded),
                      "BEGIN\n#pragma heddle missing_header vector\n"
                      "#pragma heddle missing_header gone/deep.h\n"
                      "int there;\n"
                      "#pragma heddle missing_header ../../up.h\n"
                      "#pragma heddle missing_header vector\nend\n");
  assert_int_equal(diag_error_count(loaded.diags), 0);
  assert_no_stand_ins();
  arena_free(loaded.arena);
}

static void own_headers(void **state) {
  (void)state;
  Loaded loaded = load(write_file("b.cu", "#include <cuda_runtime.h>\n"
                                          "#include <stdint.h>\n"
                                          "#include <cooperative_groups.h>\n"
                                          "BEGIN __cplusplus __CUDA_ARCH__\n"
                                          "R\"(a\"b)\" 1'000\n"),
                       NULL);
  assert_string_equal(text_of(&loaded),
                      "BEGIN 201703L 900\nR\"(a\"b)\" 1'000\n");
  const char *all = source_text(loaded.source.source);
  assert_non_null(strstr(all, "__syncthreads"));
  assert_non_null(strstr(all, "thread_block_tile"));
  bool has_own = false;
  for (uint32_t i = 0; i < loaded.source.n_files; i++)
    has_own |=
        strstr(loaded.source.files[i].path, "prelude/cuda_types.h") != NULL;
  assert_true(has_own);
  arena_free(loaded.arena);
}

static void comments_and_pragmas(void **state) {
  (void)state;
  write_file("inner.h", "int inner;\n");
  Loaded loaded = load(
      write_file("c.cu", "#include \"inner.h\"\n#define N 4 // heddle: no\n"
                         "BEGIN // heddle: requires n % N == 0\n"
                         "// other  /* // heddle: x */\n"
                         "\"// heddle: y\" '\\'' 1'0 // heddle: a)\n"
                         "#pragma unroll N\n#pragma unroll 8\n"
                         "#pragma unroll\n#pragma other N\n"),
      NULL);
  assert_string_equal(text_of(&loaded),
                      "BEGIN __heddle_comment( requires n % 4 == 0)\n"
                      "\"// heddle: y\" '\\'' 1'0 __heddle_comment("
                      "__heddle_harmful a)\n"
                      "__heddle_unroll(4)\n#pragma unroll 8\n"
                      "#pragma unroll\n#pragma other N\n");
  assert_non_null(strstr(source_text(loaded.source.source), "int inner;"));
  arena_free(loaded.arena);
}

static void places_stay(void **state) {
  (void)state;
  const char *path = write_file("d.cu", "BEGIN\nint x; // heddle: assume q\n");
  Loaded loaded = load(path, NULL);
  const char *text = source_text(loaded.source.source);
  uint32_t at = (uint32_t)(strstr(strstr(text, "BEGIN"), "assume") - text);
  Place place = source_place(loaded.source.source, (Span){at, at + 6});
  assert_string_equal(place.file, path);
  assert_int_equal(place.line, 2);
  assert_int_equal(place.col, 19);
  arena_free(loaded.arena);
}

static void no_own_headers(void **state) {
  (void)state;
  setenv("HEDDLE_INCLUDE", folder, 1);
  Loaded loaded = load(write_file("e.cu", "int x;\n"), NULL);
  unsetenv("HEDDLE_INCLUDE");
  assert_int_equal(loaded.status, HD_ERROR_NOT_FOUND);
  assert_string_equal(
      loaded.why,
      "Heddle's own CUDA headers were not found; set HEDDLE_INCLUDE to the "
      "folder of its C headers, next to which they are");
  arena_free(loaded.arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(headers_that_are_missing), cmocka_unit_test(own_headers),
      cmocka_unit_test(comments_and_pragmas), cmocka_unit_test(places_stay),
      cmocka_unit_test(no_own_headers)};
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
