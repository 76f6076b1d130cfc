// SPDX-License-Identifier: Apache-2.0
// What stands in front of each file of CUDA C++: the declarations of what
// kernels can use without an include, and of what the file speaks of.
#include "syntax/load/load_cuda.h"

#include "base/text.h"
#include "syntax/limits.h"

#include <string.h>

// Parts name only what is declared in front of them.
static const char *const always[] = {
    "prelude/cuda_types.h",    "prelude/cuda_integers.h",
    "prelude/cuda_math.h",     "prelude/cuda_rounding.h",
    "prelude/cuda_threads.h",  "prelude/cuda_atomics.h",
    "prelude/cuda_memory.h",   "prelude/cuda_packed.h",
    "prelude/cuda_launches.h", NULL};

static const char *const assembly[] = {
    "prelude/ptx_arithmetic.h", "prelude/ptx_convert.h", "prelude/ptx_memory.h",
    "prelude/ptx_atomic.h",     "prelude/ptx_sync.h",    NULL};

static HdStatus load_prelude_add_part(Arena *arena, Text *all, const char *part,
                                      const char **why) {
  FileText own;
  const char *name =
      arena_printf(arena, "%s/%s", syntax_own_cuda_headers(arena), part);
  HD_TRY(file_read(arena, name, SYNTAX_MAX_SOURCE_BYTES, &own, why));
  text_printf(all, "# 1 \"%s\"\n", name);
  text_add_n(all, own.data, own.size_bytes);
  text_add_char(all, '\n');
  return HD_OK;
}

static HdStatus load_prelude_add_parts(Arena *arena, Text *all,
                                       const char *const *parts,
                                       const char **why) {
  for (; *parts; parts++)
    HD_TRY(load_prelude_add_part(arena, all, *parts, why));
  return HD_OK;
}

static bool speaks_of_textures(const char *text, size_t length) {
  static const char *const words[] = {"exObject",     "urfObject",
                                      "extureObject", "urfaceObject",
                                      "texture",      "surface"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (memmem(text, length, words[i], strlen(words[i])))
      return true;
  return false;
}

HdStatus load_cuda_join(Arena *arena, const char *text, size_t *length,
                        const char **out, const char **why) {
  Text all = {.arena = arena};
  HD_TRY(load_prelude_add_parts(arena, &all, always, why));
  if (memmem(text, *length, "asm", 3))
    HD_TRY(load_prelude_add_parts(arena, &all, assembly, why));
  if (speaks_of_textures(text, *length))
    HD_TRY(load_prelude_add_part(arena, &all, "heddle_texture.h", why));
  text_add_n(&all, text, *length);
  *length = all.length;
  *out = text_cstr(&all);
  return HD_OK;
}
