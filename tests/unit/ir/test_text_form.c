// SPDX-License-Identifier: Apache-2.0
// The text form of the IR: everything is in it, and it reads back the same.
#include "ir_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
// cmocka wants the ones above first.
#include <cmocka.h>

// A module that uses every kind of row and node attribute.
static const char everything[] =
    "heddle-ir 1\n"
    "module \"dir/a \\\"b\\\".hd\"\n"
    "struct \"Pair\" size 16 align 8 { i32 at 0 f64 at 8 }\n"
    "tile f16 [64, 32]\n"
    "global @table constant i32 of 4 extents [3] align 4 !1 initial 12 {\n"
    "    x010000000200000003000000 }\n"
    "global @table.g1 global f32x2 of 8 extents [4, 2] align 8 initial 64 "
    "zeros\n"
    "\n"
    "kernel \"k\" variant \"BM=128, T=float\" !1 {\n"
    "  block 64 2 1\n"
    "  grid 2 (cdiv (param 0) 256) _ _\n"
    "  cluster 2 1 1\n"
    "  min_blocks 2\n"
    "  max_registers 64\n"
    "  flops (mul.f (float.f (param 0)) (real 0x4000000000000000))\n"
    "  bytes (mul (extent @x 0) 4)\n"
    "  fast_math\n"
    "  few_threads\n"
    "  lanes_apart\n"
    "  group #0 grid align 1024 \"grid\"\n"
    "  group #1 cluster in #0 align 1024 \"cluster\"\n"
    "  group #2 block in #1 size 128 align 1024 \"block\"\n"
    "  group #3 range in #2 size 32 begin 32 instances 1 align 32 "
    "\"warp_group(1, 1)\" maker ^34\n"
    "  group #4 split in #2 size 2 instances 64 align 2 \"thread for\" "
    "maker ^38\n"
    "  object @x global f32 of 4 extents [(param 0), 2] strides [(param "
    "0), 1] align 16 class 1 const strided aligned16 dense long bound 1 "
    "!1\n"
    "  object @p global i32 of 4 extents [_] align 4 class 2 pointer "
    "restrict "
    "bound 2\n"
    "  object @s shared i32 of 4 extents [8, 8] align 128 address_taken "
    "per #2 layout linear [0x1, 0x2, 0x4] hole 0 8 hole 64 80\n"
    "  object @s.3 shared struct.0 of 16 extents [] align 8 "
    "uninitialised_ok per #3 lifetime ^34\n"
    "  object @.4 name \"a b\" mbarrier shared void of 8 extents [2] "
    "align "
    "8 cluster_shared per #2 arrivals 32\n"
    "  param \"n\" scalar i32 signed !1\n"
    "  param \"x\" array void @x !1\n"
    "  param \"p\" pointer void @p\n"
    "  param \"q\" struct struct.0\n"
    "  require host (lt 0 (param 0)) \"n > 0\" !1\n"
    "  require contents (injective @p 0 9) \"injective(p, 0, 9)\"\n"
    "  require contents (disjoint @x @p) \"disjoint(x, p)\"\n"
    "  alias @x @p\n"
    "  var $i.0 i32 !2\n"
    "  var $1 f32\n"
    "  body {\n"
    "    %0 = param i32 [0] !2\n"
    "    %1 = const i32 -5\n"
    "    %2 = const f32 0x3fc00000 // 1.5\n"
    "    %3 = const f64 0x7ff8000000000001 // nan\n"
    "    %4 = const bool 0x1\n"
    "    %5 = extent i64 @x[1]\n"
    "    %6 = add.nsw i32 %0, %1 !2\n"
    "    %7 = fma.fast f32 %2, %2, %2\n"
    "    set $1 %7\n"
    "    %9 = get f32 $1\n"
    "    %10 = load f32 @x[%1, %5] align 4 if %4 bounds zero hint cached\n"
    "    %11 = address ptr.shared @s : i32 align 4\n"
    "    store *%11 + %5 offset 8 : i32 align 4 order release scope "
    "device = %6\n"
    "    %13 = rmw i32 @p[%6] align 4 order relaxed rmw umax = %6\n"
    "    %14 = cas i32 @s[%6, %6] align 4 order acq_rel = %6, %1\n"
    "    fence order acq_rel scope system\n"
    "    %16 = rank i32 #2\n"
    "    %17 = rank i64 #0\n"
    "    %18 = uniform i32 #2 %0\n"
    "    join #2 join same_owner reason \"equal maps\" array \"x\"\n"
    "    sync #2\n"
    "    printf \"n=%d\\n\\x01\" %0\n"
    "    %22 = slt bool %0, %1\n"
    "    block ^23 {\n"
    "      if %22 {\n"
    "        exit ^23 !3\n"
    "      } else {\n"
    "        loop ^26 unroll -1 {\n"
    "          exit ^26 continue\n"
    "        }\n"
    "      }\n"
    "    }\n"
    "    for $i.0 step -2 signed inclusive unroll 4 stages 3 %0, %1 {\n"
    "      assert \"n < 5\" %22\n"
    "    }\n"
    "    call \"f\" %0, %9 {\n"
    "      trap\n"
    "    }\n"
    "    %32 = const i32 32\n"
    "    %33 = const i32 0\n"
    "    group ^34 #3 in #2 %32 {\n"
    "      sync #3\n"
    "    }\n"
    "    %36 = pack struct.0 %1, %3\n"
    "    %37 = extract f64 [1] %36\n"
    "    thread_for ^38 #4 in #2 $i.0 step 1 count 64 split %33, %32 {\n"
    "    }\n"
    "  }\n"
    "}\n"
    "\n"
    "locations {\n"
    "  !1 \"a.hd\" 1:2 1:9\n"
    "  !2 _ 3:1 3:4 in !1 \"f\"\n"
    "  !3 \"a.hd\" 4:1 4:4\n"
    "}\n";

static void expect_same(Arena *arena, const char *text, const char *want) {
  const char *code, *message;
  IrModule *module = parse_ir(arena, text, &code, &message);
  if (!module)
    fail_msg("%s: %s", code, message);
  assert_string_equal(print_ir(arena, module), want);
}

static void text_reads_back_the_same(void **state) {
  (void)state;
  Arena *arena = arena_new();
  expect_same(arena, everything, everything);
  arena_free(arena);
}

static void numbers_are_made_dense(void **state) {
  (void)state;
  Arena *arena = arena_new();
  static const char head[] =
      "heddle-ir 1\nmodule \"m\"\n\nkernel \"k\" {\n  block 1 1 1\n"
      "  grid 0 _ _ _\n  group #0 grid align 1 \"grid\"\n"
      "  group #1 cluster in #0 align 1 \"cluster\"\n"
      "  group #2 block in #1 size 1 align 1 \"block\"\n  body {\n";
  const char *loose = arena_printf(arena,
                                   "%s// a comment\n%%70=const i8 255 "
                                   "%%9 = neg i8 %%70}\n}locations{}",
                                   head);
  const char *tidy = arena_printf(arena,
                                  "%s    %%0 = const i8 -1\n"
                                  "    %%1 = neg i8 %%0\n  }\n}\n\n"
                                  "locations {\n}\n",
                                  head);
  expect_same(arena, loose, tidy);
  arena_free(arena);
}

// ----------------------------------------------------------- wrong texts

static void expect_error(const char *text, const char *want_code,
                         const char *want_text) {
  Arena *arena = arena_new();
  const char *code, *message;
  if (parse_ir(arena, text, &code, &message))
    fail_msg("accepted, not '%s': %s", want_text, text);
  assert_string_equal(code, want_code);
  if (!strstr(message, want_text))
    fail_msg("'%s' doesn't say '%s'", message, want_text);
  arena_free(arena);
}

static void wrong_texts_are_refused(void **state) {
  (void)state;
  expect_error("", "HD0220", "heddle-ir 1");
  expect_error("heddle-ir 2\n", "HD0220", "heddle-ir 1");
  expect_error("heddle-ir 1", "HD0222", "'module', found the end");
  expect_error("heddle-ir 1\nmodule \"a\\q\"", "HD0221", "string");
  expect_error("heddle-ir 1\nmodule \"\\x00\"", "HD0221", "string");
  expect_error("heddle-ir 1\nmodule \"m\" ?", "HD0221", "character");
  expect_error("heddle-ir 1\nmodule \"m\" kernel 5", "HD0222", "a string");
  expect_error("heddle-ir 1\nmodule \"m\" tile tile.0 [4]", "HD0222", "type");
  expect_error("heddle-ir 1\nmodule \"m\" struct \"s\" size 99999999999",
               "HD0225", "0 to 4294967295");
  expect_error("heddle-ir 1\nmodule \"m\" locations { !2 _ 1:1 1:1 }", "HD0225",
               "location numbers");
  expect_error("heddle-ir 1\nmodule \"m\" struct \"s\" size 5 align 3 {} "
               "kernel \"k\" {",
               "HD0227", "struct.0");
}

// `body` in a kernel of one block of 64 threads and array x[n] of float.
static const char *with_body(Arena *arena, const char *body) {
  return arena_printf(
      arena,
      "heddle-ir 1\nmodule \"m\" kernel \"k\" { block 64 1 1 grid 1 _ _ _\n"
      "group #0 grid align 1 \"grid\" group #1 cluster in #0 align 1 \"c\"\n"
      "group #2 block in #1 size 64 align 32 \"block\"\n"
      "group #3 range in #2 size 32 begin 0 align 32 \"g\"\n"
      "object @x global f32 of 4 extents [(param 0)] align 4 bound 1\n"
      "object @c global f32 of 4 extents [9] align 4 const bound 2\n"
      "param \"n\" scalar i32 signed param \"x\" array void @x\n"
      "param \"c\" array void @c\n"
      "var $i.0 i32 var $f.1 f32 body {\n%s\n} } locations { }",
      body);
}

static void body_error(const char *body, const char *code, const char *text) {
  Arena *arena = arena_new();
  expect_error(with_body(arena, body), code, text);
  arena_free(arena);
}

static void unknown_names_are_refused(void **state) {
  (void)state;
  body_error("%0 = neg i32 %1", "HD0223", "value");
  body_error("set $z.0 %1", "HD0223", "variable");
  body_error("sync #9", "HD0223", "group");
  body_error("%0 = extent i64 @q[0]", "HD0223", "object");
  body_error("exit ^3", "HD0223", "label");
  body_error("trap !7", "HD0223", "location");
  body_error("%0 = const i32 1 %0 = const i32 2", "HD0224", "value");
  body_error("frobnicate", "HD0222", "an operation, found 'frobnicate'");
  body_error("%0 = add.wild i32 %1", "HD0222", "an operation");
  body_error("%0 = const i8 256", "HD0225", "0 to 255");
  body_error("%0 = const i8 -129", "HD0225", "-128");
}

static void broken_rules_are_found(void **state) {
  (void)state;
  static const char *const cases[][2] = {
      {"%0 = const i32 1 %1 = const i64 1 %2 = add i32 %0, %1",
       "operand 1 can't be i64"},
      {"%0 = const i32 1 %1 = add i64 %0, %0", "its result is i32, not i64"},
      {"%0 = const i32 1 %1 = fabs i32 %0", "operand 0 can't be i32"},
      {"%0 = const i32 1 %1 = add i32 %0", "has 1 operands, not 2"},
      {"%0 = const bool 1 if %0 { %2 = const i32 1 } %3 = neg i32 %2",
       "operand 0 is not a value computed before"},
      {"block ^1 { exit ^1 trap }", "stands after an exit"},
      {"block ^1 { group #3 in #2 { exit ^1 } }", "leaves a group"},
      {"block ^1 { } loop { exit ^1 }", "its target is not around it"},
      {"block ^1 { exit ^1 continue }", "has no next turn"},
      {"%0 = const i32 1 for $i.0 step 0 %0, %0 { }", "its step is 0"},
      {"%0 = const i32 1 for $f.1 step 1 %0, %0 { }", "differ in type"},
      {"%0 = const i32 1 for $i.0 step 1 %0, %0 { set $i.0 %0 }",
       "sets the variable of a loop around it"},
      {"%0 = get i32 $f.1", "has type i32, but its variable f32"},
      {"%0 = load f32 @x align 3", "its alignment"},
      {"%0 = const f32 0 %1 = load f32 @x[%0] align 4",
       "index 0 is neither i32 nor i64"},
      {"%0 = const i32 0 %1 = load f32 @x[%0, %0] align 4",
       "has 2 indices, but its object has 1 dimension"},
      {"%0 = const f32 0 store @c : f32 align 4 = %0", "can't be written"},
      {"%0 = const i32 0 store @x : f32 align 4 = %0",
       "moves f32, but the value is i32"},
      {"%0 = const i32 0 %1 = rmw i32 @x align 4 rmw add = %0",
       "has no memory order"},
      {"%0 = const f32 0 %1 = rmw f32 @x align 4 order relaxed rmw xor = %0",
       "has no such form for floats"},
      {"group #1 in #2 { }", "is not a part of its parent"},
      {"group #3 in #2 { group #3 in #2 { } }", "is not the current group"},
      {"%0 = rank i64 #2", "is i64 for the grid, else i32"},
      {"%0 = const i32 1 printf \"%s\" %0", "conversion '%s' is not allowed"},
      {"%0 = const i32 1 printf \"%f\" %0", "doesn't fit its conversion"},
      {"printf \"%d\"", "too few operands"},
      {"%0 = const i32 1 printf \"\" %0", "too many operands"},
      {"%0 = extent i64 @x[1]", "no such dimension"},
      {"%0 = param f32 [0]", "parameter 0 has another type"},
      {"%0 = const i64 0 %1 = trunc i64 %0", "can't give i64"},
      {"%0 = const i32 0 %1 = bitcast f64 %0", "can't give f64"},
      {"%0 = const i32 0 thread_for #3 in #2 $i.0 step 1 count 3 split %0, %0 "
       "{ }",
       "another kind"},
      {"%0 = block_index i32 [3]", "three dimensions"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    body_error(cases[i][0], "HD0227", cases[i][1]);
}

// Host expressions by themselves: `rows` of a kernel with a scalar, a float,
// two arrays, a pointer and a shared array.
static const char *with_rows(Arena *arena, const char *rows) {
  return arena_printf(
      arena,
      "heddle-ir 1\nmodule \"m\" kernel \"k\" { block 64 1 1 grid 1 _ _ _\n"
      "%s\n"
      "group #0 grid align 1 \"grid\" group #1 cluster in #0 align 1 \"c\"\n"
      "group #2 block in #1 size 64 align 32 \"block\"\n"
      "object @x global i32 of 4 extents [(param 0)] align 4 bound 2\n"
      "object @f global f32 of 4 extents [(param 0)] align 4 bound 3\n"
      "object @p global i32 of 4 extents [_] align 4 pointer bound 4\n"
      "object @s shared i32 of 4 extents [8] align 16 per #2\n"
      "param \"n\" scalar i32 signed param \"r\" scalar f32\n"
      "param \"x\" array void @x param \"f\" array void @f\n"
      "param \"p\" pointer void @p body { } } locations { }",
      rows);
}

// Where each kind of expression may stand, and what it may take.
static void broken_host_rules_are_found(void **state) {
  (void)state;
  static const char *const cases[][2] = {
      {"flops (disjoint @x @f)", "only sizes are known, in flops"},
      {"bytes (injective @x)", "only sizes are known, in bytes"},
      {"flops (aligned @x 16)", "not a condition of a requirement"},
      {"require host (disjoint @x @f) \"\"", "only sizes are known"},
      {"require assume (monotone @x) \"\"", "only sizes are known"},
      {"require contents (add (disjoint @x @f) 1) \"\"", "only sizes are"},
      {"require contents (cond 1 (monotone @x) 0) \"\"", "only sizes are"},
      {"require host (eq (aligned @x 16) 1) \"\"", "not a condition of a"},
      {"object @t shared i32 of 4 extents [(disjoint @x @f)] align 4 per #2",
       "only sizes are known, in t"},
      {"object @t shared i32 of 4 extents [2, (extent @x 0)] align 4 per #2",
       "computes an extent from another one, in t"},
      {"require contents (disjoint @x) \"\"", "wrong number of arrays"},
      {"require contents (injective @x @f) \"\"", "wrong number of arrays"},
      {"require contents (injective) \"\"", "wrong number of arrays"},
      {"flops (add @x 1 2)", "wrong number of arrays"},
      {"require contents (disjoint @x @s) \"\"",
       "other than a parameter's array"},
      {"require host (aligned @s 16) \"\"", "other than a parameter's array"},
      {"require contents (injective @f) \"\"", "array without integers"},
      {"require contents (injective @x 0 _) \"\"", "has 1 operands"},
      {"require contents (bounded @x) \"\"", "has 0 operands"},
      {"require contents (injective @x (float.f 1) 2) \"\"", "integers only"},
      {"flops (add 1)", "has 1 operands"},
      {"flops (cond 1 2)", "has 2 operands"},
      {"flops (param 1)", "not a scalar parameter"},
      {"flops (param.f 0)", "not a scalar parameter"},
      {"flops (param 2)", "not a scalar parameter"},
      {"flops (extent @x 1)", "no such dimension"},
      {"flops (extent @p 0)", "no such dimension"},
      {"flops (rem.f (param.f 1) 2)", "integers only"},
      {"flops (add (param.f 1) 2)", "is a float but must not be"},
      {"flops (lt.f 1 2)", "is a float but must not be"},
      {"flops (cond 1 (param.f 1) 2)", "a float and an integer"},
  };
  static const char *const good[] = {
      "flops (mul.f (param.f 1) (extent @x 0))",
      "flops (cond (lt (param.f 1) 2) (int (param.f 1)) 7)",
      "require contents (lor (disjoint @x @p) (lnot (injective @x 0 5))) \"\"",
      "require host (land (aligned @p 16) (lt 0 (param 0))) \"\"",
      "require contents (bounded @x 0 (param 0)) \"\"",
  };
  Arena *arena = arena_new();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    expect_error(with_rows(arena, cases[i][0]), "HD0227", cases[i][1]);
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    const char *code, *message;
    if (!parse_ir(arena, with_rows(arena, good[i]), &code, &message))
      fail_msg("'%s': %s", good[i], message);
  }
  arena_free(arena);
}

static void deep_and_large_texts_are_refused(void **state) {
  (void)state;
  Arena *arena = arena_new();
  Text body = {.arena = arena};
  for (int i = 0; i < 100000; i++)
    text_add(&body, "loop {\n");
  body_error(text_cstr(&body), "HD0226", "regions inside one another");
  Text host = {.arena = arena};
  text_add(&host, "heddle-ir 1\nmodule \"m\" kernel \"k\" { flops ");
  for (int i = 0; i < 100000; i++)
    text_add(&host, "(neg ");
  expect_error(text_cstr(&host), "HD0226", "nested host expressions");
  arena_free(arena);
}

// Every text that is made from a good one by a small change gives a module
// whose text reads back the same, or an error.
static void changed_texts_never_crash(void **state) {
  (void)state;
  static const char bytes[] = "{}[]()%#^!$@\"\\ 0179-x_.,=:+*/\n";
  const char *text = everything;
  size_t length = strlen(text), n_good = 0;
  uint32_t random = 12345;
  for (int round = 0; round < 6000; round++) {
    Arena *arena = arena_new();
    char *changed = arena_strndup(arena, text, length);
    for (int i = 0; i < 1 + round % 3; i++) {
      random = random * 1664525u + 1013904223u;
      size_t at = (random >> 8) % length;
      random = random * 1664525u + 1013904223u;
      size_t which = (random >> 8) % (2 * sizeof bytes);
      changed[at] = which < sizeof bytes - 1 ? bytes[which] : text[which];
    }
    const char *code, *message;
    IrModule *module = parse_ir(arena, changed, &code, &message);
    if (module) {
      n_good++;
      const char *printed = print_ir(arena, module);
      expect_same(arena, printed, printed);
    } else {
      assert_true(code[0] != '\0');
    }
    arena_free(arena);
  }
  assert_true(n_good > 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(text_reads_back_the_same),
      cmocka_unit_test(numbers_are_made_dense),
      cmocka_unit_test(wrong_texts_are_refused),
      cmocka_unit_test(unknown_names_are_refused),
      cmocka_unit_test(broken_rules_are_found),
      cmocka_unit_test(broken_host_rules_are_found),
      cmocka_unit_test(deep_and_large_texts_are_refused),
      cmocka_unit_test(changed_texts_never_crash),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
