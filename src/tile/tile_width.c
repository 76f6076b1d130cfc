// SPDX-License-Identifier: Apache-2.0
// How many lanes a tile kernel has where its author leaves it open.
#include "tile/tile.h"

enum {
  LANE_WORDS = 64, // a lane has 255 registers, and several tiles are alive
  SUM_WORDS = 128, // of one product, whose operands are few words at a time
  WORD_BYTES = 4,
};

typedef struct {
  const IrModule *module;
  uint64_t words; // registers of the largest tile yet
  uint64_t sums;  // and of the largest sums of products
  uint32_t n_products;
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
  if (node->op == IR_TILE_MMA) {
    width->sums = words > width->sums ? words : width->sums;
    width->n_products++;
  }
  return true;
}

uint32_t tile_open_lanes(const IrKernel *kernel, uint32_t least,
                         uint32_t most) {
  Width width = {.module = kernel->module};
  IrRegion body = kernel->body;
  ir_walk(&body, width_node, &width);
  bool is_product = width.n_products == 1 && width.sums == width.words;
  uint64_t lane_words = is_product ? SUM_WORDS : LANE_WORDS;
  uint32_t lanes = least;
  while (lanes * 2 <= most && lanes * lane_words < width.words)
    lanes *= 2;
  return lanes;
}
