// SPDX-License-Identifier: Apache-2.0
#include "cli/check_needs.h"

#include <stdbool.h>
#include <string.h>

enum { MOST_WORDS = 6 };

typedef struct {
  Arena *arena;
  const char *words[MOST_WORDS]; // of options and clauses, each once
  int n_words, n_left_out;
  bool needs_time;
  const HdFinding *other; // the first that names neither
  int n_others;
} Needs;

static void check_needs_add_word(Needs *needs, const char *word) {
  for (int i = 0; i < needs->n_words; i++)
    if (strcmp(needs->words[i], word) == 0)
      return;
  if (needs->n_words < MOST_WORDS)
    needs->words[needs->n_words++] = word;
  else
    needs->n_left_out++;
}

static void add_finding(Needs *needs, const HdFinding *finding) {
  needs->needs_time |= finding->needs_time;
  if (finding->needs)
    check_needs_add_word(needs, finding->needs);
  if (finding->needs || finding->needs_time)
    return;
  if (needs->n_others++ == 0) {
    HdFinding *copy = arena_alloc(needs->arena, sizeof *copy);
    *copy = *finding;
    needs->other = copy;
  }
}

static void add_other(const Needs *needs, Text *text) {
  const HdFinding *other = needs->other;
  const char *reason = other->reason ? other->reason : other->message;
  text_printf(text, "%s", text->length ? "; " : "");
  if (other->line > 0)
    text_printf(text, "line %d: ", other->line);
  text_add(text, reason);
  if (needs->n_others > 1)
    text_printf(text, ", and %d more", needs->n_others - 1);
}

const char *cli_check_needs(Arena *arena, const HdCheck *check) {
  Needs needs = {.arena = arena};
  Text text = {.arena = arena};
  for (int i = 0; i < hd_check_finding_count(check); i++) {
    HdFinding finding;
    if (hd_check_finding(check, i, &finding) == HD_OK &&
        finding.verdict == HD_VERDICT_UNKNOWN)
      add_finding(&needs, &finding);
  }
  for (int i = 0; i < needs.n_words; i++)
    text_printf(&text, "%s%s", i ? ", " : "", needs.words[i]);
  if (needs.n_left_out > 0)
    text_printf(&text, ", and %d more", needs.n_left_out);
  if (needs.needs_time)
    text_printf(&text, "%smore time (--time-limit)", text.length ? ", " : "");
  if (needs.other)
    add_other(&needs, &text);
  return text_cstr(&text);
}
