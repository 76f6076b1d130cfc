// SPDX-License-Identifier: Apache-2.0
// offsetof: where a member begins, a number.
#include "cuda/form/cu_record.h"
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_resolve.h"
#include "cuda/form/cu_value.h"

// Of a member, or one of a base or of an anonymous member; NULL: there is none.
static const CuField *offset_find(const CuRecord *record, const char *name,
                                  uint64_t *offset) {
  for (uint32_t i = 0; i < record->fields.count; i++) {
    const CuField *field = &record->fields.data[i];
    if (field->name == name) {
      *offset += field->offset_bytes;
      return field;
    }
  }
  for (uint32_t i = 0; i < record->fields.count; i++) {
    const CuField *through = &record->fields.data[i];
    const CuType *type = cu_plain(through->type);
    if (through->name || !cu_is(type, CU_RECORD))
      continue;
    uint64_t inner = through->offset_bytes;
    const CuField *field = offset_find(type->u.record, name, &inner);
    if (!field)
      continue;
    *offset += inner;
    return field;
  }
  return NULL;
}

// The type of what the step leads to; NULL: it was told that it leads nowhere.
static const CuType *cu_offset_step(CuContext *cu, const CuType *type,
                                    const CxInitItem *item, uint64_t *offset) {
  type = cu_plain(type);
  if (item->field && cu_is(type, CU_RECORD)) {
    if (!cu_require_complete(cu, type, item->span) ||
        !cu_require_layout(cu, type, item->span))
      return NULL;
    const CuField *field = offset_find(type->u.record, item->field, offset);
    if (field)
      return field->type;
  } else if (item->index && cu_is(type, CU_ARRAY)) {
    int64_t index;
    if (!cu_constant_int(cu, item->index, "this index", &index))
      return NULL;
    *offset += (uint64_t)index * cu_size(type->u.array.element);
    return type->u.array.element;
  }
  const char *shown = item->field ? item->field : "[…]";
  CU_ERROR(cu, item->span, no_member, DS(CU_TEXT(cu, type)), DS(shown));
  return NULL;
}

CuValue cu_offset_of(CuContext *cu, const CxExpr *expr) {
  const CuType *type = cu_referred(cu_resolve_type(cu, expr->u.offset_of.type));
  uint64_t offset = 0;
  for (uint32_t i = 0; i < expr->u.offset_of.n_path; i++) {
    if (cu_is_poison(type))
      return cu_poison(cu, expr->span);
    type = cu_offset_step(cu, type, &expr->u.offset_of.path[i], &offset);
    if (!type)
      return cu_poison(cu, expr->span);
  }
  return cu_int_value(cu, cu_basic(&cu->types, CU_ULONG), (int64_t)offset,
                      expr->span);
}
