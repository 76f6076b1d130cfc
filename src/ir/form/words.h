// SPDX-License-Identifier: Apache-2.0
// The words of the text form for the values of the IR's enumerations, indexed
// by them and ended by NULL.
#ifndef HD_IR_FORM_WORDS_H
#define HD_IR_FORM_WORDS_H

#include "ir/form/ir.h"
#include <stddef.h>

extern const char *const ir_words_type[];
extern const char *const ir_words_space[];
extern const char *const ir_words_group[];
extern const char *const ir_words_level[];
extern const char *const ir_words_host[];
extern const char *const ir_words_object[];
extern const char *const ir_words_layout[];
extern const char *const ir_words_bounds[];
extern const char *const ir_words_order[];
extern const char *const ir_words_scope[];
extern const char *const ir_words_hint[];
extern const char *const ir_words_rmw[];
extern const char *const ir_words_combine[];
extern const char *const ir_words_join[];
extern const char *const ir_words_flag[]; // by bit
extern const char *const ir_words_param[];
extern const char *const ir_words_require[];
extern const char *const ir_words_fact[]; // by bit

// Index of the word in the table, or -1.
int ir_word_find(const char *const *words, const char *text, size_t length);

// What operands a host operation takes and gives: the rules of host.def.
typedef enum {
  HOST_RULE_LEAF,
  HOST_RULE_INTEGER,
  HOST_RULE_NUMBER,
  HOST_RULE_WHOLE,
  HOST_RULE_CHOICE,
  HOST_RULE_FLOAT,
  HOST_RULE_PREDICATE,
  HOST_RULE_CONTENTS,
} IrHostRule;

typedef struct {
  uint8_t least, most; // operands
  uint8_t n_objects;
  uint8_t rule; // IrHostRule
} IrHostInfo;

extern const IrHostInfo ir_host_info[HOST_OP_COUNT];

#endif
