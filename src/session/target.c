// SPDX-License-Identifier: Apache-2.0
#include "session/target.h"

#include "codegen/codegen_cpu.h"
#include "codegen/codegen_nvptx.h"
#include "session/build_id.h"
#include "session/session.h"

#include <string.h>

static const struct {
  const char *name;
  int sm;
} rows[N_TARGETS] = {
    {"cpu", 0}, {"sm_80", 80}, {"sm_90a", 90}, {"sm_100a", 100}};

// Compilers are made when they are first needed.
static CodeTarget *target_open(HdSession *session, int index) {
  CodeTarget *target = &session->targets[index];
  if (target->name)
    return target;
  const HdSessionOptions *options = &session->options;
  const char *code;
  if (index == CPU_TARGET) {
    CpuOptions cpu = {.opt_level = options->opt_level,
                      .checks = options->sanitize != 0,
                      .schedules =
                          options->schedule != 0 || options->trace != 0};
    if (!target->cpu) // there is one where memory ran out behind it
      target->cpu = cpu_compiler_new(&cpu);
    code = cpu_target_text(target->cpu);
  } else {
    NvptxOptions nvptx = {options->opt_level, rows[index].sm};
    if (!target->nvptx)
      target->nvptx = nvptx_compiler_new(&nvptx);
    code = nvptx_target_text(target->nvptx);
  }
  target->sm = rows[index].sm;
  target->text = arena_printf(session->arena, "%s %s", code,
                              build_id_text(session->arena));
  target->name = rows[index].name;
  return target;
}

CodeTarget *target_find(HdSession *session, const char *name) {
  Text names = {.arena = arena_new()};
  for (int i = 0; i < N_TARGETS; i++) {
    if (strcmp(rows[i].name, name) == 0) {
      arena_free(names.arena);
      return target_open(session, i);
    }
    text_printf(&names, "%s%s", i ? ", " : "", rows[i].name);
  }
  (void)session_fail(session, HD_ERROR_NOT_FOUND,
                     "no target '%s'; there is: %s", name, text_cstr(&names));
  arena_free(names.arena);
  return NULL;
}

// Code for sm_90a and sm_100a runs on exactly these; sm_80 on all later ones.
CodeTarget *target_of_device(HdSession *session, int sm) {
  if (sm == 0)
    return target_open(session, CPU_TARGET);
  for (int i = N_TARGETS - 1; i > CPU_TARGET; i--) {
    if (sm == rows[i].sm || (rows[i].sm == 80 && sm > 80))
      return target_open(session, i);
  }
  return NULL;
}

void targets_free(HdSession *session) {
  for (int i = 0; i < N_TARGETS; i++) {
    cpu_compiler_free(session->targets[i].cpu);
    nvptx_compiler_free(session->targets[i].nvptx);
  }
}

HdStatus target_dump(CodeTarget *target, const IrModule *module,
                     const IrKernel *kernel, bool as_assembly, Text *text,
                     const char **why) {
  if (target->cpu)
    return cpu_dump(target->cpu, text->arena, module, kernel, as_assembly, text,
                    why);
  return as_assembly ? nvptx_compile(target->nvptx, text->arena, module, kernel,
                                     text, why)
                     : nvptx_dump(target->nvptx, text->arena, module, kernel,
                                  text, why);
}
