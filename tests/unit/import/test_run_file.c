/* Reads files of `dejank import`: gfxinfo text, logs, and archives. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "import/run_file.h"

#define GFXINFO                                                                          \
    "Applications Graphics Acceleration Info:\nUptime: 1 Realtime: 2\n\n"                \
    "** Graphics info for pid 1 [com.x] **\nTotal frames rendered: 5\n"

static char folder[] = "/tmp/dejank-run-file-XXXXXX";
static char path[128];
static struct dj_text messages;
static struct dj_import_file file;

static void receive_message(void *user, const char *message)
{
    dj_text_format(user, "%s\n", message);
}

static void start(void)
{
    cr_assert_not_null(mkdtemp(folder));
}

static void finish(void)
{
    dj_import_finish(&file);
    dj_text_finish(&messages);
    unlink(path);
    rmdir(folder);
}

TestSuite(run_file, .init = start, .fini = finish);

static void write_file(const char *name, const char *text)
{
    unlink(path);
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    FILE *to = fopen(path, "w");
    cr_assert_not_null(to);
    fputs(text, to);
    cr_assert_eq(fclose(to), 0);
}

static bool read_file(const char *name, const char *text, const char *package)
{
    static const struct dj_messages receiver = {receive_message, &messages};
    write_file(name, text);
    dj_import_finish(&file);
    dj_text_finish(&messages);
    return dj_import_read(path, package, &receiver, &file);
}

static void expect_message(const char *expected)
{
    cr_expect(strstr(dj_text_get(&messages), expected) != NULL, "%s",
              dj_text_get(&messages));
}

Test(run_file, gfxinfo_text_is_a_run)
{
    cr_assert(read_file("a.txt", GFXINFO, NULL));
    cr_expect_str_eq(file.source, path);
    cr_expect_str_eq(file.format, "gfxinfo");
    cr_expect_str_eq(file.package, "com.x");
    cr_expect_str_eq(dj_text_get(&file.raw), GFXINFO);
    cr_expect_eq(strlen(file.sha256), DJ_SHA256_HEX_BYTES - 1);
    cr_expect_gt(file.written_unix_ms, INT64_C(1600000000000));
}

Test(run_file, a_log_is_a_run_with_generated_gfxinfo_text)
{
    static const char log[] = "fps,frametime,elapsed\n60,16.5,16500000\n60,17,33500000\n";
    cr_assert(read_file("game.csv", log, NULL), "%s", dj_text_get(&messages));
    cr_expect_str_eq(file.format, "mangohud");
    cr_expect_str_eq(file.package, "game");
    cr_expect_str_eq(dj_text_get(&file.raw), log);
    cr_expect(strstr(dj_text_get(&file.text), "[game]") != NULL);
    cr_expect_eq(file.frames, 2);
    cr_expect_eq(file.log.frames, 2);
}

Test(run_file, the_program_of_a_log_is_named_after_the_file)
{
    static const struct {
        const char *name, *package;
    } cases[] = {
        {"my_game_2024-03-04_05-06-07.csv", "my_game"},
        {"a.b.csv", "a.b"},
        {"plain", "plain"},
        {".csv", ".csv"},
        {"_2024-03-04.csv", "_2024-03-04"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        cr_assert(read_file(cases[i].name, "60,16.5\n60,17\n", NULL));
        cr_expect_str_eq(file.package, cases[i].package);
    }
    cr_assert(read_file("a.csv", "60,16.5\n60,17\n", "com.x"));
    cr_expect_str_eq(file.package, "com.x");
}

Test(run_file, notes_of_a_log_have_their_line)
{
    cr_assert(read_file("a.csv", "fps,frametime\n60,16.5\n60,x\n60,17\n", NULL));
    expect_message("a.csv:3: ");
    cr_expect_eq(file.log.rows_bad, 1);
}

Test(run_file, further_notes_of_a_log_are_counted)
{
    struct dj_text text = {0};
    dj_text_add(&text, "fps,frametime\n60,16.5\n");
    for (int i = 0; i < DJ_LOG_NOTES + 4; i++) {
        dj_text_add(&text, "60,x\n");
    }
    cr_assert(read_file("a.csv", dj_text_get(&text), NULL));
    expect_message(": 4 more notes");
    dj_text_finish(&text);
}

Test(run_file, each_run_of_a_log_is_read)
{
    static const char log[] = "{\"Info\": {\"ProcessName\": \"game.exe\"}, \"Runs\": ["
                              "{\"CaptureData\": {\"MsBetweenPresents\": [16.5, 16.6]}},"
                              "{\"CaptureData\": {\"MsBetweenPresents\": [33.5]}}]}";
    bool is_run = false;
    cr_assert(read_file("a.json", log, NULL), "%s", dj_text_get(&messages));
    cr_expect_str_eq(file.package, "game.exe");
    cr_expect_eq(file.frames, 2);
    cr_assert(dj_import_next(path, NULL, &file, &is_run));
    cr_expect(is_run);
    cr_expect_eq(file.log_run, 1);
    cr_expect_eq(file.frames, 1);
    cr_expect_not(dj_import_next(path, NULL, &file, &is_run));
}

Test(run_file, only_requested_runs_of_a_log_are_read)
{
    static const char log[] =
        "{\"benchmarks\": ["
        "{\"name\": \"a\", \"sampledMetrics\": {\"frameDurationCpuMs\": {\"runs\": "
        "[[5.1]]}}},"
        "{\"name\": \"b\", \"sampledMetrics\": {\"frameDurationCpuMs\": {\"runs\": "
        "[[5.1, 6], [7]]}}}]}";
    bool is_run = false;
    cr_assert(read_file("a.json", log, "b"), "%s", dj_text_get(&messages));
    cr_expect_eq(file.log_run, 1);
    cr_expect_eq(file.frames, 2);
    cr_assert(dj_import_next(path, "b", &file, &is_run));
    cr_expect_eq(file.log_run, 2);
    cr_expect_not(dj_import_next(path, "b", &file, &is_run));
}

Test(run_file, files_that_are_no_run_are_errors)
{
    cr_expect_not(read_file("empty.txt", "", NULL));
    expect_message("the file is empty");
    cr_expect_not(read_file("other.txt", "hello\n", NULL));
    expect_message("other.txt:1: expected gfxinfo text");
    cr_expect_not(dj_import_read("/no/such/file", NULL, file.messages, &file));
    expect_message("cannot open /no/such/file");
}
