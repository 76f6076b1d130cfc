// SPDX-License-Identifier: Apache-2.0
// Kernel handles and what they tell about their parameters.
#include "base/panic.h"
#include "session/kernel_source.h"

#include <stdlib.h>
#include <string.h>

static bool kernel_has(const HdProgram *program, const char *name) {
  for (int i = 0; i < hd_program_kernel_count(program); i++) {
    if (strcmp(hd_program_kernel_name(program, i), name) == 0)
      return true;
  }
  return false;
}

static const char *kernel_list(HdProgram *program) {
  Text text = {.arena = program->arena};
  for (int i = 0; i < hd_program_kernel_count(program); i++)
    text_printf(&text, "%s%s", i ? ", " : "",
                hd_program_kernel_name(program, i));
  return text_cstr(&text);
}

HdStatus program_choose(HdProgram *program, const char **name) {
  if (program->kernels->choose)
    return program->kernels->choose(program, name);
  int count = hd_program_kernel_count(program);
  if (!*name && count == 1)
    *name = hd_program_kernel_name(program, 0);
  if (*name && kernel_has(program, *name))
    return HD_OK;
  if (count == 0)
    return session_fail(program->session, HD_ERROR_NOT_FOUND,
                        "the file has no kernel");
  if (!*name)
    return session_fail(program->session, HD_ERROR_NOT_FOUND,
                        "there are %d kernels; name one: %s", count,
                        kernel_list(program));
  return session_fail(program->session, HD_ERROR_NOT_FOUND,
                      "no kernel '%s'; there is: %s", *name,
                      kernel_list(program));
}

static HdStatus kernel_find(HdProgram *program, const char *name,
                            const char **out) {
  session_lock(program->session);
  HdStatus status = program_choose(program, &name);
  session_unlock(program->session);
  *out = status == HD_OK ? name : NULL;
  return status;
}

HdStatus hd_program_find_kernel(HdProgram *program, const char *name,
                                const char **out) {
  if (out)
    *out = NULL;
  if (!program || !out)
    return session_null(program ? program->session : NULL,
                        "hd_program_find_kernel");
  PROGRAM_RESCUE(program, out);
  return kernel_find(program, name, out);
}

HdLanguage hd_program_language(const HdProgram *program) {
  if (!program)
    return HD_LANGUAGE_BY_NAME;
  return program->kernels->language;
}

static HdStatus make_kernel(HdProgram *program, const char *name,
                            const HdEmbed *embeds, int n_embeds,
                            HdKernel **out) {
  Spec *spec;
  HD_TRY(program_choose(program, &name));
  HD_TRY(spec_get_runnable(program, name, embeds, n_embeds, &spec));
  HdKernel *kernel = calloc(1, sizeof(*kernel));
  if (!kernel)
    return session_no_memory(program->session, NULL);
  rescue_owe(free, kernel);
  atomic_init(&kernel->references, 1);
  kernel->program = program;
  kernel->spec = spec;
  kernel->name = spec->kernel->name;
  kernel->index = program_index(program, name);
  if (program->kernels->block)
    kernel->block = program->kernels->block(program, name, embeds, n_embeds);
  rescue_paid(kernel);
  program_retain(program);
  *out = kernel;
  return HD_OK;
}

static HdStatus get_kernel(HdProgram *program, const char *name,
                           const HdEmbed *embeds, int n_embeds,
                           HdKernel **out) {
  session_lock(program->session);
  HdStatus status = make_kernel(program, name, embeds, n_embeds, out);
  session_unlock(program->session);
  return status;
}

HdStatus hd_kernel_get(HdProgram *program, const char *name,
                       const HdEmbed *embeds, int n_embeds, HdKernel **out) {
  if (out)
    *out = NULL;
  if (!program || !out || !embeds_are_given(embeds, n_embeds))
    return session_null(program ? program->session : NULL, "hd_kernel_get");
  PROGRAM_RESCUE(program, out);
  return get_kernel(program, name, embeds, n_embeds, out);
}

void kernel_retain(HdKernel *kernel) {
  int before = atomic_fetch_add(&kernel->references, 1);
  HD_ASSERT(before > 0); // else it is being freed
}

void hd_kernel_free(HdKernel *kernel) {
  if (!kernel || atomic_fetch_sub(&kernel->references, 1) != 1)
    return;
  hd_program_free(kernel->program);
  free(kernel);
}

const char *hd_kernel_name(const HdKernel *kernel) {
  if (!kernel)
    return NULL;
  return kernel->name;
}

HdBlockSource hd_kernel_block(const HdKernel *kernel, int block[3]) {
  if (!kernel || !block)
    return HD_BLOCK_KERNEL;
  for (int i = 0; i < 3; i++)
    block[i] = kernel->spec->kernel->block_dim[i];
  return kernel->block;
}

static void file_launch(const HdKernel *kernel, HdFileLaunch *out) {
  const KernelSource *kernels = kernel->program->kernels;
  *out = (HdFileLaunch){0};
  if (kernel->block != HD_BLOCK_LAUNCH || !kernels->file_launch)
    return;
  session_lock(kernel->program->session);
  kernels->file_launch(kernel->program, kernel->name, out);
  session_unlock(kernel->program->session);
}

void hd_kernel_file_launch(const HdKernel *kernel, HdFileLaunch *out) {
  if (!kernel || !out)
    return;
  SESSION_RESCUE(kernel->program->session, NULL, );
  file_launch(kernel, out);
}

int hd_kernel_grid_rank(const HdKernel *kernel) {
  if (!kernel)
    return 0;
  return kernel->spec->kernel->n_grid;
}

// -------------------------------------------------------------- parameters

static HdType scalar_type(IrTypeKind kind, bool is_signed) {
  switch (kind) {
  case IR_TYPE_BOOL: return HD_BOOL;
  case IR_TYPE_I8: return is_signed ? HD_I8 : HD_U8;
  case IR_TYPE_I16: return is_signed ? HD_I16 : HD_U16;
  case IR_TYPE_I32: return is_signed ? HD_I32 : HD_U32;
  case IR_TYPE_I64: return is_signed ? HD_I64 : HD_U64;
  case IR_TYPE_F16: return HD_F16;
  case IR_TYPE_BF16: return HD_BF16;
  case IR_TYPE_F32: return HD_F32;
  case IR_TYPE_F64: return HD_F64;
  case IR_TYPE_E4M3: return HD_E4M3;
  case IR_TYPE_E5M2: return HD_E5M2;
  case IR_TYPE_VOID:
  IR_NARROW_CASES:
  case IR_TYPE_PTR:
  case IR_TYPE_STRUCT:
  case IR_TYPE_TOKEN:
  case IR_TYPE_TILE:
  case IR_TYPE_COUNT: break;
  }
  return HD_STRUCT;
}

HdType param_element_type(const IrParam *param) {
  IrType type = param->object ? param->object->element : param->type;
  return type.lanes == 1 ? scalar_type((IrTypeKind)type.kind, param->is_signed)
                         : HD_STRUCT;
}

static HdParamInfo info_of_ir(const IrModule *module, const IrParam *param) {
  static const HdParamKind kinds[] = {HD_PARAM_SCALAR, HD_PARAM_STRUCT,
                                      HD_PARAM_ARRAY, HD_PARAM_POINTER};
  IrType type = param->object ? param->object->element : param->type;
  HdParamInfo info = {.name = param->name,
                      .kind = kinds[param->kind],
                      .type = param_element_type(param),
                      .lanes = type.lanes ? type.lanes : 1,
                      .rank = param->kind == PARAM_ARRAY
                                  ? param->object->rank
                                  : param->kind == PARAM_POINTER,
                      .is_const = param->object && param->object->is_const};
  if (param->object && param->object->is_table) {
    info.kind = HD_PARAM_ARRAYS;
    info.rank--;
  }
  info.type_of_lane = scalar_type((IrTypeKind)type.kind, param->is_signed);
  info.element_bytes =
      param->object ? param->object->element_bytes : ir_type_size(module, type);
  return info;
}

static HdParamInfo info_of_index(const IndexParam *param) {
  static const HdParamKind kinds[] = {
      [INDEX_SCALAR] = HD_PARAM_SCALAR,
      [INDEX_POINTER] = HD_PARAM_POINTER,
      [INDEX_ARRAY] = HD_PARAM_ARRAY,
      [INDEX_TABLE] = HD_PARAM_ARRAYS,
      [INDEX_EMBEDDED] = HD_PARAM_EMBEDDED,
      [INDEX_TYPE] = HD_PARAM_EMBEDDED_TYPE,
  };
  return (HdParamInfo){.name = param->name,
                       .kind = kinds[param->kind],
                       .lanes = 1,
                       .rank = (int)param->rank,
                       .is_const = param->is_const,
                       .has_default = param->has_default,
                       .declared = param->type_text};
}

int hd_kernel_param_count(const HdKernel *kernel) {
  if (!kernel)
    return 0;
  return (int)(kernel->index ? kernel->index->n_params
                             : kernel->spec->kernel->params.count);
}

static const IrParam *find_ir_param(const IrKernel *kernel, const char *name) {
  for (uint32_t i = 0; i < kernel->params.count; i++) {
    if (strcmp(kernel->params.data[i].name, name) == 0)
      return &kernel->params.data[i];
  }
  return NULL;
}

HdStatus hd_kernel_param(const HdKernel *kernel, int index, HdParamInfo *out) {
  if (!kernel || !out)
    return session_null(kernel ? kernel->program->session : NULL,
                        "hd_kernel_param");
  const IrKernel *ir = kernel->spec->kernel;
  if (index < 0 || index >= hd_kernel_param_count(kernel))
    return session_fail(kernel->program->session, HD_ERROR_ARGUMENT,
                        "kernel '%s' has no parameter number %d", ir->name,
                        index);
  if (!kernel->index) {
    *out = info_of_ir(kernel->spec->module, &ir->params.data[index]);
    out->declared = out->name;
    return HD_OK;
  }
  const IndexParam *source = &kernel->index->params[index];
  const IrParam *param = find_ir_param(ir, source->name);
  *out =
      param ? info_of_ir(kernel->spec->module, param) : info_of_index(source);
  out->has_default = source->has_default;
  out->declared = source->type_text;
  return HD_OK;
}

// ----------------------------------------------------------------- globals

static bool is_for_host(const IrObject *object) {
  return object->space == SPACE_GLOBAL || !object->initial;
}

int hd_kernel_global_count(const HdKernel *kernel) {
  if (!kernel)
    return 0;
  const IrModule *module = kernel->spec->module;
  int count = 0;
  for (uint32_t i = 0; i < module->globals.count; i++)
    count += is_for_host(module->globals.data[i]);
  return count;
}

static HdGlobalInfo info_of_object(const IrObject *object) {
  IrType type = object->element;
  HdType lane = scalar_type((IrTypeKind)type.kind, object->is_signed);
  HdGlobalInfo info = {.name = object->name,
                       .type = type.lanes == 1 ? lane : HD_STRUCT,
                       .lanes = type.lanes ? type.lanes : 1,
                       .type_of_lane = lane,
                       .element_bytes = object->element_bytes,
                       .rank = object->rank,
                       .is_const = object->space == SPACE_CONSTANT};
  for (int i = 0; i < object->rank; i++)
    info.extents[i] = object->extents[i]->number;
  return info;
}

HdStatus hd_kernel_global(const HdKernel *kernel, int index,
                          HdGlobalInfo *out) {
  if (!kernel || !out)
    return session_null(kernel ? kernel->program->session : NULL,
                        "hd_kernel_global");
  const IrModule *module = kernel->spec->module;
  int left = index;
  for (uint32_t i = 0; i < module->globals.count && index >= 0; i++) {
    if (!is_for_host(module->globals.data[i]) || left-- > 0)
      continue;
    *out = info_of_object(module->globals.data[i]);
    return HD_OK;
  }
  return session_fail(kernel->program->session, HD_ERROR_ARGUMENT,
                      "kernel '%s' has no file-scope object number %d",
                      kernel->spec->kernel->name, index);
}

// ---------------------------------------------------- without specialising

// Translations are made when they are first asked for: no part of the value.
static HdProgram *mutable_program(const HdProgram *program) {
  return (HdProgram *)(uintptr_t)program;
}

static HdStatus find_source(const HdProgram *program, const char *name,
                            SourceKernel *out) {
  session_lock(program->session);
  HdStatus status = program->kernels->find(mutable_program(program), name, out);
  session_unlock(program->session);
  return status;
}

static int program_param_count(const HdProgram *program, const char *kernel) {
  SourceKernel found;
  if (find_source(program, kernel, &found) != HD_OK)
    return 0;
  return found.index ? (int)found.index->n_params
         : found.ir  ? (int)found.ir->params.count
                     : 0;
}

int hd_program_param_count(const HdProgram *program, const char *kernel) {
  if (!program || !kernel)
    return 0;
  if (program_look(mutable_program(program)) != HD_OK)
    return 0;
  SESSION_RESCUE(program->session, mutable_program(program), 0);
  return program_param_count(program, kernel);
}

static HdStatus program_param(const HdProgram *program, const char *kernel,
                              int index, HdParamInfo *out) {
  *out = (HdParamInfo){0};
  if (index < 0 || index >= hd_program_param_count(program, kernel))
    return session_fail(program->session, HD_ERROR_ARGUMENT,
                        "kernel '%s' has no parameter number %d", kernel,
                        index);
  SourceKernel found;
  if (find_source(program, kernel, &found) != HD_OK)
    return HD_ERROR_NOT_FOUND;
  if (found.index) {
    *out = info_of_index(&found.index->params[index]);
    return HD_OK;
  }
  *out = info_of_ir(found.module, &found.ir->params.data[index]);
  out->declared = out->name;
  return HD_OK;
}

HdStatus hd_program_param(const HdProgram *program, const char *kernel,
                          int index, HdParamInfo *out) {
  if (!program || !kernel || !out)
    return session_null(program ? program->session : NULL, "hd_program_param");
  HD_TRY(program_look(mutable_program(program)));
  SESSION_RESCUE(program->session, mutable_program(program), HD_ERROR_MEMORY);
  return program_param(program, kernel, index, out);
}
