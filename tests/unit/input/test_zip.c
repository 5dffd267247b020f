#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

static void entry(struct dj_text *zip, const char *name, const char *text, unsigned how)
{
    zip_entry(zip, name, text, strlen(text), how);
}

/* Ends the archive, compares what is read from it, and frees it. */
static void expect(struct dj_text *zip, const char *expected)
{
    zip_end(zip);
    expect_taken(zip, expected);
    dj_text_finish(zip);
}

static const unsigned layouts[] = {
    0,
    DEFLATED,
    DESCRIBED,
    DEFLATED | DESCRIBED,
    DEFLATED | DESCRIBED | UNMARKED,
    ZIP64,
    ZIP64 | DEFLATED,
    ZIP64 | DESCRIBED,
    ZIP64 | DEFLATED | DESCRIBED,
    ZIP64 | DEFLATED | DESCRIBED | UNMARKED,
};
enum { LAYOUTS = sizeof(layouts) / sizeof(layouts[0]) };

Test(zip, entries_of_every_layout_are_read)
{
    struct dj_text lines = {0};
    put_lines(&lines, 300);
    for (size_t i = 0; i < LAYOUTS; i++) {
        struct dj_text zip = {0};
        struct dj_text expected = {0};
        entry(&zip, "empty", "", layouts[i]);
        entry(&zip, "a.txt", "first\n", layouts[i]);
        entry(&zip, "FS/data/", "", 0);
        entry(&zip, "FS/data/b.txt", dj_text_get(&lines), layouts[i]);
        zip_entry(&zip, "picture", "\0PNG\0\0", 6, layouts[i]);
        entry(&zip, "last.txt", "last\n", layouts[i]);
        dj_text_format(&expected, "<a.txt>first\n<FS/data/b.txt>%s<last.txt>last\n",
                       dj_text_get(&lines));
        expect(&zip, dj_text_get(&expected));
        dj_text_finish(&expected);
    }
    dj_text_finish(&lines);
}

Test(zip, an_archive_without_entries_has_no_parts)
{
    struct dj_text zip = {0};
    expect(&zip, "");
}

Test(zip, a_mark_of_split_archives_is_skipped)
{
    struct dj_text zip = {0};
    dj_text_append(&zip, "PK\7\10", 4);
    entry(&zip, "a.txt", "first\n", DEFLATED);
    expect(&zip, "<a.txt>first\n");
}

Test(zip, marks_inside_stored_data_are_data)
{
    static const char text[] = "PK\7\10PK\7\10 and then PK\3\4 and PK\1\2 PK\7\10";
    struct dj_text zip = {0};
    struct dj_text expected = {0};
    entry(&zip, "a", text, DESCRIBED);
    entry(&zip, "b", "second", DESCRIBED | ZIP64);
    dj_text_format(&expected, "<a>%s<b>second", text);
    expect(&zip, dj_text_get(&expected));
    dj_text_finish(&expected);
}

/* If the descriptor of a stored entry of unknown length is missing, the bytes are still
 * returned. */
Test(zip, bytes_before_a_missing_descriptor_are_returned)
{
    struct dj_text lines = {0};
    struct dj_text zip = {0};
    put_lines(&lines, 1000);
    entry(&zip, "a", dj_text_get(&lines), DESCRIBED | UNMARKED);
    char *taken = taken_from(dj_text_get(&zip), zip.length - 12, 0);
    cr_assert_eq(strncmp(taken, "<a>", 3), 0);
    cr_assert_eq(strncmp(taken + 3, dj_text_get(&lines), lines.length), 0);
    cr_assert_eq(strncmp(taken + 3 + lines.length, "{input: a: truncated at byte", 28),
                 0);
    free(taken);
    dj_text_finish(&lines);
    dj_text_finish(&zip);
}

/* Truncates the archive at each byte. Each truncated archive must give the beginning of
 * the whole result, and then one error. */
static void expect_cuts(const struct dj_text *zip)
{
    char *whole = taken_from(dj_text_get(zip), zip->length, 0);
    for (size_t cut = 4; cut < zip->length; cut++) {
        char *taken = taken_from(dj_text_get(zip), cut, 0);
        char *error = strchr(taken, '{');
        char where[32];
        snprintf(where, sizeof(where), "at byte %zu", cut);
        cr_assert(error != NULL, "cut at %zu: %s", cut, taken);
        cr_assert(strstr(error, where) != NULL, "cut at %zu: %s", cut, taken);
        cr_assert_eq(strchr(error + 1, '{'), NULL, "cut at %zu: %s", cut, taken);
        cr_assert_eq(strncmp(taken, whole, (size_t)(error - taken)), 0, "cut at %zu: %s",
                     cut, taken);
        free(taken);
    }
    free(whole);
}

Test(zip, every_truncated_archive_is_an_error, .timeout = 100)
{
    for (size_t i = 0; i < LAYOUTS; i++) {
        struct dj_text zip = {0};
        entry(&zip, "a.txt", "first\nfirst\nfirst\n", layouts[i]);
        zip_entry(&zip, "picture", "\0PNG\0\0", 6, layouts[i]);
        entry(&zip, "b.txt", "second\n", layouts[i]);
        zip_end(&zip);
        if ((layouts[i] & (DEFLATED | DESCRIBED)) != DESCRIBED) {
            expect_cuts(&zip);
        }
        dj_text_finish(&zip);
    }
}

/* If only a descriptor shows the end of an entry, the bytes of a truncated descriptor
 * cannot be distinguished from data. */
Test(zip, truncated_entries_of_unknown_length_are_errors)
{
    struct dj_text zip = {0};
    entry(&zip, "a", "first\nsecond\n", DESCRIBED);
    zip_end(&zip);
    for (size_t cut = 4; cut < zip.length; cut++) {
        char *taken = taken_from(dj_text_get(&zip), cut, 0);
        char *error = strrchr(taken, '{');
        cr_assert(error != NULL && strstr(error, "truncated") != NULL, "%s", taken);
        cr_assert(error == taken || strncmp(taken, "<a>", 3) == 0, "%s", taken);
        free(taken);
    }
    dj_text_finish(&zip);
}

Test(zip, only_a_damaged_entry_is_lost)
{
    static const unsigned how[] = {DEFLATED, DEFLATED | DESCRIBED};
    struct dj_text lines = {0};
    put_lines(&lines, 3000);
    for (size_t i = 0; i < 2; i++) {
        struct dj_text zip = {0};
        entry(&zip, "a", "first\n", how[i]);
        entry(&zip, "b", dj_text_get(&lines), how[i] | BROKEN);
        entry(&zip, "c", "third\n", how[i]);
        zip_end(&zip);
        char *taken = taken_from(dj_text_get(&zip), zip.length, 0);
        cr_assert_eq(strncmp(taken, "<a>first\n<b>0,0,0\n", 18), 0, "%.40s", taken);
        const char *error = strstr(taken, "{input: b: damaged");
        cr_assert(error != NULL);
        cr_assert_gt(error - taken, 10000);
        cr_assert(strstr(error, "}<c>third\n") != NULL, "%s", error);
        free(taken);
        dj_text_finish(&zip);
    }
    dj_text_finish(&lines);
}

Test(zip, a_wrong_checksum_is_an_error)
{
    for (size_t i = 0; i < LAYOUTS; i++) {
        struct dj_text zip = {0};
        if ((layouts[i] & (DEFLATED | DESCRIBED)) == DESCRIBED) {
            /* In this layout, the descriptor with the checksum shows where the data
             * ends. */
            continue;
        }
        entry(&zip, "a", "first\n", layouts[i] | WRONG_CRC);
        entry(&zip, "b", "second\n", layouts[i]);
        zip_end(&zip);
        char *taken = taken_from(dj_text_get(&zip), zip.length, 0);
        cr_assert_eq(strncmp(taken, "<a>first\n{input: a: damaged: ", 29), 0, "%s",
                     taken);
        cr_assert(strstr(taken, "checksum") != NULL, "%s", taken);
        cr_assert(strstr(taken, "}<b>second\n") != NULL, "%s", taken);
        free(taken);
        dj_text_finish(&zip);
    }
}

Test(zip, bytes_between_entries_are_skipped)
{
    struct dj_text zip = {0};
    entry(&zip, "a", "first\n", DEFLATED);
    size_t at = zip.length;
    dj_text_add(&zip, "what is this? PK\3\4 no entry but the mark of one, and then");
    entry(&zip, "b", "second\n", DEFLATED);
    zip_end(&zip);
    struct dj_text expected = {0};
    dj_text_format(&expected,
                   "<a>first\n{input: damaged at byte %zu: expected the next entry or "
                   "the directory of the archive}<b>second\n",
                   at);
    expect_taken(&zip, dj_text_get(&expected));
    dj_text_finish(&zip);
    dj_text_finish(&expected);
}

Test(zip, unread_entries_are_skipped)
{
    struct dj_text zip = {0};
    entry(&zip, "a", "first\n", DEFLATED | ENCRYPTED);
    size_t method = zip.length + 8;
    entry(&zip, "b", "second\n", DEFLATED);
    zip.data[method] = 12;
    entry(&zip, "c", "third\n", DEFLATED);
    expect(&zip, "{input: a: encrypted; unpack it first with its password}{input: b: zip "
                 "compression method 12 is not supported; unpack it first with unzip or "
                 "7z}<c>third\n");
}

Test(zip, unread_entries_of_unknown_length_are_skipped)
{
    struct dj_text zip = {0};
    entry(&zip, "a", "first\n", DEFLATED | DESCRIBED | ENCRYPTED);
    entry(&zip, "b", "second\n", DEFLATED | DESCRIBED);
    expect(&zip, "{input: a: encrypted; unpack it first with its password}<b>second\n");
}

Test(zip, impossible_lengths_are_errors)
{
    struct dj_text zip = {0};
    entry(&zip, "a", "first\n", 0);
    /* Both sizes refer to a zip64 field that does not exist. */
    memset(zip.data + 18, 0xFF, 8);
    char *taken = taken_from(dj_text_get(&zip), zip.length, 0);
    cr_assert_eq(strncmp(taken, "<a>first\n{input: a: truncated at byte", 37), 0, "%s",
                 taken);
    free(taken);
    dj_text_finish(&zip);
}

Test(zip, names_are_unchanged_and_escaped_in_messages)
{
    struct dj_text zip = {0};
    entry(&zip, "a\033[31m", "first\n", DEFLATED);
    entry(&zip, "b\033[31m", "second\n", ENCRYPTED);
    entry(&zip, "", "third\n", DEFLATED);
    expect(&zip, "<a\033[31m>first\n{input: b\\x1b[31m: encrypted; unpack it first with "
                 "its password}<>third\n");
}

Test(zip, long_names_are_truncated)
{
    char name[60000];
    struct dj_text zip = {0};
    memset(name, 'n', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    entry(&zip, name, "first\n", DEFLATED);
    entry(&zip, name, "second\n", ENCRYPTED);
    zip_end(&zip);
    char *taken = taken_from(dj_text_get(&zip), zip.length, 0);
    cr_assert_eq(strchr(taken, '>') - taken, 1024);
    cr_assert(strstr(taken, ">first\n{input: ...nnn") != NULL);
    cr_assert(strstr(taken, "nnn: encrypted; unpack it first") != NULL);
    free(taken);
    dj_text_finish(&zip);
}

Test(zip, nested_archives_are_read)
{
    struct dj_text inner = {0};
    struct dj_text packed = {0};
    struct dj_text zip = {0};
    entry(&inner, "deep.txt", "deep\n", DEFLATED | DESCRIBED);
    zip_entry(&inner, "picture", "\0", 1, DEFLATED);
    zip_end(&inner);
    gzip_member(&packed, "packed\n", 7);
    entry(&zip, "a.txt", "first\n", DEFLATED);
    zip_entry(&zip, "inner.zip", inner.data, inner.length, DESCRIBED);
    zip_entry(&zip, "log.gz", packed.data, packed.length, 0);
    zip_entry(&zip, "other.bz2", "BZh91AY", 7, 0);
    zip_entry(&zip, "wide.txt",
              "\xff\xfe"
              "w\0",
              4, DEFLATED);
    expect(&zip, "<a.txt>first\n<inner.zip/deep.txt>deep\n<log.gz>packed\n<wide.txt>w");
    dj_text_finish(&inner);
    dj_text_finish(&packed);
}

Test(zip, damage_in_an_inner_archive_ends_only_that_archive)
{
    struct dj_text inner = {0};
    struct dj_text zip = {0};
    entry(&inner, "deep.txt", "deep\n", 0);
    zip_entry(&zip, "inner.zip", inner.data, inner.length, DEFLATED);
    entry(&zip, "b.txt", "second\n", DEFLATED);
    char expected[200];
    snprintf(expected, sizeof(expected),
             "<inner.zip/deep.txt>deep\n{input: inner.zip: truncated at byte %zu: "
             "expected more data}<b.txt>second\n",
             inner.length);
    expect(&zip, expected);
    dj_text_finish(&inner);
}

Test(zip, both_forms_of_graphicsstats_are_recognized)
{
    /* An entry of package a.b, version 1, with 5 frames. */
    static const char message[] = "\x0a\3a.b\x10\1\x2a\2\x08\5";
    struct dj_text dump = {0};
    struct dj_text file = {0};
    struct dj_text zip = {0};
    struct dj_text expected = {0};
    dj_text_append(&dump, "\x0a\x0b", 2);
    dj_text_append(&dump, message, sizeof(message) - 1);
    dj_text_append(&file, "\1\0\0\0", 4);
    dj_text_append(&file, message, sizeof(message) - 1);
    dj_text_format(&expected, "<dump:->%s", dj_text_get(&dump));
    expect_taken(&dump, dj_text_get(&expected));
    zip_entry(&zip, "proto", dump.data, dump.length, DEFLATED);
    zip_entry(&zip, "total", file.data, file.length, DEFLATED);
    zip_end(&zip);
    char *taken = taken_from(dj_text_get(&zip), zip.length, 0);
    cr_assert_eq(strncmp(taken, "<dump:proto>\x0a\x0b\x0a\3a.b", 18), 0);
    cr_assert(strstr(taken, "<stored:total>\1") != NULL);
    free(taken);
    dj_text_finish(&dump);
    dj_text_finish(&file);
    dj_text_finish(&zip);
    dj_text_finish(&expected);
}
