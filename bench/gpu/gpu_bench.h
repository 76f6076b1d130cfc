/* SPDX-License-Identifier: Apache-2.0 */
/* One row of the GPU suite: the same work by Heddle and by CUDA. */
#ifndef HD_BENCH_GPU_GPU_BENCH_H
#define HD_BENCH_GPU_GPU_BENCH_H

#include "driver.h"
#include "heddle/heddle.h"
#include "peers/peers.h"
#include <stdio.h>

/* peers.cu as a shared library; NULL members: there is none. */
typedef struct {
  PeerRun *(*find)(const char *name);
  const char *(*error_text)(int error);
  void (*use_scratch)(void *memory, size_t size_bytes);
  int (*difference)(PeerStream, char type, const void *a, const void *b,
                    int64_t n, float *out);
  int (*fill_words)(PeerStream, void *, int64_t n, uint32_t seed);
  int (*fill_floats)(PeerStream, void *, int64_t n, uint32_t seed, float low,
                     float high);
} Peers;

typedef struct {
  HdSession *session;
  HdDevice *device;
  HdStream *stream;
  PeerStream cu_stream; /* the same stream; NULL: a CPU */
  void *context;
  Driver driver;
  Peers peers;
  DriverEvent start, end;
  HdBuffer *scratch, *copy_from, *copy_to;
  const char *kernels_dir;
  FILE *json; /* NULL: not kept */
  int n_runs, is_small;
  int is_tuning; /* rows with all of their variants */
} Bench;

/* Who gets an argument. */
enum { FOR_HEDDLE = 1, FOR_PEER = 2, FOR_BOTH = 3 };

typedef struct {
  HdType type;
  size_t element_bytes; /* of short vectors; 0: the type's */
  int rank;
  int64_t extents[3];
} Shape;

/* Arguments of a launch, made by a row. */
typedef struct {
  HdBuffer *buffers[20];
  int n_buffers;
  HdArg args[12];
  PeerArg peer[12];
  int n_args, n_peer;

  struct {
    HdBuffer *heddle, *peer;
    char type; /* 'i', 'f', 'd' */
    int64_t n;
  } results[2];

  int n_results;
  int counted_arg;  /* an argument that is another number each launch; -1 */
  HdBuffer *zeroed; /* before each launch; NULL */
  HdBuffer *ticks_heddle, *ticks_peer;
  double work; /* of a launch: bytes, operations */
  int failed;
} Call;

typedef enum {
  UNIT_GB,     /* 1e9 bytes a second */
  UNIT_GFLOP,  /* 1e9 operations a second */
  UNIT_MITEMS, /* 1e6 a second */
  UNIT_CYCLES, /* of the clock in the kernel, a turn */
  UNIT_US,     /* a turn */
} Unit;

typedef enum {
  BAR_NONE,
  BAR_PEER,  /* times as fast as the peer, at least */
  BAR_COPY,  /* of the bandwidth of a copy, at least */
  BAR_VALUE, /* in the unit of the row: at least, for cycles and us at most */
} BarKind;

typedef struct Row {
  const char *group, *name, *file, *kernel;
  const char *embeds; /* "T=512 E=int" */
  const char *peer;   /* NULL: none */
  Unit unit;
  BarKind bar_kind;
  double bar;
  void (*prepare)(Bench *bench, const struct Row *row, Call *call);
  double tolerance, mean_tolerance; /* of results, relative */
  const char *const *variants;      /* other embeds to try, NULL at the end */
  /* rows that turn in a kernel */
  int threads, blocks;
  char element; /* 'u', 'f', 'l', 'd'; 0: no values */
  uint32_t members;
} Row;

extern const Row memory_rows[], compute_rows[], group_rows[];

enum { TURNS = 2000, FEW_TURNS = 2 };

void add_int(Call *call, int sides, int64_t value);
void add_real(Call *call, int sides, double value);
/* Filled at random: integers with any bits, floats between low and high. */
void add_in(Bench *bench, Call *call, Shape shape, float low, float high);
/* Compared when both have run. */
void add_out(Bench *bench, Call *call, Shape shape);
/* Two arrays with the same random content, compared. */
void add_inout(Bench *bench, Call *call, Shape shape, float low, float high);
/* Zeros, for Heddle alone. */
HdBuffer *add_state(Bench *bench, Call *call, Shape shape);
Shape shape_of(HdType type, int64_t a);
Shape shape_of_vectors(HdType type, size_t element_bytes, int64_t a);
Shape shape_of_matrix(HdType type, int64_t a, int64_t b);
/* The number that `embeds` gives a name, or `otherwise`. */
int64_t embed_number(const char *embeds, const char *name, int64_t otherwise);
HdKernel *bench_kernel(Bench *bench, const char *file, const char *name,
                       const char *embeds);
double bench_now_ms(void);
/* Says what the session has to say. */
int bench_complain(Bench *bench, const char *what);

void run_row(Bench *bench, const Row *row, const char *embeds);
/* Launches, graphs, compilation. */
int run_latencies(Bench *bench);

#endif
