// SPDX-License-Identifier: Apache-2.0
#ifndef HD_CLI_PROCESS_MEMORY_H
#define HD_CLI_PROCESS_MEMORY_H

// Gives back the pages of programs and libraries that nobody writes; those that
// are needed again are read from their files.
void cli_drop_loader_pages(void);

// From now on blocks of 1 MB and more go back to the system when they are
// freed.
void cli_return_large_blocks(void);

#endif
