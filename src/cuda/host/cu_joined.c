// SPDX-License-Identifier: Apache-2.0
#include "cuda/host/cu_joined.h"

#include "cuda/form/cu_report.h"
#include "cuda/form/cu_resolve.h"
#include "cuda/form/cu_value.h"
#include "cuda/host/cu_pointers.h"

// A pointer that the kernel gets: a parameter, or a piece of one (Note
// [Pieces]).
typedef struct {
  const char *name;   // of the emitted parameter
  const CxExpr *arg;  // what is passed, or the member of it; NULL: not known
  const char *symbol; // the array of file scope that it leads into, or NULL
} Passed;

typedef hd_vec(const char *) Names;

typedef struct {
  const CuHostReader *reader;
  hd_vec(Passed) passed;
  Names same, overlapping, facts;
} Joins;

static void add_passed(Joins *j, const char *name, const CxExpr *arg) {
  Passed passed = {.name = name, .arg = arg};
  VEC_PUSH(j->reader->cu->arena, &j->passed, passed);
}

// The members of a struct that is passed: those that have names.
static void joined_add_members(Joins *j, const char *name, const CuType *type,
                               const CxExpr *arg) {
  CuRecord *record = type->u.record;
  if (cu_is_opaque(type) || !cu_complete_record(j->reader->cu, record))
    return;
  for (uint32_t i = 0; i < record->fields.count; i++) {
    const CuField *field = &record->fields.data[i];
    if (!field->name)
      continue;
    const char *piece = cu_format(j->reader->cu, "%s_%s", name, field->name);
    const CxExpr *member = cu_pointer_member(j->reader, arg, record, i);
    if (cu_is(field->type, CU_POINTER))
      add_passed(j, piece, member);
    else if (cu_is(cu_plain(field->type), CU_RECORD))
      joined_add_members(j, piece, cu_plain(field->type), member);
  }
}

static void joined_add_param(Joins *j, const CuParam *param,
                             const CxExpr *arg) {
  const CuType *type = cu_plain(param->type);
  if (param->is_element || !param->name)
    return;
  if (cu_is(type, CU_POINTER))
    add_passed(j, param->name, arg);
  else if (cu_is(type, CU_RECORD))
    joined_add_members(j, param->name, type, arg);
}

static void joined_join(Joins *j, CuPointers how, const char *first,
                        const char *second) {
  CuContext *cu = j->reader->cu;
  bool is_same = how == CU_POINTERS_SAME;
  Names *to = is_same ? &j->same : &j->overlapping;
  const char *fact =
      cu_format(cu, is_same ? "%s == %s" : "%s may overlap %s", first, second);
  VEC_PUSH(cu->arena, &j->facts, fact);
  VEC_PUSH(cu->arena, to, second);
  VEC_PUSH(cu->arena, to, first);
}

static const char *const *ended(const Joins *j, Names *names) {
  if (names->count)
    VEC_PUSH(j->reader->cu->arena, names, NULL);
  return names->data;
}

static void join_two(Joins *j, const Passed *a, const Passed *b) {
  CuPointers how = cu_compare_pointers(j->reader, a->arg, b->arg);
  if (how == CU_POINTERS_APART && a->symbol && a->symbol == b->symbol)
    how = CU_POINTERS_OVERLAP;
  if (how != CU_POINTERS_APART)
    joined_join(j, how, b->name, a->name);
}

void cu_find_joined(const CuHostReader *reader, const CuFunction *kernel,
                    const CxExpr *const *args, uint32_t n_args, CuJoined *out) {
  Joins j = {.reader = reader};
  for (uint32_t i = 0; i < n_args; i++)
    joined_add_param(&j, &kernel->params[i], args[i]);
  for (uint32_t i = 0; i < j.passed.count; i++) {
    Passed *passed = &j.passed.data[i];
    passed->symbol =
        passed->arg ? cu_pointer_symbol(reader, passed->arg) : NULL;
    if (passed->symbol)
      joined_join(&j, CU_POINTERS_OVERLAP, passed->symbol, passed->name);
    for (uint32_t k = 0; k < i; k++)
      join_two(&j, passed, &j.passed.data[k]);
  }
  out->same = ended(&j, &j.same);
  out->overlapping = ended(&j, &j.overlapping);
  out->facts = j.facts.data;
  out->n_facts = j.facts.count;
}
