/* Helpers for the tests of segments: a directory per test, and frames whose values
 * follow from their index, so that a reader can distinguish a complete row from a torn
 * one. */
#ifndef DEJANK_TEST_SEGMENT_SUPPORT_H
#define DEJANK_TEST_SEGMENT_SUPPORT_H

#include "segment/directory.h"
#include "segment/snapshot.h"
#include "segment/writer.h"

enum { TEST_KEEP = 128, TEST_SLOW_EVERY = 7, TEST_INTERVAL_NS = 16666667 };

/* The directory of the running test. test_setup() creates it and sets $DEJANK_DIR,
 * test_teardown() empties and removes it. */
extern char test_directory[128];
void test_setup(void);
void test_teardown(void);

/* Returns "DIRECTORY/name" in one of a few static buffers. */
const char *test_path(const char *name);

/* Creates the segment of this process in the test's directory, named
 * "org.example.App", in place of an earlier one. */
void test_create(struct dj_segment_writer *writer);
void test_create_named(struct dj_segment_writer *writer, const char *name,
                       const char *program, uint32_t keep);

/* Returns the path of this process's segment. */
const char *test_segment(void);

/* Returns frame `index` of window `key`: 3 ms, every seventh 33 ms. */
struct dj_frame test_frame(uint64_t key, uint64_t index);

/* Writes frames [from, to) to a window. */
void test_write(struct dj_segment_writer *writer, uint64_t key, uint64_t from,
                uint64_t to);

/* Returns how many of the frames [0, count) are slow. */
uint32_t test_slow_frames(uint64_t count);

/* Takes a snapshot of `path` that must succeed. */
void test_read(const char *path, const struct dj_snapshot_options *options,
               struct dj_snapshot *snapshot);

/* Resets the segment to a snapshot taken now. */
int test_reset(const char *path, int64_t now_ns, struct dj_error *err);

/* Checks every invariant of a window whose frames are test_frame(key, n) with n its
 * row's index: consecutive complete rows, as many counted frames as the end of the
 * rows, correct histogram sums. */
void test_check_window(const struct dj_snapshot_window *window);

/* Returns the sum of a histogram. */
uint64_t test_sum(const uint32_t *buckets, size_t count);

/* Writes a file with these bytes. */
void test_put(const char *path, const void *bytes, size_t size);
/* Returns the bytes of a file; the caller frees them. */
char *test_get(const char *path, size_t *size);

#endif
