#include "segment/read/checked_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int dj_checked_file_fail(const struct dj_checked_file *reading, int code, int64_t offset,
                         const char *format, ...)
{
    char what[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof(what), format, arguments);
    va_end(arguments);
    return dj_error_set_at(reading->err, code, offset, "%s: byte %lld: %s", reading->path,
                           (long long)offset, what);
}

int dj_checked_file_read(struct dj_checked_file *reading, void *bytes, size_t size,
                         int64_t offset)
{
    size_t done = 0;
    while (done < size) {
        ssize_t got =
            pread(reading->fd, (char *)bytes + done, size - done, offset + (int64_t)done);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            return dj_checked_file_fail(reading, DJ_E_IO, offset, "%s", strerror(errno));
        }
        if (got == 0) {
            return dj_checked_file_fail(reading, DJ_E_TRUNCATED, offset + (int64_t)done,
                                        "the file ends here: expected %zu more bytes",
                                        size - done);
        }
        done += (size_t)got;
    }
    /* Prevents the compiler and the CPU from moving later reads before this one. Pairs
     * with the release fences of the writer. */
    atomic_thread_fence(memory_order_acquire);
    return 0;
}

int dj_checked_file_read_word(struct dj_checked_file *reading, uint64_t *word,
                              int64_t offset)
{
    return dj_checked_file_read(reading, word, sizeof(*word), offset);
}

int64_t dj_checked_file_window_offset(const struct dj_checked_file *reading,
                                      uint32_t slot)
{
    return (int64_t)reading->header.header_bytes +
           (int64_t)slot * reading->header.window_bytes;
}

int64_t dj_checked_file_row_offset(const struct dj_checked_file *reading, uint32_t slot,
                                   uint64_t index)
{
    return dj_checked_file_window_offset(reading, slot) +
           (int64_t)sizeof(struct dj_segment_open_window) +
           (int64_t)(index % reading->header.keep * sizeof(struct dj_segment_row));
}

int dj_checked_file_retry(struct dj_checked_file *reading, int64_t offset)
{
    if (reading->attempts == 0) {
        return dj_checked_file_fail(
            reading, DJ_E_TIMEOUT, offset,
            "the writer was still changing this part after %d attempts",
            DJ_CHECKED_FILE_ATTEMPTS);
    }
    reading->attempts--;
    return 0;
}

/* Offset of a field in the header. */
#define HEADER(member) offsetof(struct dj_segment_header, member)

/* A number in the header and its valid range. */
struct number_rule {
    size_t offset;
    const char *name;
    uint32_t least, most;
};

#define RULE(field, least, most)                                                         \
    {                                                                                    \
        HEADER(field), #field, least, most                                               \
    }

static const struct number_rule number_rules[] = {
    RULE(header_bytes, DJ_SEGMENT_PAGE, DJ_SEGMENT_PAGE),
    RULE(window_slots, 1, DJ_SEGMENT_WINDOWS),
    RULE(keep, DJ_SEGMENT_KEEP_MIN, DJ_SEGMENT_KEEP_MAX),
    RULE(column_count, DJ_SEGMENT_COLUMNS, DJ_SEGMENT_COLUMNS),
    RULE(counter_count, DJ_COUNTER_COUNT, DJ_COUNTER_COUNT),
    RULE(frame_buckets, DJ_FRAME_BUCKETS, DJ_FRAME_BUCKETS),
    RULE(gpu_buckets, DJ_GPU_BUCKETS, DJ_GPU_BUCKETS),
    RULE(interval_assumed, 0, 1),
    RULE(windows, 0, DJ_SEGMENT_WINDOWS),
    RULE(disabled, 0, 1),
    RULE(profile, 0, 1),
};

static int check_number(const struct dj_checked_file *reading,
                        const struct number_rule *rule)
{
    uint32_t found;
    memcpy(&found, (const char *)&reading->header + rule->offset, sizeof(found));
    if (found >= rule->least && found <= rule->most) {
        return 0;
    }
    if (rule->least == rule->most) {
        return dj_checked_file_fail(reading, DJ_E_INVALID, (int64_t)rule->offset,
                                    "%s is %u: expected %u", rule->name, found,
                                    rule->least);
    }
    return dj_checked_file_fail(reading, DJ_E_INVALID, (int64_t)rule->offset,
                                "%s is %u: expected %u to %u", rule->name, found,
                                rule->least, rule->most);
}

struct text_rule {
    size_t offset, size;
    const char *name;
};

#define TEXT(field)                                                                      \
    {                                                                                    \
        HEADER(field), sizeof(((struct dj_segment_header *)0)->field), #field            \
    }

static const struct text_rule text_rules[] = {
    TEXT(boot_id), TEXT(release),     TEXT(name),
    TEXT(program), TEXT(app_version), TEXT(disabled_reason),
};

static int check_text(const struct dj_checked_file *reading, const struct text_rule *rule)
{
    const char *text = (const char *)&reading->header + rule->offset;
    if (memchr(text, '\0', rule->size) != NULL) {
        return 0;
    }
    return dj_checked_file_fail(reading, DJ_E_INVALID, (int64_t)rule->offset,
                                "%s has no zero byte within its %zu bytes", rule->name,
                                rule->size);
}

/* Checks that the file is a segment of this version with the byte order of this
 * machine. */
static int check_kind(const struct dj_checked_file *reading)
{
    static const char nothing[sizeof(reading->header.magic)];
    const struct dj_segment_header *header = &reading->header;
    bool is_unfinished = memcmp(header->magic, nothing, sizeof(nothing)) == 0;
    if (is_unfinished && header->version == DJ_SEGMENT_VERSION && header->windows == 0) {
        return dj_checked_file_fail(reading, DJ_E_NOT_FOUND, 0,
                                    "the segment was created, but nothing was recorded");
    }
    if (is_unfinished) {
        return dj_checked_file_fail(
            reading, DJ_E_NO_DATA, 0,
            "the segment is incomplete: its writer never finished the header");
    }
    if (memcmp(header->magic, DJ_SEGMENT_MAGIC, sizeof(header->magic)) != 0) {
        return dj_checked_file_fail(reading, DJ_E_INVALID, 0,
                                    "not a segment: expected the bytes DEJANK\\r\\n");
    }
    if (header->byte_order != DJ_SEGMENT_BYTE_ORDER) {
        return dj_checked_file_fail(reading, DJ_E_VERSION, HEADER(byte_order),
                                    "byte order %08x: expected %08x", header->byte_order,
                                    DJ_SEGMENT_BYTE_ORDER);
    }
    if (header->version != DJ_SEGMENT_VERSION) {
        return dj_checked_file_fail(reading, DJ_E_VERSION, HEADER(version),
                                    "segment version %u: expected %d", header->version,
                                    DJ_SEGMENT_VERSION);
    }
    return 0;
}

/* Checks the numbers of the header that depend on other numbers. Called after the tables
 * of rules have been applied. */
static int check_dependent_numbers(const struct dj_checked_file *reading)
{
    const struct dj_segment_header *header = &reading->header;
    if (header->window_bytes != dj_segment_window_bytes(header->keep)) {
        return dj_checked_file_fail(reading, DJ_E_INVALID, HEADER(window_bytes),
                                    "window_bytes is %u: expected %zu for %u rows",
                                    header->window_bytes,
                                    dj_segment_window_bytes(header->keep), header->keep);
    }
    if (header->windows > header->window_slots) {
        return dj_checked_file_fail(reading, DJ_E_INVALID, HEADER(windows),
                                    "windows is %u: expected at most %u", header->windows,
                                    header->window_slots);
    }
    if (header->pid <= 0 || header->pid > INT32_MAX) {
        return dj_checked_file_fail(reading, DJ_E_INVALID, HEADER(pid),
                                    "pid is %lld: expected 1 to %d",
                                    (long long)header->pid, INT32_MAX);
    }
    if (header->created_ns < 0) {
        return dj_checked_file_fail(reading, DJ_E_INVALID, HEADER(created_ns),
                                    "created_ns is negative");
    }
    if (header->run_ns < 0) {
        return dj_checked_file_fail(reading, DJ_E_INVALID, HEADER(run_ns),
                                    "run_ns is negative");
    }
    if (header->interval_ns <= 0) {
        return dj_checked_file_fail(reading, DJ_E_INVALID, HEADER(interval_ns),
                                    "interval_ns is %lld: expected a positive number",
                                    (long long)header->interval_ns);
    }
    return 0;
}

static int check_length(const struct dj_checked_file *reading, int64_t length)
{
    int64_t expected =
        dj_checked_file_window_offset(reading, reading->header.window_slots);
    if (length >= expected) {
        return 0;
    }
    return dj_checked_file_fail(reading, DJ_E_TRUNCATED, length,
                                "the file ends here: expected %lld bytes",
                                (long long)expected);
}

static int read_header(struct dj_checked_file *reading, int64_t length)
{
    if (length == 0) {
        return dj_checked_file_fail(
            reading, DJ_E_NO_DATA, 0,
            "the segment is incomplete: its writer never finished the header");
    }
    int code =
        dj_checked_file_read(reading, &reading->header, sizeof(reading->header), 0);
    code = code != 0 ? code : check_kind(reading);
    for (size_t i = 0; code == 0 && i < COUNT_OF(number_rules); i++) {
        code = check_number(reading, &number_rules[i]);
    }
    for (size_t i = 0; code == 0 && i < COUNT_OF(text_rules); i++) {
        code = check_text(reading, &text_rules[i]);
    }
    code = code != 0 ? code : check_dependent_numbers(reading);
    return code != 0 ? code : check_length(reading, length);
}

static int check_file(const struct dj_checked_file *reading, unsigned owner,
                      int64_t *length)
{
    struct stat status;
    if (fstat(reading->fd, &status) != 0) {
        return dj_error_set(reading->err, DJ_E_IO, "%s: %s", reading->path,
                            strerror(errno));
    }
    if (!S_ISREG(status.st_mode)) {
        return dj_error_set(reading->err, DJ_E_INVALID, "%s: expected a regular file",
                            reading->path);
    }
    if (status.st_uid != owner) {
        return dj_error_set(reading->err, DJ_E_OWNER, "%s: expected owner %u, found %u",
                            reading->path, owner, (unsigned)status.st_uid);
    }
    *length = status.st_size;
    return 0;
}

static int report_open_error(const struct dj_checked_file *reading)
{
    if (errno == ELOOP) {
        return dj_error_set(reading->err, DJ_E_OWNER,
                            "%s: expected a regular file, found a link", reading->path);
    }
    int code = errno == ENOENT ? DJ_E_NOT_FOUND : DJ_E_IO;
    return dj_error_set(reading->err, code, "%s: %s", reading->path, strerror(errno));
}

int dj_checked_file_open(struct dj_checked_file *reading, const char *path,
                         unsigned owner, bool to_write, struct dj_error *err)
{
    *reading = (struct dj_checked_file){
        .path = path, .err = err, .attempts = DJ_CHECKED_FILE_ATTEMPTS};
    /* O_NONBLOCK prevents open() from blocking if the path is a FIFO. */
    reading->fd = open(path, (to_write ? O_RDWR : O_RDONLY) | O_NOFOLLOW | O_NONBLOCK |
                                 O_NOCTTY | O_CLOEXEC);
    if (reading->fd < 0) {
        return report_open_error(reading);
    }
    int64_t length = 0;
    int code = check_file(reading, owner, &length);
    return code != 0 ? code : read_header(reading, length);
}

void dj_checked_file_close(struct dj_checked_file *reading)
{
    if (reading->fd >= 0) {
        close(reading->fd);
        reading->fd = -1;
    }
}
