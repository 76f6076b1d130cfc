// SPDX-License-Identifier: Apache-2.0
// Linking LLVM reads most of its file, which then counts as this process's
// memory though a check touches none of it again.
#include "cli/loader_pages.h"

#include <link.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

// What can't be written is as it is in the file, and comes back from there.
static int drop(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size, (void)context;
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    if (part->p_type != PT_LOAD || part->p_flags & PF_W)
      continue;
    uintptr_t begin = info->dlpi_addr + part->p_vaddr;
    uintptr_t end = (begin + part->p_memsz) & ~(page - 1);
    begin = (begin + page - 1) & ~(page - 1);
    if (begin < end)
      (void)madvise((void *)begin, end - begin, MADV_DONTNEED);
  }
  return 0;
}

void cli_drop_loader_pages(void) {
  (void)dl_iterate_phdr(drop, NULL);
}
