// SPDX-License-Identifier: Apache-2.0
// One check of one kernel: what its parts share.
#ifndef HD_CHECK_REPORT_FINDING_H
#define HD_CHECK_REPORT_FINDING_H

#include "check/report/report.h"
#include "check/tree/tree.h"

// Codes of findings, HDnnnn: rows of diag.def. What a run can tell, too, has
// the code that it has there.
enum {
  CODE_UNIFORM = 405,     // a false uniform(e)
  CODE_RANGE = 504,       // a group statement outside its parent
  CODE_RACE = 601,        //
  CODE_VALUE = 603,       // what is stored, or decides, has no value
  CODE_FENCE = 605,       // fence_async is missing
  CODE_OWNER = 606,       // --owner: another thread's element is read
  CODE_TWO_OWNERS = 607,  // clauses: two iterations own one element
  CODE_NOT_OWNED = 608,   // clauses: an element that they don't name
  CODE_NO_CONTENTS = 609, // clauses: uninit(…) is read before it is written
  CODE_NOT_CHECKED = 690,
  CODE_NO_LAUNCH = 691,  // requirements contradict each other
  CODE_IDLE = 692,       // a requirement that adds nothing
  CODE_SAME_VALUE = 693, // CUDA C: equal values are stored at one place
  CODE_UNORDERED = 694,  // CUDA C: others are, by atomic stores
  CODE_BOUNDS = 702,     //
  CODE_ALIGNMENT = 703,  //
  CODE_OVERFLOW = 704,   //
  CODE_ASSERT = 705,     // an assertion, or a trap of the program
  CODE_WAITS = 1016,     // wait_prior leaves more copies than were made
  CODE_PHASE = 1030,     // a wait whose parity means another phase
  CODE_COPY = 1031,      // a copy that nobody waits for, or that is overtaken
  CODE_BYTES = 1032,     // bytes expected and copied differ
  CODE_DEADLOCK = 1033,  // a phase never completes, or a cycle of waits
  CODE_PARTIAL = 1090,   // remark: a phase is left half filled at the end
  CODE_UNWAITED = 1091,  // remark: nobody waits for the barrier
  // 1092, of hardware barriers, is verdict/check_remarks.c's.
  CODE_ARRIVALS = 1034,        // more arrivals than the barrier counts
  CODE_UNWRITTEN = 1101,       // remark: elements that no block stores to
  CODE_PRODUCT_TWICE = 1102,   // remark: products that are added twice
  CODE_PRODUCT_SKIPPED = 1103, // remark: products that are left out
};

// Something that could not be proved, before a run decides about it.
typedef enum {
  SUSPECT_RACE,
  SUSPECT_BOUNDS,
  SUSPECT_OVERFLOW,
  SUSPECT_RANGE,   // a group statement outside its parent
  SUSPECT_UNIFORM, // a false uniform(e)
  SUSPECT_ASSERT,
  SUSPECT_VALUE,   // what is stored, or decides, has no value
  SUSPECT_BARRIER, // count, bytes, parity, deadlock: never completes or early
  SUSPECT_PARTIAL, // a phase may be half filled at the end: a remark
  SUSPECT_FENCE,   // missing fence_async
  SUSPECT_COPY,    // lost or unfinished copies, buffers reused too early
  // Clauses of thread loops: a (and b) are the clauses, or a what an iteration
  // touches and b a clause.
  SUSPECT_TWO_OWNERS,
  SUSPECT_NOT_OWNED,
  SUSPECT_NO_CONTENTS,
} SuspectKind;

enum { SUSPECT_QUERIES = 4 };

typedef struct {
  SuspectKind kind;
  const Step *a, *b;  // b: NULL but for races and fences
  CheckReason reason; // why it isn't proved
  bool has_model;     // an assignment that violates it, a hint for runs
  bool is_for_none;   // no run is made for it
  bool needs_isl;     // nothing else proves it, and isl is off: the reason
  bool is_of_extent;  // nobody said how large the array is
  bool is_trusted;    // not told unless a run shows it
  bool is_remark;     // told without a part in the verdict
  // What the host puts into memory decides, not a run (input.h); of a race, one
  // of threads of different blocks, or of one block.
  bool is_of_input, is_of_input_across;
  TermModel model;
  // It happens only where one of these holds, of two threads as the pair's
  // query has them: the first ones of n_queries, which may be more. 0: not
  // said.
  const Term *queries[SUSPECT_QUERIES];
  uint32_t n_queries;
} Suspect;

// check_kernel: parts check changed copies of the kernel by it.
typedef void CheckFunction(Arena *arena, const IrKernel *kernel,
                           const CheckOptions *options, CheckReport *report);

// A read of which it isn't shown that what it reads was written.
typedef struct {
  const Step *read;
  TermModel model; // in which it may not be; or empty
  bool is_owed;    // the verdict depends on it; else it is trusted
} Unfilled;

typedef struct Check {
  CheckFunction *check_copy;
  // The options' stop has its answer by this suspect.
  bool (*is_decided)(const struct Check *check, const Suspect *suspect);
  Arena *arena;
  const IrKernel *kernel, *plain; // plain: before ir_follow_values
  const CheckOptions *options;
  TermTable *terms;
  Solver *solver;
  Tree *tree;
  bool has_order;       // mbarriers, or copies that they count
  struct Order *order;  // of order_build, while pairs are asked for; or NULL
  struct Rings *rings;  // where all barriers are of rings: asked before it
  bool are_turns_dealt; // to consumers in rotation, or so it seems
  CheckReport *report;
  bool is_impossible; // no launch meets the requirements
  bool is_ended;      // options->stop has its answer
  // Reads of arrays that nothing writes, and others of which it isn't shown
  // that what they read was written.
  hd_vec(const Step *) unwritten;
  hd_vec(Unfilled) unfilled;
  hd_vec(Suspect) suspects;
  Map suspected; // by kind and places: the suspect's number, from 1
} Check;

static inline bool check_has(const Check *check, CheckPolicy bit) {
  return check->options->policy & bit;
}

// The word in the program's language.
static inline const char *check_word(const Check *check, VocabularyWord word,
                                     const char *first, const char *second) {
  return vocabulary_text(check->arena, check->options->language, word, first,
                         second);
}

// A reason and what would help, both by words of the program's language, which
// may have none for the second.
static inline CheckReason check_reason(const Check *check, VocabularyWord text,
                                       VocabularyWord need, const char *first,
                                       const char *second) {
  bool has_need = vocabulary_word(check->options->language, need) != NULL;
  return (CheckReason){.text = check_word(check, text, first, second),
                       .need = has_need ? check_word(check, need, first, second)
                                        : NULL};
}

// That the time for the kernel is over.
static inline CheckReason check_reason_time(void) {
  return (CheckReason){.text =
                           "the time for this kernel is over (--time-limit)",
                       .is_time = true};
}

// Counts an obligation that was proved.
void check_proved(Check *check);
// Counts one that wasn't, for runs to decide. Equal kind and places: kept once,
// with the queries of all.
void check_suspect(Check *check, const Suspect *suspect);

// --- the parts, each in files of its name. All add suspects.

// Requirements that no launch meets, and remarks about those that add nothing
// (requires.c).
void check_requirements(Check *check);
void check_idle_requirements(Check *check);
// Bounds of touches, overflow, ranges of groups, assertions (bounds.c).
void check_bounds(Check *check);
// What waits leave under way (made.c).
void check_waits(Check *check);
// Both touches may be of the same memory (race_overlap.c).
bool check_may_alias(const Check *check, const Step *a, const Step *b);
// Races in and between phases, copies with sets (phase*.c, race*.c).
void check_races(Check *check);

// The writing thread fences the write before anything that others may learn of
// (fence.c).
bool fence_is_before_news(const Step *write);
// The thread that issues the copy fences behind all that it may follow.
bool fence_is_behind_news(const Check *check, const Step *copy);
// A thread's write to what the copy engine may read or write.
bool fence_is_needed(const Check *check, const Step *write, const Step *copy);
// One or the other holds of all such pairs.
bool fences_are_clear(Check *check);

// Order that mbarriers make (order*.c): NULL where the kernel has none.
typedef struct Order Order;
// Also adds the suspects of counts, bytes, parity, progress, lifetime (M1 to
// M5, M9 of the internals page).
Order *order_build(Check *check);
void order_free(Order *order);
// For pairs of which the rules of rings say nothing; tells nothing by itself.
Order *order_beside_rings(Check *check);
// Remarks about barriers that nobody waits for.
void order_remarks(Check *check);

// Wherever `conflict` holds for touch a by a thread and touch b by another (or
// the same, of a copy), a is done before b starts or b before a, by barriers.
// Symbols of the two threads are `first` and `second` copies of the tree's, as
// the maps give them.
typedef struct {
  const Step *step;
  TermMap map; // of the tree's symbols to this side's
  void *context;
} OrderSide;

bool order_proves(Order *order, const OrderSide *a, const OrderSide *b,
                  const Term *const *conflict, uint32_t n_conflict);
// … a is done before b starts.
bool order_proves_first(Order *order, const OrderSide *a, const OrderSide *b,
                        const Term *const *conflict, uint32_t n_conflict);

// Where nothing is suspected: whether what is read of shared memory and of
// private arrays was written before (filled.c). It is told behind the runs,
// which may have shown that it wasn't.
void check_filled(Check *check);
void check_tell_filled(Check *check);

// Remarks about sums of products (products.c).
void check_products(Check *check);
// Remarks about elements that no block stores to (cover.c).
void check_cover(Check *check);

// Runs of the interpreter: turns suspects into findings, BUG with a witness or
// UNKNOWN with the reason (search*.c).
void check_search(Check *check);
// For findings that are bugs: what would mend them, proved (fix.c).
void check_fixes(Check *check);

#endif
