// SPDX-License-Identifier: Apache-2.0
#include "session/embed.h"

#include "base/float_bits.h"
#include "cuda/cuda.h"
#include "session/kernel_source.h"
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool embeds_are_given(const HdEmbed *embeds, int n_embeds) {
  for (int i = 0; i < n_embeds; i++)
    if (!embeds || !embeds[i].name || !embeds[i].text)
      return false;
  return true;
}

static const IndexParam *embed_find_param(const IndexKernel *kernel,
                                          const char *name) {
  for (uint32_t i = 0; i < kernel->n_params; i++) {
    if (strcmp(kernel->params[i].name, name) == 0)
      return &kernel->params[i];
  }
  return NULL;
}

static bool embed_parse_integer(const char *text, SpecValue *out) {
  bool is_negative = *text == '-';
  const char *digits = text + is_negative;
  bool is_binary = digits[0] == '0' && (digits[1] == 'b' || digits[1] == 'B');
  char *end;
  errno = 0;
  if (!isdigit((unsigned char)*digits))
    return false;
  unsigned long long value =
      strtoull(digits + (is_binary ? 2 : 0), &end, is_binary ? 2 : 0);
  if (errno || *end || (is_negative && value > (unsigned long long)1 << 63))
    return false;
  out->kind = is_negative ? SPEC_SIGNED : SPEC_UNSIGNED;
  if (is_negative)
    out->u.i = (int64_t)(0 - value);
  else
    out->u.u = value;
  return true;
}

static bool parse_value(const char *text, SpecValue *out) {
  if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0) {
    out->kind = SPEC_UNSIGNED;
    out->u.u = text[0] == 't';
    return true;
  }
  if (embed_parse_integer(text, out))
    return true;
  out->kind = SPEC_FLOAT;
  return float_parse(text, &out->u.f);
}

static bool embed_is_repeated(const HdEmbed *embeds, int index) {
  for (int i = 0; i < index; i++)
    if (strcmp(embeds[i].name, embeds[index].name) == 0)
      return true;
  return false;
}

HdStatus embed_values(HdProgram *program, const IndexKernel *kernel,
                      const HdEmbed *embeds, int n_embeds, SpecValues *out) {
  SpecValue *values =
      ARENA_ARRAY(program->arena, SpecValue, (size_t)n_embeds + 1);
  for (int i = 0; i < n_embeds; i++) {
    const IndexParam *param = embed_find_param(kernel, embeds[i].name);
    // Names must be the parser's own for sema to find them.
    values[i].name = intern_cstr(program->names, embeds[i].name);
    bool is_block = cuda_is_block_param(embeds[i].name);
    if (!param && is_block && !program->kernels->policy.leaves_block_open)
      return session_fail(program->session, HD_ERROR_LAUNCH,
                          "kernel '%s' states the number of threads in a "
                          "block: only kernels in CUDA C leave it open",
                          kernel->name);
    if (!param || (param->kind != INDEX_EMBEDDED && param->kind != INDEX_TYPE))
      return session_fail(program->session, HD_ERROR_LAUNCH,
                          "kernel '%s' has no constexpr parameter '%s'",
                          kernel->name, embeds[i].name);
    if (embed_is_repeated(embeds, i))
      return session_fail(program->session, HD_ERROR_LAUNCH,
                          "constexpr parameter '%s' is given twice",
                          embeds[i].name);
    if (param->kind == INDEX_TYPE) {
      values[i].kind = SPEC_TYPE;
      values[i].u.type = intern_cstr(program->names, embeds[i].text);
    } else if (!parse_value(embeds[i].text, &values[i])) {
      return session_fail(program->session, HD_ERROR_LAUNCH,
                          "constexpr parameter '%s': '%s' is not a number",
                          embeds[i].name, embeds[i].text);
    }
  }
  *out = (SpecValues){values, (uint32_t)n_embeds};
  return HD_OK;
}
