// SPDX-License-Identifier: Apache-2.0
// Memory that a process that checks many files needn't keep.
#include "cli/process_memory.h"

#include "base/bits.h"

#include <link.h>
#include <malloc.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

// What can't be written is as it is in the file, and comes back from there.
static int process_memory_drop(struct dl_phdr_info *info, size_t size,
                               void *context) {
  (void)size, (void)context;
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    if (part->p_type != PT_LOAD || part->p_flags & PF_W)
      continue;
    uintptr_t begin = info->dlpi_addr + part->p_vaddr;
    uintptr_t end = (begin + part->p_memsz) & ~(page - 1);
    begin = bits_align_up(begin, page);
    if (begin < end)
      (void)madvise((void *)begin, end - begin, MADV_DONTNEED);
  }
  return 0;
}

// Linking LLVM reads most of its file, which then counts as this process's
// memory though a check touches none of it again.
void cli_drop_loader_pages(void) {
  (void)dl_iterate_phdr(process_memory_drop, NULL);
}

// Each large block that is freed makes glibc keep larger ones from then on, up
// to 32 MB in each thread's arena: the tables of solvers and the arrays of runs
// of one file would stay for all files.
void cli_return_large_blocks(void) {
#ifdef M_MMAP_THRESHOLD
  (void)mallopt(M_MMAP_THRESHOLD, 1 << 20);
  (void)mallopt(M_TRIM_THRESHOLD, 1 << 20);
#endif
}
