// SPDX-License-Identifier: Apache-2.0
// tile_assert: each element is tested where it is computed.
#include "tile/tile_parts.h"

static void tile_assert_element(Lower *t, const TileIndex *index,
                                void *context) {
  const IrNode *node = context;
  IrNode *args[1 + IR_MAX_TILE_RANK] = {element_of(t, node->args[0], index)};
  for (uint32_t i = 0; i < index->rank; i++)
    args[1 + i] = index->at[i];
  IrNode *made = put_node_of(t, IR_ASSERT, put_void, args, 1 + index->rank);
  made->u.text.text = node->u.text.text;
}

static void tile_assert_all(Lower *t, void *context) {
  const IrNode *node = context;
  IrTileShape shape = tile_shape_of_node(t, node->args[0]);
  nest_over(t, &shape, tile_assert_element, context);
}

void tile_emit_assert(Lower *t, const IrNode *node) {
  const IrNode *root = node->args[0];
  section_emit(t, &root, 1, tile_assert_all, (void *)(uintptr_t)node);
  put_sync(t);
}
