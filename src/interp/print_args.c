// SPDX-License-Identifier: Apache-2.0
// printf of a kernel, one conversion at a time.
#include "interp/eval.h"
#include "interp/machine.h"
#include "ir/form/format.h"
#include <stdio.h>
#include <string.h>

enum { MAX_FORMAT = 48, MAX_STARS = 2 };

typedef struct {
  IrFormatPart part;
  int32_t stars[MAX_STARS];
} Conversion;

static size_t put_star(char *out, size_t length, int32_t value) {
  bool is_precision = length > 0 && out[length - 1] == '.';
  if (is_precision && value < 0) // as if there were none
    return length - 1;
  return length +
         (size_t)snprintf(out + length, MAX_FORMAT - length, "%d", (int)value);
}

// The conversion with its length modifier replaced by `modifier`, and numbers
// where it has '*'.
static void conversion(const Conversion *c, const char *modifier,
                       char out[MAX_FORMAT]) {
  const IrFormatPart *part = &c->part;
  size_t length = 0, n_stars = 0;
  for (size_t i = 0; i + 1 < part->length && length < MAX_FORMAT - 12; i++)
    if (part->begin[i] == '*')
      length = put_star(out, length, c->stars[n_stars++]);
    else if (!strchr("hlzjt", part->begin[i]))
      out[length++] = part->begin[i];
  memcpy(out + length, modifier, strlen(modifier));
  length += strlen(modifier);
  out[length++] = part->letter;
  out[length] = '\0';
}

// What h and hh leave of an int.
static int64_t print_args_narrowed(const IrFormatPart *part, int64_t value) {
  size_t n_h = 0;
  for (size_t i = 0; i < part->length; i++)
    n_h += part->begin[i] == 'h';
  bool is_signed = part->letter == 'd' || part->letter == 'i';
  uint32_t bits = n_h == 0 ? 64 : n_h == 1 ? 16 : 8;
  if (is_signed)
    return eval_signed((uint64_t)value & eval_mask(bits), bits);
  return (int64_t)((uint64_t)value & eval_mask(bits));
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

static void print_args_part(Text *out, const Conversion *c, uint64_t value) {
  const IrFormatPart *part = &c->part;
  char format[MAX_FORMAT];
  bool is_signed = part->letter == 'd' || part->letter == 'i';
  switch ((int)part->type) {
  case IR_TYPE_F64:
    conversion(c, "", format);
    text_printf(out, format, eval_to_double(IR_TYPE_F64, value));
    return;
  case IR_TYPE_PTR:
    conversion(c, "", format);
    text_printf(out, format, (void *)(uintptr_t)value);
    return;
  default: break;
  }
  if (part->letter == 'c') {
    conversion(c, "", format);
    text_printf(out, format, (int)value);
    return;
  }
  conversion(c, "ll", format);
  int64_t number = (int64_t)value;
  if (part->type == IR_TYPE_I32 && is_signed)
    number = eval_signed(value, 32);
  number = print_args_narrowed(part, number);
  text_printf(out, format, (long long)number);
}

#pragma GCC diagnostic pop

void machine_print(Machine *m, Thread *t, const Insn *insn) {
  Text *out = m->launch->given->printed;
  if (!out)
    return;
  const char *at = insn->node->u.text.text, *done = at;
  Conversion c;
  uint32_t next = 0;
  while (ir_format_next(&at, &c.part)) {
    text_add_n(out, done, (size_t)(c.part.begin - done));
    done = at;
    for (uint32_t i = 0; i < c.part.n_stars; i++)
      c.stars[i] = (int32_t)*machine_operand(m, t, insn, next++);
    if (c.part.letter == '%')
      text_add_char(out, '%');
    else if (c.part.letter)
      print_args_part(out, &c, *machine_operand(m, t, insn, next++));
  }
  text_add(out, done);
}
