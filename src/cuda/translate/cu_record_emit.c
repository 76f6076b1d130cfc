// SPDX-License-Identifier: Apache-2.0
// Classes as structs of Heddle C.
#include "cuda/form/cu_barrier.h"
#include "cuda/form/cu_names.h"
#include "cuda/form/cu_record.h"
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_resolve.h"
#include "cuda/form/cu_tree.h"

#include <string.h>

// "Vec_float" became the tag, or "Vec_float_2" where the name was taken.
static bool became_tag(const CuRecord *record, const char *tag) {
  size_t length = strlen(record->suffix);
  return strncmp(tag, record->suffix, length) == 0 &&
         (!tag[length] ||
          (tag[length] == '_' &&
           !tag[length + 1 + strspn(tag + length + 1, "0123456789")]));
}

static unsigned held_memory(const CuContext *cu, const CuRecord *record,
                            const Decl *field) {
  unsigned memory = 0;
  for (uint32_t i = 0; i < cu->asked.n_held; i++) {
    const CudaHeld *held = &cu->asked.held[i];
    bool is_meant = field->span.begin == held->span.begin &&
                    field->span.end == held->span.end && field->name &&
                    strcmp(field->name, held->name) == 0 &&
                    became_tag(record, held->tag);
    if (is_meant &&
        (!cu->launch.holder || strcmp(held->kernel, cu->launch.holder) == 0))
      memory |= held->memory;
  }
  return memory;
}

// What its pointers point to, which CUDA doesn't say.
static void declare_memory(const CuContext *cu, const CuRecord *record,
                           Decl *field) {
  TypeSyntax *type = field->type;
  while (type->kind == TYPE_ARRAY)
    type = type->u.array.element;
  unsigned memory = held_memory(cu, record, field);
  if (type->kind != TYPE_POINTER || !memory)
    return;
  uint32_t *quals = &type->u.pointer.pointee->quals;
  if (memory == CUDA_MEMORY_SHARED)
    *quals |= QUAL_SHARED;
  else if (memory == CUDA_MEMORY_CONSTANT)
    *quals |= QUAL_CONSTANT;
  else if (memory == CUDA_MEMORY_LOCAL)
    *quals |= QUAL_LOCAL;
  else
    *quals |= QUAL_GENERIC;
}

static void add_emitted_field(CuContext *cu, CuRecord *record, uint32_t index,
                              CuDeclVec *out) {
  const CuField *field = &record->fields.data[index];
  if (field->base && !field->emitted)
    return;
  Span span = field->decl ? field->decl->span : record->decl->name_span;
  Decl *decl = cu_new_decl(cu, DECL_FIELD, NULL, span, span);
  decl->name = field->emitted;
  // Constructors assign: what is const has been looked at already.
  decl->type =
      cu_emit_type(cu, cu_stored_type(cu, cu_plain(field->type)), span);
  if (!field->name && !field->base)
    decl->name = intern_cstr(cu->names, cu_format(cu, "unnamed_%u", index));
  declare_memory(cu, record, decl);
  if (field->aligned_to)
    cu_align_decl(cu, decl, (int64_t)field->aligned_to, span);
  VEC_PUSH(cu->arena, out, decl);
}

static void add_alignment(CuContext *cu, CuRecord *record, Decl *first) {
  if (record->decl->align)
    cu_align_decl(cu, first, (int64_t)record->align_bytes,
                  record->decl->name_span);
}

void cu_name_record(CuContext *cu, CuRecord *record) {
  if (record->name)
    return;
  record->name = cu_new_name(cu, record->suffix, false);
  record->name->is_type = true;
}

static void emit_tagged(CuContext *cu, Span span) {
  while (cu->output.n_emitting == 0 && cu->output.tagged.count > 0) {
    CuRecord *record = VEC_LAST(&cu->output.tagged);
    cu->output.tagged.count--;
    cu_emit_record(cu, record, span);
  }
}

void cu_emit_record(CuContext *cu, CuRecord *record, Span span) {
  if (record->is_emitted || !cu_require_complete(cu, record->type, span))
    return;
  record->is_emitted = true;
  const CxDecl *decl = record->decl;
  cu_name_record(cu, record);
  CuDeclVec fields = {0};
  record->is_emitting = true;
  cu->output.n_emitting++;
  for (uint32_t i = 0; i < record->fields.count; i++)
    add_emitted_field(cu, record, i, &fields);
  record->is_emitting = false;
  cu->output.n_emitting--;
  if (fields.count == 0) { // C has no empty struct
    Decl *filler = cu_new_decl(cu, DECL_FIELD, NULL, decl->span, decl->span);
    filler->name = intern_cstr(cu->names, "empty");
    filler->type = cu_emit_type(cu, cu_basic(&cu->types, CU_CHAR), decl->span);
    VEC_PUSH(cu->arena, &fields, filler);
  }
  add_alignment(cu, record, fields.data[0]);
  TypeSyntax *type = cu_new_type_syntax(
      cu, record->is_union ? TYPE_UNION : TYPE_STRUCT, decl->span);
  cu_name_spelled(cu, record->name, &type->u.record.tag);
  type->u.record.tag_span = decl->name_span;
  type->u.record.is_definition = true;
  type->u.record.fields = (DeclList){fields.data, fields.count};
  Decl *made =
      cu_new_decl(cu, DECL_TYPEDEF, record->name, decl->span, decl->name_span);
  made->type = type;
  made->storage = STORAGE_TYPEDEF;
  VEC_PUSH(cu->arena, &cu->output.decls, made);
  emit_tagged(cu, span);
}
