// SPDX-License-Identifier: Apache-2.0
#include "tile/layout/layout_draw.h"

#include "base/panic.h"
#include "tile/layout/layout_cell.h"
#include "tile/layout/layout_convert.h"
#include "tile/layout/layout_parse.h"
#include "tile/layout/layout_stage.h"

#include <string.h>

// ----------------------------------------------------------------- summaries

static const char *const place_titles[N_PLACES] = {[PLACE_REGISTER] =
                                                       "register",
                                                   [PLACE_LANE] = "lane",
                                                   [PLACE_WARP] = "warp",
                                                   [PLACE_BLOCK] = "block",
                                                   [PLACE_OFFSET] = "offset"};

// What a bit adds: "(8, 0)", or "8" along the only axis.
static void draw_vector(const TileLayout *layout, uint64_t out, Text *text) {
  TileIndex index = {0};
  for (uint32_t i = layout->rank; i-- > 0;) {
    index.of[i] = (uint32_t)(out & bit_mask(layout->bits[i]));
    out >>= layout->bits[i];
  }
  text_add(text, layout->rank == 1 ? "" : "(");
  for (uint32_t i = 0; i < layout->rank; i++)
    text_printf(text, "%s%u", i ? ", " : "", index.of[i]);
  text_add(text, layout->rank == 1 ? "" : ")");
}

static void draw_place(const TileLayout *layout, PlaceKind place, Text *text) {
  uint32_t first = layout_first_bit(layout, place);
  text_printf(text, "  %-9s", place_titles[place]);
  for (uint32_t i = 0; i <= layout->place_bits[place]; i++) {
    for (uint32_t k = 0; k < layout->n_odds; k++) {
      const LayoutOdd *odd = &layout->odds[k];
      if (odd->place != place || odd->below != i)
        continue;
      if (odd->axis < 0)
        text_printf(text, " copies(%u)", odd->factor);
      else
        text_printf(text, " odd(%d)", odd->axis);
    }
    if (i == layout->place_bits[place])
      break;
    text_add(text, " ");
    draw_vector(layout, layout->map.columns[first + i], text);
  }
  text_add(text, "\n");
}

static void draw_summary(const LayoutPicture *picture, Text *text) {
  const TileLayout *layout = &picture->layout;
  text_printf(text, "%s\n", picture->title);
  for (PlaceKind i = 0; i < N_PLACES; i++) {
    if (layout_count(layout, i) > 1)
      draw_place(layout, i, text);
  }
  uint32_t registers = layout_count(layout, PLACE_REGISTER);
  uint32_t copies = layout_copies(layout), run = layout_run(layout);
  if (!picture->is_memory)
    text_printf(text, "  %u element%s a thread, %u holder%s each, runs of %u\n",
                registers, text_plural(registers), copies, text_plural(copies),
                run);
}

// -------------------------------------------------------------------- tables

static void draw_rest(uint32_t drawn, uint32_t n, const char *what,
                      Text *text) {
  if (drawn < n)
    text_printf(text, "… and %u more %s\n", n - drawn, what);
}

// The longest cell, or number of a column or row.
static int cell_width(const LayoutTable *table, Arena *scratch) {
  size_t width = 1;
  for (uint32_t p = 0; p < table->planes; p++)
    for (uint32_t r = 0; r < table->rows; r++)
      for (uint32_t c = 0; c < table->columns; c++) {
        LayoutPlace place = table_place(table, p, r, c);
        size_t length = strlen(table_cell(scratch, table, &place));
        width = length > width ? length : width;
      }
  return (int)(width < 3 ? 3 : width);
}

static void draw_plane(const LayoutTable *table, uint32_t plane, int width,
                       Arena *scratch, Text *text) {
  text_printf(text, "\n%5s", table_plane(scratch, table, plane));
  for (uint32_t c = 0; c < table->columns; c++)
    text_printf(text, " %*u", width, c);
  text_add(text, "\n");
  for (uint32_t r = 0; r < table->rows; r++) {
    text_printf(text, "%5u", r);
    for (uint32_t c = 0; c < table->columns; c++) {
      LayoutPlace place = table_place(table, plane, r, c);
      text_printf(text, " %*s", width, table_cell(scratch, table, &place));
    }
    text_add(text, "\n");
  }
}

void layout_draw_text(const LayoutPicture *picture, Text *out) {
  draw_summary(picture, out);
  LayoutTable table = table_of(picture);
  text_printf(out, "  below: %s of each element\n",
              !picture->is_memory          ? "thread:register"
              : picture->element_bits >= 8 ? "offset in bytes"
                                           : "offset in elements");
  Arena *scratch = arena_new();
  int width = cell_width(&table, scratch);
  for (uint32_t p = 0; p < table.planes; p++)
    draw_plane(&table, p, width, scratch, out);
  arena_free(scratch);
  draw_rest(table.columns, table.n_columns, "columns", out);
  draw_rest(table.rows, table.n_rows, "rows", out);
  draw_rest(table.planes, table.n_planes, "planes", out);
}

// --------------------------------------------------------------- conversions

// "lane 2, register 1" of the vector's bits in the map's input.
static void draw_places(const TileLayout *layout, uint64_t places, Text *text) {
  bool is_first = true;
  for (PlaceKind i = 0; i < N_PLACES; i++) {
    uint64_t bits =
        (places & layout_bits_of(layout, i)) >> layout_first_bit(layout, i);
    if (bits)
      text_printf(text, "%s%s %llu", is_first ? "" : ", ", place_titles[i],
                  (unsigned long long)bits);
    is_first &= bits == 0;
  }
  if (is_first)
    text_add(text, "place 0");
}

static void draw_source(const LayoutConversion *conversion,
                        const TileLayout *from, const TileLayout *to,
                        Text *text) {
  for (uint32_t i = 0; i < to->map.n_in; i++) {
    text_add(text, "    ");
    draw_places(to, UINT64_C(1) << i, text);
    text_add(text, " from ");
    draw_places(from, conversion->source.columns[i], text);
    text_add(text, "\n");
  }
}

static void draw_access(const char *verb, const TileLayout *layout,
                        const TileLayout *shared, uint32_t element_bits,
                        uint32_t elements, Text *text) {
  BankCount count;
  if (!layout_count_banks(layout, shared, element_bits, elements, &count))
    HD_PANIC("no registers for %u elements", elements);
  text_printf(text,
              "    %u %s%s of %u bytes, %u turn%s of banks a warp for %u\n",
              count.n_accesses, verb, text_plural(count.n_accesses),
              elements * element_bits / 8, count.n_turns,
              text_plural(count.n_turns), count.n_parts);
}

static void draw_stage(const LayoutPicture *from, const LayoutPicture *to,
                       Text *text) {
  uint32_t bits = from->element_bits < 8 ? 8 : from->element_bits;
  LayoutStage stage = layout_stage(&from->layout, &to->layout, bits);
  text_add(text, "  through shared memory:\n");
  draw_access("store", &from->layout, &stage.shared, bits, stage.store_elements,
              text);
  draw_access("load", &to->layout, &stage.shared, bits, stage.load_elements,
              text);
  text_add(text, "  ");
  draw_place(&stage.shared, PLACE_OFFSET, text);
}

static const char *draw_registers(const LayoutPicture *from,
                                  const LayoutPicture *to, Text *text) {
  uint32_t bits = from->element_bits < 8 ? 8 : from->element_bits;
  LayoutConversion conversion;
  const char *why = layout_convert(text->arena, &from->layout, &to->layout,
                                   bits, &conversion);
  if (why)
    return why;
  switch (conversion.kind) {
  case CONVERT_NONE: text_add(text, "  nothing moves\n"); break;
  case CONVERT_REGISTERS:
    text_add(text, "  elements stay in their threads:\n");
    break;
  case CONVERT_SHUFFLES:
    text_printf(text,
                "  elements stay in their warps: %u shuffle%s of %u element%s "
                "each\n",
                conversion.n_shuffles, text_plural(conversion.n_shuffles),
                1U << conversion.packed.dim,
                text_plural(1 << conversion.packed.dim));
    break;
  case CONVERT_SHARED: text_add(text, "  elements change warps\n"); break;
  }
  if (conversion.kind == CONVERT_REGISTERS ||
      conversion.kind == CONVERT_SHUFFLES)
    draw_source(&conversion, &from->layout, &to->layout, text);
  if (conversion.kind >= CONVERT_SHUFFLES)
    draw_stage(from, to, text);
  return NULL;
}

// Accesses of as many elements as registers have neighbours for.
static void draw_memory_access(const LayoutPicture *registers,
                               const LayoutPicture *memory, const char *verb,
                               Text *text) {
  uint32_t bits = registers->element_bits, elements = 16 * 8 / bits;
  BankCount count;
  while (!layout_count_banks(&registers->layout, &memory->layout, bits,
                             elements, &count))
    elements /= 2;
  draw_access(verb, &registers->layout, &memory->layout, bits, elements, text);
}

const char *layout_draw_conversion(const LayoutPicture *from,
                                   const LayoutPicture *to, Text *out) {
  text_printf(out, "from %s to %s:\n", from->title, to->title);
  if (!from->is_memory && !to->is_memory)
    return draw_registers(from, to, out);
  if (from->is_memory && to->is_memory)
    return "both layouts are of memory";
  if (from->element_bits < 8)
    return "shared memory is accessed in whole bytes";
  draw_memory_access(from->is_memory ? to : from, from->is_memory ? from : to,
                     from->is_memory ? "load" : "store", out);
  return NULL;
}

// -------------------------------------------------------------- declarations

static bool names_memory(const LayoutSpec *spec) {
  LayoutOwner owner;
  const char *name;
  for (uint32_t i = 0; spec->name && (name = layout_name(i, &owner)); i++) {
    if (strcmp(name, spec->name) == 0)
      return owner == LAYOUT_OF_MEMORY;
  }
  return false;
}

static const char *draw_parts(const LayoutDeclaration *declaration,
                              const LayoutPicture *pictures, bool is_svg,
                              Text *out) {
  uint32_t n = declaration->is_converted ? 2 : 1;
  if (is_svg) {
    layout_draw_svg(pictures, n, out);
    return NULL;
  }
  text_printf(out, "%s, %u thread%s\n\n", declaration->text,
              declaration->tile.n_threads,
              text_plural(declaration->tile.n_threads));
  layout_draw_text(&pictures[0], out);
  if (n == 1)
    return NULL;
  text_add(out, "\n");
  layout_draw_text(&pictures[1], out);
  text_add(out, "\n");
  return layout_draw_conversion(&pictures[0], &pictures[1], out);
}

const char *layout_draw_declaration(const char *declaration, uint32_t n_threads,
                                    bool is_svg, Text *out) {
  LayoutDeclaration parsed;
  const char *why = layout_parse(out->arena, declaration, &parsed);
  parsed.tile.n_threads = n_threads;
  if (!why)
    why = layout_tile_problem(out->arena, &parsed.tile);
  if (why)
    return why;
  LayoutPicture pictures[2];
  const LayoutSpec *specs[] = {&parsed.layout, &parsed.target};
  const char *titles[] = {parsed.layout_text, parsed.target_text};
  for (uint32_t i = 0; i < (parsed.is_converted ? 2 : 1); i++) {
    pictures[i] = (LayoutPicture){.title = titles[i],
                                  .is_memory = names_memory(specs[i]),
                                  .element_bits = parsed.tile.element_bits};
    why = layout_named(out->arena, &parsed.tile, specs[i], &pictures[i].layout);
    if (why)
      return arena_printf(out->arena,
                          "'%s' can't be the layout of this tile: %s",
                          pictures[i].title, why);
  }
  return draw_parts(&parsed, pictures, is_svg, out);
}
