// SPDX-License-Identifier: Apache-2.0
#include "cuda/form/cu_kernel.h"
#include "cuda/form/cu_assume.h"
#include "cuda/form/cu_barrier.h"
#include "cuda/form/cu_body.h"
#include "cuda/form/cu_exit.h"
#include "cuda/form/cu_function.h"
#include "cuda/form/cu_local.h"
#include "cuda/form/cu_names.h"
#include "cuda/form/cu_pack.h"
#include "cuda/form/cu_pieces.h"
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_resolve.h"
#include "cuda/form/cu_scope.h"
#include "cuda/form/cu_space.h"
#include "cuda/form/cu_texture.h"
#include "cuda/form/cu_tree.h"

#include "cxx/cx_parse.h"

#include <string.h>

CuContext *cu_context_new(Arena *arena, Interner *names, DiagEngine *diags,
                          CxUnit *tree, const CuIndex *index) {
  CuContext *cu = ARENA_NEW(arena, CuContext);
  cu->arena = arena;
  cu->names = names;
  cu->diags = diags;
  cu->tree = tree;
  cu->source = tree->source;
  cu_types_init(&cu->types, arena);
  cu->output.unit = ARENA_NEW(arena, AstUnit);
  cu->output.unit->source = tree->source;
  cu->global = cu_new_scope(cu, CU_SCOPE_NAMESPACE, NULL);
  cu->scope = cu->global;
  cu_declare_file(cu, cu->global, index);
  return cu;
}

// ---------------------------------------------------------------- finding

bool cu_is_kernel(const CuEntity *entity) {
  return entity->kind == CU_ENTITY_FUNCTION &&
         entity->decl->kind == CX_DECL_FUNCTION &&
         (entity->decl->specs & CX_SPEC_GLOBAL);
}

static CuFunction *kernel_instance(CuContext *cu, CuEntity *entity,
                                   const CxName *name) {
  const CxDecl *decl = entity->decl;
  const CxNamePart *part = &name->parts[name->n_parts - 1];
  CuArgs args = {NULL, 0};
  if (decl->n_templates) {
    const CxTemplate *template = &decl->templates[decl->n_templates - 1];
    if (!cu_resolve_args(cu, part, template, entity->scope, &args))
      return NULL;
  }
  CuFunction *function = cu_instance(cu, entity, args);
  if (function)
    function->is_kernel = true;
  return function;
}

// The template takes these arguments.
static bool takes_args(CuContext *cu, CuEntity *entity,
                       const CxNamePart *part) {
  const CxDecl *decl = entity->decl;
  CuArgs args;
  CuTrial trial = cu_trial_begin(cu);
  bool is_right = cu_resolve_args(
      cu, part, &decl->templates[decl->n_templates - 1], entity->scope, &args);
  return !cu_trial_end(cu, trial) && is_right;
}

// A definition before a mere declaration.
CuFunction *cu_find_kernel(CuContext *cu, const CxName *name,
                           const Span *defined) {
  CuEntityVec found = {0};
  const CxNamePart *part = &name->parts[name->n_parts - 1];
  cu_resolve_name(cu, name, &found);
  CuEntity *best = NULL;
  for (uint32_t i = 0; i < found.count; i++) {
    CuEntity *entity = found.data[i];
    bool is_special = entity->kind == CU_ENTITY_FUNCTION &&
                      entity->decl->n_templates &&
                      entity->decl->templates[0].params.count == 0;
    if (!cu_is_kernel(entity) || is_special || cu_is_repeated(cu, entity))
      continue;
    bool fits = part->has_args == (entity->decl->n_templates > 0) &&
                (!part->has_args || takes_args(cu, entity, part)) &&
                (!defined || defined->begin == entity->decl->name_span.begin);
    if (!best || fits)
      best = entity;
  }
  return best ? kernel_instance(cu, best, name) : NULL;
}

// ---------------------------------------------------------------- parameters

static void declare_texture(CuContext *cu, const CuParam *param,
                            const CxDecl *written, const char *name,
                            CuDeclVec *out) {
  CuVariable *whole = cu_new_local(cu, cu_texture_name(cu, name, "view"),
                                   cu_plain(param->type));
  Expr *init =
      cu_texture_parameter(cu, out, param->type, name, whole, written, written);
  cu_add_local(cu, whole, init, written->span);
  cu_declare_param(cu, whole, written->name, param, NULL);
}

static void kernel_declare_param(CuContext *cu, CuFunction *kernel,
                                 uint32_t index, CuDeclVec *out) {
  const CuParam *param = &kernel->params[index];
  CxDecl *written = kernel->decl->type->u.function.params.data[param->written];
  const char *name = cu_param_wish(cu, kernel, index);
  const CuType *type = cu_plain(param->type);
  if (type->kind == CU_REFERENCE || cu_is_opaque(type)) {
    cu_unsupported(cu, written->span, "a reference as a kernel's parameter",
                   "pass a value or a pointer");
    cu_declare_local(
        cu, cu_new_local(cu, name, cu_basic(&cu->types, CU_POISON)), name,
        NULL); // so that there is one message
    return;
  }
  if (type->kind == CU_POINTER && cu_is_texture(type->u.inner))
    cu_unsupported(cu, written->span, "texture objects in memory",
                   "pass them one by one");
  if (type->kind == CU_RECORD) {
    if (!cu_require_complete(cu, type, written->span))
      return;
    if (cu_is_texture(type)) {
      declare_texture(cu, param, written, name ? name : "unnamed", out);
      return;
    }
    if (cu_has_pointer(type)) {
      cu_declare_pieces(cu, param, written, name ? name : "unnamed", out);
      return;
    }
  }
  CuVariable *variable = cu_new_local(
      cu, name ? name : cu_format(cu, "unnamed_%u", index + 1), param->type);
  cu_add_kernel_param(cu, out, variable, written);
  cu_declare_param(cu, variable, written->name, param, written);
}

static void add_dynamic_bytes(CuContext *cu, CuDeclVec *out, Span span) {
  if (!cu->launch.dynamic_bytes)
    return;
  Decl *decl =
      cu_new_decl(cu, DECL_PARAM, cu->launch.dynamic_bytes, span, span);
  decl->type = cu_emit_type(cu, cu_basic(&cu->types, CU_UINT), span);
  VEC_PUSH(cu->arena, out, decl);
}

static void kernel_add_lengths(CuContext *cu, CuDeclVec *out, Span span) {
  for (uint32_t i = 0; i < cu->launch.lengths.count; i++) {
    Decl *decl = cu_new_decl(cu, DECL_PARAM, cu->launch.lengths.data[i].name,
                             span, span);
    decl->type = cu_emit_type(cu, cu_basic(&cu->types, CU_LONG), span);
    decl->told = cu->launch.lengths.data[i].shown;
    VEC_PUSH(cu->arena, out, decl);
  }
}

static void kernel_name_block(CuContext *cu) {
  for (int i = 0; i < 3; i++)
    cu->launch.block_dims[i] = cu_launch_name(cu, cuda_block_param(i));
}

static Clause kernel_add_block(CuContext *cu, CuDeclVec *out,
                               const uint32_t block[3], Span span) {
  const CuType *type = cu_basic(&cu->types, CU_INT);
  Expr **args = ARENA_ARRAY(cu->arena, Expr *, 3);
  for (int i = 0; i < 3; i++) {
    CuName *name = cu->launch.block_dims[i];
    Decl *decl = cu_new_decl(cu, DECL_PARAM, name, span, span);
    decl->type = cu_emit_type(cu, type, span);
    decl->storage = STORAGE_CONSTEXPR;
    decl->u.param.init = cu_int_expr(cu, type, block[i], span);
    VEC_PUSH(cu->arena, out, decl);
    args[i] = cu_name_expr(cu, name, span);
  }
  return (Clause){
      .kind = CLAUSE_THREADS, .span = span, .args = {.data = args, .count = 3}};
}

// ---------------------------------------------------------------- clauses

static void kernel_add_bounds(CuContext *cu, const CuFunction *kernel,
                              CuClauseVec *out) {
  const CxExprList *bounds = &kernel->decl->u.function.launch_bounds;
  int64_t blocks = 0;
  if (bounds->count < 2)
    return;
  CuScope *before = cu_set_scope(cu, kernel->scope);
  bool is_known =
      cu_constant_int(cu, bounds->data[1], "a launch bound", &blocks);
  cu_set_scope(cu, before);
  if (!is_known || blocks < 1)
    return;
  Clause clause = {.kind = CLAUSE_MIN_BLOCKS, .span = bounds->data[1]->span};
  clause.args.data = ARENA_ARRAY(cu->arena, Expr *, 1);
  clause.args.data[0] = cu_int_literal(cu, blocks, clause.span);
  clause.args.count = 1;
  VEC_PUSH(cu->arena, out, clause);
}

static void add_cluster(CuContext *cu, const CuFunction *kernel,
                        CuClauseVec *out) {
  const CxExprList *dims = &kernel->decl->u.function.cluster_dims;
  if (dims->count == 0)
    return;
  Clause clause = {.kind = CLAUSE_CLUSTER, .span = dims->data[0]->span};
  clause.args.data = ARENA_ARRAY(cu->arena, Expr *, 3);
  CuScope *before = cu_set_scope(cu, kernel->scope);
  for (uint32_t i = 0; i < dims->count && i < 3; i++) {
    int64_t value = 1;
    cu_constant_int(cu, dims->data[i], "a cluster's size", &value);
    clause.args.data[clause.args.count++] =
        cu_int_literal(cu, value, clause.span);
  }
  cu_set_scope(cu, before);
  VEC_PUSH(cu->arena, out, clause);
}

// ---------------------------------------------------------------- the kernel

static Decl *kernel_emit(CuContext *cu, CuFunction *kernel,
                         const CuDeclVec *params, const CuClauseVec *clauses,
                         const CuStmtVec *items, Span body) {
  const CxDecl *from = kernel->decl;
  Decl *decl =
      cu_new_decl(cu, DECL_KERNEL, kernel->name, from->span, from->name_span);
  decl->type = cu_new_type_syntax(cu, TYPE_FUNCTION, from->name_span);
  decl->type->u.function.result =
      cu_emit_type(cu, cu_basic(&cu->types, CU_VOID), from->name_span);
  decl->type->u.function.params = (DeclList){params->data, params->count};
  decl->type->u.function.has_prototype = true;
  decl->u.function.clauses = (ClauseList){clauses->data, clauses->count};
  decl->u.function.body = cu_block(cu, items, body);
  cu_find_guesses(cu, decl->u.function.body);
  cu_fix_volatile(cu, decl->u.function.body);
  return decl;
}

// Of what the launcher gives; classes that were never looked into don't count.
static void check_layouts(CuContext *cu, const CuFunction *kernel) {
  for (uint32_t i = 0; i < kernel->n_params; i++) {
    const CuType *type = cu_plain(kernel->params[i].type);
    const CxDecl *written =
        kernel->decl->type->u.function.params.data[kernel->params[i].written];
    cu_require_layout(cu, type->kind == CU_POINTER ? type->u.inner : type,
                      written->span);
  }
}

static CuStmtVec kernel_joined(CuContext *cu, const CuStmtVec *first,
                               const CuStmtVec *second) {
  CuStmtVec all = {0};
  for (uint32_t i = 0; i < first->count; i++)
    VEC_PUSH(cu->arena, &all, first->data[i]);
  for (uint32_t i = 0; i < second->count; i++)
    VEC_PUSH(cu->arena, &all, second->data[i]);
  return all;
}

// A parameter whose name the output needs for the language has another there.
static void declare_respelled(CuContext *cu, CuScope *params,
                              const CuFunction *kernel) {
  const CxDeclList *written = &kernel->decl->type->u.function.params;
  for (uint32_t i = 0; i < written->count; i++) {
    const char *name = written->data[i]->name;
    CuEntity *param = name ? cu_named(cu, params, name) : NULL;
    if (!param || !param->variable)
      continue;
    const char *respelled = intern_cstr(cu->names, cu_format(cu, "%s_", name));
    CuEntityVec found = {0};
    if (!cu_lookup(cu, cu->scope, respelled, &found))
      cu_declare_local(cu, param->variable, respelled, NULL);
  }
}

// Conditions may name the pieces, as launches do; the body may not.
static CuScope *enter_pieces(CuContext *cu, const CuFunction *kernel) {
  CuScope *before =
      cu_set_scope(cu, cu_new_scope(cu, CU_SCOPE_BLOCK, cu->scope));
  for (uint32_t i = 0; i < cu->output.pieces.count; i++) {
    const CuPiece *piece = &cu->output.pieces.data[i];
    cu_declare_local(cu, piece->variable, intern_cstr(cu->names, piece->name),
                     NULL);
  }
  declare_respelled(cu, before, kernel);
  return before;
}

static void kernel_translate(CuContext *cu, CuFunction *kernel,
                             const CxBody *body, const uint32_t block[3],
                             const CudaTranslation *options) {
  CuFrame *frame = ARENA_NEW(cu->arena, CuFrame);
  uint32_t first_name = cu->output.all_names.count;
  frame->function = kernel;
  frame->result = cu_basic(&cu->types, CU_VOID);
  cu->frame = frame;
  CuScope *before =
      cu_set_scope(cu, cu_new_scope(cu, CU_SCOPE_BLOCK, kernel->scope));
  CuDeclVec params = {0};
  CuClauseVec clauses = {0};
  CuStmtVec items = {0};
  frame->statements = &items;
  // cppcheck-suppress autoVariables ; put back below
  cu->body = &items;
  cu_declare_packs(cu, &kernel->decl->type->u.function.params);
  for (uint32_t i = 0; i < kernel->n_params; i++)
    kernel_declare_param(cu, kernel, i, &params);
  Span span = kernel->decl->name_span;
  CxStmt rest = *body->block;
  cu_find_file_textures(cu);
  CuScope *inside = enter_pieces(cu, kernel);
  uint32_t n_told =
      cu_add_assumptions(cu, kernel, &params, body->block, options, &clauses);
  cu_set_scope(cu, inside);
  cu_bound_enums(cu, &clauses);
  rest.u.compound.items.data += n_told;
  rest.u.compound.items.count -= n_told;
  cu_translate_body(cu, &rest, &items);
  cu_check_fixed(cu);
  check_layouts(cu, kernel);
  cu_finish_textures(cu, kernel, &params);
  add_dynamic_bytes(cu, &params, span);
  kernel_add_lengths(cu, &params, span);
  Clause threads = kernel_add_block(cu, &params, block, span);
  CuClauseVec all = {0};
  for (uint32_t i = 0; i < clauses.count; i++)
    if (clauses.data[i].kind == CLAUSE_GRID)
      VEC_PUSH(cu->arena, &all, clauses.data[i]);
  add_cluster(cu, kernel, &all);
  VEC_PUSH(cu->arena, &all, threads);
  kernel_add_bounds(cu, kernel, &all);
  for (uint32_t i = 0; i < clauses.count; i++)
    if (clauses.data[i].kind != CLAUSE_GRID)
      VEC_PUSH(cu->arena, &all, clauses.data[i]);
  cu_rewrite_exits(cu, first_name, &items);
  CuStmtVec statements = kernel_joined(cu, &frame->prologue, &items);
  kernel->emitted =
      kernel_emit(cu, kernel, &params, &all, &statements, body->block->span);
  if (options && options->statement)
    kernel->emitted->u.function.note = options->statement->note;
  cu_set_scope(cu, before);
  cu->frame = NULL;
}

static const char *kernel_name(CuContext *cu, const CuFunction *kernel) {
  return cu_args_word(cu, kernel->entity->name, kernel->args);
}

static bool has_launchable_type(CuContext *cu, const CuFunction *kernel) {
  const char *problem = NULL;
  if (!kernel->result || !cu_is(cu_plain(kernel->result), CU_VOID))
    problem = "must return void: it writes its results to memory";
  else if (kernel->is_variadic)
    problem = "takes any arguments (...): a launch passes only the named ones";
  if (problem)
    CU_ERROR(cu, kernel->decl->name_span, kernel_shape, DS(kernel->shown),
             DS(problem));
  return !problem;
}

bool cu_translate_kernel(CuContext *cu, CuFunction *kernel,
                         const uint32_t block[3],
                         const CudaTranslation *options) {
  if (!kernel->decl->u.function.has_body) {
    CU_ERROR(cu, kernel->decl->name_span, cuda_no_body, DS(kernel->shown));
    return false;
  }
  if (!has_launchable_type(cu, kernel))
    return false;
  const CxBody *body = cx_parse_body(cu->tree, kernel->decl);
  if (!body || body->has_errors) {
    cu->reports.n_errors++;
    return false;
  }
  cu->reports.failed = false;
  cu->reports.first_poison = (Span){0, 0};
  cu->launch.dynamic = NULL;
  cu->launch.dynamic_bytes = NULL;
  cu->launch.static_bytes = 0;
  cu->launch.lengths.count = 0;
  cu->barriers.fixed.count = cu->barriers.inits.count =
      cu->barriers.declared.count = 0;
  cu->barriers.pipelines.count = cu->barriers.named.count = 0;
  cu->barriers.members.count = cu->barriers.guards.count =
      cu->output.enums.count = 0;
  cu->textures.of_kernel.count = 0;
  cu->barriers.is_told = false;
  cu->shared = cu->prologue = (Map){0};
  cu->launch.n_threads = block[0] * block[1] * block[2];
  memcpy(cu->launch.block, block, sizeof cu->launch.block);
  kernel_name_block(cu);
  kernel->name = cu_new_name(cu, kernel_name(cu, kernel), false);
  kernel_translate(cu, kernel, body, block, options);
  if (cu->reports.failed) {
    if (cu->reports.n_errors == 0)
      cu_unsupported(cu,
                     cu->reports.first_poison.end ? cu->reports.first_poison
                                                  : kernel->decl->name_span,
                     "this construct", NULL);
    return false;
  }
  VEC_PUSH(cu->arena, &cu->output.decls, kernel->emitted);
  return true;
}

AstUnit *cu_finish(CuContext *cu) {
  cu_finish_spaces(cu);
  cu_finish_names(cu);
  cu->output.unit->decls =
      (DeclList){cu->output.decls.data, cu->output.decls.count};
  return cu->output.unit;
}
