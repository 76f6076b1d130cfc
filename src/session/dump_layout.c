// SPDX-License-Identifier: Apache-2.0
// Pictures of layouts: of shared arrays of a kernel, and of declarations.
#include "session/kernel_source.h"

#include "ir/form/host_eval.h"
#include "tile/layout/layout_draw.h"
#include "tile/layout/layout_name.h"

#include <stdlib.h>
#include <string.h>

// NULL: whole bytes of a tile could lie so; else why not.
static const char *array_tile(Arena *arena, const IrObject *object,
                              LayoutTile *tile) {
  *tile = (LayoutTile){.rank = object->rank,
                       .element_bits = 8 * object->element_bytes,
                       .n_threads = 1};
  for (uint32_t i = 0; i < object->rank; i++) {
    int64_t extent;
    char buffer[256];
    const char *why =
        host_eval_int(&(HostScope){0}, object->extents[i], &extent, buffer);
    if (why || extent < 0 || extent > 1 << 20)
      return why ? arena_printf(arena, "%s", why) : "it is too large";
    if (i < LAYOUT_MAX_RANK)
      tile->extents[i] = (uint32_t)extent;
  }
  return layout_tile_problem(arena, tile);
}

static const char *array_picture(Arena *arena, const IrObject *object,
                                 LayoutPicture *out) {
  static const char *const names[] = {[LAYOUT_ROW_MAJOR] = "row_major",
                                      [LAYOUT_SWIZZLE32] = "swizzle32",
                                      [LAYOUT_SWIZZLE64] = "swizzle64",
                                      [LAYOUT_SWIZZLE128] = "swizzle128"};
  if (object->layout == LAYOUT_UNDECIDED || object->layout == LAYOUT_LINEAR)
    return "its layout is the compiler's choice";
  LayoutTile tile;
  const char *why = array_tile(arena, object, &tile);
  LayoutSpec spec = {.name = names[object->layout]};
  out->title = arena_printf(arena, "%s layout(%s)", object->name, spec.name);
  out->is_memory = true;
  out->element_bits = tile.element_bits;
  return why ? why : layout_named(arena, &tile, &spec, &out->layout);
}

void dump_array_layouts(const IrKernel *kernel, bool is_svg, Text *out) {
  hd_vec(LayoutPicture) pictures = {0};
  for (uint32_t i = 0; i < kernel->objects.count; i++) {
    const IrObject *object = kernel->objects.data[i];
    if (object->kind != OBJECT_ARRAY || object->space != SPACE_SHARED)
      continue;
    LayoutPicture picture = {0};
    const char *why = array_picture(out->arena, object, &picture);
    if (!why)
      VEC_PUSH(out->arena, &pictures, picture);
    else if (!is_svg)
      text_printf(out, "%s: %s\n", object->name, why);
  }
  if (is_svg) {
    layout_draw_svg(pictures.data, pictures.count, out);
    return;
  }
  for (uint32_t i = 0; i < pictures.count; i++) {
    text_add(out, i || out->length ? "\n" : "");
    layout_draw_text(&pictures.data[i], out);
  }
}

bool dump_is_layout(const char *stage, bool *is_svg) {
  *is_svg = strcmp(stage, "layout-svg") == 0;
  return *is_svg || strcmp(stage, "layout") == 0;
}

static HdStatus dump_layout_text(HdSession *session, const char *declaration,
                                 uint32_t n_threads, const char *stage,
                                 char **out) {
  bool is_svg;
  if (!dump_is_layout(stage, &is_svg))
    return session_fail(session, HD_ERROR_ARGUMENT,
                        "a layout has the stages layout and layout-svg, not "
                        "'%s'",
                        stage);
  Text text = {.arena = arena_new()};
  const char *why =
      layout_draw_declaration(declaration, n_threads, is_svg, &text);
  HdStatus status = HD_OK;
  if (why)
    status = session_fail(session, HD_ERROR_ARGUMENT, "%s", why);
  else if (!(*out = strdup(text_cstr(&text))))
    status = session_no_memory(session, NULL);
  arena_free(text.arena);
  return status;
}

HdStatus hd_dump_layout(HdSession *session, const char *declaration,
                        int n_threads, const char *stage, char **out) {
  if (out)
    *out = NULL;
  if (!session || !declaration || !stage || !out)
    return session_null(session, "hd_dump_layout");
  SESSION_RESCUE(session, NULL, (*out = NULL, HD_ERROR_MEMORY));
  session_lock(session);
  HdStatus status =
      dump_layout_text(session, declaration,
                       n_threads < 0 ? 0 : (uint32_t)n_threads, stage, out);
  session_unlock(session);
  return status;
}
