// SPDX-License-Identifier: Apache-2.0
#include "syntax/load/load_stand_in.h"

#include "base/rescue.h"
#include "base/vec.h"
#include "syntax/load/preprocess_guard.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef hd_vec(const char *) PathVec;

const char *load_cuda_stand_in(const char *name) {
  static const char *const folders[] = {"torch/", "ATen/", "c10/", "THC/"};
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
    if (strncmp(name, folders[i], strlen(folders[i])) == 0)
      return strstr(name, "KernelUtils.") ? "#include <heddle_torch_loops.h>\n"
                                          : "#include <heddle_torch.h>\n";
  static const char *const math[] = {"helper_math.h", "cutil_math.h"};
  const char *slash = strrchr(name, '/');
  for (size_t i = 0; i < sizeof math / sizeof *math; i++)
    if (strcmp(slash ? slash + 1 : name, math[i]) == 0)
      return "#include <heddle_vector_math.h>\n";
  return "";
}

// Folders end with a slash. Those of a name come before it.
static void plan_file(Arena *arena, PathVec *paths, const char *folder,
                      const char *name) {
  char *path = arena_printf(arena, "%s/%s", folder, name);
  for (char *at = path + strlen(folder) + 1; (at = strchr(at, '/')); at++)
    VEC_PUSH(arena, paths, arena_strndup(arena, path, (size_t)(at + 1 - path)));
  VEC_PUSH(arena, paths, path);
}

static void plan(CudaSource *source) {
  Arena *arena = source->arena;
  PathVec paths = {0};
  const char *folder = source->root;
  VEC_PUSH(arena, &paths, arena_printf(arena, "%s/", folder));
  for (int i = 0; i < LOAD_CUDA_STEPS_UP; i++) {
    folder = arena_printf(arena, "%s/d", folder);
    VEC_PUSH(arena, &paths, arena_printf(arena, "%s/", folder));
  }
  source->folder = folder;
  for (uint32_t i = 0; i < source->n_missing; i++)
    plan_file(arena, &paths, folder, source->missing[i]);
  source->made = paths.data;
  source->n_made = paths.count;
}

static bool stand_in_make(CudaSource *source, const char *path) {
  const char *why;
  struct stat info;
  if (path[strlen(path) - 1] == '/')
    return mkdir(path, 0700) == 0 || errno == EEXIST;
  if (stat(path, &info) == 0)
    return true;
  const char *text = load_cuda_stand_in(path + strlen(source->folder) + 1);
  return file_write_atomic_unsynced(source->arena, path, text, strlen(text),
                                    &why) == HD_OK;
}

static void remove_owed(void *what) {
  load_cuda_remove_stand_ins(what);
}

HdStatus load_cuda_make_stand_ins(CudaSource *source, const char **why) {
  Arena *arena = source->arena;
  if (source->n_missing == 0)
    return HD_OK;
  const char *parent = getenv("TMPDIR");
  char *folder = arena_printf(arena, "%s/heddle-XXXXXX",
                              parent && *parent ? parent : "/tmp");
  if (!mkdtemp(folder)) {
    *why = arena_printf(arena, "can't create a folder like '%s': %s", folder,
                        strerror(errno));
    return HD_ERROR_IO;
  }
  source->root = folder;
  rescue_owe(remove_owed, source);
  plan(source);
  source->guard = preprocess_guard_start(0, source->made, source->n_made);
  bool is_made = true;
  for (uint32_t i = 0; i < source->n_made && is_made; i++)
    is_made = stand_in_make(source, source->made[i]);
  if (is_made)
    return HD_OK;
  *why = arena_printf(arena, "can't create empty headers in '%s': %s", folder,
                      strerror(errno));
  load_cuda_remove_stand_ins(source);
  return HD_ERROR_IO;
}

void load_cuda_remove_stand_ins(CudaSource *source) {
  rescue_paid(source);
  for (uint32_t i = source->n_made; i > 0; i--)
    if (unlink(source->made[i - 1]) != 0)
      rmdir(source->made[i - 1]);
  if (source->root && source->n_made == 0)
    rmdir(source->root); // memory ran out before there was a plan
  preprocess_guard_end(source->guard);
  source->n_made = 0;
  source->guard = 0;
}
