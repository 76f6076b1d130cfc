// SPDX-License-Identifier: Apache-2.0
// Options, file, kernel and NAME=VALUE pairs from the command line.
#include "cli/cli.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef enum {
  OPT_NONE,

#define OPTION(id, name, argument, commands, help) OPT_##id,
#include "cli/options.def"
#undef OPTION
} OptionId;

typedef struct {
  OptionId id;
  const char *name, *argument;
  unsigned commands;
} OptionRow;

static const OptionRow rows[] = {
#define OPTION(id, name, argument, commands, help)                             \
  {OPT_##id, name, argument, commands},
#include "cli/options.def"
#undef OPTION
};

enum { N_ROWS = sizeof rows / sizeof rows[0], DEFAULT_TIME_RUNS = 20 };

static int usage(const char *text, const char *what) {
  cli_error("%s '%s'", text, what);
  return EXIT_USAGE;
}

// The whole text as a number of [low, high].
static bool parse_number(const char *text, int64_t low, int64_t high,
                         int64_t *out) {
  char *end;
  errno = 0;
  long long value = strtoll(text, &end, 10);
  *out = value;
  return end != text && *end == 0 && errno == 0 && value >= low &&
         value <= high;
}

// Splits NAME=VALUE, where the name may have extents behind it; false if there
// is no '=' or no name.
static bool options_split(Arena *arena, const char *text, Assignment *out) {
  const char *equals = strchr(text, '=');
  *out = (Assignment){0};
  if (!equals || equals == text)
    return false;
  size_t length = (size_t)(equals - text), name = strcspn(text, "[=");
  bool has_extents = name > 0 && name < length && equals[-1] == ']';
  out->name = arena_strndup(arena, text, has_extents ? name : length);
  out->extents =
      has_extents ? arena_strndup(arena, text + name, length - name) : NULL;
  out->value = equals + 1;
  return true;
}

// Which characters beyond ASCII a name may have is the language's business.
static bool options_is_name_char(unsigned char c) {
  return isalnum(c) || c == '_' || c >= 0x80;
}

static bool options_is_identifier(const char *text) {
  if (isdigit((unsigned char)*text) || *text == 0)
    return false;
  while (options_is_name_char((unsigned char)*text))
    text++;
  return *text == 0;
}

// Of CUDA C: ns::name.
static bool is_qualified_name(const char *text) {
  while (options_is_name_char((unsigned char)*text) ||
         (text[0] == ':' && text[1] == ':'))
    text += *text == ':' ? 2 : 1;
  return *text == 0;
}

// Of CUDA C: ns::k, k<float, 128>.
static bool is_kernel_word(const char *text) {
  size_t length = strlen(text);
  return options_is_identifier(text) || strstr(text, "::") ||
         (strchr(text, '<') && text[length - 1] == '>');
}

static bool options_has_name(const Options *options, const char *name) {
  for (uint32_t i = 0; i < options->assignments.count; i++) {
    if (strcmp(options->assignments.data[i].name, name) == 0)
      return true;
  }
  return false;
}

static int add_save(Options *options, const char *text) {
  Assignment save;
  if (!options_split(options->arena, text, &save) || !*save.value)
    return usage("--save needs NAME=FILE, not", text);
  VEC_PUSH(options->arena, &options->saves, save);
  return EXIT_DONE;
}

static int set_number(const char *option, const char *text, int64_t low,
                      int64_t high, int *out) {
  int64_t value;
  if (!parse_number(text, low, high, &value)) {
    cli_error("%s needs a number from %lld to %lld, not '%s'", option,
              (long long)low, (long long)high, text);
    return EXIT_USAGE;
  }
  *out = (int)value;
  return EXIT_DONE;
}

static int set_schedule(Options *o, const char *text) {
  int64_t value;
  bool is_all = strncmp(text, "all:", 4) == 0;
  if (!parse_number(is_all ? text + 4 : text, is_all, INT64_MAX, &value)) {
    cli_error(
        "--schedule needs a number, or all:N with N of at least 1, not '%s'",
        text);
    return EXIT_USAGE;
  }
  o->first_seed = is_all ? 0 : (uint64_t)value;
  o->n_seeds = is_all ? (uint64_t)value : 1;
  o->session.schedule = 1;
  return EXIT_DONE;
}

// Seconds with a fraction, 1 ms to a day.
static int set_time_limit(Options *o, const char *text) {
  char *end;
  errno = 0;
  double seconds = strtod(text, &end);
  if (end == text || *end || errno || !(seconds >= 0.001) || seconds > 86400) {
    cli_error("--time-limit needs seconds from 0.001 to 86400, not '%s'", text);
    return EXIT_USAGE;
  }
  o->check.time_limit_ms = (uint32_t)(seconds * 1000 + 0.5);
  return EXIT_DONE;
}

static int set_language(Options *o, const char *text) {
  bool is_cuda = strcmp(text, "cuda") == 0;
  if (!is_cuda && strcmp(text, "heddle") != 0)
    return usage("--language needs cuda or heddle, not", text);
  o->session.language = is_cuda ? HD_LANGUAGE_CUDA : HD_LANGUAGE_HEDDLE;
  return EXIT_DONE;
}

static int options_apply(Options *o, OptionId id, const char *value) {
  switch (id) {
  case OPT_NONE: break;
  case OPT_HELP:
  case OPT_HELP_SHORT: o->wants_help = true; break;
  case OPT_DEVICE: o->device = value; break;
  case OPT_SAVE: return add_save(o, value);
  case OPT_PRINT: VEC_PUSH(o->arena, &o->prints, value); break;
  case OPT_TIME:
    o->time_runs = DEFAULT_TIME_RUNS;
    return value ? set_number("--time", value, 1, 1000000, &o->time_runs)
                 : EXIT_DONE;
  case OPT_GRID: o->grid_text = value; break;
  case OPT_BLOCK: o->block_text = value; break;
  case OPT_SHARED: o->shared_text = value; break;
  case OPT_CLUSTER: o->cluster_text = value; break;
  case OPT_LAUNCH: o->launch = value; break;
  case OPT_ASSUME: VEC_PUSH(o->arena, &o->assumptions, value); break;
  case OPT_LANGUAGE: return set_language(o, value);
  case OPT_OUTPUT: o->output = value; break;
  case OPT_SANITIZE: o->session.sanitize = 1; break;
  case OPT_SCHEDULE: return set_schedule(o, value);
  case OPT_TRACE:
    o->trace = value;
    o->session.trace = 1;
    break;
  case OPT_JSON: o->json = true; break;
  case OPT_STRICT: o->strict = true; break;
  case OPT_EXPLAIN_SYNC: o->explain_sync = true; break;
  case OPT_TIME_LIMIT: return set_time_limit(o, value);
  case OPT_JOBS: return set_number("--jobs", value, 1, 256, &o->n_jobs);
  case OPT_RULES_ONLY: o->check.rules_only = 1; break;
  case OPT_ALLOW_SAME_VALUE:
    o->check.allow_same_value = o->session.allow_same_value = 1;
    break;
  case OPT_OWNER: o->check.owner = 1; break;
  case OPT_NO_ISL: o->check.no_isl = 1; break;
  case OPT_NO_Z3: o->check.no_z3 = 1; break;
  case OPT_NO_SEARCH: o->check.no_search = 1; break;
  case OPT_CHECK_FIRST: o->check_first = true; break;
  case OPT_STAGE: o->stage = value; break;
  case OPT_AFTER: o->after = value; break;
  case OPT_LAYOUT: o->layout = value; break;
  case OPT_THREADS:
    return set_number("--threads", value, 1, 1024, &o->n_threads);
  case OPT_TARGET: o->target = value; break;
  case OPT_VERBOSE: o->verbose = o->report = true; break;
  case OPT_REPORT: o->report = true; break;
  case OPT_DEFINE: VEC_PUSH(o->arena, &o->defines, value); break;
  case OPT_INCLUDE: VEC_PUSH(o->arena, &o->include_dirs, value); break;
  case OPT_CONFINE: o->session.confine_includes = 1; break;
  case OPT_OPT0: o->session.opt_level = 0; break;
  case OPT_OPT1: o->session.opt_level = 1; break;
  case OPT_OPT2: o->session.opt_level = 2; break;
  case OPT_OPT3: o->session.opt_level = 3; break;
  case OPT_FAST_MATH: o->session.fast_math = 1; break;
  case OPT_STRICT_GROUPS: o->session.strict_groups = 1; break;
  case OPT_MAX_ERRORS:
    return set_number("--max-errors", value, 1, 100000, &o->session.max_errors);
  case OPT_NO_CACHE: o->session.use_disk_cache = 0; break;
  case OPT_VERIFY_EACH: o->session.verify_each = 1; break;
  }
  return EXIT_DONE;
}

// "--name", "--name=value", "-Dvalue": the row and the value inside the word.
static const OptionRow *options_find_row(const char *word, const char **value) {
  for (int i = 0; i < N_ROWS; i++) {
    size_t length = strlen(rows[i].name);
    *value = NULL;
    if (strcmp(word, rows[i].name) == 0)
      return &rows[i];
    if (!rows[i].argument || strncmp(word, rows[i].name, length) != 0)
      continue;
    bool is_short = length == 2;
    if (!is_short && word[length] != '=')
      continue;
    *value = word + length + !is_short;
    return &rows[i];
  }
  return NULL;
}

static int unknown_option(const Options *options, const char *word) {
  const char *names[N_ROWS];
  size_t count = 0;
  for (int i = 0; i < N_ROWS; i++) {
    if (rows[i].commands & options->command)
      names[count++] = rows[i].name;
  }
  const char *nearest = text_nearest(word, names, count);
  cli_error("unknown option '%s' of 'heddle %s'%s%s%s", word,
            command_name(options->command), nearest ? ", did you mean '" : "",
            nearest ? nearest : "", nearest ? "'?" : "");
  return EXIT_USAGE;
}

// Handles the option at argv[*i]; moves *i over a value of its own.
static int parse_option(Options *options, int argc, char **argv, int *i) {
  const char *value;
  const OptionRow *row = options_find_row(argv[*i], &value);
  if (!row || !(row->commands & options->command))
    return unknown_option(options, argv[*i]);
  bool is_optional = row->argument && row->argument[0] == '[';
  if (row->argument && !value && *i + 1 < argc) {
    int64_t number;
    if (!is_optional || parse_number(argv[*i + 1], 0, INT64_MAX, &number))
      value = argv[++*i];
  }
  if (row->argument && !value && !is_optional) {
    cli_error("%s needs %s", row->name, row->argument);
    return EXIT_USAGE;
  }
  return options_apply(options, row->id, value);
}

// A word behind the first file of `heddle check` is one more, unless it could
// only be a kernel's name.
static bool is_file_word(const char *word) {
  return !is_kernel_word(word) || access(word, F_OK) == 0;
}

static int options_parse_word(Options *options, const char *word) {
  Assignment pair;
  if (options->file && options_split(options->arena, word, &pair)) {
    if (!options_is_identifier(pair.name) && !is_qualified_name(pair.name))
      return usage("NAME=VALUE needs a name before '=', not", word);
    if (options_has_name(options, pair.name)) {
      cli_error("argument '%s' is given twice", pair.name);
      return EXIT_USAGE;
    }
    VEC_PUSH(options->arena, &options->assignments, pair);
    return EXIT_DONE;
  }
  if (!options->file)
    options->file = word;
  else if (options->command == CHECK && is_file_word(word))
    VEC_PUSH(options->arena, &options->more_files, word);
  else if (!options->kernel)
    options->kernel = word;
  else
    return usage("unexpected argument", word);
  return EXIT_DONE;
}

// The first word that the command has no use for, NULL: none.
static const char *surplus_word(const Options *options) {
  bool takes_code = options->command == EXPLAIN;
  if (options->command != DEVICES && !takes_code)
    return NULL;
  if (options->file && !takes_code)
    return options->file;
  if (options->kernel)
    return options->kernel;
  return options->assignments.count > 0 ? options->assignments.data[0].name
                                        : NULL;
}

// Of `dump --layout`, which takes the place of a file.
static int check_layout_options(const Options *options) {
  if (!options->layout) {
    cli_error("--threads is for --layout");
    return EXIT_USAGE;
  }
  if (options->file)
    return usage("--layout doesn't take a file:", options->file);
  if (options->stage && strcmp(options->stage, "layout") != 0 &&
      strcmp(options->stage, "layout-svg") != 0)
    return usage("--layout has the stages layout and layout-svg, not",
                 options->stage);
  return EXIT_DONE;
}

static int check_needed(const Options *options) {
  if (options->wants_help)
    return EXIT_DONE;
  const char *surplus = surplus_word(options);
  if (surplus)
    return usage("unexpected argument", surplus);
  if (options->command == DEVICES)
    return EXIT_DONE;
  if (options->command == DUMP && (options->layout || options->n_threads))
    return check_layout_options(options);
  if (!options->file) {
    cli_error("'heddle %s' needs %s; see 'heddle %s --help'",
              command_name(options->command),
              options->command == EXPLAIN ? "a code" : "a file",
              command_name(options->command));
    return EXIT_USAGE;
  }
  if (options->command == DUMP && !options->stage) {
    cli_error(
        "'heddle dump' needs --stage tokens, ast, ir, tiles, check, layout, "
        "layout-svg, shared, llvm, asm or ptx");
    return EXIT_USAGE;
  }
  if (options->after && strcmp(options->stage, "ir") != 0) {
    cli_error("--after PASS is for --stage ir");
    return EXIT_USAGE;
  }
  if (options->after && options->target) {
    cli_error("--after PASS doesn't take --target: the pass decides it");
    return EXIT_USAGE;
  }
  return EXIT_DONE;
}

int options_parse(Arena *arena, Command command, int argc, char **argv,
                  int first, Options *out) {
  static const HdSessionOptions defaults = HD_SESSION_OPTIONS_INIT;
  static const HdCheckOptions check_defaults = HD_CHECK_OPTIONS_INIT;
  *out = (Options){.arena = arena,
                   .command = command,
                   .device = "cpu",
                   .grid = {1, 1, 1},
                   .block = {1, 1, 1},
                   .cluster = {1, 1, 1},
                   .session = defaults,
                   .check = check_defaults};
  out->session.use_colour = isatty(STDERR_FILENO) && !getenv("NO_COLOR");
  bool only_words = false;
  for (int i = first; i < argc; i++) {
    int status = EXIT_DONE;
    bool is_option = argv[i][0] == '-' && argv[i][1] && !only_words;
    if (is_option && strcmp(argv[i], "--") == 0)
      only_words = true;
    else if (is_option)
      status = parse_option(out, argc, argv, &i);
    else
      status = options_parse_word(out, argv[i]);
    if (status != EXIT_DONE)
      return status;
  }
  VEC_PUSH(arena, &out->defines, NULL);
  VEC_PUSH(arena, &out->include_dirs, NULL);
  if (command == CONVERT)
    VEC_PUSH(arena, &out->assumptions, NULL);
  out->session.defines = out->defines.data;
  out->session.include_dirs = out->include_dirs.data;
  int status = check_needed(out);
  return status == EXIT_DONE ? options_read_launch(out) : status;
}
