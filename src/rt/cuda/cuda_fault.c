// SPDX-License-Identifier: Apache-2.0
// What went wrong in kernels, in words.
//
// A kernel that fails writes down where before it traps, so that the record is
// there once the driver tells that the context is lost. What the hardware finds
// has no record: then the kernels that may have done it are named.
#include "rt/cuda/cuda_parts.h"

#include <stdio.h>
#include <string.h>

enum { MOST_NAMES = 4, RECORD_IS_WRITTEN = 2 };

// The codes behind which the driver answers every call in the context with the
// same one.
bool cuda_is_fatal(int code) {
  switch (code) {
  case CU_DEINITIALIZED:
  case CU_ECC_UNCORRECTABLE:
  case CU_NVLINK_UNCORRECTABLE:
  case CU_CONTAINED:
  case CU_ILLEGAL_ADDRESS:
  case CU_LAUNCH_TIMEOUT:
  case CU_CONTEXT_DESTROYED:
  case CU_ASSERT:
  case CU_HARDWARE_STACK:
  case CU_ILLEGAL_INSTRUCTION:
  case CU_MISALIGNED_ADDRESS:
  case CU_INVALID_ADDRESS_SPACE:
  case CU_INVALID_PC:
  case CU_LAUNCH_FAILED:
  case CU_TENSOR_MEMORY_LEAK: return true;
  default: return false;
  }
}

// Those that the program is to blame for.
static const char *wrong_of_program(int code) {
  switch (code) {
  case CU_ILLEGAL_ADDRESS: return "accessed an address that isn't valid";
  case CU_MISALIGNED_ADDRESS: return "accessed an address that isn't aligned";
  case CU_INVALID_ADDRESS_SPACE:
    return "accessed an address of the wrong address space";
  case CU_HARDWARE_STACK: return "ran out of stack";
  case CU_ILLEGAL_INSTRUCTION:
  case CU_INVALID_PC: return "came to an instruction that isn't valid";
  case CU_ASSERT:
  case CU_LAUNCH_FAILED: return "stopped with an error";
  default: return NULL;
  }
}

// ---------------------------------------------------------------- records

static const char *text_at(const CudaTexts *texts, uint32_t number,
                           const char *otherwise) {
  return number < texts->count && texts->data[number] ? texts->data[number]
                                                      : otherwise;
}

static HdStatus record_text(const RtCode *code, const HdCudaFault *fault,
                            RtError *error) {
  const CudaHeader *header = &code->header;
  if (fault->kind == HD_CUDA_FAULT_INTERRUPTED) {
    rt_error_set(error, "interrupted");
    return HD_ERROR_INTERRUPTED;
  }
  if (fault->state != RECORD_IS_WRITTEN) {
    rt_error_set(error, "kernel '%s' failed at an unknown place", header->name);
    return HD_ERROR_TRAP;
  }
  char what[1024];
  bool is_element = fault->kind == HD_CUDA_FAULT_ASSERT_ELEMENT;
  uint32_t n_index = is_element ? fault->n_index : 0;
  if (n_index > HD_CUDA_MAX_TILE_RANK)
    n_index = 0;
  const char *text = text_at(&header->texts, fault->text, NULL);
  if (fault->kind == HD_CUDA_FAULT_ASSERT || is_element)
    rt_assert_text(what, sizeof what, text ? text : "?", fault->index, n_index);
  else
    snprintf(what, sizeof what, "%s", text ? text : "trap()");
  int32_t block_dim[3];
  for (int i = 0; i < 3; i++)
    block_dim[i] = (int32_t)header->block[i];
  rt_fault_text(error->text, sizeof error->text,
                text_at(&header->locs, fault->loc, "unknown place"), what,
                header->name, fault->block, fault->thread, block_dim);
  return HD_ERROR_TRAP;
}

static bool has_failed(const HdCudaFault *fault) {
  return __atomic_load_n(&fault->state, __ATOMIC_ACQUIRE) != 0;
}

void cuda_fault_collect_locked(RtStream *stream, const RtCode *code,
                               HdCudaFault *fault) {
  RtError error;
  if (has_failed(fault)) {
    HdStatus status = record_text(code, fault, &error);
    cuda_stream_set_failure_locked(stream, status, &error);
  } else if (!__atomic_load_n(&fault->interrupt, __ATOMIC_RELAXED)) {
    return;
  }
  memset(fault, 0, sizeof *fault);
}

// ------------------------------------------------------------------- loss

// Kernels that were in flight, each once.
typedef struct {
  const char *names[MOST_NAMES];
  int count;
  bool has_more;
} Suspects;

static void cuda_fault_suspect(Suspects *suspects, const char *name) {
  for (int i = 0; i < suspects->count; i++) {
    if (strcmp(suspects->names[i], name) == 0)
      return;
  }
  if (suspects->count < MOST_NAMES)
    suspects->names[suspects->count++] = name;
  else
    suspects->has_more = true;
}

static void suspect_entry(Suspects *suspects, const CudaEntry *entry) {
  if (entry->code) {
    cuda_fault_suspect(suspects, entry->code->header.name);
    return;
  }
  for (CudaGraphNode *node = entry->graph->nodes; node; node = node->next)
    cuda_fault_suspect(suspects, node->entry.code->header.name);
}

// "kernel 'a'", "one of the kernels 'a', 'b' …"
static void suspects_text(const Suspects *suspects, char *text, size_t size) {
  if (suspects->count == 0) {
    snprintf(text, size, "something");
    return;
  }
  size_t used = (size_t)snprintf(
      text, size, "%s", suspects->count == 1 ? "kernel" : "one of the kernels");
  for (int i = 0; i < suspects->count && used < size; i++)
    used += (size_t)snprintf(text + used, size - used, "%s '%s'",
                             i > 0 ? "," : "", suspects->names[i]);
  if (suspects->has_more && used < size)
    snprintf(text + used, size - used, " …");
}

static const HdCudaFault *failed_record(const RtStream *stream, uint64_t number,
                                        const RtCode **code) {
  const CudaEntry *entry = &stream->entries[number % CUDA_RING];
  const HdCudaFault *own = &stream->faults.data[number % CUDA_RING];
  *code = entry->code;
  if (entry->code)
    return has_failed(own) ? own : NULL;
  for (CudaGraphNode *node = entry->graph->nodes; node; node = node->next) {
    *code = node->entry.code;
    if (has_failed(node->fault.data))
      return node->fault.data;
  }
  return NULL;
}

// Tells the streams whose kernels wrote down what happened; the name of one of
// these kernels, or NULL.
static const char *tell_recorded_locked(CudaDevice *device,
                                        Suspects *suspects) {
  const char *found = NULL;
  for (RtStream *stream = device->streams; stream; stream = stream->next) {
    for (uint64_t n = stream->n_ended; n < stream->n_launched; n++) {
      const RtCode *code;
      const HdCudaFault *record = failed_record(stream, n, &code);
      suspect_entry(suspects, &stream->entries[n % CUDA_RING]);
      if (!record)
        continue;
      RtError error;
      HdStatus status = record_text(code, record, &error);
      cuda_stream_set_failure_locked(stream, status, &error);
      found = code->header.name;
    }
  }
  return found;
}

static void tell_pending_locked(CudaDevice *device, HdStatus status,
                                const RtError *error) {
  for (RtStream *stream = device->streams; stream; stream = stream->next) {
    if (stream->n_ended < stream->n_launched)
      cuda_stream_set_failure_locked(stream, status, error);
  }
}

static const char way_out[] =
    "all memory on it is gone; start the process again";

void cuda_lose_locked(CudaDevice *device, int code) {
  if (atomic_load(&device->is_lost))
    return;
  Suspects suspects = {0};
  char who[512];
  const char *found = tell_recorded_locked(device, &suspects);
  const char *wrong = wrong_of_program(code);
  CudaErrorText told = cuda_error_text(&device->api, code);
  if (found) {
    suspects = (Suspects){.names = {found}, .count = 1};
    wrong = "failed";
  }
  suspects_text(&suspects, who, sizeof who);
  if (wrong && suspects.count > 0)
    rt_error_set(&device->loss, "device cuda:%d was lost when %s %s: %s",
                 device->ordinal, who, wrong, way_out);
  else
    rt_error_set(&device->loss, "device cuda:%d was lost: %s: %s",
                 device->ordinal, told.text, way_out);
  RtError error = device->loss;
  if (!found && wrong && suspects.count > 0)
    rt_error_set(&error, "%s %s: %s. Device cuda:%d is lost: %s", who, wrong,
                 told.text, device->ordinal, way_out);
  tell_pending_locked(device, !found && wrong ? HD_ERROR_TRAP : HD_ERROR_DEVICE,
                      &error);
  atomic_store(&device->is_lost, true);
}

void cuda_abandon_locked(CudaDevice *device, const RtStream *stream) {
  Suspects suspects = {0}, all = {0};
  char who[512];
  if (atomic_load(&device->is_lost))
    return;
  const char *found = tell_recorded_locked(device, &all);
  for (uint64_t n = stream->n_ended; n < stream->n_launched && !found; n++)
    suspect_entry(&suspects, &stream->entries[n % CUDA_RING]);
  if (found)
    cuda_fault_suspect(&suspects, found);
  suspects_text(&suspects, who, sizeof who);
  rt_error_set(&device->loss,
               "device cuda:%d was given up because %s doesn't end, though it "
               "%s: %s",
               device->ordinal, who, found ? "failed" : "was interrupted",
               way_out);
  tell_pending_locked(device, HD_ERROR_DEVICE, &device->loss);
  device->is_abandoned = true;
  atomic_store(&device->is_lost, true);
}

bool cuda_fault_is_pending_locked(const RtStream *stream) {
  const RtCode *code;
  return stream->n_ended < stream->n_launched &&
         failed_record(stream, stream->n_ended, &code);
}
