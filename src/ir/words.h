// SPDX-License-Identifier: Apache-2.0
// The words of the text form for the values of the IR's enumerations, indexed
// by them and ended by NULL.
#ifndef HD_IR_WORDS_H
#define HD_IR_WORDS_H

#include "ir/ir.h"
#include <stddef.h>

extern const char *const ir_words_type[];
extern const char *const ir_words_space[];
extern const char *const ir_words_group[];
extern const char *const ir_words_host[];
extern const char *const ir_words_object[];
extern const char *const ir_words_layout[];
extern const char *const ir_words_bounds[];
extern const char *const ir_words_order[];
extern const char *const ir_words_scope[];
extern const char *const ir_words_hint[];
extern const char *const ir_words_rmw[];
extern const char *const ir_words_join[];
extern const char *const ir_words_flag[]; // by bit
extern const char *const ir_words_param[];
extern const char *const ir_words_require[];
extern const char *const ir_words_fact[]; // by bit

// Index of the word in the table, or -1.
int ir_word_find(const char *const *words, const char *text, size_t length);

// Operands that a host operation has.
extern const uint8_t ir_host_n_args[HOST_OP_COUNT];

#endif
