// SPDX-License-Identifier: Apache-2.0
// heddle check: all compile-time rules, for one kernel or all of a file.
#include "cli/cli.h"

#include <stdio.h>
#include <string.h>

// A kernel whose embedded parameters have no default can only be checked with
// values, which are for a kernel that was named.
static bool has_open_values(const HdProgram *program, const char *kernel) {
  for (int i = 0; i < hd_program_param_count(program, kernel); i++) {
    HdParamInfo info;
    if (hd_program_param(program, kernel, i, &info) == HD_OK &&
        (info.kind == HD_PARAM_EMBEDDED ||
         info.kind == HD_PARAM_EMBEDDED_TYPE) &&
        !info.has_default)
      return true;
  }
  return false;
}

static HdStatus check_kernel(const Options *options, HdProgram *program,
                             const char *name) {
  HdKernel *kernel;
  int n_embeds;
  HdEmbed *embeds = cli_embeds(options, program, name, &n_embeds);
  HdStatus status = hd_kernel_get(program, name, embeds, n_embeds, &kernel);
  if (status != HD_OK)
    return status;
  char *joins = NULL;
  if (options->explain_sync)
    status = hd_explain_sync(kernel, &joins);
  if (joins && !options->json)
    fputs(joins, stdout);
  hd_text_free(joins);
  hd_kernel_free(kernel);
  return status;
}

typedef struct {
  const char *name;
  const char *verdict; // "ok", "error", "open"
} Verdict;

static void print_json(const Options *options, HdProgram *program,
                       const Verdict *verdicts, int count) {
  Text text = {.arena = options->arena};
  text_add(&text, "{\"file\": ");
  text_add_json(&text, options->file);
  text_add(&text, ", \"kernels\": [");
  for (int i = 0; i < count; i++) {
    text_add(&text, i ? ", {\"kernel\": " : "{\"kernel\": ");
    text_add_json(&text, verdicts[i].name);
    text_printf(&text, ", \"verdict\": \"%s\"}", verdicts[i].verdict);
  }
  text_printf(&text, "], \"diagnostics\": %s}\n",
              program ? hd_program_diagnostics(program, HD_FORMAT_JSON) : "[]");
  fputs(text_cstr(&text), stdout);
}

static void print_text(HdProgram *program, const Verdict *verdicts, int count) {
  fputs(hd_program_diagnostics(program, HD_FORMAT_TEXT), stderr);
  for (int i = 0; i < count; i++) {
    const char *verdict = verdicts[i].verdict;
    printf("%s: %s\n", verdicts[i].name,
           strcmp(verdict, "open") == 0
               ? "open (its constexpr parameters have no default: name the "
                 "kernel and give them)"
               : verdict);
  }
}

// Checks the kernels that were asked for; their verdicts in *out.
static int check_kernels(const Options *options, HdSession *session,
                         HdProgram *program, Verdict *out, int *count) {
  *count = 0;
  const char *only = options->kernel ? cli_kernel_name(options, program) : NULL;
  if (options->kernel && !only)
    return EXIT_USAGE;
  int worst = EXIT_DONE;
  for (int i = 0; i < hd_program_kernel_count(program); i++) {
    const char *name = hd_program_kernel_name(program, i);
    if (only && strcmp(only, name) != 0)
      continue;
    out[*count] = (Verdict){name, "ok"};
    if (!only && has_open_values(program, name)) {
      out[(*count)++].verdict = "open";
      continue;
    }
    HdStatus status = check_kernel(options, program, name);
    if (status != HD_OK)
      out[*count].verdict = "error";
    (*count)++;
    if (status != HD_OK && status != HD_ERROR_PROGRAM)
      return cli_fail(session, status);
    if (status != HD_OK)
      worst = EXIT_WRONG;
  }
  return worst;
}

static int check_open_program(const Options *options, HdSession *session,
                              HdProgram *program, int status) {
  int count = 0;
  size_t n_kernels = (size_t)hd_program_kernel_count(program);
  Verdict *verdicts = ARENA_ARRAY(options->arena, Verdict, n_kernels + 1);
  if (status == EXIT_DONE)
    status = check_kernels(options, session, program, verdicts, &count);
  if (status == EXIT_USAGE)
    return status;
  if (status == EXIT_DONE && options->strict &&
      hd_program_warning_count(program) > 0)
    status = EXIT_WRONG;
  if (options->json)
    print_json(options, program, verdicts, count);
  else
    print_text(program, verdicts, count);
  return status;
}

int cmd_check(const Options *options) {
  HdSession *session;
  HdProgram *program;
  int status = cli_open(options, &session, &program);
  // Without --json the diagnostics of a failed compile were said already.
  if (program &&
      (status == EXIT_DONE || (options->json && status == EXIT_WRONG)))
    status = check_open_program(options, session, program, status);
  hd_program_free(program);
  hd_session_free(session);
  return status;
}
