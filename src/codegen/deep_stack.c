// SPDX-License-Identifier: Apache-2.0
#include "codegen/deep_stack.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

enum {
  FEW_OPERATIONS = 4000,     // the caller's stack is enough
  BYTES_AN_OPERATION = 2048, // of stack, about five times what was measured
  SMALLEST_BYTES = 16 << 20, // of the new stack
};

typedef struct {
  void (*work)(void *context);
  void *context;
} Job;

static void *deep_stack_run_job(void *argument) {
  const Job *job = argument;
  job->work(job->context);
  return NULL;
}

// False when the system has no such thread.
static bool run_on_thread(size_t stack_bytes, Job *job) {
  pthread_attr_t attributes;
  pthread_t thread;
  if (pthread_attr_init(&attributes) != 0)
    return false;
  bool is_started =
      pthread_attr_setstacksize(&attributes, stack_bytes) == 0 &&
      pthread_create(&thread, &attributes, deep_stack_run_job, job) == 0;
  pthread_attr_destroy(&attributes);
  return is_started && pthread_join(thread, NULL) == 0;
}

void deep_stack_run(uint32_t n_operations, void (*work)(void *context),
                    void *context) {
  Job job = {work, context};
  size_t stack_bytes = (size_t)n_operations * BYTES_AN_OPERATION;
  bool is_done = false;
  // Memory for the stack is taken as it is used; where even the address space
  // is limited, a smaller one has to do.
  for (; n_operations > FEW_OPERATIONS && !is_done &&
         stack_bytes >= SMALLEST_BYTES;
       stack_bytes /= 2)
    is_done = run_on_thread(stack_bytes, &job);
  if (!is_done)
    work(context);
}
