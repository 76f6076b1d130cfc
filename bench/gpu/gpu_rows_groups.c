/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of collectives and barriers, against CUDA's cooperative groups. Bars of
 * collectives are the cycles of the best lowering that is known. */
#include "gpu_bench.h"

static Shape values(const Row *row) {
  HdType type = row->element == 'f'   ? HD_F32
                : row->element == 'd' ? HD_F64
                : row->element == 'l' ? HD_I64
                                      : HD_U32;
  return shape_of(type, row->threads);
}

/* Heddle: turns, members where the row has some, seed, out, ticks. Its peer
 * has all of them always. */
static void turning(Bench *bench, const Row *row, Call *call) {
  add_int(call, FOR_BOTH, TURNS);
  add_int(call, row->members ? FOR_BOTH : FOR_PEER, row->members);
  add_in(bench, call, values(row), 0, 1);
  add_out(bench, call, values(row));
  call->ticks_heddle = add_state(bench, call, shape_of(HD_I64, 1));
  call->ticks_peer = add_state(bench, call, shape_of(HD_I64, 1));
  call->n_args--; /* the peer's ticks are no argument of Heddle's */
  call->peer[call->n_peer++].out = hd_buffer_data(call->ticks_peer);
}

static void syncing(Bench *bench, const Row *row, Call *call) {
  add_int(call, FOR_BOTH, TURNS);
  if (row->blocks)
    add_int(call, FOR_HEDDLE, row->blocks);
  call->ticks_heddle = add_state(bench, call, shape_of(HD_I64, 1));
  call->ticks_peer = add_state(bench, call, shape_of(HD_I64, 1));
  call->n_args--;
  for (int i = 0; i < 3; i++)
    add_int(call, FOR_PEER, 0); /* no members, seed, out */
  call->peer[call->n_peer++].out = hd_buffer_data(call->ticks_peer);
}

#define SYNC(name, kernel, embeds, limit)                                      \
  {                                                                            \
    "groups", name, "groups", kernel, embeds, name, UNIT_CYCLES, BAR_VALUE,    \
        limit, .prepare = syncing                                              \
  }
#define SYNC_GRID(name, n_blocks, kind, limit)                                 \
  {                                                                            \
    "groups", name, "groups", "sync_grid", NULL, name, UNIT_US, kind, limit,   \
        syncing, .blocks = n_blocks                                            \
  }
#define TURN(name, kernel, embeds, letter, n_threads, limit)                   \
  {                                                                            \
    "groups", name, "groups", kernel, embeds, name, UNIT_CYCLES, BAR_VALUE,    \
        limit, turning, .tolerance = 1e-5, .threads = n_threads,               \
                        .element = letter                                      \
  }
#define COALESCED(name, kernel, embeds, letter, limit)                         \
  {                                                                            \
    "groups", name, "groups", kernel, embeds, name, UNIT_CYCLES, BAR_VALUE,    \
        limit, turning, .tolerance = 1e-5, .threads = 32, .element = letter,   \
                        .members = 0x7fffffff                                  \
  }

const Row group_rows[] = {
    SYNC("sync warp", "sync_tile", "N=32", 30),
    SYNC("sync tile8", "sync_tile", "N=8", 30),
    SYNC("sync 128 of 256", "sync_part", "N=128", 60),
    SYNC("sync tile128 of 1024", "sync_tile", "N=128 T=1024", 90),
    SYNC("sync block of 128", "sync_part", "N=128 T=128", 33),
    SYNC("sync block of 1024", "sync_part", "N=1024 T=1024", 95),
    SYNC("sync cluster", "sync_cluster", NULL, 390),
    SYNC_GRID("sync grid of 132", 132, BAR_VALUE, 1.0),
    SYNC_GRID("sync grid of 528", 528, BAR_NONE, 0),
    TURN("reduce unsigned warp", "reduce_tile", "E=unsigned", 'u', 32, 63),
    TURN("reduce unsigned tile16", "reduce_tile", "E=unsigned N=16", 'u', 32,
         71),
    TURN("reduce unsigned tile8", "reduce_tile", "E=unsigned N=8", 'u', 32, 85),
    TURN("reduce float warp", "reduce_tile", "E=float", 'f', 32, 151),
    TURN("reduce long warp", "reduce_tile", "E=long", 'l', 32, 65),
    TURN("reduce double warp", "reduce_tile", "E=double", 'd', 32, 214),
    TURN("reduce unsigned tile128", "reduce_tile", "E=unsigned N=128 T=128",
         'u', 128, 150),
    TURN("reduce unsigned tile128 of 1024", "reduce_tile",
         "E=unsigned N=128 T=1024", 'u', 1024, 223),
    TURN("reduce unsigned tile512", "reduce_tile", "E=unsigned N=512 T=512",
         'u', 512, 176),
    TURN("reduce unsigned tile1024", "reduce_block", "E=unsigned", 'u', 1024,
         266),
    TURN("scan unsigned warp", "scan_tile", "E=unsigned", 'u', 32, 205),
    TURN("scan unsigned tile128", "scan_tile", "E=unsigned N=128 T=128", 'u',
         128, 853),
    TURN("scan unsigned tile1024", "scan_block", "E=unsigned", 'u', 1024, 1281),
    TURN("any tile128", "any_tile", NULL, 'u', 128, 100),
    TURN("any tile128 of 1024", "any_tile", "T=1024", 'u', 1024, 144),
    TURN("shfl tile8", "shfl_tile", NULL, 'u', 32, 30),
    TURN("ballot tile8", "ballot_tile", NULL, 'u', 32, 47),
    TURN("match 2 labels", "match_labels", "L=2", 'u', 32, 30),
    TURN("match 4 labels", "match_labels", "L=4", 'u', 32, 30),
    TURN("match 8 labels", "match_labels", "L=8", 'u', 32, 30),
    TURN("match 32 labels", "match_labels", "L=32", 'u', 32, 41),
    TURN("reduce unsigned 2 labels", "reduce_labels", "E=unsigned L=2", 'u', 32,
         70),
    TURN("reduce unsigned 4 labels", "reduce_labels", "E=unsigned L=4", 'u', 32,
         85),
    TURN("reduce unsigned 8 labels", "reduce_labels", "E=unsigned L=8", 'u', 32,
         133),
    TURN("reduce unsigned 32 labels", "reduce_labels", "E=unsigned L=32", 'u',
         32, 101),
    TURN("reduce float 2 labels", "reduce_labels", "E=float L=2", 'f', 32, 447),
    TURN("reduce float 4 labels", "reduce_labels", "E=float L=4", 'f', 32, 360),
    TURN("reduce float 32 labels", "reduce_labels", "E=float L=32", 'f', 32,
         122),
    {"groups", "reduce float 24 labels, some twice", "groups", "reduce_labels",
     "E=float L=32 D=3", "reduce float 24 labels, some twice", UNIT_CYCLES,
     BAR_NONE, 0, turning, .tolerance = 1e-5, .threads = 32, .element = 'f'},
    TURN("reduce unsigned binary", "reduce_binary", "E=unsigned", 'u', 32, 70),
    COALESCED("reduce float coalesced", "coalesced_reduce", "E=float", 'f',
              260),
    COALESCED("scan float coalesced", "coalesced_scan", "E=float", 'f', 302),
    COALESCED("shfl coalesced", "coalesced_shfl", NULL, 'u', 199),
    COALESCED("ballot coalesced", "coalesced_ballot", NULL, 'u', 73),
    {.name = NULL},
};
