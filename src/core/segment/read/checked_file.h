/* Opens a segment file safely and reads checked parts of it. */
#ifndef DEJANK_SEGMENT_READ_CHECKED_FILE_H
#define DEJANK_SEGMENT_READ_CHECKED_FILE_H

#include "base/error.h"
#include "segment/layout.h"

enum {
    /* Maximum number of attempts per snapshot to read a part that a live writer
     * changes all the time. An attempt takes about three system calls, so a hostile
     * writer delays a reader by less than a second. */
    DJ_CHECKED_FILE_ATTEMPTS = 200000,
    /* Maximum number of attempts for a part that stays unfinished without changing: it
     * has no writer. */
    DJ_CHECKED_FILE_STUCK_ATTEMPTS = 64
};

struct dj_checked_file {
    int fd;
    const char *path;
    unsigned attempts;               /* rest of DJ_CHECKED_FILE_ATTEMPTS */
    struct dj_segment_header header; /* checked */
    struct dj_error *err;
};

/* Opens the file, and checks that it is a regular file of this owner with a valid
 * header and its full length. The caller closes it also after errors. `path` and `err`
 * must outlive the reading. */
int dj_checked_file_open(struct dj_checked_file *reading, const char *path,
                         unsigned owner, bool to_write, struct dj_error *err);
void dj_checked_file_close(struct dj_checked_file *reading);

/* Sets an error that names file and byte. Returns `code`. */
int dj_checked_file_fail(const struct dj_checked_file *reading, int code, int64_t offset,
                         const char *format, ...) __attribute__((format(printf, 4, 5)));

int dj_checked_file_read(struct dj_checked_file *reading, void *bytes, size_t size,
                         int64_t offset);
int dj_checked_file_read_word(struct dj_checked_file *reading, uint64_t *word,
                              int64_t offset);

/* Each returns an offset: of a window's fixed part; of row `index` in its ring. */
int64_t dj_checked_file_window_offset(const struct dj_checked_file *reading,
                                      uint32_t slot);
int64_t dj_checked_file_row_offset(const struct dj_checked_file *reading, uint32_t slot,
                                   uint64_t index);

/* Offset of a member of a window's fixed part. */
#define DJ_READING_AT(reading, slot, member)                                             \
    (dj_checked_file_window_offset(reading, slot) +                                      \
     (int64_t)offsetof(struct dj_segment_open_window, member))

/* Uses up one attempt. Returns DJ_E_TIMEOUT if none is left. */
int dj_checked_file_retry(struct dj_checked_file *reading, int64_t offset);

/* The sums of a window slot, consistent, and the rows that they count. */
struct dj_reading_sums {
    struct dj_stats total, opened;
    uint64_t published; /* number of complete rows after the sums were read */
    uint64_t end;       /* `total` counts the rows below this index */
};
int dj_reading_sums(struct dj_checked_file *reading, uint32_t slot,
                    struct dj_reading_sums *sums);

/* The last reset of a window slot; all zero if there was none. */
struct dj_reading_reset {
    int64_t at_ns;
    uint64_t published;
    struct dj_stats total;
};

/* Reads the last reset of every slot, all from the same reset. *set is the set of
 * copies, 0 or 1, that contained it. */
int dj_reading_resets(struct dj_checked_file *reading,
                      struct dj_reading_reset resets[DJ_SEGMENT_WINDOWS], unsigned *set);

#endif
