// SPDX-License-Identifier: Apache-2.0
// NumPy's .npy format, versions 1.0 to 3.0 (NEP 1): magic, version, length of
// the header, a Python dictionary, the elements.
#include "cli/array.h"

#include "base/file.h"
#include "base/panic.h"
#include "base/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char magic[] = "\x93NUMPY";

enum { MAGIC_BYTES = 6 };

void array_fini(HostArray *array) {
  free(array->data);
  array->data = NULL;
}

int64_t array_count(const HostArray *array) {
  HD_ASSERT(array->rank >= 0 && array->rank <= ARRAY_MOST_RANK);
  int64_t count = 1;
  for (int i = 0; i < array->rank; i++)
    count *= array->extents[i];
  return count;
}

// Bytes of the shape, or false if no address could reach them.
static bool npy_shape_bytes(const HostArray *array, size_t *out) {
  int64_t count = 1;
  bool is_empty = false;
  for (int i = 0; i < array->rank; i++) {
    is_empty |= array->extents[i] == 0;
    if (array->extents[i] > 0 &&
        __builtin_mul_overflow(count, array->extents[i], &count))
      return false;
  }
  if (is_empty)
    count = 0;
  return !__builtin_mul_overflow((size_t)count, array->element_bytes, out) &&
         *out < (size_t)1 << 62;
}

const char array_no_memory[] = "out of memory";

const char *array_alloc(HostArray *array) {
  HD_ASSERT(array->rank >= 0 && array->rank <= ARRAY_MOST_RANK);
  if (!npy_shape_bytes(array, &array->size_bytes))
    return "an array of that size exceeds the address space";
  array->data = calloc(1, array->size_bytes ? array->size_bytes : 1);
  return array->data ? NULL : array_no_memory;
}

// ----------------------------------------------------------------- reading

// A cursor over the header's dictionary.
typedef struct {
  const char *p, *end;
} Cursor;

static void skip_space(Cursor *c) {
  while (c->p < c->end && strchr(" \t\n\r", *c->p) && *c->p)
    c->p++;
}

static bool npy_take(Cursor *c, const char *text) {
  size_t length = strlen(text);
  skip_space(c);
  if ((size_t)(c->end - c->p) < length || memcmp(c->p, text, length) != 0)
    return false;
  c->p += length;
  return true;
}

// A quoted string without escapes.
static bool take_string(Cursor *c, char *out, size_t size) {
  skip_space(c);
  if (c->p >= c->end || (*c->p != '\'' && *c->p != '"'))
    return false;
  char quote = *c->p++;
  size_t n = 0;
  while (c->p < c->end && *c->p != quote && n + 1 < size)
    out[n++] = *c->p++;
  out[n] = 0;
  return c->p < c->end && *c->p++ == quote;
}

// A non-negative integer of at most 18 digits.
static bool take_integer(Cursor *c, int64_t *out) {
  int digits = 0;
  skip_space(c);
  *out = 0;
  for (; c->p < c->end && *c->p >= '0' && *c->p <= '9'; c->p++, digits++) {
    if (digits == 18)
      return false;
    *out = *out * 10 + (*c->p - '0');
  }
  npy_take(c, "L"); // as Python 2 wrote long integers
  return digits > 0;
}

// "<f4": order, kind, bytes. "<f1" is what NumPy writes for ml_dtypes'
// float8_e5m2, though it can't read it; other small floats are "V1" and "V2".
static const char *parse_descr(Arena *arena, const char *descr, HostArray *out,
                               bool *is_swapped) {
  static const struct {
    const char *name;
    HdType type;
  } rows[] = {{"b1", HD_BOOL}, {"i1", HD_I8},   {"i2", HD_I16}, {"i4", HD_I32},
              {"i8", HD_I64},  {"u1", HD_U8},   {"u2", HD_U16}, {"u4", HD_U32},
              {"u8", HD_U64},  {"f1", HD_E5M2}, {"f2", HD_F16}, {"f4", HD_F32},
              {"f8", HD_F64}};

  char order = descr[0];
  const char *name = order && strchr("<>|=", order) ? descr + 1 : descr;
  *is_swapped = order == '>';
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    if (strcmp(name, rows[i].name) == 0) {
      out->type = rows[i].type;
      out->element_bytes = hd_type_size(out->type);
      return NULL;
    }
  }
  char *end;
  unsigned long bytes = name[0] == 'V' ? strtoul(name + 1, &end, 10) : 0;
  if (bytes == 0 || bytes > 1 << 20 || *end)
    return arena_printf(arena, "its element type '%s' is not supported", descr);
  out->type = HD_STRUCT;
  out->element_bytes = bytes;
  return NULL;
}

typedef struct {
  Arena *arena;
  char descr[64];
  size_t record_bytes; // of a record in place of a descr, else 0
  bool has_descr, has_order, has_shape, is_fortran;
  int rank;
  int64_t extents[8];
} Header;

static const char *take_shape(Cursor *c, Header *h) {
  if (!npy_take(c, "("))
    return "its header has no tuple as shape";
  while (!npy_take(c, ")")) {
    if (h->rank == ARRAY_MOST_RANK)
      return "it has more than 8 dimensions";
    if (!take_integer(c, &h->extents[h->rank++]))
      return "its header has a bad shape";
    if (!npy_take(c, ",")) {
      if (!npy_take(c, ")"))
        return "its header has a bad shape";
      break;
    }
  }
  h->has_shape = true;
  return NULL;
}

enum { MOST_RECORD_BYTES = 1 << 20, MOST_RECORD_DEPTH = 8 };

static const char bad_record[] =
    "its header has a record that isn't understood";

// What a tuple of extents multiplies; 0: it is none.
static size_t take_repetition(Cursor *c) {
  size_t product = 1;
  if (!npy_take(c, "("))
    return 0;
  while (!npy_take(c, ")")) {
    int64_t extent;
    if (!take_integer(c, &extent) || extent > MOST_RECORD_BYTES)
      return 0;
    product *= (size_t)extent;
    if (product == 0 || product > MOST_RECORD_BYTES)
      return 0;
    npy_take(c, ",");
  }
  return product;
}

static const char *take_fields(Arena *arena, Cursor *c, int depth, size_t *out);

// "'x', '<f4')", behind the bracket: name, type, perhaps extents.
static const char *take_field(Arena *arena, Cursor *c, int depth, size_t *out) {
  char name[256], descr[64];
  HostArray row = {0};
  bool is_swapped = false;
  const char *why = NULL;
  if (!take_string(c, name, sizeof name) || !npy_take(c, ","))
    return bad_record;
  if (npy_take(c, "["))
    why = take_fields(arena, c, depth + 1, &row.element_bytes);
  else if (take_string(c, descr, sizeof descr))
    why = parse_descr(arena, descr, &row, &is_swapped);
  else
    why = bad_record;
  if (why)
    return why;
  if (is_swapped)
    return "its records aren't in the order of bytes of this machine";
  size_t times = npy_take(c, ",") ? take_repetition(c) : 1;
  *out = row.element_bytes * times;
  return times > 0 && npy_take(c, ")") ? NULL : bad_record;
}

// The fields of a record up to its "]": how many bytes they are.
static const char *take_fields(Arena *arena, Cursor *c, int depth,
                               size_t *out) {
  *out = 0;
  if (depth > MOST_RECORD_DEPTH)
    return bad_record;
  while (!npy_take(c, "]")) {
    size_t bytes;
    const char *why =
        npy_take(c, "(") ? take_field(arena, c, depth, &bytes) : bad_record;
    if (why)
      return why;
    *out += bytes;
    if (*out > MOST_RECORD_BYTES)
      return "its records are too large";
    if (!npy_take(c, ",") && !(c->p < c->end && *c->p == ']'))
      return bad_record;
  }
  return *out > 0 ? NULL : bad_record;
}

static const char *take_entry(Cursor *c, Header *h) {
  char key[32];
  if (!take_string(c, key, sizeof key) || !npy_take(c, ":"))
    return "its header is not a dictionary";
  if (strcmp(key, "shape") == 0)
    return take_shape(c, h);
  if (strcmp(key, "fortran_order") == 0) {
    h->is_fortran = npy_take(c, "True");
    h->has_order = true;
    return h->is_fortran || npy_take(c, "False")
               ? NULL
               : "its header has a bad fortran_order";
  }
  if (strcmp(key, "descr") != 0)
    return "its header has an unknown key";
  h->has_descr = true;
  if (npy_take(c, "["))
    return take_fields(h->arena, c, 1, &h->record_bytes);
  return take_string(c, h->descr, sizeof h->descr)
             ? NULL
             : "its elements are of a type that is not supported";
}

static const char *npy_parse_header(Cursor *c, Header *h) {
  if (!npy_take(c, "{"))
    return "its header is not a dictionary";
  while (!npy_take(c, "}")) {
    const char *why = take_entry(c, h);
    if (why)
      return why;
    if (!npy_take(c, ",") && !(c->p < c->end && *c->p == '}'))
      return "its header is not a dictionary";
  }
  return h->has_descr && h->has_order && h->has_shape
             ? NULL
             : "its header lacks descr, fortran_order or shape";
}

static void swap_bytes(HostArray *array) {
  size_t width = array->element_bytes;
  for (char *p = array->data; p < array->data + array->size_bytes; p += width) {
    for (size_t i = 0; i < width / 2; i++) {
      char byte = p[i];
      p[i] = p[width - 1 - i];
      p[width - 1 - i] = byte;
    }
  }
}

// Copies elements in Fortran order (first index fastest) to C order.
static void copy_transposed(HostArray *array, const char *from) {
  size_t width = array->element_bytes;
  int64_t index[8] = {0}, count = array_count(array);
  for (int64_t k = 0; k < count; k++) {
    int64_t to = 0;
    for (int i = 0; i < array->rank; i++)
      to = to * array->extents[i] + index[i];
    memcpy(array->data + (size_t)to * width, from + (size_t)k * width, width);
    for (int i = 0; i < array->rank && ++index[i] == array->extents[i]; i++)
      index[i] = 0;
  }
}

static const char *take_elements(Arena *arena, const Header *h,
                                 const char *bytes, size_t size_bytes,
                                 bool is_swapped, HostArray *out) {
  size_t needed;
  if (!npy_shape_bytes(out, &needed))
    return "its header claims more elements than an address can reach";
  if (needed != size_bytes)
    return arena_printf(arena,
                        "it is %s: its header announces %zu bytes of elements, "
                        "%zu follow",
                        needed > size_bytes ? "truncated" : "too long", needed,
                        size_bytes);
  const char *why = array_alloc(out);
  if (why)
    return why;
  if (h->is_fortran && out->rank > 1)
    copy_transposed(out, bytes);
  else
    memcpy(out->data, bytes, needed);
  if (is_swapped)
    swap_bytes(out);
  return NULL;
}

const char *npy_parse(Arena *arena, const char *bytes, size_t size_bytes,
                      HostArray *out) {
  *out = (HostArray){0};
  if (size_bytes < MAGIC_BYTES + 4 || memcmp(bytes, magic, MAGIC_BYTES) != 0)
    return "it is not an .npy file";
  const unsigned char *u = (const unsigned char *)bytes;
  int major = u[6];
  if (major < 1 || major > 3)
    return arena_printf(arena, "its format version %d is unknown", major);
  size_t start = major == 1 ? 10 : 12;
  if (size_bytes < start)
    return "it is truncated in its header";
  size_t length = (size_t)u[8] | (size_t)u[9] << 8;
  if (major > 1)
    length |= (size_t)u[10] << 16 | (size_t)u[11] << 24;
  if (length > size_bytes - start)
    return "it is truncated in its header";
  Header header = {.arena = arena};
  Cursor cursor = {bytes + start, bytes + start + length};
  bool is_swapped = false;
  const char *why = npy_parse_header(&cursor, &header);
  if (header.record_bytes > 0) {
    out->type = HD_STRUCT;
    out->is_record = true;
    out->element_bytes = header.record_bytes;
  } else if (!why) {
    why = parse_descr(arena, header.descr, out, &is_swapped);
  }
  if (why)
    return why;
  if (header.rank == 0)
    return "it holds a single value without dimensions";
  out->rank = header.rank;
  memcpy(out->extents, header.extents, sizeof out->extents);
  return take_elements(arena, &header, bytes + start + length,
                       size_bytes - start - length, is_swapped, out);
}

// Told from the first bytes, so that nobody reads all of a film, or of a device
// without an end. A pipe can't be read twice.
static bool lacks_magic(const char *path) {
  struct stat info;
  char start[MAGIC_BYTES];
  if (stat(path, &info) != 0 || S_ISFIFO(info.st_mode) || S_ISDIR(info.st_mode))
    return false;
  FILE *file = fopen(path, "rb");
  if (!file)
    return false;
  bool is_other = fread(start, 1, MAGIC_BYTES, file) != MAGIC_BYTES ||
                  memcmp(start, magic, MAGIC_BYTES) != 0;
  fclose(file);
  return is_other;
}

const char *npy_read(Arena *arena, const char *path, HostArray *out) {
  FileText file;
  const char *why = NULL;
  if (lacks_magic(path))
    return "it is not an .npy file";
  Arena *scratch = arena_new(); // the file's bytes, freed before the launch
  if (file_read(scratch, path, (size_t)1 << 40, &file, &why) == HD_OK)
    why = npy_parse(arena, file.data, file.size_bytes, out);
  if (why)
    why = arena_strdup(arena, why);
  arena_free(scratch);
  return why;
}

// ----------------------------------------------------------------- writing

static const char *descr_of(Arena *arena, const HostArray *array) {
  switch (array->type) {
  case HD_BOOL: return "|b1";
  case HD_I8: return "|i1";
  case HD_I16: return "<i2";
  case HD_I32: return "<i4";
  case HD_I64: return "<i8";
  case HD_U8: return "|u1";
  case HD_U16: return "<u2";
  case HD_U32: return "<u4";
  case HD_U64: return "<u8";
  case HD_F16: return "<f2";
  case HD_F32: return "<f4";
  case HD_F64: return "<f8";
  case HD_BF16:
  case HD_E4M3:
  case HD_E5M2:
  case HD_STRUCT: break;
  }
  return arena_printf(arena, "|V%zu", array->element_bytes);
}

char *npy_format(const HostArray *array, size_t *size_bytes) {
  Arena *arena = arena_new();
  Text header = {.arena = arena};
  text_printf(&header, "{'descr': '%s', 'fortran_order': False, 'shape': (",
              descr_of(arena, array));
  for (int i = 0; i < array->rank; i++)
    text_printf(&header, "%lld,%s", (long long)array->extents[i],
                i + 1 < array->rank ? " " : "");
  text_add(&header, "), }");
  while ((MAGIC_BYTES + 4 + header.length + 1) % 64 != 0)
    text_add_char(&header, ' ');
  text_add_char(&header, '\n');
  size_t start = MAGIC_BYTES + 4 + header.length;
  *size_bytes = start + array->size_bytes;
  char *image = malloc(*size_bytes);
  if (image) {
    memcpy(image, magic, MAGIC_BYTES);
    image[6] = 1;
    image[7] = 0;
    image[8] = (char)(header.length & 255);
    image[9] = (char)(header.length >> 8 & 255);
    memcpy(image + MAGIC_BYTES + 4, text_cstr(&header), header.length);
    memcpy(image + start, array->data, array->size_bytes);
  }
  arena_free(arena);
  return image;
}

const char *npy_write(Arena *arena, const char *path, const HostArray *array) {
  size_t size_bytes;
  const char *why = NULL;
  char *image = npy_format(array, &size_bytes);
  if (!image)
    return array_no_memory;
  HdStatus status = file_write_atomic(arena, path, image, size_bytes, &why);
  free(image);
  return status == HD_OK ? NULL : why;
}
