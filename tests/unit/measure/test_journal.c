#include <criterion/criterion.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "measure/journal.h"
#include "measure/lease.h"
#include "measure/state_folder.h"

static char home[] = "/tmp/dejank-journal-XXXXXX";
static struct dj_journal journal;
static struct dj_error err;

static void setup(void)
{
    cr_assert_not_null(mkdtemp(home));
    setenv("XDG_STATE_HOME", home, 1);
    err = (struct dj_error){0};
}

static void teardown(void)
{
    char command[64];
    dj_measure_journal_finish(&journal);
    snprintf(command, sizeof(command), "rm -rf %s", home);
    cr_assert_eq(system(command), 0);
}

TestSuite(journal, .init = setup, .fini = teardown);
TestSuite(lease, .init = setup, .fini = teardown);

static void reopen(const char *device)
{
    dj_measure_journal_finish(&journal);
    cr_assert_eq(dj_measure_journal_open(device, &journal, &err), 0, "%s", err.message);
}

static void note(const char *space, const char *name, const char *value)
{
    cr_assert_eq(dj_measure_journal_note(&journal, space, name, value, &err), 0, "%s",
                 err.message);
}

Test(journal, a_removed_entry_is_not_restored)
{
    reopen("emulator-5554");
    note("property", "persist.traced.enable", NULL);
    note("file", "/data/misc/perfetto-traces/a", NULL);
    note("process", "[a]", NULL);
    cr_assert_eq(
        dj_measure_journal_remove(&journal, "file", "/data/misc/perfetto-traces/a", &err),
        0);
    cr_assert_eq(dj_measure_journal_remove(&journal, "file", "no such entry", &err), 0);
    reopen("emulator-5554");
    cr_assert_eq(journal.count, 2);
    cr_assert_str_eq(journal.entries[0].name, "persist.traced.enable");
    cr_assert_str_eq(journal.entries[1].space, "process");
    cr_assert_eq(
        dj_measure_journal_remove(&journal, "property", "persist.traced.enable", &err),
        0);
    cr_assert_eq(dj_measure_journal_remove(&journal, "process", "[a]", &err), 0);
    cr_assert_neq(access(journal.path, F_OK), 0, "an empty journal has no file");
    note("property", "again", "1");
    reopen("emulator-5554");
    cr_assert_eq(journal.count, 1);
}

Test(journal, entries_outlive_the_process)
{
    reopen("emulator-5554");
    cr_assert_eq(journal.count, 0);
    note("global", "window_animation_scale", "0.5");
    note("property", "debug.hwui.profile", NULL);
    note("system", "odd", "a\tb\nc\\d");
    reopen("emulator-5554");
    cr_assert_eq(journal.count, 3);
    cr_assert_str_eq(journal.selector, "emulator-5554");
    cr_assert_str_eq(journal.entries[0].value, "0.5");
    cr_assert_null(journal.entries[1].value);
    cr_assert_str_eq(journal.entries[2].value, "a\tb\nc\\d");
}

Test(journal, the_first_noted_value_is_restored)
{
    reopen("d");
    note("global", "x", "before");
    note("global", "x", "ours");
    note("system", "x", "another");
    reopen("d");
    cr_assert_eq(journal.count, 2);
    cr_assert_str_eq(journal.entries[0].value, "before");
}

static int count_path(void *user, const char *path)
{
    (void)path;
    ++*(int *)user;
    return 0;
}

Test(journal, a_cleared_journal_has_no_file)
{
    int count = 0;
    reopen("127.0.0.1:5555");
    note("global", "x", "1");
    cr_assert_eq(dj_measure_journal_for_each(count_path, &count, &err), 0);
    cr_assert_eq(count, 1);
    cr_assert_eq(dj_measure_journal_clear(&journal, &err), 0, "%s", err.message);
    cr_assert_eq(dj_measure_journal_for_each(count_path, &count, &err), 0);
    cr_assert_eq(count, 1);
    reopen("127.0.0.1:5555");
    cr_assert_eq(journal.count, 0);
}

/* Names of devices come from outside. */
Test(journal, a_device_name_cannot_leave_the_folder)
{
    struct dj_text name = {0};
    reopen("../../etc/passwd");
    note("global", "x", "1");
    dj_measure_state_folder_append_name(&name, "../a b");
    cr_assert_str_eq(dj_text_get(&name), "%2E.%2Fa%20b");
    dj_text_finish(&name);
    reopen("../../etc/passwd");
    cr_assert_eq(journal.count, 1);
    cr_assert_eq(strncmp(journal.path, home, strlen(home)), 0);
    cr_assert_null(strstr(journal.path, "/../"));
}

static void write_journal(const char *device, const char *text)
{
    FILE *file;
    reopen(device);
    file = fopen(journal.path, "we");
    cr_assert_not_null(file);
    fputs(text, file);
    fclose(file);
}

Test(journal, an_incomplete_line_is_ignored)
{
    write_journal("d", "dejank-journal 1\ndevice\td\nglobal\tx\t=1\nglobal\ty\t=");
    reopen("d");
    cr_assert_eq(journal.count, 1);
    note("global", "z", "3");
    reopen("d");
    cr_assert_eq(journal.count, 2);
    cr_assert_str_eq(journal.entries[1].name, "z");
}

Test(journal, an_invalid_file_is_reported_with_its_line)
{
    write_journal("d", "dejank-journal 1\ndevice\td\nglobal\tx\n");
    dj_measure_journal_finish(&journal);
    cr_assert_eq(dj_measure_journal_open("d", &journal, &err), DJ_E_INVALID);
    cr_assert_not_null(strstr(err.message, "line 3"), "%s", err.message);
    write_journal("e", "something else\n");
    dj_measure_journal_finish(&journal);
    cr_assert_eq(dj_measure_journal_open("e", &journal, &err), DJ_E_INVALID);
    cr_assert_not_null(strstr(err.message, "line 1"), "%s", err.message);
}

Test(journal, a_folder_that_cannot_be_created_is_reported)
{
    setenv("XDG_STATE_HOME", "/proc/nowhere", 1);
    cr_assert_eq(dj_measure_journal_open("d", &journal, &err), DJ_E_IO);
    cr_assert_not_null(strstr(err.message, "/proc/nowhere"), "%s", err.message);
}

Test(lease, only_one_process_gets_a_lease)
{
    struct dj_lease mine, other = {.fd = -1};
    cr_assert_eq(dj_measure_lease_acquire("d", &mine, &err), 0, "%s", err.message);
    cr_assert_eq(dj_measure_lease_acquire("e", &other, &err), 0, "%s", err.message);
    dj_measure_lease_release(&other);
    pid_t pid = fork();
    if (pid == 0) {
        char us[32];
        snprintf(us, sizeof(us), "process %d ", (int)getppid());
        bool refused = dj_measure_lease_acquire("d", &other, &err) == DJ_E_GONE &&
                       strstr(err.message, us) != NULL;
        _exit(refused ? 0 : 1);
    }
    int status;
    waitpid(pid, &status, 0);
    cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    dj_measure_lease_release(&mine);
    cr_assert_eq(dj_measure_lease_acquire("d", &other, &err), 0, "%s", err.message);
    dj_measure_lease_release(&other);
}
