// SPDX-License-Identifier: Apache-2.0
#include "diag/vocabulary.h"

#include "base/panic.h"
#include "base/text.h"

#include <string.h>

static const char *const words[WORD_COUNT][2] = {
#define WORD(id, heddle, cuda) [WORD_##id] = {heddle, cuda},
#include "diag/vocabulary.def"
#undef WORD
};

static const char *const names[WORD_COUNT] = {
#define WORD(id, heddle, cuda) [WORD_##id] = #id,
#include "diag/vocabulary.def"
#undef WORD
};

VocabularyWord vocabulary_find(const char *name, size_t length) {
  int row = 0;
  while (row < WORD_COUNT && (strlen(names[row]) != length ||
                              memcmp(names[row], name, length) != 0))
    row++;
  return (VocabularyWord)row;
}

const char *vocabulary_word(Language language, VocabularyWord word) {
  HD_ASSERT(word < WORD_COUNT && language <= LANGUAGE_CUDA);
  return words[word][language];
}

const char *vocabulary_text(Arena *arena, Language language,
                            VocabularyWord word, const char *first,
                            const char *second) {
  HD_ASSERT(vocabulary_word(language, word)); // the language has one
  Text out = {.arena = arena};
  for (const char *at = words[word][language]; *at;) {
    bool is_first = strncmp(at, "{0}", strlen("{0}")) == 0;
    if (is_first || strncmp(at, "{1}", strlen("{1}")) == 0) {
      text_add(&out, is_first ? first : second);
      at += strlen("{0}");
    } else {
      text_add_char(&out, *at++);
    }
  }
  return text_cstr(&out);
}
