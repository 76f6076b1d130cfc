// SPDX-License-Identifier: Apache-2.0
// whole_warp() asserts that all of the warp is there; where the rules tell it,
// this_warp() is the same group, and the word that people use.
#include "convert/convert.h"

enum { MOST_ATTEMPTS = 24 };

static bool convert_groups_is_right(Conversion *cx) {
  Arena *arena = arena_new();
  bool result = true;
  for (uint32_t i = 0; i < cx->unit->decls.count && result; i++) {
    Conversion one = *cx;
    one.position = i;
    if (cx->unit->decls.data[i]->kind == DECL_KERNEL)
      result = convert_lowered(&one, cx->unit, arena) != NULL;
  }
  arena_free(arena);
  return result;
}

static void convert_groups_spell(Conversion *cx, Expr *call, bool is_whole) {
  static const char *const words[][2] = {
      {"this_warp", "whole_warp"}, {"tiled_partition", "whole_partition"}};
  bool is_warp = call->u.call.args.count == 0;
  call->u.call.callee->u.name =
      intern_cstr(cx->program->names, words[is_warp ? 0 : 1][is_whole]);
}

static void spell_all(Conversion *cx, Tidy *tidy, bool is_whole) {
  for (uint32_t i = 0; i < tidy->wholes.count; i++)
    convert_groups_spell(cx, tidy->wholes.data[i], is_whole);
}

void convert_groups(Conversion *cx, Tidy *tidy) {
  if (tidy->wholes.count == 0 || tidy_is_declared(tidy, "this_warp") ||
      tidy_is_declared(tidy, "tiled_partition"))
    return;
  spell_all(cx, tidy, false);
  if (convert_groups_is_right(cx))
    return;
  spell_all(cx, tidy, true);
  for (uint32_t i = 0; i < tidy->wholes.count && i < MOST_ATTEMPTS; i++) {
    convert_groups_spell(cx, tidy->wholes.data[i], false);
    if (!convert_groups_is_right(cx))
      convert_groups_spell(cx, tidy->wholes.data[i], true);
  }
}
