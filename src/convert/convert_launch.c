// SPDX-License-Identifier: Apache-2.0
// Note [Launches that are stated]
// `heddle check` asks of the launches in a CUDA file what isn't proved for all.
// Heddle C has the same facts as clauses. They narrow what the kernel is for,
// so they are stated only where the checker then says more of it: the relations
// of sizes if those do (CudaLaunch.like_stated), else the very numbers. Of
// several launches what they have in common is stated.
#include "convert/convert.h"

#include "check/check.h"
#include "session/program_cuda.h"

#include "session/program_cuda.h"
#include <string.h>

enum { MOST_LAUNCHES = 4, MOST_FACTS = 32, CHECK_MS = 2000, SLOW_MS = 200 };

typedef struct {
  HdProgram *program;
  const CudaKernel *row;
  CudaTranslation translation;
  Arena *arena;
  CudaLaunch launches[MOST_LAUNCHES];
  uint32_t n_launches;
} Launches;

// What is open in the checker's eyes; less is better. Accesses to arrays whose
// size isn't known count as one, less than anything else.
typedef struct {
  uint32_t n_open;
  double time_ms; // that it took
} Score;

static const Score worst = {UINT32_MAX, 0};

static bool is_better(Score a, Score b) {
  return a.n_open < b.n_open;
}

static bool convert_launch_is_proved(Score score) {
  return score.n_open == 0;
}

static Score score_of(const CheckReport *report) {
  Score score = {.time_ms = report->time_ms};
  bool has_extents = false;
  for (uint32_t i = 0; i < report->findings.count; i++) {
    const Finding *finding = &report->findings.data[i];
    bool is_open = finding->verdict != VERDICT_PROVED;
    has_extents |= is_open && finding->is_of_extent;
    score.n_open += is_open && !finding->is_of_extent ? 2 : 0;
  }
  score.n_open += has_extents;
  return score;
}

static Score convert_launch_ask(const Conversion *cx, Arena *arena) {
  const IrKernel *kernel = convert_lowered(cx, cx->unit, arena);
  CheckOptions check = {.no_search = true,
                        .no_fixes = true,
                        .no_remarks = true,
                        .policy = kernels_in_cuda.policy.check,
                        .language = LANGUAGE_CUDA};
  CheckReport report = {0};
  check.solve.kernel_ms = convert_time_left(cx->program, CHECK_MS);
  if (!kernel || check.solve.kernel_ms == 0)
    return worst;
  check_kernel(arena, kernel, &check, &report);
  return score_of(&report);
}

// Of the kernel as it would be printed with these facts; the worst when the
// time is over.
static Score try_facts(const Launches *l, CudaFacts facts) {
  if (convert_time_left(l->program, CHECK_MS) == 0)
    return worst;
  CudaStatement statement = {.facts = facts};
  CudaTranslation translation = l->translation;
  translation.statement = &statement;
  uint32_t before = diag_error_count(l->program->diags);
  AstUnit *made =
      cuda_translate(cuda_unit(l->program), l->row->name, &translation);
  if (!made || diag_error_count(l->program->diags) > before)
    return worst;
  Arena *arena = arena_new();
  AstUnit unit = *made;
  Conversion cx = {.program = l->program,
                   .arena = arena,
                   .unit = &unit,
                   .position = unit.decls.count - 1};
  convert_own_kernel(&cx);
  convert_extents(&cx);
  Score score = convert_launch_ask(&cx, arena);
  arena_free(arena);
  return score;
}

static bool has_fact(const CudaFacts *facts, const CudaFact *fact) {
  for (uint32_t i = 0; i < facts->count; i++)
    if (strcmp(facts->data[i].text, fact->text) == 0)
      return true;
  return false;
}

static const CudaFacts *facts_of(const CudaLaunch *launch, bool is_like) {
  return is_like ? &launch->like_stated : &launch->stated;
}

// Those that all launches have.
static CudaFacts common_facts(const Launches *l, bool is_like) {
  const CudaFacts *first = facts_of(&l->launches[0], is_like);
  CudaFact *data = ARENA_ARRAY(l->arena, CudaFact, first->count + 1);
  CudaFacts out = {.data = data};
  for (uint32_t i = 0; i < first->count; i++) {
    bool is_common = true;
    for (uint32_t k = 1; k < l->n_launches; k++)
      is_common &=
          has_fact(facts_of(&l->launches[k], is_like), &first->data[i]);
    if (is_common)
      data[out.count++] = first->data[i];
  }
  return out;
}

// "line 12", "lines 12 and 15", "lines 3, 9 and 20"
static const char *lines_text(const Launches *l) {
  Text text = {.arena = l->arena};
  text_add(&text, l->n_launches > 1 ? "lines " : "line ");
  for (uint32_t i = 0; i < l->n_launches; i++) {
    Place place = source_place(l->program->source, l->launches[i].span);
    const char *before = i == 0 ? "" : i + 1 < l->n_launches ? ", " : " and ";
    text_printf(&text, "%s%u", before, place.line);
  }
  return text_cstr(&text);
}

static const char *name_of_file(const Launches *l) {
  const char *name = source_name(l->program->source);
  const char *slash = strrchr(name, '/');
  return slash ? slash + 1 : name;
}

static bool convert_launch_is_of_grid(const CudaFact *fact) {
  return (fact->sets & CUDA_SIZE_GRID) != 0;
}

// Without facts `first` to `last` if nothing changes then.
static bool convert_launch_drop(const Launches *l, CudaFacts *facts,
                                uint32_t first, uint32_t last, Score *score) {
  CudaFact *data = ARENA_ARRAY(l->arena, CudaFact, facts->count + 1);
  CudaFacts rest = {.data = data};
  for (uint32_t i = 0; i < facts->count; i++)
    if (i < first || i > last)
      data[rest.count++] = facts->data[i];
  Score without = try_facts(l, rest);
  if (is_better(*score, without))
    return false;
  *score = without;
  *facts = rest;
  return true;
}

// Those that are needed. What is said of the grid stands together, and is one
// clause.
static CudaFacts needed_facts(const Launches *l, CudaFacts facts, Score score) {
  for (uint32_t i = 0; i < facts.count && score.time_ms < SLOW_MS;) {
    uint32_t last = i;
    while (convert_launch_is_of_grid(&facts.data[i]) &&
           last + 1 < facts.count &&
           convert_launch_is_of_grid(&facts.data[last + 1]))
      last++;
    if (!convert_launch_drop(l, &facts, i, last, &score))
      i = last + 1;
  }
  return facts;
}

static CudaStatement stated(const Launches *l, CudaFacts facts, bool is_like) {
  const char *how = is_like ? "relate as in" : "are those of";
  const char *note = arena_printf(
      l->arena, "Sizes %s the launch%s in %s of %s.", how,
      l->n_launches > 1 ? "es" : "", lines_text(l), name_of_file(l));
  return (CudaStatement){.facts = facts, .note = note};
}

// Each launch by itself is better than all that they share.
static bool is_lost(const Launches *l, Score best) {
  for (uint32_t i = 0; i < l->n_launches; i++)
    if (!is_better(try_facts(l, l->launches[i].stated), best))
      return false;
  return l->n_launches > 1;
}

static CudaStatement convert_launch_choose(const Launches *l) {
  CudaStatement none = {.note = NULL}, best = none;
  Score least = try_facts(l, none.facts);
  for (int is_like = 1; is_like >= 0 && !convert_launch_is_proved(least);
       is_like--) {
    CudaFacts facts = common_facts(l, is_like);
    bool is_usable = facts.count > 0 && facts.count <= MOST_FACTS;
    Score score = is_usable ? try_facts(l, facts) : worst;
    if (!is_better(score, least))
      continue;
    least = score;
    best = stated(l, needed_facts(l, facts, score), is_like);
  }
  if (!convert_launch_is_proved(least) && is_lost(l, least)) {
    const char *more = arena_printf(
        l->arena,
        "The launches in %s of %s have further conditions, each its own.",
        lines_text(l), name_of_file(l));
    best.note =
        best.note ? arena_printf(l->arena, "%s %s", best.note, more) : more;
  }
  return best;
}

CudaStatement convert_launches(HdProgram *program, const CudaKernel *row,
                               const CudaTranslation *translation,
                               Arena *arena) {
  Launches l = {.program = program,
                .row = row,
                .translation = *translation,
                .arena = arena};
  const uint32_t *block = row->block;
  if (translation->block[0])
    block = translation->block;
  bool has_block = !translation->block[0] || row->is_guess || row->is_bound;
  for (uint32_t i = 0; has_block && i < row->n_launches; i++) {
    bool is_told = l.n_launches < MOST_LAUNCHES &&
                   cuda_launch_told(cuda_unit(program), row, block, i,
                                    &l.launches[l.n_launches]);
    if (!is_told) // what it says isn't known
      return (CudaStatement){.note = NULL};
    l.n_launches++;
  }
  return l.n_launches ? convert_launch_choose(&l)
                      : (CudaStatement){.note = NULL};
}
