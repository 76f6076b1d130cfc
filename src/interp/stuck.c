// SPDX-License-Identifier: Apache-2.0
// A deadlock in words.
#include "interp/stuck.h"
#include <inttypes.h>

typedef struct {
  const StuckReport *report;
  Text *out;
} Writer;

static const char *stuck_place_of(const Writer *w, const IrNode *node) {
  return node ? ir_loc_text(w->report->kernel->module, node->loc, w->out->arena)
              : "unknown place";
}

static void stuck_add_block(const Writer *w, const int32_t block[3]) {
  text_printf(w->out, "block (%d, %d, %d)", (int)block[0], (int)block[1],
              (int)block[2]);
}

static void stuck_add_releases(const Writer *w, const StuckWait *wait) {
  text_add(w->out, "\n    could be released at ");
  for (uint32_t i = 0; i < wait->n_releases; i++)
    text_printf(w->out, "%s%s (%s)", i ? ", " : "",
                stuck_place_of(w, wait->releases[i]),
                ir_word(wait->releases[i]));
  if (wait->n_releases == 0)
    text_add(w->out, "no place: nothing does");
}

static void stuck_add_absent(const Writer *w, const StuckAbsent *absent) {
  if (absent->last > absent->first)
    text_printf(w->out, "threads %u to %u, ", absent->first, absent->last);
  else
    text_printf(w->out, "thread %u, ", absent->first);
  switch (absent->kind) {
  case ABSENT_ENDED: text_add(w->out, "which has ended"); break;
  case ABSENT_WAITING:
    text_printf(w->out, "waiting at %s", stuck_place_of(w, absent->node));
    break;
  case ABSENT_BUSY:
    text_printf(w->out, "busy at %s", stuck_place_of(w, absent->node));
    break;
  }
}

static void stuck_add_meeting(const Writer *w, const StuckWait *wait) {
  if (wait->kind == STUCK_BARRIER)
    text_add(w->out, "for the barrier of ");
  else
    text_printf(w->out, "with %s for all threads of ",
                ir_op_info(wait->node)->text);
  text_printf(w->out, "%s: %u of its %u threads have arrived",
              wait->group->name, wait->n_arrived, wait->size);
  if (wait->arrival)
    text_printf(w->out, " at %s", stuck_place_of(w, wait->arrival));
  for (uint32_t i = 0; i < wait->n_absent; i++) {
    text_add(w->out, i ? "; " : "\n    not there: ");
    stuck_add_absent(w, &wait->absent[i]);
  }
}

static void stuck_add_mbarrier(const Writer *w, const StuckWait *wait) {
  text_printf(w->out,
              "for phase %" PRIu64 " of '%s[%u]': it has seen %u of %u "
              "arrivals",
              wait->phase, wait->object->name, wait->element, wait->seen,
              wait->count);
  if (wait->bytes > 0)
    text_printf(w->out, ", %" PRId64 " bytes are missing", wait->bytes);
  else if (wait->bytes < 0)
    text_printf(w->out, ", %" PRId64 " bytes more have come than it expects",
                -wait->bytes);
  stuck_add_releases(w, wait);
}

static void stuck_add_kind(const Writer *w, const StuckWait *wait) {
  switch (wait->kind) {
  case STUCK_MEMORY:
    text_add(w->out, "in a loop for memory that no thread writes");
    break;
  case STUCK_BARRIER:
  case STUCK_MEETING: stuck_add_meeting(w, wait); break;
  case STUCK_MBARRIER: stuck_add_mbarrier(w, wait); break;
  case STUCK_SEMAPHORE:
    text_printf(w->out, "for a semaphore to be %" PRIu64, wait->value);
    stuck_add_releases(w, wait);
    break;
  case STUCK_COALESCED: {
    Language language = w->report->kernel->module->language;
    text_printf(w->out,
                "for threads of its warp that may still come to this %s()",
                vocabulary_word(language, WORD_coalesced_threads));
    break;
  }
  }
}

static void stuck_add_wait(const Writer *w, const StuckWait *wait) {
  text_add(w->out, "\n  ");
  if (w->report->n_blocks > 1) {
    stuck_add_block(w, wait->block);
    text_add(w->out, ", ");
  }
  if (wait->first == wait->last)
    text_printf(w->out, "thread %u waits at ", wait->first);
  else
    text_printf(w->out, "threads %u to %u wait at ", wait->first, wait->last);
  text_printf(w->out, "%s ", stuck_place_of(w, wait->node));
  stuck_add_kind(w, wait);
}

void stuck_report_text(Text *out, const StuckReport *report) {
  const Writer w = {report, out};
  text_printf(out, "deadlock in kernel '%s'", report->kernel->name);
  if (report->n_blocks == 1) {
    text_add(out, ", ");
    stuck_add_block(&w, report->block);
  }
  text_add(out, ": no thread can go on");
  for (uint32_t i = 0; i < report->n_waits; i++)
    stuck_add_wait(&w, &report->waits[i]);
}
