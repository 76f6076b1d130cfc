// SPDX-License-Identifier: Apache-2.0
#include "codegen/code_shared.h"

#include <inttypes.h>

static uint64_t code_shared_end(const CodeSharedRow *row) {
  return row->offset_bytes + row->size_bytes * row->n_instances;
}

static bool code_shared_overlap(const CodeSharedRow *a,
                                const CodeSharedRow *b) {
  return !a->is_dynamic && !b->is_dynamic &&
         a->offset_bytes < code_shared_end(b) &&
         b->offset_bytes < code_shared_end(a);
}

static const char *code_shared_name(const CodeSharedRow *row) {
  return row->object->name ? row->object->name : "(unnamed)";
}

static void code_shared_row(const IrModule *module, const CodeSharedRow *rows,
                            uint32_t n, uint32_t at, Text *out) {
  const CodeSharedRow *row = &rows[at];
  text_printf(out, "  %s: ", code_shared_name(row));
  if (row->is_dynamic)
    text_printf(out, "sized at launch, behind all others");
  else if (row->n_instances > 1)
    text_printf(out, "%u times %" PRIu64 " bytes at %" PRIu64, row->n_instances,
                row->size_bytes, row->offset_bytes);
  else
    text_printf(out, "%" PRIu64 " bytes at %" PRIu64, row->size_bytes,
                row->offset_bytes);
  const char *join = ", in the bytes of ";
  for (uint32_t k = 0; k < n; k++) {
    if (k == at || !code_shared_overlap(row, &rows[k]))
      continue;
    text_printf(out, "%s%s", join, code_shared_name(&rows[k]));
    join = ", ";
  }
  text_printf(out, " (%s)\n",
              ir_loc_text(module, row->object->loc, out->arena));
}

void code_shared_text(const IrModule *module, const CodeSharedRow *rows,
                      uint32_t n, uint64_t total_bytes, Text *out) {
  uint64_t sum = 0, end = 0;
  for (uint32_t i = 0; i < n; i++) {
    if (rows[i].is_dynamic)
      continue;
    sum += rows[i].size_bytes * rows[i].n_instances;
    end = code_shared_end(&rows[i]) > end ? code_shared_end(&rows[i]) : end;
  }
  if (n == 0 && total_bytes == 0)
    return;
  text_printf(out,
              "%" PRIu64 " bytes of shared memory a block, whose arrays and "
              "barriers have %" PRIu64 " in all\n",
              total_bytes, sum);
  for (uint32_t i = 0; i < n; i++)
    code_shared_row(module, rows, n, i, out);
  if (total_bytes > end)
    text_printf(out, "  of the compiler, or unused: %" PRIu64 " bytes\n",
                total_bytes - end);
}
