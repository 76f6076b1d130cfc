// SPDX-License-Identifier: Apache-2.0
// How many lanes a tile kernel has where its author leaves it open.
#include "tile/tile.h"

enum {
  LANE_WORDS = 64, // a lane has 255 registers, and several tiles are alive
  WORD_BYTES = 4,
};

typedef struct {
  const IrModule *module;
  uint64_t words; // registers of the largest tile yet
} Width;

static bool width_node(IrNode *node, void *context) {
  Width *width = context;
  if (!ir_is_tile(node->type))
    return true;
  uint32_t bytes =
      ir_type_size(width->module, ir_element_type(width->module, node->type));
  uint64_t each = bytes > WORD_BYTES ? bytes / WORD_BYTES : 1;
  uint64_t words = each * ir_tile_elements(width->module, node->type);
  width->words = words > width->words ? words : width->words;
  return true;
}

uint32_t tile_open_lanes(const IrKernel *kernel, uint32_t least,
                         uint32_t most) {
  Width width = {.module = kernel->module};
  IrRegion body = kernel->body;
  ir_walk(&body, width_node, &width);
  uint32_t lanes = least;
  while (lanes * 2 <= most && (uint64_t)lanes * LANE_WORDS < width.words)
    lanes *= 2;
  return lanes;
}
