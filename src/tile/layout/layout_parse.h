// SPDX-License-Identifier: Apache-2.0
// Declarations of tiles with a layout, as text:
//
//   declaration = [ 'tile' | 'shared' ] type [ name ] { '[' number ']' } with
//   with = 'layout' '(' layout ')' [ '->' 'layout' '(' layout ')' ]
//   layout = name [ '(' number { ',' number } ')' ]
//          | place '(' bit { ',' bit } ')' { place '(' … ')' }
//   place = 'reg' | 'lane' | 'warp' | 'block'
//   bit = number | '(' number { ',' number } ')' | 'odd' '(' number ')'
#ifndef HD_TILE_LAYOUT_LAYOUT_PARSE_H
#define HD_TILE_LAYOUT_LAYOUT_PARSE_H

#include "tile/layout/layout_name.h"

typedef struct {
  const char *text;
  LayoutTile tile; // without n_threads
  LayoutSpec layout;
  const char *layout_text;
  bool is_converted; // there is an arrow
  LayoutSpec target;
  const char *target_text;
} LayoutDeclaration;

// NULL, or what is wrong with the text, which must outlive the result. Both it
// and the texts of the result are of the arena.
const char *layout_parse(Arena *arena, const char *text,
                         LayoutDeclaration *out);

#endif
