// SPDX-License-Identifier: Apache-2.0
#include "session/target.h"

#include "base/panic.h"
#include "session/build_id.h"
#include "session/session.h"

#include <string.h>

void targets_init(HdSession *session, const CodeBackEnds *back_ends) {
  CodeTargets *targets = &session->targets;
  for (int i = 0; i < targets->count; i++)
    HD_ASSERT(!targets->data[i].compiler);
  int count = 0;
  for (int i = 0; i < back_ends->count; i++)
    count += back_ends->data[i]->n_models;
  *targets = (CodeTargets){
      .back_ends = back_ends,
      .data = ARENA_ARRAY(session->arena, CodeTarget, (size_t)count + 1)};
  for (int i = 0; i < back_ends->count; i++) {
    const CodeOps *ops = back_ends->data[i];
    for (int k = 0; k < ops->n_models; k++)
      targets->data[targets->count++] =
          (CodeTarget){.ops = ops, .model = &ops->models[k]};
  }
}

void targets_free(HdSession *session) {
  for (int i = 0; i < session->targets.count; i++) {
    CodeTarget *target = &session->targets.data[i];
    target->ops->close(target->compiler);
  }
}

void target_open(HdSession *session, CodeTarget *target) {
  if (target->text)
    return;
  const HdSessionOptions *options = &session->options;
  CodeOptions code = {.opt_level = options->opt_level,
                      .checks = options->sanitize != 0,
                      .schedules =
                          options->schedule != 0 || options->trace != 0};
  if (!target->compiler) // there is one where memory ran out behind it
    target->compiler = target->ops->open(&code, target->model);
  target->text = arena_printf(session->arena, "%s %s", target->compiler->text,
                              build_id_text(session->arena));
}

CodeTarget *target_find(HdSession *session, const char *name) {
  CodeTargets *targets = &session->targets;
  Text names = {.arena = arena_new()};
  for (int i = 0; i < targets->count; i++) {
    const char *own = targets->data[i].model->name;
    if (strcmp(own, name) == 0) {
      arena_free(names.arena);
      return &targets->data[i];
    }
    text_printf(&names, "%s%s", i ? ", " : "", own);
  }
  (void)session_fail(session, HD_ERROR_NOT_FOUND,
                     "no target '%s'; there is: %s", name, text_cstr(&names));
  arena_free(names.arena);
  return NULL;
}

static bool target_runs_on(const CodeTarget *target, const char *kind,
                           int capability) {
  const CodeModel *model = target->model;
  return strcmp(target->ops->device, kind) == 0 &&
         (model->capability == capability ||
          (model->runs_on_later && model->capability < capability));
}

CodeTarget *target_of_device(HdSession *session, const char *kind,
                             int capability) {
  for (int i = session->targets.count - 1; i >= 0; i--) {
    CodeTarget *target = &session->targets.data[i];
    if (!target_runs_on(target, kind, capability))
      continue;
    target_open(session, target);
    return target;
  }
  return NULL;
}

const CodeOps *back_end_of(const HdSession *session, const char *kind) {
  const CodeBackEnds *back_ends = session->targets.back_ends;
  for (int i = 0; i < back_ends->count; i++)
    if (strcmp(back_ends->data[i]->device, kind) == 0)
      return back_ends->data[i];
  return NULL;
}

// ------------------------------------------------------------------ stages

int target_stage(const CodeOps *ops, const char *stage) {
  for (int i = 0; ops->stages[i]; i++)
    if (strcmp(ops->stages[i], stage) == 0)
      return i;
  return -1;
}

CodeTarget *target_of_stage(HdSession *session, const char *stage) {
  for (int i = 0; i < session->targets.count; i++) {
    CodeTarget *target = &session->targets.data[i];
    if (target->model->is_usual && target_stage(target->ops, stage) >= 0)
      return target;
  }
  return NULL;
}

// One of the first `n` back ends has it.
static bool target_is_in(const CodeBackEnds *back_ends, int n,
                         const char *stage) {
  for (int i = 0; i < n; i++)
    if (target_stage(back_ends->data[i], stage) >= 0)
      return true;
  return false;
}

bool target_has_stage(const HdSession *session, const char *stage) {
  const CodeBackEnds *back_ends = session->targets.back_ends;
  return target_is_in(back_ends, back_ends->count, stage);
}

const char *target_stages(const HdSession *session, Arena *arena) {
  const CodeBackEnds *back_ends = session->targets.back_ends;
  Text text = {.arena = arena};
  for (int i = 0; i < back_ends->count; i++) {
    const char *const *stage = back_ends->data[i]->stages;
    for (; *stage; stage++)
      if (!target_is_in(back_ends, i, *stage))
        text_printf(&text, "%s%s", text.length ? ", " : "", *stage);
  }
  return text_cstr(&text);
}
