#include <criterion/criterion.h>
#include <string.h>

#include "support.h"

TestSuite(parse_lines, .fini = finish_reading);

Test(parse_lines, the_error_without_gfxinfo_states_what_was_expected)
{
    static const char *const texts[] = {
        "",
        "\n",
        "hello\n",
        "Uptime: 1 Realtime: 2\n",
        "Note: process has ended\n",
        "Window: x\n",
        "Pipeline=Skia\n",
        "1,2,3\n",
        "Flags,\n",
        "{\"a\": [1, 2]}\n",
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        cr_assert_eq(parse(texts[i]), DJ_E_NO_DATA, "\"%s\"", texts[i]);
        cr_assert_eq(err.code, DJ_E_NO_DATA);
        cr_assert_not_null(strstr(err.message, "expected"));
        cr_assert_eq(dump.process_count, 0);
        dj_gfxinfo_dump_finish(&dump);
    }
}

Test(parse_lines, null_with_length_zero_is_allowed)
{
    cr_assert_eq(dj_gfxinfo_parse_dump(NULL, 0, &dump, NULL, NULL), DJ_E_NO_DATA);
}

Test(parse_lines, a_missing_process_is_read)
{
    cr_assert_eq(parse("No process found for: com.x y\r\n"), 0);
    cr_assert_str_eq(dump.not_found, "com.x y");
    cr_assert_eq(dump.process_count, 0);
}

Test(parse_lines, processes_have_precedence_over_not_found)
{
    cr_assert_eq(parse("No process found for: a\n** Graphics info for pid 3 [b] **\n"),
                 0);
    cr_assert_null(dump.not_found);
    cr_assert_eq(dump.process_count, 1);
}

Test(parse_lines, refusals_are_named)
{
    cr_assert_eq(
        parse(
            "Permission Denial: can't dump gfxinfo from from pid=1, uid=2 due to missing"
            " android.permission.DUMP permission\n"),
        DJ_E_NO_DATA);
    cr_assert_eq(report.refusal, DJ_REFUSAL_DENIED);
    cr_assert_not_null(strstr(err.message, "permission"));
    dj_gfxinfo_dump_finish(&dump);
    cr_assert_eq(
        parse("** Graphics info for pid 12 [com.x] **\nFailure while dumping the app: "
              "ProcessRecord{1 2:com.x/u0}\n"),
        0);
    cr_assert_eq(report.refusal, DJ_REFUSAL_FAILED);
    cr_assert_eq(dump.process_count, 1);
}

Test(parse_lines, a_service_without_apps_is_a_dump)
{
    cr_assert_eq(
        parse("Applications Graphics Acceleration Info:\nUptime: 12 Realtime: 34\n"), 0);
    cr_assert_eq(dump.uptime_ms, 12);
    cr_assert_eq(dump.realtime_ms, 34);
    cr_assert_eq(dump.process_count, 0);
}

Test(parse_lines, nul_bytes_and_escapes_are_accepted)
{
    static const char text[] =
        "** Graphics info for pid 1 [a\0b\x1b[2J] **\nTotal frames rendered: 1\0\n";
    cr_assert_eq(parse_bytes(text, sizeof(text) - 1), 0);
    cr_assert_str_eq(dump.processes[0].name, "a b\x1b[2J");
    cr_assert_eq(dump.processes[0].stats.stats.counter[DJ_COUNTER_TOTAL], 1);
}

Test(parse_lines, too_many_windows_are_reported)
{
    struct dj_text text = {0};
    dj_text_add(&text, "** Graphics info for pid 1 [a] **\n");
    for (int i = 0; i < 70000; i++) {
        dj_text_add(&text, "\tw (visibility=0)\n");
    }
    cr_assert_eq(parse_bytes(text.data, text.length), 0);
    cr_assert_eq(dump.processes[0].window_count, 65536);
    cr_assert(warned_of("more than 65536 windows"));
    dj_text_finish(&text);
}

static const struct {
    const char *line;
    enum dj_refusal refusal;
} refusals[] = {
    {"Permission Denial: can't dump gfxinfo from from pid=1, uid=2 without permission "
     "android.permission.DUMP",
     DJ_REFUSAL_DENIED},
    {"Permission Denial: can't dump gfxinfo from from pid=1, uid=2 due to missing "
     "android.permission.DUMP permission",
     DJ_REFUSAL_DENIED},
    {"Failure while dumping the app: ProcessRecord{1a2b 1234:com.x/u0a1}",
     DJ_REFUSAL_FAILED},
    {"Got a RemoteException while dumping the app ProcessRecord{1a2b 1234:com.x/u0a1}",
     DJ_REFUSAL_FAILED},
};

static const char *const befores[] = {
    "",
    "> ",
    "    ",
    "I/x( 12): ",
    "07-04 12:00:00.123  1234  1260 I adb: ",
    "\xEF\xBB\xBF",
};

Test(parse_lines, refusals_have_positions)
{
    for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
        for (size_t k = 0; k < sizeof(befores) / sizeof(befores[0]); k++) {
            struct dj_text text = {0};
            dj_text_format(&text, "hello\r\n\nworld\n%s%s\r\nbye\n", befores[k],
                           refusals[i].line);
            cr_assert_eq(parse_text(&text), DJ_E_NO_DATA);
            cr_assert_eq(report.refusal, refusals[i].refusal, "\"%s%s\"", befores[k],
                         refusals[i].line);
            cr_assert_eq(report.refusal_line, 4, "\"%s%s\"", befores[k],
                         refusals[i].line);
            cr_assert_eq(report.refusal_byte, 14);
            cr_assert_eq(warnings_in(&report), 1, "\"%s%s\": %zu", befores[k],
                         refusals[i].line, report.warning_count);
            cr_assert_eq(report.warning[0].line, 4);
            cr_assert_eq(report.warning[0].byte, 14);
            cr_assert_not(report.seen);
            cr_assert_not_null(
                strstr(err.message, refusals[i].refusal == DJ_REFUSAL_DENIED
                                        ? "permission"
                                        : "did not answer"));
            dj_text_finish(&text);
        }
    }
}

Test(parse_lines, a_missing_process_has_a_position)
{
    for (size_t k = 0; k < sizeof(befores) / sizeof(befores[0]); k++) {
        struct dj_text text = {0};
        dj_text_format(&text, "hello\n\n%sNo process found for: com.example.app\r\n",
                       befores[k]);
        cr_assert_eq(parse_text(&text), 0, "\"%s\"", befores[k]);
        cr_assert_str_eq(dump.not_found, "com.example.app");
        cr_assert_eq(report.not_found_line, 3);
        cr_assert_eq(report.not_found_byte, 7);
        cr_assert_eq(warnings_in(&report), 0);
        dj_text_finish(&text);
    }
}

/* An app that stops answering has often written some text before. */
Test(parse_lines, text_before_a_failure_is_kept)
{
    cr_assert_eq(parse("** Graphics info for pid 1 [a] **\nTotal frames rendered: 9\n"
                       "Profile data in ms:\n\n\ta/a (visibility=0)\n---PROFILEDATA---\n"
                       "Flags,IntendedVsync,FrameCompleted,\n0,100,200,\n"
                       "Failure while dumping the app: ProcessRecord{1 2:a/u0}\n"
                       "** Graphics info for pid 2 [b] **\nTotal frames rendered: 8\n"),
                 0);
    cr_assert_eq(dump.process_count, 2);
    cr_assert_eq(dump.processes[0].stats.stats.counter[DJ_COUNTER_TOTAL], 9);
    cr_assert_eq(dump.processes[0].windows[0].frame_count, 1);
    cr_assert_eq(dump.processes[1].stats.stats.counter[DJ_COUNTER_TOTAL], 8);
    cr_assert_eq(report.refusal, DJ_REFUSAL_FAILED);
    cr_assert_eq(report.refusal_line, 9);
}

Test(parse_lines, the_last_refusal_is_used)
{
    cr_assert_eq(parse("Failure while dumping the app: a\n"
                       "Permission Denial: can't dump gfxinfo from from pid=1, uid=2\n"),
                 DJ_E_NO_DATA);
    cr_assert_eq(report.refusal, DJ_REFUSAL_DENIED);
    cr_assert_eq(report.refusal_line, 2);
    cr_assert_eq(warnings_in(&report), 2);
}

Test(parse_lines, headers_of_processes_are_read)
{
    static const struct {
        const char *line, *name;
        int64_t pid;
    } headers[] = {
        {"** Graphics info for pid 2599 [com.example] **", "com.example", 2599},
        {"** Graphics info for pid 2599 [com.example:remote] **", "com.example:remote",
         2599},
        {"** Graphics info for pid 2599 [a [b] c] **", "a [b] c", 2599},
        {"** Graphics info for pid 2599 [] **", "", 2599},
        {"** Graphics info for pid 2599 [  a  ] **", "a", 2599},
        {"** Graphics info for pid 2599 **", NULL, 2599},
        {"** Graphics info for pid 2599", NULL, 2599},
        {"** Graphics info for pid 2599 ] [ **", NULL, 2599},
        {"** Graphics info for pid 9223372036854775807 [a] **", "a", INT64_MAX},
        {"** Graphics info for pid 9223372036854775808 [a] **", "a", -1},
        {"** Graphics info for pid [a] **", "a", -1},
        {"** Graphics info for pid x [a] **", "a", -1},
    };
    for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++) {
        struct dj_text text = {0};
        dj_text_format(&text, "%s\nTotal frames rendered: 5\n", headers[i].line);
        cr_assert_eq(parse_text(&text), 0, "%s", headers[i].line);
        cr_assert_eq(only_process()->pid, headers[i].pid, "%s", headers[i].line);
        cr_assert((headers[i].name == NULL) == (only_process()->name == NULL), "%s",
                  headers[i].line);
        cr_assert(headers[i].name == NULL ||
                      strcmp(headers[i].name, only_process()->name) == 0,
                  "%s", headers[i].line);
        bool cut = headers[i].line[strlen(headers[i].line) - 1] != '*';
        cr_assert_eq(warnings_in(&report), headers[i].pid < 0 || cut);
        cr_assert_eq(only_process()->stats.stats.counter[DJ_COUNTER_TOTAL], 5);
        dj_text_finish(&text);
    }
}

Test(parse_lines, the_uptime_is_read)
{
    static const struct {
        const char *line;
        int64_t uptime_ms, realtime_ms;
    } lines[] = {
        {"Uptime: 12 Realtime: 34", 12, 34},
        {"Uptime: 12  Realtime:34", 12, 34},
        {"Uptime: 9223372036854775807 Realtime: 9223372036854775807", INT64_MAX,
         INT64_MAX},
        {"Uptime: 9223372036854775808 Realtime: 34", -1, -1},
        {"Uptime: -5 Realtime: 34", -1, -1},
        {"Uptime: 12 Realtime: -34", -1, -1},
        {"Uptime: 12", -1, -1},
        {"Uptime: x Realtime: y", -1, -1},
    };
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        struct dj_text text = {0};
        dj_text_format(&text, "Applications Graphics Acceleration Info:\n%s\n",
                       lines[i].line);
        cr_assert_eq(parse_text(&text), 0);
        cr_assert_eq(dump.uptime_ms, lines[i].uptime_ms, "%s", lines[i].line);
        cr_assert_eq(dump.realtime_ms, lines[i].realtime_ms, "%s", lines[i].line);
        dj_text_finish(&text);
    }
}

Test(parse_lines, titles_of_windows_are_read)
{
    static const struct {
        const char *line, *title;
        int visibility;
    } titles[] = {
        {"\tcom.x/com.x.Main/android.view.ViewRootImpl@1d5ddd6 (visibility=0)",
         "com.x/com.x.Main/android.view.ViewRootImpl@1d5ddd6", 0},
        {"com.x/com.x.Main (visibility=4)", "com.x/com.x.Main", 4},
        {"\tToast (visibility=8)", "Toast", 8},
        {"\t (visibility=0)", NULL, 0},
        {"\ta (visibility=0) b (visibility=4)", "a (visibility=0) b", 4},
        {"\ta (visibility=-1)", "a", -1},
        {"\tTotal frames rendered: 12 (visibility=0)", "Total frames rendered: 12", 0},
        {"\tWindow: x (visibility=0)", "Window: x", 0},
        {"\t---PROFILEDATA--- (visibility=0)", "---PROFILEDATA---", 0},
        {"\t** Graphics info for pid 3 [x] ** (visibility=0)",
         "** Graphics info for pid 3 [x] **", 0},
        {"\t\x1b[31mred\x07 (visibility=0)", "\x1b[31mred\x07", 0},
        {"\t\xff\xfe (visibility=0)", "\xff\xfe", 0},
        {"\tPackage: x (visibility=0)", "Package: x", 0},
    };
    for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++) {
        struct dj_text text = {0};
        dj_text_format(&text,
                       "** Graphics info for pid 1 [a] **\n\nProfile data in ms:\n"
                       "\n%s\nTotal frames rendered: 5\n",
                       titles[i].line);
        cr_assert_eq(parse_text(&text), 0);
        cr_assert((titles[i].title == NULL) == (only_window()->title == NULL));
        cr_assert(titles[i].title == NULL ||
                      strcmp(titles[i].title, only_window()->title) == 0,
                  "%s", titles[i].line);
        cr_assert_eq(only_window()->visibility, titles[i].visibility);
        cr_assert_eq(only_window()->stats.stats.counter[DJ_COUNTER_TOTAL], 5);
        cr_assert_eq(warnings_in(&report), 0);
        dj_text_finish(&text);
    }
}

Test(parse_lines, a_window_of_statistics_needs_no_blank_before_its_title)
{
    static const char *const lines[] = {"Window: x", "Window:x", "Window:  x", "Window:"};
    static const char *const titles[] = {"x", "x", "x", ""};
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        struct dj_text text = {0};
        dj_text_format(&text,
                       "** Graphics info for pid 1 [a] **\n\n%s\n"
                       "Total frames rendered: 5\n",
                       lines[i]);
        cr_assert_eq(parse_text(&text), 0);
        cr_assert_str_eq(only_window()->stats_title, titles[i], "%s", lines[i]);
        dj_text_finish(&text);
    }
}

Test(parse_lines, similar_lines_are_not_titles)
{
    static const char *const lines[] = {
        "a (visibility=)",          "a (visibility=x)", "a (visibility=300)",
        "a (visibility=0",          "a (visible=0)",    "a visibility=0)",
        "a (visibility=0) and more"};
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        struct dj_text text = {0};
        dj_text_format(&text, "** Graphics info for pid 1 [a] **\n%s\n", lines[i]);
        cr_assert_eq(parse_text(&text), 0);
        cr_assert_eq(only_process()->window_count, 0, "%s", lines[i]);
        cr_assert_eq(only_process()->section_count, 1);
        cr_assert_str_eq(only_process()->sections[0].text, lines[i]);
        dj_text_finish(&text);
    }
}

/* Several windows may have the same title, and a window may be empty. */
Test(parse_lines, windows_may_have_equal_names_and_be_empty)
{
    cr_assert_eq(parse("** Graphics info for pid 1 [a] **\n\nProfile data in ms:\n"
                       "\n\tPopup (visibility=0)\n\n\tPopup (visibility=8)\n"
                       "\n\tPopup (visibility=0)\nTotal frames rendered: 5\n"),
                 0);
    cr_assert_eq(only_process()->window_count, 3);
    for (size_t i = 0; i < 3; i++) {
        const struct dj_dump_window *window = &only_process()->windows[i];
        cr_assert_str_eq(window->title, "Popup");
        cr_assert_eq(window->visibility, i == 1 ? 8 : 0);
        cr_assert_eq(window->stats.present, i == 2);
        cr_assert_not(window->has_frames);
        cr_assert_not(window->has_profile);
    }
}

Test(parse_lines, random_bytes_are_accepted)
{
    uint64_t state = 88172645463325252ULL;
    for (int round = 0; round < 300; round++) {
        char bytes[600];
        for (size_t i = 0; i < sizeof(bytes); i++) {
            static const char likely[] = "0123456789,,,\n\n\t -=:;()[]*>|ms@/";
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            bytes[i] = state % 4 == 0 ? (char)(state >> 32)
                                      : likely[(state >> 32) % (sizeof(likely) - 1)];
        }
        int code = parse_bytes(bytes, sizeof(bytes));
        cr_assert(code == 0 || code == DJ_E_NO_DATA);
        cr_assert_eq(report.bytes, sizeof(bytes));
        cr_assert_leq(report.rows_bad, report.rows);
    }
}

/* Complete lines of a dump in any order. Each line that has a meaning on its own is
 * read. */
Test(parse_lines, lines_are_read_in_any_order)
{
    static const char *const lines[] = {
        "** Graphics info for pid 1 [a] **\n",
        "Total frames rendered: 5\n",
        "\ta/a (visibility=0)\n",
        "---PROFILEDATA---\n",
        "Flags,IntendedVsync,FrameCompleted,\n",
        "0,100,200,\n",
        "\tDraw\tPrepare\tProcess\tExecute\n",
        "\t1.00\t2.00\t3.00\t4.00\n",
        "HISTOGRAM: 5ms=1 6ms=2\n",
        "Window: a\n",
        "View hierarchy:\n",
        "Profile data in ms:\n",
        "Package: a\n",
        "Version: 1\n",
        "Stats since: 5ns\n",
        "\n",
    };
    enum { LINES = sizeof(lines) / sizeof(lines[0]) };
    uint64_t state = 1;
    for (int round = 0; round < 2000; round++) {
        struct dj_text text = {0};
        struct dj_text first = {0};
        struct dj_text second = {0};
        for (int i = 0; i < 24; i++) {
            state = state * 6364136223846793005ULL + 1442695040888963407ULL;
            dj_text_add(&text, lines[(state >> 33) % LINES]);
        }
        parse_text(&text);
        describe(&first, &dump, DESCRIBE_ALL);
        parse_text(&text);
        describe(&second, &dump, DESCRIBE_ALL);
        expect_same_text(&second, &first, "round", (size_t)round);
        cr_assert_leq(report.rows_bad, report.rows);
        dj_text_finish(&text);
        dj_text_finish(&first);
        dj_text_finish(&second);
    }
}

/* Words of a failure in the name of a process, which other tools' logs may contain. */
Test(parse_lines, a_failure_in_a_name_does_not_end_the_line)
{
    cr_assert_eq(
        parse("** Graphics info for pid 1 [a Failure while dumping the app: b] **\n"
              "Total frames rendered: 3\n"
              "** Graphics info for pid 2 [DUMP OF SERVICE Got a RemoteException "
              "while dumping the app ,] **\nTotal frames rendered: 4\n"
              "\tc Failure while dumping the app: d (visibility=0)\n"
              "---PROFILEDATA---\nFlags,IntendedVsync,FrameCompleted,\n"
              "0,100,200,\n---PROFILEDATA---\n"),
        0);
    cr_assert_eq(dump.process_count, 2);
    cr_assert_eq(dump.processes[0].stats.stats.counter[DJ_COUNTER_TOTAL], 3);
    cr_assert_eq(dump.processes[1].stats.stats.counter[DJ_COUNTER_TOTAL], 4);
    cr_assert_str_eq(dump.processes[0].name, "a");
    cr_assert_eq(dump.processes[1].window_count, 1);
    cr_assert_eq(dump.processes[1].windows[0].frame_count, 1);
}
