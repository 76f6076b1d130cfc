// SPDX-License-Identifier: Apache-2.0
// Tokens: what they are, where they are, and that no bytes at all upset the
// lexer.
#include "syntax/lexer.h"

#include "parse_text.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
// cmocka wants the ones above first.
#include <cmocka.h>

static void assert_tokens(const char *text, const char *expected) {
  Parsed parsed;
  SourceText *source = source_of(&parsed, text, strlen(text));
  Text out = {.arena = parsed.arena};
  tokens_print(parsed.arena, intern_new(parsed.arena), parsed.diags, source,
               &out);
  assert_string_equal(text_cstr(&out), expected);
  parsed_free(&parsed);
}

static void assert_codes(const char *text, const char *expected) {
  Parsed parsed;
  SourceText *source = source_of(&parsed, text, strlen(text));
  Text out = {.arena = parsed.arena};
  tokens_print(parsed.arena, intern_new(parsed.arena), parsed.diags, source,
               &out);
  assert_string_equal(codes_of(&parsed), expected);
  parsed_free(&parsed);
}

static void words_and_punctuators(void **state) {
  (void)state;
  assert_tokens("kernel thread >>= -> ...",
                "1:1: 'kernel'\n1:8: identifier thread\n1:15: '>>='\n"
                "1:19: '->'\n1:22: '...'\n1:25: end of file\n");
  assert_tokens("a+++b", "1:1: identifier a\n1:2: '++'\n1:4: '+'\n"
                         "1:5: identifier b\n1:6: end of file\n");
  assert_tokens("<: :> <% %>",
                "1:1: '['\n1:4: ']'\n1:7: '{'\n1:10: '}'\n1:12: end of file\n");
  assert_tokens("", "1:1: end of file\n");
}

static void numbers_are_taken_whole(void **state) {
  (void)state;
  assert_tokens("1'000.5e-3f x.5 0x1p+2 .5.",
                "1:1: number 1'000.5e-3f\n1:13: identifier x\n"
                "1:14: number .5\n1:17: number 0x1p+2\n1:24: number .5.\n"
                "1:27: end of file\n");
}

static void comments_and_lines(void **state) {
  (void)state;
  assert_tokens("a // b\n/* c\n*/ d\r\n\te",
                "1:1: identifier a\n3:4: identifier d\n4:2: identifier e\n"
                "4:3: end of file\n");
  assert_tokens("\"a\\\"b\" u8\"x\" L'\\''",
                "1:1: string \"a\\\"b\"\n1:8: string u8\"x\"\n"
                "1:14: character constant L'\\''\n1:19: end of file\n");
}

static void names_beyond_ascii(void **state) {
  (void)state;
  assert_tokens("\xc3\xa9t\xc3\xa9 \\u00e9x",
                "1:1: identifier \xc3\xa9t\xc3\xa9\n"
                "1:7: identifier \xc3\xa9x\n1:14: end of file\n");
}

static void pragmas_end_with_their_line(void **state) {
  (void)state;
  assert_tokens("#pragma unroll 4\nx",
                "1:1: #pragma\n1:9: identifier unroll\n1:16: number 4\n"
                "1:17: end of #pragma\n2:1: identifier x\n2:2: end of file\n");
  assert_tokens("#pragma unroll", "1:1: #pragma\n1:9: identifier unroll\n"
                                  "1:15: end of #pragma\n1:15: end of file\n");
  assert_tokens("#pragma once\nx", "2:1: identifier x\n2:2: end of file\n");
}

static void what_is_wrong_is_said_once(void **state) {
  (void)state;
  assert_codes("a @@@ b", "HD0101@1:3");
  assert_codes("\x01\x02\x03", "HD0101@1:1");
  assert_codes("a /* b", "HD0103@1:3");
  assert_codes("\"abc\nd", "HD0103@1:1");
  assert_codes("'a", "HD0103@1:1");
  assert_codes("\"abc\\", "HD0103@1:1");
  assert_codes("#pragma omp parallel", "HD0111@1:9");
  assert_codes("\xe2\x82", "HD0101@1:1");
}

static void any_two_bytes_end(void **state) {
  (void)state;
  for (unsigned a = 0; a < 256; a++) {
    for (unsigned b = 0; b < 256; b += a % 7 == 0 ? 1 : 13) {
      char text[4] = {(char)a, (char)b, (char)a, (char)b};
      Parsed parsed = parse_bytes(text, sizeof(text));
      uint32_t n_nodes = parsed.unit->n_nodes;
      parsed_free(&parsed);
      assert_true(n_nodes < 64);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(words_and_punctuators),
      cmocka_unit_test(numbers_are_taken_whole),
      cmocka_unit_test(comments_and_lines),
      cmocka_unit_test(names_beyond_ascii),
      cmocka_unit_test(pragmas_end_with_their_line),
      cmocka_unit_test(what_is_wrong_is_said_once),
      cmocka_unit_test(any_two_bytes_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
