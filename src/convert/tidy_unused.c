// SPDX-License-Identifier: Apache-2.0
// The translation declares what a kernel names in C++, such as the class of an
// operator that became a word. Kernels and variables are kept, and what they
// name.
#include "convert/convert_tidy.h"

#include "syntax/parse.h"

#include <ctype.h>
#include <string.h>

typedef struct {
  Tidy *tidy;
  Map words;     // of what is kept
  bool *is_kept; // by index of the declaration
} Marking;

static const char *tidy_unused_text_of(const Tidy *tidy, Decl *decl) {
  Text text = {.arena = tidy->arena};
  AstUnit one = *tidy->unit;
  one.decls = (DeclList){&decl, 1};
  ast_print(&one, &text);
  return text_cstr(&text);
}

static void tidy_unused_keep(Marking *m, uint32_t index) {
  const char *p =
      tidy_unused_text_of(m->tidy, m->tidy->unit->decls.data[index]);
  m->is_kept[index] = true;
  while (*p) {
    size_t n = 0;
    while (isalnum((unsigned char)p[n]) || p[n] == '_')
      n++;
    if (n > 0) {
      const char *word =
          intern_cstr(m->tidy->names, arena_strndup(m->tidy->arena, p, n));
      map_put(m->tidy->arena, &m->words, MAP_KEY(word), m);
    }
    p += n ? n : 1;
  }
}

static bool is_named(const Marking *m, const char *name) {
  return name && map_has(&m->words, MAP_KEY(name));
}

static bool tidy_unused_is_needed(const Marking *m, const Decl *decl) {
  const TypeSyntax *type = decl->type;
  bool is_type = decl->kind == DECL_TAG || decl->kind == DECL_TYPEDEF;
  if (!is_type && decl->kind != DECL_FUNCTION)
    return true;
  if (is_named(m, decl->name))
    return true;
  if (type && (type->kind == TYPE_STRUCT || type->kind == TYPE_UNION))
    return is_named(m, type->u.record.tag);
  if (!type || type->kind != TYPE_ENUM)
    return false;
  for (uint32_t i = 0; i < type->u.enumeration.enumerators.count; i++)
    if (is_named(m, type->u.enumeration.enumerators.data[i]->name))
      return true;
  return is_named(m, type->u.enumeration.tag);
}

// What is declared stands before what names it, but for classes of which only
// the tag is named.
static bool keep_more(Marking *m, const DeclList *decls) {
  bool is_more = false;
  for (uint32_t i = decls->count; i > 0; i--) {
    if (m->is_kept[i - 1] || !tidy_unused_is_needed(m, decls->data[i - 1]))
      continue;
    tidy_unused_keep(m, i - 1);
    is_more = true;
  }
  return is_more;
}

void tidy_unused(Tidy *tidy) {
  DeclList *decls = &tidy->unit->decls;
  Marking m = {.tidy = tidy};
  uint32_t n_kept = 0;
  m.is_kept = ARENA_ARRAY(tidy->arena, bool, decls->count + 1);
  while (keep_more(&m, decls)) {
  }
  for (uint32_t i = 0; i < decls->count; i++)
    if (m.is_kept[i])
      decls->data[n_kept++] = decls->data[i];
  decls->count = n_kept;
}
