// SPDX-License-Identifier: Apache-2.0
#include "cuda/cuda.h"

#include "base/panic.h"
#include "cuda/form/cu_barrier.h"
#include "cuda/form/cu_carve.h"
#include "cuda/form/cu_function.h"
#include "cuda/form/cu_index.h"
#include "cuda/form/cu_kernel.h"
#include "cuda/form/cu_names.h"
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_resolve.h"
#include "cuda/form/cu_same.h"
#include "cuda/form/cu_scope.h"
#include "cuda/form/cu_word_class.h"
#include "cuda/host/cu_block.h"
#include "cuda/host/cu_block_stated.h"
#include "cuda/host/cu_facts.h"
#include "cuda/host/cu_launch.h"
#include "cxx/cx_parse.h"

#include <string.h>

struct CudaUnit {
  Arena *arena;
  Interner *names;
  DiagEngine *diags;
  CxUnit *tree;
  const CuIndex *index;
  CuLaunches launches;
  hd_vec(CudaKernel) kernels;
  Map listed; // interned name -> its number in `kernels` + 1
  CuCounts counts;
  Map lost; // kernels that aren't understood: CxDecl by name, and by itself
  Map kept; // names of kernels whose early returns stay as they are
  hd_vec(CudaKernel *) others; // instances that somebody named
  hd_vec(CudaStated) stated;
  hd_vec(CudaHeld) held;
  uint32_t n_held; // bits in `held`
  bool has_words;  // it may have words that are mbarriers
  Map spent;       // names of kernels that were too big -> Spent
};

// Where and why the translation of a kernel was given up.
typedef struct {
  CuSpent by;
  Span span;
} Spent;

static CuContext *new_context(const CudaUnit *unit) {
  return cu_context_new(unit->arena, unit->names, unit->diags, unit->tree,
                        unit->index);
}

// ---------------------------------------------------------------- the list

static void set_block(CudaKernel *kernel, const uint32_t block[3]) {
  memcpy(kernel->block, block, sizeof kernel->block);
}

static bool names_entity(CuContext *cu, const CxName *name,
                         const CuEntity *entity) {
  CuEntityVec found = {0};
  CuScope *before = cu_set_scope(cu, entity->scope);
  cu_resolve_name(cu, name, &found);
  cu_set_scope(cu, before);
  for (uint32_t i = 0; i < found.count; i++) {
    if (found.data[i] == entity || (found.data[i]->name == entity->name &&
                                    found.data[i]->scope == entity->scope))
      return true;
  }
  return false;
}

static bool is_launch_of(CuContext *cu, const CuLaunch *launch,
                         const CuEntity *entity) {
  return strcmp(launch->base, cu_base_name(cu, entity)) == 0 &&
         (launch->kernel == entity->decl ||
          cx_same_function(launch->kernel, entity->decl));
}

// Of an instance those launches count that have its arguments.
static bool launches_it(CuContext *cu, const CuLaunch *launch,
                        const CuEntity *entity, const CudaKernel *kernel) {
  if (!is_launch_of(cu, launch, entity))
    return false;
  return !entity->decl->n_templates || kernel->is_open ||
         (launch->name && strcmp(launch->name, kernel->name) == 0);
}

// The kernel of a listed name, which stands at `defined`, if that is given.
static CuFunction *cuda_find_kernel(CuContext *cu, const char *text,
                                    const Span *defined) {
  const char *why = NULL;
  size_t length = strlen(text);
  if (length > 0 && text[length - 1] == ')')
    text = arena_strndup(cu->arena, text, strcspn(text, "("));
  const CxName *name = cx_parse_name_text(cu->tree, text, &why);
  return name ? cu_find_kernel(cu, name, defined) : NULL;
}

// Where the template's parameters have their values.
static CuScope *cuda_scope_of(CuContext *cu, const CuEntity *entity,
                              const CudaKernel *kernel) {
  if (!entity->decl->n_templates || kernel->is_open)
    return entity->scope;
  CuTrial trial = cu_trial_begin(cu);
  CuFunction *function = cuda_find_kernel(cu, kernel->name, &kernel->span);
  bool is_wrong = cu_trial_end(cu, trial) || !function;
  return is_wrong ? entity->scope : function->scope;
}

// Where no launch says it: `known` are the dimensions that one does, others 0,
// and `first` those that its variables begin with.
static void guess_block(CuContext *cu, const CuEntity *entity,
                        CudaKernel *kernel, const uint32_t known[3],
                        const uint32_t first[3]) {
  uint32_t block[3];
  CuScope *scope = cuda_scope_of(cu, entity, kernel);
  kernel->is_bound = cu_bound_block(cu, entity->decl, scope, block);
  bool is_seen =
      !kernel->is_bound && cu_guess_block(cu, entity->decl, scope, block);
  uint32_t most = kernel->is_bound ? block[0] : CU_MOST_THREADS;
  if (kernel->is_bound)
    kernel->is_bound = !cu_fold_block(cu, entity->decl, scope, block);
  bool is_stated = cu_stated_block(cu, entity->decl, scope, most, block);
  kernel->is_bound &= !is_stated;
  kernel->is_guess = !kernel->is_bound;
  kernel->is_any = kernel->is_guess && !is_seen && !is_stated;
  memcpy(kernel->fixed, known, sizeof kernel->fixed);
  cu_launch_fit(first[0] ? first : known, block);
  set_block(kernel, block);
  kernel->is_first = first[0] > 0;
  kernel->is_any = kernel->is_any && !kernel->is_first;
  kernel->is_shown = !kernel->is_any &&
                     cu_block_is_shown(cu, entity->decl, scope, kernel->block);
}

// What the block's variables begin with; 0: they begin with less than a warp,
// as what is set later does, and a kernel that is right then says nothing.
static void find_first_block(CuContext *cu, const CuLaunch *launch,
                             uint32_t first[3]) {
  enum { A_WARP = 32 };

  if (!cu_launch_block(cu, launch, true, first) ||
      first[0] * first[1] * first[2] < A_WARP)
    first[0] = 0;
}

// Of the first launch that says it. Where none does all of them count: what
// their blocks are is one of the facts.
static void cuda_find_block(const CudaUnit *unit, CuContext *cu,
                            const CuEntity *entity, CudaKernel *kernel) {
  hd_vec(uint32_t) launches = {0}, others = {0}, all = {0};
  uint32_t block[3], known[3] = {0, 0, 0}, first[3] = {0, 0, 0};
  for (uint32_t i = 0; i < unit->launches.count; i++) {
    const CuLaunch *launch = &unit->launches.data[i];
    if (!launches_it(cu, launch, entity, kernel))
      continue;
    VEC_PUSH(cu->arena, &all, i);
    if (launch->launch->is_plain && !kernel->has_plain_launch)
      kernel->plain_launch = launch->launch->span;
    kernel->has_plain_launch |= launch->launch->is_plain;
    bool is_constant = cu_launch_block(cu, launch, false, block);
    if (is_constant && launches.count == 0)
      set_block(kernel, block);
    if (is_constant && memcmp(kernel->block, block, sizeof block) == 0)
      VEC_PUSH(cu->arena, &launches, i);
    if (!is_constant && others.count == 0) {
      memcpy(known, block, sizeof known);
      find_first_block(cu, launch, first);
    }
    if (!is_constant)
      VEC_PUSH(cu->arena, &others, i);
  }
  bool is_known = launches.count > 0;
  kernel->all = all.data;
  kernel->n_all = all.count;
  kernel->launches = is_known ? launches.data : others.data;
  kernel->n_launches = is_known ? launches.count : others.count;
  if (!is_known)
    guess_block(cu, entity, kernel, known, first);
}

static uint64_t name_key(const CudaUnit *unit, const char *text) {
  return MAP_KEY(intern_cstr(unit->names, text));
}

const CudaKernel *cuda_listed_kernel(const CudaUnit *unit, const char *name) {
  uintptr_t number = (uintptr_t)map_get(&unit->listed, name_key(unit, name));
  return number ? &unit->kernels.data[number - 1] : NULL;
}

static void add_kernel(CudaUnit *unit, CudaKernel kernel) {
  uint64_t key = name_key(unit, kernel.name);
  VEC_PUSH(unit->arena, &unit->kernels, kernel);
  if (!map_has(&unit->listed, key))
    map_put(unit->arena, &unit->listed, key,
            (void *)(uintptr_t)unit->kernels.count);
}

static void list_instance(CudaUnit *unit, CuContext *cu, CuEntity *entity,
                          const char *text) {
  if (!text || cuda_listed_kernel(unit, text))
    return;
  CudaKernel kernel = {.name = text, .span = entity->decl->name_span};
  cuda_find_block(unit, cu, entity, &kernel);
  add_kernel(unit, kernel);
}

// template __global__ void k<4>(int *), or without <4>.
static void list_explicit(CudaUnit *unit, CuContext *cu, CuEntity *entity,
                          const CxDeclList *decls) {
  for (uint32_t i = 0; i < decls->count; i++) {
    const CxDecl *decl = decls->data[i];
    const CxDecl *inner =
        decl->kind == CX_DECL_INSTANTIATION ? decl->u.inner : NULL;
    if (decl->kind == CX_DECL_NAMESPACE)
      list_explicit(unit, cu, entity, &decl->u.space.decls);
    if (!inner || inner->kind != CX_DECL_FUNCTION || !inner->full ||
        !names_entity(cu, inner->full, entity))
      continue;
    const CxNamePart *part = &inner->full->parts[inner->full->n_parts - 1];
    CuArgs args;
    const CuValues none = {NULL, 0};
    bool is_known =
        cu_called_args(cu, entity->scope, entity, part, none, NULL, &args) ||
        cu_declared_args(cu, entity, inner, &args);
    if (is_known)
      list_instance(unit, cu, entity, cu_instance_name(cu, entity, args));
  }
}

static void list_instances(CudaUnit *unit, CuContext *cu, CuEntity *entity) {
  uint32_t before = unit->kernels.count;
  for (uint32_t i = 0; i < unit->launches.count; i++) {
    const CuLaunch *launch = &unit->launches.data[i];
    if (is_launch_of(cu, launch, entity))
      list_instance(unit, cu, entity, launch->name);
  }
  list_explicit(unit, cu, entity, &cu->tree->decls);
  if (unit->kernels.count > before)
    return;
  CudaKernel kernel = {.name = cu_base_name(cu, entity),
                       .span = entity->decl->name_span,
                       .is_open = true};
  cuda_find_block(unit, cu, entity, &kernel);
  add_kernel(unit, kernel);
}

static bool cuda_is_plain_kernel(const CuEntity *entity) {
  return cu_is_kernel(entity) && entity->decl->u.function.has_body &&
         entity->decl->n_templates == 0;
}

static bool cuda_is_overloaded(const CuEntity *entity) {
  const CuEntity *other = map_get(&entity->scope->names, MAP_KEY(entity->name));
  for (; other; other = other->next)
    if (other != entity && cuda_is_plain_kernel(other) &&
        !cx_same_function(other->decl, entity->decl))
      return true;
  return false;
}

// "k(const float *, int)", which tells kernels of one name apart.
static const char *full_name(CuContext *cu, CuEntity *entity) {
  CuTrial trial = cu_trial_begin(cu);
  CuFunction *function = cu_instance(cu, entity, (CuArgs){NULL, 0});
  cu_trial_end(cu, trial);
  if (!function)
    return cu_base_name(cu, entity);
  Text text = {.arena = cu->arena};
  text_printf(&text, "%s(", cu_base_name(cu, entity));
  for (uint32_t i = 0; i < function->n_params; i++) {
    text_add(&text, i ? ", " : "");
    cu_type_print(function->params[i].type, &text);
  }
  text_add_char(&text, ')');
  return text_cstr(&text);
}

static void list_kernel(CudaUnit *unit, CuContext *cu, CuEntity *entity) {
  const CxDecl *decl = entity->decl;
  cu_begin_steps(cu);
  bool is_special = decl->n_templates && decl->templates[0].params.count == 0;
  if (!(decl->specs & CX_SPEC_GLOBAL) || !decl->u.function.has_body ||
      is_special)
    return;
  if (decl->n_templates) {
    list_instances(unit, cu, entity);
    return;
  }
  CudaKernel kernel = {.name = cuda_is_overloaded(entity)
                                   ? full_name(cu, entity)
                                   : cu_base_name(cu, entity),
                       .span = decl->name_span};
  if (cuda_listed_kernel(unit, kernel.name))
    return;
  cuda_find_block(unit, cu, entity, &kernel);
  add_kernel(unit, kernel);
}

// Whoever asks for it is told what is wrong; others of the file are right.
static void list_lost(CudaUnit *unit, CuContext *cu, CuScope *scope,
                      CxDecl *decl) {
  CudaKernel kernel = {.block = {1, 1, 1}};
  const char *name = cx_lost_kernel(unit->tree, decl, &kernel.span);
  if (!name)
    return;
  const CuEntity entity = {.name = name, .scope = scope};
  kernel.name = cu_base_name(cu, &entity);
  if (cuda_listed_kernel(unit, kernel.name))
    return;
  add_kernel(unit, kernel);
  map_put(unit->arena, &unit->lost, name_key(unit, kernel.name), decl);
  map_put(unit->arena, &unit->lost, MAP_KEY(decl), decl);
}

static void list_kernels(CudaUnit *unit, CuContext *cu, CuScope *scope,
                         const CxDeclList *decls) {
  for (uint32_t i = 0; i < decls->count; i++) {
    CxDecl *decl = decls->data[i];
    if (decl->kind == CX_DECL_NAMESPACE) {
      CuScope *inner = map_get(&cu->spaces, MAP_KEY(decl));
      if (inner)
        list_kernels(unit, cu, inner, &decl->u.space.decls);
    } else if (decl->kind == CX_DECL_UNKNOWN) {
      list_lost(unit, cu, scope, decl);
    } else if (decl->kind == CX_DECL_FUNCTION &&
               (decl->specs & CX_SPEC_GLOBAL)) {
      CuEntity *entity = cu_entity_of(cu, scope, decl);
      if (entity)
        list_kernel(unit, cu, entity);
    }
  }
}

// Outside of our own headers.
static bool speaks_of(CuContext *cu, const char *word) {
  const char *text = source_text(cu->source);
  for (const char *at = strstr(text, word); at; at = strstr(at + 1, word)) {
    uint32_t begin = (uint32_t)(at - text);
    if (!cu_is_own_header(cu, (Span){begin, begin + 1}))
      return true;
  }
  return false;
}

CudaUnit *cuda_parse(Arena *arena, Interner *names, DiagEngine *diags,
                     SourceText *source) {
  CudaUnit *unit = ARENA_NEW(arena, CudaUnit);
  unit->arena = arena;
  unit->names = names;
  unit->diags = diags;
  unit->tree = cx_parse_unit(arena, names, diags, source);
  unit->index = cu_index_new(arena, &unit->tree->decls);
  CuContext *cu = new_context(unit);
  cu_find_launches(cu, &unit->launches);
  unit->has_words =
      speaks_of(cu, "mbarrier") || speaks_of(cu, "barrier_native_handle");
  list_kernels(unit, cu, cu->global, &unit->tree->decls);
  cx_report_lost_kernels(unit->tree, &unit->lost);
  return unit;
}

CudaKernels cuda_kernels(const CudaUnit *unit) {
  return (CudaKernels){unit->kernels.data, unit->kernels.count};
}

bool cuda_any_launch_told(const CudaUnit *unit, const CudaKernel *kernel,
                          const uint32_t block[3], uint32_t number,
                          CudaLaunch *out) {
  HD_ASSERT(number < unit->launches.count);
  CuContext *cu = new_context(unit);
  const CuLaunch *launch = &unit->launches.data[number];
  CuTrial trial = cu_trial_begin(cu);
  CuFunction *function = cuda_find_kernel(cu, kernel->name, &kernel->span);
  bool is_wrong = cu_trial_end(cu, trial) || !function;
  *out = (CudaLaunch){.span = launch->launch->span};
  if (is_wrong)
    return false;
  cu_launch_facts(cu, launch, function, block, out);
  cu_launch_block(cu, launch, false, out->block);
  return true;
}

bool cuda_launch_told(const CudaUnit *unit, const CudaKernel *kernel,
                      const uint32_t block[3], uint32_t index,
                      CudaLaunch *out) {
  HD_ASSERT(index < kernel->n_launches);
  return cuda_any_launch_told(unit, kernel, block, kernel->launches[index],
                              out);
}

// An instance that no launch names.
static const CudaKernel *cuda_add_other(CudaUnit *unit, const char *text) {
  CuContext *cu = new_context(unit);
  CuTrial trial = cu_trial_begin(cu);
  CuFunction *function = cuda_find_kernel(cu, text, NULL);
  if (cu_trial_end(cu, trial) || !function)
    return NULL;
  CudaKernel *row = ARENA_NEW(unit->arena, CudaKernel);
  row->name = arena_strdup(unit->arena, text);
  row->span = function->entity->decl->name_span;
  cuda_find_block(unit, cu, function->entity, row);
  VEC_PUSH(unit->arena, &unit->others, row);
  return row;
}

const CudaKernel *cuda_kernel_row(CudaUnit *unit, const char *name) {
  const CudaKernel *known = cuda_listed_kernel(unit, name);
  if (known)
    return known;
  for (uint32_t i = 0; i < unit->others.count; i++)
    if (strcmp(unit->others.data[i]->name, name) == 0)
      return unit->others.data[i];
  return cuda_add_other(unit, name);
}

// ---------------------------------------------------------------- translation

bool cuda_state(CudaUnit *unit, CudaStated stated) {
  HD_ASSERT(stated.level <= CUDA_LEVEL_BLOCK);
  for (uint32_t i = 0; i < unit->stated.count; i++) {
    const CudaStated *other = &unit->stated.data[i];
    if (other->span.begin == stated.span.begin &&
        other->span.end == stated.span.end && other->level <= stated.level)
      return false;
  }
  VEC_PUSH(unit->arena, &unit->stated, stated);
  return true;
}

uint32_t cuda_stated_count(const CudaUnit *unit) {
  return unit->stated.count;
}

static bool is_same_member(const CudaHeld *a, const CudaHeld *b) {
  return strcmp(a->kernel, b->kernel) == 0 && strcmp(a->tag, b->tag) == 0 &&
         strcmp(a->name, b->name) == 0 && a->span.begin == b->span.begin &&
         a->span.end == b->span.end;
}

bool cuda_hold(CudaUnit *unit, CudaHeld held) {
  HD_ASSERT(held.kernel && held.tag && held.name && held.memory != 0);
  for (uint32_t i = 0; i < unit->held.count; i++) {
    CudaHeld *other = &unit->held.data[i];
    if (!is_same_member(other, &held))
      continue;
    bool is_new = (other->memory & held.memory) != held.memory;
    other->memory |= held.memory;
    unit->n_held += is_new;
    return is_new;
  }
  VEC_PUSH(unit->arena, &unit->held, held);
  unit->n_held++;
  return true;
}

uint32_t cuda_held_count(const CudaUnit *unit) {
  return unit->n_held;
}

// It would take as long each time.
static void keep_spent(CudaUnit *unit, const CuContext *cu, const char *text) {
  Spent *spent = ARENA_NEW(unit->arena, Spent);
  *spent = (Spent){cu->limits.spent, cu->limits.spent_at};
  map_put(unit->arena, &unit->spent, name_key(unit, text), spent);
}

static bool is_spent_before(CudaUnit *unit, CuContext *cu, const char *text) {
  const Spent *spent = map_get(&unit->spent, name_key(unit, text));
  if (!spent)
    return false;
  cu->limits.spent = spent->by;
  cu_tell_spent(cu, spent->span);
  return true;
}

static bool translate_unit(CudaUnit *unit, CuContext *cu, const char *text,
                           const CudaTranslation *options) {
  cu_begin_steps(cu);
  if (is_spent_before(unit, cu, text))
    return false;
  cu->asked.keeps_exits = map_has(&unit->kept, name_key(unit, text));
  cu->asked.keeps_inits = options && options->keeps_inits;
  cu->asked.is_written_by_host = options && options->is_written_by_host;
  cu->asked.stated = unit->stated.data;
  cu->asked.n_stated = unit->stated.count;
  cu->asked.held = unit->held.data;
  cu->asked.n_held = unit->held.count;
  cu->launch.holder = options && options->is_for_all ? NULL : text;
  Span none = {0, 0};
  const CxDecl *lost = map_get(&unit->lost, name_key(unit, text));
  if (lost) {
    if (!cu->reports.silent)
      cx_report_problems(unit->tree, lost->u.unknown.problem);
    return false;
  }
  const CudaKernel *row = cuda_listed_kernel(unit, text);
  cu->reports.given =
      row ? NULL : cu_format(cu, "the kernel's name '%s'", text);
  CuFunction *kernel = cuda_find_kernel(cu, text, row ? &row->span : NULL);
  if (!kernel && cu->reports.n_errors == 0)
    CU_ERROR(cu, none, undeclared_name, DS(text));
  cu->reports.given = NULL;
  if (!kernel)
    return false;
  const CudaKernel *known = cuda_kernel_row(unit, text);
  static const uint32_t one[3] = {1, 1, 1};
  const uint32_t *block = known ? known->block : one;
  if (options && options->block[0])
    block = options->block;
  cu->barriers.counts = &unit->counts;
  cu->kernel = kernel->entity;
  bool is_right = cu_translate_kernel(cu, kernel, block, options);
  if (!cu->limits.spent)
    return is_right;
  cu_tell_spent(cu, kernel->decl->name_span);
  if (!cu->reports.silent)
    keep_spent(unit, cu, text);
  return false;
}

// Words that are mbarriers: what is initialised in a translation that takes
// all for them.
static void cuda_find_words(CudaUnit *unit, const char *kernel,
                            const CudaTranslation *options, CuWords *out) {
  if (!unit->has_words)
    return;
  CuContext *cu = new_context(unit);
  CuWords tried = {.finds = true};
  cu->barriers.words = &tried;
  CuTrial trial = cu_trial_begin(cu);
  bool is_right = translate_unit(unit, cu, kernel, options);
  cu_trial_end(cu, trial);
  (void)is_right;
  for (uint32_t i = 0; i < tried.variables.count; i++) {
    const CuVariable *variable = tried.variables.data[i];
    const TypeSyntax *type =
        variable->decl ? cu_barrier_type(variable->decl) : NULL;
    CxDecl *decl = tried.tried.data[i];
    if (!type || !type->u.expr)
      continue;
    map_put(unit->arena, &out->decls, MAP_KEY(decl), decl);
    cu_choose_word_class(unit->arena, &out->decls,
                         cu_array_base(variable->type));
  }
  cu_carve_regions(&tried, unit->arena, out);
}

AstUnit *cuda_translate(CudaUnit *unit, const char *kernel,
                        const CudaTranslation *options) {
  CuContext *cu = new_context(unit);
  CuWords words = {0};
  cuda_find_words(unit, kernel, options, &words);
  cu->barriers.words = &words;
  unit->counts.is_mixed = false;
  if (!translate_unit(unit, cu, kernel, options))
    return NULL;
  if (unit->counts.is_mixed)
    return cuda_translate(unit, kernel, options);
  bool is_new = !map_has(&unit->kept, name_key(unit, kernel));
  if (!cu->asked.keeps_exits || !is_new)
    return cu_finish(cu);
  map_put(unit->arena, &unit->kept, name_key(unit, kernel), unit);
  return cuda_translate(unit, kernel, options);
}

// Each apart first: what an unsuccessful one leaves would stay.
AstUnit *cuda_translate_all(CudaUnit *unit, const CudaTranslation *options) {
  CuContext *all = new_context(unit);
  uint32_t n_right = 0;
  CuWords words = {0};
  all->barriers.words = &words;
  CudaTranslation own = {0};
  if (options)
    own = *options;
  own.is_for_all = unit->kernels.count > 1;
  for (uint32_t i = 0; i < unit->kernels.count; i++) {
    const CudaKernel *kernel = &unit->kernels.data[i];
    own.statement =
        options && options->statement ? &options->statement[i] : NULL;
    bool is_wanted = !kernel->is_open && !(own.leaves_out && own.leaves_out[i]);
    if (!is_wanted || !cuda_translate(unit, kernel->name, &own))
      continue;
    cuda_find_words(unit, kernel->name, &own, &words);
    n_right += translate_unit(unit, all, kernel->name, &own);
  }
  return n_right ? cu_finish(all) : NULL;
}

const char *cuda_kernel_name(const AstUnit *translated) {
  HD_ASSERT(translated->decls.count > 0 &&
            VEC_LAST(&translated->decls)->kind == DECL_KERNEL);
  return translated->decls.data[translated->decls.count - 1]->name;
}
