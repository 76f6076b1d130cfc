// SPDX-License-Identifier: Apache-2.0
// Files in and out: what is read back, what is left behind, what is said.
#include "base/file.h"
#include "base/panic.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
// cmocka wants the ones above first.
#include <cmocka.h>

#include <dirent.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LIMIT = 1 << 20 };

typedef struct {
  Arena *arena;
  char folder[64];
  const char *why;
} Fixture;

static int set_up(void **state) {
  Fixture *fixture = calloc(1, sizeof(*fixture));
  fixture->arena = arena_new();
  strcpy(fixture->folder, "/tmp/heddle-test-XXXXXX");
  *state = fixture;
  return mkdtemp(fixture->folder) ? 0 : -1;
}

static int count_entries(const char *folder) {
  int count = 0;
  DIR *dir = opendir(folder);
  assert_non_null(dir);
  for (struct dirent *entry; (entry = readdir(dir)) != NULL;)
    count += entry->d_name[0] != '.' || strlen(entry->d_name) > 2;
  closedir(dir);
  return count;
}

static int tear_down(void **state) {
  Fixture *fixture = *state;
  DIR *dir = opendir(fixture->folder);
  for (struct dirent *entry; dir && (entry = readdir(dir)) != NULL;) {
    char *path =
        arena_printf(fixture->arena, "%s/%s", fixture->folder, entry->d_name);
    if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
      remove(path);
  }
  closedir(dir);
  int status = rmdir(fixture->folder);
  arena_free(fixture->arena);
  free(fixture);
  return status;
}

static char *in_folder(Fixture *fixture, const char *name) {
  return arena_printf(fixture->arena, "%s/%s", fixture->folder, name);
}

static HdStatus read_it(Fixture *fixture, const char *path, size_t limit,
                        FileText *out) {
  return file_read(fixture->arena, path, limit, out, &fixture->why);
}

static HdStatus write_it(Fixture *fixture, const char *path, const char *text) {
  return file_write_atomic(fixture->arena, path, text, strlen(text),
                           &fixture->why);
}

static void written_files_are_read_back(void **state) {
  Fixture *fixture = *state;
  char *path = in_folder(fixture, "a.txt");
  FileText file;
  const char *texts[] = {"", "one", "another, longer text\n"};
  for (int i = 0; i < 3; i++) {
    assert_int_equal(write_it(fixture, path, texts[i]), HD_OK);
    assert_int_equal(read_it(fixture, path, LIMIT, &file), HD_OK);
    assert_int_equal(file.size_bytes, strlen(texts[i]));
    assert_string_equal(file.data, texts[i]);
  }
  assert_int_equal(count_entries(fixture->folder), 1);
}

static void limits_are_exact(void **state) {
  Fixture *fixture = *state;
  char *path = in_folder(fixture, "a.txt");
  FileText file;
  assert_int_equal(write_it(fixture, path, "12345"), HD_OK);
  assert_int_equal(read_it(fixture, path, 5, &file), HD_OK);
  assert_int_equal(read_it(fixture, path, 4, &file), HD_ERROR_IO);
  assert_non_null(strstr(fixture->why, "it has more than 4 bytes"));
  assert_null(file.data);
  assert_int_equal(read_it(fixture, "/dev/zero", 100000, &file), HD_ERROR_IO);
  assert_non_null(strstr(fixture->why, "it has more than 100000 bytes"));
}

static void failures_to_read_are_named(void **state) {
  Fixture *fixture = *state;
  FileText file;
  char *missing = in_folder(fixture, "none");
  assert_int_equal(read_it(fixture, missing, LIMIT, &file), HD_ERROR_NOT_FOUND);
  assert_string_equal(fixture->why,
                      arena_printf(fixture->arena,
                                   "can't read '%s': no such file or folder",
                                   missing));
  assert_int_equal(read_it(fixture, fixture->folder, LIMIT, &file),
                   HD_ERROR_IO);
  assert_non_null(strstr(fixture->why, "it is a folder, not a file"));
  assert_int_equal(read_it(fixture, "/dev/null/x", LIMIT, &file),
                   HD_ERROR_NOT_FOUND);
}

static void a_pipe_is_read_to_its_end(void **state) {
  Fixture *fixture = *state;
  char *path = in_folder(fixture, "pipe");

  enum { SIZE = 300000 };

  assert_int_equal(mkfifo(path, 0600), 0);
  pid_t child = fork();
  if (child == 0) {
    FILE *out = fopen(path, "w");
    for (int i = 0; out && i < SIZE; i++)
      putc('a' + i % 26, out);
    _exit(out && fclose(out) == 0 ? 0 : 1);
  }
  FileText file;
  assert_int_equal(read_it(fixture, path, LIMIT, &file), HD_OK);
  int status;
  waitpid(child, &status, 0);
  assert_int_equal(status, 0);
  assert_int_equal(file.size_bytes, SIZE);
  for (int i = 0; i < SIZE; i++)
    assert_int_equal(file.data[i], 'a' + i % 26);
}

static void links_and_modes_survive_a_write(void **state) {
  Fixture *fixture = *state;
  char *path = in_folder(fixture, "real");
  char *link_path = in_folder(fixture, "link");
  assert_int_equal(write_it(fixture, path, "old"), HD_OK);
  assert_int_equal(chmod(path, 0640), 0);
  assert_int_equal(symlink("real", link_path), 0);
  assert_int_equal(write_it(fixture, link_path, "new"), HD_OK);
  struct stat info;
  assert_int_equal(lstat(link_path, &info), 0);
  assert_true(S_ISLNK(info.st_mode));
  assert_int_equal(stat(path, &info), 0);
  assert_int_equal(info.st_mode & 0777, 0640);
  FileText file;
  assert_int_equal(read_it(fixture, path, LIMIT, &file), HD_OK);
  assert_string_equal(file.data, "new");
}

static void failures_to_write_leave_nothing(void **state) {
  Fixture *fixture = *state;
  assert_int_equal(write_it(fixture, fixture->folder, "x"), HD_ERROR_IO);
  assert_non_null(strstr(fixture->why, "it is a folder"));
  char *deep = in_folder(fixture, "no/such/folder");
  assert_int_equal(write_it(fixture, deep, "x"), HD_ERROR_NOT_FOUND);
  assert_non_null(strstr(fixture->why, "can't write"));
  assert_int_equal(count_entries(fixture->folder), 0);
}

// A full disk, as far as it can be had without one: the file-size limit.
static void a_write_that_stops_halfway_keeps_the_old_file(void **state) {
  Fixture *fixture = *state;
  char *path = in_folder(fixture, "a.txt");
  assert_int_equal(write_it(fixture, path, "old"), HD_OK);
  pid_t child = fork();
  if (child == 0) {
    struct rlimit limit = {1000, 1000};
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
    static char large[100000];
    HdStatus status = file_write_atomic(fixture->arena, path, large,
                                        sizeof(large), &fixture->why);
    _exit(status == HD_ERROR_IO ? 0 : 1);
  }
  int status;
  waitpid(child, &status, 0);
  assert_int_equal(status, 0);
  assert_int_equal(count_entries(fixture->folder), 1);
  FileText file;
  assert_int_equal(read_it(fixture, path, LIMIT, &file), HD_OK);
  assert_string_equal(file.data, "old");
}

static void devices_are_written_in_place(void **state) {
  Fixture *fixture = *state;
  assert_int_equal(write_it(fixture, "/dev/null", "x"), HD_OK);
  struct stat info;
  assert_int_equal(stat("/dev/null", &info), 0);
  assert_true(S_ISCHR(info.st_mode));
  assert_int_equal(write_it(fixture, "/dev/full", "x"), HD_ERROR_IO);
  assert_non_null(strstr(fixture->why, "the disk is full"));
}

static void folders_are_made_with_their_parents(void **state) {
  Fixture *fixture = *state;
  Arena *arena = fixture->arena;
  char *inner = in_folder(fixture, "a/b//c/");
  assert_int_equal(file_make_dirs(arena, inner, &fixture->why), HD_OK);
  assert_int_equal(file_make_dirs(arena, inner, &fixture->why), HD_OK);
  assert_true(file_exists(inner));
  assert_int_equal(file_write_atomic_unsynced(arena,
                                              in_folder(fixture, "a/b/c/f"),
                                              "x", 1, &fixture->why),
                   HD_OK);
  char *below = in_folder(fixture, "a/b/c/f/g");
  assert_int_not_equal(file_make_dirs(arena, below, &fixture->why), HD_OK);
  assert_non_null(strstr(fixture->why, "can't make the folder"));
  const char *const made[] = {"a/b/c/f", "a/b/c", "a/b", "a"};
  for (int i = 0; i < 4; i++)
    assert_int_equal(remove(in_folder(fixture, made[i])), 0);
}

static void a_panic_says_where_and_aborts(void **state) {
  Fixture *fixture = *state;
  char *path = in_folder(fixture, "stderr");
  pid_t child = fork();
  if (child == 0) {
    struct rlimit no_core = {0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    if (!freopen(path, "w", stderr))
      _exit(1);
    hd_panic_context((PanicContext){"merge_barriers", "blur"});
    hd_panic("/somewhere/src/ir/verify.c", 12, "node %d is bad", 3);
  }
  int status;
  waitpid(child, &status, 0);
  assert_true(WIFSIGNALED(status));
  assert_int_equal(WTERMSIG(status), SIGABRT);
  FileText file;
  assert_int_equal(read_it(fixture, path, LIMIT, &file), HD_OK);
  assert_non_null(strstr(file.data, "internal error: node 3 is bad"));
  assert_non_null(strstr(file.data, "at src/ir/verify.c:12"));
  assert_null(strstr(file.data, "somewhere"));
  assert_non_null(strstr(file.data, "in pass merge_barriers on blur"));
  assert_non_null(strstr(file.data, "Please report"));
}

#define FILE_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      FILE_TEST(written_files_are_read_back),
      FILE_TEST(limits_are_exact),
      FILE_TEST(failures_to_read_are_named),
      FILE_TEST(a_pipe_is_read_to_its_end),
      FILE_TEST(links_and_modes_survive_a_write),
      FILE_TEST(failures_to_write_leave_nothing),
      FILE_TEST(a_write_that_stops_halfway_keeps_the_old_file),
      FILE_TEST(devices_are_written_in_place),
      FILE_TEST(folders_are_made_with_their_parents),
      FILE_TEST(a_panic_says_where_and_aborts),
  };
  return cmocka_run_group_tests_name("file", tests, NULL, NULL);
}
