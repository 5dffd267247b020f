/* A segment file being read: opening it safely, and fetching checked pieces of it.
 * Private to this room. */
#ifndef DEJANK_SEGMENT_READING_H
#define DEJANK_SEGMENT_READING_H

#include "base/error.h"
#include "segment/layout.h"

enum {
    /* Attempts, over one whole snapshot, to catch a piece that a live writer keeps
     * changing. One is about three system calls, so that a hostile writer costs a reader
     * under a second. */
    DJ_READING_ATTEMPTS = 200000,
    /* Attempts for a piece that stays unfinished without changing: no writer is behind
       it. */
    DJ_READING_STUCK = 64
};

struct dj_reading {
    int fd;
    const char *path;
    unsigned attempts;               /* left of DJ_READING_ATTEMPTS */
    struct dj_segment_header header; /* checked */
    struct dj_error *err;
};

/* Opens the file, checks that it is a regular file of this owner with a sound header and
 * of full length. Close it also after errors. `path` and `err` must outlive the reading.
 */
int dj_reading_open(struct dj_reading *reading, const char *path, unsigned owner,
                    bool to_write, struct dj_error *err);
void dj_reading_close(struct dj_reading *reading);

/* An error that names file and byte; returns code. */
int dj_reading_fail(const struct dj_reading *reading, int code, int64_t offset,
                    const char *format, ...) __attribute__((format(printf, 4, 5)));

int dj_reading_bytes(struct dj_reading *reading, void *bytes, size_t size,
                     int64_t offset);
int dj_reading_word(struct dj_reading *reading, uint64_t *word, int64_t offset);

/* Offset of a window's fixed part; of row `index` of its ring. */
int64_t dj_reading_window(const struct dj_reading *reading, uint32_t slot);
int64_t dj_reading_row(const struct dj_reading *reading, uint32_t slot, uint64_t index);

/* Offset of a member of a window's fixed part. */
#define DJ_READING_AT(reading, slot, member)                                             \
    (dj_reading_window(reading, slot) +                                                  \
     (int64_t)offsetof(struct dj_segment_window, member))

/* Spends one attempt; DJ_E_TIMEOUT where none is left. */
int dj_reading_retry(struct dj_reading *reading, int64_t offset);

/* The sums of a window slot, whole, and the rows they count. */
struct dj_reading_sums {
    struct dj_stats total, opened;
    uint64_t published; /* rows complete when the sums had been read */
    uint64_t end;       /* rows below it are those that `total` counts */
};
int dj_reading_sums(struct dj_reading *reading, uint32_t slot,
                    struct dj_reading_sums *sums);

/* The last reset of a window slot, all zero where there was none. */
struct dj_reading_reset {
    int64_t at_ns;
    uint64_t published;
    struct dj_stats total;
};

/* The last reset as every slot notes it: all of one reset, never of two. *set says which
 * of the two sets of copies, 0 or 1, held it. */
int dj_reading_resets(struct dj_reading *reading,
                      struct dj_reading_reset resets[DJ_SEGMENT_WINDOWS], unsigned *set);

#endif
