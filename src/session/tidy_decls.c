// SPDX-License-Identifier: Apache-2.0
// The translation declares one variable a statement; those that were written as
// one declaration become one again.
#include "session/convert_tidy.h"

#include <string.h>

enum { LONGEST = 2000 }; // bytes from one name to the next

static bool is_number(const TypeSyntax *type) {
  return type->kind == TYPE_BUILTIN || type->kind == TYPE_NAMED;
}

static bool is_same_type(const TypeSyntax *a, const TypeSyntax *b) {
  if (a->kind != b->kind || a->quals != b->quals || !is_number(a))
    return false;
  return a->kind == TYPE_BUILTIN ? a->u.builtin == b->u.builtin
                                 : a->u.named == b->u.named;
}

static bool is_plain(const Stmt *stmt) {
  return stmt->kind == STMT_DECL && stmt->u.decls.count > 0 &&
         stmt->u.decls.data[0]->kind == DECL_VAR &&
         stmt->u.decls.data[0]->type && stmt->span.end > stmt->span.begin;
}

// The text between the names is that of one declaration.
static bool is_written_as_one(const Tidy *tidy, const Decl *a, const Decl *b) {
  size_t begin = a->name_span.end, end = b->name_span.begin;
  return tidy->unit->source && a->name_span.begin < begin && begin < end &&
         end - begin < LONGEST &&
         !memchr(source_text(tidy->unit->source) + begin, ';', end - begin);
}

static bool are_one(const Tidy *tidy, const Stmt *first, const Stmt *second) {
  if (!is_plain(first) || !is_plain(second) || second->u.decls.count != 1)
    return false;
  const Decl *a = first->u.decls.data[0], *b = second->u.decls.data[0];
  const Decl *last = first->u.decls.data[first->u.decls.count - 1];
  return a->storage == b->storage && a->n_aligns == 0 && b->n_aligns == 0 &&
         is_same_type(a->type, b->type) && is_written_as_one(tidy, last, b);
}

static void append(Arena *arena, Stmt *first, const Stmt *second) {
  DeclList *decls = &first->u.decls;
  Decl **data = ARENA_ARRAY(arena, Decl *, decls->count + 1);
  Decl *added = arena_copy(arena, second->u.decls.data[0], sizeof *added);
  for (uint32_t i = 0; i < decls->count; i++)
    data[i] = decls->data[i];
  added->type = decls->data[0]->type; // which says that they are one
  data[decls->count] = added;
  *decls = (DeclList){data, decls->count + 1};
}

void tidy_join(Tidy *tidy, StmtList *items) {
  uint32_t n_kept = 0;
  for (uint32_t i = 0; i < items->count; i++) {
    if (n_kept > 0 && are_one(tidy, items->data[n_kept - 1], items->data[i]))
      append(tidy->arena, items->data[n_kept - 1], items->data[i]);
    else
      items->data[n_kept++] = items->data[i];
  }
  items->count = n_kept;
}
