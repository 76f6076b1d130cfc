// SPDX-License-Identifier: Apache-2.0
// Note [Classes around an mbarrier]
//     struct Barrier {
//       uint64_t word;
//       __device__ void init(int n) { … mbarrier.init … "r"(address(&word)) … }
//       __device__ void wait(int parity) { … }
//     };
// An object of a class whose only member is such a word is the mbarrier itself
// (CU_OPAQUE_BARRIER), its member another name of it, and its methods functions
// of an mbarrier. So it may be passed on, chosen by an index and be a member of
// other classes, as a cuda::barrier may. Which classes are meant is found out
// as for words: Note [Words that are mbarriers] in cu_address.c.
#include "cuda/form/cu_word_class.h"
#include "cuda/form/cu_address.h"
#include "cuda/form/cu_barrier.h"

// As a member of that class, in terms of what is an mbarrier; NULL: no.
static const CuType *word_class_of(CuContext *cu, const CuField *field) {
  if (field->base)
    return cu_is_word_class(field->type) ? field->type : NULL;
  return cu_is_word(cu_plain(field->type)) ? cu_word_barrier(cu) : NULL;
}

void cu_note_word_class(CuContext *cu, CuRecord *record) {
  const CuWords *words = cu->barriers.words;
  bool is_one = words && !record->is_union && record->fields.count == 1 &&
                word_class_of(cu, &record->fields.data[0]);
  if (is_one && (words->finds || map_has(&words->decls, MAP_KEY(record->decl))))
    record->opaque = CU_OPAQUE_BARRIER;
}

bool cu_is_word_class(const CuType *type) {
  return cu_is_barrier(type) && cu_plain(type)->u.record->fields.count == 1;
}

void cu_choose_word_class(Arena *arena, Map *decls, const CuType *type) {
  while (type && cu_is_word_class(type)) {
    const CuRecord *record = cu_plain(type)->u.record;
    map_put(arena, decls, MAP_KEY(record->decl), record->decl);
    const CuRecord *base = record->fields.data[0].base;
    type = base ? base->type : NULL;
  }
}

CuValue cu_word_of(CuContext *cu, CuValue object, const CuField *field,
                   Span span) {
  const CuType *type = word_class_of(cu, field);
  object.type = cu_qualified(&cu->types, type, object.type->quals);
  object.span = span;
  return object;
}
