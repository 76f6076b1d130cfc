// SPDX-License-Identifier: Apache-2.0
#include "tile/layout/layout_parse.h"

#include "base/text.h"

#include <ctype.h>
#include <string.h>

// A wrong text sets `problem`, once; then nothing is taken any more.
typedef struct {
  Arena *arena;
  const char *at;
  const char *problem;
} LayoutReader;

// -------------------------------------------------------------------- words

static void layout_skip_blanks(LayoutReader *reader) {
  while (isspace((unsigned char)*reader->at))
    reader->at++;
}

static void expected(LayoutReader *reader, const char *what) {
  layout_skip_blanks(reader);
  if (!reader->problem)
    reader->problem =
        arena_printf(reader->arena, "expected %s%s%.16s%s", what,
                     *reader->at ? ", not '" : " at the end", reader->at,
                     strlen(reader->at) > 16 ? "…'"
                     : *reader->at           ? "'"
                                             : "");
}

static bool layout_take_symbol(LayoutReader *reader, const char *symbol) {
  layout_skip_blanks(reader);
  size_t length = strlen(symbol);
  if (reader->problem || strncmp(reader->at, symbol, length) != 0)
    return false;
  reader->at += length;
  return true;
}

static void need_symbol(LayoutReader *reader, const char *symbol) {
  if (!layout_take_symbol(reader, symbol))
    expected(reader, arena_printf(reader->arena, "'%s'", symbol));
}

// The word that stands here, or NULL.
static const char *layout_take_word(LayoutReader *reader) {
  layout_skip_blanks(reader);
  const char *begin = reader->at;
  if (reader->problem || (!isalpha((unsigned char)*begin) && *begin != '_'))
    return NULL;
  while (isalnum((unsigned char)*reader->at) || *reader->at == '_')
    reader->at++;
  return arena_strndup(reader->arena, begin, (size_t)(reader->at - begin));
}

static uint32_t need_number(LayoutReader *reader) {
  enum { MOST = 1 << 20 };

  layout_skip_blanks(reader);
  uint32_t value = 0;
  if (reader->problem || !isdigit((unsigned char)*reader->at)) {
    expected(reader, "a number");
    return 0;
  }
  for (; isdigit((unsigned char)*reader->at); reader->at++) {
    value = value * 10 + (uint32_t)(*reader->at - '0');
    if (value > MOST) {
      if (!reader->problem)
        reader->problem = "numbers go up to 2^20";
      return 0;
    }
  }
  return value;
}

// -------------------------------------------------------------------- types

static const struct {
  const char *name;
  uint32_t bits; // 0: of the word after it, or of int
} layout_types[] = {
    {"signed", 0},    {"unsigned", 0}, {"bool", 8},     {"char", 8},
    {"short", 16},    {"int", 32},     {"long", 64},    {"half", 16},
    {"bfloat16", 16}, {"float", 32},   {"double", 64},  {"tf32", 32},
    {"fp8_e4m3", 8},  {"fp8_e5m2", 8}, {"fp8_e8m0", 8}, {"fp6_e2m3", 6},
    {"fp6_e3m2", 6},  {"fp4_e2m1", 4},
};

// False: the word is no type.
static bool type_word_bits(const char *word, uint32_t *bits) {
  for (size_t i = 0; i < sizeof layout_types / sizeof *layout_types; i++) {
    if (strcmp(word, layout_types[i].name) == 0) {
      *bits = layout_types[i].bits;
      return true;
    }
  }
  const char *digit = strncmp(word, "int", 3) == 0    ? word + 3
                      : strncmp(word, "uint", 4) == 0 ? word + 4
                                                      : "";
  *bits = (uint32_t)(*digit - '0');
  return *digit >= '1' && *digit <= '7' && strcmp(digit + 1, "_p") == 0;
}

// Words up to the first bracket: types, then perhaps a name.
static void parse_type_words(LayoutReader *reader, LayoutTile *tile) {
  bool has_type = false, has_name = false;
  const char *word;
  while (!has_name && (word = layout_take_word(reader))) {
    uint32_t bits;
    if (!has_type && (strcmp(word, "tile") == 0 || strcmp(word, "shared") == 0))
      continue;
    if (type_word_bits(word, &bits)) {
      // "long int" is long
      tile->element_bits = tile->element_bits && strcmp(word, "int") == 0
                               ? tile->element_bits
                           : bits ? bits
                                  : tile->element_bits;
      has_type = true;
    } else if (!has_type) {
      reader->problem =
          arena_printf(reader->arena, "'%s' is no type of elements", word);
    } else {
      has_name = true;
    }
  }
  if (!has_type)
    expected(reader, "a type");
  if (!tile->element_bits)
    tile->element_bits = 32;
}

static void parse_extents(LayoutReader *reader, LayoutTile *tile) {
  while (layout_take_symbol(reader, "[")) {
    uint32_t extent = need_number(reader);
    need_symbol(reader, "]");
    if (tile->rank < LAYOUT_MAX_RANK)
      tile->extents[tile->rank] = extent;
    tile->rank++;
  }
  if (tile->rank == 0)
    expected(reader, "'['");
}

// ------------------------------------------------------------------ layouts

static const char *const place_words[] = {"reg", "lane", "warp", "block"};

// PLACE_OFFSET: it is none of them.
static PlaceKind place_of_word(const char *word) {
  PlaceKind place = 0;
  while (place < PLACE_OFFSET && strcmp(word, place_words[place]) != 0)
    place++;
  return place;
}

static void too_many(LayoutReader *reader, const char *what, uint32_t most) {
  if (!reader->problem)
    reader->problem =
        arena_printf(reader->arena, "there are %u %s at most", most, what);
}

// number {',' number} ')', the first parenthesis being taken
static uint32_t parse_numbers(LayoutReader *reader,
                              uint32_t numbers[LAYOUT_MAX_RANK]) {
  uint32_t n = 0;
  do {
    uint32_t number = need_number(reader);
    if (n == LAYOUT_MAX_RANK)
      too_many(reader, "numbers", LAYOUT_MAX_RANK);
    else
      numbers[n++] = number;
  } while (layout_take_symbol(reader, ","));
  need_symbol(reader, ")");
  return n;
}

static void parse_bit(LayoutReader *reader, uint32_t rank, LayoutBits *bits) {
  if (bits->odd_axis >= 0 && !reader->problem)
    reader->problem = "an odd factor is the last of its place";
  const char *word = layout_take_word(reader);
  if (word && strcmp(word, "odd") == 0) {
    need_symbol(reader, "(");
    bits->odd_axis = (int)need_number(reader);
    need_symbol(reader, ")");
    return;
  }
  if (word) {
    reader->at -= strlen(word);
    expected(reader, "a bit");
    return;
  }
  TileIndex offset = {0};
  uint32_t n = 1;
  if (layout_take_symbol(reader, "("))
    n = parse_numbers(reader, offset.of);
  else
    offset.of[0] = need_number(reader);
  if (n != rank && !reader->problem)
    reader->problem =
        arena_printf(reader->arena, "a bit has %u number%s, the tile %u ax%s",
                     n, text_plural(n), rank, rank == 1 ? "is" : "es");
  if (bits->n == BIT_MAP_MAX)
    too_many(reader, "bits", BIT_MAP_MAX);
  else
    bits->offsets[bits->n++] = offset;
}

static void parse_place(LayoutReader *reader, uint32_t rank, PlaceKind place,
                        LayoutSpec *spec) {
  LayoutBits *bits = &spec->bits[place];
  if ((bits->n > 0 || bits->odd_axis >= 0) && !reader->problem)
    reader->problem =
        arena_printf(reader->arena, "%s stands twice", place_words[place]);
  need_symbol(reader, "(");
  if (layout_take_symbol(reader, ")"))
    return;
  do
    parse_bit(reader, rank, bits);
  while (layout_take_symbol(reader, ","));
  need_symbol(reader, ")");
}

static void check_layout_word(LayoutReader *reader, const char *word) {
  Text names = {.arena = reader->arena};
  LayoutOwner owner;
  const char *name;
  for (uint32_t i = 0; (name = layout_name(i, &owner)); i++) {
    if (strcmp(word, name) == 0)
      return;
    text_printf(&names, "%s, ", name);
  }
  if (!reader->problem)
    reader->problem =
        arena_printf(reader->arena,
                     "there is no layout '%s'; there are: %sand bits reg(…) "
                     "lane(…) warp(…)",
                     word, text_cstr(&names));
}

// What stands in the parentheses of layout(…).
static void parse_layout_words(LayoutReader *reader, uint32_t rank,
                               LayoutSpec *spec) {
  const char *word = layout_take_word(reader);
  if (!word) {
    expected(reader, "a layout");
  } else if (place_of_word(word) == PLACE_OFFSET) {
    spec->name = word;
    check_layout_word(reader, word);
    if (layout_take_symbol(reader, "("))
      spec->n_numbers = parse_numbers(reader, spec->numbers);
  } else {
    do {
      if (place_of_word(word) == PLACE_OFFSET) {
        reader->at -= strlen(word);
        expected(reader, "reg, lane, warp or block");
        return;
      }
      parse_place(reader, rank, place_of_word(word), spec);
    } while ((word = layout_take_word(reader)));
  }
}

static void parse_spec(LayoutReader *reader, uint32_t rank, LayoutSpec *spec,
                       const char **text) {
  const char *word = layout_take_word(reader);
  if (!word || strcmp(word, "layout") != 0) {
    reader->at -= word ? strlen(word) : 0;
    expected(reader, "'layout('");
  }
  need_symbol(reader, "(");
  layout_skip_blanks(reader);
  const char *begin = reader->at;
  for (PlaceKind i = 0; i < N_PLACES; i++)
    spec->bits[i].odd_axis = -1;
  parse_layout_words(reader, rank, spec);
  *text = arena_strndup(reader->arena, begin, (size_t)(reader->at - begin));
  need_symbol(reader, ")");
}

const char *layout_parse(Arena *arena, const char *text,
                         LayoutDeclaration *out) {
  *out = (LayoutDeclaration){.text = text};
  LayoutReader reader = {arena, text, NULL};
  parse_type_words(&reader, &out->tile);
  parse_extents(&reader, &out->tile);
  parse_spec(&reader, out->tile.rank, &out->layout, &out->layout_text);
  out->is_converted = layout_take_symbol(&reader, "->");
  if (out->is_converted)
    parse_spec(&reader, out->tile.rank, &out->target, &out->target_text);
  layout_skip_blanks(&reader);
  if (*reader.at)
    expected(&reader, "nothing more");
  return reader.problem;
}
