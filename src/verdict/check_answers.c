// SPDX-License-Identifier: Apache-2.0
// What a check found, by functions of the API and as JSON.
#include "base/panic.h"
#include "verdict/check_rounds.h"

#include <stdio.h>
#include <string.h>

const char *hd_verdict_name(HdVerdict verdict) {
  switch (verdict) {
  case HD_VERDICT_PROVED: return "proved";
  case HD_VERDICT_BUG: return "bug";
  case HD_VERDICT_UNKNOWN: break;
  }
  return "unknown";
}

// ---------------------------------------------------------------- answers

const char *hd_check_kernel(const HdCheck *check) {
  if (!check)
    return NULL;
  return check->kernel;
}

HdBlockSource hd_check_block(const HdCheck *check, int block[3]) {
  if (!check || !block) {
    for (int i = 0; block && i < 3; i++)
      block[i] = 0;
    return HD_BLOCK_KERNEL;
  }
  memcpy(block, check->block, sizeof check->block);
  return check->block_source;
}

int hd_check_launch_line(const HdCheck *check, int index) {
  if (!check)
    return 0;
  return index >= 0 && index < (int)check->launch_lines.count
             ? check->launch_lines.data[index]
             : 0;
}

const char *hd_check_assumption(const HdCheck *check) {
  if (!check)
    return NULL;
  return check->excuse;
}

const char *hd_check_otherwise(const HdCheck *check) {
  if (!check)
    return NULL;
  return check->otherwise;
}

HdVerdict hd_check_verdict(const HdCheck *check) {
  if (!check)
    return HD_VERDICT_UNKNOWN;
  return check->verdict;
}

void hd_check_cost(const HdCheck *check, HdCheckCost *out) {
  if (!check || !out)
    return;
  const CheckReport *report = &check->report;
  *out = (HdCheckCost){.n_obligations = (int)report->n_obligations,
                       .n_proved = (int)report->n_proved,
                       .n_runs = (int)report->n_runs,
                       .time_ms = report->time_ms};
  for (int tier = 0; tier < TIER_COUNT; tier++)
    out->answers[tier] = (int)report->answers[tier];
}

int hd_check_finding_count(const HdCheck *check) {
  if (!check)
    return 0;
  return (int)check->findings.count;
}

HdStatus hd_check_finding(const HdCheck *check, int index, HdFinding *out) {
  if (!check || !out)
    return session_null(check ? check->program->session : NULL,
                        "hd_check_finding");
  if (index < 0 || index >= (int)check->findings.count)
    return session_fail(check->program->session, HD_ERROR_ARGUMENT,
                        "there is no finding number %d", index);
  *out = check->findings.data[index];
  return HD_OK;
}

int hd_check_trusted_count(const HdCheck *check) {
  if (!check)
    return 0;
  return (int)check->report.trusted.count;
}

const char *hd_check_trusted(const HdCheck *check, int index) {
  if (!check)
    return NULL;
  return index >= 0 && index < (int)check->report.trusted.count
             ? check->report.trusted.data[index]
             : NULL;
}

// ------------------------------------------------------------------- JSON

static void check_answers_add_text(Text *out, const char *key,
                                   const char *value) {
  text_printf(out, ", \"%s\": ", key);
  if (value)
    text_add_json(out, value);
  else
    text_add(out, "null");
}

static void check_answers_add_finding(Text *out, const HdFinding *finding) {
  text_printf(out, "{\"code\": \"%s\"", finding->code);
  check_answers_add_text(out, "verdict", hd_verdict_name(finding->verdict));
  check_answers_add_text(out, "file", finding->file);
  text_printf(out, ", \"line\": %d, \"column\": %d", finding->line,
              finding->column);
  check_answers_add_text(out, "other_file", finding->other_file);
  text_printf(out, ", \"other_line\": %d, \"other_column\": %d",
              finding->other_line, finding->other_column);
  check_answers_add_text(out, "message", finding->message);
  check_answers_add_text(out, "reason", finding->reason);
  check_answers_add_text(out, "witness", finding->witness);
  check_answers_add_text(out, "fix", finding->fix);
  if (finding->insert) {
    text_printf(out,
                ", \"edit\": {\"line\": %d, \"column\": %d, "
                "\"replaced\": \"\"",
                finding->insert_line, finding->insert_column);
    check_answers_add_text(out, "file", finding->file);
    check_answers_add_text(out, "text", finding->insert);
    text_add(out, "}");
  } else {
    check_answers_add_text(out, "edit", NULL);
  }
  text_add(out, "}");
}

static void add_costs(Text *out, const CheckReport *report) {
  static const char *const names[TIER_COUNT] = {
      [TIER_SIMPLIFY] = "own", [TIER_ISL] = "isl",
      [TIER_Z3_LINEAR] = "z3", [TIER_Z3_BITS] = "z3_bits",
      [TIER_SPLIT] = "cases",
  };
  text_printf(out, ", \"obligations\": %u, \"proved\": %u, \"runs\": %u",
              report->n_obligations, report->n_proved, report->n_runs);
  for (int tier = 0; tier < TIER_COUNT; tier++)
    text_printf(out, "%s\"%s\": %u", tier ? ", " : ", \"answers\": {",
                names[tier], report->answers[tier]);
  text_printf(out, "}, \"time_ms\": %.3f", report->time_ms);
}

// CUDA C: the launches that this is about.
static void check_answers_add_block(Text *out, const HdCheck *check) {
  static const char *const sources[] = {
      [HD_BLOCK_GIVEN] = "given",
      [HD_BLOCK_LAUNCH] = "launch",
      [HD_BLOCK_BOUNDS] = "launch bounds",
      [HD_BLOCK_GUESS] = "guess",
  };

  if (check->block_source == HD_BLOCK_KERNEL)
    return;
  text_printf(out, ", \"block\": [%d, %d, %d]", check->block[0],
              check->block[1], check->block[2]);
  check_answers_add_text(out, "block_from", sources[check->block_source]);
  text_add(out, ", \"launch_lines\": [");
  for (uint32_t i = 0; i < check->launch_lines.count; i++)
    text_printf(out, "%s%d", i ? ", " : "", check->launch_lines.data[i]);
  text_add(out, "]");
  check_answers_add_text(out, "otherwise", check->otherwise);
  check_answers_add_text(out, "assumption", check->excuse);
}

static void add_json(const HdCheck *check, Text *out) {
  text_add(out, "{\"kernel\": ");
  text_add_json(out, check->kernel);
  check_answers_add_text(out, "file", source_name(check->program->source));
  check_answers_add_text(out, "verdict", hd_verdict_name(check->verdict));
  text_add(out, ", \"findings\": [");
  for (uint32_t i = 0; i < check->findings.count; i++) {
    text_add(out, i ? ",\n  " : "");
    check_answers_add_finding(out, &check->findings.data[i]);
  }
  text_add(out, "], \"trusted\": [");
  for (uint32_t i = 0; i < check->report.trusted.count; i++) {
    text_add(out, i ? ", " : "");
    text_add_json(out, check->report.trusted.data[i]);
  }
  text_add(out, "]");
  check_answers_add_block(out, check);
  add_costs(out, &check->report);
  text_add(out, "}");
}

static const char *check_answers_report(HdCheck *check, HdFormat format) {
  session_lock(check->program->session);
  Text text = {.arena = check->arena};
  if (format == HD_FORMAT_JSON)
    add_json(check, &text);
  else
    diag_render_text(check->diags, &text,
                     check->program->session->options.use_colour != 0);
  session_unlock(check->program->session);
  return text_cstr(&text);
}

const char *hd_check_report(HdCheck *check, HdFormat format) {
  if (!check)
    return NULL;
  SESSION_RESCUE(check->program->session, NULL, "");
  return check_answers_report(check, format);
}

static const char *diagnostics(HdCheck *check) {
  session_lock(check->program->session);
  Text text = {.arena = check->arena};
  diag_render_json(check->diags, &text);
  session_unlock(check->program->session);
  return text_cstr(&text);
}

const char *hd_check_diagnostics(HdCheck *check) {
  if (!check)
    return NULL;
  SESSION_RESCUE(check->program->session, NULL, "");
  return diagnostics(check);
}
