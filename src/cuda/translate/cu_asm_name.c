// SPDX-License-Identifier: Apache-2.0
// From the name of an instruction to the function of the prelude's ptx_*.h.
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_tree.h"
#include "cuda/translate/cu_asm_parts.h"

#include <string.h>

enum { NONE = -1, RELAXED = 0, ACQUIRE = 2, RELEASE = 3, ACQ_REL = 4 };

// As __nv_atomic_… takes them.
typedef struct {
  int order, scope;
} Ordering;

static bool asm_name_is_word(const char *word, size_t length,
                             const char *text) {
  return strlen(text) == length && memcmp(word, text, length) == 0;
}

static bool begins_with_one(const char *op, const char *const *words) {
  for (; *words; words++)
    if (strncmp(op, *words, strlen(*words)) == 0)
      return true;
  return false;
}

static bool is_access(const char *op) {
  static const char *const accesses[] = {"ld.",  "st.",       "atom.",
                                         "red.", "prefetch.", NULL};
  return begins_with_one(op, accesses);
}

// Spaces and hints of an instruction that accesses memory; of those for
// mbarriers orders and scopes, which are never weaker in Heddle C.
static bool is_left_out(const char *op, const char *word, size_t length) {
  static const char *const others[] = {
      "mbarrier.", "cp.async", "fence.proxy", "mapa.", "createpolicy.", NULL};
  static const char *const hints[] = {"shared", "global", "L1::", "L2::", NULL};
  static const char *const orders[] = {"release.cta",
                                       "acquire.cta",
                                       "relaxed.cta",
                                       "cta.",
                                       "release.cluster",
                                       "acquire.cluster",
                                       "relaxed.cluster",
                                       "cluster.",
                                       NULL};
  if (is_access(op))
    return asm_name_is_word(word, length, "global") ||
           asm_name_is_word(word, length, "shared") ||
           asm_name_is_word(word, length, "weak") ||
           asm_name_is_word(word, length, "noftz") ||
           memchr(word, ':', length) != NULL;
  return begins_with_one(op, others) &&
         (begins_with_one(word, hints) ||
          (strncmp(op, "mbarrier.", 9) == 0 && begins_with_one(word, orders)));
}

static bool asm_name_take_word(const char *word, size_t length, Ordering *out) {
  static const struct {
    const char *word;
    Ordering is;
  } words[] = {{"relaxed", {RELAXED, NONE}}, {"mmio", {RELAXED, NONE}},
               {"acquire", {ACQUIRE, NONE}}, {"release", {RELEASE, NONE}},
               {"acq_rel", {ACQ_REL, NONE}}, {"sys", {NONE, 0}},
               {"gpu", {NONE, 1}},           {"cta", {NONE, 2}},
               {"cluster", {NONE, 4}}};

  for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
    if (!asm_name_is_word(word, length, words[i].word))
      continue;
    if (words[i].is.order != NONE)
      out->order = words[i].is.order;
    if (words[i].is.scope != NONE)
      out->scope = words[i].is.scope;
    return true;
  }
  return false;
}

static void asm_name_add_word(Text *text, const char *word, size_t length) {
  if (text->length)
    text_add_char(text, '_');
  for (size_t i = 0; i < length; i++)
    if (word[i] != ':')
      text_add_char(text, word[i]);
    else if (word[i + 1] != ':')
      text_add_char(text, '_');
}

// ld.global.nc.L1::no_allocate.f32 is ld_nc_f32,
// atom.global.acq_rel.gpu.add.u32 is atom_ordered_add_u32<4, 1>.
const char *cu_asm_function_name(CuContext *cu, const char *op) {
  Ordering ordering = {NONE, NONE};
  Text rest = {.arena = cu->arena};
  const char *first = op;
  size_t n_first = strcspn(op, ".");
  for (op += n_first + (op[n_first] == '.'); *op;) {
    size_t length = strcspn(op, ".");
    if (!is_left_out(first, op, length) &&
        !(is_access(first) && asm_name_take_word(op, length, &ordering)))
      asm_name_add_word(&rest, op, length);
    op += length + (op[length] == '.');
  }
  bool is_ordered = ordering.order != NONE || ordering.scope != NONE;
  const char *words = rest.length ? text_cstr(&rest) : "";
  const char *name =
      cu_format(cu, "%.*s%s%s%s", (int)n_first, first,
                is_ordered ? "_ordered" : "", *words ? "_" : "", words);
  if (!is_ordered)
    return name;
  return cu_format(cu, "%s<%d, %d>", name,
                   ordering.order == NONE ? RELAXED : ordering.order,
                   ordering.scope == NONE ? 1 : ordering.scope);
}
