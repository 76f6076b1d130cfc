// SPDX-License-Identifier: Apache-2.0
#include "session/build_id.h"

#include "base/bits.h"
#include "base/text.h"

#include <elf.h>
#include <link.h>
#include <string.h>
#include <sys/stat.h>

typedef struct {
  Arena *arena;
  uintptr_t address; // something inside the object that is looked for
  const char *text;
} Search;

// The GNU build id among the notes of [p, end), as text; NULL if none.
static const char *find_note(Arena *arena, const char *p, const char *end) {
  while ((size_t)(end - p) >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    memcpy(&note, p, sizeof note);
    const char *name = p + sizeof note;
    const char *bytes = name + bits_align_up(note.n_namesz, 4);
    if (note.n_type == NT_GNU_BUILD_ID &&
        note.n_namesz == sizeof ELF_NOTE_GNU &&
        memcmp(name, ELF_NOTE_GNU, sizeof ELF_NOTE_GNU) == 0) {
      Text text = {.arena = arena};
      for (size_t i = 0; i < note.n_descsz; i++)
        text_printf(&text, "%02x", (unsigned char)bytes[i]);
      return text_cstr(&text);
    }
    p = bytes + bits_align_up(note.n_descsz, 4);
  }
  return NULL;
}

static const char *file_text(Arena *arena, const char *path) {
  struct stat info;
  if (stat(path && *path ? path : "/proc/self/exe", &info) != 0)
    return "unknown";
  return arena_printf(arena, "%lld-%lld.%09ld", (long long)info.st_size,
                      (long long)info.st_mtim.tv_sec, info.st_mtim.tv_nsec);
}

static int build_id_visit(struct dl_phdr_info *info, size_t size,
                          void *context) {
  Search *search = context;
  bool is_ours = false;
  (void)size;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    uintptr_t begin = info->dlpi_addr + part->p_vaddr;
    is_ours |= part->p_type == PT_LOAD && search->address >= begin &&
               search->address - begin < part->p_memsz;
  }
  if (!is_ours)
    return 0;
  for (int i = 0; i < info->dlpi_phnum && !search->text; i++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    const char *begin = (const char *)(info->dlpi_addr + part->p_vaddr);
    if (part->p_type == PT_NOTE)
      search->text = find_note(search->arena, begin, begin + part->p_memsz);
  }
  if (!search->text)
    search->text = file_text(search->arena, info->dlpi_name);
  return 1;
}

const char *build_id_text(Arena *arena) {
  Search search = {.arena = arena, .address = (uintptr_t)&build_id_text};
  dl_iterate_phdr(build_id_visit, &search);
  return search.text ? search.text : "unknown";
}
