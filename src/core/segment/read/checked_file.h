/* Opens a segment file safely and reads parts of it. Segments are written by other
 * processes, so no byte is trusted. */
#ifndef DEJANK_SEGMENT_READ_CHECKED_FILE_H
#define DEJANK_SEGMENT_READ_CHECKED_FILE_H

#include "base/error.h"
#include "segment/layout.h"

enum {
    /* Maximum number of attempts per snapshot to read data that the writer is changing.
     * An attempt takes about three system calls, so even a hostile writer delays a
     * reader by less than a second. */
    DJ_CHECKED_FILE_ATTEMPTS = 200000,
    /* Maximum number of attempts to read data that is unfinished but does not change,
     * because its writer has died. */
    DJ_CHECKED_FILE_STUCK_ATTEMPTS = 64
};

struct dj_checked_file {
    int fd;
    const char *path;
    unsigned attempts; /* Number of attempts left of DJ_CHECKED_FILE_ATTEMPTS. */
    /* Copy of the file's header, after it was checked. */
    struct dj_segment_header header;
    struct dj_error *err;
};

/* Opens the file. Checks that it is a regular file of this owner with a valid header and
 * full length. The caller calls dj_checked_file_close(), even after an error. `path` and
 * `err` must remain valid until then. */
int dj_checked_file_open(struct dj_checked_file *reading, const char *path,
                         unsigned owner, bool to_write, struct dj_error *err);
void dj_checked_file_close(struct dj_checked_file *reading);

/* Sets an error with the path and the byte offset. Returns `code`. */
int dj_checked_file_fail(const struct dj_checked_file *reading, int code, int64_t offset,
                         const char *format, ...) __attribute__((format(printf, 4, 5)));

int dj_checked_file_read(struct dj_checked_file *reading, void *bytes, size_t size,
                         int64_t offset);
int dj_checked_file_read_word(struct dj_checked_file *reading, uint64_t *word,
                              int64_t offset);

/* Returns the offset of a window slot in the file. */
int64_t dj_checked_file_window_offset(const struct dj_checked_file *reading,
                                      uint32_t slot);

/* Returns the offset in the file of the row with this index in the ring buffer of the
 * slot. */
int64_t dj_checked_file_row_offset(const struct dj_checked_file *reading, uint32_t slot,
                                   uint64_t index);

/* Offset of a field in the fixed part of a window slot. */
#define DJ_READING_AT(reading, slot, member)                                             \
    (dj_checked_file_window_offset(reading, slot) +                                      \
     (int64_t)offsetof(struct dj_segment_open_window, member))

/* Decrements the number of attempts left. Returns DJ_E_TIMEOUT if it was 0. */
int dj_checked_file_retry(struct dj_checked_file *reading, int64_t offset);

/* The statistics of a window slot from one instant, and the range of the rows that these
 * statistics count. */
struct dj_reading_sums {
    struct dj_stats total, opened;
    uint64_t published; /* Number of complete rows, read after the statistics. */
    uint64_t end;       /* `total` counts the rows below this index. */
};
int dj_reading_sums(struct dj_checked_file *reading, uint32_t slot,
                    struct dj_reading_sums *sums);

/* The last reset of a window slot, or all zero if there was none. */
struct dj_reading_reset {
    int64_t at_ns;
    uint64_t published;
    struct dj_stats total;
};

/* Reads the last reset of every slot. All are from the same reset. Sets *set to the index
 * of the copies that were read, 0 or 1. */
int dj_reading_resets(struct dj_checked_file *reading,
                      struct dj_reading_reset resets[DJ_SEGMENT_WINDOWS], unsigned *set);

#endif
