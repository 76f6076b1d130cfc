// SPDX-License-Identifier: Apache-2.0
// What the commands share: options, messages, exit status.
#ifndef HD_CLI_CLI_H
#define HD_CLI_CLI_H

#include "base/text.h"
#include "base/vec.h"
#include "heddle/heddle.h"
#include <stdbool.h>

enum {
  EXIT_DONE = 0,
  EXIT_WRONG = 1,         // the program is wrong
  EXIT_USAGE = 2,         // bad usage, or the world is wrong
  EXIT_INTERRUPTED = 130, // as shells report SIGINT
};

typedef enum {
  RUN = 1,
  CHECK = 2,
  DUMP = 4,
  EXPLAIN = 8,
  DEVICES = 16,
  CONVERT = 32
} Command;

// NAME=VALUE or NAME[EXTENT]…=VALUE, as typed.
typedef struct {
  const char *name, *value;
  const char *extents; // with the brackets, or NULL
  bool is_size;        // a size of the launch was computed from it
} Assignment;

typedef struct {
  Arena *arena;
  Command command;
  const char *file, *kernel;
  hd_vec(const char *) more_files; // check: behind `file`
  hd_vec(Assignment) assignments;
  hd_vec(Assignment) saves;
  hd_vec(const char *) prints;
  hd_vec(const char *) defines;
  hd_vec(const char *) include_dirs;
  const char *device, *stage;
  const char *target; // dump; NULL: the stage's own
  const char *after;  // dump: a pass, or NULL
  const char *layout; // dump: a declaration in place of a file, or NULL
  int n_threads;      // of that; 0: the default
  bool wants_help, json, strict, explain_sync, verbose, report;
  bool check_first; // run
  int n_jobs;       // check; 0: one a processor
  HdCheckOptions check;
  int time_runs; // 0: no --time
  // Of a launch: as typed, NULL where nothing is said, and what it means.
  const char *launch, *grid_text, *block_text, *shared_text, *cluster_text;
  int64_t grid[3], block[3], cluster[3];
  bool has_grid, has_block; // these are read already
  int64_t shared_bytes;
  hd_vec(const char *) assumptions; // --assume
  const char *output;               // convert: file, or NULL
  const char *trace;                // file, or NULL
  uint64_t first_seed, n_seeds;     // --schedule; 0 seeds: none
  HdSessionOptions session;
} Options;

// Fills *out from argv[first…]. EXIT_DONE, or EXIT_USAGE after saying why.
int options_parse(Arena *arena, Command command, int argc, char **argv,
                  int first, Options *out);
// Reads what the texts of the launch mean, once all words are known.
int options_read_launch(Options *options);
// Usage of one command on stdout.
void options_print_help(Command command);
const char *command_name(Command command);

// "heddle: …" on stderr, with a newline.
void cli_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
// The exit status that a status of the library means.
int cli_exit_status(HdStatus status);
// In front of a message with this status: the code of those that have a page.
const char *cli_status_code(HdStatus status);
// Likewise, of what a function of array.h returned.
const char *cli_reason_code(const char *why);
// Says the session's message; the exit status.
int cli_fail(HdSession *session, HdStatus status);

// Opens a session and the program, its diagnostics on stderr. *program may be
// set although the result is not EXIT_DONE; free both.
int cli_open(const Options *options, HdSession **session, HdProgram **program);
// Embedded parameters among the assignments, in order; the others stay.
HdEmbed *cli_embeds(const Options *options, const HdProgram *program,
                    const char *kernel, int *count);
// The kernel that was named, or the only one; NULL after saying why not.
const char *cli_kernel_name(const Options *options, HdSession *session,
                            HdProgram *program);
// The launches that a check of this kernel is about.
HdCheckOptions cli_check_options(const Options *options,
                                 const HdProgram *program, const char *kernel);
// Says that the kernel has no parameter of this name, nor has the program, of
// `kernel` (NULL: not known), a variable.
const char *cli_no_parameter(Arena *arena, const HdProgram *program,
                             const char *kernel_name, const HdKernel *kernel,
                             const char *name);
// What is wrong with a NAME=VALUE that `kernel` doesn't know (NULL: that no
// kernel of the file knows); NULL: nothing is, or the kernel has errors.
const char *cli_unknown_assignment(const Options *options, HdProgram *program,
                                   const char *kernel);
// Where the block size of a CUDA C kernel comes from, in words.
const char *cli_block_text(const Options *options, HdBlockSource source);

int cmd_run(const Options *options);
int cmd_check(const Options *options);
int cmd_dump(const Options *options);
int cmd_explain(const Options *options);
int cmd_devices(const Options *options);
int cmd_convert(const Options *options);

#endif
