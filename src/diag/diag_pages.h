// SPDX-License-Identifier: Apache-2.0
// Inside diag: the pages of docs/errors/, generated when building.
#ifndef HD_DIAG_DIAG_PAGES_H
#define HD_DIAG_DIAG_PAGES_H

typedef struct {
  const char *code;
  const char *text; // Markdown
} DiagPage;

// In order of their codes; the last has code NULL.
extern const DiagPage diag_pages[];

#endif
