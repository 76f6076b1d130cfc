// SPDX-License-Identifier: Apache-2.0
#include "rt/cpu/race_excerpt.h"

#include "base/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PATH_BYTES = 1024, MAX_LINE_BYTES = 400, MAX_PLACES = 4 };

typedef struct {
  char *data;
  size_t size, length;
} Out;

typedef struct {
  char file[MAX_PATH_BYTES];
  unsigned long line, column;
} Place;

static void race_excerpt_put(Out *out, const char *text, size_t length) {
  size_t room = out->size - out->length - 1;
  length = length < room ? length : room;
  memcpy(out->data + out->length, text, length);
  out->length += length;
  out->data[out->length] = '\0';
}

// The number behind the last ':' before `end`, which moves there; 0: none.
static unsigned long race_excerpt_last_number(const char *text, size_t *end) {
  size_t at = *end;
  while (at > 0 && text[at - 1] >= '0' && text[at - 1] <= '9')
    at--;
  if (at == *end || at == 0 || text[at - 1] != ':' || *end - at > 9)
    return 0;
  *end = at - 1;
  return strtoul(text + at, NULL, 10);
}

static int read_place(const char *text, size_t length, Place *place) {
  place->column = race_excerpt_last_number(text, &length);
  place->line = place->column ? race_excerpt_last_number(text, &length) : 0;
  if (place->line == 0 || length == 0 || length >= sizeof place->file)
    return 0;
  memcpy(place->file, text, length);
  place->file[length] = '\0';
  return 1;
}

static int place_of_line(const char *line, size_t length, Place *place) {
  static const char head[] = ": error[", tail[] = " at ";
  for (size_t i = 0; i + sizeof head <= length; i++)
    if (memcmp(line + i, head, sizeof head - 1) == 0)
      return read_place(line, i, place);
  for (size_t i = length; i >= sizeof tail; i--)
    if (memcmp(line + i - (sizeof tail - 1), tail, sizeof tail - 1) == 0)
      return read_place(line + i, length - i, place);
  return 0;
}

static int race_excerpt_read_line(const Place *place,
                                  char text[MAX_LINE_BYTES]) {
  FILE *file = file_is_regular(place->file) ? fopen(place->file, "r") : NULL;
  if (!file)
    return 0;
  unsigned long line = 1;
  while (line < place->line) {
    int c = getc(file);
    if (c == EOF)
      break;
    line += c == '\n';
  }
  int is_there =
      line == place->line && fgets(text, MAX_LINE_BYTES, file) != NULL;
  fclose(file);
  if (is_there)
    text[strcspn(text, "\r\n")] = '\0';
  return is_there;
}

// As heddle check quotes: the number of the line, a bar, the line, a mark.
static void add_excerpt(Out *out, const Place *place) {
  char text[MAX_LINE_BYTES], number[32];
  if (!race_excerpt_read_line(place, text) || place->column > strlen(text))
    return;
  int width = snprintf(number, sizeof number, "%4lu", place->line);
  race_excerpt_put(out, number, (size_t)width);
  race_excerpt_put(out, " | ", 3);
  race_excerpt_put(out, text, strlen(text));
  char mark[MAX_LINE_BYTES + 2];
  size_t n = place->column - 1;
  for (size_t i = 0; i < n; i++)
    mark[i] = text[i] == '\t' ? '\t' : ' ';
  mark[n] = '^';
  race_excerpt_put(out, "\n", 1);
  for (int i = 0; i < width; i++)
    race_excerpt_put(out, " ", 1);
  race_excerpt_put(out, " | ", 3);
  race_excerpt_put(out, mark, n + 1);
  race_excerpt_put(out, "\n", 1);
}

static int race_excerpt_is_new(const Place *places, unsigned n,
                               const Place *place) {
  for (unsigned i = 0; i < n; i++)
    if (places[i].line == place->line &&
        strcmp(places[i].file, place->file) == 0)
      return 0;
  return n < MAX_PLACES;
}

void race_add_excerpts(const char *report, char *out_data, size_t size) {
  Out out = {out_data, size, 0};
  Place *places = malloc(MAX_PLACES * sizeof *places);
  unsigned n_places = 0;
  out.data[0] = '\0';
  while (*report) {
    size_t length = strcspn(report, "\n");
    size_t whole = length + (report[length] == '\n');
    race_excerpt_put(&out, report, whole);
    Place *place = places && n_places < MAX_PLACES ? &places[n_places] : NULL;
    if (place && whole > length && place_of_line(report, length, place) &&
        race_excerpt_is_new(places, n_places, place)) {
      add_excerpt(&out, place);
      n_places++;
    }
    report += whole;
  }
  free(places);
}
