/* Helpers for the tests of segments: a directory per test, and frames with values that
 * follow from their index, so that a reader can detect a torn row. */
#ifndef DEJANK_TEST_SEGMENT_SUPPORT_H
#define DEJANK_TEST_SEGMENT_SUPPORT_H

#include "segment/directory.h"
#include "segment/snapshot.h"
#include "segment/writer.h"

enum { TEST_KEEP = 128, TEST_SLOW_EVERY = 7, TEST_INTERVAL_NS = 16666667 };

/* Directory of the running test. test_setup() creates it and sets $DEJANK_DIR.
 * test_teardown() removes it with its files. */
extern char test_directory[128];
void test_setup(void);
void test_teardown(void);

/* Returns "DIRECTORY/name" in one of a few static buffers. */
const char *test_path(const char *name);

/* Creates the segment of this process in the test's directory. Replaces an earlier one.
 * The process name is "org.example.App". */
void test_create(struct dj_segment_writer *writer);
void test_create_named(struct dj_segment_writer *writer, const char *name,
                       const char *program, uint32_t keep);

const char *test_segment(void);

/* Returns frame `index` of window `key`. It lasts 3 ms, and every seventh frame 33 ms. */
struct dj_frame test_frame(uint64_t key, uint64_t index);

/* Writes the frames from index `from` to `to` − 1 to a window. */
void test_write(struct dj_segment_writer *writer, uint64_t key, uint64_t from,
                uint64_t to);

/* Returns how many of the first `count` frames are slow. */
uint32_t test_slow_frames(uint64_t count);

/* Reads a snapshot of `path`. The test fails if this is not possible. */
void test_read(const char *path, const struct dj_snapshot_options *options,
               struct dj_snapshot *snapshot);

/* Reads a snapshot and resets the segment to it. */
int test_reset(const char *path, int64_t now_ns, struct dj_error *err);

/* Checks every invariant of a window in which row n is test_frame(key, n): the rows are
 * complete and consecutive, the statistics count each of them, and the histogram sums
 * are right. */
void test_check_window(const struct dj_snapshot_window *window);

uint64_t test_sum(const uint32_t *buckets, size_t count);

/* Writes a file with these bytes. */
void test_write_file(const char *path, const void *bytes, size_t size);
/* Returns the bytes of a file. The caller frees them. */
char *test_read_file(const char *path, size_t *size);

#endif
