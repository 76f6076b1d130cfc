// SPDX-License-Identifier: Apache-2.0
// Checks of CUDA C trust pointers not to overlap, those of Heddle C don't: it
// has `restrict`, which stands where the checker needs it.
#include "convert/convert.h"

#include "check/check.h"

enum { CHECK_MS = 2000, RACES = 6 }; // HD06xx

// Races that aren't excluded; UINT32_MAX: the tree isn't right, or there is no
// time.
static uint32_t count_races(const Conversion *cx, AstUnit *unit) {
  Arena *arena = arena_new();
  IrKernel *kernel = convert_lowered(cx, unit, arena);
  CheckOptions check = {.no_search = true,
                        .no_fixes = true,
                        .no_remarks = true,
                        .allow_same_value = true};
  CheckReport report = {0};
  check.solve.kernel_ms = convert_time_left(cx->program, CHECK_MS);
  bool is_checked = kernel && check.solve.kernel_ms > 0;
  uint32_t count = is_checked ? 0 : UINT32_MAX;
  if (is_checked)
    check_kernel(arena, kernel, &check, &report);
  for (uint32_t i = 0; i < report.findings.count; i++)
    count += report.findings.data[i].verdict != VERDICT_PROVED &&
             report.findings.data[i].code / 100 == RACES;
  arena_free(arena);
  return count;
}

static bool convert_apart_is_open(const Decl *param) {
  return param->type && param->type->kind == TYPE_POINTER &&
         !(param->type->quals & QUAL_RESTRICT);
}

static bool convert_apart_is_const(const Decl *param) {
  return (param->type->u.pointer.pointee->quals & QUAL_CONST) != 0;
}

// False: there are none.
static bool restrict_pointers(Conversion *cx, bool of_const) {
  DeclList *params = convert_params(cx);
  bool is_any = false;
  for (uint32_t i = 0; i < params->count; i++) {
    if (!convert_apart_is_open(params->data[i]) ||
        (convert_apart_is_const(params->data[i]) && !of_const))
      continue;
    Decl *param =
        arena_copy(cx->arena, params->data[i], sizeof *params->data[i]);
    TypeSyntax *type = arena_copy(cx->arena, param->type, sizeof *param->type);
    type->quals |= QUAL_RESTRICT;
    param->type = type;
    params->data[i] = param;
    is_any = true;
  }
  return is_any;
}

static AstUnit with_restrict(const Conversion *cx, bool of_const) {
  AstUnit unit = *cx->unit;
  Conversion attempt = *cx;
  attempt.unit = &unit;
  convert_own_kernel(&attempt);
  restrict_pointers(&attempt, of_const);
  return unit;
}

// What is written first, which is enough where all pointers are plain.
void convert_apart(Conversion *cx) {
  const DeclList *params = convert_params(cx);
  uint32_t n_open = 0;
  for (uint32_t i = 0; i < params->count; i++)
    n_open += convert_apart_is_open(params->data[i]);
  uint32_t least = n_open ? count_races(cx, cx->unit) : 0;
  int best = -1;
  for (int of_const = 0; of_const < 2 && least > 0; of_const++) {
    AstUnit unit = with_restrict(cx, of_const);
    uint32_t count = count_races(cx, &unit);
    if (count >= least)
      continue;
    least = count;
    best = of_const;
  }
  if (best >= 0)
    restrict_pointers(cx, best);
}
