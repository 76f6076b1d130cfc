// SPDX-License-Identifier: Apache-2.0
// The lines before the PTX that say what a launch must know: abi/cuda.h.
#include "codegen/nvptx/llvm_nvptx.h"

#include <inttypes.h>
#include <string.h>

#define NAME_CHARS                                                             \
  "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$"

uint32_t nv_loc(NvEmit *e, IrLocId loc) {
  for (uint32_t i = 0; i < e->locs.count; i++)
    if (e->locs.data[i] == loc)
      return i;
  VEC_PUSH(e->arena, &e->locs, loc);
  return e->locs.count - 1;
}

uint32_t nv_text(NvEmit *e, const char *text) {
  for (uint32_t i = 0; i < e->texts.count; i++)
    if (strcmp(e->texts.data[i], text) == 0)
      return i;
  VEC_PUSH(e->arena, &e->texts, text);
  return e->texts.count - 1;
}

// PTX has names of ASCII letters, digits, '_' and '$', which no other entity of
// the module may have; "_" alone and the constant WARP_SZ are none.
static bool is_free_name(const NvEmit *e, const char *name) {
  return LLVMGetNamedFunction(e->llvm, name) == NULL &&
         LLVMGetNamedGlobal(e->llvm, name) == NULL && *name &&
         strcmp(name, "_") != 0 && strcmp(name, "WARP_SZ") != 0;
}

void nv_name_entry(NvEmit *e) {
  enum { MOST_CHARS = 512 }; // assemblers must take 1024

  Text name = {.arena = e->arena};
  const char *from = e->kernel->name;
  size_t n = strspn(from, NAME_CHARS);
  while (*from && name.length < MOST_CHARS) {
    text_add_n(&name, from, n < MOST_CHARS ? n : MOST_CHARS);
    from += n;
    size_t others = strcspn(from, NAME_CHARS);
    from += others;
    if (others > 0 && *from)
      text_add_char(&name, '_');
    n = strspn(from, NAME_CHARS);
  }
  while (!is_free_name(e, text_cstr(&name)))
    text_add_char(&name, '_');
  e->entry = text_cstr(&name);
  LLVMSetValueName2(e->function, e->entry, name.length);
}

static void add_escaped(Text *out, const char *text, bool is_word) {
  for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
    if (*p == '\\' || *p == '"')
      text_printf(out, "\\%c", *p);
    else if (*p < 0x20 || *p >= 0x7f || (*p == ' ' && is_word))
      text_printf(out, "\\%03o", *p);
    else
      text_add_char(out, (char)*p);
  }
}

static void add_maps(const NvPlan *plan, Text *out) {
  for (uint32_t i = 0; i < plan->maps.count; i++) {
    const NvTensorMap *map = &plan->maps.data[i];
    const IrParam *param = &plan->kernel->params.data[map->object->param];
    text_printf(out, "// map %s %u %u %u %u", param->name, param->slot,
                map->rank, map->element, map->swizzle);
    for (uint32_t k = 0; k < map->rank; k++)
      text_printf(out, " %u", map->box[k]);
    text_add(out, "\n");
  }
}

void nv_print_header(const NvEmit *e, const char *target, Text *out) {
  const NvPlan *plan = e->plan;
  const IrKernel *kernel = e->kernel;
  const int32_t *block = kernel->block_dim, *cluster = kernel->cluster_dim;
  text_printf(out, "// heddle-cuda %d\n// kernel ", HD_CUDA_ABI_VERSION);
  add_escaped(out, kernel->name, true);
  text_printf(out, "\n// entry %s\n// target %s\n", e->entry, target);
  text_printf(out, "// slots %u\n// globals %u\n", kernel->n_slots,
              e->module->globals.count);
  text_printf(out, "// block %d %d %d\n// cluster %d %d %d\n", block[0],
              block[1], block[2], cluster[0], cluster[1], cluster[2]);
  text_printf(out, "// shared %" PRIu64 " %d\n// flags %u\n",
              plan->shared_bytes, plan->has_dynamic, plan->flags);
  text_printf(out, "// workspace %" PRIu64 " %" PRIu64 "\n",
              plan->workspace_bytes, plan->workspace_block_bytes);
  add_maps(plan, out);
  for (uint32_t i = 0; i < e->locs.count; i++) {
    text_printf(out, "// loc %u ", i);
    add_escaped(out, ir_loc_text(e->module, e->locs.data[i], e->arena), false);
    text_add(out, "\n");
  }
  for (uint32_t i = 0; i < e->texts.count; i++) {
    text_printf(out, "// text %u ", i);
    add_escaped(out, e->texts.data[i], false);
    text_add(out, "\n");
  }
  text_add(out, "// end\n");
}
