// SPDX-License-Identifier: Apache-2.0
// Where tiles may stand, and what may not stand beside them.
#include "sema/tile.h"

bool is_tile_code(const SemaContext *cx) {
  return cx->kernel ? cx->kernel->is_tile : cx->lone_is_tile;
}

// Reports `what` in a function that is applied to elements.
static void refuse_applied(SemaContext *cx, Span span, const char *what) {
  const Body *at = cx->body; // the first one called is the one applied
  while (at->caller && at->caller->caller &&
         at->caller->caller->group.operator_of)
    at = at->caller;
  Diag *diag = SEMA_ERROR(cx, span, tile_function_effect, DS(what),
                          DS(cx->body->group.operator_of));
  diag_label(cx->diags, diag, sema_place(cx, at->call_span),
             "'%s' is applied here", at->name);
}

bool tile_check_place(SemaContext *cx, Span span, const char *what) {
  if (!cx->body || cx->in_clause) {
    SEMA_ERROR(cx, span, tile_place, DS(what),
               DS("tiles stand in the bodies of kernels and functions"));
    return false;
  }
  if (!cx->body->group.operator_of)
    return true;
  refuse_applied(cx, span, what);
  return false;
}

bool tile_check_alone(SemaContext *cx, Span span, const char *what) {
  if (is_tile_code(cx))
    return true;
  SEMA_ERROR(cx, span, tile_place, DS(what),
             DS("its kernel runs threads; it stands in kernels with neither "
                "threads(…) nor warps(…)"));
  return false;
}

bool tile_check_threads(SemaContext *cx, Span span, const char *what) {
  if (!is_tile_code(cx))
    return true;
  SEMA_ERROR(cx, span, tile_place, DS(what),
             DS("this is tile code, in which a block is one sequence of "
                "statements without threads"));
  return false;
}

// --- who holds a tile ---

static const char *tile_holder_text(SemaContext *cx, uint32_t number,
                                    int64_t size) {
  if (number == 0)
    return "the block";
  if (size == 1)
    return "a single thread";
  if (size == 0)
    return "a group of threads";
  return sema_format(cx, "a group of %lld threads", (long long)size);
}

bool tile_check_holder(SemaContext *cx, const TVar *var, Span span) {
  const GroupState *group = &cx->body->group;
  if (var->holder == group->number || cx->unevaluated)
    return true;
  Diag *diag =
      SEMA_ERROR(cx, span, tile_holder, DS(var->name),
                 DS(tile_holder_text(cx, var->holder, var->holder_size)),
                 DS(tile_holder_text(cx, group->number, group->size)));
  diag_label(cx->diags, diag, sema_place(cx, var->span), "held since here");
  return false;
}
