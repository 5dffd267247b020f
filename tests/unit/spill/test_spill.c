#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "spill/spill.h"

static char folder[] = "/tmp/dejank-spill-XXXXXX";

static void set_up(void)
{
    cr_assert_not_null(mkdtemp(folder));
    setenv("TMPDIR", folder, 1);
}

static void tear_down(void)
{
    cr_expect_eq(rmdir(folder), 0, "a spill file leaves no name");
}

TestSuite(spill_file, .init = set_up, .fini = tear_down);

/* Checks the path that /proc shows for the deleted file. */
static void expect_in(const struct dj_spill *spill, const char *where)
{
    char link[64], path[256] = "";
    snprintf(link, sizeof(link), "/proc/self/fd/%d", spill->file - 1);
    cr_assert_gt(readlink(link, path, sizeof(path) - 1), 0);
    cr_expect(strncmp(path, where, strlen(where)) == 0, "it is at %s", path);
}

Test(spill_file, returns_what_was_appended)
{
    struct dj_spill spill = {0};
    char got[8] = "";
    const void *mapped;
    cr_assert_eq(dj_spill_open(&spill, 0), 0);
    expect_in(&spill, folder);
    cr_assert_eq(fcntl(spill.file - 1, F_GETFD), FD_CLOEXEC);
    cr_assert_eq(dj_spill_map(&spill, &mapped), 0);
    cr_assert_null(mapped);
    cr_assert_eq(dj_spill_append(&spill, "abc", 3), 0);
    cr_assert_eq(dj_spill_append(&spill, "defg", 4), 0);
    cr_assert_eq(dj_spill_write(&spill, 1, "BC", 2), 0);
    cr_assert_eq(spill.bytes, 7);
    cr_assert_eq(dj_spill_append(&spill, "h", 1), 0);
    cr_assert_eq(dj_spill_read(&spill, 1, got, 7), 0);
    cr_expect_str_eq(got, "BCdefgh");
    cr_assert_eq(dj_spill_map(&spill, &mapped), 0);
    dj_spill_close(&spill);
    cr_expect_eq(memcmp(mapped, "aBCdefgh", 8), 0, "the mapping outlives the file");
    munmap((void *)mapped, 8);
    cr_expect_eq(spill.file, 0);
    cr_expect_eq(spill.bytes, 0);
    dj_spill_close(&spill);
}

Test(spill_file, reading_past_the_end_fails)
{
    struct dj_spill spill = {0};
    char got[8];
    cr_assert_eq(dj_spill_open(&spill, 0), 0);
    cr_assert_eq(dj_spill_append(&spill, "abc", 3), 0);
    cr_expect_eq(dj_spill_read(&spill, 1, got, 2), 0);
    cr_expect_eq(dj_spill_read(&spill, 1, got, 3), EIO);
    dj_spill_close(&spill);
}

Test(spill_file, a_folder_that_allows_no_file_is_skipped)
{
    struct dj_spill spill = {0};
    setenv("TMPDIR", "/proc/no/such/folder", 1);
    cr_assert_eq(dj_spill_open(&spill, 0), 0);
    expect_in(&spill, "/var/tmp");
    dj_spill_close(&spill);
    setenv("TMPDIR", "", 1);
    cr_assert_eq(dj_spill_open(&spill, 0), 0);
    expect_in(&spill, "/var/tmp");
    dj_spill_close(&spill);
    cr_expect_eq(dj_spill_open_in(&spill, "/proc/no/such/folder"), ENOENT);
    cr_expect_eq(spill.file, 0);
}

Test(spill_file, reserves_disk_space)
{
    struct dj_spill spill = {0};
    struct stat status;
    struct rlimit limit = {.rlim_cur = 1 << 20, .rlim_max = 1 << 20};
    cr_assert_eq(dj_spill_open(&spill, 1 << 20), 0);
    cr_assert_eq(fstat(spill.file - 1, &status), 0);
    cr_expect_eq(status.st_size, 1 << 20);
    cr_expect_eq(spill.bytes, 0);
    dj_spill_close(&spill);
    signal(SIGXFSZ, SIG_IGN);
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    cr_expect_eq(dj_spill_open(&spill, 2 << 20), EFBIG);
    cr_expect_eq(spill.file, 0);
    cr_assert_eq(dj_spill_open(&spill, 0), 0);
    cr_expect_eq(dj_spill_write(&spill, 1 << 20, "x", 1), EFBIG);
    cr_expect_eq(dj_spill_append(&spill, "x", 1), 0);
    dj_spill_close(&spill);
}

Test(spill_file, in_memory_needs_no_folder)
{
    struct dj_spill spill = {0};
    char got[4] = "";
    cr_assert_eq(dj_spill_open_memory(&spill), 0);
    expect_in(&spill, "/memfd:");
    cr_assert_eq(dj_spill_append(&spill, "abc", 3), 0);
    cr_assert_eq(dj_spill_read(&spill, 0, got, 3), 0);
    cr_expect_str_eq(got, "abc");
    dj_spill_close(&spill);
}
