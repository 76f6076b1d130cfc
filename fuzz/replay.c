// SPDX-License-Identifier: Apache-2.0
// Gives every file of the named folders to a fuzz target, as a test.
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay(const char *path) {
  struct stat info;
  if (stat(path, &info) != 0 || !S_ISREG(info.st_mode))
    return 0;
  FILE *file = fopen(path, "rb");
  // Exactly as many bytes as the file has: reading past the end is caught.
  size_t size = (size_t)info.st_size;
  uint8_t *data = malloc(size ? size : 1);
  if (!file || !data || fread(data, 1, size, file) != size) {
    fprintf(stderr, "can't read %s\n", path);
    exit(2);
  }
  fclose(file);
  printf("%s\n", path);
  fflush(stdout);
  LLVMFuzzerTestOneInput(data, size);
  free(data);
  return 1;
}

int main(int argc, char **argv) {
  int count = 0;
  for (int i = 1; i < argc; i++) {
    struct dirent **entries = NULL;
    int n = scandir(argv[i], &entries, NULL, alphasort);
    for (int k = 0; k < n; k++) {
      char path[4096];
      snprintf(path, sizeof path, "%s/%s", argv[i], entries[k]->d_name);
      count += replay(path);
      free(entries[k]);
    }
    free(entries);
  }
  printf("%d inputs\n", count);
  if (count == 0)
    fprintf(stderr, "%s: an empty corpus; put an input there\n",
            argc > 1 ? argv[1] : "no folder");
  return count > 0 ? 0 : 1;
}
