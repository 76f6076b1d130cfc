// SPDX-License-Identifier: Apache-2.0
// Every kernel of a CUDA C file becomes a unit of Heddle C of its own, when it
// is first asked for, so that an error in one leaves the others usable.
#include "session/program_cuda.h"

#include "base/map.h"
#include "check/report/report.h"
#include "syntax/load/load.h"
#include "syntax/parse.h"

#include <ctype.h>
#include <string.h>

typedef struct {
  CudaUnit *unit;
  Map trees;   // kernel and assumptions, interned -> CudaTree
  Map refused; // kernels, interned, whose open members no declaration helps
} CudaFile;

typedef struct {
  KernelTree tree;
  const char *name;          // of the kernel
  OpenMembers *open_members; // that checking it finds
} CudaTree;

static CudaFile *program_cuda_file_of(const HdProgram *program) {
  return program->kernels == &kernels_in_cuda ? program->file : NULL;
}

CudaUnit *cuda_unit(const HdProgram *program) {
  const CudaFile *file = program_cuda_file_of(program);
  return file ? file->unit : NULL;
}

static bool program_cuda_ends_with(const char *text, const char *end) {
  size_t length = strlen(text), end_length = strlen(end);
  return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

// The session's language, or what the file's name says.
static bool program_cuda_reads(const HdSession *session, const char *name,
                               const char *head, size_t head_bytes) {
  (void)head;
  (void)head_bytes;
  if (session->options.language != HD_LANGUAGE_BY_NAME)
    return session->options.language == HD_LANGUAGE_CUDA;
  return program_cuda_ends_with(name, ".cu") ||
         program_cuda_ends_with(name, ".cuh");
}

static HdStatus program_cuda_load(HdProgram *program) {
  CudaUnit *unit = cuda_parse(program->arena, program->names, program->diags,
                              program->source);
  if (unit) {
    CudaFile *file = ARENA_NEW(program->arena, CudaFile);
    file->unit = unit;
    program->kernels = &kernels_in_cuda;
    program->file = file;
  }
  return diag_error_count(program->diags) > 0 ? program_fail(program) : HD_OK;
}

static int program_cuda_count(const HdProgram *program) {
  return (int)cuda_kernels(cuda_unit(program)).count;
}

static const char *program_cuda_name_of(const HdProgram *program, int index) {
  return cuda_kernels(cuda_unit(program)).data[index].name;
}

// A template without its arguments.
static bool program_cuda_is_open(const HdProgram *program, int index) {
  return cuda_kernels(cuda_unit(program)).data[index].is_open;
}

// ------------------------------------------------------------------- names

static bool program_cuda_is_word(char c) {
  return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

// Blanks only between words and behind commas, no `::` in front.
static const char *plain_name(HdProgram *program, const char *name) {
  Text text = {.arena = program->arena};
  bool has_gap = false;
  while (*name == ' ' || (name[0] == ':' && name[1] == ':'))
    name += *name == ' ' ? 1 : 2;
  for (; *name; name++) {
    if (isspace((unsigned char)*name)) {
      has_gap = true;
      continue;
    }
    char last = text.length ? text.data[text.length - 1] : 0;
    if (last == ',' ||
        (has_gap && program_cuda_is_word(last) && program_cuda_is_word(*name)))
      text_add_char(&text, ' ');
    text_add_char(&text, *name);
    has_gap = false;
  }
  return intern_cstr(program->names, text_cstr(&text));
}

// How much of a name stands before its template arguments or parameters.
static size_t base_length(const char *name) {
  return strcspn(name, "<(");
}

// What stands behind the next `::`; NULL: there is none.
static const char *behind_space(const char *name) {
  size_t length = base_length(name);
  for (size_t i = 0; i + 2 < length; i++)
    if (name[i] == ':' && name[i + 1] == ':')
      return name + i + 2;
  return NULL;
}

static bool is_base_equal(const char *a, const char *b) {
  size_t length = base_length(a);
  return length == base_length(b) && memcmp(a, b, length) == 0;
}

typedef enum { MATCH_NAME, MATCH_SHORT_NAME, MATCH_BASE } Match;

// Some or all of its namespaces may be missing.
static bool program_cuda_matches(const char *listed, const char *name,
                                 Match how) {
  if (how == MATCH_NAME)
    return strcmp(listed, name) == 0;
  for (; listed; listed = behind_space(listed))
    if (how == MATCH_BASE ? is_base_equal(listed, name)
                          : strcmp(listed, name) == 0)
      return true;
  return false;
}

typedef struct {
  const CudaKernel *first;
  uint32_t count;
  bool is_ambiguous; // two bases
} Matches;

static Matches find_matches(HdProgram *program, const char *name, Match how) {
  CudaKernels kernels = cuda_kernels(cuda_unit(program));
  Matches found = {0};
  for (uint32_t i = 0; i < kernels.count; i++) {
    const CudaKernel *kernel = &kernels.data[i];
    if (!program_cuda_matches(plain_name(program, kernel->name), name, how))
      continue;
    if (!found.first)
      found.first = kernel;
    found.is_ambiguous |= !is_base_equal(found.first->name, kernel->name);
    found.count++;
  }
  return found;
}

const CudaKernel *cuda_find(const HdProgram *program, const char *name) {
  return cuda_listed_kernel(cuda_unit(program), name);
}

static const char *list_matches(HdProgram *program, const char *name,
                                Match how) {
  CudaKernels kernels = cuda_kernels(cuda_unit(program));
  Text text = {.arena = program->arena};
  for (uint32_t i = 0; i < kernels.count; i++) {
    const char *listed = kernels.data[i].name;
    if (!name || program_cuda_matches(plain_name(program, listed), name, how))
      text_printf(&text, "%s%s", text.length ? ", " : "", listed);
  }
  return text_cstr(&text);
}

static HdStatus refuse_name(HdProgram *program, const char *name) {
  Matches found = find_matches(program, name, MATCH_BASE);
  bool is_overload = found.first && strchr(found.first->name, '(');
  if (found.count > 0 && !found.is_ambiguous && !is_overload)
    return session_fail(program->session, HD_ERROR_NOT_FOUND,
                        "kernel template '%s' needs its arguments; the file "
                        "launches: %s",
                        name, list_matches(program, name, MATCH_BASE));
  if (found.count > 0)
    return session_fail(program->session, HD_ERROR_NOT_FOUND,
                        "kernel '%s' could be one of: %s", name,
                        list_matches(program, name, MATCH_BASE));
  return session_fail(program->session, HD_ERROR_NOT_FOUND,
                      "no kernel '%s'; there is: %s", name,
                      list_matches(program, NULL, MATCH_BASE));
}

// An instantiation that the file doesn't launch, of a template that it has.
static const char *instance_name(HdProgram *program, const char *name) {
  Matches found = find_matches(program, name, MATCH_BASE);
  if (!strchr(name, '<') || !found.first || found.is_ambiguous ||
      (!found.first->is_open && !strchr(found.first->name, '<')))
    return NULL;
  const char *full = arena_printf(program->arena, "%.*s%s",
                                  (int)base_length(found.first->name),
                                  found.first->name, name + base_length(name));
  return intern_cstr(program->names, full);
}

HdStatus cuda_choose(HdProgram *program, const char **name) {
  CudaKernels kernels = cuda_kernels(cuda_unit(program));
  if (kernels.count == 0)
    return session_fail(program->session, HD_ERROR_NOT_FOUND,
                        "the file has no kernel");
  if (!*name && kernels.count > 1)
    return session_fail(program->session, HD_ERROR_NOT_FOUND,
                        "there are %u kernels; name one: %s", kernels.count,
                        list_matches(program, NULL, MATCH_NAME));
  if (!*name) {
    *name = kernels.data[0].name;
    return HD_OK;
  }
  if (cuda_find(program, *name))
    return HD_OK;
  const char *plain = plain_name(program, *name);
  for (Match how = MATCH_NAME; how <= MATCH_BASE; how++) {
    Matches found = find_matches(program, plain, how);
    bool is_whole = how != MATCH_BASE || !strchr(plain, '<');
    if (found.count != 1 || !is_whole)
      continue;
    *name = found.first->name;
    return HD_OK;
  }
  *name = instance_name(program, plain);
  return *name ? HD_OK : refuse_name(program, plain);
}

// ------------------------------------------------------------------- trees

static bool refuses_members(const HdProgram *program, const char *name) {
  return map_get(&program_cuda_file_of(program)->refused,
                 MAP_KEY(intern_cstr(program->names, name))) != NULL;
}

void cuda_refuse_members(HdProgram *program, const char *name) {
  map_put(program->arena, &program_cuda_file_of(program)->refused,
          MAP_KEY(intern_cstr(program->names, name)), program);
}

// "k<float, 128>" and what is assumed.
static const char *tree_key(HdProgram *program, const char *name,
                            const SpecLimits *limits) {
  Text text = {.arena = program->arena};
  text_add(&text, name);
  for (int i = 0; limits && limits->has_grid && i < 3; i++)
    text_printf(&text, " %lld", (long long)limits->grid[i]);
  for (uint32_t i = 0; limits && i < limits->n_assumptions; i++)
    text_printf(&text, "\n%s", limits->assumptions[i].text);
  text_printf(&text, "%s\nstated %u held %u%s", limits ? " checked" : "",
              cuda_stated_count(cuda_unit(program)),
              cuda_held_count(cuda_unit(program)),
              refuses_members(program, name) ? " all" : "");
  return intern_cstr(program->names, text_cstr(&text));
}

static HdStatus program_cuda_translate(HdProgram *program, const char *name,
                                       const SpecLimits *limits,
                                       CudaTree *out) {
  KernelTree *tree = &out->tree;
  CudaTranslation options = {.keeps_inits = true};
  if (limits) {
    options.has_lengths = true;
    options.is_written_by_host = true;
    options.assumptions = limits->assumptions;
    options.n_assumptions = limits->n_assumptions;
    options.has_grid = limits->has_grid;
    for (int i = 0; i < 3; i++)
      options.grid[i] = (uint32_t)limits->grid[i];
  }
  tree->unit = cuda_translate(cuda_unit(program), name, &options);
  if (!tree->unit)
    return program_fail(program);
  const HdSessionOptions *session = &program->session->options;
  out->name = name;
  out->open_members = ARENA_NEW(program->arena, OpenMembers);
  SemaOptions sema = {.strict_groups = session->strict_groups != 0,
                      .fast_math = session->fast_math != 0,
                      .policy = kernels_in_cuda.policy.sema,
                      .words = kernels_in_cuda.policy.words,
                      .open_members = refuses_members(program, name)
                                          ? NULL
                                          : out->open_members};
  tree->sema = sema_new(program->arena, program->names, program->diags,
                        program->source, &sema);
  SemaIndex index;
  sema_index_unit(tree->sema, tree->unit, &index);
  const char *own = cuda_kernel_name(tree->unit);
  const IndexKernel *kernel = index.kernels;
  for (uint32_t i = 0; i < index.n_kernels; i++, kernel++)
    if (strcmp(kernel->name, own) == 0)
      tree->index = kernel;
  return HD_OK;
}

HdStatus cuda_refuse_open(HdProgram *program, const char *name) {
  const CudaKernel *row = cuda_find(program, name);
  if (!row || !row->is_open)
    return HD_OK;
  return session_fail(program->session, HD_ERROR_NOT_FOUND,
                      "kernel template '%s' needs its arguments, as in "
                      "'%s<…>': no launch in the file gives them",
                      name, name);
}

// The translation of a kernel, made when it is first asked for. Errors are
// reported, in this round.
static HdStatus tree_of(HdProgram *program, const char *name,
                        const SpecLimits *limits, const CudaTree **out) {
  HD_TRY(cuda_choose(program, &name));
  HD_TRY(cuda_refuse_open(program, name));
  uint64_t key = MAP_KEY(tree_key(program, name, limits));
  CudaFile *file = program_cuda_file_of(program);
  *out = map_get(&file->trees, key);
  if (*out)
    return HD_OK;
  CudaTree *tree = ARENA_NEW(program->arena, CudaTree);
  HD_TRY(program_cuda_translate(program, name, limits, tree));
  map_put(program->arena, &file->trees, key, tree);
  *out = tree;
  return HD_OK;
}

bool cuda_state_all(HdProgram *program, const OpenConditions *open) {
  bool is_new = false;
  for (uint32_t i = 0; i < open->count; i++) {
    const OpenCondition *row = &open->data[i];
    CudaStated stated = {.span = row->span,
                         .level = row->group == GROUP_GRID ? CUDA_LEVEL_GRID
                                  : row->group == GROUP_CLUSTER
                                      ? CUDA_LEVEL_CLUSTER
                                      : CUDA_LEVEL_BLOCK};
    is_new |= cuda_state(cuda_unit(program), stated);
  }
  return is_new;
}

static unsigned program_cuda_memory_of(Space space) {
  switch ((int)space) {
  case TSPACE_GLOBAL: return CUDA_MEMORY_GLOBAL;
  case TSPACE_SHARED: return CUDA_MEMORY_SHARED;
  case TSPACE_CONSTANT: return CUDA_MEMORY_CONSTANT;
  case TSPACE_LOCAL: return CUDA_MEMORY_LOCAL;
  default: return CUDA_MEMORY_GENERIC;
  }
}

bool cuda_hold_all(HdProgram *program, const char *kernel,
                   const OpenMembers *open) {
  bool is_new = false;
  for (uint32_t i = 0; i < open->count; i++) {
    const OpenMember *row = &open->data[i];
    CudaHeld held = {.kernel = intern_cstr(program->names, kernel),
                     .tag = row->tag,
                     .name = row->name,
                     .span = row->span,
                     .memory = program_cuda_memory_of(row->space)};
    is_new |= cuda_hold(cuda_unit(program), held);
  }
  return is_new;
}

// ------------------------------------------------------------------ policy

// The language says nothing of how pointers, sizes and functions without a body
// behave, and the host nothing of what it passes.
enum {
  CHECK_POLICY = CHECK_TRUST_APART | CHECK_TRUST_SIZES | CHECK_TRUST_ALIGNMENT |
                 CHECK_TRUST_UNKNOWN | CHECK_OPEN_INPUT |
                 CHECK_REMARK_SAME_VALUE | CHECK_REMARK_UNORDERED |
                 CHECK_NO_BARRIER_FIXES | CHECK_TELL_LENGTHS,
  LOAD_POLICY =
      LOAD_PREPROCESS | LOAD_PRELUDE | LOAD_STAND_INS | LOAD_PLAIN_COMMENTS,
};

// ------------------------------------------------------------------ blocks

HdBlockSource cuda_block_source(const HdProgram *program, const char *name,
                                const HdEmbed *embeds, int n_embeds) {
  for (int i = 0; i < n_embeds; i++) {
    if (cuda_is_block_param(embeds[i].name))
      return HD_BLOCK_GIVEN;
  }
  const CudaKernel *row = cuda_kernel_row(cuda_unit(program), name);
  if (!row || row->is_guess)
    return HD_BLOCK_GUESS;
  return row->is_bound ? HD_BLOCK_BOUNDS : HD_BLOCK_LAUNCH;
}

// What the launch says that the block size is from.
static void program_cuda_file_launch(const HdProgram *program, const char *name,
                                     HdFileLaunch *out) {
  CudaUnit *unit = cuda_unit(program);
  const CudaKernel *row = cuda_kernel_row(unit, name);
  CudaLaunch launch = {0};
  if (!row || row->n_launches == 0 ||
      !cuda_launch_told(unit, row, row->block, 0, &launch))
    return;
  out->has_grid = launch.has_grid;
  for (int i = 0; i < 3; i++)
    out->grid[i] = launch.grid[i];
  out->has_shared = launch.has_shared;
  out->shared_bytes = launch.shared_bytes;
}

// ------------------------------------------------------------ as any source

static HdStatus program_cuda_find(HdProgram *program, const char *name,
                                  SourceKernel *out) {
  const CudaTree *tree;
  *out = (SourceKernel){0};
  HD_TRY(tree_of(program, name, NULL, &tree));
  out->index = tree->tree.index;
  return HD_OK;
}

// Members hold pointers to other memory than they were declared for: another
// translation declares them so, or reports them. Other errors are told first.
static bool is_held_anew(HdProgram *program, const CudaTree *tree) {
  if (tree->open_members->count == 0 ||
      diag_round_error_count(program->diags) > 0)
    return false;
  if (!cuda_hold_all(program, tree->name, tree->open_members))
    cuda_refuse_members(program, tree->name);
  return true;
}

static HdStatus program_cuda_specialise(HdProgram *program, const char *name,
                                        const HdEmbed *embeds, int n_embeds,
                                        const SpecLimits *limits,
                                        SourceForm *out) {
  const CudaTree *tree;
  do {
    HD_TRY(tree_of(program, name, limits, &tree));
    HD_TRY(source_type(program, &tree->tree, embeds, n_embeds, &out->typed));
  } while (is_held_anew(program, tree));
  return HD_OK;
}

// What a kernel became, or all of the file.
static HdStatus program_cuda_print(HdProgram *program, const char *kernel,
                                   Text *out) {
  const AstUnit *unit;
  diag_begin_round(program->diags);
  if (kernel) {
    const CudaTree *tree;
    HD_TRY(tree_of(program, kernel, NULL, &tree));
    unit = tree->tree.unit;
  } else {
    unit = cuda_translate_all(cuda_unit(program), NULL);
  }
  if (!unit)
    return program_fail(program);
  ast_print(unit, out);
  return HD_OK;
}

const KernelSource kernels_in_cuda = {
    .language = HD_LANGUAGE_CUDA,
    .policy = {.is_foreign = true,
               .has_flat_arrays = true,
               .leaves_block_open = true,
               .words = LANGUAGE_CUDA,
               .load = LOAD_POLICY,
               .sema = SEMA_NO_HABITS | SEMA_NO_SPELLINGS,
               .check = CHECK_POLICY,
               .loses_const = true,
               .has_open_lanes = true,
               .waits_freely = true,
               .tests_launches = true,
               .allows_equal_stores = true},
    .is_preprocessed = true,
    .reads = program_cuda_reads,
    .load = program_cuda_load,
    .count = program_cuda_count,
    .name = program_cuda_name_of,
    .is_open = program_cuda_is_open,
    .choose = cuda_choose,
    .find = program_cuda_find,
    .specialise = program_cuda_specialise,
    .state = cuda_state_all,
    .print = program_cuda_print,
    .block = cuda_block_source,
    .file_launch = program_cuda_file_launch,
};
