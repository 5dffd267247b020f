#include <criterion/criterion.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "device/device.h"
#include "device/replay/entry.h"

/* ---- NNN-command.txt */

static struct dj_replay_entry entry;
static struct dj_error err;

static int parse(const char *text)
{
    dj_replay_entry_finish(&entry);
    return dj_replay_parse_entry(text, strlen(text), &entry, &err);
}

Test(replay_file, written_entries_can_be_parsed)
{
    static const char *const words[] = {
        "sh", "-c", "a b\nc 'd' \"e\" $(f) \\", "", "ü x", "#", "exit 3", NULL};
    struct dj_text text = {0}, canonical = {0};
    const struct dj_error gone = {.code = DJ_E_GONE, .message = "it went\naway"};
    for (int kind = 0; kind < DJ_REPLAY_KINDS; kind++) {
        dj_text_clear(&text);
        dj_text_clear(&canonical);
        dj_replay_append_command(&canonical, (enum dj_replay_kind)kind, words);
        dj_replay_append_words(&text, words);
        dj_replay_append_result(&text, (enum dj_replay_kind)kind, 7, NULL);
        cr_assert_eq(parse(dj_text_get(&text)), 0, "%s", err.message);
        cr_assert_str_eq(entry.command, dj_text_get(&canonical));
        cr_assert_eq(entry.exit_code, 7);
        cr_assert_eq(entry.error, 0);
    }
    dj_text_clear(&text);
    dj_replay_append_words(&text, words);
    dj_replay_append_result(&text, DJ_REPLAY_SHELL, 0, &gone);
    cr_assert_eq(parse(dj_text_get(&text)), 0, "%s", err.message);
    cr_assert_eq(entry.error, DJ_E_GONE);
    cr_assert_str_eq(entry.message, "it went\\x0aaway");
    dj_text_clear(&text);
    dj_replay_append_words(&text, words);
    dj_replay_append_result(&text, DJ_REPLAY_START, DJ_REPLAY_RUNNING, NULL);
    cr_assert_eq(parse(dj_text_get(&text)), 0);
    cr_assert_eq(entry.exit_code, DJ_REPLAY_RUNNING);
    dj_text_finish(&text);
    dj_text_finish(&canonical);
    dj_replay_entry_finish(&entry);
}

Test(replay_file, entries_written_by_a_person_are_parsed)
{
    cr_assert_eq(
        parse("  dumpsys   'gfxinfo' \"com.x\" frame\\stats\r\n\n# a comment\nexit 4"), 0,
        "%s", err.message);
    cr_assert_str_eq(entry.command, "shell: dumpsys gfxinfo com.x framestats");
    cr_assert_eq(entry.exit_code, 4);
    cr_assert_eq(parse("getprop"), 0);
    cr_assert_eq(entry.exit_code, 0);
    dj_replay_entry_finish(&entry);
}

Test(replay_file, numbers_that_change_with_every_call_are_not_compared)
{
    cr_assert_eq(parse("dumpsys gfxinfo x framestats since=123"), 0);
    cr_assert_str_eq(entry.command, "shell: dumpsys gfxinfo x framestats 'since=N'");
    cr_assert_eq(parse("echo since=12x since="), 0);
    cr_assert_str_eq(entry.command, "shell: echo 'since=12x' 'since='");
    dj_replay_entry_finish(&entry);
}

Test(replay_file, invalid_entries_are_reported_with_their_line)
{
    static const struct {
        const char *text, *says;
    } table[] = {
        {"", "expected a command"},
        {"\nexit 0\n", "expected a command"},
        {"echo 'open\n", "quote is not closed"},
        {"echo\nexit x\n", "line 1 after"},
        {"echo\nexit 0\nexit 256\n", "line 2 after"},
        {"echo\nkind other\n", "line 1 after"},
        {"echo\nerror strange words\n", "line 1 after"},
        {"echo\nmore words\n", "line 1 after"},
    };
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        cr_assert_eq(parse(table[i].text), DJ_E_INVALID, "%s", table[i].text);
        cr_assert(strstr(err.message, table[i].says) != NULL, "%s", err.message);
        cr_assert_null(entry.command);
    }
}

/* ---- folders */

static char folder[64], selector[128];
static struct dj_device *device;
static struct dj_device_result result;

static void make_folder(void)
{
    snprintf(folder, sizeof(folder), "/tmp/dejank-replay-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
    snprintf(selector, sizeof(selector), "replay:%s", folder);
}

static void remove_folder(void)
{
    DIR *directory = opendir(folder);
    struct dirent *found;
    while (directory != NULL && (found = readdir(directory)) != NULL) {
        unlinkat(dirfd(directory), found->d_name, 0);
    }
    closedir(directory);
    rmdir(folder);
    dj_device_result_finish(&result);
}

TestSuite(replay, .init = make_folder, .fini = remove_folder);

static void put(const char *name, const char *text)
{
    char path[192];
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    FILE *file = fopen(path, "we");
    cr_assert(fputs(text, file) >= 0);
    fclose(file);
}

static void open_it(void)
{
    cr_assert_eq(dj_device_open(selector, &device, &err), 0, "%s", err.message);
}

#define SHELL(...) shell((const char *const[]){__VA_ARGS__, NULL})

static int shell(const char *const *argv)
{
    dj_device_result_finish(&result);
    return dj_device_run(device, argv, DJ_SECOND_NS, &result, &err);
}

Test(replay, a_command_that_fails_is_an_error_with_its_message)
{
    static const char *const argv[] = {"cmd", "x", NULL};
    struct dj_text out = {0};
    put("001-command.txt", "cmd x\nexit 0\n");
    put("001-command.out", "fine");
    put("002-command.txt", "cmd x\nexit 2\n");
    put("002-command.out", "");
    put("002-command.err", "\n no x\nat all");
    put("003-command.txt", "cmd x\nexit 3\n");
    put("003-command.out", "");
    open_it();
    cr_assert_eq(
        dj_device_run_or_fail(device, argv, DJ_SECOND_NS, DJ_E_NO_DATA, &out, &err), 0);
    cr_expect_str_eq(dj_text_get(&out), "fine");
    dj_text_finish(&out);
    cr_assert_eq(
        dj_device_run_or_fail(device, argv, DJ_SECOND_NS, DJ_E_NO_DATA, NULL, &err),
        DJ_E_NO_DATA);
    cr_expect(strstr(err.message, "`cmd x` failed with exit code 2: no x") != NULL &&
                  strstr(err.message, "at all") == NULL,
              "%s", err.message);
    cr_assert_eq(
        dj_device_run_or_fail(device, argv, DJ_SECOND_NS, DJ_E_UNSUPPORTED, NULL, &err),
        DJ_E_UNSUPPORTED);
    cr_expect(strstr(err.message, "exit code 3: it printed no message"), "%s",
              err.message);
    dj_device_close(device);
}

Test(replay, equal_commands_answer_in_order_and_the_last_repeats)
{
    put("002-command.txt", "echo a\nexit 2\n");
    put("002-command.out", "second");
    put("001-command.txt", "echo a\nexit 1\n");
    put("001-command.out", "first");
    put("010-command.txt", "echo b\n");
    put("010-command.out", "");
    put("010-command.err", "talk");
    put("notes.txt", "not ours");
    open_it();
    cr_assert_eq(SHELL("echo", "a"), 0);
    cr_assert_str_eq(dj_text_get(&result.out), "first");
    cr_assert_eq(result.exit_code, 1);
    cr_assert_eq(SHELL("echo", "b"), 0);
    cr_assert_str_eq(dj_text_get(&result.err), "talk");
    for (int i = 0; i < 3; i++) {
        cr_assert_eq(SHELL("echo", "a"), 0);
        cr_assert_str_eq(dj_text_get(&result.out), "second");
    }
    dj_device_close(device);
}

static void story(void)
{
    put("001-command.txt", "am start a\n");
    put("001-command.out", "");
    put("002-command.txt", "ask\n");
    put("002-command.out", "first run");
    put("003-command.txt", "ask\n");
    put("003-command.out", "first run, later");
    put("004-command.txt", "am start a\n");
    put("004-command.out", "");
    put("005-command.txt", "ask\n");
    put("005-command.out", "second run");
}

static void expect_asked(struct dj_device *of, const char *answer)
{
    struct dj_device *other = device;
    device = of;
    cr_assert_eq(SHELL("ask"), 0);
    cr_expect_str_eq(dj_text_get(&result.out), answer);
    device = other;
}

/* Two connections to one device share one position in the recording. A program that runs
 * a command more or less often than during the recording still gets matching answers
 * later. */
Test(replay, steps_separate_runs)
{
    struct dj_device *second;
    story();
    open_it();
    cr_assert_eq(dj_device_open(selector, &second, &err), 0);
    cr_assert_eq(SHELL("am", "start", "a"), 0);
    expect_asked(device, "first run");
    expect_asked(second, "first run, later");
    expect_asked(device, "first run, later");
    cr_assert_eq(SHELL("am", "start", "a"), 0);
    expect_asked(second, "second run");
    dj_device_close(second);
    dj_device_close(device);
    open_it(); /* The device is opened again, as after a disconnection. */
    expect_asked(device, "second run");
    dj_device_close(device);
}

Test(replay, unused_answers_are_past_after_a_step)
{
    story();
    open_it();
    cr_assert_eq(SHELL("am", "start", "a"), 0);
    cr_assert_eq(SHELL("am", "start", "a"), 0);
    expect_asked(device, "second run");
    dj_device_close(device);
}

Test(replay, an_unrecorded_command_is_an_error_that_names_the_nearest)
{
    put("001-command.txt", "getprop ro.product.model\n");
    put("002-command.txt", "dumpsys gfxinfo com.example.app framestats\n");
    open_it();
    cr_assert_eq(SHELL("dumpsys", "gfxinfo", "com.example.other"), DJ_E_NO_DATA);
    cr_assert(strstr(err.message, "com.example.other") != NULL, "%s", err.message);
    cr_assert(strstr(err.message, "most similar command is 002: \"shell: dumpsys gfxinfo "
                                  "com.example.app framestats\"") != NULL,
              "%s", err.message);
    dj_device_close(device);
}

Test(replay, a_missing_output_file_is_named)
{
    put("001-command.txt", "getprop\n");
    open_it();
    cr_assert_eq(SHELL("getprop"), DJ_E_NOT_FOUND);
    cr_assert(strstr(err.message, "001-command.out") != NULL, "%s", err.message);
    dj_device_close(device);
}

Test(replay, errors_are_replayed)
{
    put("001-command.txt", "true\nerror gone 0123: it was unplugged\n");
    open_it();
    cr_assert_eq(SHELL("true"), DJ_E_GONE);
    cr_assert_str_eq(err.message, "0123: it was unplugged");
    dj_device_close(device);
}

Test(replay, invalid_folders_are_errors)
{
    cr_assert_eq(dj_device_open(selector, &device, &err), DJ_E_NOT_FOUND);
    cr_assert(strstr(err.message, "nothing is recorded") != NULL);
    cr_assert_eq(dj_device_open("replay:/no/such/folder", &device, &err), DJ_E_NOT_FOUND);
    cr_assert_eq(dj_device_open("replay:", &device, &err), DJ_E_NOT_FOUND);
    put("001-command.txt", "echo\nwhat\n");
    cr_assert_eq(dj_device_open(selector, &device, &err), DJ_E_INVALID);
    cr_assert(strstr(err.message, "001-command.txt") != NULL, "%s", err.message);
}

static int64_t at_once(void *user)
{
    (void)user;
    return 0;
}

Test(replay, an_interrupt_ends_a_replayed_command)
{
    put("001-command.txt", "true\n");
    put("001-command.out", "");
    open_it();
    device->interrupt.latest_ns = at_once;
    cr_assert_eq(SHELL("true"), DJ_E_INTERRUPTED);
    dj_device_close(device);
}

Test(replay, the_time_of_a_reading_is_replayed)
{
    put("001-command.txt", "dumpsys gfxinfo com.x\n");
    put("001-command.out", "Applications Graphics Acceleration Info:\n"
                           "Uptime: 5000 Realtime: 9000\n\n"
                           "** Graphics info for pid 7 [com.x] **\n\n"
                           "Total frames rendered: 3\nJanky frames: 0 (0.00%)\n");
    open_it();
    struct dj_device_gfxinfo reading = {0};
    const struct dj_gfxinfo_request request = {.package = "com.x", .since_ns = -1};
    int64_t dev_ns, uncertainty_ns;
    cr_assert_eq(dj_device_read_clock(device, &dev_ns, &uncertainty_ns, &err),
                 DJ_E_NO_DATA);
    cr_assert_eq(dj_device_read_gfxinfo(device, &request, &reading, &err), 0, "%s",
                 err.message);
    cr_assert_eq(reading.dump.process_count, 1);
    cr_assert(device->slept.known);
    cr_assert_eq(device->slept.ns, 4000 * DJ_MILLISECOND_NS);
    cr_assert_eq(dj_device_read_clock(device, &dev_ns, &uncertainty_ns, &err), 0);
    cr_assert_geq(dev_ns, 5 * DJ_SECOND_NS);
    cr_assert_lt(dev_ns, 60 * DJ_SECOND_NS);
    dj_device_gfxinfo_finish(&reading);
    dj_device_close(device);
}

/* ---- recording this machine and replaying it */

static void record(void)
{
    cr_assert_eq(dj_device_open_recorded("local:", folder, &device, &err), 0, "%s",
                 err.message);
    cr_assert_str_eq(device->name, "local:");
}

Test(replay, recordings_are_replayed)
{
    char file[128];
    struct dj_text bytes = {0};
    int64_t clock_ns[3], uncertainty_ns[3];
    snprintf(file, sizeof(file), "%s/binary", folder);
    put("binary", "bin\x01\xff");
    record();
    cr_assert_eq(SHELL("sh", "-c", "echo 'it''s'; printf '\\0\\377'; echo e >&2; exit 3"),
                 0);
    cr_assert_eq(SHELL("dejank-no-such-program"), DJ_E_NOT_FOUND);
    cr_assert_eq(dj_device_pull(device, file, &bytes, &err), 0);
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(dj_device_read_clock(device, &clock_ns[i], &uncertainty_ns[i], &err),
                     0);
    }
    dj_device_close(device);

    open_it();
    cr_assert_eq(SHELL("sh", "-c", "echo 'it''s'; printf '\\0\\377'; echo e >&2; exit 3"),
                 0);
    cr_assert_eq(result.exit_code, 3);
    cr_assert_eq(result.out.length, 6);
    cr_assert_arr_eq(result.out.data, "its\n\0\377", 6);
    cr_assert_str_eq(dj_text_get(&result.err), "e\n");
    cr_assert_eq(SHELL("dejank-no-such-program"), DJ_E_NOT_FOUND);
    dj_text_clear(&bytes);
    cr_assert_eq(dj_device_pull(device, file, &bytes, &err), 0);
    cr_assert_str_eq(dj_text_get(&bytes), "bin\x01\xff");
    for (int i = 0; i < 2; i++) {
        int64_t again_ns;
        cr_assert_eq(dj_device_read_clock(device, &again_ns, &uncertainty_ns[2], &err),
                     0);
        cr_assert_eq(again_ns, clock_ns[i]);
        cr_assert_eq(uncertainty_ns[2], 0);
    }
    dj_device_close(device);
    dj_text_finish(&bytes);
}

static int read_process(const char *const *argv, struct dj_text *out, bool *ended)
{
    struct dj_device_process *process;
    cr_assert_eq(dj_device_start(device, argv, &process, &err), 0, "%s", err.message);
    cr_assert_eq(dj_device_process_write(process, "word\n", 5, &err), 0);
    int64_t end_ns = dj_host_now_ns() + DJ_SECOND_NS / 2;
    *ended = false;
    while (!*ended && dj_host_now_ns() < end_ns) {
        cr_assert_eq(
            dj_device_process_read(process, DJ_SECOND_NS / 10, out, out, ended, &err), 0);
    }
    int code = dj_device_process_exit_code(process);
    dj_device_process_close(process);
    return code;
}

Test(replay, running_commands_are_recorded)
{
    static const char *const ends[] = {"sh", "-c", "read w; echo $w; exit 5", NULL};
    static const char *const stays[] = {"sh", "-c", "read w; echo $w; exec sleep 60",
                                        NULL};
    struct dj_text out = {0};
    bool ended;
    record();
    cr_assert_eq(read_process(ends, &out, &ended), 5);
    cr_assert_eq(read_process(stays, &out, &ended), -1);
    dj_device_close(device);
    dj_text_clear(&out);

    open_it();
    cr_assert_eq(read_process(ends, &out, &ended), 5);
    cr_assert(ended);
    cr_assert_str_eq(dj_text_get(&out), "word\n");
    dj_text_clear(&out);
    cr_assert_eq(read_process(stays, &out, &ended), -1);
    cr_assert_not(ended);
    cr_assert_str_eq(dj_text_get(&out), "word\n");
    dj_device_close(device);
    dj_text_finish(&out);
}

Test(replay, recording_continues_in_an_existing_folder)
{
    record();
    cr_assert_eq(SHELL("echo", "one"), 0);
    dj_device_close(device);
    record();
    cr_assert_eq(SHELL("echo", "one"), 0);
    cr_assert_eq(SHELL("echo", "two"), 0);
    dj_device_close(device);
    char path[192];
    snprintf(path, sizeof(path), "%s/003-command.txt", folder);
    cr_assert_eq(access(path, R_OK), 0);
    open_it();
    cr_assert_eq(SHELL("echo", "two"), 0);
    cr_assert_str_eq(dj_text_get(&result.out), "two\n");
    dj_device_close(device);
}

Test(replay, an_unwritable_folder_is_an_error)
{
    put("file", "");
    strncat(folder, "/file", sizeof(folder) - strlen(folder) - 1);
    cr_assert_eq(dj_device_open_recorded("local:", folder, &device, &err), DJ_E_OUTPUT);
    cr_assert_null(device);
    folder[strlen(folder) - 5] = '\0';
}

static size_t resident_bytes(void)
{
    long pages = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    cr_assert_eq(fscanf(file, "%ld %ld", &pages, &resident), 2);
    fclose(file);
    return (size_t)resident * 4096;
}

Test(replay, a_hundred_open_recordings_share_memory)
{
    struct dj_device *many[100];
    for (int i = 0; i < 200; i++) {
        char name[64], text[160];
        snprintf(name, sizeof(name), "%03d-command.txt", i);
        snprintf(text, sizeof(text),
                 "dumpsys gfxinfo com.example.app%d framestats reset\n", i);
        put(name, text);
    }
    size_t before = resident_bytes();
    cr_assert_gt(before, 0);
    for (int i = 0; i < 100; i++) {
        cr_assert_eq(dj_device_open(selector, &many[i], &err), 0);
    }
    /* There are 200 commands of about 60 bytes each. Their answers are not loaded. */
#ifndef __SANITIZE_ADDRESS__ /* AddressSanitizer keeps freed memory. */
    cr_assert_lt(resident_bytes() - before, 100 * 64 * 1024);
#endif
    for (int i = 0; i < 100; i++) {
        dj_device_close(many[i]);
    }
}
