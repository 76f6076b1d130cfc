// SPDX-License-Identifier: Apache-2.0
// Settings, failures on demand, and what is alive.
#include "fake_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FAILURES = 32, MOST_STACK = 16 };

typedef struct {
  char function[64];
  int n, code;
} Failure;

typedef struct {
  const char *function;
  int count;
} Counter;

static Counter counters[] = {
#define CUDA_API(name, symbol, since, parameters) {#symbol, 0},
#include "rt/cuda/cuda_api.def"
#undef CUDA_API
};

enum { N_COUNTERS = sizeof counters / sizeof counters[0] };

Fake fake = {
#define FAKE_VALUE(name, value) .name = (value),
    FAKE_SETTINGS(FAKE_VALUE)
#undef FAKE_VALUE
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Failure failures[MOST_FAILURES];
static int n_failures;
static bool has_read_environment;
static _Thread_local CuContext stack[MOST_STACK];
static _Thread_local int depth;

// ------------------------------------------------------------------ scripts

static void set_locked(const char *setting, int value) {
#define FAKE_SET(name, initial)                                                \
  if (strcmp(setting, #name) == 0)                                             \
    fake.name = value;
  FAKE_SETTINGS(FAKE_SET)
#undef FAKE_SET
}

static void fail_locked(const char *function, int n, int code) {
  if (n_failures == MOST_FAILURES)
    return;
  Failure *failure = &failures[n_failures++];
  snprintf(failure->function, sizeof failure->function, "%s", function);
  failure->n = n;
  failure->code = code;
}

static void read_environment_locked(void) {
  const char *script = getenv("HEDDLE_FAKE_CUDA");
  char name[64];
  int a, b, length;
  has_read_environment = true;
  while (script && *script) {
    if (sscanf(script, " %63[^@= ]@%d=%d%n", name, &a, &b, &length) == 3)
      fail_locked(name, a, b);
    else if (sscanf(script, " %63[^@= ]=%d%n", name, &a, &length) == 2)
      set_locked(name, a);
    else
      return;
    script += length;
  }
}

static int scripted_failure(const char *function) {
  for (int i = 0; i < n_failures; i++) {
    if (strcmp(failures[i].function, function) == 0 && --failures[i].n == 0)
      return failures[i].code;
  }
  return CU_OK;
}

int fake_begin(const char *function) {
  pthread_mutex_lock(&lock);
  if (!has_read_environment)
    read_environment_locked();
  for (int i = 0; i < N_COUNTERS; i++)
    counters[i].count += strcmp(counters[i].function, function) == 0;
  int code = scripted_failure(function);
  return code == CU_OK ? CU_OK : fake_end(code);
}

int fake_end(int code) {
  pthread_mutex_unlock(&lock);
  return code;
}

// ----------------------------------------------------------------- contexts

CuContext fake_context(int *code) {
  CuContext current = fake_current();
  *code = CU_OK;
  if (!current)
    *code = CU_INVALID_CONTEXT;
  else if (!fake_is_alive(current, FAKE_CONTEXT))
    *code = CU_CONTEXT_DESTROYED;
  else
    *code = current->failure;
  if (*code == CU_INVALID_CONTEXT || *code == CU_CONTEXT_DESTROYED)
    fake.n_misused++;
  return current;
}

void fake_push(CuContext context) {
  if (depth < MOST_STACK)
    stack[depth++] = context;
}

CuContext fake_pop(void) {
  return depth > 0 ? stack[--depth] : NULL;
}

CuContext fake_current(void) {
  return depth > 0 ? stack[depth - 1] : NULL;
}

// ------------------------------------------------------------------ objects

void *fake_new(FakeKind kind, size_t size_bytes, CuContext context) {
  Object *object = calloc(1, size_bytes);
  if (!object)
    abort();
  object->kind = kind;
  object->context = context;
  object->next = fake.objects;
  fake.objects = object;
  return object;
}

bool fake_is_alive(const void *object, FakeKind kind) {
  for (const Object *o = fake.objects; o; o = o->next) {
    if (o == object)
      return o->kind == kind;
  }
  return false;
}

static void dispose(Object *object) {
  Allocation *allocation = (Allocation *)object;
  CuModule module = (CuModule)object;
  CuLink link = (CuLink)object;
  if (object->kind == FAKE_MEMORY)
    fake.used_bytes -= allocation->size_bytes;
  switch (object->kind) {
  case FAKE_MEMORY:
  case FAKE_HOST: free(allocation->memory); break;
  case FAKE_STREAM: fake_queue_clear(&((CuStream)object)->queue); break;
  case FAKE_MODULE: free(module->text); break;
  case FAKE_LINK:
    free(link->text);
    free(link->cubin);
    break;
  case FAKE_GRAPH: fake_queue_clear(&((CuGraph)object)->queue); break;
  case FAKE_EXEC: fake_queue_clear(&((CuGraphExec)object)->queue); break;
  case FAKE_CONTEXT:
  case FAKE_EVENT:
  case FAKE_KINDS: break;
  }
  free(object);
}

void fake_delete(void *object) {
  for (Object **link = &fake.objects; *link; link = &(*link)->next) {
    if (*link != object)
      continue;
    *link = (*link)->next;
    dispose(object);
    return;
  }
  fake.n_misused++;
}

void fake_delete_all(CuContext context) {
  for (Object **link = &fake.objects; *link;) {
    Object *object = *link;
    if (object->context != context) {
      link = &object->next;
      continue;
    }
    if (object->kind != FAKE_CONTEXT && context->failure == CU_OK)
      fake.n_leaked++;
    if (object->kind == FAKE_CONTEXT) {
      link = &object->next;
      continue;
    }
    *link = object->next;
    dispose(object);
  }
}

Allocation *fake_find(const void *address) {
  for (Object *o = fake.objects; o; o = o->next) {
    Allocation *allocation = (Allocation *)o;
    if ((o->kind == FAKE_MEMORY || o->kind == FAKE_HOST) &&
        (const char *)address >= allocation->memory &&
        (const char *)address < allocation->memory + allocation->size_bytes)
      return allocation;
  }
  return NULL;
}

// -------------------------------------------------------------------- hooks

static void hook_reset(void) {
  pthread_mutex_lock(&lock);
  while (fake.objects) {
    Object *object = fake.objects;
    fake.objects = object->next;
    dispose(object);
  }
  fake = (Fake){
#define FAKE_VALUE(name, value) .name = (value),
      FAKE_SETTINGS(FAKE_VALUE)
#undef FAKE_VALUE
  };
  n_failures = 0;
  has_read_environment = true;
  for (int i = 0; i < N_COUNTERS; i++)
    counters[i].count = 0;
  depth = 0;
  pthread_mutex_unlock(&lock);
}

static void hook_set(const char *setting, int value) {
  pthread_mutex_lock(&lock);
  set_locked(setting, value);
  pthread_mutex_unlock(&lock);
}

static void hook_fail_at(const char *function, int n, int code) {
  pthread_mutex_lock(&lock);
  fail_locked(function, n, code);
  pthread_mutex_unlock(&lock);
}

static void hook_on_kernel(FakeKernel kernel, void *context) {
  pthread_mutex_lock(&lock);
  fake.kernel = kernel;
  fake.kernel_context = context;
  pthread_mutex_unlock(&lock);
}

static int hook_step(void) {
  int n_left = 0;
  pthread_mutex_lock(&lock);
  for (Object *o = fake.objects; o; o = o->next) {
    if (o->kind != FAKE_STREAM)
      continue;
    fake_run((CuStream)o, true, 1);
    for (Work *work = ((CuStream)o)->queue.first; work; work = work->next)
      n_left++;
  }
  pthread_mutex_unlock(&lock);
  return n_left;
}

static int hook_alive(FakeKind kind) {
  int count = 0;
  pthread_mutex_lock(&lock);
  for (Object *o = fake.objects; o; o = o->next)
    count += o->kind == kind;
  pthread_mutex_unlock(&lock);
  return count;
}

static int read_locked(const int *value) {
  pthread_mutex_lock(&lock);
  int read = *value;
  pthread_mutex_unlock(&lock);
  return read;
}

static int hook_leaked(void) {
  return read_locked(&fake.n_leaked);
}

static int hook_misused(void) {
  return read_locked(&fake.n_misused);
}

static int hook_calls(const char *function) {
  int count = 0;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < N_COUNTERS; i++) {
    if (!function || strcmp(counters[i].function, function) == 0)
      count += counters[i].count;
  }
  pthread_mutex_unlock(&lock);
  return count;
}

FAKE_EXPORT const FakeCuda *fake_cuda(void);

const FakeCuda *fake_cuda(void) {
  static const FakeCuda hooks = {
      .reset = hook_reset,
      .set = hook_set,
      .fail_at = hook_fail_at,
      .on_kernel = hook_on_kernel,
      .step = hook_step,
      .alive = hook_alive,
      .leaked = hook_leaked,
      .misused = hook_misused,
      .calls = hook_calls,
  };
  return &hooks;
}
