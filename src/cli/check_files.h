// SPDX-License-Identifier: Apache-2.0
// Which files a list of files and folders means.
#ifndef HD_CLI_CHECK_FILES_H
#define HD_CLI_CHECK_FILES_H

#include "cli/cli.h"

typedef hd_vec(const char *) FileList;

// Files as they are; of folders all .hd and .hir files in them and in folders
// there, by name; links to folders aren't followed. A file that is meant twice
// comes twice. EXIT_DONE, or EXIT_USAGE after saying why.
int check_files(const Options *options, FileList *out);

#endif
