// SPDX-License-Identifier: Apache-2.0
#include "diag/diag.h"

#include "diag/diag_pages.h"
#include <string.h>

const char *diag_page(DiagId id) {
  const char *code = diag_code(id);
  for (const DiagPage *page = diag_pages; page->code; page++)
    if (strcmp(page->code, code) == 0)
      return page->text;
  return NULL;
}
