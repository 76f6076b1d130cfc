// SPDX-License-Identifier: Apache-2.0
// What the files of the stand-in for libcuda share.
#ifndef HD_TESTS_FAKE_PARTS_H
#define HD_TESTS_FAKE_PARTS_H

#include "fake_cuda.h"
#include <pthread.h>

#define FAKE_EXPORT __attribute__((visibility("default")))

// The functions, as the table of the runtime declares them.
#define CUDA_API(name, symbol, since, parameters)                              \
  FAKE_EXPORT int symbol parameters;
#include "rt/cuda/cuda_api.def"
#undef CUDA_API

typedef struct Object {
  struct Object *next;
  FakeKind kind;
  CuContext context; // whose it is; its own for a context
} Object;

struct CuContextObject {
  Object object;
  int device;
  int failure; // the result of every call since a kernel failed
  bool is_primary;
};

typedef enum {
  WORK_KERNEL,
  WORK_SET,
  WORK_TO,
  WORK_FROM,
  WORK_RECORD
} WorkKind;

typedef struct Work {
  struct Work *next;
  WorkKind kind;
  char *to;
  const char *from;
  size_t size_bytes;
  unsigned char value;
  CuEvent event;
  CuFunction function;
  FakeLaunch launch; // with parameters of its own
} Work;

typedef struct {
  Work *first, **last;
} Queue;

struct CuStreamObject {
  Object object;
  Queue queue;
  CuGraph capture;
};

struct CuEventObject {
  Object object;
  unsigned flags;
  int n_pending;
  bool is_recorded;
  double time_ms;
};

struct CuFunctionObject {
  CuModule module;
  int dynamic_limit;
  bool allows_large_clusters;
};

struct CuModuleObject {
  Object object;
  char *text;
  size_t words_bytes;
  unsigned n_maps;
  struct CuFunctionObject function;
};

struct CuLinkObject {
  Object object;
  char *text;
  char *info, *errors;
  size_t info_bytes, errors_bytes;
  char *cubin;
};

struct CuGraphObject {
  Object object;
  Queue queue;
};

struct CuGraphExecObject {
  Object object;
  Queue queue;
};

typedef struct {
  Object object;
  char *memory;
  size_t size_bytes;
} Allocation;

typedef struct {
#define FAKE_FIELD(name, value) int name;
  FAKE_SETTINGS(FAKE_FIELD)
#undef FAKE_FIELD
  FakeKernel kernel;
  void *kernel_context;
  Object *objects;
  CuContext primary[8];
  size_t used_bytes;
  int n_leaked, n_misused;
  int failure; // of a kernel: the process gets no context any more
} Fake;

extern Fake fake;

// Every function begins with it: counts the call and gives the code that it has
// to return, or CU_OK with the lock held.
int fake_begin(const char *function);
int fake_end(int code); // releases the lock
// The thread's context; *code is its failure, or CU_INVALID_CONTEXT.
CuContext fake_context(int *code);
void fake_push(CuContext context);
CuContext fake_pop(void);
CuContext fake_current(void);

void *fake_new(FakeKind kind, size_t size_bytes, CuContext context);
bool fake_is_alive(const void *object, FakeKind kind);
void fake_delete(void *object);
// Everything of a context.
void fake_delete_all(CuContext context);
Allocation *fake_find(const void *address);

Work *fake_work_new(WorkKind kind);
// Takes the work to its stream, or to the graph that the stream captures.
void fake_enqueue(CuStream stream, Work *work);
void fake_queue_copy(Queue *to, const Queue *from);
void fake_queue_clear(Queue *queue);
void fake_queue_init(Queue *queue);
// Runs what is queued; CU_NOT_READY if some of it goes on.
int fake_run(CuStream stream, bool is_forced, int most);

#endif
