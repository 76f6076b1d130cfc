// SPDX-License-Identifier: Apache-2.0
// Layouts as SVG: a rectangle for each element, its colour the thread's or the
// bank's.
#include "tile/layout/layout_cell.h"

enum {
  CELL_WIDTH = 44, // pixels
  CELL_HEIGHT = 18,
  MARGIN = 48,
  TITLE_HEIGHT = 28,
};

// A light colour of a colour wheel with `n` parts, as 0xRRGGBB.
static uint32_t wheel_colour(uint32_t i, uint32_t n) {
  enum { LIGHT = 150, RANGE = 105 };

  uint32_t colour = 0;
  for (uint32_t k = 0; k < 3; k++) { // each is a hill a third of the wheel on
    uint32_t at = (i * 360 / n + 120 * k) % 360;
    uint32_t height = at < 120 ? at : at < 240 ? 240 - at : 0;
    colour = colour << 8 | (LIGHT + height * RANGE / 120);
  }
  return colour;
}

static uint32_t cell_colour(const LayoutTable *table,
                            const LayoutPlace *place) {
  const LayoutPicture *picture = table->picture;
  if (picture->is_memory) {
    uint64_t bit = (uint64_t)place->of[PLACE_OFFSET] * picture->element_bits;
    return wheel_colour(bit / 32 % 32, 32);
  }
  // Neighbouring threads have colours that are far apart.
  return wheel_colour(picture_thread(&picture->layout, place) * 11 % 32, 32);
}

static void svg_text(Text *out, uint32_t x, uint32_t y, const char *anchor,
                     const char *words) {
  text_printf(out, "<text x=\"%u\" y=\"%u\" text-anchor=\"%s\">", x, y, anchor);
  for (; *words; words++) {
    if (*words == '<' || *words == '&')
      text_add(out, *words == '<' ? "&lt;" : "&amp;");
    else
      text_add_char(out, *words);
  }
  text_add(out, "</text>\n");
}

static void svg_cells(const LayoutTable *table, uint32_t plane, uint32_t top,
                      Arena *scratch, Text *out) {
  for (uint32_t r = 0; r < table->rows; r++) {
    uint32_t y = top + CELL_HEIGHT * (r + 1);
    svg_text(out, MARGIN - 6, y + 13, "end", arena_printf(scratch, "%u", r));
    for (uint32_t c = 0; c < table->columns; c++) {
      LayoutPlace place = table_place(table, plane, r, c);
      uint32_t x = MARGIN + CELL_WIDTH * c;
      text_printf(out,
                  "<rect x=\"%u\" y=\"%u\" width=\"%d\" height=\"%d\" "
                  "fill=\"#%06x\"/>\n",
                  x, y, CELL_WIDTH, CELL_HEIGHT, cell_colour(table, &place));
      svg_text(out, x + CELL_WIDTH / 2, y + 13, "middle",
               table_cell(scratch, table, &place));
    }
  }
}

// How high it is.
static uint32_t svg_plane(const LayoutTable *table, uint32_t plane,
                          uint32_t top, Arena *scratch, Text *out) {
  svg_text(out, MARGIN - 6, top + 13, "end",
           table_plane(scratch, table, plane));
  for (uint32_t c = 0; c < table->columns; c++)
    svg_text(out, MARGIN + CELL_WIDTH * c + CELL_WIDTH / 2, top + 13, "middle",
             arena_printf(scratch, "%u", c));
  svg_cells(table, plane, top, scratch, out);
  return CELL_HEIGHT * (table->rows + 2);
}

static uint32_t svg_height(const LayoutTable *table) {
  return TITLE_HEIGHT + table->planes * CELL_HEIGHT * (table->rows + 2);
}

static const char *svg_title(const LayoutTable *table, Arena *scratch) {
  bool is_part = table->planes < table->n_planes ||
                 table->rows < table->n_rows ||
                 table->columns < table->n_columns;
  return arena_printf(scratch, "%s: %s%s", table->picture->title,
                      !table->picture->is_memory
                          ? "thread:register, coloured by thread"
                      : table->picture->element_bits >= 8
                          ? "offset in bytes, coloured by bank"
                          : "offset in elements, coloured by bank",
                      is_part ? "; the first rows, columns and planes" : "");
}

void layout_draw_svg(const LayoutPicture *pictures, uint32_t n, Text *out) {
  uint32_t width = 0, height = 0, top = 0;
  for (uint32_t i = 0; i < n; i++) {
    LayoutTable table = table_of(&pictures[i]);
    uint32_t own = 2 * MARGIN + CELL_WIDTH * table.columns;
    width = own > width ? own : width;
    height += svg_height(&table);
  }
  text_printf(out,
              "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" "
              "height=\"%u\" font-family=\"monospace\" font-size=\"11\" "
              "stroke-width=\"0.5\">\n<style>rect{stroke:#888}</style>\n",
              width < 640 ? 640 : width, height);
  for (uint32_t i = 0; i < n; i++) {
    Arena *scratch = arena_new();
    LayoutTable table = table_of(&pictures[i]);
    svg_text(out, MARGIN, top + 18, "start", svg_title(&table, scratch));
    top += TITLE_HEIGHT;
    for (uint32_t p = 0; p < table.planes; p++)
      top += svg_plane(&table, p, top, scratch, out);
    arena_free(scratch);
  }
  text_add(out, "</svg>\n");
}
