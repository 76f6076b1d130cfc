// SPDX-License-Identifier: Apache-2.0
#ifndef HD_CLI_LOADER_PAGES_H
#define HD_CLI_LOADER_PAGES_H

// Gives back the pages of programs and libraries that nobody writes; those that
// are needed again are read from their files.
void cli_drop_loader_pages(void);

#endif
