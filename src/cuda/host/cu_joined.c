// SPDX-License-Identifier: Apache-2.0
#include "cuda/host/cu_joined.h"

#include "cuda/form/cu_report.h"
#include "cuda/form/cu_resolve.h"
#include "cuda/form/cu_value.h"
#include "cuda/host/cu_pointers.h"
#include "cuda/host/cu_sources.h"

// A pointer that the kernel gets: a parameter, or a piece of one (Note
// [Pieces]).
typedef struct {
  const char *name;   // of the emitted parameter
  const CxExpr *arg;  // what is passed, or the member of it; NULL: not known
  const char *symbol; // the array of file scope that it leads into, or NULL
  // Of a piece that isn't followed: what the whole struct is made of.
  CuSources *sources;
} Passed;

typedef hd_vec(const char *) Names;

typedef struct {
  const CuHostReader *reader;
  hd_vec(Passed) passed;
  Names same, overlapping, facts;
  CuSources *sources; // of the struct whose members are added
} Joins;

enum { MOST_ELEMENTS = 16 };

static void add_passed(Joins *j, const char *name, const CxExpr *arg) {
  Passed passed = {.name = name, .arg = arg};
  VEC_PUSH(j->reader->cu->arena, &j->passed, passed);
}

static void joined_add_piece(Joins *j, const char *name, const CxExpr *arg) {
  add_passed(j, name, arg);
  if (!cu_pointer_is_open(j->reader, arg))
    return;
  j->passed.data[j->passed.count - 1].sources = j->sources;
  j->sources->n_pointers++;
}

static void joined_add_members(Joins *j, const char *name, const CuType *type,
                               const CxExpr *arg);

static void joined_add_part(Joins *j, const char *name, const CuType *type,
                            const CxExpr *arg) {
  if (cu_is(type, CU_POINTER))
    joined_add_piece(j, name, arg);
  else if (cu_is(cu_plain(type), CU_RECORD))
    joined_add_members(j, name, cu_plain(type), arg);
  else if (cu_is(type, CU_ARRAY) && type->u.array.extent <= MOST_ELEMENTS)
    for (int64_t i = 0; i < type->u.array.extent; i++)
      joined_add_part(j, cu_format(j->reader->cu, "%s_%d", name, (int)i),
                      type->u.array.element, NULL);
}

// NULL: it is a list or the like.
static const CxExpr *joined_variable(const CxExpr *expr) {
  bool is_variable =
      expr && (expr->kind == CX_EXPR_NAME || expr->kind == CX_EXPR_MEMBER);
  return is_variable ? expr : NULL;
}

// The members of a struct that is passed. Those of bases, and of members
// without a name, are the variable's own.
static void joined_add_members(Joins *j, const char *name, const CuType *type,
                               const CxExpr *arg) {
  CuRecord *record = type->u.record;
  if (cu_is_opaque(type) || !cu_complete_record(j->reader->cu, record))
    return;
  for (uint32_t i = 0; i < record->fields.count; i++) {
    const CuField *field = &record->fields.data[i];
    const char *own = field->name ? field->name : "part"; // as in pieces
    const CxExpr *member = field->name
                               ? cu_pointer_member(j->reader, arg, record, i)
                               : joined_variable(arg);
    joined_add_part(j, cu_format(j->reader->cu, "%s_%s", name, own),
                    field->type, member);
  }
}

static void joined_add_param(Joins *j, const CuParam *param,
                             const CxExpr *arg) {
  const CuType *type = cu_plain(param->type);
  if (param->is_element || !param->name)
    return;
  if (cu_is(type, CU_POINTER))
    add_passed(j, param->name, arg);
  if (!cu_is(type, CU_RECORD))
    return;
  j->sources = ARENA_NEW(j->reader->cu->arena, CuSources);
  cu_find_sources(j->reader, arg, j->sources);
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

static CuPointers compare_sources(const CuHostReader *reader, const Passed *a,
                                  const Passed *b) {
  CuSources one[2] = {{.data = {a->arg}, .count = a->arg != NULL},
                      {.data = {b->arg}, .count = b->arg != NULL}};
  bool may_overlap =
      a->sources == b->sources
          ? cu_sources_overlap(reader, a->sources)
          : cu_sources_meet(reader, a->sources ? a->sources : &one[0],
                            b->sources ? b->sources : &one[1]);
  return may_overlap ? CU_POINTERS_OVERLAP : CU_POINTERS_APART;
}

static void join_two(Joins *j, const Passed *a, const Passed *b) {
  CuPointers how = cu_compare_pointers(j->reader, a->arg, b->arg);
  if (how == CU_POINTERS_APART && (a->sources || b->sources))
    how = compare_sources(j->reader, a, b);
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
