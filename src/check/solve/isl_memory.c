// SPDX-License-Identifier: Apache-2.0
#ifdef HD_HAVE_ISL
#include "check/solve/isl_memory.h"

#include "base/rescue.h"

#include <dlfcn.h>
#include <isl/options.h>
#include <pthread.h>
#include <stdlib.h>

// ------------------------------------------------------------------- of GMP
// Its functions are those of the whole process, and so are these, which do what
// GMP's own do as long as there is memory. A program that has set others keeps
// them. isl may be built without GMP: it isn't linked with.

typedef void *Allocate(size_t);
typedef void *Reallocate(void *, size_t, size_t);
typedef void Free(void *, size_t);
typedef void Get(Allocate **, Reallocate **, Free **);
typedef void Set(Allocate *, Reallocate *, Free *);

static void *or_rescue(void *memory) {
  if (memory)
    return memory;
  if (rescue_is_there())
    rescue_out_of_memory();
  abort(); // somebody else's numbers: as GMP does
}

static void *memory_allocate(size_t size_bytes) {
  return or_rescue(malloc(size_bytes));
}

static void *reallocate(void *old, size_t old_bytes, size_t size_bytes) {
  (void)old_bytes;
  return or_rescue(realloc(old, size_bytes));
}

static void isl_memory_release(void *memory, size_t size_bytes) {
  (void)size_bytes;
  free(memory);
}

static void *symbol(const char *name) {
  return dlsym(RTLD_DEFAULT, name);
}

static void take_over(void) {
  void *names[3] = {symbol("__gmp_default_allocate"),
                    symbol("__gmp_get_memory_functions"),
                    symbol("__gmp_set_memory_functions")};
  Get *get = NULL;
  Set *set = NULL;
  Allocate *now = NULL;
  // POSIX: what dlsym gives is a function by its bytes.
  *(void **)(void *)&get = names[1];
  *(void **)(void *)&set = names[2];
  if (!get || !set || !names[0])
    return;
  get(&now, NULL, NULL);
  if (*(void **)(void *)&now == names[0])
    set(memory_allocate, reallocate, isl_memory_release);
}

// ------------------------------------------------------------------ contexts

isl_ctx *isl_memory_ctx(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, take_over);
  isl_ctx *ctx = isl_ctx_alloc();
  if (!ctx)
    rescue_out_of_memory();
  isl_options_set_on_error(ctx, ISL_ON_ERROR_CONTINUE);
  return ctx;
}

bool isl_memory_is_out(isl_ctx *ctx) {
  return isl_ctx_last_error(ctx) == isl_error_alloc;
}

#else
typedef int IslMemoryNotBuilt; // a file can't be empty
#endif
