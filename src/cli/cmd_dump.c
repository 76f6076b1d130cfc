// SPDX-License-Identifier: Apache-2.0
// heddle dump, explain, devices: text out.
#include "cli/cli.h"

#include "base/panic.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

// Stages before any meaning is looked for: shown for wrong programs too.
static bool is_early(const char *stage) {
  return strcmp(stage, "tokens") == 0 || strcmp(stage, "ast") == 0;
}

static int dump_program(const Options *options, HdSession *session,
                        HdProgram *program) {
  const char *kernel = options->kernel;
  bool is_whole = strcmp(options->stage, "ir") == 0 && !kernel &&
                  options->assignments.count == 0 && !options->has_block;
  // There each kernel is translated, and so has a tree of its own.
  bool has_own_tree = hd_program_language(program) == HD_LANGUAGE_CUDA;
  bool wants_kernel = !is_early(options->stage) || (has_own_tree && kernel);
  if (wants_kernel && !is_whole) {
    kernel = cli_kernel_name(options, session, program);
    if (!kernel)
      return EXIT_USAGE;
  }
  int n_embeds = 0;
  HdEmbed *embeds =
      kernel ? cli_embeds(options, program, kernel, &n_embeds) : NULL;
  char *text;
  HdStatus status = options->after
                        ? hd_dump_after(program, kernel, embeds, n_embeds,
                                        options->after, &text)
                        : hd_dump_for(program, kernel, embeds, n_embeds,
                                      options->stage, options->target, &text);
  if (status != HD_OK)
    return cli_fail(session, status);
  fputs(text, stdout);
  hd_text_free(text);
  return EXIT_DONE;
}

static int dump_declaration(const Options *options, HdSession *session) {
  char *text;
  HdStatus status = hd_dump_layout(
      session, options->layout, options->n_threads ? options->n_threads : 32,
      options->stage ? options->stage : "layout", &text);
  if (status != HD_OK)
    return cli_fail(session, status);
  fputs(text, stdout);
  hd_text_free(text);
  return EXIT_DONE;
}

int cmd_dump(const Options *options) {
  HD_ASSERT(options->command == DUMP);
  HdSession *session;
  HdProgram *program = NULL;
  HdStatus status = hd_session_new(&options->session, &session);
  if (status == HD_OK && options->layout) {
    int result = dump_declaration(options, session);
    hd_session_free(session);
    return result;
  }
  if (status == HD_OK)
    status = hd_compile_file(session, options->file, &program);
  bool shows = status == HD_OK || (program && is_early(options->stage));
  int result = shows ? dump_program(options, session, program)
                     : cli_fail(session, status);
  hd_program_free(program);
  hd_session_free(session);
  return result;
}

int cmd_explain(const Options *options) {
  HD_ASSERT(options->command == EXPLAIN);

  enum { MOST_LETTERS = 16 };

  char *code = arena_strndup(options->arena, options->file,
                             strnlen(options->file, MOST_LETTERS));
  for (char *p = code; *p; p++)
    *p = (char)toupper((unsigned char)*p);
  const char *page = hd_explain(code);
  if (!page) {
    cli_error("no diagnostic has the code '%s' (they look like HD0501)",
              options->file);
    return EXIT_USAGE;
  }
  fputs(page, stdout);
  return EXIT_DONE;
}

int cmd_devices(const Options *options) {
  HD_ASSERT(options->command == DEVICES);
  HdSession *session;
  HdStatus status = hd_session_new(&options->session, &session);
  if (status != HD_OK)
    return cli_fail(session, status);
  for (int i = 0; i < hd_device_count(session); i++)
    printf("%-8s %s\n", hd_device_name(session, i),
           hd_device_description(session, i));
  const char *kind;
  for (int i = 0; (kind = hd_device_kind(i)); i++) {
    const char *why = hd_device_why_none(session, kind);
    if (why)
      printf("%-8s none: %s\n", kind, why);
  }
  hd_session_free(session);
  return EXIT_DONE;
}
