/* Chooses a process of gfxinfo text and finds the windows of a run. */
#include <criterion/criterion.h>
#include <string.h>

#include "import/run_file.h"

#define SERVICE "Applications Graphics Acceleration Info:\nUptime: 9000 Realtime: 9000\n"
#define PROCESS(PID, NAME) "\n** Graphics info for pid " PID " [" NAME "] **\n"
#define COUNTED(FRAMES) "Total frames rendered: " FRAMES "\n"
#define WINDOWS "\nProfile data in ms:\n\n"
#define WINDOW(TITLE) "\t" TITLE " (visibility=0)\n"
#define ROWS(ROWS)                                                                       \
    "---PROFILEDATA---\nFlags,IntendedVsync,FrameCompleted,\n" ROWS "---PROFILEDATA---"  \
    "\n"

static struct dj_text messages;
static struct dj_import_file file;

static void receive_message(void *user, const char *message)
{
    dj_text_format(user, "%s\n", message);
}

static void start(void)
{
    static const struct dj_messages receiver = {receive_message, &messages};
    file = (struct dj_import_file){.messages = &receiver, .source = "a.txt"};
}

static void finish(void)
{
    dj_import_finish(&file);
    dj_text_finish(&messages);
}

TestSuite(run_file_gfxinfo, .init = start, .fini = finish);

static bool read_text(const char *text, const char *package)
{
    finish();
    start();
    dj_text_add(&file.raw, text);
    return dj_import_gfxinfo("fallback", package, &file);
}

static void expect_message(const char *expected)
{
    cr_expect(strstr(dj_text_get(&messages), expected) != NULL, "%s",
              dj_text_get(&messages));
}

static void expect_span(const struct dj_span *span, int64_t start_ns, int64_t end_ns)
{
    cr_expect_eq(span->start_ns, start_ns, "start %lld", (long long)span->start_ns);
    cr_expect_eq(span->end_ns, end_ns, "end %lld", (long long)span->end_ns);
}

Test(run_file_gfxinfo, the_only_process_is_chosen)
{
    cr_assert(read_text(SERVICE PROCESS("7", "com.x") COUNTED("12"), NULL));
    cr_expect_str_eq(file.format, "gfxinfo");
    cr_expect_str_eq(file.package, "com.x");
    cr_expect_eq(file.outcome, DJ_RUN_OK);
    cr_expect_eq(file.frames, 12);
    cr_expect_eq(file.text.length, 0, "the whole file is the text of the process");
    expect_span(&file.span, 0, 0);
}

Test(run_file_gfxinfo, the_only_process_that_drew_is_chosen)
{
    cr_assert(read_text(SERVICE PROCESS("7", "com.idle") COUNTED("0")
                            PROCESS("8", "com.x") COUNTED("3"),
                        NULL));
    cr_expect_str_eq(file.package, "com.x");
    cr_expect_eq(file.frames, 3);
    cr_expect_str_eq(dj_text_get(&file.text),
                     SERVICE "\n** Graphics info for pid 8 [com.x] **\n" COUNTED("3"));
}

Test(run_file_gfxinfo, several_processes_need_a_choice)
{
    static const char text[] =
        SERVICE PROCESS("7", "com.y") COUNTED("2") PROCESS("8", "com.x") COUNTED("3");
    cr_assert_not(read_text(text, NULL));
    expect_message("a.txt: ");
    expect_message("--package");
    expect_message("com.y, com.x");
    cr_assert(read_text(text, "com.y"));
    cr_expect_str_eq(file.package, "com.y");
    cr_expect_eq(file.frames, 2);
    cr_expect(strstr(dj_text_get(&file.text), "com.x") == NULL);
}

Test(run_file_gfxinfo, a_process_that_is_missing_is_an_error)
{
    cr_assert_not(read_text(SERVICE PROCESS("7", "com.y") COUNTED("2"), "com.x"));
    expect_message("'com.x'");
    expect_message("com.y");
}

Test(run_file_gfxinfo, sections_of_one_process_are_one_run)
{
    cr_assert(read_text(SERVICE PROCESS("7", "com.x") COUNTED("2") PROCESS("8", "com.xy")
                            COUNTED("4") PROCESS("9", "com.x") COUNTED("3"),
                        "com.x"));
    cr_expect_eq(file.frames, 5);
    cr_expect(strstr(dj_text_get(&file.text), "pid 7") != NULL);
    cr_expect(strstr(dj_text_get(&file.text), "pid 8") == NULL, "the names differ");
    cr_expect(strstr(dj_text_get(&file.text), "pid 9") != NULL);
}

Test(run_file_gfxinfo, a_process_without_a_name_gets_one)
{
    static const char text[] = SERVICE COUNTED("2");
    cr_assert(read_text(text, NULL));
    cr_expect_str_eq(file.package, "fallback");
    cr_assert(read_text(text, "com.x"));
    cr_expect_str_eq(file.package, "com.x");
}

Test(run_file_gfxinfo, rows_are_counted_instead_of_frames)
{
    cr_assert(read_text(SERVICE PROCESS("7", "com.x") COUNTED("50") WINDOWS WINDOW("a")
                            ROWS("0,2000,2500,\n0,1000,1500,\n"),
                        NULL));
    cr_expect_eq(file.frames, 2);
    expect_span(&file.span, 1000, 2001);
    cr_expect_eq(file.window_count, 0, "a single window is the whole run");
}

Test(run_file_gfxinfo, separate_windows_of_the_dump_are_windows_of_the_run)
{
    cr_assert(read_text(SERVICE PROCESS("7", "com.x") WINDOWS WINDOW("a")
                            ROWS("0,1000,1500,\n0,2000,2500,\n") WINDOW("b")
                                ROWS("0,3000,3500,\n") PROCESS("7", "com.x")
                                    WINDOWS WINDOW("a") ROWS("0,2500,2600,\n"),
                        NULL));
    cr_assert_eq(file.window_count, 2);
    cr_expect_str_eq(file.windows[0].name, "a");
    expect_span(&file.windows[0].span, 1000, 2501);
    cr_expect_str_eq(file.windows[1].name, "b");
    expect_span(&file.windows[1].span, 3000, 3001);
    expect_span(&file.span, 1000, 3001);
}

Test(run_file_gfxinfo, overlapping_windows_are_not_windows_of_the_run)
{
    cr_assert(read_text(SERVICE PROCESS("7", "com.x") WINDOWS WINDOW("a")
                            ROWS("0,1000,1500,\n0,3000,3500,\n") WINDOW("b")
                                ROWS("0,3000,3600,\n"),
                        NULL));
    cr_expect_eq(file.window_count, 0);
    cr_expect_null(file.windows);
    expect_span(&file.span, 1000, 3001);
}

Test(run_file_gfxinfo, frames_without_a_start_have_no_span)
{
    cr_assert(read_text(SERVICE PROCESS("7", "com.x") COUNTED("1") WINDOWS WINDOW("a")
                            ROWS("0,0,1500,\n"),
                        NULL));
    expect_span(&file.span, 0, 0);
}

Test(run_file_gfxinfo, the_latest_possible_start_does_not_overflow_the_span)
{
    cr_assert(read_text(SERVICE PROCESS("7", "com.x") COUNTED("1") WINDOWS WINDOW("a")
                            ROWS("0,1000,1500,\n"
                                 "0,9223372036854775807,9223372036854775807,\n"),
                        NULL));
    expect_span(&file.span, 1000, INT64_MAX);
}

Test(run_file_gfxinfo, a_dump_without_frames_is_a_failed_run)
{
    cr_assert(read_text(SERVICE PROCESS("7", "com.x") COUNTED("0"), NULL));
    cr_expect_eq(file.outcome, DJ_RUN_NO_FRAMES);
    cr_expect(file.reason[0] != '\0');
    cr_assert(read_text("No process found for: com.x\n", NULL));
    cr_expect_eq(file.outcome, DJ_RUN_APP_GONE);
    cr_expect_str_eq(file.package, "fallback");
}

Test(run_file_gfxinfo, other_text_is_no_run)
{
    cr_assert_not(read_text("hello\n", NULL));
    expect_message("a.txt:1: expected gfxinfo text, or a log");
}

Test(run_file_gfxinfo, more_than_64_processes_are_ignored)
{
    struct dj_text text = {0};
    dj_text_add(&text, SERVICE);
    for (int i = 0; i < 70; i++) {
        dj_text_format(&text, PROCESS("%d", "com.p%d") COUNTED("1"), 100 + i, i);
    }
    cr_assert(read_text(dj_text_get(&text), "com.p63"));
    cr_expect_eq(file.frames, 1);
    cr_expect_not(read_text(dj_text_get(&text), "com.p64"));
    dj_text_finish(&text);
}
