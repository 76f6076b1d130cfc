// SPDX-License-Identifier: Apache-2.0
// The lines before the PTX that say what a launch must know: abi/cuda.h.
#include "codegen/nvptx/llvm_nvptx.h"

#include <inttypes.h>
#include <string.h>

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

static void add_escaped(Text *out, const char *text) {
  for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
    if (*p == '\\' || *p == '"')
      text_printf(out, "\\%c", *p);
    else if (*p < 0x20 || *p >= 0x7f)
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
  add_escaped(out, kernel->name);
  text_printf(out, "\n// target %s\n", target);
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
    add_escaped(out, ir_loc_text(e->module, e->locs.data[i], e->arena));
    text_add(out, "\n");
  }
  for (uint32_t i = 0; i < e->texts.count; i++) {
    text_printf(out, "// text %u ", i);
    add_escaped(out, e->texts.data[i]);
    text_add(out, "\n");
  }
  text_add(out, "// end\n");
}
