#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support.h"

/* Tests segments that dejank did not write. Each one causes an error code, with the byte
 * offset if possible. */
TestSuite(hostile, .init = test_setup, .fini = test_teardown);

static const struct dj_snapshot_options whole = {0};

/* Returns the bytes of a valid segment with one window: 200 frames in a ring of 128
 * rows. */
static char *create_valid_bytes(size_t *size)
{
    struct dj_segment_writer writer;
    test_create(&writer);
    test_write(&writer, 1, 0, 200);
    dj_segment_unmap(&writer);
    return test_read_file(test_segment(), size);
}

static int read_bytes(const char *bytes, size_t size, struct dj_error *err)
{
    struct dj_snapshot snapshot;
    const char *path = test_path("hostile");
    test_write_file(path, bytes, size);
    *err = (struct dj_error){0};
    int code = dj_segment_snapshot_read(path, geteuid(), &whole, &snapshot, err);
    dj_segment_snapshot_finish(&snapshot);
    cr_assert_eq(code, err->code);
    cr_assert(code == 0 || strstr(err->message, path) != NULL, "%s", err->message);
    return code;
}

#define HEADER(field) offsetof(struct dj_segment_header, field)
#define WINDOW(field) (DJ_SEGMENT_PAGE + offsetof(struct dj_segment_open_window, field))

/* A field, an invalid value, and the expected error code. */
struct corruption {
    const char *name;
    size_t offset, size;
    uint64_t value;
    int code;
};

#define FIELD32(field, value, code)                                                      \
    {                                                                                    \
#field " = " #value, HEADER(field), 4, (uint32_t)(value), code                   \
    }
#define FIELD64(field, value, code)                                                      \
    {                                                                                    \
#field " = " #value, HEADER(field), 8, (uint64_t)(value), code                   \
    }
#define WINDOW32(field, value, code)                                                     \
    {                                                                                    \
        "window " #field " = " #value, WINDOW(field), 4, (uint32_t)(value), code         \
    }
#define WINDOW64(field, value, code)                                                     \
    {                                                                                    \
        "window " #field " = " #value, WINDOW(field), 8, (uint64_t)(value), code         \
    }

static const struct corruption corruptions[] = {
    FIELD64(magic, 1, DJ_E_INVALID),
    FIELD64(magic, 0, DJ_E_NO_DATA),
    FIELD32(byte_order, 0x04030201, DJ_E_VERSION),
    FIELD32(version, 0, DJ_E_VERSION),
    FIELD32(version, DJ_SEGMENT_VERSION - 1, DJ_E_VERSION),
    FIELD32(version, DJ_SEGMENT_VERSION + 1, DJ_E_VERSION),
    FIELD32(header_bytes, 0, DJ_E_INVALID),
    FIELD32(header_bytes, 4095, DJ_E_INVALID),
    FIELD32(header_bytes, UINT32_MAX, DJ_E_INVALID),
    FIELD32(window_bytes, 0, DJ_E_INVALID),
    FIELD32(window_bytes, 4096, DJ_E_INVALID),
    FIELD32(window_bytes, UINT32_MAX, DJ_E_INVALID),
    FIELD32(window_slots, 0, DJ_E_INVALID),
    FIELD32(window_slots, 17, DJ_E_INVALID),
    FIELD32(window_slots, UINT32_MAX, DJ_E_INVALID),
    FIELD32(keep, 0, DJ_E_INVALID),
    FIELD32(keep, 119, DJ_E_INVALID),
    FIELD32(keep, 4096, DJ_E_INVALID),
    FIELD32(keep, UINT32_MAX, DJ_E_INVALID),
    FIELD32(column_count, 26, DJ_E_INVALID),
    FIELD32(column_count, 65, DJ_E_INVALID),
    FIELD32(counter_count, 11, DJ_E_INVALID),
    FIELD32(frame_buckets, 0, DJ_E_INVALID),
    FIELD32(gpu_buckets, UINT32_MAX, DJ_E_INVALID),
    FIELD64(pid, 0, DJ_E_INVALID),
    FIELD64(pid, -1, DJ_E_INVALID),
    FIELD64(pid, INT64_MAX, DJ_E_INVALID),
    FIELD64(created_ns, -1, DJ_E_INVALID),
    FIELD64(run_ns, -1, DJ_E_INVALID),
    FIELD64(interval_ns, 0, DJ_E_INVALID),
    FIELD64(interval_ns, INT64_MIN, DJ_E_INVALID),
    FIELD32(interval_assumed, 2, DJ_E_INVALID),
    FIELD32(windows, 17, DJ_E_INVALID),
    FIELD32(windows, 2, DJ_E_INVALID), /* The second window was never opened. */
    FIELD32(disabled, 2, DJ_E_INVALID),
    FIELD32(profile, 2, DJ_E_INVALID),
    FIELD32(release, 0x00393939, DJ_E_VERSION),
    FIELD64(start_ticks, UINT64_MAX, 0),
    FIELD64(dropped, UINT64_MAX, 0),
    FIELD32(pipelines, UINT32_MAX, 0),
    FIELD64(created_wall_ns, INT64_MIN, 0),
    WINDOW32(state, DJ_WINDOW_FREE, DJ_E_INVALID),
    WINDOW32(state, 3, DJ_E_INVALID),
    WINDOW32(state, UINT32_MAX, DJ_E_INVALID),
    WINDOW64(interval_ns, 0, DJ_E_INVALID),
    WINDOW64(interval_ns, -5, DJ_E_INVALID),
    WINDOW32(interval_assumed, UINT32_MAX, 0),
    WINDOW32(visibility, 1, DJ_E_INVALID),
    WINDOW32(visibility, UINT32_MAX, DJ_E_INVALID),
    WINDOW32(visibility, DJ_INVISIBLE, 0),
    WINDOW32(views, UINT32_MAX, 0),
    WINDOW32(renamed, UINT32_MAX, 0),
    WINDOW32(renamed, 0, 0), /* The title was never written, so it is empty. */
    WINDOW64(first_index, 201, DJ_E_INVALID),
    WINDOW64(first_index, UINT64_MAX, DJ_E_INVALID),
    WINDOW64(begun, 0, DJ_E_INVALID),
    WINDOW64(begun, 199, DJ_E_INVALID),
    WINDOW64(begun, UINT64_MAX, 0), /* All rows have been overwritten. */
    WINDOW64(published, UINT64_MAX, DJ_E_INVALID),
    WINDOW64(published, 201, DJ_E_INVALID),
    /* The rows are newer than the statistics, so none is used. */
    WINDOW64(published, 0, 0),
    WINDOW64(last_ns, INT64_MIN, 0),
    WINDOW64(profiled, UINT64_MAX, 0),
    WINDOW64(stats[0].sequence, 1, 0), /* The second copy is complete. */
    WINDOW32(stats[0].total.counter[0], UINT32_MAX, 0),
    WINDOW32(stats[0].opened.counter[0], UINT32_MAX, 0),
    WINDOW64(reset[0].sequence, UINT64_MAX, 0),
    WINDOW64(reset[0].published, UINT64_MAX, 0),
    WINDOW64(reset[0].at_ns, INT64_MAX, 0),
    WINDOW32(reset[0].total.counter[0], UINT32_MAX, 0),
};

Test(hostile, each_invalid_field_is_an_error)
{
    size_t size;
    char *bytes = create_valid_bytes(&size);
    struct dj_error err;
    cr_assert_eq(read_bytes(bytes, size, &err), 0, "%s", err.message);
    for (size_t i = 0; i < sizeof(corruptions) / sizeof(corruptions[0]); i++) {
        const struct corruption *bad = &corruptions[i];
        char saved[8];
        memcpy(saved, bytes + bad->offset, sizeof(saved));
        memcpy(bytes + bad->offset, &bad->value, bad->size);
        int code = read_bytes(bytes, size, &err);
        memcpy(bytes + bad->offset, saved, sizeof(saved));
        cr_expect_eq(code, bad->code, "%s: got %d (%s), want %d", bad->name, code,
                     err.message, bad->code);
        cr_expect(code == 0 || (err.has_offset && err.offset >= 0 &&
                                err.offset <= (long long)size),
                  "%s: byte %lld", bad->name, err.offset);
    }
    free(bytes);
}

Test(hostile, errors_name_the_byte)
{
    size_t size;
    char *bytes = create_valid_bytes(&size);
    struct dj_error err;
    uint32_t version = 7;
    memcpy(bytes + HEADER(version), &version, sizeof(version));
    cr_assert_eq(read_bytes(bytes, size, &err), DJ_E_VERSION);
    cr_assert_eq(err.offset, 12);
    cr_assert(strstr(err.message, "byte 12: segment version 7: expected 3") != NULL, "%s",
              err.message);
    free(bytes);
}

Test(hostile, unterminated_texts_are_errors)
{
    static const struct {
        size_t offset, size;
    } texts[] = {
        {HEADER(boot_id), 40},
        {HEADER(release), 16},
        {HEADER(name), DJ_SEGMENT_NAME},
        {HEADER(program), DJ_SEGMENT_NAME},
        {HEADER(disabled_reason), 128},
        {WINDOW(title[1]), DJ_SEGMENT_NAME},
        {HEADER(app_version), DJ_SEGMENT_APP_VERSION},
    };
    size_t size;
    char *bytes = create_valid_bytes(&size);
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct dj_error err;
        char saved[DJ_SEGMENT_NAME];
        memcpy(saved, bytes + texts[i].offset, texts[i].size);
        memset(bytes + texts[i].offset, 'x', texts[i].size);
        cr_expect_eq(read_bytes(bytes, size, &err), DJ_E_INVALID, "text %zu", i);
        cr_expect_eq(err.offset, (long long)texts[i].offset);
        memcpy(bytes + texts[i].offset, saved, texts[i].size);
    }
    free(bytes);
}

static void make_odd(char *bytes, size_t offset)
{
    uint64_t odd = 0x1001;
    memcpy(bytes + offset, &odd, sizeof(odd));
}

/* Both copies are unfinished, and no writer will complete them. The reader must soon
 * return an error. */
Test(hostile, two_unfinished_copies_are_an_error, .timeout = 10)
{
    size_t size;
    char *bytes = create_valid_bytes(&size);
    struct dj_error err;
    make_odd(bytes, WINDOW(stats[0].sequence));
    make_odd(bytes, WINDOW(stats[1].sequence));
    cr_assert_eq(read_bytes(bytes, size, &err), DJ_E_INVALID);
    cr_assert_eq(err.offset, (long long)WINDOW(stats));
    free(bytes);
    bytes = create_valid_bytes(&size);
    make_odd(bytes, WINDOW(reset[0].sequence));
    make_odd(bytes, WINDOW(reset[1].sequence));
    cr_assert_eq(read_bytes(bytes, size, &err), DJ_E_INVALID);
    cr_assert_eq(err.offset, (long long)WINDOW(reset));
    free(bytes);
}

Test(hostile, rows_with_unknown_columns_are_errors)
{
    size_t size;
    char *bytes = create_valid_bytes(&size);
    struct dj_error err;
    size_t row = DJ_SEGMENT_PAGE + sizeof(struct dj_segment_open_window) +
                 77 * sizeof(struct dj_segment_row);
    uint64_t known = UINT64_MAX;
    memcpy(bytes + row, &known, sizeof(known));
    cr_assert_eq(read_bytes(bytes, size, &err), DJ_E_INVALID);
    cr_assert_eq(err.offset, (long long)row);
    free(bytes);
}

/* A row may contain any numbers. */
Test(hostile, rows_may_contain_any_numbers)
{
    size_t size;
    char *bytes = create_valid_bytes(&size);
    struct dj_error err;
    size_t row = DJ_SEGMENT_PAGE + sizeof(struct dj_segment_open_window);
    for (size_t i = 1; i <= DJ_COLUMN_COUNT; i++) {
        int64_t value = i % 2 != 0 ? INT64_MIN : INT64_MAX;
        memcpy(bytes + row + 8 * i, &value, sizeof(value));
    }
    cr_assert_eq(read_bytes(bytes, size, &err), 0, "%s", err.message);
    free(bytes);
}

/* Tests every length up to the end of the first page, and then lengths near each
 * boundary of the layout. */
Test(hostile, a_truncated_file_is_an_error_at_any_length)
{
    size_t size;
    char *bytes = create_valid_bytes(&size);
    struct dj_error err;
    const size_t window = dj_segment_window_bytes(TEST_KEEP);
    const size_t edges[] = {
        DJ_SEGMENT_PAGE,
        WINDOW(stats),
        WINDOW(stats[1]),
        WINDOW(reset),
        WINDOW(profiled),
        DJ_SEGMENT_PAGE + sizeof(struct dj_segment_open_window),
        DJ_SEGMENT_PAGE + window,
        DJ_SEGMENT_PAGE + 15 * window,
        size,
    };
    for (size_t length = 0; length <= DJ_SEGMENT_PAGE; length += length < 64 ? 1 : 61) {
        int code = read_bytes(bytes, length, &err);
        cr_assert_eq(code, length == 0 ? DJ_E_NO_DATA : DJ_E_TRUNCATED, "%zu bytes: %s",
                     length, err.message);
        cr_assert_eq(err.offset, (long long)length);
    }
    for (size_t i = 0; i < sizeof(edges) / sizeof(edges[0]); i++) {
        cr_assert_eq(read_bytes(bytes, edges[i] - 1, &err), DJ_E_TRUNCATED);
        cr_assert_eq(err.offset, (long long)edges[i] - 1);
    }
    cr_assert_eq(read_bytes(bytes, size, &err), 0);
    free(bytes);
}

Test(hostile, extra_bytes_are_ignored)
{
    size_t size;
    char *bytes = create_valid_bytes(&size);
    char *longer = calloc(1, size + 100);
    struct dj_error err;
    memcpy(longer, bytes, size);
    cr_assert_eq(read_bytes(longer, size + 100, &err), 0);
    free(longer);
    free(bytes);
}

/* Writes reproducible random bytes. The reader must return, with any result. */
Test(hostile, the_reader_returns_for_random_bytes, .timeout = 50)
{
    size_t size;
    char *bytes = create_valid_bytes(&size);
    char *noisy = malloc(size);
    uint64_t random = 88172645463325252u;
    for (int round = 0; round < 300; round++) {
        memcpy(noisy, bytes, size);
        for (int i = 0; i <= round % 8; i++) {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            /* The byte is in the fields of the layout and not in the rows. */
            size_t at =
                random % (DJ_SEGMENT_PAGE + sizeof(struct dj_segment_open_window));
            noisy[at] = (char)(random >> 40);
        }
        struct dj_error err;
        int code = read_bytes(noisy, size, &err);
        cr_assert(code <= 0);
        cr_assert(code == 0 || err.message[0] != '\0');
    }
    free(noisy);
    free(bytes);
}

static int read_path(const char *path, unsigned owner, struct dj_error *err)
{
    struct dj_snapshot snapshot;
    int code = dj_segment_snapshot_read(path, owner, &whole, &snapshot, err);
    dj_segment_snapshot_finish(&snapshot);
    return code;
}

static int reset_path(const char *path, unsigned owner, struct dj_error *err)
{
    return dj_segment_reset_to(path, owner, &(const struct dj_snapshot){0}, 1, err);
}

Test(hostile, links_are_not_followed)
{
    struct dj_error err = {0};
    size_t size;
    free(create_valid_bytes(&size));
    cr_assert_eq(symlink(test_segment(), test_path("1.1")), 0);
    cr_assert_eq(read_path(test_path("1.1"), geteuid(), &err), DJ_E_OWNER);
    cr_assert(strstr(err.message, "a link") != NULL, "%s", err.message);
    cr_assert_eq(reset_path(test_path("1.1"), geteuid(), &err), DJ_E_OWNER);
    cr_assert_eq(dj_segment_set_profile(test_path("1.1"), geteuid(), true, &err),
                 DJ_E_OWNER);
}

Test(hostile, other_files_are_refused_without_blocking, .timeout = 10)
{
    struct dj_error err = {0};
    cr_assert_eq(mkfifo(test_path("2.2"), 0600), 0);
    cr_assert_eq(read_path(test_path("2.2"), geteuid(), &err), DJ_E_INVALID);
    cr_assert(strstr(err.message, "a regular file") != NULL, "%s", err.message);
    cr_assert_eq(reset_path(test_path("2.2"), geteuid(), &err), DJ_E_INVALID);
    cr_assert_eq(mkdir(test_path("3.3"), 0700), 0);
    cr_assert_eq(read_path(test_path("3.3"), geteuid(), &err), DJ_E_INVALID);
    cr_assert_eq(read_path(test_path("4.4"), geteuid(), &err), DJ_E_NOT_FOUND);
}

Test(hostile, the_owner_must_be_the_expected_one)
{
    struct dj_error err = {0};
    size_t size;
    free(create_valid_bytes(&size));
    cr_assert_eq(read_path(test_segment(), geteuid() + 1, &err), DJ_E_OWNER);
    cr_assert(strstr(err.message, "expected owner") != NULL, "%s", err.message);
    if (geteuid() == 0) {
        cr_assert_eq(chown(test_segment(), 12345, 12345), 0);
        cr_assert_eq(read_path(test_segment(), 0, &err), DJ_E_OWNER);
        cr_assert_eq(reset_path(test_segment(), 0, &err), DJ_E_OWNER);
        cr_assert_eq(read_path(test_segment(), 12345, &err), 0,
                     "root reads the segments of all users");
    }
}

/* If the file is truncated during reading, the result is an error and no SIGBUS. The
 * header still states the old length. */
Test(hostile, a_file_truncated_after_the_check_is_an_error)
{
    struct dj_error err = {0};
    size_t size;
    free(create_valid_bytes(&size));
    cr_assert_eq(truncate(test_segment(), DJ_SEGMENT_PAGE + 100), 0);
    cr_assert_eq(read_path(test_segment(), geteuid(), &err), DJ_E_TRUNCATED);
    cr_assert_eq(reset_path(test_segment(), geteuid(), &err), DJ_E_TRUNCATED);
    struct stat status;
    cr_assert_eq(stat(test_segment(), &status), 0);
    cr_assert_eq(status.st_size, DJ_SEGMENT_PAGE + 100,
                 "a reset does not extend the file");
}
