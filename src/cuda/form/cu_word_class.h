// SPDX-License-Identifier: Apache-2.0
// Classes around one word of 64 bits that is an mbarrier.
#ifndef HD_CUDA_FORM_CU_WORD_CLASS_H
#define HD_CUDA_FORM_CU_WORD_CLASS_H

#include "cuda/form/cu.h"

// The class, whose fields are known, is an mbarrier if its word is one.
void cu_note_word_class(CuContext *cu, CuRecord *record);

bool cu_is_word_class(const CuType *type);
// The class and its bases are such classes (keys of `decls`), if it is one
// where all are.
void cu_choose_word_class(Arena *arena, Map *decls, const CuType *type);

// The word, or the base that has it, of an object of such a class.
CuValue cu_word_of(CuContext *cu, CuValue object, const CuField *field,
                   Span span);

#endif
