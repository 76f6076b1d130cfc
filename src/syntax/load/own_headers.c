// SPDX-License-Identifier: Apache-2.0
// Where Heddle's own C headers lie. No path of the build is needed: from the
// folder of the library (or of the program that holds it) upwards, the first
// include/heddle/c is theirs. That finds PREFIX/include/heddle/c from
// PREFIX/lib/…, and the source tree from a build folder inside it.
#include "syntax/load/load.h"
#include "syntax/load/load_cuda.h"

#include "base/file.h"
#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_STEPS_UP = 6 };

static const char *try_folder(Arena *arena, const char *folder) {
  const char *path = arena_printf(arena, "%s/include/heddle/c", folder);
  const char *probe = arena_printf(arena, "%s/stdint.h", path);
  return file_exists(probe) ? path : NULL;
}

static const char *search_up(Arena *arena, const char *file) {
  char folder[PATH_MAX];
  if (!realpath(file, folder))
    return NULL;
  for (int i = 0; i < MAX_STEPS_UP; i++) {
    char *slash = strrchr(folder, '/');
    if (!slash || slash == folder)
      return NULL;
    *slash = '\0';
    const char *found = try_folder(arena, folder);
    if (found)
      return found;
  }
  return NULL;
}

const char *syntax_own_headers(Arena *arena) {
  const char *given = getenv("HEDDLE_INCLUDE");
  if (given && *given)
    return given;
  static const char anchor = 0; // an address inside this library
  Dl_info info;
  const char *found = NULL;
  if (dladdr(&anchor, &info) && info.dli_fname)
    found = search_up(arena, info.dli_fname);
  if (!found)
    found = search_up(arena, "/proc/self/exe");
#ifdef HD_INSTALLED_HEADERS
  if (!found && file_exists(HD_INSTALLED_HEADERS "/stdint.h"))
    found = HD_INSTALLED_HEADERS;
#endif
  return found;
}

const char *syntax_own_cuda_headers(Arena *arena) {
  const char *own = syntax_own_headers(arena);
  if (!own)
    return NULL;
  const char *slash = strrchr(own, '/');
  const char *path = slash && slash[1] ? arena_printf(arena, "%.*s/cuda",
                                                      (int)(slash - own), own)
                                       : arena_printf(arena, "%s/../cuda", own);
  return file_exists(arena_printf(arena, "%s/prelude/cuda_types.h", path))
             ? path
             : NULL;
}
