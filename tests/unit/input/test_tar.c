/* Tar archives that the tests write byte by byte. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "input/tar.h"
#include "support.h"

enum { CHECKSUM = 148, TYPE = 156, MAGIC = 257, PREFIX = 345 };

static void put_header(struct dj_text *tar, const char *name, size_t size, char type,
                       const char *prefix)
{
    char header[DJ_TAR_BLOCK] = {0};
    unsigned sum = 0;
    snprintf(header, 100, "%s", name);
    snprintf(header + 100, 8, "%07o", 0644);
    snprintf(header + 124, 12, "%011zo", size);
    memset(header + CHECKSUM, ' ', 8);
    header[TYPE] = type;
    if (prefix != NULL) {
        memcpy(header + MAGIC,
               "ustar\0"
               "00",
               8);
        snprintf(header + PREFIX, 155, "%s", prefix);
    }
    for (size_t i = 0; i < sizeof(header); i++) {
        sum += (unsigned char)header[i];
    }
    snprintf(header + CHECKSUM, 8, "%06o", sum);
    dj_text_append(tar, header, sizeof(header));
}

static void put_data(struct dj_text *tar, const char *bytes, size_t length)
{
    static const char zeros[DJ_TAR_BLOCK];
    dj_text_append(tar, bytes, length);
    dj_text_append(tar, zeros, (DJ_TAR_BLOCK - length % DJ_TAR_BLOCK) % DJ_TAR_BLOCK);
}

static void put_entry(struct dj_text *tar, const char *name, const char *text, char type)
{
    put_header(tar, name, strlen(text), type, "");
    put_data(tar, text, strlen(text));
}

static void put_end(struct dj_text *tar)
{
    static const char zeros[2 * DJ_TAR_BLOCK];
    dj_text_append(tar, zeros, sizeof(zeros));
}

static void expect(struct dj_text *tar, const char *expected)
{
    expect_taken(tar, expected);
    dj_text_finish(tar);
}

Test(tar, consecutive_files_are_read)
{
    struct dj_text tar = {0}, lines = {0}, expected = {0};
    put_lines(&lines, 300);
    put_entry(&tar, "empty", "", '0');
    put_entry(&tar, "a.txt", "first\n", '0');
    put_entry(&tar, "folder/", "", '5');
    /* The oldest form of tar has this type. */
    put_entry(&tar, "folder/b.txt", dj_text_get(&lines), '\0');
    put_entry(&tar, "link", "", '2');
    put_header(&tar, "picture", 6, '0', NULL);
    put_data(&tar, "\0PNG\0\0", 6);
    put_entry(&tar, "last.txt", "last\n", '7');
    put_end(&tar);
    dj_text_format(&expected, "<a.txt>first\n<folder/b.txt>%s<last.txt>last\n",
                   dj_text_get(&lines));
    expect(&tar, dj_text_get(&expected));
    dj_text_finish(&lines);
    dj_text_finish(&expected);
}

Test(tar, long_names_of_all_forms_are_read)
{
    char longest[300], expected[2048], record[400];
    memset(longest, 'n', 299);
    longest[299] = '\0';
    struct dj_text tar = {0};
    put_header(&tar, "file", 2, '0', "some/folder");
    put_data(&tar, "a\n", 2);
    put_entry(&tar, "././@LongLink", longest, 'L');
    put_entry(&tar, "cut", "b\n", '0');
    snprintf(record, sizeof(record), "20 mtime=1700000000\n309 path=%s\n", longest);
    put_entry(&tar, "PaxHeaders/x", record, 'x');
    put_entry(&tar, "cut", "c\n", '0');
    put_entry(&tar, "pax_global_header", "11 path=g\n\n", 'g');
    put_entry(&tar, "short", "d\n", '0');
    put_end(&tar);
    snprintf(expected, sizeof(expected), "<some/folder/file>a\n<%s>b\n<%s>c\n<short>d\n",
             longest, longest);
    expect(&tar, expected);
}

Test(tar, tar_and_gzip_may_be_nested)
{
    struct dj_text tar = {0}, member = {0}, packed = {0};
    gzip_member(&member, "inner\n", 6);
    put_header(&tar, "inner.gz", member.length, '0', "");
    put_data(&tar, member.data, member.length);
    put_entry(&tar, "plain", "outer\n", '0');
    put_end(&tar);
    gzip_member(&packed, tar.data, tar.length);
    expect(&packed, "<inner.gz>inner\n<plain>outer\n");
    dj_text_finish(&tar);
    dj_text_finish(&member);
}

Test(tar, archives_without_an_end_are_read)
{
    struct dj_text tar = {0};
    put_entry(&tar, "a", "first\n", '0');
    expect(&tar, "<a>first\n");
}

Test(tar, the_beginning_of_a_truncated_archive_is_read)
{
    struct dj_text tar = {0};
    put_header(&tar, "a", 600, '0', "");
    dj_text_add(&tar, "only this\n");
    char *taken = taken_from(tar.data, tar.length, 0);
    cr_expect_not_null(strstr(taken, "only this\n"));
    cr_expect_not_null(strstr(taken, "truncated at byte 522"), "%s", taken);
    free(taken);
    dj_text_finish(&tar);
}

Test(tar, a_damaged_header_ends_the_archive)
{
    struct dj_text tar = {0};
    put_entry(&tar, "a", "first\n", '0');
    put_entry(&tar, "b", "second\n", '0');
    tar.data[2 * DJ_TAR_BLOCK + 3] = 'x'; /* The checksum no longer matches. */
    char *taken = taken_from(tar.data, tar.length, 0);
    cr_expect_not_null(strstr(taken, "<a>first\n"));
    cr_expect_not_null(strstr(taken, "damaged at byte 1024"), "%s", taken);
    free(taken);
    dj_text_finish(&tar);
}

Test(tar, text_is_no_archive)
{
    char text[DJ_TAR_BLOCK];
    memset(text, '0', sizeof(text));
    cr_expect_not(dj_tar_is_header(text, sizeof(text)));
    memset(text, 0, sizeof(text));
    cr_expect_not(dj_tar_is_header(text, sizeof(text)));
    cr_expect_not(dj_tar_is_header(text, 0));
}
