/* Texts that were damaged when they were copied, and the results of repairing them. */
#include <criterion/criterion.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/text.h"
#include "input/input.h"
#include "input/repair.h"

static struct dj_text got;

static void finish(void)
{
    dj_text_finish(&got);
}

TestSuite(repair, .fini = finish);

/* Reads all parts of an input into `got`. */
static void read_input(const char *bytes, size_t length, bool repairs)
{
    struct dj_input_reader *intake;
    struct dj_input_part part;
    const char *piece;
    size_t piece_length = 1;
    int fd = memfd_create("input", MFD_CLOEXEC);
    dj_text_clear(&got);
    cr_assert(fd >= 0 && write(fd, bytes, length) == (ssize_t)length);
    cr_assert_eq(lseek(fd, 0, SEEK_SET), 0);
    intake = dj_input_open_fd(fd, "input");
    if (repairs) {
        dj_input_repair_text(intake);
    }
    cr_assert_eq(dj_input_next(intake, &part, NULL), 0);
    while (piece_length > 0) {
        cr_assert_eq(dj_input_read(intake, &piece, &piece_length, NULL), 0);
        dj_text_append(&got, piece, piece_length);
    }
    dj_input_close(intake);
    close(fd);
}

static void expect_bytes(const char *bytes, size_t length, const char *want)
{
    read_input(bytes, length, true);
    cr_expect_str_eq(dj_text_get(&got), want);
}

static void expect_repaired(const char *text, const char *want)
{
    expect_bytes(text, strlen(text), want);
}

Test(repair, other_texts_are_not_changed)
{
    static const char *const texts[] = {
        "",
        "\r",
        "one\r\ntwo\r\n",
        "one\r\r\ntwo\r\n",
        "one\rtwo\nthree\n",
        "Total frames rendered: 5\nJanky frames: 1 (20.00%)\n",
        "Total frames rendered: 5",
        "a\\nb\\nc",
        "{\"a\": \"b\\nc\\nd\"}",
        "\x1b[2J\x1b]0;title\x07\x1b[12;3H\x1b",
        "{\"Total frames rendered:\": 1, \"Janky frames:\": 2}",
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        if (strcmp(texts[i], "\r") == 0) {
            expect_repaired(texts[i], "\n");
        } else {
            expect_repaired(texts[i], texts[i]);
        }
    }
}

Test(repair, texts_are_repaired_only_on_request)
{
    static const char text[] = "one\rtwo\x1b[31m\r";
    read_input(text, strlen(text), false);
    cr_expect_str_eq(dj_text_get(&got), text);
}

Test(repair, colour_codes_are_removed)
{
    expect_repaired("\x1b[01;31m\x1b[KJanky\x1b[m\x1b[K frames\n", "Janky frames\n");
    expect_repaired("\x1b[38;2;1;2;3ma\x1b[38:5:9mb\n", "ab\n");
    expect_repaired("a\x1b[1", "a\x1b[1");
}

/* Colour codes may begin long after the bytes that are examined first. */
Test(repair, late_colour_codes_are_removed)
{
    struct dj_text text = {0};
    struct dj_text want = {0};
    for (size_t i = 0; i < 100000; i++) {
        dj_text_format(&text, "line %zu %s\n", i,
                       i % 1000 == 999 ? "\x1b[1mx\x1b[0m" : "");
        dj_text_format(&want, "line %zu %s\n", i, i % 1000 == 999 ? "x" : "");
    }
    expect_bytes(dj_text_get(&text), text.length, dj_text_get(&want));
    dj_text_finish(&text);
    dj_text_finish(&want);
}

Test(repair, cr_line_ends_become_lf)
{
    expect_repaired("one\rtwo\r", "one\ntwo\n");
    expect_repaired("\x1b[1mone\x1b[0m\rtwo", "one\ntwo");
}

Test(repair, an_escaped_dump_is_unescaped)
{
    expect_repaired(
        "\"Total frames rendered: 5\\nJanky\\t\\\"\\\\\\/\\u00e9\\ud83d\\ude00\\n\"\n",
        "Total frames rendered: 5\nJanky\t\"\\/\xc3\xa9\xf0\x9f\x98\x80\n");
    expect_repaired("{\"a\": \"Janky frames: 1\\n2\\n\", \"b\": 3}",
                    "{\na\n: \nJanky frames: 1\n2\n\n, \nb\n: 3}");
    expect_repaired("b'Janky frames: 1\\r\\nit\\'s\\x00\\n'",
                    "Janky frames: 1\r\nit's\\x00\n'");
    expect_repaired("\"Janky frames: 1\\n\\ud83d \\udead \\u12 \\u\\n5",
                    "Janky frames: 1\n\xef\xbf\xbd \xef\xbf\xbd \\u12 \\u\n5");
}

Test(repair, a_dump_in_one_line_is_split)
{
    expect_repaired(
        "Stats since: 5ns Total frames rendered: 5 Janky frames: 1 (20.00%) "
        "HISTOGRAM: 5ms=1 4950ms=0 50th gpu percentile: 1ms GPU HISTOGRAM: 1ms=0",
        "\nStats since: 5ns \nTotal frames rendered: 5 \nJanky frames: 1 (20.00%) "
        "\nHISTOGRAM: 5ms=1 4950ms=0 \n50th gpu percentile: 1ms \nGPU HISTOGRAM: "
        "1ms=0");
    expect_repaired(
        "Profile data in ms:\ta (visibility=0)---PROFILEDATA---"
        "Flags,IntendedVsync,0,1,1,-2,---PROFILEDATA---View hierarchy:",
        "\nProfile data in ms:\n\ta (visibility=0)\n\n---PROFILEDATA---\n"
        "Flags,IntendedVsync,\n0,1,\n1,-2,\n---PROFILEDATA---\n\nView hierarchy:\n");
    expect_repaired(
        "---PROFILEDATA--- Flags,IntendedVsync, 0,1, 1,-2, ---PROFILEDATA--- ",
        "\n---PROFILEDATA---\n Flags,IntendedVsync, \n0,1, \n1,-2, \n"
        "---PROFILEDATA---\n ");
}

Test(repair, faults_are_found_in_the_first_bytes)
{
    static const char dump[] = "Total frames rendered: 5\\nJanky frames: 1\\n";
    cr_expect_eq(dj_repair_find_faults("", 0), 0);
    cr_expect_eq(dj_repair_find_faults(dump, strlen(dump)), DJ_FAULT_ESCAPED);
    cr_expect_eq(dj_repair_find_faults("a\x1b[0m\rb", 7), DJ_FAULT_COLORS | DJ_FAULT_CR);
}

static void append_units(struct dj_text *text, const char *ascii, bool high_first)
{
    for (; *ascii != '\0'; ascii++) {
        char unit[2] = {high_first ? 0 : *ascii, high_first ? *ascii : 0};
        dj_text_append(text, unit, 2);
    }
}

Test(repair, utf16_without_a_mark_is_decoded)
{
    static const char text[] =
        "Applications Graphics Acceleration Info:\r\nUptime: 1\r\n";
    for (int high_first = 0; high_first <= 1; high_first++) {
        struct dj_text units = {0};
        append_units(&units, text, high_first);
        dj_text_append(&units, high_first ? "\x4e\x2d" : "\x2d\x4e", 2);
        expect_bytes(units.data, units.length,
                     "Applications Graphics Acceleration Info:\r\nUptime: 1\r\n"
                     "\xe4\xb8\xad");
        dj_text_finish(&units);
    }
}
