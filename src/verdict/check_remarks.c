// SPDX-License-Identifier: Apache-2.0
// Remarks on proved kernels: what is slow or has no place on devices.
#include "ir/analyses/shared_life.h"
#include "verdict/check_findings.h"
#include "verdict/check_rounds.h"

#include <inttypes.h>
#include <stdio.h>

enum { CODE_SHARED_BYTES = 1093 };

static void add_remark(HdCheck *check, const CodeRemark *remark) {
  Finding finding = {.code = remark->code,
                     .verdict = VERDICT_PROVED,
                     .node = remark->node,
                     .message = arena_strdup(check->arena, remark->message),
                     .notes = {[2] = arena_strdup(check->arena, remark->note)}};
  VEC_PUSH(check->arena, &check->report.findings, finding);
}

void check_remark_code(HdCheck *check, const IrKernel *kernel) {
  const CodeBackEnds *back_ends = check->program->session->targets.back_ends;
  Arena *scratch = arena_new();
  for (int i = 0; i < back_ends->count; i++) {
    const CodeOps *ops = back_ends->data[i];
    CodeRemark remark;
    if (ops->remark && ops->remark(scratch, kernel, &remark))
      add_remark(check, &remark);
  }
  arena_free(scratch);
}

// What has one size in every launch, where arrays share bytes as in code;
// barriers lie there, too.
static uint64_t constant_bytes(const IrKernel *kernel) {
  const uint64_t ceiling = UINT64_C(1) << 40;
  Arena *scratch = arena_new();
  hd_vec(SharedSpan) spans = {0};
  for (uint32_t i = 0; i < kernel->objects.count; i++) {
    const IrObject *object = kernel->objects.data[i];
    SharedSpan span = {.object = i, .align_bytes = 1};
    if (object->space == SPACE_SHARED && !object->marks_barrier &&
        !object->is_tensor &&
        ir_object_bytes(object, object->element_bytes, ceiling, &span.bytes))
      VEC_PUSH(scratch, &spans, span);
  }
  const SharedLives *lives = ir_shared_lives(scratch, kernel);
  uint64_t all = shared_lives_place(lives, spans.data, spans.count, 0, ceiling);
  arena_free(scratch);
  return all;
}

void check_remark_shared(HdCheck *check, const IrKernel *kernel) {
  enum { MOST_BYTES = 227 * 1024 }; // of a block, on all devices so far

  uint64_t bytes = constant_bytes(kernel);
  if (bytes <= MOST_BYTES)
    return;
  Finding remark = {
      .code = CODE_SHARED_BYTES,
      .verdict = VERDICT_PROVED,
      .node = kernel->body.first,
      .message = arena_printf(check->arena,
                              "a block of '%s' needs %" PRIu64
                              " bytes of shared memory: no device has more "
                              "than %d",
                              kernel->name, bytes, MOST_BYTES),
      .notes = {[2] = "no launch is possible"}};
  VEC_PUSH(check->arena, &check->report.findings, remark);
}
