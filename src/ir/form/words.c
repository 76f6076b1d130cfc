// SPDX-License-Identifier: Apache-2.0
#include "ir/form/words.h"
#include <string.h>

const char *const ir_words_type[] = {
#define IR_TYPE(id, text, size_bytes, bits) text,
#include "ir/types.def"
#undef IR_TYPE
    NULL};

const char *const ir_words_group[] = {
#define IR_GROUP(id, text) text,
#include "ir/groups.def"
#undef IR_GROUP
    NULL};

const char *const ir_words_level[] = {
#define LEVEL(id, text, doc) text,
#include "ir/levels.def"
#undef LEVEL
    NULL};

const char *const ir_words_host[] = {
#define HOST_OP(id, text, least, most, n_objects, rule) text,
#include "ir/host.def"
#undef HOST_OP
    NULL};

const IrHostInfo ir_host_info[HOST_OP_COUNT] = {
#define HOST_OP(id, text, least, most, n_objects, rule)                        \
  {least, most, n_objects, HOST_RULE_##rule},
#include "ir/host.def"
#undef HOST_OP
};

const char *const ir_words_space[] = {"global",   "shared",  "local",
                                      "constant", "generic", NULL};
const char *const ir_words_object[] = {"array", "mbarrier", "pipeline", NULL};
const char *const ir_words_layout[] = {"undecided", "row_major",  "swizzle32",
                                       "swizzle64", "swizzle128", "linear",
                                       NULL};
const char *const ir_words_bounds[] = {"none", "zero", "drop", NULL};
const char *const ir_words_order[] = {"plain",   "relaxed", "acquire",
                                      "release", "acq_rel", NULL};
const char *const ir_words_scope[] = {"block", "cluster", "device", "system",
                                      NULL};
const char *const ir_words_hint[] = {"none", "cached", "streaming", "last_use",
                                     NULL};
const char *const ir_words_rmw[] = {"add",  "sub",  "smin", "smax", "umin",
                                    "umax", "and",  "or",   "xor",  "inc",
                                    "dec",  "exch", NULL};
const char *const ir_words_combine[] = {"add",  "mul",  "smin", "smax",
                                        "umin", "umax", "fmin", "fmax",
                                        "and",  "or",   "xor",  NULL};
const char *const ir_words_join[] = {"open", "kept", "same_owner", "disjoint",
                                     NULL};
const char *const ir_words_flag[] = {"nsw",    "fast",     "claim",
                                     "oblige", "unsigned", "own",
                                     "spec",   "inside",   NULL};
const char *const ir_words_param[] = {"scalar", "struct", "array", "pointer",
                                      NULL};
const char *const ir_words_require[] = {"host", "contents", "assume", NULL};
const char *const ir_words_fact[] = {"aligned16", "stride16", "dense",
                                     "small",     "long",     NULL};

int ir_word_find(const char *const *words, const char *text, size_t length) {
  for (int i = 0; words[i]; i++)
    if (strlen(words[i]) == length && memcmp(words[i], text, length) == 0)
      return i;
  return -1;
}
