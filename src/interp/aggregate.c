// SPDX-License-Identifier: Apache-2.0
// Values of several slots: short vectors and structs.
#include "interp/machine.h"
#include <string.h>

// Slots before leaf `number` of a type.
static uint32_t leaf_start(const Machine *m, IrType whole, uint32_t number) {
  if (whole.kind != IR_TYPE_STRUCT)
    return number;
  const IrStruct *record =
      m->program->kernel->module->structs.data[whole.index];
  uint32_t start = 0;
  for (uint32_t i = 0; i < number; i++)
    start += record->leaves.data[i].type.lanes;
  return start;
}

void machine_pack(Machine *m, Thread *t, const Insn *insn) {
  uint64_t *out = &t->frame[insn->dst];
  for (uint32_t i = 0; i < insn->node->n_args; i++) {
    uint32_t count =
        program_layout(m->program, insn->node->args[i]->type)->n_slots;
    memcpy(out, machine_operand(m, t, insn, i), count * sizeof *out);
    out += count;
  }
}

void machine_extract(Machine *m, Thread *t, const Insn *insn) {
  const IrNode *node = insn->node;
  uint32_t start = leaf_start(m, node->args[0]->type, node->u.index.number);
  memcpy(&t->frame[insn->dst], machine_operand(m, t, insn, 0) + start,
         insn->n_slots * sizeof(uint64_t));
}

void machine_insert(Machine *m, Thread *t, const Insn *insn) {
  const IrNode *node = insn->node;
  uint64_t *out = &t->frame[insn->dst];
  memcpy(out, machine_operand(m, t, insn, 0), insn->n_slots * sizeof *out);
  uint32_t start = leaf_start(m, node->args[0]->type, node->u.index.number);
  uint32_t count = program_layout(m->program, node->args[1]->type)->n_slots;
  memcpy(out + start, machine_operand(m, t, insn, 1), count * sizeof *out);
}

// Through memory, as the two types lie there.
void machine_bitcast(Machine *m, Thread *t, const Insn *insn) {
  const TypeLayout *from =
      program_layout(m->program, insn->node->args[0]->type);
  const TypeLayout *to = program_layout(m->program, insn->node->type);
  const uint64_t *value = machine_operand(m, t, insn, 0);
  const IrModule *module = m->program->kernel->module;
  char bytes[4 * sizeof(uint64_t)] = {0};
  for (uint32_t i = 0; i < from->n_slots; i++)
    memcpy(bytes + from->offsets[i], &value[i],
           ir_type_size(module, ir_scalar((IrTypeKind)from->kinds[i])));
  for (uint32_t i = 0; i < to->n_slots; i++) {
    uint64_t part = 0;
    memcpy(&part, bytes + to->offsets[i],
           ir_type_size(module, ir_scalar((IrTypeKind)to->kinds[i])));
    t->frame[insn->dst + i] = part;
  }
}
