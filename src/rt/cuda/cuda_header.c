// SPDX-License-Identifier: Apache-2.0
#include "rt/cuda/cuda_header.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TEXTS = 1 << 20 };

typedef struct {
  char *next; // unread part of the current line
  char *rest; // behind the current line
  int line;
  CudaHeader *out;
  RtError *error;
} Reader;

static HdStatus cuda_header_fail(Reader *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static HdStatus cuda_header_fail(Reader *r, const char *format, ...) {
  char what[256];
  va_list args;
  va_start(args, format);
  vsnprintf(what, sizeof what, format, args);
  va_end(args);
  rt_error_set(r->error, "line %d of the PTX, which describes the launch: %s",
               r->line, what);
  return HD_ERROR_ARGUMENT;
}

static HdStatus out_of_memory(Reader *r) {
  rt_error_set(r->error, "out of memory");
  return HD_ERROR_MEMORY;
}

// Goes to the next line, which must be a comment: `next` is behind "// ".
static HdStatus cuda_header_next_line(Reader *r) {
  char *line = r->rest, *end = strchr(line, '\n');
  r->line++;
  if (!end || strncmp(line, "// ", 3) != 0)
    return cuda_header_fail(r, "the header ends before '// end'");
  *end = 0;
  r->rest = end + 1;
  r->next = line + 3;
  return HD_OK;
}

static bool take_word(Reader *r, const char *word) {
  size_t length = strlen(word);
  if (strncmp(r->next, word, length) != 0 ||
      (r->next[length] != ' ' && r->next[length] != 0))
    return false;
  r->next += length;
  return true;
}

// The next line, which must start with `word`.
static HdStatus expect_line(Reader *r, const char *word) {
  HD_TRY(cuda_header_next_line(r));
  return take_word(r, word) ? HD_OK
                            : cuda_header_fail(r, "'%s' was expected", word);
}

static HdStatus read_number(Reader *r, uint64_t most, uint64_t *out) {
  if (*r->next != ' ' || !isdigit((unsigned char)r->next[1]))
    return cuda_header_fail(r, "a number is missing");
  *out = 0;
  for (r->next++; isdigit((unsigned char)*r->next); r->next++) {
    uint64_t digit = (uint64_t)(*r->next - '0');
    if (*out > (most - digit) / 10)
      return cuda_header_fail(r, "a number is larger than %llu",
                              (unsigned long long)most);
    *out = *out * 10 + digit;
  }
  return HD_OK;
}

static HdStatus read_u32(Reader *r, uint32_t most, uint32_t *out) {
  uint64_t value;
  HD_TRY(read_number(r, most, &value));
  *out = (uint32_t)value;
  return HD_OK;
}

static HdStatus read_three(Reader *r, uint32_t most, uint32_t out[3]) {
  for (int i = 0; i < 3; i++)
    HD_TRY(read_u32(r, most, &out[i]));
  return HD_OK;
}

static HdStatus end_line(Reader *r) {
  return *r->next == 0 ? HD_OK
                       : cuda_header_fail(r, "'%.40s' is unexpected", r->next);
}

static bool is_octal(char c) {
  return c >= '0' && c <= '7';
}

// \\, \" and \ooo.
static void unescape(char *text) {
  char *out = text;
  while (*text) {
    if (text[0] == '\\' && is_octal(text[1]) && is_octal(text[2]) &&
        is_octal(text[3])) {
      *out++ =
          (char)((text[1] - '0') * 64 + (text[2] - '0') * 8 + (text[3] - '0'));
      text += 4;
      continue;
    }
    if (text[0] == '\\' && text[1])
      text++;
    *out++ = *text++;
  }
  *out = 0;
}

// A word. It moves over the space before it, so that it can end in a NUL and
// the space behind it stays.
static HdStatus read_name(Reader *r, const char **out) {
  size_t length = *r->next == ' ' ? strcspn(r->next + 1, " ") : 0;
  if (length == 0)
    return cuda_header_fail(r, "a name is missing");
  memmove(r->next, r->next + 1, length);
  r->next[length] = 0;
  *out = r->next;
  unescape(r->next);
  r->next += length + 1;
  return HD_OK;
}

static HdStatus cuda_header_read_version(Reader *r) {
  uint32_t version;
  HD_TRY(expect_line(r, "heddle-cuda"));
  HD_TRY(read_u32(r, UINT32_MAX, &version));
  HD_TRY(end_line(r));
  if (version == HD_CUDA_ABI_VERSION)
    return HD_OK;
  rt_error_set(r->error,
               "the kernel was compiled for runtime ABI %u of GPUs, but this "
               "is %d: compile it again",
               version, HD_CUDA_ABI_VERSION);
  return HD_ERROR_UNSUPPORTED;
}

// "sm_90a"
static HdStatus read_target(Reader *r) {
  CudaHeader *out = r->out;
  HD_TRY(expect_line(r, "target"));
  if (strncmp(r->next, " sm_", 4) != 0 || !isdigit((unsigned char)r->next[4]))
    return cuda_header_fail(r, "'sm_' and a number were expected");
  out->sm = (int)strtol(r->next + 4, &r->next, 10);
  if (*r->next == 'a' || *r->next == 'f')
    out->sm_variant = *r->next++;
  return end_line(r);
}

static HdStatus cuda_header_read_sizes(Reader *r) {
  CudaHeader *out = r->out;
  uint32_t is_dynamic;
  HD_TRY(expect_line(r, "slots"));
  HD_TRY(read_u32(r, 1 << 16, &out->n_slots));
  HD_TRY(end_line(r));
  HD_TRY(expect_line(r, "globals"));
  HD_TRY(read_u32(r, 1 << 16, &out->n_globals));
  HD_TRY(end_line(r));
  HD_TRY(expect_line(r, "block"));
  HD_TRY(read_three(r, 1 << 16, out->block));
  HD_TRY(end_line(r));
  HD_TRY(expect_line(r, "cluster"));
  HD_TRY(read_three(r, 1 << 16, out->cluster));
  HD_TRY(end_line(r));
  HD_TRY(expect_line(r, "shared"));
  HD_TRY(read_number(r, INT32_MAX, &out->shared_bytes));
  HD_TRY(read_u32(r, 1, &is_dynamic));
  out->has_dynamic_shared = is_dynamic != 0;
  HD_TRY(end_line(r));
  HD_TRY(expect_line(r, "flags"));
  HD_TRY(read_u32(r, UINT32_MAX, &out->flags));
  HD_TRY(end_line(r));
  HD_TRY(expect_line(r, "workspace"));
  HD_TRY(read_number(r, UINT64_C(1) << 40, &out->workspace_bytes));
  HD_TRY(read_number(r, UINT64_C(1) << 40, &out->workspace_block_bytes));
  HD_TRY(end_line(r));
  if ((uint64_t)out->block[0] * out->block[1] * out->block[2] == 0)
    return cuda_header_fail(r, "a block has no threads");
  return HD_OK;
}

static HdStatus read_map(Reader *r) {
  CudaHeader *out = r->out;
  uint32_t element, swizzle;
  if (out->n_maps == CUDA_MOST_MAPS)
    return cuda_header_fail(r, "more than %d tensor maps", CUDA_MOST_MAPS);
  if (!out->maps) {
    out->maps = calloc(CUDA_MOST_MAPS, sizeof *out->maps);
    if (!out->maps)
      return out_of_memory(r);
  }
  CudaMapLine *map = &out->maps[out->n_maps++];
  HD_TRY(read_name(r, &map->name));
  HD_TRY(read_u32(r, 1 << 16, &map->slot));
  HD_TRY(read_u32(r, CUDA_MOST_RANK, &map->rank));
  HD_TRY(read_u32(r, 255, &element));
  HD_TRY(read_u32(r, 255, &swizzle));
  map->element = (int)element;
  map->swizzle = (int)swizzle;
  if (map->rank == 0)
    return cuda_header_fail(r, "a tensor map has rank 0");
  if (map->slot + 1 + 2 * map->rank > out->n_slots)
    return cuda_header_fail(r, "'%s' lies after the %u argument slots",
                            map->name, out->n_slots);
  for (uint32_t i = 0; i < map->rank; i++)
    HD_TRY(read_u32(r, UINT32_MAX, &map->box[i]));
  return end_line(r);
}

static HdStatus grow_texts(Reader *r, CudaTexts *texts, uint32_t count) {
  if (count <= texts->capacity)
    return HD_OK;
  uint32_t capacity = count < 16 ? 16 : count * 2;
  const char **data = realloc(texts->data, capacity * sizeof *data);
  if (!data)
    return out_of_memory(r);
  memset(data + texts->capacity, 0,
         (capacity - texts->capacity) * sizeof *data);
  texts->data = data;
  texts->capacity = capacity;
  return HD_OK;
}

// "N TEXT" to the end of the line.
static HdStatus read_text(Reader *r, CudaTexts *texts) {
  uint32_t number;
  HD_TRY(read_u32(r, MOST_TEXTS, &number));
  if (*r->next != ' ')
    return cuda_header_fail(r, "a text is missing");
  char *text = r->next + 1;
  unescape(text);
  HD_TRY(grow_texts(r, texts, number + 1));
  if (texts->data[number])
    return cuda_header_fail(r, "number %u occurs twice", number);
  texts->data[number] = text;
  if (number >= texts->count)
    texts->count = number + 1;
  return HD_OK;
}

static HdStatus read_tables(Reader *r) {
  for (;;) {
    HD_TRY(cuda_header_next_line(r));
    if (take_word(r, "end"))
      return end_line(r);
    if (take_word(r, "map"))
      HD_TRY(read_map(r));
    else if (take_word(r, "loc"))
      HD_TRY(read_text(r, &r->out->locs));
    else if (take_word(r, "text"))
      HD_TRY(read_text(r, &r->out->texts));
    else
      return cuda_header_fail(r, "'map', 'loc', 'text' or 'end' was expected");
  }
}

static HdStatus read_ptx_version(Reader *r) {
  const char *directive = strstr(r->rest, ".version ");
  int major = 0, minor = 0;
  if (!directive || sscanf(directive, ".version %d.%d", &major, &minor) != 2)
    return cuda_header_fail(r, "no .version directive follows");
  r->out->ptx_version = major * 10 + minor;
  return HD_OK;
}

static HdStatus read_header(Reader *r) {
  HD_TRY(cuda_header_read_version(r));
  HD_TRY(expect_line(r, "kernel"));
  HD_TRY(read_name(r, &r->out->name));
  HD_TRY(end_line(r));
  HD_TRY(expect_line(r, "entry"));
  HD_TRY(read_name(r, &r->out->entry));
  HD_TRY(end_line(r));
  HD_TRY(read_target(r));
  HD_TRY(cuda_header_read_sizes(r));
  HD_TRY(read_tables(r));
  return read_ptx_version(r);
}

HdStatus cuda_header_parse(const char *text, size_t size_bytes, CudaHeader *out,
                           RtError *error) {
  memset(out, 0, sizeof *out);
  Reader reader = {.out = out, .error = error};
  out->storage = malloc(size_bytes + 1);
  if (!out->storage)
    return out_of_memory(&reader);
  memcpy(out->storage, text, size_bytes);
  out->storage[size_bytes] = 0;
  reader.rest = out->storage;
  HdStatus status = read_header(&reader);
  if (status != HD_OK)
    cuda_header_fini(out);
  return status;
}

void cuda_header_fini(CudaHeader *header) {
  free(header->maps);
  free(header->locs.data);
  free(header->texts.data);
  free(header->storage);
  memset(header, 0, sizeof *header);
}
