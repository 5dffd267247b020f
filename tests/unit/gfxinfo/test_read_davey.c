/* Tests the Davey lines of a log, in every output format of logcat. */
#include <criterion/criterion.h>
#include <string.h>

#include "support.h"

TestSuite(parse_davey, .fini = finish_reading);

static const struct dj_davey *only_davey(void)
{
    cr_assert_eq(dump.davey_count, 1, "%zu", dump.davey_count);
    return &dump.daveys[0];
}

/* Appends "Flags=0, FrameTimelineVsyncId=70123, …, " as hwui of this release prints
 * it. */
static void append_pairs(struct dj_text *out, const struct columns *set, size_t n)
{
    const char *at = set->names;
    while (*at != '\0') {
        char name[40] = "";
        size_t length = strcspn(at, ",");
        memcpy(name, at, length);
        dj_text_format(out, "%s=%lld, ", name, (long long)sample_value(name, n));
        at += length + 1;
    }
}

static void expect_pairs(const struct dj_frame *frame, const struct columns *set,
                         size_t n)
{
    const char *at = set->names;
    while (*at != '\0') {
        char name[40] = "";
        enum dj_column column;
        size_t length = strcspn(at, ",");
        memcpy(name, at, length);
        cr_assert(dj_frame_column_find(name, length, &column));
        cr_assert(dj_frame_has(frame, column), "%s", name);
        cr_assert_eq(frame->value[column], sample_value(name, n), "%s", name);
        at += length + 1;
    }
}

static const struct {
    const char *prefix;
    int64_t pid;
} prefixes[] = {
    {"07-04 12:00:00.123  1234  1260 I OpenGLRenderer: ", 1234},
    {"2024-07-04 12:00:00.123  1234  1260 W OpenGLRenderer: ", 1234},
    {"07-04 12:00:00.123 10123  1234  1260 I OpenGLRenderer: ", 1234},
    {"07-04 12:00:00.123 I/OpenGLRenderer( 1234): ", 1234},
    {"I/OpenGLRenderer( 1234): ", 1234},
    {"I/OpenGLRenderer(1234): ", 1234},
    {"W( 1234: 1260) ", 1234},
    {"1720094400.123  1234  1260 I HWUI    : ", 1234},
    {"2024-07-04 12:00:00.123 1234-1260/com.x I/OpenGLRenderer: ", 1234},
    {"2024-07-04 12:00:00.123  1234-1260  HWUI   com.x   I  ", 1234},
    {"I/OpenGLRenderer: ", -1},
    {"", -1},
    {"> ", -1},
};

Test(parse_davey, every_format_of_logcat_is_read)
{
    for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
        struct dj_text text = {0};
        dj_text_format(&text, "first\n%sDavey! duration=812ms; ", prefixes[i].prefix);
        append_pairs(&text, &column_sets[3], 1);
        dj_text_add(&text, "\nlast\n");
        cr_assert_eq(parse_text(&text), 0, "%s", prefixes[i].prefix);
        const struct dj_davey *davey = only_davey();
        cr_assert_eq(davey->pid, prefixes[i].pid, "\"%s\": %lld", prefixes[i].prefix,
                     (long long)davey->pid);
        cr_assert_eq(davey->duration_ms, 812);
        cr_assert_eq(davey->line, 2);
        expect_pairs(&davey->frame, &column_sets[3], 1);
        cr_assert_eq(__builtin_popcountll(davey->frame.known), 17);
        cr_assert_eq(dump.process_count, 0);
        cr_assert_eq(warnings_in(&report), 0, "%s", report.warning[0].message);
        dj_text_finish(&text);
    }
}

Test(parse_davey, davey_lines_of_every_release_are_read)
{
    for (size_t i = 0; i < COLUMN_SETS; i++) {
        struct dj_text text = {0};
        dj_text_add(&text, "I/OpenGLRenderer( 7): Davey! duration=700ms; ");
        append_pairs(&text, &column_sets[i], 2);
        dj_text_add(&text, "\r\n");
        cr_assert_eq(parse_text(&text), 0);
        expect_pairs(&only_davey()->frame, &column_sets[i], 2);
        cr_assert_eq((size_t)__builtin_popcountll(only_davey()->frame.known),
                     column_sets[i].count);
        dj_text_finish(&text);
    }
}

/* Android 12 and 13 exchange two column names in these lines too. */
Test(parse_davey, exchanged_labels_are_corrected)
{
    cr_assert_eq(parse("Davey! duration=700ms; Flags=0, IntendedVsync=76818291087661, "
                       "FrameInterval=76818291087661, FrameStartTime=16666666, \n"),
                 0);
    cr_assert_eq(only_davey()->frame.value[DJ_COLUMN_FRAME_INTERVAL], 16666666);
    cr_assert_eq(only_davey()->frame.value[DJ_COLUMN_FRAME_START_TIME],
                 INT64_C(76818291087661));
}

static const char logged[] = "07-04 12:00:00.123  1234  1260 I OpenGLRenderer: ";

Test(parse_davey, lines_wrapped_at_any_width_are_joined)
{
    for (size_t i = 2; i < COLUMN_SETS; i += 2) {
        for (size_t width = strlen(logged) + 30; width < 200; width++) {
            struct dj_text text = {0};
            struct dj_text wrapped = {0};
            dj_text_format(&text, "%sDavey! duration=812ms; ", logged);
            append_pairs(&text, &column_sets[i], 0);
            dj_text_add(&text, "\n");
            wrap(&wrapped, &text, width, false);
            dj_text_format(&wrapped, "%sSkipped 48 frames!\n", logged);
            cr_assert_eq(parse_text(&wrapped), 0);
            cr_assert_eq(only_davey()->pid, 1234);
            expect_pairs(&only_davey()->frame, &column_sets[i], 0);
            cr_assert_eq(warnings_in(&report), 0, "at %zu: %s", width,
                         report.warning[0].message);
            dj_text_finish(&text);
            dj_text_finish(&wrapped);
        }
    }
}

/* Every known value is right if the text is truncated anywhere, with or without a
 * newline. */
Test(parse_davey, lines_truncated_anywhere_give_no_wrong_value)
{
    struct dj_text text = {0};
    dj_text_format(&text, "%sDavey! duration=812ms; ", logged);
    size_t head = text.length;
    append_pairs(&text, &column_sets[6], 0);
    for (size_t length = head; length <= text.length; length++) {
        for (int ends = 0; ends < 2; ends++) {
            struct dj_text cut = {0};
            size_t pairs = 0;
            dj_text_append(&cut, text.data, length);
            dj_text_add(&cut, ends ? "\nlast\n" : "");
            for (size_t i = head; i < length; i++) {
                pairs += text.data[i] == ',';
            }
            cr_assert_eq(parse_text(&cut), 0);
            const struct dj_frame *frame = &only_davey()->frame;
            size_t known = (size_t)__builtin_popcountll(frame->known);
            cr_assert(known == pairs || known == pairs + 1, "truncated at %zu", length);
            for (size_t k = 0; k < DJ_COLUMN_COUNT; k++) {
                const char *name = dj_frame_column_name((enum dj_column)k);
                bool late = k >= DJ_COLUMN_FRAME_COMPLETED;
                if (dj_frame_has(frame, (enum dj_column)k) && !late) {
                    cr_assert_eq(frame->value[k], sample_value(name, 0),
                                 "truncated at %zu: %s", length, name);
                }
            }
            dj_text_finish(&cut);
        }
    }
    dj_text_finish(&text);
}

Test(parse_davey, unknown_names_and_invalid_numbers_are_ignored)
{
    cr_assert_eq(parse("Davey! duration=812ms; Flags=2, Mood=7, IntendedVsync=x, "
                       "Vsync=9223372036854775808, =5, SwapBuffers, FrameCompleted=-3, "
                       "GpuCompleted=9223372036854775807, \n"),
                 0);
    const struct dj_frame *frame = &only_davey()->frame;
    cr_assert_eq(frame->value[DJ_COLUMN_FLAGS], 2);
    cr_assert_not(dj_frame_has(frame, DJ_COLUMN_INTENDED_VSYNC));
    cr_assert_not(dj_frame_has(frame, DJ_COLUMN_VSYNC));
    cr_assert_eq(dj_frame_get(frame, DJ_COLUMN_FRAME_COMPLETED, 0), -3);
    cr_assert_eq(dj_frame_get(frame, DJ_COLUMN_GPU_COMPLETED, 0), INT64_MAX);
}

Test(parse_davey, durations_are_read)
{
    static const struct {
        const char *line;
        int64_t ms;
    } lines[] = {
        {"Davey! duration=0ms;", 0},
        {"Davey! duration=9223372036854775807ms;", INT64_MAX},
        {"Davey! duration=812ms", 812},
        {"Davey!  duration=812ms; Flags=0,", 812},
    };
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        struct dj_text text = {0};
        dj_text_format(&text, "%s\n", lines[i].line);
        int code = parse_text(&text);
        if (code == 0) {
            cr_assert_eq(only_davey()->duration_ms, lines[i].ms, "%s", lines[i].line);
        }
        cr_assert(code == 0 || i == 3, "%s", lines[i].line);
        dj_text_finish(&text);
    }
}

Test(parse_davey, invalid_durations_cause_warnings)
{
    static const char *const lines[] = {
        "x\nDavey! duration=ms; Flags=0, \n",
        "x\nDavey! duration=-5ms; Flags=0, \n",
        "x\nDavey! duration=812; Flags=0, \n",
        "x\nDavey! duration=long\n",
        "x\nDavey! duration=99999999999999999999ms\n",
    };
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        parse(lines[i]);
        cr_assert_eq(dump.davey_count, 0, "%s", lines[i]);
        cr_assert_eq(warnings_in(&report), 1, "%s", lines[i]);
        cr_assert_eq(report.warning[0].line, 2);
        cr_assert_eq(report.warning[0].byte, 2);
    }
}

Test(parse_davey, incomplete_words_are_no_davey_lines)
{
    static const char *const lines[] = {"Davey! you are late\n", "Davey duration=812ms\n",
                                        "davey! duration=812ms\n", "duration=812ms\n"};
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        cr_assert_eq(parse(lines[i]), DJ_E_NO_DATA, "%s", lines[i]);
        cr_assert_eq(dump.davey_count, 0);
        cr_assert_eq(warnings_in(&report), 0);
    }
}

#define ONE "I/HWUI( 7): Davey! duration=700ms; Flags=0, IntendedVsync=100, \n"

Test(parse_davey, lines_inside_and_after_a_process_are_read)
{
    cr_assert_eq(parse("** Graphics info for pid 1 [a] **\n" ONE "Caches:\n" ONE
                       "\nTotal frames rendered: 5\n" ONE
                       "\ta/a (visibility=0)\n\tDraw\tPrepare\tProcess\tExecute\n"
                       "\t1.00\t2.00\t3.00\t4.00\n" ONE "HISTOGRAM: 5ms=1 6ms=2\n" ONE
                       "Package: a\nVersion: 1\nStats since: 5ns\n" ONE
                       "Total frames rendered: 6\n"),
                 0);
    cr_assert_eq(dump.davey_count, 6);
    cr_assert_eq(dump.process_count, 1);
    cr_assert_eq(dump.processes[0].stats.stats.counter[DJ_COUNTER_TOTAL], 5);
    cr_assert_eq(dump.processes[0].section_count, 1);
    cr_assert_str_eq(dump.processes[0].sections[0].text, "Caches:");
    cr_assert_eq(dump.processes[0].windows[0].profile_count, 1);
    cr_assert_eq(dump.graphicsstats[0].stats.stats.counter[DJ_COUNTER_TOTAL], 6);
    for (size_t i = 0; i < 6; i++) {
        cr_assert_eq(dump.daveys[i].pid, 7);
        cr_assert_eq(dump.daveys[i].frame.value[DJ_COLUMN_INTENDED_VSYNC], 100);
    }
    cr_assert_eq(warnings_in(&report), 0, "%s", report.warning[0].message);
}

Test(parse_davey, consecutive_lines_are_read)
{
    cr_assert_eq(parse(ONE ONE "\n" ONE), 0);
    cr_assert_eq(dump.davey_count, 3);
    cr_assert_eq(dump.daveys[0].line, 1);
    cr_assert_eq(dump.daveys[1].line, 2);
    cr_assert_eq(dump.daveys[2].line, 4);
    for (size_t i = 0; i < 3; i++) {
        cr_assert_eq(__builtin_popcountll(dump.daveys[i].frame.known), 2);
    }
}

/* Log lines of other programs are never a continuation, whatever they contain. */
Test(parse_davey, a_line_of_another_program_is_no_continuation)
{
    cr_assert_eq(
        parse(ONE "07-04 12:00:00.123  1234  1260 I x: Vsync=5, SwapBuffers=6, \n"), 0);
    cr_assert_eq(__builtin_popcountll(only_davey()->frame.known), 2);
}

Test(parse_davey, lines_without_an_end_are_limited)
{
    struct dj_text text = {0};
    dj_text_add(&text, "Davey! duration=700ms; Flags=0, \n");
    for (int i = 0; i < 100000; i++) {
        dj_text_add(&text, "Mood=1, Mood=2, \n");
    }
    dj_text_add(&text, ONE);
    cr_assert_eq(parse_text(&text), 0);
    cr_assert_eq(dump.davey_count, 2);
    cr_assert_eq(dump.daveys[1].frame.value[DJ_COLUMN_INTENDED_VSYNC], 100);
    dj_text_finish(&text);
}

/* A later release or a vendor may add names to the line. */
Test(parse_davey, numbers_with_unknown_names_are_stored)
{
    cr_assert_eq(
        parse("I/HWUI: Davey! duration=800ms; Flags=0, AnimationCounter=-7, a b=1, "
              "a\"b=2, AnimationCounter=8, IntendedVsync=5, Cut=12"),
        0);
    cr_assert_eq(dump.davey_count, 1);
    const struct dj_davey *davey = &dump.daveys[0];
    cr_assert_eq(davey->other_count, 2);
    cr_assert_str_eq(davey->others[0].name, "AnimationCounter");
    cr_assert_eq(davey->others[0].value, -7, "the first value is used");
    cr_assert_str_eq(davey->others[1].name, "b");
    cr_assert(dj_frame_has(&davey->frame, DJ_COLUMN_INTENDED_VSYNC));
}

Test(parse_davey, the_number_of_unknown_names_is_limited)
{
    struct dj_text text = {0};
    dj_text_add(&text, "I/HWUI: Davey! duration=800ms; Flags=0, ");
    for (int i = 0; i < 50; i++) {
        dj_text_format(&text, "Other%d=%d, ", i, i);
    }
    cr_assert_eq(parse_text(&text), 0);
    cr_assert_eq(dump.daveys[0].other_count, DJ_PARSE_DAVEY_COLUMNS);
    dj_text_finish(&text);
}
