// SPDX-License-Identifier: Apache-2.0
// heddle convert: kernels in CUDA C as Heddle C.
#include "cli/cli.h"

#include "base/file.h"
#include "base/panic.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

// Nobody wants to lose the kernels that are converted.
static bool is_own_file(const Options *options) {
  struct stat from, to;
  return options->output && stat(options->file, &from) == 0 &&
         stat(options->output, &to) == 0 && from.st_dev == to.st_dev &&
         from.st_ino == to.st_ino;
}

static int write_text(const Options *options, const char *text) {
  if (!options->output) {
    fputs(text, stdout);
    return EXIT_DONE;
  }
  const char *why;
  if (file_write_atomic(options->arena, options->output, text, strlen(text),
                        &why) == HD_OK)
    return EXIT_DONE;
  cli_error("%s", why);
  return EXIT_USAGE;
}

// Kernels that were left out have errors, which are told; what could be
// converted is there all the same.
static int tell_errors(const Options *options, HdProgram *program) {
  fputs(hd_program_diagnostics(program, HD_FORMAT_TEXT), stderr);
  if (hd_program_error_count(program) == 0)
    return EXIT_DONE;
  cli_error("%s: kernels with errors are left out", options->file);
  return EXIT_WRONG;
}

static int cli_cmd_convert(const Options *options, HdSession *session,
                           HdProgram *program) {
  HdConvertOptions convert = HD_CONVERT_OPTIONS_INIT;
  convert.assumptions = options->assumptions.data;
  convert.time_limit_ms = options->check.time_limit_ms;
  for (int i = 0; i < 3 && options->block_text; i++)
    convert.block[i] = (int)options->block[i];
  char *text;
  HdStatus status = hd_convert(program, options->kernel, &convert, &text);
  if (status != HD_OK)
    return cli_fail(session, status);
  int result = write_text(options, text);
  hd_text_free(text);
  return result == EXIT_DONE ? tell_errors(options, program) : result;
}

int cmd_convert(const Options *options) {
  HD_ASSERT(options->command == CONVERT);
  HdSession *session;
  HdProgram *program;
  if (is_own_file(options)) {
    cli_error("'-o %s' would overwrite the file that is converted; name "
              "another, such as 'kernel.hd'",
              options->output);
    return EXIT_USAGE;
  }
  int status = cli_open(options, &session, &program);
  if (status == EXIT_DONE)
    status = cli_cmd_convert(options, session, program);
  hd_program_free(program);
  hd_session_free(session);
  return status;
}
