/* Writes a device's trace to a file. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/android/captured_file.h"

static char folder[] = "/tmp/dejank-save-XXXXXX";
static char path[64];
static struct dj_captured_file save;
static struct dj_error err;

static void setup(void)
{
    cr_assert_not_null(mkdtemp(folder));
    snprintf(path, sizeof(path), "%s/out", folder);
    save = (struct dj_captured_file){.fd = -1};
    err = (struct dj_error){0};
}

static void teardown(void)
{
    char command[80];
    dj_captured_file_finish(&save);
    snprintf(command, sizeof(command), "rm -rf %s", folder);
    cr_assert_eq(system(command), 0);
}

TestSuite(android_save, .init = setup, .fini = teardown);

static void expect_contents(const char *bytes, size_t length)
{
    char got[4096];
    FILE *file = fopen(path, "rb");
    cr_assert_not_null(file);
    size_t size = fread(got, 1, sizeof(got), file);
    fclose(file);
    cr_assert_eq(size, length, "%zu bytes, not %zu", size, length);
    cr_assert_eq(memcmp(got, bytes, length), 0);
}

/* Writes the bytes in chunks of this size. */
static void write_in_chunks(const char *bytes, size_t length, size_t chunk, bool titled)
{
    cr_assert_eq(dj_captured_file_open(&save, path, 1 << 20, &err), 0, "%s", err.message);
    save.titled = titled;
    for (size_t at = 0; at < length; at += chunk) {
        size_t size = length - at < chunk ? length - at : chunk;
        cr_assert_eq(dj_captured_file_write(&save, bytes + at, size, &err), 0, "%s",
                     err.message);
    }
    cr_assert_eq(dj_captured_file_end(&save, &err), 0);
    cr_assert_eq(dj_captured_file_commit(&save, &err), 0, "%s", err.message);
    dj_captured_file_finish(&save);
}

Test(android_save, messages_before_the_title_are_skipped)
{
    static const char came[] = "capturing trace... done\nTRACE:\nx\0\r\ny\r";
    static const char trace[] = "TRACE:\nx\0\r\ny\r";
    for (size_t chunk = 1; chunk < sizeof(came); chunk++) {
        write_in_chunks(came, sizeof(came) - 1, chunk, true);
        expect_contents(trace, sizeof(trace) - 1);
    }
}

Test(android_save, line_ends_of_a_terminal_are_restored)
{
    static const char trace[] = "TRACE:\n\x78\x9c\n\r\n\r\r\na\rb\n\n\r";
    char came[64];
    size_t length = 0;
    for (size_t i = 0; i < sizeof(trace) - 1; i++) {
        if (trace[i] == '\n') {
            came[length++] = '\r';
        }
        came[length++] = trace[i];
    }
    for (size_t chunk = 1; chunk <= length; chunk++) {
        write_in_chunks(came, length, chunk, true);
        expect_contents(trace, sizeof(trace) - 1);
    }
}

Test(android_save, packets_are_not_changed)
{
    static const char packets[] = "\x0a\x02TRACE:\r\n\0\r";
    write_in_chunks(packets, sizeof(packets) - 1, 3, false);
    expect_contents(packets, sizeof(packets) - 1);
}

Test(android_save, the_old_file_stays_until_the_new_one_is_complete)
{
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    fputs("before", file);
    fclose(file);
    cr_assert_eq(dj_captured_file_open(&save, path, 1 << 20, &err), 0);
    cr_assert_eq(dj_captured_file_write(&save, "new", 3, &err), 0);
    dj_captured_file_finish(&save);
    expect_contents("before", 6);
    cr_assert_eq(unlink(path), 0);
    cr_assert_eq(rmdir(folder), 0, "nothing else is left behind");
}

/* A device file, or a link to one, must not be replaced. */
Test(android_save, device_files_are_written_to_and_not_replaced)
{
    struct stat there;
    cr_assert_eq(symlink("/dev/null", path), 0);
    write_in_chunks("packets", 7, 3, false);
    cr_assert(lstat(path, &there) == 0 && S_ISLNK(there.st_mode));
    cr_assert(stat("/dev/null", &there) == 0 && S_ISCHR(there.st_mode));
    cr_assert_eq(unlink(path), 0);
    cr_assert_eq(rmdir(folder), 0, "nothing else is left behind");
}

Test(android_save, a_file_that_cannot_be_moved_is_kept_and_reported)
{
    cr_assert_eq(symlink("/dev/full", path), 0);
    cr_assert_eq(setenv("TMPDIR", folder, 1), 0);
    cr_assert_eq(dj_captured_file_open(&save, path, 1 << 20, &err), 0, "%s", err.message);
    cr_assert_eq(dj_captured_file_write(&save, "packets", 7, &err), 0);
    cr_assert_eq(dj_captured_file_commit(&save, &err), DJ_E_OUTPUT);
    const char *left = strstr(err.message, "what was captured is in ");
    cr_assert_not_null(left, "%s", err.message);
    snprintf(path, sizeof(path), "%s", left + strlen("what was captured is in "));
    expect_contents("packets", 7);
}

Test(android_save, links_are_not_replaced)
{
    char link[80];
    struct stat there;
    snprintf(link, sizeof(link), "%s-link", path);
    cr_assert_eq(fclose(fopen(path, "w")), 0);
    cr_assert_eq(symlink(path, link), 0);
    cr_assert_eq(dj_captured_file_open(&save, link, 1 << 20, &err), 0, "%s", err.message);
    cr_assert_eq(dj_captured_file_write(&save, "new", 3, &err), 0);
    cr_assert_eq(dj_captured_file_commit(&save, &err), 0, "%s", err.message);
    cr_assert(lstat(link, &there) == 0 && S_ISLNK(there.st_mode));
    expect_contents("new", 3);
}

Test(android_save, the_file_has_at_most_the_maximum_size)
{
    cr_assert_eq(dj_captured_file_open(&save, path, 5, &err), 0);
    cr_assert_eq(dj_captured_file_write(&save, "123", 3, &err), 0);
    cr_assert_eq(dj_captured_file_write(&save, "4567", 4, &err), DJ_E_LIMIT);
    cr_assert(save.cut);
    cr_assert_eq(dj_captured_file_commit(&save, &err), 0);
    expect_contents("12345", 5);
}

Test(android_save, without_a_title_there_is_no_trace)
{
    char messages[8192];
    memset(messages, 'x', sizeof(messages));
    cr_assert_eq(dj_captured_file_open(&save, path, 1 << 20, &err), 0);
    save.titled = true;
    int code = 0;
    for (int i = 0; i < 20 && code == 0; i++) {
        code = dj_captured_file_write(&save, messages, sizeof(messages), &err);
    }
    cr_assert_eq(code, DJ_E_PROTOCOL);
    cr_assert_eq(save.bytes, 0);
}

Test(android_save, an_unwritable_folder_is_an_error)
{
    cr_assert_eq(dj_captured_file_open(&save, "/nonexistent/out", 10, &err), DJ_E_OUTPUT);
    cr_assert_not_null(strstr(err.message, "/nonexistent/out"));
}
