// SPDX-License-Identifier: Apache-2.0
#include "rt/cpu/cpu_pool.h"
#include "base/bits.h"
#include "rt/cpu/cpu_check.h"
#include "rt/cpu/cpu_reach.h"
#include "rt/cpu/cpu_trace.h"
#include "rt/cpu/cpu_worker.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Generated code keeps the private arrays of a warp on the stack. Runs that
// need more than `caller_stack_bytes` stay off the calling thread, whose stack
// is not ours to size.
static const size_t thread_stack_bytes = (size_t)64 << 20;
static const uint64_t caller_stack_bytes = UINT64_C(256) * 1024;
static const uint64_t most_private_bytes = (uint64_t)48 << 20;

// Blocks a worker takes at a time: enough chunks for balance, few enough for
// the counter not to matter.
enum { CHUNKS_A_WORKER = 32, MOST_CHUNK = 4096 };

enum { MOST_CLUSTER = 16, SHARED_ALIGN = 128 };

// Clusters that run interleaved under a schedule.
enum { SCHEDULED_CLUSTERS = 4 };

typedef struct {
  CpuPool *pool;
  pthread_t thread;
  CpuWorker worker;
} PoolThread;

struct CpuPool {
  int n_workers;
  int n_threads;                 // started
  uint64_t resident_limit_bytes; // for the blocks of a run
  cpu_set_t cores;               // that the process may use
  int avoided_core;              // by the threads, -1: none
  PoolThread *threads;
  CpuWorker caller;         // the worker of the thread that runs a launch
  pthread_mutex_t run_lock; // one run at a time
  RaceMemory checked;       // what runs with checks leave for the next
  pthread_mutex_t lock;     // guards what follows
  pthread_cond_t wake, idle;
  CpuRun *run; // the current one, or NULL
  uint64_t run_number;
  int n_wanted;          // threads that may still join the run
  _Atomic int n_working; // threads inside it
  bool is_ending;
};

int cpu_core_count(void) {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0)
    return 1;
  int count = CPU_COUNT(&set);
  return count > 0 ? count : 1;
}

int cpu_pool_workers(const CpuPool *pool) {
  return pool->n_workers;
}

// A quarter of the machine's memory.
static uint64_t resident_limit(void) {
  long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
  return pages > 0 && page_bytes > 0
             ? (uint64_t)pages * (uint64_t)page_bytes / 4
             : (uint64_t)1 << 30;
}

HdStatus cpu_pool_new(int n_workers, CpuPool **out, RtError *error) {
  *out = NULL;
  CpuPool *pool = calloc(1, sizeof(*pool));
  PoolThread *threads = calloc((size_t)n_workers, sizeof(*threads));
  if (!pool || !threads) {
    free(pool);
    free(threads);
    rt_error_set(error, "out of memory for %d worker threads", n_workers);
    return HD_ERROR_MEMORY;
  }
  pool->n_workers = n_workers;
  pool->resident_limit_bytes = resident_limit();
  pool->avoided_core = -1;
  if (sched_getaffinity(0, sizeof pool->cores, &pool->cores) != 0)
    CPU_ZERO(&pool->cores);
  pool->threads = threads;
  cpu_worker_init(&pool->caller);
  pthread_mutex_init(&pool->run_lock, NULL);
  pthread_mutex_init(&pool->lock, NULL);
  pthread_cond_init(&pool->wake, NULL);
  pthread_cond_init(&pool->idle, NULL);
  *out = pool;
  return HD_OK;
}

void cpu_pool_free(CpuPool *pool) {
  if (!pool)
    return;
  pthread_mutex_lock(&pool->lock);
  pool->is_ending = true;
  pthread_cond_broadcast(&pool->wake);
  pthread_mutex_unlock(&pool->lock);
  for (int i = 0; i < pool->n_threads; i++) {
    pthread_join(pool->threads[i].thread, NULL);
    cpu_worker_fini(&pool->threads[i].worker);
  }
  cpu_worker_fini(&pool->caller);
  pthread_cond_destroy(&pool->idle);
  pthread_cond_destroy(&pool->wake);
  pthread_mutex_destroy(&pool->lock);
  pthread_mutex_destroy(&pool->run_lock);
  race_memory_fini(&pool->checked);
  free(pool->threads);
  free(pool);
}

static void cpu_pool_work(CpuWorker *worker, CpuRun *run) {
  if (cpu_worker_prepare(worker, run) == HD_OK)
    cpu_worker_run(worker);
  else
    cpu_run_fail(run, HD_ERROR_MEMORY,
                 "out of memory for the shared memory "
                 "and threads of a block");
}

static void *thread_main(void *argument) {
  PoolThread *self = argument;
  CpuPool *pool = self->pool;
  uint64_t seen = 0;
  pthread_mutex_lock(&pool->lock);
  while (!pool->is_ending) {
    if (!pool->run || pool->run_number == seen || pool->n_wanted == 0) {
      pthread_cond_wait(&pool->wake, &pool->lock);
      continue;
    }
    seen = pool->run_number;
    pool->n_wanted--;
    pool->n_working++;
    CpuRun *run = pool->run;
    pthread_mutex_unlock(&pool->lock);
    cpu_pool_work(&self->worker, run);
    pthread_mutex_lock(&pool->lock);
    if (--pool->n_working == 0)
      pthread_cond_broadcast(&pool->idle);
  }
  pthread_mutex_unlock(&pool->lock);
  return NULL;
}

// Starts threads until there are `count`; fewer are no error as long as one
// worker is left to run on.
static int start_threads(CpuPool *pool, int count) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, thread_stack_bytes);
  while (pool->n_threads < count) {
    PoolThread *thread = &pool->threads[pool->n_threads];
    thread->pool = pool;
    cpu_worker_init(&thread->worker);
    if (pthread_create(&thread->thread, &attributes, thread_main, thread) != 0)
      break;
    pool->n_threads++;
    pool->avoided_core = -1; // it may run anywhere
  }
  pthread_attr_destroy(&attributes);
  return pool->n_threads;
}

static int64_t chunk_of(const CpuRun *run, int n_workers) {
  int64_t gang = run->gang_blocks > 0 ? run->gang_blocks : 1;
  if (run->kernel->does_yield || run->is_scheduled)
    return gang; // a block that waits for a lower one must not hold it back
  int64_t n_gangs = run->launch.n_blocks / gang;
  int64_t chunk = n_gangs / ((int64_t)n_workers * CHUNKS_A_WORKER);
  if (chunk < 1)
    return gang;
  return (chunk < MOST_CHUNK ? chunk : MOST_CHUNK) * gang;
}

// The kernel's cluster, or what the launcher said, or single blocks.
static HdStatus set_cluster(CpuRun *run, const RtLaunch *launch,
                            RtError *error) {
  const int32_t *own = run->kernel->cluster_dim;
  run->cluster_blocks = 1;
  for (int i = 0; i < 3; i++) {
    int32_t size = own[i] > 0 ? own[i] : launch->cluster[i];
    if (size < 1)
      size = 1;
    if (size > MOST_CLUSTER || launch->grid[i] % size != 0) {
      rt_error_set(error,
                   "a grid of %d x %d x %d blocks can't be made of clusters of "
                   "%d along %c",
                   launch->grid[0], launch->grid[1], launch->grid[2], size,
                   "xyz"[i]);
      return HD_ERROR_LAUNCH;
    }
    run->launch.cluster[i] = size;
    run->cluster_blocks *= size;
  }
  if (run->cluster_blocks <= MOST_CLUSTER)
    return HD_OK;
  rt_error_set(error, "a cluster has %lld blocks: the limit is %d",
               (long long)run->cluster_blocks, MOST_CLUSTER);
  return HD_ERROR_LAUNCH;
}

// How many blocks run together on a worker.
static void set_gangs(CpuRun *run, int n_workers) {
  const HdCpuKernel *kernel = run->kernel;
  run->n_workers = n_workers;
  run->gang_blocks = kernel->n_strands > 0 ? run->cluster_blocks : 0;
  if (run->is_scheduled && kernel->n_strands > 0)
    run->gang_blocks *= SCHEDULED_CLUSTERS;
  if (kernel->syncs_grid) {
    int64_t n_clusters = run->launch.n_blocks / run->cluster_blocks;
    int64_t each = (n_clusters + n_workers - 1) / n_workers;
    run->n_gangs = (int32_t)((n_clusters + each - 1) / each);
    run->gang_blocks = each * run->cluster_blocks;
  }
  run->chunk_blocks =
      kernel->syncs_grid ? run->gang_blocks : chunk_of(run, n_workers);
}

static HdStatus cpu_pool_run_init(CpuRun *run, const CpuPool *pool,
                                  const RtLaunch *launch, RtError *error) {
  const HdCpuKernel *kernel = launch->code;
  memset(run, 0, sizeof *run);
  run->kernel = kernel;
  run->interrupt = launch->interrupt;
  run->is_scheduled = launch->is_scheduled;
  run->seed = launch->seed;
  run->shared_bytes = kernel->shared_bytes + launch->dynamic_shared_bytes;
  run->shared_stride = bits_align_up(run->shared_bytes, SHARED_ALIGN);
  run->resident_limit_bytes = pool->resident_limit_bytes;
  run->launch.args = launch->args;
  run->launch.globals = launch->globals;
  run->launch.services = &cpu_services;
  for (int i = 0; i < 3; i++)
    run->launch.grid[i] = launch->grid[i];
  run->launch.n_blocks =
      (int64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
  return set_cluster(run, launch, error);
}

// Blocks that must all be there, by what is known before any has begun.
static HdStatus check_resident(const CpuRun *run, RtError *error) {
  uint64_t one = run->shared_stride + sizeof(CpuBlock), all;
  if (!run->kernel->syncs_grid)
    return HD_OK;
  bool overflows =
      __builtin_mul_overflow(one, (uint64_t)run->launch.n_blocks, &all);
  if (!overflows && all <= run->resident_limit_bytes)
    return HD_OK;
  rt_error_set(
      error,
      "kernel '%s' syncs the grid, so its %lld blocks must all be resident at "
      "once: their shared memory alone, %llu bytes a block, is "
      "more than the %llu bytes (a quarter of the memory) that may be "
      "used",
      run->kernel->name, (long long)run->launch.n_blocks,
      (unsigned long long)one, (unsigned long long)run->resident_limit_bytes);
  return HD_ERROR_LAUNCH;
}

// Workers end nearly together: looking for a while is faster than sleeping.
static void spin_until_idle(CpuPool *pool) {
  enum { MOST_LOOKS = 2000 }; // some 50 us

  for (int i = 0; i < MOST_LOOKS && atomic_load(&pool->n_working) > 0; i++) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }
}

// A thread that is woken often starts on the core of the one that wakes it,
// which goes on running, and stays there for milliseconds. Where cores are few,
// the threads are kept off the caller's (-1: it doesn't work along).
static void avoid_core(CpuPool *pool, int core) {
  enum { FEW_CORES = 8 };

  int n_cores = CPU_COUNT(&pool->cores);
  if (core == pool->avoided_core || n_cores < 2 || n_cores > FEW_CORES ||
      pool->n_workers > n_cores)
    return;
  cpu_set_t rest = pool->cores;
  if (core >= 0)
    CPU_CLR((size_t)core, &rest);
  for (int i = 0; i < pool->n_threads; i++)
    pthread_setaffinity_np(pool->threads[i].thread, sizeof rest, &rest);
  pool->avoided_core = core;
}

// Lets up to n_threads pool threads join, works along if the stack allows, and
// waits for all of them.
static void run_on_pool(CpuPool *pool, CpuRun *run, int n_threads,
                        bool on_caller) {
  if (n_threads > 0)
    avoid_core(pool, on_caller ? sched_getcpu() : -1);
  pthread_mutex_lock(&pool->lock);
  pool->run = run;
  pool->run_number++;
  pool->n_wanted = n_threads;
  if (n_threads > 0)
    pthread_cond_broadcast(&pool->wake);
  pthread_mutex_unlock(&pool->lock);
  if (on_caller)
    cpu_pool_work(&pool->caller, run);
  pthread_mutex_lock(&pool->lock);
  while (!on_caller && pool->n_wanted == n_threads && n_threads > 0)
    pthread_cond_wait(&pool->idle, &pool->lock);
  pool->n_wanted = 0;
  pthread_mutex_unlock(&pool->lock);
  spin_until_idle(pool);
  pthread_mutex_lock(&pool->lock);
  while (pool->n_working > 0)
    pthread_cond_wait(&pool->idle, &pool->lock);
  pool->run = NULL;
  pthread_mutex_unlock(&pool->lock);
}

static void end_trace(CpuRun *run, const char *path) {
  RtError error;
  if (!run->trace)
    return;
  HdStatus status = cpu_trace_end(run->trace, path, &error);
  if (status != HD_OK)
    cpu_run_fail(run, status, error.text);
}

static HdStatus run_locked(CpuPool *pool, const RtLaunch *launch,
                           RtError *error) {
  const HdCpuKernel *kernel = launch->code;
  CpuRun run;
  HdStatus status = cpu_pool_run_init(&run, pool, launch, error);
  if (status == HD_OK)
    status = check_resident(&run, error);
  if (status != HD_OK)
    return status;
  pthread_mutex_init(&run.lock, NULL);
  bool on_caller = kernel->private_bytes <= caller_stack_bytes;
  // The detector is for one thread at a time, and so are schedules.
  bool is_alone = run.is_scheduled || kernel->has_checks;
  int n_workers = is_alone ? 1 : pool->n_workers;
  if (kernel->has_checks) {
    run.check = cpu_check_new(&run, launch, &pool->checked);
    if (!run.check)
      cpu_run_fail(&run, HD_ERROR_MEMORY, "out of memory for checks");
  }
  uint64_t *reach = cpu_reach_new(&run, launch);
  if (launch->trace_path) {
    run.trace = cpu_trace_new(kernel, run.launch.grid);
    if (!run.trace)
      cpu_run_fail(&run, HD_ERROR_MEMORY, "out of memory for the timeline");
  }
  set_gangs(&run, n_workers);
  if (kernel->syncs_grid) {
    run.launch.resident =
        calloc((size_t)run.launch.n_blocks, sizeof *run.launch.resident);
    if (!run.launch.resident)
      cpu_run_fail(&run, HD_ERROR_MEMORY, "out of memory for the grid");
  }
  int64_t n_chunks =
      (run.launch.n_blocks + run.chunk_blocks - 1) / run.chunk_blocks;
  int64_t wanted =
      (n_chunks < n_workers ? n_chunks : (int64_t)n_workers) - on_caller;
  int n_threads = start_threads(pool, (int)wanted);
  if (n_threads > wanted)
    n_threads = (int)wanted;
  else if (n_threads < wanted) // fewer could be started
    set_gangs(&run, n_threads + on_caller);
  if (!on_caller && n_threads == 0)
    cpu_run_fail(&run, HD_ERROR_MEMORY, "no worker thread could be started");
  else
    run_on_pool(pool, &run, n_threads, on_caller);
  cpu_check_end(run.check, &run);
  end_trace(&run, launch->trace_path);
  free(run.launch.resident);
  free(reach);
  if (run.status != HD_OK)
    *error = run.error;
  pthread_mutex_destroy(&run.lock);
  return run.status;
}

HdStatus cpu_pool_run(CpuPool *pool, const RtLaunch *launch, RtError *error) {
  const HdCpuKernel *kernel = launch->code;
  if (kernel->abi_version != HD_CPU_ABI_VERSION) {
    rt_error_set(error,
                 "kernel '%s' was compiled for runtime ABI %u, but this is %d: "
                 "compile it again",
                 kernel->name, kernel->abi_version, HD_CPU_ABI_VERSION);
    return HD_ERROR_UNSUPPORTED;
  }
  if (kernel->private_bytes > most_private_bytes) {
    rt_error_set(error,
                 "kernel '%s' needs %llu bytes of private arrays a warp; the "
                 "limit is %llu",
                 kernel->name, (unsigned long long)kernel->private_bytes,
                 (unsigned long long)most_private_bytes);
    return HD_ERROR_LAUNCH;
  }
  if (launch->grid[0] < 1 || launch->grid[1] < 1 || launch->grid[2] < 1)
    return HD_OK;
  pthread_mutex_lock(&pool->run_lock);
  HdStatus status = run_locked(pool, launch, error);
  pthread_mutex_unlock(&pool->run_lock);
  return status;
}
