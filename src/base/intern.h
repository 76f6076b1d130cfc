// SPDX-License-Identifier: Apache-2.0
// Interned strings: equal text, equal pointer. Strings live as long as the
// interner's arena and are NUL-terminated.
#ifndef HD_BASE_INTERN_H
#define HD_BASE_INTERN_H

#include "base/arena.h"

typedef struct Interner Interner;

// The interner lives in `arena`; there is nothing to free.
Interner *intern_new(Arena *arena);
const char *intern_text(Interner *interner, const char *text, size_t length);
const char *intern_cstr(Interner *interner, const char *text);

#endif
