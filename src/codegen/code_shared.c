// SPDX-License-Identifier: Apache-2.0
#include "codegen/code_shared.h"

#include "base/vec.h"
#include "ir/form/swizzle.h"
#include "ir/form/words.h"

#include <inttypes.h>

typedef struct {
  const IrObject *object;
  CodeShared place;
  const char *tensor; // what it has to do with tensor memory
} CodeSharedRow;

static uint64_t code_shared_end(const CodeShared *place) {
  return place->offset_bytes + place->size_bytes * place->n_instances;
}

static bool code_shared_overlap(const CodeShared *a, const CodeShared *b) {
  return a->offset_bytes < code_shared_end(b) &&
         b->offset_bytes < code_shared_end(a);
}

bool code_shared_are_apart(const IrKernel *kernel, const CodeShared *shared,
                           uint32_t a, uint32_t b) {
  uint32_t mine = kernel->objects.data[a]->alias_class;
  uint32_t theirs = kernel->objects.data[b]->alias_class;
  return a != b && (mine == 0 || mine != theirs) &&
         !(shared && code_shared_overlap(&shared[a], &shared[b]));
}

static const char *code_shared_name(const CodeSharedRow *row) {
  return row->object->name ? row->object->name : "(unnamed)";
}

static const char *code_shared_tensor(const IrKernel *kernel,
                                      const IrObject *object) {
  if (object->is_tensor && kernel->has_tensors)
    return ", its address in tensor memory";
  return object->is_tensor || object->was_tensor ? ", in place of tensor memory"
                                                 : "";
}

static void code_shared_row(const IrModule *module, const CodeSharedRow *rows,
                            uint32_t n, uint32_t at, Text *out) {
  const CodeSharedRow *row = &rows[at];
  text_printf(out, "  %s: ", code_shared_name(row));
  if (row->place.is_dynamic)
    text_printf(out, "sized at launch, behind all others");
  else if (row->place.n_instances > 1)
    text_printf(out, "%u times %" PRIu64 " bytes at %" PRIu64,
                row->place.n_instances, row->place.size_bytes,
                row->place.offset_bytes);
  else
    text_printf(out, "%" PRIu64 " bytes at %" PRIu64, row->place.size_bytes,
                row->place.offset_bytes);
  if (ir_swizzle_bytes(row->object))
    text_printf(out, ", %s", ir_words_layout[row->object->layout]);
  text_add(out, row->tensor);
  const char *join = ", in the bytes of ";
  for (uint32_t k = 0; k < n; k++) {
    if (k == at || row->place.is_dynamic || rows[k].place.is_dynamic ||
        !code_shared_overlap(&row->place, &rows[k].place))
      continue;
    text_printf(out, "%s%s", join, code_shared_name(&rows[k]));
    join = ", ";
  }
  text_printf(out, " (%s)\n",
              ir_loc_text(module, row->object->loc, out->arena));
}

static bool code_shared_is_shown(const IrObject *object) {
  return object->space == SPACE_SHARED && !object->is_scratch &&
         !object->marks_barrier;
}

void code_shared_text(Arena *scratch, const IrKernel *kernel,
                      const CodeShared *shared, uint32_t n,
                      uint64_t total_bytes, Text *out) {
  hd_vec(CodeSharedRow) rows = {0};
  uint64_t sum = 0, end = 0;
  for (uint32_t i = 0; i < n; i++) {
    const CodeShared *place = &shared[i];
    const IrObject *object = kernel->objects.data[i];
    if (!code_shared_is_shown(object))
      continue;
    VEC_PUSH(
        scratch, &rows,
        ((CodeSharedRow){object, *place, code_shared_tensor(kernel, object)}));
    if (place->is_dynamic)
      continue;
    sum += place->size_bytes * place->n_instances;
    end = code_shared_end(place) > end ? code_shared_end(place) : end;
  }
  if (rows.count == 0 && total_bytes == 0)
    return;
  text_printf(out,
              "%" PRIu64 " bytes of shared memory a block, whose arrays and "
              "barriers have %" PRIu64 " in all\n",
              total_bytes, sum);
  for (uint32_t i = 0; i < rows.count; i++)
    code_shared_row(kernel->module, rows.data, rows.count, i, out);
  if (total_bytes > end)
    text_printf(out, "  of the compiler, or unused: %" PRIu64 " bytes\n",
                total_bytes - end);
}
