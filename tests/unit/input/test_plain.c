#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input/input.h"
#include "support.h"

static void expect_bytes(const char *bytes, size_t length, const char *expected)
{
    struct dj_text input = {0};
    dj_text_append(&input, bytes, length);
    expect_taken(&input, expected);
    dj_text_finish(&input);
}

#define EXPECT(literal, expected) expect_bytes(literal, sizeof(literal) - 1, expected)

Test(plain, an_empty_file_is_an_empty_text)
{
    EXPECT("", "<->");
}

Test(plain, text_is_unchanged)
{
    EXPECT("a", "<->a");
    EXPECT("one\r\ntwo\n\xff three", "<->one\r\ntwo\n\xff three");
    EXPECT("\xef\xbb\xbf"
           "bom",
           "<->\xef\xbb\xbf"
           "bom"); /* The reader of the text skips the byte order mark. */
}

Test(plain, beginnings_of_marks_are_text)
{
    EXPECT("PK", "<->PK");
    EXPECT("PKZIP", "<->PKZIP");
    EXPECT("\x1f\x8b", "<->\x1f\x8b");
    EXPECT("\xfd"
           "7zX",
           "<->\xfd"
           "7zX");
    EXPECT("\xff", "<->\xff");
}

/* Opens the reading end of a pipe, which the caller still owns. */
static int open_piped(struct dj_input_reader **intake, const char *bytes, size_t length)
{
    int ends[2];
    cr_assert_eq(pipe(ends), 0);
    cr_assert_eq(write(ends[1], bytes, length), (ssize_t)length);
    close(ends[1]);
    *intake = dj_input_open_fd(ends[0], "pipe");
    return ends[0];
}

Test(plain, a_text_may_contain_nul)
{
    struct dj_input_reader *intake;
    int fd = open_piped(&intake, "a\0b\0", 4);
    struct dj_input_part part;
    const char *bytes;
    size_t length;
    cr_assert_eq(dj_input_next(intake, &part, NULL), 0);
    cr_assert_eq(part.kind, DJ_PART_TEXT);
    cr_assert_eq(dj_input_read(intake, &bytes, &length, NULL), 0);
    cr_assert_eq(length, 4);
    cr_assert_arr_eq(bytes, "a\0b\0", 4);
    dj_input_close(intake);
    close(fd);
}

Test(plain, text_larger_than_the_buffer_is_read)
{
    struct dj_text input = {0};
    struct dj_text expected = {0};
    put_lines(&input, 60000);
    cr_assert_gt(input.length, 3 << 18);
    dj_text_add(&expected, "<->");
    dj_text_append(&expected, dj_text_get(&input), input.length);
    for (size_t piece = 0; piece <= 200000; piece += 66666) {
        char *taken = taken_from(dj_text_get(&input), input.length, piece);
        cr_assert_str_eq(taken, dj_text_get(&expected));
        free(taken);
    }
    dj_text_finish(&input);
    dj_text_finish(&expected);
}

Test(plain, a_file_is_read_into_page_aligned_buffers)
{
    struct dj_text input = {0};
    struct dj_input_reader *intake;
    struct dj_input_part part;
    const char *bytes;
    size_t length;
    size_t pieces = 0;
    put_lines(&input, 60000);
    char path[] = "/tmp/dejank-intake-XXXXXX";
    int fd = mkstemp(path);
    cr_assert_eq(write(fd, input.data, input.length), (ssize_t)input.length);
    close(fd);
    cr_assert_eq(dj_input_open(&intake, path, NULL), 0);
    unlink(path);
    cr_assert_str_eq(dj_input_get_name(intake), path);
    cr_assert_eq(dj_input_next(intake, &part, NULL), 0);
    while (dj_input_read(intake, &bytes, &length, NULL) == 0 && length > 0) {
        pieces++;
        /* Reading to the start of a page is fastest. */
        cr_assert_eq((uintptr_t)bytes % 4096, 0);
    }
    cr_assert_eq(pieces, (input.length + (1 << 18) - 1) >> 18);
    dj_input_close(intake);
    dj_text_finish(&input);
}

Test(plain, unread_bytes_are_skipped)
{
    struct dj_input_reader *intake;
    int fd = open_piped(&intake, "text", 4);
    struct dj_input_part part;
    const char *bytes;
    size_t length;
    /* No part has been opened yet. */
    cr_assert_eq(dj_input_read(intake, &bytes, &length, NULL), 0);
    cr_assert_eq(length, 0);
    cr_assert_eq(dj_input_next(intake, &part, NULL), 0);
    for (int i = 0; i < 3; i++) {
        cr_assert_eq(dj_input_next(intake, &part, NULL), 0);
        cr_assert_eq(part.kind, DJ_PART_NONE);
        cr_assert_eq(dj_input_read(intake, &bytes, &length, NULL), 0);
        cr_assert_eq(length, 0);
    }
    dj_input_close(intake);
    close(fd);
}

static void expect_refused(const char *path, const char *words)
{
    struct dj_input_reader *intake = NULL;
    struct dj_input_part part;
    struct dj_error err = {0};
    int code = dj_input_open(&intake, path, &err);
    if (code == 0) {
        code = dj_input_next(intake, &part, &err);
        cr_assert_eq(part.kind, DJ_PART_NONE);
    }
    cr_assert_eq(code, DJ_E_IO);
    cr_assert(strstr(err.message, path) != NULL, "%s", err.message);
    cr_assert(strstr(err.message, words) != NULL, "%s", err.message);
    dj_input_close(intake);
}

Test(plain, a_missing_file_is_an_error)
{
    expect_refused("/nonexistent/dump.txt", "No such file");
}

Test(plain, a_directory_is_an_error)
{
    expect_refused("/", "Is a directory");
}

Test(plain, a_file_without_permission_is_an_error)
{
    char path[] = "/tmp/dejank-intake-XXXXXX";
    int fd = mkstemp(path);
    cr_assert_eq(fchmod(fd, 0), 0);
    close(fd);
    /* root can read any file. Each test is a process of its own, so it can change its
     * user. */
    if (geteuid() == 0) {
        cr_assert_eq(seteuid(65534), 0);
    }
    expect_refused(path, "Permission denied");
    cr_assert_eq(seteuid(getuid()), 0);
    unlink(path);
}

Test(plain, an_unreadable_descriptor_is_an_error)
{
    struct dj_input_reader *intake;
    struct dj_input_part part;
    struct dj_error err = {0};
    int fd = open("/dev/null", O_WRONLY);
    intake = dj_input_open_fd(fd, "nothing");
    cr_assert_eq(dj_input_next(intake, &part, &err), DJ_E_IO);
    cr_assert(strstr(err.message, "cannot read nothing") != NULL, "%s", err.message);
    cr_assert_eq(dj_input_next(intake, &part, NULL), 0);
    cr_assert_eq(part.kind, DJ_PART_NONE);
    dj_input_close(intake);
    close(fd);
}

Test(plain, closing_null_is_allowed)
{
    dj_input_close(NULL);
}

Test(utf16, text_of_powershell_is_decoded)
{
    EXPECT("\xff\xfe"
           "a\0\r\0\n\0"
           "\xe4\0"
           "\xac\x20",
           "<->a\r\n\xc3\xa4\xe2\x82\xac");
}

Test(utf16, big_endian_text_is_decoded)
{
    EXPECT("\xfe\xff"
           "\0a\0\n\0\xe4\x20\xac",
           "<->a\n\xc3\xa4\xe2\x82\xac");
}

/* U+1F600 is a surrogate pair. Pieces of different sizes end at different bytes of it. */
Test(utf16, surrogate_pairs_are_decoded)
{
    EXPECT("\xff\xfe\x3d\xd8\x00\xde\x3d\xd8\x00\xde",
           "<->\xf0\x9f\x98\x80\xf0\x9f\x98\x80");
    EXPECT("\xfe\xff\0x\xd8\x3d\xde\x00", "<->x\xf0\x9f\x98\x80");
    EXPECT("\xfe\xff\xdb\xff\xdf\xff", "<->\xf4\x8f\xbf\xbf");
}

Test(utf16, an_unpaired_surrogate_is_replaced)
{
    EXPECT("\xff\xfe\x3d\xd8"
           "a\0",
           "<->\xef\xbf\xbd"
           "a");
    EXPECT("\xff\xfe\x00\xde"
           "a\0",
           "<->\xef\xbf\xbd"
           "a");
    EXPECT("\xff\xfe\x3d\xd8\x3d\xd8\x00\xde", "<->\xef\xbf\xbd\xf0\x9f\x98\x80");
    EXPECT("\xff\xfe"
           "a\0\x3d\xd8",
           "<->a\xef\xbf\xbd");
}

Test(utf16, a_truncated_character_is_an_error)
{
    EXPECT("\xff\xfe"
           "a\0b",
           "<->a{input: truncated at byte 5: expected more data}");
    EXPECT("\xff\xfe"
           "b",
           "{input: truncated at byte 3: expected more data}");
}

Test(utf16, a_byte_order_mark_alone_is_an_empty_text)
{
    EXPECT("\xff\xfe", "<->");
}

Test(utf16, text_larger_than_the_buffer_is_decoded)
{
    struct dj_text input = {0};
    struct dj_text expected = {0};
    dj_text_append(&input, "\xff\xfe", 2);
    dj_text_add(&expected, "<->");
    for (size_t i = 0; i < 100000; i++) {
        dj_text_append(&input, "\x3d\xd8\x00\xde\n\0", 6);
        dj_text_add(&expected, "\xf0\x9f\x98\x80\n");
    }
    for (size_t piece = 0; piece <= 200000; piece += 66665) {
        char *taken = taken_from(dj_text_get(&input), input.length, piece);
        cr_assert_str_eq(taken, dj_text_get(&expected));
        free(taken);
    }
    dj_text_finish(&input);
    dj_text_finish(&expected);
}
