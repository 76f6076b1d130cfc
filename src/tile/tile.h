// SPDX-License-Identifier: Apache-2.0
// From tiles to threads: kernels whose block is one sequential program become
// kernels whose block is a row of lanes that share its work.
//
// Expects  a kernel of the level TILES that passed ir_verify, and the rules of
//          the language.
// Gives    a copy of the level THREAD. A block of it is `lanes` threads, which
//          always take the same way; scalars are the same in all of them, and
//          the elements of tiles are spread over them by rank. What touches
//          memory once a block is done by the first lane.
// Owns     nothing: the copy is of the arena.
#ifndef HD_TILE_TILE_H
#define HD_TILE_TILE_H

#include "ir/form/ir.h"

// NULL: tile_lower takes the kernel; else what it has that tile kernels can't,
// a constant: "it has clusters".
const char *tile_refusal(const IrKernel *kernel);

// How many lanes a block has where nothing is stated: `least`, doubled up to
// `most` while the largest tile has more than 64 registers a lane, or more than
// 128 if it is the sums of the only product.
uint32_t tile_open_lanes(const IrKernel *kernel, uint32_t least, uint32_t most);

typedef struct {
  // Of a block of a tile kernel, from 2 to 1024. Of a group of warps that holds
  // tiles: its first ones, or all of its threads.
  uint32_t lanes;
  bool takes_all;
  // Registers of values of one row of lanes: what a product can keep there.
  uint32_t vector_bytes, n_vectors;
  uint32_t cache_bytes; // of the first level, for data; 0: unknown
  bool has_dot4, has_dot2, has_fdot2; // these operations are fast
  bool has_units;   // matrix units of warpgroups, whose sums threads hold
  bool has_tensors; // tensor memory, and cores that multiply there
  bool has_matrix;  // and nests of dot4, its kin and fdot2 are much faster
  // A scatter that stores two elements at one place is a race of two lanes,
  // whichever elements they are.
  bool shows_doubles;
  // Who runs it is told of accesses: of tiles that groups of threads hold, each
  // thread computes all, in memory of its own, without a sync (Note [Tiles of
  // threads]).
  bool shows_threads;
  // What matrix units read is told, with the waits for them.
  bool shows_engines;
  // What they do is done later than where it stands: at one of the moments in
  // between, or (0) as late as it may.
  bool delays_engines;
  uint32_t moment;
  // Neighbouring blocks may be run by one of them, if as many workers as this
  // still have some each; 0: no blocks.
  uint32_t joins_for_workers;
  // By node of the kernel: the ProductUnit of each product, which is told here.
  // NULL: nobody asks.
  uint8_t *units;
} TileTarget;

// NULL: neighbouring blocks may be run together; else why not, a constant: "it
// has no loop".
const char *tile_apart(const IrKernel *kernel);

// The tile kernel as a program of thread groups, of the level TILES: one thread
// loads what a loop multiplies, and warpgroups' matrix units multiply it. Its
// block has so many bytes of shared memory at most. NULL: it isn't made; *why,
// a constant: "it has no loop of products".
IrKernel *tile_roles(Arena *arena, const IrKernel *kernel, uint64_t most_bytes,
                     const char **why);

IrKernel *tile_lower(Arena *arena, const IrKernel *kernel,
                     const TileTarget *target);

#endif
