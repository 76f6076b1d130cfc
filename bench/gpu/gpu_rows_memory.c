/* SPDX-License-Identifier: Apache-2.0 */
/* Rows that the bandwidth of memory bounds. */
#include "gpu_bench.h"

/* Elements of an array of 1 GiB of floats, or of a small one. */
static int64_t big(const Bench *bench) {
  return bench->is_small ? 1 << 16 : 1 << 28;
}

static Shape float4s(int64_t n) {
  return shape_of_vectors(HD_F32, 16, n);
}

static void saxpy(Bench *bench, const Row *row, Call *call) {
  int64_t n = big(bench);
  (void)row;
  add_int(call, FOR_BOTH, n / 4);
  add_real(call, FOR_BOTH, 0.5);
  add_in(bench, call, float4s(n / 4), -1, 1);
  add_inout(bench, call, float4s(n / 4), -1, 1);
  call->work = 12.0 * (double)n;
}

static void saxpy_plain(Bench *bench, const Row *row, Call *call) {
  int64_t n = big(bench);
  (void)row;
  add_int(call, FOR_BOTH, n);
  add_real(call, FOR_BOTH, 0.5);
  add_in(bench, call, shape_of(HD_F32, n), -1, 1);
  add_inout(bench, call, shape_of(HD_F32, n), -1, 1);
  call->work = 12.0 * (double)n;
}

static void square(Bench *bench, const Row *row, Call *call) {
  int64_t n = big(bench);
  (void)row;
  add_int(call, FOR_BOTH, n / 4);
  add_in(bench, call, float4s(n / 4), -1, 1);
  add_out(bench, call, float4s(n / 4));
  call->work = 8.0 * (double)n;
}

static void sum(Bench *bench, const Row *row, Call *call) {
  int64_t n = big(bench);
  int64_t blocks = 132 * (2048 / embed_number(row->embeds, "T", 512));
  add_int(call, FOR_HEDDLE, n / 4);
  add_int(call, FOR_HEDDLE, blocks);
  add_int(call, FOR_PEER, n);
  add_in(bench, call, float4s(n / 4), 0, 1);
  add_out(bench, call, shape_of(HD_F32, 1));
  add_state(bench, call, shape_of(HD_F32, blocks));
  add_state(bench, call, shape_of(HD_U32, 1));
  call->work = 4.0 * (double)n;
}

static void scan(Bench *bench, const Row *row, Call *call) {
  int64_t n = big(bench);
  int64_t part = embed_number(row->embeds, "T", 512) *
                 embed_number(row->embeds, "EACH", 8) * 4;
  HdType type = row->element == 'f' ? HD_F32 : HD_I32;
  n -= n % part;
  add_int(call, FOR_BOTH, n);
  call->counted_arg = call->n_args;
  add_int(call, FOR_HEDDLE, 0);
  add_in(bench, call, shape_of(type, n), 0, 1e-3f);
  add_out(bench, call, shape_of(type, n));
  add_state(bench, call, shape_of(HD_U64, n / part));
  call->work = 8.0 * (double)n;
}

static void histogram(Bench *bench, const Row *row, Call *call) {
  int is_real = row->element == 'f';
  int64_t n = big(bench), vectors = n / 4;
  add_int(call, FOR_HEDDLE, vectors);
  add_int(call, FOR_PEER, is_real ? n : n * 4);
  add_in(bench, call,
         is_real ? float4s(vectors) : shape_of_vectors(HD_U32, 16, vectors), 0,
         1);
  add_out(bench, call, shape_of(HD_U32, 256));
  call->zeroed = call->results[0].heddle;
  add_int(call, FOR_HEDDLE,
          132 * (2048 / embed_number(row->embeds, "T", 1024)));
  call->work = 4.0 * (double)n;
}

static void transpose(Bench *bench, const Row *row, Call *call) {
  int64_t n = bench->is_small ? 1024 : 16384;
  (void)row;
  add_int(call, FOR_BOTH, n);
  add_in(bench, call, shape_of_matrix(HD_F32, n, n), -1, 1);
  add_out(bench, call, shape_of_matrix(HD_F32, n, n));
  call->work = 8.0 * (double)(n * n);
}

static void ring(Bench *bench, const Row *row, Call *call) {
  int64_t tiles = big(bench) / 4096;
  int64_t blocks = 132 * (224 / (16 * embed_number(row->embeds, "S", 6)));
  add_int(call, FOR_BOTH, tiles);
  add_int(call, FOR_BOTH, blocks);
  add_in(bench, call, shape_of_matrix(HD_F32, tiles * 16, 256), -1, 1);
  add_out(bench, call, shape_of_matrix(HD_F32, tiles * 16, 256));
  call->work = 8.0 * (double)big(bench);
}

static const char *const saxpy_variants[] = {
    "T=256 EACH=4", "T=512 EACH=4", "T=1024 EACH=4", "T=512 EACH=2", NULL};
static const char *const sum_variants[] = {"T=256 EACH=4", "T=256 EACH=8",
                                           "T=512 EACH=8", "T=1024 EACH=4",
                                           "T=512 EACH=2", NULL};
static const char *const scan_variants[] = {"E=int DEEP=1",
                                            "E=int DEEP=2",
                                            "E=int BATCH=2",
                                            "E=int BATCH=8 RESIDENT=1024",
                                            "E=int RESIDENT=1024",
                                            "E=int T=512 EACH=4 RESIDENT=2048",
                                            "E=int T=256 EACH=4 RESIDENT=2048",
                                            "E=int T=128 EACH=16 RESIDENT=896",
                                            "E=int T=128 EACH=8 RESIDENT=1664",
                                            "E=int T=256 EACH=8 RESIDENT=1792",
                                            "E=int T=256 EACH=12 RESIDENT=1024",
                                            NULL};
static const char *const histogram_variants[] = {
    "T=512 EACH=2", "T=512 EACH=4", "T=1024 EACH=1", "T=1024 EACH=4", NULL};
static const char *const transpose_variants[] = {
    "TILE=32 ROWS=8", "TILE=64 ROWS=8", "TILE=64 ROWS=2", NULL};
static const char *const ring_variants[] = {"S=4", "S=13", "S=3", NULL};

const Row memory_rows[] = {
    {"memory", "saxpy 2^28", "memory", "saxpy", NULL, "saxpy", UNIT_GB,
     BAR_COPY, 0.95, saxpy, .tolerance = 1e-6, .variants = saxpy_variants},
    {"memory", "saxpy 2^28, one element a thread", "memory", "saxpy_plain",
     NULL, "saxpy_plain", UNIT_GB, BAR_PEER, 1, saxpy_plain, .tolerance = 1e-6},
    {"memory", "x * x + 1, 2^28", "memory", "square", NULL, "square", UNIT_GB,
     BAR_COPY, 0.95, square, .tolerance = 1e-6, .variants = saxpy_variants},
    {"memory", "sum 2^28", "memory", "sum", NULL, "sum", UNIT_GB, BAR_PEER,
     0.97, sum, .tolerance = 1e-5, .variants = sum_variants},
    {"memory", "scan 2^28 int", "scan", "scan", "E=int", "scan_int", UNIT_GB,
     BAR_PEER, 1, scan, .tolerance = 0, .variants = scan_variants,
     .element = 'i'},
    {"memory", "scan 2^28 float", "scan", "scan", "E=float", "scan_float",
     UNIT_GB, BAR_PEER, 1, scan, .tolerance = 1e-3, .element = 'f'},
    {"memory", "histogram 2^30 bytes", "histogram", "bytes", NULL,
     "histogram_bytes", UNIT_GB, BAR_PEER, 0.9, histogram, .tolerance = 0,
     .variants = histogram_variants, .element = 'i'},
    {"memory", "histogram 2^28 floats", "histogram", "floats", NULL,
     "histogram_floats", UNIT_GB, BAR_PEER, 0.9, histogram, .tolerance = 0,
     .variants = histogram_variants, .element = 'f'},
    {"memory", "transpose 16384", "memory", "transpose", NULL, "transpose",
     UNIT_GB, BAR_VALUE, 3500, transpose, .tolerance = 0,
     .variants = transpose_variants},
    {"memory", "ring, TMA and mbarriers", "ring", "ring", NULL, "ring", UNIT_GB,
     BAR_COPY, 0.9, ring, .tolerance = 1e-6, .variants = ring_variants},
    {"memory", "ring as a pipeline", "ring", "ring_pipeline", NULL, "ring",
     UNIT_GB, BAR_COPY, 0.9, ring, .tolerance = 1e-6},
    {"memory", "ring, copies by the engine", "ring", "ring_engine", NULL, NULL,
     UNIT_GB, BAR_COPY, 0.9, ring, .variants = ring_variants},
    {.name = NULL},
};
