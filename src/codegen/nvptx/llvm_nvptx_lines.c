// SPDX-License-Identifier: Apache-2.0
// The line of the program behind each instruction: `.file` and `.loc` in PTX,
// from which assemblers make the line tables that profilers and sanitizers
// show. Calls that the front end put in place are told as inlined.
#include "codegen/nvptx/llvm_nvptx.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

// What is in LLVM but not in its C interface: lines alone, no DWARF sections,
// so that PTX isn't marked as debugged.
#define DIRECTIVES_ONLY ((LLVMDWARFEmissionKind)3)

typedef struct {
  const char *name;
  LLVMMetadataRef md;
} File;

typedef struct {
  const char *callee; // NULL: the kernel
  LLVMMetadataRef file, md;
} Function;

struct NvLines {
  LLVMDIBuilderRef builder;
  LLVMMetadataRef type;    // of all functions
  LLVMMetadataRef *places; // by location, or NULL
  hd_vec(File) files;
  hd_vec(Function) functions; // the first is the kernel
};

// Texts in PTX have no way to say a quote.
static const char *without_quotes(NvEmit *e, const char *name) {
  char *copy = arena_printf(e->arena, "%s", name);
  for (char *p = strchr(copy, '"'); p; p = strchr(p, '"'))
    *p = '\'';
  return copy;
}

static LLVMMetadataRef nvptx_lines_file_of(NvEmit *e, const Place *place) {
  struct NvLines *lines = e->lines;
  const char *name = place->file ? place->file : e->module->name;
  for (uint32_t i = 0; i < lines->files.count; i++)
    if (strcmp(lines->files.data[i].name, name) == 0)
      return lines->files.data[i].md;
  const char *said = without_quotes(e, name);
  File file = {
      name, LLVMDIBuilderCreateFile(lines->builder, said, strlen(said), "", 0)};
  VEC_PUSH(e->arena, &lines->files, file);
  return file.md;
}

static LLVMMetadataRef function_new(NvEmit *e, const char *callee,
                                    const char *name, const Place *place) {
  struct NvLines *lines = e->lines;
  Function function = {.callee = callee, .file = nvptx_lines_file_of(e, place)};
  function.md = LLVMDIBuilderCreateFunction(
      lines->builder, function.file, name, strlen(name), "", 0, function.file,
      place->line, lines->type, 0, 1, place->line, LLVMDIFlagZero, 1);
  VEC_PUSH(e->arena, &lines->functions, function);
  return function.md;
}

// What holds a place: the kernel or a function that was put in place. The
// kernel may have parts of other files.
static LLVMMetadataRef nvptx_lines_scope_of(NvEmit *e, const IrLoc *loc) {
  struct NvLines *lines = e->lines;
  LLVMMetadataRef file = nvptx_lines_file_of(e, &loc->place);
  const Function *kernel = &lines->functions.data[0];
  if (loc->parent == 0)
    return file == kernel->file ? kernel->md
                                : LLVMDIBuilderCreateLexicalBlockFile(
                                      lines->builder, kernel->md, file, 0);
  const char *callee = loc->callee ? loc->callee : "?";
  for (uint32_t i = 1; i < lines->functions.count; i++) {
    const Function *row = &lines->functions.data[i];
    if (row->file == file && strcmp(row->callee, callee) == 0)
      return row->md;
  }
  return function_new(e, callee, callee, &loc->place);
}

static LLVMMetadataRef nvptx_lines_place_of(NvEmit *e, IrLocId id) {
  struct NvLines *lines = e->lines;
  const IrLoc *loc = &e->module->locs.data[id];
  if (lines->places[id] == NULL) {
    LLVMMetadataRef caller =
        loc->parent ? nvptx_lines_place_of(e, loc->parent) : NULL;
    lines->places[id] =
        LLVMDIBuilderCreateDebugLocation(e->cx, loc->place.line, loc->place.col,
                                         nvptx_lines_scope_of(e, loc), caller);
  }
  return lines->places[id];
}

void nv_begin_lines(NvEmit *e) {
  const IrKernel *kernel = e->kernel;
  const Place *place = &e->module->locs.data[kernel->loc].place;
  struct NvLines *lines = ARENA_NEW(e->arena, struct NvLines);
  static const char version[] = "Debug Info Version", producer[] = "heddle";
  e->lines = lines;
  lines->builder = LLVMCreateDIBuilder(e->llvm);
  lines->places = ARENA_ARRAY(e->arena, LLVMMetadataRef, e->module->locs.count);
  LLVMMetadataRef file = nvptx_lines_file_of(e, place);
  LLVMDIBuilderCreateCompileUnit(lines->builder, LLVMDWARFSourceLanguageC11,
                                 file, producer, sizeof producer - 1, 1, "", 0,
                                 0, "", 0, DIRECTIVES_ONLY, 0, 1, 0, "", 0, "",
                                 0);
  lines->type = LLVMDIBuilderCreateSubroutineType(lines->builder, file, NULL, 0,
                                                  LLVMDIFlagZero);
  LLVMSetSubprogram(e->function, function_new(e, NULL, kernel->name, place));
  LLVMAddModuleFlag(
      e->llvm, LLVMModuleFlagBehaviorWarning, version, sizeof version - 1,
      LLVMValueAsMetadata(LLVMConstInt(e->i32, LLVMDebugMetadataVersion(), 0)));
  LLVMSetCurrentDebugLocation2(e->hoist, nvptx_lines_place_of(e, kernel->loc));
  nv_set_line(e, kernel->loc);
}

void nv_set_line(NvEmit *e, IrLocId loc) {
  LLVMSetCurrentDebugLocation2(e->b, nvptx_lines_place_of(e, loc));
}

void nv_end_lines(NvEmit *e) {
  LLVMDIBuilderFinalize(e->lines->builder);
  LLVMDisposeDIBuilder(e->lines->builder);
}
