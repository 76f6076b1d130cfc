// SPDX-License-Identifier: Apache-2.0
// Copies of kernels, and unrolled ones, speak of their own arrays: in their
// requirements, and of which may overlap.
#include "ir/analyses/analysis.h"
#include "ir_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka wants the ones above first.
#include <cmocka.h>

static const char pairs[] =
    "heddle-ir 1\nmodule \"t.hd\"\n"
    "kernel \"k\" {\n  block 32 1 1\n  grid 1 1 _ _\n"
    "  bytes (extent @x 0)\n"
    "  group #0 grid align 1024 \"grid\"\n"
    "  group #1 cluster in #0 align 1024 \"cluster\"\n"
    "  group #2 block in #1 size 32 align 1024 \"block\"\n"
    "  object @x global i32 of 4 extents [8] align 4 bound 0\n"
    "  object @y global i32 of 4 extents [8] align 4 bound 1\n"
    "  param \"x\" array void @x\n  param \"y\" array void @y\n"
    "  require host (lt 0 (extent @y 0)) \"\"\n"
    "  alias @x @y\n  var $i i32\n"
    "  body {\n    %0 = const i32 0\n    %1 = const i32 2\n"
    "    for $i step 1 signed unroll -1 %0, %1 {\n"
    "      %3 = get i32 $i\n"
    "      store @x[%3] : i32 align 4 = %3\n    }\n  }\n}\n"
    "locations {\n}\n";

static void test_copies(void **state) {
  (void)state;
  Arena *arena = arena_new();
  const char *code, *message;
  const IrModule *module = parse_ir(arena, pairs, &code, &message);
  assert_string_equal(message, "");
  const IrKernel *kernel = module->kernels.data[0];
  const IrKernel *copies[] = {ir_clone_kernel(arena, kernel),
                              ir_unroll(arena, kernel)};
  for (int i = 0; i < 2; i++) {
    assert_non_null(copies[i]);
    assert_null(ir_verify(copies[i]->module));
    assert_ptr_equal(copies[i]->may_alias.data[0].a,
                     copies[i]->objects.data[0]);
    assert_ptr_equal(copies[i]->bytes->object, copies[i]->objects.data[0]);
  }
  assert_ptr_equal(kernel->may_alias.data[0].b, kernel->objects.data[1]);
  arena_free(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_copies),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
