// SPDX-License-Identifier: Apache-2.0
#include "diag/source.h"

#include "base/file.h"
#include "base/intern.h"
#include "base/panic.h"
#include "base/vec.h"
#include "diag/line_index.h"
#include "diag/line_marker.h"
#include <string.h>

enum { QUOTED_FILE_LIMIT_BYTES = 64 << 20, MATCHED_LINE_LIMIT_BYTES = 1024 };

// From physical line `first` on, lines are those of `file` from `line` on.
typedef struct {
  uint32_t first;
  uint32_t line;
  const char *file; // interned
  bool is_own;
} Segment;

// A file as the user wrote it.
typedef struct {
  const char *name; // interned
  bool is_readable;
  LineIndex lines;
} UserFile;

// How one physical line compares with the line that the user wrote: places on
// one line are often asked for one after another.
typedef struct {
  uint32_t physical_line; // 0: nothing here yet
  const char *user;       // NULL: can't be had
  size_t user_length;
  size_t common_prefix;
  size_t first_nonblank;
} LineMatch;

struct SourceText {
  Arena *arena;
  Interner *names;
  const char *name; // interned
  bool has_markers;
  LineIndex lines;
  hd_vec(Segment) segments; // in order of `first`; at least one
  hd_vec(UserFile *) files;
  LineMatch match;
};

static void collect_markers(SourceText *source) {
  for (uint32_t line = 1; line <= source->lines.n_lines; line++) {
    size_t length;
    const char *text = line_index_get(&source->lines, line, &length);
    LineMarker marker;
    if (!line_marker_parse(source->arena, text, length, &marker))
      continue;
    const char *file = marker.file ? intern_cstr(source->names, marker.file)
                                   : VEC_LAST(&source->segments).file;
    Segment segment = {line + 1, marker.line, file, false};
    VEC_PUSH(source->arena, &source->segments, segment);
  }
}

SourceText *source_new(Arena *arena, const char *name, const char *text,
                       size_t length, bool has_markers) {
  HD_ASSERT(text[length] == '\0');
  SourceText *source = ARENA_NEW(arena, SourceText);
  source->arena = arena;
  source->names = intern_new(arena);
  source->name = intern_cstr(source->names, name);
  source->has_markers = has_markers;
  line_index_init(arena, &source->lines, text, length);
  Segment whole = {1, 1, source->name, false};
  VEC_PUSH(arena, &source->segments, whole);
  if (has_markers)
    collect_markers(source);
  return source;
}

static UserFile *source_add_file(SourceText *source, const char *name) {
  UserFile *file = ARENA_NEW(source->arena, UserFile);
  file->name = name;
  VEC_PUSH(source->arena, &source->files, file);
  return file;
}

void source_set_original(SourceText *source, const char *text, size_t length) {
  UserFile *file = source_add_file(source, source->name);
  line_index_init(source->arena, &file->lines, text, length);
  file->is_readable = true;
  source->match.physical_line = 0;
}

void source_set_own(SourceText *source, const char *folder) {
  size_t length = folder ? strlen(folder) : 0;
  for (uint32_t i = 0; i < source->segments.count; i++) {
    Segment *segment = &source->segments.data[i];
    segment->is_own |= length > 0 &&
                       strncmp(segment->file, folder, length) == 0 &&
                       segment->file[length] == '/';
  }
}

const char *source_name(const SourceText *source) {
  return source->name;
}

const char *source_text(const SourceText *source) {
  return source->lines.text;
}

size_t source_length(const SourceText *source) {
  return source->lines.length;
}

// --- lines as the user wrote them ---

// A marker may name anything: pipes, devices and "-" are left alone.
static void read_user_file(SourceText *source, UserFile *file) {
  FileText text;
  const char *why;
  if (!file_is_regular(file->name) || strcmp(file->name, "-") == 0)
    return;
  if (file_read(source->arena, file->name, QUOTED_FILE_LIMIT_BYTES, &text,
                &why) != HD_OK)
    return;
  line_index_init(source->arena, &file->lines, text.data, text.size_bytes);
  file->is_readable = true;
}

static const UserFile *find_file(SourceText *source, const char *name) {
  for (uint32_t i = 0; i < source->files.count; i++)
    if (strcmp(source->files.data[i]->name, name) == 0)
      return source->files.data[i];
  UserFile *file = source_add_file(source, intern_cstr(source->names, name));
  read_user_file(source, file);
  return file;
}

const char *source_line(SourceText *source, const char *file, uint32_t line,
                        size_t *length) {
  *length = 0;
  if (!file)
    return NULL;
  if (!source->has_markers && strcmp(file, source->name) == 0)
    return line_index_get(&source->lines, line, length);
  const UserFile *user_file = find_file(source, file);
  return user_file->is_readable
             ? line_index_get(&user_file->lines, line, length)
             : NULL;
}

// --- places ---

static const Segment *find_segment(const SourceText *source,
                                   uint32_t physical_line) {
  uint32_t low = 0;
  uint32_t high = source->segments.count;
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (source->segments.data[middle].first <= physical_line)
      low = middle;
    else
      high = middle;
  }
  return &source->segments.data[low];
}

typedef struct {
  uint32_t physical_line;
  uint32_t offset; // in that line, bytes
  const char *file;
  bool is_own;
  uint32_t line;
} Position;

static Position find_position(const SourceText *source, uint32_t offset) {
  uint32_t physical = line_index_find(&source->lines, offset);
  const Segment *segment = find_segment(source, physical);
  // A marker line itself comes before what it announces.
  uint32_t ahead = physical - segment->first;
  return (Position){physical, offset - source->lines.starts[physical - 1],
                    segment->file, segment->is_own, segment->line + ahead};
}

static bool source_is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || c == '_' || (unsigned char)c >= 0x80;
}

// A token that starts or ends at a byte: a whole word or that byte alone.
typedef struct {
  const char *text;
  size_t length;
} Piece;

static Piece piece_from(const char *text, size_t length, size_t at) {
  size_t end = at + 1;
  while (source_is_word(text[at]) && end < length && source_is_word(text[end]))
    end++;
  return (Piece){text + at, end - at};
}

static Piece piece_until(const char *text, size_t end) {
  size_t begin = end - 1;
  while (source_is_word(text[end - 1]) && begin > 0 &&
         source_is_word(text[begin - 1]))
    begin--;
  return (Piece){text + begin, end - begin};
}

static bool piece_is_at(Piece piece, const char *text, size_t length,
                        size_t at) {
  if (length - at < piece.length ||
      memcmp(text + at, piece.text, piece.length) != 0)
    return false;
  if (!source_is_word(piece.text[0]))
    return true;
  bool starts = at == 0 || !source_is_word(text[at - 1]);
  size_t end = at + piece.length;
  return starts && (end == length || !source_is_word(text[end]));
}

// The occurrence of `piece` in `text` that has as many before it as the one at
// `position` in `physical` has; the last one if there are fewer. `length` when
// there is none.
static size_t find_piece(Piece piece, const char *physical, size_t position,
                         const char *text, size_t length) {
  size_t n_before = 0;
  for (size_t i = 0; i < position; i++)
    n_before += piece_is_at(piece, physical, position, i) ? 1 : 0;
  size_t found = length;
  for (size_t i = 0; i < length; i++) {
    if (!piece_is_at(piece, text, length, i))
      continue;
    found = i;
    if (n_before-- == 0)
      break;
  }
  return found;
}

static void match_line(SourceText *source, const Position *position) {
  LineMatch *match = &source->match;
  if (match->physical_line == position->physical_line)
    return;
  *match = (LineMatch){.physical_line = position->physical_line};
  match->user =
      source_line(source, position->file, position->line, &match->user_length);
  if (!match->user)
    return;
  size_t length;
  const char *physical =
      line_index_get(&source->lines, position->physical_line, &length);
  size_t i = 0;
  while (i < length && i < match->user_length && physical[i] == match->user[i])
    i++;
  match->common_prefix = i;
  i = 0;
  while (i < match->user_length &&
         (match->user[i] == ' ' || match->user[i] == '\t'))
    i++;
  match->first_nonblank = i;
}

// Byte offsets on the user's line.
typedef struct {
  size_t begin, end;
} Columns;

static size_t trimmed_end(const LineMatch *match) {
  size_t end = match->user_length;
  while (end > match->first_nonblank &&
         (match->user[end - 1] == ' ' || match->user[end - 1] == '\t'))
    end--;
  return end;
}

// Bytes [begin, end) of one physical line, found on the user's line.
static Columns recover_columns(SourceText *source, const Position *position,
                               size_t end) {
  Columns same = {position->offset, end};
  match_line(source, position);
  const LineMatch *match = &source->match;
  if (!match->user || end <= match->common_prefix)
    return same;
  Columns whole_line = {match->first_nonblank, trimmed_end(match)};
  size_t length;
  const char *physical =
      line_index_get(&source->lines, position->physical_line, &length);
  bool is_searched = length <= MATCHED_LINE_LIMIT_BYTES &&
                     match->user_length <= MATCHED_LINE_LIMIT_BYTES;
  if (position->offset >= length)
    return (Columns){whole_line.end, whole_line.end};
  if (!is_searched || end > length)
    return whole_line;
  Piece first = piece_from(physical, length, position->offset);
  size_t begin = find_piece(first, physical, position->offset, match->user,
                            match->user_length);
  if (begin == match->user_length)
    return whole_line;
  Columns found = {begin, begin + first.length};
  if (end <= position->offset + first.length) {
    found.end = begin + (end - position->offset);
    return found;
  }
  Piece last = piece_until(physical, end);
  size_t last_begin = find_piece(last, physical, end - last.length, match->user,
                                 match->user_length);
  if (last_begin != match->user_length && last_begin >= begin)
    found.end = last_begin + last.length;
  return found;
}

static Place place_of_columns(const Position *position, Columns columns) {
  return (Place){position->file,
                 position->line,
                 (uint32_t)columns.begin + 1,
                 position->line,
                 (uint32_t)columns.end + 1,
                 position->is_own};
}

// The end of a physical line, for spans that go on to others.
static size_t physical_end(const SourceText *source, uint32_t physical_line) {
  size_t length;
  line_index_get(&source->lines, physical_line, &length);
  return length;
}

static Place place_of_lines(SourceText *source, const Position *from,
                            const Position *to) {
  Columns first = {from->offset, physical_end(source, from->physical_line)};
  if (first.end < first.begin)
    first.end = first.begin;
  if (source->has_markers)
    first = recover_columns(source, from, first.end);
  Place place = place_of_columns(from, first);
  if (to->file != from->file || to->line <= from->line)
    return place;
  Columns last = {to->offset, to->offset + 1};
  if (source->has_markers)
    last = recover_columns(source, to, to->offset + 1);
  place.end_line = to->line;
  place.end_col = (uint32_t)last.end + 1;
  return place;
}

Place source_place(SourceText *source, Span span) {
  uint32_t length = source->lines.length;
  uint32_t begin = span.begin < length ? span.begin : length;
  uint32_t end = span.end < length ? span.end : length;
  Position from = find_position(source, begin);
  if (end <= begin) {
    Columns none = {from.offset, from.offset};
    if (source->has_markers) {
      none = recover_columns(source, &from, from.offset);
      none.end = none.begin;
    }
    return place_of_columns(&from, none);
  }
  Position to = find_position(source, end - 1);
  if (to.physical_line != from.physical_line)
    return place_of_lines(source, &from, &to);
  Columns columns = {from.offset, to.offset + 1};
  if (source->has_markers)
    columns = recover_columns(source, &from, columns.end);
  return place_of_columns(&from, columns);
}
