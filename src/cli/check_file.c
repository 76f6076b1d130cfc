// SPDX-License-Identifier: Apache-2.0
#include "cli/check_file.h"

#include "base/panic.h"
#include "cli/check_needs.h"

#include <string.h>

typedef struct {
  const Options *options; // with the file's arena
  HdProgram *program;
  FileCheck *out;
} Work;

// Adds the items of a JSON array ("[a, b]\n") to a list.
static void add_items(Text *list, const char *array) {
  const char *begin = strchr(array, '[');
  const char *end = strrchr(array, ']');
  if (!begin || !end || end == begin + 1)
    return;
  if (list->length > 0)
    text_add(list, ",\n ");
  text_add_n(list, begin + 1, (size_t)(end - begin - 1));
}

static void say_failure(FileCheck *out, HdSession *session, HdStatus status) {
  const char *message = hd_last_message(session);
  text_printf(&out->err, "heddle: %s%s\n", cli_status_code(status),
              *message ? message : hd_status_text(status));
  out->status = cli_exit_status(status);
}

// -------------------------------------------------------------- one kernel

static int check_file_count(const HdCheck *check, HdVerdict verdict) {
  int n = 0;
  for (int i = 0; i < hd_check_finding_count(check); i++) {
    HdFinding finding;
    n += hd_check_finding(check, i, &finding) == HD_OK &&
         finding.verdict == verdict;
  }
  return n;
}

// "2 bugs, 1 unknown", or the reason of what has no place of its own.
static void say_findings(const HdCheck *check, Text *out) {
  int n_bugs = check_file_count(check, HD_VERDICT_BUG);
  int n_unknown = check_file_count(check, HD_VERDICT_UNKNOWN);
  HdFinding first;
  if (n_bugs == 0 && n_unknown == 1 &&
      hd_check_finding(check, 0, &first) == HD_OK && first.line == 0) {
    text_printf(out, "%s", first.reason);
    return;
  }
  if (n_bugs > 0)
    text_printf(out, "%d bug%s", n_bugs, n_bugs > 1 ? "s" : "");
  if (n_unknown > 0)
    text_printf(out, "%s%d unknown", n_bugs ? ", " : "", n_unknown);
}

// CUDA C: which launches this is about.
static void say_block(const Work *work, const HdCheck *check, Text *out) {
  int block[3], line;
  HdBlockSource source = hd_check_block(check, block);
  if (source == HD_BLOCK_KERNEL)
    return;
  text_printf(out, "; blocks of %d", block[0]);
  for (int i = 1; i < 3 && (block[1] > 1 || block[2] > 1); i++)
    if (i == 1 || block[2] > 1)
      text_printf(out, " x %d", block[i]);
  text_add(out, " threads");
  if (source != HD_BLOCK_LAUNCH || !hd_check_launch_line(check, 0))
    text_printf(out, ", %s", cli_block_text(work->options, source));
  for (int i = 0; (line = hd_check_launch_line(check, i)) > 0; i++)
    text_printf(out, "%s %d",
                i                           ? ","
                : source == HD_BLOCK_LAUNCH ? ", as launched in line"
                                            : "; as launched in line",
                line);
}

static void say_summary(const Work *work, const HdCheck *check, Text *out) {
  HdCheckCost cost;
  hd_check_cost(check, &cost);
  if (hd_check_verdict(check) == HD_VERDICT_PROVED) {
    text_printf(out, "%d obligation%s", cost.n_obligations,
                text_plural(cost.n_obligations));
  } else {
    say_findings(check, out);
    if (cost.n_obligations > 0)
      text_printf(out, "; %d of %d obligations proved", cost.n_proved,
                  cost.n_obligations);
  }
  if (cost.n_obligations > 0)
    text_printf(out, ", %.2f s", cost.time_ms / 1000);
  say_block(work, check, out);
  for (int i = 0; i < hd_check_trusted_count(check); i++)
    text_printf(out, "%s%s", i ? ", " : "; trusting ",
                hd_check_trusted(check, i));
  if (hd_check_assumption(check))
    text_printf(out, "; no bug with --assume '%s'", hd_check_assumption(check));
  if (hd_check_otherwise(check))
    text_printf(out, "; other launches: %s", hd_check_otherwise(check));
}

static bool is_ok_by_rules(const Work *work, const HdCheck *check) {
  return work->options->check.rules_only &&
         hd_check_verdict(check) == HD_VERDICT_UNKNOWN &&
         hd_check_finding_count(check) == 0;
}

static void say_kernel(const Work *work, HdCheck *check) {
  Text *out = &work->out->out, *err = &work->out->err;
  const char *findings = hd_check_report(check, HD_FORMAT_TEXT);
  text_printf(err, "%s%s", err->length && *findings ? "\n" : "", findings);
  if (!work->out->is_alone)
    text_printf(out, "%s: ", work->out->file);
  text_printf(out, "%s: ", hd_check_kernel(check));
  if (is_ok_by_rules(work, check)) {
    text_add(out, "ok\n");
    return;
  }
  text_printf(out, "%s (", hd_verdict_name(hd_check_verdict(check)));
  say_summary(work, check, out);
  text_add(out, ")\n");
}

static void say_kernel_json(const Work *work, HdCheck *check) {
  if (work->out->kernels.length > 0)
    text_add(&work->out->kernels, ",\n ");
  text_add(&work->out->kernels, hd_check_report(check, HD_FORMAT_JSON));
  add_items(&work->out->diagnostics, hd_check_diagnostics(check));
}

static void say_needs(const Work *work, const HdCheck *check) {
  FileCheck *out = work->out;
  text_add(&out->needs, "  ");
  if (!out->is_alone)
    text_printf(&out->needs, "%s: ", out->file);
  text_printf(&out->needs, "%s: %s\n", hd_check_kernel(check),
              cli_check_needs(out->arena, check));
}

static void judge(const Work *work, const HdCheck *check) {
  HdVerdict verdict = hd_check_verdict(check);
  work->out->n_kernels[verdict]++;
  if (verdict == HD_VERDICT_UNKNOWN && !is_ok_by_rules(work, check))
    say_needs(work, check);
  bool is_wrong = verdict == HD_VERDICT_BUG ||
                  (verdict == HD_VERDICT_UNKNOWN && work->options->strict &&
                   !is_ok_by_rules(work, check));
  if (is_wrong && work->out->status == EXIT_DONE)
    work->out->status = EXIT_WRONG;
}

static HdStatus explain_sync(const Work *work, const char *name,
                             const HdEmbed *embeds, int n_embeds) {
  HdKernel *kernel;
  HdStatus status =
      hd_kernel_get(work->program, name, embeds, n_embeds, &kernel);
  if (status != HD_OK)
    return status;
  char *joins = NULL;
  status = hd_explain_sync(kernel, &joins);
  if (joins && !work->options->json)
    text_add(&work->out->out, joins);
  hd_text_free(joins);
  hd_kernel_free(kernel);
  return status;
}

static HdStatus check_kernel(const Work *work, const char *name) {
  int n_embeds;
  HdEmbed *embeds = cli_embeds(work->options, work->program, name, &n_embeds);
  HdCheck *check;
  HdCheckOptions options =
      cli_check_options(work->options, work->program, name);
  HdStatus status =
      hd_check(work->program, name, embeds, n_embeds, &options, &check);
  if (status != HD_OK)
    return status;
  if (work->options->explain_sync && hd_check_verdict(check) != HD_VERDICT_BUG)
    status = explain_sync(work, name, embeds, n_embeds);
  judge(work, check);
  if (work->options->json)
    say_kernel_json(work, check);
  else
    say_kernel(work, check);
  hd_check_free(check);
  return status == HD_ERROR_PROGRAM ? HD_OK : status;
}

// ---------------------------------------------------------------- one file

static bool check_file_one(const Work *work, HdSession *session,
                           const char *name) {
  work->out->has_kernel = true;
  HdStatus status = check_kernel(work, name);
  if (status != HD_OK)
    say_failure(work->out, session, status);
  return status == HD_OK;
}

// A wrong name is bad usage; of several files each may lack some.
static bool has_known_names(const Work *work, const char *kernel) {
  const char *why =
      work->out->is_alone
          ? cli_unknown_assignment(work->options, work->program, kernel)
          : NULL;
  if (why) {
    text_printf(&work->out->err, "heddle: %s\n", why);
    work->out->status = EXIT_USAGE;
  }
  return !why;
}

// Of several files those count that have such a kernel.
static void check_file_named(const Work *work, HdSession *session) {
  const char *name = work->options->kernel;
  if (hd_program_kernel_count(work->program) == 0 &&
      hd_program_error_count(work->program) > 0)
    return; // its errors are the answer
  if (work->out->is_alone) {
    name = cli_kernel_name(work->options, session, work->program);
    if (!name)
      work->out->status = EXIT_USAGE;
  } else if (hd_program_find_kernel(work->program, name, &name) != HD_OK) {
    return;
  }
  if (name && has_known_names(work, name))
    check_file_one(work, session, name);
}

static void check_kernels(const Work *work, HdSession *session) {
  if (work->options->kernel) {
    check_file_named(work, session);
    return;
  }
  bool has_host_code = hd_program_language(work->program) == HD_LANGUAGE_CUDA;
  if (hd_program_kernel_count(work->program) == 0 &&
      hd_program_error_count(work->program) == 0 &&
      (work->out->is_alone || has_host_code))
    text_printf(&work->out->err,
                "heddle: %s has no kernel, so there is nothing to check (a "
                "kernel begins with '%s void')\n",
                work->options->file, has_host_code ? "__global__" : "kernel");
  if (!has_known_names(work, NULL))
    return;
  for (int i = 0; i < hd_program_kernel_count(work->program); i++) {
    if (!check_file_one(work, session,
                        hd_program_kernel_name(work->program, i)))
      return;
  }
}

// What only CUDA C has a use for.
static bool is_misplaced(const Work *work) {
  bool has_clauses = hd_program_language(work->program) != HD_LANGUAGE_CUDA;
  if (!has_clauses || work->options->assumptions.count == 0 ||
      !work->out->is_alone)
    return false;
  text_printf(&work->out->err,
              "heddle: --assume is for CUDA C; in Heddle C, write "
              "'requires(%s)' after the kernel's parameters\n",
              work->options->assumptions.data[0]);
  work->out->status = EXIT_USAGE;
  return true;
}

// The compiler's diagnostics stand before the checker's.
static void say_diagnostics(const Work *work) {
  FileCheck *out = work->out;
  if (work->options->json) {
    Text checked = out->diagnostics;
    out->diagnostics = (Text){.arena = out->arena};
    add_items(&out->diagnostics,
              hd_program_diagnostics(work->program, HD_FORMAT_JSON));
    if (checked.length > 0)
      text_printf(&out->diagnostics, "%s%s",
                  out->diagnostics.length ? ",\n " : "", text_cstr(&checked));
    return;
  }
  Text checked = out->err;
  const char *refused = hd_program_diagnostics(work->program, HD_FORMAT_TEXT);
  out->err = (Text){.arena = out->arena};
  text_printf(&out->err, "%s%s%s", refused,
              *refused && checked.length ? "\n" : "", text_cstr(&checked));
}

static void check_program(const Work *work, HdSession *session) {
  FileCheck *out = work->out;
  if (is_misplaced(work))
    return;
  check_kernels(work, session);
  if (hd_program_error_count(work->program) > 0 && out->status == EXIT_DONE)
    out->status = EXIT_WRONG;
  if (work->options->strict && hd_program_warning_count(work->program) > 0 &&
      out->status == EXIT_DONE)
    out->status = EXIT_WRONG;
  say_diagnostics(work);
}

void check_file(const Options *options, HdSession *session, FileCheck *out) {
  HD_ASSERT(session && out->file && out->arena);
  Options own = *options;
  Work work = {&own, NULL, out};
  own.arena = out->arena;
  own.file = out->file;
  out->err = out->out = out->kernels = out->diagnostics = out->needs =
      (Text){.arena = out->arena};
  HdStatus status = hd_compile_file(session, out->file, &work.program);
  if (work.program)
    check_program(&work, session);
  else
    say_failure(out, session, status);
  hd_program_free(work.program);
}
