/* The JSON of an input that arrives dump by dump. */
#include <criterion/criterion.h>
#include <string.h>

#include "import/dump_input.h"
#include "report/dump/dump.h"
#include "support.h"

static struct dj_text out;
static struct dj_dump_json json;

static void finish(void)
{
    dj_text_finish(&out);
    dj_text_finish(&json.graphicsstats);
    dj_text_finish(&json.daveys);
    dj_text_finish(&json.surfaces);
}

TestSuite(json_input, .fini = finish);

static int receive_dump(void *data, struct dj_parsed *parsed)
{
    (void)data;
    dj_report_write_json_dump(&out, &json, parsed, true);
    return 0;
}

/* Writes a whole input, fed in pieces of this size. */
static const char *write_input(const char *text, size_t length, size_t piece)
{
    struct dj_dump_input input;
    dj_text_clear(&out);
    dj_import_input_init(&input, "file", NULL, receive_dump, NULL);
    dj_report_open_json(&out);
    dj_report_begin_json_input(&out, "file");
    for (size_t at = 0; at < length; at += piece) {
        size_t part = length - at < piece ? length - at : piece;
        cr_assert_eq(dj_import_input_feed(&input, text + at, part), 0);
    }
    cr_assert_eq(dj_import_input_end_text(&input), 0);
    cr_assert_eq(dj_import_input_end(&input), 0);
    dj_report_end_json_input(&out, &json, &input);
    dj_report_close_json(&out);
    dj_import_input_finish(&input);
    cr_assert_not(out.failed);
    return dj_text_get(&out);
}

/* Not with strstr(): AddressSanitizer reads the whole rest of the text at each call. */
static size_t count_occurrences(const char *text, const char *words)
{
    size_t count = 0, length = strlen(words);
    for (const char *end = text + strlen(text); text + length <= end; text++) {
        count += memcmp(text, words, length) == 0;
    }
    return count;
}

/* Expects matching brackets outside strings, and no comma before a closing one. */
static void expect_well_formed(const char *text)
{
    char open[64];
    size_t depth = 0;
    bool string = false;
    char last = '\0';
    for (; *text != '\0'; text++) {
        if (string) {
            bool escaped = *text == '\\';
            text += escaped;
            string = escaped || *text != '"';
        } else if (*text == '"') {
            string = true;
        } else if (*text == '{' || *text == '[') {
            cr_assert_lt(depth, sizeof(open));
            open[depth++] = *text;
        } else if (*text == '}' || *text == ']') {
            cr_assert_gt(depth, 0);
            cr_assert_eq(open[--depth], *text == '}' ? '{' : '[');
            cr_assert_neq(last, ',');
        } else if (*text == ',') {
            cr_assert(last != ',' && last != '[' && last != '{');
        }
        last = *text == ' ' ? last : *text;
    }
    cr_assert_eq(depth, 0);
    cr_assert_not(string);
}

#define DUMP(pid, uptime)                                                                \
    "Applications Graphics Acceleration Info:\nUptime: " uptime " Realtime: 9\n"         \
    "** Graphics info for pid " pid                                                      \
    " [a] **\nTotal frames rendered: 5\n\nCaches:\n  x\n\n"                              \
    "Profile data in ms:\n\n\ta/a (visibility=0)\n---PROFILEDATA---\n"                   \
    "Flags,IntendedVsync,FrameCompleted,Mood,\n0,100,200,7,\n0,300,\n---PROFILEDATA---"  \
    "\n"

#define REST                                                                             \
    "Package: com.x\nVersion: 1\nStats since: 5ns\nTotal frames rendered: 7\n"           \
    "I/x( 12): Davey! duration=700ms; Flags=0, IntendedVsync=100, \n"

Test(json_input, the_same_in_pieces)
{
    static const char text[] = DUMP("1", "11") REST DUMP("2", "22") REST DUMP("3", "33");
    struct dj_text whole = {0};
    dj_text_add(&whole, write_input(text, sizeof(text) - 1, sizeof(text)));
    expect_well_formed(dj_text_get(&whole));
    for (size_t piece = 1; piece < 40; piece += 3) {
        cr_assert_str_eq(write_input(text, sizeof(text) - 1, piece), dj_text_get(&whole));
    }
    dj_text_finish(&whole);
}

Test(json_input, several_dumps_are_one_inputs)
{
    static const char text[] = DUMP("1", "11") REST DUMP("2", "22") REST;
    const char *got = write_input(text, sizeof(text) - 1, 100);
    cr_assert_eq(count_occurrences(got, "\"source\":"), 1);
    cr_assert_eq(count_occurrences(got, "\"graphicsstats\":"), 1);
    cr_assert_eq(count_occurrences(got, "\"daveys\":"), 1);
    cr_assert_eq(count_occurrences(got, "\"pid\":"), 4, "two processes, two Davey lines");
    cr_assert_eq(count_occurrences(got, "\"package\":"), 2);
    cr_assert_eq(count_occurrences(got, "\"duration_ms\":"), 2);
    cr_assert_eq(count_occurrences(got, "\"uptime_ms\":11"), 1);
    cr_assert_eq(count_occurrences(got, "\"uptime_ms\":22"), 1);
    cr_assert_eq(count_occurrences(got, "\"outcome\":\"ok\""), 1);
    cr_assert_not_null(strstr(got, "\"Mood\""));
}

/* The object is complete for every message of the device. */
Test(json_input, texts_without_a_dump)
{
    static const char *const texts[] = {
        "",
        "hello\n",
        "No process found for: a\n",
        "Permission Denial: can't dump gfxinfo from from pid=1, uid=2\n",
        "Applications Graphics Acceleration Info:\n",
        "\xff\xfe\x01\"\\\n",
        "No process found for: \"\\\x1b[2J\xff\n",
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        const char *got = write_input(texts[i], strlen(texts[i]), 1000);
        expect_well_formed(got);
        cr_assert_eq(count_occurrences(got, "\"processes\":[]"), 1, "%s", got);
        cr_assert_eq(count_occurrences(got, "\"severity\":\"error\""), 1, "%s", got);
        cr_assert_eq(count_occurrences(got, "\"outcome\":\"ok\""), 0);
        for (const char *at = got; *at != '\0'; at++) {
            cr_assert((unsigned char)*at >= ' ' || *at == '\n', "a control character");
        }
    }
}

/* A process that arrives in parts is one process with all its data. */
Test(json_input, a_process_in_parts)
{
    struct dj_text text = {0};
    dj_text_add(&text, "** Graphics info for pid 9 [com.x] **\n"
                       "Total frames rendered: 4\n\nCaches:\n  one\n\n"
                       "Pipeline=Skia (OpenGL)\n\nProfile data in ms:\n");
    for (size_t i = 0; i < 70000; i++) {
        dj_text_format(&text, "\tw%zu (visibility=0)\n", i);
    }
    dj_text_add(&text, "View hierarchy:\n\n  w0\n\nNote: frame interval: 8333333ns\n"
                       "** Graphics info for pid 10 [com.y] **\n");
    const char *got = write_input(text.data, text.length, 1 << 16);
    expect_well_formed(got);
    cr_assert_eq(count_occurrences(got, "\"pid\":"), 2);
    cr_assert_eq(count_occurrences(got, "\"pid\":9,"), 1);
    cr_assert_eq(count_occurrences(got, "\"title\":\"w"), 70001,
                 "a window each, and a section");
    cr_assert_eq(count_occurrences(got, "\"pipeline\":\"Skia (OpenGL)\""), 1);
    cr_assert_eq(count_occurrences(got, "Caches:\\u000a  one"), 1);
    cr_assert_eq(count_occurrences(got, "\"frame_interval_ns\":8333333"), 1);
    cr_assert_eq(count_occurrences(got, "\"total_frames\":4"), 1);
    dj_text_finish(&text);
}
