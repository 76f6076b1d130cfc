// SPDX-License-Identifier: Apache-2.0
// Reading and preprocessing: when the preprocessor runs, what happens when it
// can't or doesn't like the text, and which files a text came from.
#include "syntax/load/load.h"

#include "parse_text.h"
#include "syntax/load/source_scan.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
// cmocka wants the ones above first.
#include <cmocka.h>

#include <sys/stat.h>
#include <unistd.h>

typedef struct {
  Arena *arena;
  Interner *interner;
  DiagEngine *diags;
  LoadedSource source;
  HdStatus status;
  const char *why;
} Loaded;

static char folder[64];

static int set_up(void **state) {
  (void)state;
  strcpy(folder, "/tmp/heddle-load-XXXXXX");
  return mkdtemp(folder) ? 0 : -1;
}

static int tear_down(void **state) {
  (void)state;
  char command[128];
  unsetenv("HEDDLE_CPP");
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

static Loaded load(const char *path, const LoadOptions *options) {
  Loaded out = {.arena = arena_new(), .why = ""};
  out.interner = intern_new(out.arena);
  out.diags = diag_engine_new(out.arena, 0);
  out.status = syntax_load(out.arena, out.interner, out.diags, path, options,
                           &out.source, &out.why);
  return out;
}

static Loaded load_text(const char *text) {
  LoadOptions options = {.text = text, .length = strlen(text)};
  return load("memory.hd", &options);
}

static const char *messages(const Loaded *loaded) {
  Text out = {.arena = loaded->arena};
  diag_render_text(loaded->diags, &out, false);
  return text_cstr(&out);
}

// The unit parsed from it, without errors.
static AstUnit *parse(const Loaded *loaded) {
  assert_int_equal(loaded->status, HD_OK);
  AstUnit *unit = parse_unit(loaded->arena, loaded->interner, loaded->diags,
                             loaded->source.source);
  assert_string_equal(messages(loaded), "");
  return unit;
}

static void unload(Loaded *loaded) {
  arena_free(loaded->arena);
}

static bool needs(const char *text) {
  return source_needs_preprocessor(text, strlen(text));
}

static void directives_are_found(void **state) {
  (void)state;
  assert_true(needs("#include <a>"));
  assert_true(needs("int x;\n  # define A"));
  assert_true(needs("/* a\n*/ #if 1"));
  assert_true(needs("int x = __LINE__;"));
  assert_true(needs("#\n"));
  assert_true(needs("'a' \"b\"\n#if 1"));
  assert_true(needs("int x = 1'000;\n#if 1"));
  assert_false(needs("#pragma unroll\n # pragma x\nint a;"));
  assert_false(needs("int x; #define A"));
  assert_false(needs("// #if\n/*\n#if\n*/ \"\\\"\\\n#if\" '#'"));
  assert_false(needs("#pragma x"));
  assert_false(needs(""));
}

static void plain_text_needs_no_preprocessor(void **state) {
  (void)state;
  setenv("HEDDLE_CPP", "/no/such/program", 1);
  Loaded loaded = load_text("#pragma heddle fast_math\nint x;\n");
  assert_int_equal(parse(&loaded)->decls.count, 2);
  assert_int_equal(loaded.source.n_files, 0);
  unload(&loaded);
  loaded = load_text("#define A 1\nint x;\n");
  assert_int_equal(loaded.status, HD_ERROR_NOT_FOUND);
  assert_non_null(strstr(loaded.why, "/no/such/program"));
  assert_non_null(strstr(loaded.why, "HEDDLE_CPP"));
  unload(&loaded);
}

static void macros_and_places(void **state) {
  (void)state;
  Loaded loaded = load_text("#define N 3\n#if N == 3 && __HEDDLE__ >= 100\n"
                            "int x = N * __LINE__ + 1'000 * N;\n#endif\n");
  AstUnit *unit = parse(&loaded);
  Text out = {.arena = loaded.arena};
  ast_print(unit, &out);
  assert_string_equal(text_cstr(&out), "int x = (3 * 3) + (1000 * 3);\n");
  Place place = source_place(loaded.source.source, unit->decls.data[0]->span);
  assert_string_equal(place.file, "memory.hd");
  assert_int_equal(place.line, 3);
  unload(&loaded);
}

static void own_headers(void **state) {
  (void)state;
  Loaded loaded = load_text(
      "#include <stdint.h>\n#include <stddef.h>\n#include <stdbool.h>\n"
      "#include <math.h>\n#include <float.h>\n#include <limits.h>\n"
      "#include <assert.h>\n#include <stdint.h>\n"
      "uint_fast16_t a = UINT64_C(3); long b = LONG_MIN + INT_MAX; wchar_t w;\n"
      "float c = INFINITY, d = FLT_MAX; double e = M_PI + DBL_EPSILON;\n"
      "size_t f = offsetof(struct S, x); bool g = true; int *h = NULL;\n");
  assert_true(parse(&loaded)->decls.count > 10);
  assert_int_equal(loaded.source.n_files, 7);
  unload(&loaded);
}

static void included_files_are_listed(void **state) {
  (void)state;
  write_file("b.h", "int b;\n");
  write_file("a.h", "#include \"b.h\"\n#include \"b.h\"\nint a;\n");
  const char *path =
      write_file("main.hd", "#include \"a.h\"\n#include <stdbool.h>\nint x;\n");
  Loaded loaded = load(path, NULL);
  assert_int_equal(parse(&loaded)->decls.count, 4);
  assert_int_equal(loaded.source.n_files, 4);
  assert_string_equal(loaded.source.files[0].path, path);
  assert_non_null(strstr(loaded.source.files[1].path, "a.h"));
  assert_int_equal(loaded.source.files[1].size_bytes, 37);
  assert_non_null(strstr(loaded.source.files[2].path, "b.h"));
  assert_true(loaded.source.files[2].mtime_ns > 0);
  unload(&loaded);
}

static void options_reach_the_preprocessor(void **state) {
  (void)state;
  write_file("inc.h", "int from_header = N;\n");
  const char *dirs[] = {folder};
  const char *defines[] = {"N=5"};
  static const char text[] = "#include <inc.h>\n";
  LoadOptions options = {.text = text,
                         .length = sizeof(text) - 1,
                         .include_dirs = dirs,
                         .n_include_dirs = 1,
                         .defines = defines,
                         .n_defines = 1};
  Loaded loaded = load("memory.hd", &options);
  assert_int_equal(parse(&loaded)->decls.count, 1);
  unload(&loaded);
}

static void errors_of_the_preprocessor(void **state) {
  (void)state;
  Loaded loaded = load_text("int x;\n#include \"nowhere.h\"\n");
  assert_int_equal(loaded.status, HD_ERROR_PROGRAM);
  assert_non_null(strstr(messages(&loaded), "HD0108"));
  assert_non_null(strstr(messages(&loaded), "memory.hd:2:"));
  assert_int_equal(diag_error_count(loaded.diags), 1);
  unload(&loaded);
  loaded = load_text("#if 1\nint x;\n");
  assert_int_equal(loaded.status, HD_ERROR_PROGRAM);
  unload(&loaded);
  loaded = load_text("#warning careful\nint x;\n");
  assert_int_equal(loaded.status, HD_OK);
  assert_non_null(strstr(messages(&loaded), "warning[HD0109]"));
  unload(&loaded);
}

static void odd_preprocessors(void **state) {
  (void)state;
  setenv("HEDDLE_CPP", "false", 1);
  Loaded loaded = load_text("#define A\n");
  assert_int_equal(loaded.status, HD_ERROR_PROGRAM);
  assert_non_null(strstr(messages(&loaded), "'false' failed"));
  unload(&loaded);
  setenv("HEDDLE_CPP", "  sh -c \n", 1); // a program, and words of its own
  loaded = load_text("#define A\n");
  assert_int_equal(loaded.status, HD_ERROR_PROGRAM);
  unload(&loaded);
  const char *endless = write_file("endless", "#!/bin/sh\nexec yes\n");
  assert_int_equal(chmod(endless, 0700), 0);
  setenv("HEDDLE_CPP", endless, 1);
  loaded = load_text("#define A\n");
  assert_int_equal(loaded.status, HD_ERROR_PROGRAM);
  assert_non_null(strstr(messages(&loaded), "HD0110"));
  unload(&loaded);
  unsetenv("HEDDLE_CPP");
}

static void what_is_no_text(void **state) {
  (void)state;
  static const char *const bad[] = {"int x;\n\x01", "int \xff;",
                                    "\xff\xfei\x01", "\xe2\x82(\n"};
  for (size_t i = 0; i < 4; i++) {
    Loaded loaded = load_text(bad[i]);
    assert_int_equal(loaded.status, HD_ERROR_PROGRAM);
    assert_non_null(strstr(messages(&loaded), "error[HD0102]"));
    assert_int_equal(diag_error_count(loaded.diags), 1);
    unload(&loaded);
  }
  LoadOptions options = {.text = "int x\0;", .length = 7};
  Loaded loaded = load("nul.hd", &options);
  assert_int_equal(loaded.status, HD_ERROR_PROGRAM);
  unload(&loaded);
}

static void files_that_cannot_be_read(void **state) {
  (void)state;
  Loaded loaded = load("/no/such/file.hd", NULL);
  assert_int_equal(loaded.status, HD_ERROR_NOT_FOUND);
  assert_non_null(strstr(loaded.why, "/no/such/file.hd"));
  unload(&loaded);
  loaded = load(folder, NULL);
  assert_int_equal(loaded.status, HD_ERROR_IO);
  assert_non_null(strstr(loaded.why, "folder"));
  unload(&loaded);
}

static void too_large_a_file(void **state) {
  (void)state;
  const char *path = write_file("large.hd", "int x;");
  assert_int_equal(truncate(path, 100 * 1000 * 1000), 0);
  Loaded loaded = load(path, NULL);
  assert_int_equal(loaded.status, HD_ERROR_IO);
  assert_non_null(strstr(loaded.why, "bytes"));
  unload(&loaded);
}

static void continued_lines(void **state) {
  (void)state;
  setenv("HEDDLE_CPP", "/no/such/program", 1);
  Loaded loaded = load_text("in\\\nt x = 1\\\r\n2; // a \\\nint y;\nint z;\n");
  AstUnit *unit = parse(&loaded);
  assert_int_equal(unit->decls.count, 2);
  Place place = source_place(loaded.source.source, unit->decls.data[1]->span);
  assert_int_equal(place.line, 5);
  unload(&loaded);
}

static void an_empty_file(void **state) {
  (void)state;
  Loaded loaded = load(write_file("empty.hd", ""), NULL);
  assert_int_equal(parse(&loaded)->decls.count, 0);
  unload(&loaded);
}

#define LOAD_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      LOAD_TEST(directives_are_found),
      LOAD_TEST(plain_text_needs_no_preprocessor),
      LOAD_TEST(macros_and_places),
      LOAD_TEST(own_headers),
      LOAD_TEST(included_files_are_listed),
      LOAD_TEST(options_reach_the_preprocessor),
      LOAD_TEST(errors_of_the_preprocessor),
      LOAD_TEST(odd_preprocessors),
      LOAD_TEST(what_is_no_text),
      LOAD_TEST(files_that_cannot_be_read),
      LOAD_TEST(too_large_a_file),
      LOAD_TEST(continued_lines),
      LOAD_TEST(an_empty_file),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
