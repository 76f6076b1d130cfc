// SPDX-License-Identifier: Apache-2.0
// Pictures of layouts: who holds what, or where it lies.
#ifndef HD_TILE_LAYOUT_LAYOUT_DRAW_H
#define HD_TILE_LAYOUT_LAYOUT_DRAW_H

#include "base/text.h"
#include "tile/layout/layout_form.h"

typedef struct {
  const char *title; // one line
  TileLayout layout; // complete
  bool is_memory;    // of offsets
  uint32_t element_bits;
} LayoutPicture;

// The bits of each place, then a table of the elements: of registers
// "thread:register" of the first holder, of offsets the offset in bytes, or in
// elements of fewer bits. Of large tiles it shows the first rows, columns and
// planes, and says so.
void layout_draw_text(const LayoutPicture *picture, Text *out);

// The same tables as one SVG document, coloured by thread or by bank.
void layout_draw_svg(const LayoutPicture *pictures, uint32_t n, Text *out);

// What a conversion takes, or an access to shared memory if one of both is a
// layout of offsets. In the words of layout_convert's and layout_stage's
// headers. NULL, or why there is none, in memory of out's arena.
const char *layout_draw_conversion(const LayoutPicture *from,
                                   const LayoutPicture *to, Text *out);

// A declaration (layout_parse.h) of a tile that n_threads hold, or of memory:
// its picture; of two layouts both, and the conversion. NULL, or what is wrong,
// in memory of out's arena.
const char *layout_draw_declaration(const char *declaration, uint32_t n_threads,
                                    bool is_svg, Text *out);

#endif
