// SPDX-License-Identifier: Apache-2.0
#include "ir/form/format.h"
#include <string.h>

// A number, or a '*' that counts.
static bool skip_number(const char **at, uint32_t *n_stars) {
  int count = 0;
  if (**at == '*') {
    (*at)++;
    (*n_stars)++;
    return true;
  }
  for (; **at >= '0' && **at <= '9'; (*at)++)
    count++;
  return count <= 3;
}

// The length modifier; true if the integer has 64 bits.
static bool skip_length(const char **at) {
  bool is_long = false;
  for (; **at && strchr("hlzjt", **at); (*at)++)
    is_long |= **at != 'h';
  return is_long;
}

static IrTypeKind type_of_letter(char letter, bool is_long) {
  if (letter && strchr("diouxX", letter))
    return is_long ? IR_TYPE_I64 : IR_TYPE_I32;
  if (letter == 'c')
    return IR_TYPE_I32;
  if (letter && strchr("fFeEgGaA", letter))
    return IR_TYPE_F64;
  return letter == 'p' ? IR_TYPE_PTR : IR_TYPE_VOID;
}

bool ir_format_next(const char **at, IrFormatPart *part) {
  const char *text = strchr(*at, '%');
  if (!text)
    return false;
  *part = (IrFormatPart){.begin = text++};
  while (*text && strchr("-+ #0", *text))
    text++;
  bool is_good = skip_number(&text, &part->n_stars);
  if (*text == '.') {
    text++;
    is_good &= skip_number(&text, &part->n_stars);
  }
  const char *modifier = text;
  bool is_long = skip_length(&text);
  is_good &= text - modifier <= 2;
  part->type = type_of_letter(*text, is_long);
  bool is_percent = *text == '%' && text == part->begin + 1;
  if (is_good && (part->type != IR_TYPE_VOID || is_percent))
    part->letter = *text;
  *at = *text ? text + 1 : text;
  part->length = (size_t)(*at - part->begin);
  return true;
}
