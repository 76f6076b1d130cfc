// SPDX-License-Identifier: Apache-2.0
// What the files of the printer share.
#ifndef HD_IR_TEXT_PRINT_H
#define HD_IR_TEXT_PRINT_H

#include "ir/form/ir.h"

typedef struct {
  const IrModule *module;
  const IrKernel *kernel; // NULL outside kernels
  Text *out;
  bool hides_level;
  // By node id: position in program order plus 1, 0 when not in the tree; and
  // whether something refers to the region node by its label.
  uint32_t *numbers;
  bool *has_label;
  Map objects; // IrObject to its name in the text, without the '@'
} Printer;

// print_table.c
void print_string(Text *out, const char *string);
void print_type(Printer *p, IrType type);
void print_object_name(Printer *p, const IrObject *object);
void print_name_objects(Printer *p);
void print_loc(Printer *p, IrLocId loc);
void print_label(Printer *p, const IrNode *node);
void print_group(Printer *p, const IrGroup *group);
void print_var(Printer *p, uint32_t var);
void print_host(Printer *p, const IrHost *host);
void print_object(Printer *p, const IrObject *object);

// print_node.c
void print_node(Printer *p, const IrNode *node);

#endif
