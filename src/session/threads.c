// SPDX-License-Identifier: Apache-2.0
// Kernels as back ends take them: tile kernels become kernels of threads.
#include "session/session.h"

#include "ir/analyses/shared_life.h"
#include "tile/tile.h"

#include <unistd.h>

static HdStatus threads_refuse(HdProgram *program, const CodeTarget *target,
                               const IrKernel *kernel, const char *why) {
  IrLocId id = ir_loc_for_users(kernel->module, kernel->loc);
  diag_begin_round(program->diags);
  DIAG_REPORT(program->diags, DIAG_tile_target,
              kernel->module->locs.data[id].place, DS(kernel->name),
              DS(target->model->name), DS(why));
  return program_fail(program);
}

static bool has_tables(const IrKernel *kernel) {
  for (uint32_t i = 0; i < kernel->params.count; i++) {
    const IrObject *object = kernel->params.data[i].object;
    if (object && object->is_table)
      return true;
  }
  return false;
}

// Of launches on this machine. Code for another number isn't wrong.
static uint32_t workers_for(const CodeTarget *target) {
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  return target->compiler->follows_blocks ? 0 : cores > 0 ? (uint32_t)cores : 1;
}

enum {
  WARP_THREADS = 32,
  MOST_OPEN_LANES = 512, // with more, a thread has few registers
};

// Of a block that runs the kernel: a power of two.
static uint32_t lanes_for(const CodeTarget *target, const IrKernel *kernel) {
  uint32_t most = target->model->most_tile_lanes, lanes = WARP_THREADS;
  if (!target->model->runs_threads_at_once)
    return target->model->tile_lanes;
  if (kernel->hints.warps == 0)
    return tile_open_lanes(kernel, target->model->tile_lanes, MOST_OPEN_LANES);
  while (lanes * 2 <= most && lanes * 2 <= kernel->hints.warps * WARP_THREADS)
    lanes *= 2;
  return lanes;
}

static uint64_t threads_tile_bytes(const IrObject *object) {
  uint64_t bytes;
  if (object->space != SPACE_SHARED || !object->is_scratch ||
      !ir_object_bytes(object, object->element_bytes, UINT32_MAX, &bytes))
    return 0;
  int64_t n = object->group ? object->group->instances : 1;
  return bytes * (uint64_t)(n > 1 ? n : 1);
}

static uint64_t threads_tile_sum(const IrKernel *kernel) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < kernel->objects.count; i++)
    sum += threads_tile_bytes(kernel->objects.data[i]);
  return sum;
}

// Tiles that are kept in memory must fit that of a block. The place is that of
// the largest.
static HdStatus threads_check_memory(HdProgram *program,
                                     const CodeTarget *target,
                                     const IrKernel *kernel) {
  uint64_t sum = 0, most = 0, limit = target->model->most_shared_bytes;
  IrLocId loc = kernel->loc;
  for (uint32_t i = 0; i < kernel->objects.count; i++) {
    uint64_t bytes = threads_tile_bytes(kernel->objects.data[i]);
    sum += bytes;
    if (bytes > most)
      loc = kernel->objects.data[i]->loc;
    most = bytes > most ? bytes : most;
  }
  if (limit == 0 || sum <= limit)
    return HD_OK;
  IrLocId id = ir_loc_for_users(kernel->module, loc);
  diag_begin_round(program->diags);
  Diag *diag = DIAG_REPORT(
      program->diags, DIAG_tile_memory, kernel->module->locs.data[id].place,
      DS(kernel->name), DU(sum), DS(target->model->name), DU(limit));
  diag_note(program->diags, diag, (Place){0},
            "the largest is this one: take smaller tiles, or more warps, whose "
            "registers hold more");
  return program_fail(program);
}

static TileTarget threads_target(const CodeTarget *target, const Spec *spec) {
  bool at_once = target->model->runs_threads_at_once;
  return (TileTarget){.lanes = lanes_for(target, spec->kernel),
                      .takes_all = at_once,
                      .vector_bytes = target->compiler->vector_bytes,
                      .n_vectors = target->compiler->n_vectors,
                      .cache_bytes = target->compiler->cache_bytes,
                      .has_units = target->compiler->has_units,
                      .has_tensors = target->compiler->has_tensors,
                      .has_dot4 = target->compiler->has_dot4,
                      .has_dot2 = target->compiler->has_dot2,
                      .has_fdot2 = target->compiler->has_fdot2,
                      .has_matrix = target->compiler->has_matrix,
                      .shows_doubles = spec->is_sanitized,
                      .shows_threads = target->compiler->follows_blocks,
                      .shows_engines = spec->is_sanitized,
                      .delays_engines = target->compiler->follows_blocks,
                      .moment = spec->kernel->product_moment,
                      .joins_for_workers = at_once ? 0 : workers_for(target)};
}

// Tile kernels with products have roles on GPUs whose warpgroups have matrix
// units; NULL: the kernel takes the plain way.
static IrKernel *threads_with_roles(const CodeTarget *target, const Spec *spec,
                                    Arena *arena, const TileTarget *lanes) {
  const IrKernel *kernel = spec->kernel;
  const char *why;
  if (!lanes->has_units || kernel->block_dim[0] != 1)
    return NULL;
  IrKernel *made =
      tile_roles(arena, kernel, target->model->most_shared_bytes, &why);
  if (!made)
    return NULL;
  IrKernel *lowered = tile_lower(arena, made, lanes);
  bool fits = threads_tile_sum(lowered) <= target->model->most_shared_bytes;
  return lowered->has_units && fits ? lowered : NULL;
}

// Who can't run it is told.
static HdStatus threads_check(HdProgram *program, const CodeTarget *target,
                              const Spec *spec) {
  bool is_tiled = spec->kernel->level == LEVEL_TILES;
  if (is_tiled && target->model->tile_lanes == 0)
    return threads_refuse(program, target, spec->kernel,
                          "it runs no kernels with tiles");
  if (target->model->tile_lanes == 0 && has_tables(spec->kernel))
    return threads_refuse(program, target, spec->kernel,
                          "it runs no kernels with arrays of arrays");
  const char *why = is_tiled ? tile_refusal(spec->kernel) : NULL;
  return why ? threads_refuse(program, target, spec->kernel, why) : HD_OK;
}

HdStatus threads_get(HdProgram *program, const CodeTarget *target,
                     const Spec *spec, Arena *arena, const IrKernel **out) {
  bool is_tiled = spec->kernel->level == LEVEL_TILES;
  *out = spec->kernel;
  HD_TRY(threads_check(program, target, spec));
  if (is_tiled) {
    TileTarget lanes = threads_target(target, spec);
    *out = threads_with_roles(target, spec, arena, &lanes);
    if (!*out)
      *out = tile_lower(arena, spec->kernel, &lanes);
    HD_TRY(threads_check_memory(program, target, *out));
  }
  if (target->model->tile_lanes)
    pass_done(PASS_LOWER_TILES, *out, is_tiled);
  return HD_OK;
}

HdStatus threads_units(HdProgram *program, const CodeTarget *target,
                       const Spec *spec, Arena *arena, const uint8_t **out) {
  uint8_t *units = ARENA_ARRAY(arena, uint8_t, spec->kernel->n_nodes + 1);
  HD_TRY(threads_check(program, target, spec));
  *out = units;
  if (spec->kernel->level != LEVEL_TILES)
    return HD_OK;
  TileTarget lanes = threads_target(target, spec);
  lanes.units = units;
  Arena *scratch = arena_new();
  const IrKernel *lowered = tile_lower(scratch, spec->kernel, &lanes);
  HdStatus status = threads_check_memory(program, target, lowered);
  arena_free(scratch);
  return status;
}
