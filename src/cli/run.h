// SPDX-License-Identifier: Apache-2.0
// heddle run: what its parts share.
#ifndef HD_CLI_RUN_H
#define HD_CLI_RUN_H

#include "cli/array.h"
#include "cli/cli.h"

// What an array of arrays is given.
typedef struct {
  HdBuffer **buffers; // NULL: nothing yet
  int count;
} RunList;

typedef struct {
  const Options *options;
  HdSession *session;
  HdProgram *program;
  HdKernel *kernel;
  HdDevice *device;
  HdArgs *args;
  int n_params;
  HdParamInfo *params;
  HdBuffer **buffers;      // by parameter
  RunList *lists;          // by parameter
  uint64_t seed;           // with --schedule
  HdFileLaunch file;       // what the file's launch says
  bool has_file_grid;      // and no --grid does
  bool has_file_shared;    // likewise --shared
  HostArray *kept_globals; // by object, as they were loaded; NULL: not needed
  bool has_traced, has_reported;
} Run;

// --- cmd_run.c: kernel, device and parameters; arguments not set yet
HdStatus run_open_kernel(Run *run, const char *name);
void run_free_arguments(Run *run);
void run_close(Run *run);
HdLaunchOptions run_launch_options(const Run *run);

// --- run_args.c: an exit status, after saying why
int run_set_arguments(Run *run);
// What was typed for a name, or NULL.
const Assignment *run_given(const Run *run, const char *name);
// The numbers of "[n*m]" or "[4][8]"; an exit status.
int run_read_extents(const Run *run, const char *name, const char *text,
                     int *rank, int64_t extents[8]);
// The number of a parameter; -1: there is none.
int run_find_param(const Run *run, const char *name);
int run_unknown_name(const Run *run, const char *name);
// Names that the kernel hasn't, and words that are no array.
int run_check_values(const Run *run);

// Buffers of an array parameter, or one of an array of arrays: from a file, or
// new; filled by a word like "iota" (NULL: zeros).
int run_read_buffer(Run *run, const HdParamInfo *info, const char *path,
                    HdBuffer **out);
HdStatus run_make_buffer(Run *run, const HdParamInfo *info, int rank,
                         const int64_t *extents, HdBuffer **out);
int run_fill_buffer(Run *run, const HdParamInfo *info, HdBuffer *buffer,
                    const char *text);

// --- run_tables.c: arrays of arrays; exit statuses
int run_set_table_files(Run *run); // before what is missing is inferred
int run_make_tables(Run *run);     // after that
void run_free_tables(Run *run);
// The file that array `i` of one is saved in.
const char *run_member_path(const Run *run, const char *path, int i);

// --- run_missing.c
// All that a launch of a CUDA C kernel still needs, told at once, with an
// example.
int run_check_given(const Run *run);

// --- run_globals.c: file-scope objects
bool run_find_global(const Run *run, const char *name, HdGlobalInfo *out);
int run_set_globals(Run *run);
// What kernels may change, as it was loaded: put back before each further seed.
int run_keep_globals(Run *run);
int run_restore_globals(Run *run);
void run_free_globals(Run *run);
// Freed by array_fini.
int run_fetch_global(Run *run, const HdGlobalInfo *info, HostArray *out);

// --- run_results.c
// Names and places of results, before a long run is wasted on a wrong one.
int run_check_results(const Run *run);
// Everything is written that can be; the first failure counts.
int run_write_results(Run *run);

// --- run_report.c
// --verbose, --report: what runs the kernel and what its code takes, on stderr.
HdStatus run_report(Run *run);
// --time: launches again and prints the times.
HdStatus run_time(Run *run);

#endif
