// SPDX-License-Identifier: Apache-2.0
// Names of macros for a printer of trees, which don't have them: Note [Names
// of macros].
#ifndef HD_SYNTAX_AST_MACROS_H
#define HD_SYNTAX_AST_MACROS_H

#include "diag/source.h"

typedef struct AstMacros AstMacros;

// Those that the file itself defines as numbers, and Heddle's own.
AstMacros *ast_macros_find(Arena *arena, SourceText *source);
// Names in this text, outside of comments, are none of macros.
void ast_macros_avoid(AstMacros *macros, const char *text);

// Whether a macro stood at the span.
bool ast_macros_may_be(AstMacros *macros, Span span);
// Its name, which counts as used, if `printed` is what its body says; else
// NULL. *is_single: needs no parentheses.
const char *ast_macros_name(AstMacros *macros, Span span, const char *printed,
                            bool *is_single);

// `#define name body`, in that line of the file, or in a header of Heddle's.
typedef struct {
  const char *name, *body;
  const char *header; // or NULL
  uint32_t line;
} AstDefinition;

// The used ones in order, beginning with index 0; gives the next index, 0:
// there is no more.
uint32_t ast_macros_next(AstMacros *macros, uint32_t index, AstDefinition *out);

#endif
