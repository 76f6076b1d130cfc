// SPDX-License-Identifier: Apache-2.0
// Texts speak to users in the words of the language that their program is in.
// The words are rows of vocabulary.def; who renders a text passes the language.
#ifndef HD_DIAG_VOCABULARY_H
#define HD_DIAG_VOCABULARY_H

#include "base/arena.h"

typedef enum {
  LANGUAGE_HEDDLE,
  LANGUAGE_CUDA, // CUDA C++
} Language;

typedef enum {

#define WORD(id, heddle, cuda) WORD_##id,
#include "diag/vocabulary.def"
#undef WORD
  WORD_COUNT
} VocabularyWord;

// The row of that name, which need not end with 0; WORD_COUNT: there is none.
VocabularyWord vocabulary_find(const char *name, size_t length);

// Without arguments filled in. NULL: the language has no word for it.
const char *vocabulary_word(Language language, VocabularyWord word);

// In `arena`, with the arguments of {0} and {1}; those that the word doesn't
// have may be NULL.
const char *vocabulary_text(Arena *arena, Language language,
                            VocabularyWord word, const char *first,
                            const char *second);

#endif
