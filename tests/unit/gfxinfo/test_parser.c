/* Tests a text that is parsed in chunks. Each dump is emitted as soon as it is complete,
 * and the result does not depend on the chunks. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

enum { MOST_DUMPS = 16 };

/* The dumps that a parser has emitted. */
struct received {
    struct dj_text words;
    unsigned parts;
    size_t dumps;
    int64_t uptime_ms[MOST_DUMPS];
    size_t windows[MOST_DUMPS], rows[MOST_DUMPS];
    bool continues[MOST_DUMPS],
        unfinished[MOST_DUMPS]; /* Fields of the dump's first and last process. */
    /* Number of the dump for which the callback returns an error, from 1, or 0 for
     * none. */
    size_t fail_at;
    bool moves_out;
    struct dj_dump moved;
};

static int receive_dump(void *data, struct dj_dump *emitted)
{
    struct received *received = data;
    cr_assert_lt(received->dumps, MOST_DUMPS);
    size_t n = received->dumps++;
    received->uptime_ms[n] = emitted->uptime_ms;
    for (size_t i = 0; i < emitted->process_count; i++) {
        const struct dj_dump_process *process = &emitted->processes[i];
        received->windows[n] += process->window_count;
        for (size_t k = 0; k < process->window_count; k++) {
            received->rows[n] += process->windows[k].frame_count;
        }
    }
    if (emitted->process_count > 0) {
        received->continues[n] = emitted->processes[0].continues;
        received->unfinished[n] =
            emitted->processes[emitted->process_count - 1].unfinished;
    }
    if (received->parts != 0) {
        describe(&received->words, emitted, received->parts);
    }
    if (received->moves_out) {
        dj_gfxinfo_dump_finish(&received->moved);
        received->moved = *emitted;
        *emitted = (struct dj_dump){0};
    }
    return received->dumps == received->fail_at ? -77 : 0;
}

static struct received received;
static struct dj_parser *parser;

static void set_up(void)
{
    received = (struct received){0};
    parser = dj_gfxinfo_parser_create(receive_dump, &received, &report);
    cr_assert_not_null(parser);
}

static void tear_down(void)
{
    dj_gfxinfo_parser_destroy(parser);
    dj_text_finish(&received.words);
    dj_gfxinfo_dump_finish(&received.moved);
    finish_reading();
}

TestSuite(parser, .init = set_up, .fini = tear_down);

/* Feeds a text in chunks. Each chunk is in its own buffer, which is freed after the
 * call. */
static int feed_bytes(const char *bytes, size_t length, size_t piece)
{
    int result = 0;
    for (size_t at = 0; at < length && result == 0; at += piece) {
        size_t part = length - at < piece ? length - at : piece;
        char *copy = malloc(part);
        cr_assert_not_null(copy);
        memcpy(copy, bytes + at, part);
        result = dj_gfxinfo_parser_feed(parser, copy, part);
        free(copy);
    }
    return result;
}

static int feed(const char *text)
{
    return feed_bytes(text, strlen(text), SIZE_MAX / 2);
}

static void append_log(struct dj_text *out)
{
    dj_text_add(
        out,
        "07-04 12:00:00.123  1234  1260 I OpenGLRenderer: Davey! duration=812ms; "
        "Flags=0, IntendedVsync=123456789012, Vsync=123456789012, FrameCompleted=124\n");
}

/* Appends all kinds of text: dumps of two releases (one of them wrapped and quoted),
 * sentences, malformed lines, an app that did not answer, graphicsstats, and a log. */
static void append_everything(struct dj_text *out)
{
    struct dj_text sample = {0};
    struct dj_text wrapped = {0};
    dj_text_add(out, "\xEF\xBB\xBFHello,\r\n\r\nis this bad?\r\n");
    append_sample(out, &column_sets[1], 111);
    append_log(out);
    append_sample(&sample, &column_sets[5], 222);
    wrap(&wrapped, &sample, 90, false);
    append_with_prefix(out, &wrapped, "> ", "\r\n");
    dj_text_add(out, "** Graphics info for pid x [y] **\nTotal frames rendered: many\n"
                     "Failure while dumping the app: ProcessRecord{1 2:y/u0}\n"
                     "HISTOGRAM: 5ms=1 6ms\n---PROFILEDATA---\n"
                     "Flags,IntendedVsync,FrameCompleted,Mood,\n0,1,2,3,\n0,1,\n0,7,"
                     "99999999999999999999,4,\nwhat?\n0,8,9,bad,\n"
                     "No process found for: z\n");
    dj_text_add(out, "UID: 10123\nPackage: com.example.app\nVersion: 34\n"
                     "Stats since: 1700000000000ns\nStats end: 1700000100000ns\n"
                     "Total frames rendered: 12\nJanky frames: 3 (25.00%)\n"
                     "HISTOGRAM: 5ms=9 6ms=3\n");
    append_sample(out, &column_sets[0], 333);
    /* Whether the first line is a title depends on the second line. */
    dj_text_add(out, "View hierarchy:\n\n  Total frames rendered: 7\n"
                     "  12 views, 3.45 kB of display lists\n  Main\nWindow: x\n");
    dj_text_add(out, "Permission Denial: can't dump gfxinfo from from pid=1, uid=2\n");
    dj_text_add(out, "---PROFILEDATA---\nFlags,IntendedVsync,FrameCompleted,\n0,1,23");
    dj_text_finish(&sample);
    dj_text_finish(&wrapped);
}

/* Appends a description of the result of parsing a text in chunks of this size. */
static void append_description(struct dj_text *out, const struct dj_text *text,
                               size_t piece)
{
    received.parts = DESCRIBE_ALL;
    cr_assert_eq(feed_bytes(dj_text_get(text), text->length, piece), 0);
    cr_assert_eq(dj_gfxinfo_parser_end(parser), 0);
    dj_text_append(out, dj_text_get(&received.words), received.words.length);
    describe_warnings(out, &report);
    dj_text_finish(&received.words);
    tear_down();
    set_up();
}

Test(parser, chunks_of_every_size_give_the_same_dumps_and_warnings)
{
    struct dj_text text = {0};
    struct dj_text whole = {0};
    append_everything(&text);
    append_description(&whole, &text, text.length);
    cr_assert_not_null(strstr(dj_text_get(&whole), "dump 111 128"));
    cr_assert_not_null(strstr(dj_text_get(&whole), "dump 222 239"));
    cr_assert_not_null(strstr(dj_text_get(&whole), "dump 333 350"));
    cr_assert_not_null(strstr(dj_text_get(&whole), "entry com.example.app version=34"));
    cr_assert_not_null(strstr(dj_text_get(&whole), "davey at"));
    for (size_t piece = 1; piece <= 97; piece++) {
        struct dj_text words = {0};
        append_description(&words, &text, piece);
        expect_same_text(&words, &whole, "in pieces of", piece);
        dj_text_finish(&words);
    }
    dj_text_finish(&text);
    dj_text_finish(&whole);
}

/* Compares with dj_gfxinfo_parse_dump(), which parses the whole text to one dump: the
 * processes, their order and the warnings are the same. */
Test(parser, chunks_give_the_same_result_as_the_whole_text)
{
    struct dj_text text = {0};
    struct dj_text one = {0};
    struct dj_text other = {0};
    append_everything(&text);
    cr_assert_eq(parse_text(&text), 0);
    describe_warnings(&one, &report);
    size_t processes = dump.process_count;
    tear_down();
    set_up();
    cr_assert_eq(feed_bytes(dj_text_get(&text), text.length, 1000), 0);
    cr_assert_eq(dj_gfxinfo_parser_end(parser), 0);
    describe_warnings(&other, &report);
    expect_same_text(&other, &one, "pieces", 0);
    cr_assert_eq(received.dumps, 3);
    cr_assert_eq(processes, 4);
    dj_text_finish(&text);
    dj_text_finish(&one);
    dj_text_finish(&other);
}

Test(parser, each_release_can_be_read_byte_by_byte)
{
    for (size_t i = 0; i < COLUMN_SETS; i++) {
        struct dj_text text = {0};
        struct dj_text want = {0};
        append_sample(&text, &column_sets[i], 5);
        cr_assert_eq(parse_text(&text), 0);
        describe(&want, &dump, DESCRIBE_ALL);
        received.parts = DESCRIBE_ALL;
        cr_assert_eq(feed_bytes(dj_text_get(&text), text.length, 1), 0);
        cr_assert_eq(received.dumps, 0, "a dump was emitted before it was complete");
        cr_assert_eq(dj_gfxinfo_parser_end(parser), 0);
        cr_assert_eq(received.dumps, 1);
        expect_same_text(&received.words, &want, "columns", column_sets[i].count);
        dj_text_finish(&text);
        dj_text_finish(&want);
        tear_down();
        set_up();
    }
}

Test(parser, dumps_are_emitted_one_by_one)
{
    struct dj_text text = {0};
    for (int i = 1; i <= 3; i++) {
        dj_text_clear(&text);
        append_sample(&text, &column_sets[3], i * 1000);
        cr_assert_eq(feed_bytes(text.data, text.length, 4096), 0);
        cr_assert_eq(received.dumps, (size_t)i - 1,
                     "the start of the next dump ends a dump");
    }
    cr_assert_eq(dj_gfxinfo_parser_end(parser), 0);
    cr_assert_eq(received.dumps, 3);
    for (int i = 0; i < 3; i++) {
        cr_assert_eq(received.uptime_ms[i], (i + 1) * 1000);
        cr_assert_eq(received.windows[i], 2);
        cr_assert_eq(received.rows[i], 9);
        cr_assert_not(received.continues[i]);
        cr_assert_not(received.unfinished[i]);
    }
    cr_assert_eq(report.rows, 54, "rows of framestats and of the simple dump");
    dj_text_finish(&text);
}

Test(parser, an_app_that_was_not_found_is_a_dump_too)
{
    cr_assert_eq(feed("No process found for: a\nApplications Graphics Acceleration "
                      "Info:\nUptime: 5 Realtime: 6\n"),
                 0);
    cr_assert_eq(received.dumps, 1);
    received.parts = DESCRIBE_ALL;
    cr_assert_eq(feed("No process found for: b\n"), 0);
    cr_assert_eq(dj_gfxinfo_parser_end(parser), 0);
    cr_assert_eq(received.dumps, 2);
    cr_assert_not_null(strstr(dj_text_get(&received.words), "not found: b"));
    cr_assert_eq(report.not_found_line, 4);
    cr_assert_eq(report.not_found_byte, 87);
}

Test(parser, the_callback_may_keep_a_dump)
{
    received.moves_out = true;
    cr_assert_eq(feed("** Graphics info for pid 3 [a] **\nTotal frames rendered: 7\n"),
                 0);
    cr_assert_eq(dj_gfxinfo_parser_end(parser), 0);
    dj_gfxinfo_parser_destroy(parser);
    parser = NULL;
    cr_assert_eq(received.moved.process_count, 1);
    cr_assert_str_eq(received.moved.processes[0].name, "a");
    cr_assert_eq(received.moved.processes[0].stats.stats.counter[DJ_COUNTER_TOTAL], 7);
}

Test(parser, an_error_of_the_callback_ends_parsing)
{
    static const char two[] =
        "Applications Graphics Acceleration Info:\n** Graphics info for pid 1 [a] **\n"
        "Applications Graphics Acceleration Info:\n** Graphics info for pid 2 [b] **\n"
        "Applications Graphics Acceleration Info:\n** Graphics info for pid 3 [c] **\n";
    received.fail_at = 1;
    cr_assert_eq(feed(two), -77);
    cr_assert_eq(received.dumps, 1);
    cr_assert_eq(dj_gfxinfo_parser_end(parser), -77, "no more dumps are emitted");
    cr_assert_eq(received.dumps, 1);
    tear_down();
    set_up();
    received.fail_at = 3;
    cr_assert_eq(feed_bytes(two, sizeof(two) - 1, 7), 0);
    cr_assert_eq(dj_gfxinfo_parser_end(parser), -77,
                 "the last dump is emitted at the end");
}

Test(parser, an_empty_text_has_no_dump)
{
    cr_assert_eq(dj_gfxinfo_parser_end(parser), 0);
    cr_assert_eq(dj_gfxinfo_parser_feed(parser, "", 0), 0);
    cr_assert_eq(dj_gfxinfo_parser_feed(parser, NULL, 0), 0);
    cr_assert_eq(dj_gfxinfo_parser_end(parser), 0);
    cr_assert_eq(received.dumps, 0);
    cr_assert_not(report.seen);
    cr_assert_eq(report.lines, 0);
    cr_assert_eq(dj_gfxinfo_describe_no_data(&report, &err), DJ_E_NO_DATA);
    cr_assert_not_null(strstr(err.message, "no gfxinfo text in 0 lines"));
}

Test(parser, a_text_without_a_dump_emits_none)
{
    cr_assert_eq(feed("hello\n\nworld"), 0);
    cr_assert_eq(dj_gfxinfo_parser_end(parser), 0);
    cr_assert_eq(received.dumps, 0);
    cr_assert_not(report.seen);
    cr_assert_eq(report.lines, 3);
    cr_assert_eq(report.bytes, 12);
    cr_assert_eq(warnings_in(&report), 0);
}

Test(parser, destroying_null_is_allowed)
{
    dj_gfxinfo_parser_destroy(NULL);
}

Test(parser, a_parser_can_be_destroyed_inside_a_dump)
{
    cr_assert_eq(feed("** Graphics info for pid 3 [a] **\n\ta/a (visibility=0)\n"
                      "---PROFILEDATA---\nFlags,IntendedVsync,FrameCompleted,Mood,\n"
                      "1,2,3,4,\n1,2"),
                 0);
    cr_assert_eq(received.dumps, 0);
}

static const char block_without_end[] =
    "** Graphics info for pid 1 [a] **\nTotal frames rendered: 12\n"
    "HISTOGRAM: 5ms=12 6ms=3";

Test(parser, line_numbers_restart_with_each_text)
{
    cr_assert_eq(feed(block_without_end), 0);
    cr_assert_eq(dj_gfxinfo_parser_end(parser), 0);
    cr_assert_eq(received.dumps, 1);
    size_t before = report.warning_count;
    cr_assert_eq(feed("one\n** Graphics info for pid 2 [b] **\n"
                      "Total frames rendered: many\n"),
                 0);
    cr_assert_eq(report.warning_count, before + 1);
    cr_assert_eq(report.warning[before].line, 3);
    cr_assert_eq(report.warning[before].byte, 38);
    cr_assert_eq(dj_gfxinfo_parser_end(parser), 0);
    cr_assert_eq(received.dumps, 2);
}

/* The state at the end of one text does not affect the next text. */
Test(parser, no_state_carries_over_to_the_next_text)
{
    static const char *const firsts[] = {
        "** Graphics info for pid 1 [a] **\n\n\ta/a (visibility=0)\n",
        "Package: com.example.first\n",
        "UID: 10123\n",
        "UID: 10123\nPackage: com.example.first\n",
        "Window: first\n",
        "hello\nWindow: first",
        "Package: a\nVersion: 1\nStats since: 2ns\n",
        "> ** Graphics info for pid 1 [a] **\n> Caches:\n",
        "07-04 12:00:00.123 I/x: ** Graphics info for pid 1 [a] **\n",
        "== dumpstate: 2024-07-04 12:00:00\n------ SYSTEM LOG (logcat) ------\n",
        "** Graphics info for pid 1 [a] **\n---PROFILEDATA---\n"
        "Flags,IntendedVsync,FrameCompleted,\n0,1,2,\n0,3",
        "** Graphics info for pid 1 [a] **\n---PROFILEDATA---\n",
        "** Graphics info for pid 1 [a] **\n\tDraw\tPrepare\tProcess\tExecute\n\t1.00",
        block_without_end,
    };
    static const char second[] =
        "Total frames rendered: 5\nNumber Missed Vsync: 1\n------ x ------\n1.00 2.00 "
        "3.00 4.00\nVersion: 3\nStats since: 9ns\nHISTOGRAM: 5ms=4 6ms=1\n";
    struct dj_text want = {0};
    cr_assert_eq(parse(second), 0);
    describe(&want, &dump, DESCRIBE_ALL);
    for (size_t i = 0; i < sizeof(firsts) / sizeof(firsts[0]); i++) {
        cr_assert_eq(feed(firsts[i]), 0);
        cr_assert_eq(dj_gfxinfo_parser_end(parser), 0);
        received.parts = DESCRIBE_ALL;
        cr_assert_eq(feed(second), 0);
        cr_assert_eq(dj_gfxinfo_parser_end(parser), 0);
        expect_same_text(&received.words, &want, "after text", i);
        tear_down();
        set_up();
    }
    dj_text_finish(&want);
}

/* "Window: x" is a window only if output of gfxinfo precedes it in the same text. */
Test(parser, gfxinfo_in_one_text_does_not_affect_the_next)
{
    cr_assert_eq(feed("** Graphics info for pid 1 [a] **\n"), 0);
    cr_assert_eq(dj_gfxinfo_parser_end(parser), 0);
    cr_assert_eq(feed("Window: x\nof glass\n"), 0);
    cr_assert_eq(dj_gfxinfo_parser_end(parser), 0);
    cr_assert_eq(received.dumps, 1);
    cr_assert(report.seen, "the first text contained a dump");
}

Test(parser, warnings_name_the_archive_member)
{
    report.part = "FS/data/one.txt";
    cr_assert_eq(feed("Total frames rendered: x\n"), 0);
    cr_assert_eq(dj_gfxinfo_parser_end(parser), 0);
    report.part = NULL;
    cr_assert_eq(feed("Total frames rendered: x\n"), 0);
    cr_assert_eq(dj_gfxinfo_parser_end(parser), 0);
    cr_assert_eq(warnings_in(&report), 2);
    cr_assert_str_eq(report.warning[0].message,
                     "FS/data/one.txt: expected a number after \"Total frames "
                     "rendered:\"");
    cr_assert_str_eq(report.warning[1].message,
                     "expected a number after \"Total frames rendered:\"");
}

Test(parser, warnings_beyond_the_maximum_are_counted)
{
    for (int i = 0; i < DJ_PARSE_WARNINGS + 44; i++) {
        cr_assert_eq(feed("Total frames rendered: x\n"), 0);
    }
    cr_assert_eq(dj_gfxinfo_parser_end(parser), 0);
    cr_assert_eq(report.warning_count, DJ_PARSE_WARNINGS + 44);
    cr_assert_eq(report.warning[DJ_PARSE_WARNINGS - 1].line, DJ_PARSE_WARNINGS);
}

/* Appends a text that contains a line of this length. */
static void append_long_line(struct dj_text *out, size_t length)
{
    dj_text_add(out, "** Graphics info for pid 1 [a] **\nTotal frames rendered: 5\n");
    size_t filled = out->length + length;
    dj_text_add(out, "Number Missed Vsync: 7 ");
    while (out->length < filled) {
        size_t left = filled - out->length;
        static const char filling[] = "0123456789abcdef0123456789abcdef";
        dj_text_append(out, filling,
                       left < sizeof(filling) - 1 ? left : sizeof(filling) - 1);
    }
    dj_text_add(out, "\nNumber Slow UI thread: 9\nNumber Slow bitmap uploads: x\n");
    cr_assert_not(out->failed);
}

static void expect_line_passed_over(const struct dj_dump_process *process, bool too_long)
{
    const uint32_t *counter = process->stats.stats.counter;
    cr_assert_eq(counter[DJ_COUNTER_TOTAL], 5);
    cr_assert_eq(counter[DJ_COUNTER_MISSED_VSYNC], too_long ? 0 : 7);
    cr_assert_eq(counter[DJ_COUNTER_SLOW_UI_THREAD], 9);
    cr_assert_eq(warnings_in(&report), too_long ? 2 : 1);
    if (too_long) {
        cr_assert_eq(report.warning[0].line, 3);
        cr_assert_eq(report.warning[0].byte, 59);
        cr_assert_not_null(strstr(report.warning[0].message, "ignored"));
    }
    cr_assert_eq(report.warning[too_long].line, 5, "line numbers after it are right");
    cr_assert_eq(report.warning[too_long].byte, report.bytes - 30);
}

Test(parser, a_line_that_is_too_long_is_skipped)
{
    static const size_t pieces[] = {1000003, 65536, DJ_PARSE_LINE_MOST / 2, 64 << 20};
    for (size_t more = 0; more < 2; more++) {
        struct dj_text text = {0};
        append_long_line(&text, (size_t)DJ_PARSE_LINE_MOST + more);
        for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
            received.moves_out = true;
            cr_assert_eq(feed_bytes(text.data, text.length, pieces[i]), 0);
            cr_assert_eq(dj_gfxinfo_parser_end(parser), 0);
            cr_assert_eq(received.moved.process_count, 1);
            expect_line_passed_over(&received.moved.processes[0], more > 0);
            cr_assert_eq(report.lines, 5);
            cr_assert_eq(report.bytes, text.length);
            tear_down();
            set_up();
        }
        cr_assert_eq(parse_text(&text), 0);
        expect_line_passed_over(&dump.processes[0], more > 0);
        tear_down();
        set_up();
        dj_text_finish(&text);
    }
}

Test(parser, a_line_that_is_too_long_and_has_no_end_is_skipped)
{
    struct dj_text text = {0};
    append_long_line(&text, (size_t)DJ_PARSE_LINE_MOST + 10);
    size_t end_of_line = text.length - 56;
    cr_assert_eq(text.data[end_of_line], '\n');
    cr_assert_eq(feed_bytes(text.data, end_of_line, 1 << 20), 0);
    cr_assert_eq(warnings_in(&report), 0, "the end of the line may still come");
    cr_assert_eq(dj_gfxinfo_parser_end(parser), 0);
    cr_assert_eq(warnings_in(&report), 1);
    cr_assert_eq(report.warning[0].line, 3);
    cr_assert_eq(report.bytes, end_of_line);
    cr_assert_eq(received.dumps, 1);
    dj_text_finish(&text);
}

static void append_rows(struct dj_text *out, size_t rows)
{
    dj_text_add(out, "---PROFILEDATA---\nFlags,IntendedVsync,FrameCompleted,\n");
    for (size_t i = 0; i < rows; i++) {
        dj_text_format(out, "0,%zu,%zu,\n", i + 1, i + 9);
    }
    dj_text_add(out, "---PROFILEDATA---\n");
}

/* After very many rows, a dump ends at the end of a process. The next dump has the same
 * uptime. */
Test(parser, after_many_rows_the_next_process_is_another_dump)
{
    struct dj_text text = {0};
    dj_text_add(&text, "Applications Graphics Acceleration Info:\n"
                       "Uptime: 123 Realtime: 456\n"
                       "** Graphics info for pid 1 [a] **\n");
    append_rows(&text, DJ_PARSE_ROWS_PER_DUMP + 1);
    dj_text_add(&text, "** Graphics info for pid 2 [b] **\n");
    append_rows(&text, 2);
    dj_text_add(&text, "** Graphics info for pid 3 [c] **\n");
    append_rows(&text, 1);
    cr_assert_eq(feed_bytes(text.data, text.length, 1 << 16), 0);
    cr_assert_eq(dj_gfxinfo_parser_end(parser), 0);
    cr_assert_eq(received.dumps, 2);
    cr_assert_eq(received.rows[0], DJ_PARSE_ROWS_PER_DUMP + 1);
    cr_assert_eq(received.rows[1], 3);
    cr_assert_eq(received.uptime_ms[0], 123);
    cr_assert_eq(received.uptime_ms[1], 123);
    cr_assert_not(received.unfinished[0]);
    cr_assert_not(received.continues[1]);
    dj_text_finish(&text);
}

/* If another dump follows in the text, it has its own uptime. */
Test(parser, a_dump_after_many_rows_has_its_own_time)
{
    struct dj_text text = {0};
    dj_text_add(&text, "Applications Graphics Acceleration Info:\n"
                       "Uptime: 123 Realtime: 456\n"
                       "** Graphics info for pid 1 [a] **\n");
    append_rows(&text, DJ_PARSE_ROWS_PER_DUMP + 1);
    dj_text_add(&text, "Applications Graphics Acceleration Info:\n"
                       "Uptime: 789 Realtime: 790\n"
                       "** Graphics info for pid 2 [b] **\n");
    cr_assert_eq(feed_bytes(text.data, text.length, 1 << 16), 0);
    cr_assert_eq(dj_gfxinfo_parser_end(parser), 0);
    cr_assert_eq(received.dumps, 2);
    cr_assert_eq(received.uptime_ms[1], 789);
    dj_text_finish(&text);
}

static void append_windows(struct dj_text *out, size_t windows)
{
    dj_text_add(out, "Applications Graphics Acceleration Info:\nUptime: 12 Realtime: "
                     "34\n\n** Graphics info for pid 9 [com.x] **\n"
                     "Total frames rendered: 4\n\nCaches:\n  one\n\n"
                     "Pipeline=Skia (OpenGL)\n\nProfile data in ms:\n");
    for (size_t i = 0; i < windows; i++) {
        dj_text_format(out, "\tw%zu (visibility=0)\n", i);
    }
    dj_text_add(out, "View hierarchy:\n\n  w0\n  1 views\n\n"
                     "Note: frame interval: 8333333ns\n"
                     "** Graphics info for pid 10 [com.y] **\n");
}

/* Each part contains the name of its process. The first part contains the statistics,
 * and the last part the text outside the windows. */
Test(parser, a_process_with_many_windows_is_emitted_in_parts)
{
    struct dj_text text = {0};
    append_windows(&text, 140000);
    received.moves_out = true;
    cr_assert_eq(feed_bytes(text.data, text.length, 1 << 16), 0);
    cr_assert_eq(received.dumps, 2);
    cr_assert_eq(received.moved.process_count, 1);
    cr_assert(received.moved.processes[0].continues &&
              received.moved.processes[0].unfinished);
    cr_assert_not(received.moved.processes[0].stats.present);
    cr_assert_eq(dj_gfxinfo_parser_end(parser), 0);
    cr_assert_eq(received.dumps, 3);
    cr_assert_eq(received.windows[0], 65536);
    cr_assert_eq(received.windows[1], 65536);
    cr_assert_eq(received.windows[2], 140000 - 2 * 65536);
    cr_assert(!received.continues[0] && received.unfinished[0]);
    cr_assert(received.continues[2] && !received.unfinished[2]);
    cr_assert_eq(received.uptime_ms[2], 12);
    cr_assert_eq(warnings_in(&report), 0);

    const struct dj_dump *last = &received.moved;
    cr_assert_eq(last->process_count, 2);
    const struct dj_dump_process *process = &last->processes[0];
    cr_assert_eq(process->pid, 9);
    cr_assert_str_eq(process->name, "com.x");
    cr_assert_str_eq(process->pipeline, "Skia (OpenGL)");
    cr_assert_eq(process->section_count, 4);
    cr_assert_str_eq(process->sections[0].text, "Caches:\n  one");
    cr_assert_str_eq(process->sections[1].text, "Pipeline=Skia (OpenGL)");
    cr_assert_str_eq(process->sections[3].text, "  w0\n  1 views");
    cr_assert_eq(process->interval_ns, 8333333);
    cr_assert_str_eq(process->windows[0].title, "w131072");
    cr_assert_not(last->processes[1].continues);
    dj_text_finish(&text);
}

/* Uninterpreted text is limited too, so that a long stream needs little memory. */
Test(parser, much_other_text_ends_the_dump_after_its_process)
{
    struct dj_text text = {0};
    dj_text_add(&text, "Uptime: 5 Realtime: 6\n");
    for (int process = 0; process < 80; process++) {
        dj_text_format(&text, "** Graphics info for pid %d [a] **\n", process);
        for (int i = 0; i < 10000; i++) {
            dj_text_add(&text, "  0x7f0012345678 | 12.00 KiB | 64 (64) x 48 | 1\n");
        }
    }
    received.moves_out = true;
    cr_assert_eq(feed_bytes(text.data, text.length, 1 << 16), 0);
    cr_assert_eq(dj_gfxinfo_parser_end(parser), 0);
    cr_assert_geq(received.dumps, 2);
    cr_assert_lt(received.dumps, 10);
    cr_assert_eq(received.uptime_ms[1], 5);
    dj_text_finish(&text);
}

Test(parser, too_many_graphicsstats_entries_are_split_into_dumps)
{
    struct dj_text text = {0};
    for (int i = 0; i < 70000; i++) {
        dj_text_format(&text, "Package: p%d\nVersion: 1\nStats since: 1ns\n", i);
    }
    cr_assert_eq(feed_bytes(text.data, text.length, 1 << 16), 0);
    cr_assert_eq(dj_gfxinfo_parser_end(parser), 0);
    cr_assert_eq(received.dumps, 2);
    cr_assert_eq(warnings_in(&report), 0);
    cr_assert_eq(parse_text(&text), 0);
    cr_assert_eq(dump.graphicsstats_count, 65536);
    cr_assert(warned_of("more than 65536 graphicsstats entries"));
    dj_text_finish(&text);
}

Test(parser, too_many_davey_lines_are_split_into_dumps)
{
    struct dj_text text = {0};
    for (int i = 0; i < 70000; i++) {
        dj_text_add(&text, "Davey! duration=800ms; Flags=0,\n");
    }
    cr_assert_eq(feed_bytes(text.data, text.length, 1 << 16), 0);
    cr_assert_eq(dj_gfxinfo_parser_end(parser), 0);
    cr_assert_eq(received.dumps, 2);
    cr_assert_eq(warnings_in(&report), 0);
    dj_text_finish(&text);
}

Test(parser, too_many_processes_are_split_into_dumps)
{
    struct dj_text text = {0};
    for (int i = 0; i < 66000; i++) {
        dj_text_format(&text, "** Graphics info for pid %d [a] **\n", i);
    }
    cr_assert_eq(feed_bytes(text.data, text.length, 1 << 16), 0);
    cr_assert_eq(dj_gfxinfo_parser_end(parser), 0);
    cr_assert_eq(received.dumps, 2);
    cr_assert_eq(warnings_in(&report), 0);
    cr_assert_eq(parse_text(&text), 0);
    cr_assert_eq(dump.process_count, 65536);
    cr_assert(warned_of("more than 65536 processes"));
    dj_text_finish(&text);
}
