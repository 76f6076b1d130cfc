// SPDX-License-Identifier: Apache-2.0
// Source text to a typed kernel or to messages, for the tests of this folder.
#ifndef HD_TEST_SEMA_CHECKED_H
#define HD_TEST_SEMA_CHECKED_H

#include "sema/sema.h"
#include "syntax/parse.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
// cmocka wants the ones above first.
#include <cmocka.h>

typedef struct {
  Arena *arena;
  DiagEngine *diags;
  SourceText *source;
  AstUnit *unit;
  SemaContext *cx;
} Checked;

static inline Checked parse_program(const char *text) {
  Checked out = {.arena = arena_new()};
  out.diags = diag_engine_new(out.arena, 0);
  out.source = source_new(out.arena, "t.hd", text, strlen(text), false);
  diag_engine_set_source(out.diags, out.source);
  Interner *names = intern_new(out.arena);
  out.unit = parse_unit(out.arena, names, out.diags, out.source);
  assert_false(out.unit->has_errors);
  out.cx = sema_new(out.arena, names, out.diags, out.source, NULL);
  return out;
}

static inline void checked_free(Checked *checked) {
  arena_free(checked->arena);
}

// "HD0301@1:5 …" of all messages, in order.
static inline const char *codes_of(const Checked *checked) {
  uint32_t count;
  Text out = {.arena = checked->arena};
  const Diag *const *list = diag_list(checked->diags, &count);
  for (uint32_t i = 0; i < count; i++)
    text_printf(&out, "%s%s@%u:%u", i ? " " : "", diag_code(list[i]->id),
                list[i]->place.line, list[i]->place.col);
  return text_cstr(&out);
}

// The kernel `k` with these values; the test fails when it is refused.
static inline TKernel *check_k(Checked *checked, const SpecValues *spec) {
  TKernel *kernel = sema_check_kernel(checked->cx, checked->unit, "k", spec);
  assert_string_equal(codes_of(checked), "");
  assert_non_null(kernel);
  return kernel;
}

static inline SpecValue spec_int(const char *name, int64_t value) {
  SpecValue spec = {.name = name, .kind = SPEC_SIGNED, .u.i = value};
  return spec;
}

static inline SpecValue spec_type(const char *name, const char *type) {
  SpecValue spec = {.name = name, .kind = SPEC_TYPE, .u.type = type};
  return spec;
}

#endif
