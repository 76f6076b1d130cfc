// SPDX-License-Identifier: Apache-2.0
#include "base/utf8.h"

#include "base/panic.h"

static bool is_continuation(unsigned char byte) {
  return (byte & 0xC0) == 0x80;
}

// Bytes of the sequence that `first` opens; 0: none does.
static uint32_t sequence_length(unsigned char first) {
  if (first < 0x80)
    return 1;
  if (first >= 0xC2 && first < 0xE0)
    return 2;
  if (first >= 0xE0 && first < 0xF0)
    return 3;
  return first >= 0xF0 && first < 0xF5 ? 4 : 0;
}

static bool is_scalar_value(uint32_t code_point, uint32_t size_bytes) {
  if (size_bytes == 3)
    return code_point >= 0x800 && (code_point < 0xD800 || code_point > 0xDFFF);
  if (size_bytes == 4)
    return code_point >= 0x10000 && code_point <= 0x10FFFF;
  return true; // the first byte has ruled out the rest
}

Utf8Char utf8_decode(const char *bytes, size_t length) {
  HD_ASSERT(length >= 1);
  const Utf8Char invalid = {UTF8_REPLACEMENT, 1, false};
  unsigned char first = (unsigned char)bytes[0];
  uint32_t size_bytes = sequence_length(first);
  if (size_bytes == 0 || size_bytes > length)
    return invalid;
  uint32_t code_point = size_bytes == 1 ? first : first & (0x7Fu >> size_bytes);
  for (uint32_t i = 1; i < size_bytes; i++) {
    unsigned char byte = (unsigned char)bytes[i];
    if (!is_continuation(byte))
      return invalid;
    code_point = code_point << 6 | (byte & 0x3Fu);
  }
  if (!is_scalar_value(code_point, size_bytes))
    return invalid;
  return (Utf8Char){code_point, size_bytes, true};
}

size_t utf8_encode(uint32_t code_point, char out[4]) {
  HD_ASSERT(code_point <= 0x10FFFF &&
            (code_point < 0xD800 || code_point > 0xDFFF));
  if (code_point < 0x80) {
    out[0] = (char)code_point;
    return 1;
  }
  size_t size_bytes = code_point < 0x800 ? 2 : code_point < 0x10000 ? 3 : 4;
  for (size_t i = size_bytes - 1; i > 0; i--) {
    out[i] = (char)(0x80 | (code_point & 0x3F));
    code_point >>= 6;
  }
  out[0] = (char)(0xF00u >> size_bytes | code_point);
  return size_bytes;
}

typedef struct {
  uint32_t first, last;
} CodeRange;

// Blocks of combining marks and format characters, in order.
static const CodeRange zero_width[] = {
    {0x0300, 0x036F},   {0x0483, 0x0489},   {0x0591, 0x05BD}, {0x0610, 0x061A},
    {0x064B, 0x065F},   {0x06D6, 0x06DC},   {0x0900, 0x0902}, {0x093C, 0x093C},
    {0x0941, 0x0948},   {0x094D, 0x094D},   {0x0E31, 0x0E31}, {0x0E34, 0x0E3A},
    {0x0E47, 0x0E4E},   {0x1AB0, 0x1AFF},   {0x1DC0, 0x1DFF}, {0x200B, 0x200F},
    {0x202A, 0x202E},   {0x2060, 0x2064},   {0x20D0, 0x20FF}, {0x302A, 0x302D},
    {0x3099, 0x309A},   {0xFE00, 0xFE0F},   {0xFE20, 0xFE2F}, {0xFEFF, 0xFEFF},
    {0x1F3FB, 0x1F3FF}, {0xE0000, 0xE0FFF},
};

// East Asian wide and fullwidth blocks, and emoji shown as pictures.
static const CodeRange wide[] = {
    {0x1100, 0x115F},   {0x231A, 0x231B},   {0x2329, 0x232A},
    {0x23E9, 0x23EC},   {0x25FD, 0x25FE},   {0x2614, 0x2615},
    {0x2648, 0x2653},   {0x26A1, 0x26A1},   {0x26AA, 0x26AB},
    {0x2705, 0x2705},   {0x270A, 0x270B},   {0x2728, 0x2728},
    {0x274C, 0x274C},   {0x2753, 0x2755},   {0x2795, 0x2797},
    {0x2B1B, 0x2B1C},   {0x2B50, 0x2B50},   {0x2E80, 0x303E},
    {0x3041, 0x33FF},   {0x3400, 0x4DBF},   {0x4E00, 0x9FFF},
    {0xA000, 0xA4CF},   {0xA960, 0xA97F},   {0xAC00, 0xD7A3},
    {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},
    {0xFFE0, 0xFFE6},   {0x16FE0, 0x18AFF}, {0x1B000, 0x1B2FF},
    {0x1F004, 0x1F004}, {0x1F0CF, 0x1F0CF}, {0x1F18E, 0x1F19A},
    {0x1F200, 0x1F320}, {0x1F32D, 0x1F64F}, {0x1F680, 0x1F6FF},
    {0x1F7E0, 0x1F7EB}, {0x1F90C, 0x1FAFF}, {0x20000, 0x3FFFD},
};

static bool utf8_is_in(uint32_t code_point, const CodeRange *ranges,
                       size_t count) {
  size_t low = 0;
  while (low < count) {
    size_t middle = low + (count - low) / 2;
    if (code_point > ranges[middle].last)
      low = middle + 1;
    else if (code_point < ranges[middle].first)
      count = middle;
    else
      return true;
  }
  return false;
}

unsigned utf8_width(uint32_t code_point) {
  if (code_point < 0x0300)
    return 1;
  if (utf8_is_in(code_point, zero_width,
                 sizeof(zero_width) / sizeof(*zero_width)))
    return 0;
  return utf8_is_in(code_point, wide, sizeof(wide) / sizeof(*wide)) ? 2 : 1;
}
