// SPDX-License-Identifier: Apache-2.0
#include "cuda/form/cu_index.h"

const char *cu_using_name(const CxDecl *decl) {
  return decl->u.target->parts[decl->u.target->n_parts - 1].name;
}

bool cu_is_outside_member(const CxDecl *decl) {
  return decl->full && decl->full->n_parts > 1;
}

CxDecl *cu_tag_in_type(const CxDecl *decl) {
  const CxType *type = decl->type;
  while (type && (type->kind == CX_TYPE_POINTER || type->kind == CX_TYPE_ARRAY))
    type =
        type->kind == CX_TYPE_POINTER ? type->u.inner : type->u.array.element;
  return type && type->kind == CX_TYPE_DEFINITION ? type->u.definition : NULL;
}

static void index_add(Arena *arena, CuIndex *index, const char *name,
                      CxDecl *decl) {
  if (!name)
    return;
  CuIndexed *known = map_get(&index->names, MAP_KEY(name));
  if (!known) {
    known = ARENA_NEW(arena, CuIndexed);
    map_put(arena, &index->names, MAP_KEY(name), known);
  }
  if (known->count == 0 || known->data[known->count - 1] != decl)
    VEC_PUSH(arena, known, decl);
}

// `decl` leads to the class or enumeration `tag`.
static void add_tag(Arena *arena, CuIndex *index, const CxDecl *tag,
                    CxDecl *decl) {
  index_add(arena, index, tag->name, decl);
  if (tag->kind != CX_DECL_ENUM || tag->u.enumeration.is_class)
    return;
  for (uint32_t i = 0; i < tag->u.enumeration.enumerators.count; i++)
    index_add(arena, index, tag->u.enumeration.enumerators.data[i]->name, decl);
}

static void add_typed(Arena *arena, CuIndex *index, CxDecl *decl) {
  const CxDecl *tag = cu_tag_in_type(decl);
  if (tag)
    add_tag(arena, index, tag, decl);
  if (cu_is_outside_member(decl))
    VEC_PUSH(arena, &index->others, decl);
  else
    index_add(arena, index, decl->name, decl);
}

static CuIndex *cuda_cu_index_of(Arena *arena, CuIndex *index,
                                 const CxDecl *decl) {
  CuIndex *known =
      decl->name ? map_get(&index->namespace_names, MAP_KEY(decl->name)) : NULL;
  if (known)
    return known;
  CuIndex *inner = ARENA_NEW(arena, CuIndex);
  VEC_PUSH(arena, &index->namespaces, inner);
  if (decl->name)
    map_put(arena, &index->namespace_names, MAP_KEY(decl->name), inner);
  return inner;
}

static void index_add_all(Arena *arena, CuIndex *index,
                          const CxDeclList *decls);

static void index_add_namespace(Arena *arena, CuIndex *index, CxDecl *decl) {
  CuIndex *inner = cuda_cu_index_of(arena, index, decl);
  VEC_PUSH(arena, &inner->parts, decl);
  index_add_all(arena, inner, &decl->u.space.decls);
}

static void add_decl(Arena *arena, CuIndex *index, CxDecl *decl) {
  switch (decl->kind) {
  case CX_DECL_NAMESPACE: index_add_namespace(arena, index, decl); return;
  case CX_DECL_UNKNOWN:
    for (uint32_t i = 0; i < decl->u.unknown.n_names; i++)
      index_add(arena, index, decl->u.unknown.names[i], decl);
    return;
  case CX_DECL_USING:
    index_add(arena, index, cu_using_name(decl), decl);
    return;
  case CX_DECL_ENUM: add_tag(arena, index, decl, decl); return;
  case CX_DECL_RECORD:
    if (!cu_is_outside_member(decl))
      index_add(arena, index, decl->name, decl);
    return;
  case CX_DECL_ALIAS:
  case CX_DECL_VAR: add_typed(arena, index, decl); return;
  case CX_DECL_FUNCTION:
    if (!cu_is_outside_member(decl)) {
      index_add(arena, index, decl->name, decl);
      return;
    }
    VEC_PUSH(arena, &index->others, decl);
    return;
  case CX_DECL_NAMESPACE_ALIAS:
    index_add(arena, index, decl->name, decl);
    return;
  case CX_DECL_USING_DIRECTIVE:
  case CX_DECL_FRIEND: VEC_PUSH(arena, &index->others, decl); return;
  case CX_DECL_FIELD:
  case CX_DECL_ENUMERATOR:
  case CX_DECL_PARAM:
  case CX_DECL_TEMPLATE_PARAM:
  case CX_DECL_STATIC_ASSERT:
  case CX_DECL_INSTANTIATION:
  case CX_DECL_BINDING: return;
  }
}

static void index_add_all(Arena *arena, CuIndex *index,
                          const CxDeclList *decls) {
  for (uint32_t i = 0; i < decls->count; i++)
    add_decl(arena, index, decls->data[i]);
}

const CuIndex *cu_index_new(Arena *arena, const CxDeclList *decls) {
  CuIndex *index = ARENA_NEW(arena, CuIndex);
  index_add_all(arena, index, decls);
  return index;
}

const CuIndexed *cu_indexed(const CuIndex *index, const char *name) {
  return map_get(&index->names, MAP_KEY(name));
}
