#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output/file.h"

static char folder[] = "/tmp/dejank-test-XXXXXX";
static struct dj_text text;
static struct dj_error err;

static void setup(void)
{
    cr_assert_not_null(mkdtemp(folder));
    dj_text_add(&text, "the text\n");
}

static void teardown(void)
{
    char command[64];
    snprintf(command, sizeof(command), "rm -rf '%s'", folder);
    cr_assert_eq(system(command), 0);
    dj_text_finish(&text);
}

TestSuite(output, .init = setup, .fini = teardown);

static const char *in_folder(const char *name)
{
    static char path[128];
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    return path;
}

static void expect_content(const char *path, const char *want)
{
    char got[64] = "";
    FILE *file = fopen(path, "r");
    cr_assert_not_null(file, "%s is not there", path);
    size_t length = fread(got, 1, sizeof(got) - 1, file);
    got[length] = '\0';
    fclose(file);
    cr_assert_str_eq(got, want);
}

Test(output, a_new_file_respects_the_umask)
{
    struct stat made;
    umask(027);
    cr_assert_eq(dj_output_write(in_folder("new"), &text, &err), 0, "%s", err.message);
    expect_content(in_folder("new"), "the text\n");
    cr_assert_eq(stat(in_folder("new"), &made), 0);
    cr_assert_eq(made.st_mode & 0777, 0640);
}

Test(output, an_old_file_is_replaced)
{
    struct dj_text other = {0};
    dj_text_add(&other, "a longer text than the other one\n");
    cr_assert_eq(dj_output_write(in_folder("f"), &other, NULL), 0);
    cr_assert_eq(dj_output_write(in_folder("f"), &text, NULL), 0);
    expect_content(in_folder("f"), "the text\n");
    dj_text_finish(&other);
}

Test(output, an_empty_text_is_an_empty_file)
{
    struct dj_text empty = {0};
    cr_assert_eq(dj_output_write(in_folder("empty"), &empty, NULL), 0);
    expect_content(in_folder("empty"), "");
}

Test(output, unwritable_files_are_detected_before_writing)
{
    cr_assert_eq(dj_output_check(in_folder("f"), &err), 0);
    cr_assert_eq(dj_output_check("/dev/null", &err), 0);
    cr_assert_eq(dj_output_check(in_folder("no/such/f"), &err), DJ_E_OUTPUT);
    cr_assert(strstr(err.message, "No such file") != NULL, "%s", err.message);
    cr_assert_eq(dj_output_check(folder, &err), DJ_E_OUTPUT);
    cr_assert(strstr(err.message, "directory") != NULL, "%s", err.message);
    cr_assert_neq(access(in_folder("f"), F_OK), 0, "the check creates no file");
}

Test(output, device_files_are_not_replaced)
{
    cr_assert_eq(dj_output_write("/dev/null", &text, &err), 0);
    cr_assert_eq(dj_output_write("/dev/full", &text, &err), DJ_E_OUTPUT);
    struct stat there;
    cr_assert_eq(stat("/dev/full", &there), 0);
    cr_assert(S_ISCHR(there.st_mode));
}

Test(output, a_result_that_cannot_be_written_is_saved_in_tmpdir)
{
    setenv("TMPDIR", folder, 1);
    cr_assert_eq(dj_output_write_or_save("/dev/full", &text, &err), DJ_E_OUTPUT);
    const char *path = strstr(err.message, folder);
    cr_assert_not_null(path, "%s", err.message);
    expect_content(path, "the text\n");
}

Test(output, a_result_that_can_be_written_is_not_saved_in_tmpdir)
{
    setenv("TMPDIR", in_folder("nowhere"), 1);
    cr_assert_eq(dj_output_write_or_save(in_folder("f"), &text, &err), 0);
    expect_content(in_folder("f"), "the text\n");
}
