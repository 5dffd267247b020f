#include "support.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

char test_directory[128];

void test_setup(void)
{
    snprintf(test_directory, sizeof(test_directory), "/tmp/dejank-test-XXXXXX");
    cr_assert_not_null(mkdtemp(test_directory));
    setenv("DEJANK_DIR", test_directory, 1);
}

static void empty_directory(const char *path)
{
    DIR *directory = opendir(path);
    if (directory == NULL) {
        return;
    }
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        char child[512];
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) {
            continue;
        }
        snprintf(child, sizeof(child), "%s/%s", path, entry->d_name);
        if (unlink(child) != 0 && errno == EISDIR) {
            empty_directory(child);
            rmdir(child);
        }
    }
    closedir(directory);
}

void test_teardown(void)
{
    empty_directory(test_directory);
    rmdir(test_directory);
}

const char *test_path(const char *name)
{
    static char paths[4][DJ_SEGMENT_PATH];
    static unsigned next;
    char *path = paths[next++ % 4];
    snprintf(path, DJ_SEGMENT_PATH, "%s/%s", test_directory, name);
    return path;
}

const char *test_segment(void)
{
    char name[64];
    snprintf(name, sizeof(name), "%d.%llu", (int)getpid(),
             (unsigned long long)dj_segment_process_start_ticks(getpid()));
    return test_path(name);
}

void test_create_named(struct dj_segment_writer *writer, const char *name,
                       const char *program, uint32_t keep)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const struct dj_segment_options options = {
        .directory = test_directory,
        .name = name,
        .program = program,
        .dialect = dj_frame_dialect_default(),
        .keep = keep,
        .interval_ns = TEST_INTERVAL_NS,
        .now_ns = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec,
    };
    struct dj_error err = {0};
    unlink(test_segment());
    cr_assert_eq(dj_segment_create(writer, &options, &err), 0, "%s", err.message);
}

void test_create(struct dj_segment_writer *writer)
{
    test_create_named(writer, "org.example.App", "example", TEST_KEEP);
}

struct dj_frame test_frame(uint64_t key, uint64_t index)
{
    struct dj_frame frame = {0};
    int64_t base = (int64_t)(index + 1) * 40000000;
    for (size_t i = 0; i < DJ_COLUMN_COUNT; i++) {
        dj_frame_set(&frame, (enum dj_column)i, base + (int64_t)i * 100000);
    }
    dj_frame_set(&frame, DJ_COLUMN_FLAGS, 0);
    dj_frame_set(&frame, DJ_COLUMN_FRAME_TIMELINE_VSYNC_ID, (int64_t)key);
    dj_frame_set(&frame, DJ_COLUMN_FRAME_COMPLETED,
                 base + (index % TEST_SLOW_EVERY == 0 ? 33000000 : 3000000));
    return frame;
}

void test_write(struct dj_segment_writer *writer, uint64_t key, uint64_t from,
                uint64_t to)
{
    struct dj_window_writer *window = dj_segment_open_window(writer, key, "Window");
    cr_assert_not_null(window);
    for (uint64_t i = from; i < to; i++) {
        struct dj_frame frame = test_frame(key, i);
        cr_assert(dj_segment_write_frame(writer, window, key, &frame, NULL));
    }
}

uint32_t test_slow_frames(uint64_t count)
{
    return (uint32_t)((count + TEST_SLOW_EVERY - 1) / TEST_SLOW_EVERY);
}

void test_read(const char *path, const struct dj_snapshot_options *options,
               struct dj_snapshot *snapshot)
{
    struct dj_error err = {0};
    cr_assert_eq(dj_segment_snapshot_read(path, geteuid(), options, snapshot, &err), 0,
                 "%s", err.message);
}

int test_reset(const char *path, int64_t now_ns, struct dj_error *err)
{
    struct dj_snapshot snapshot;
    const struct dj_snapshot_options options = {0};
    int code = dj_segment_snapshot_read(path, geteuid(), &options, &snapshot, err);
    code =
        code != 0 ? code : dj_segment_reset_to(path, geteuid(), &snapshot, now_ns, err);
    dj_segment_snapshot_finish(&snapshot);
    return code;
}

uint64_t test_sum(const uint32_t *buckets, size_t count)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += buckets[i];
    }
    return sum;
}

static void check_sums(const struct dj_stats *stats)
{
    uint64_t total = stats->counter[DJ_COUNTER_TOTAL];
    cr_assert_eq(test_sum(stats->frame_histogram, DJ_FRAME_BUCKETS), total,
                 "histogram %llu, total %llu",
                 (unsigned long long)test_sum(stats->frame_histogram, DJ_FRAME_BUCKETS),
                 (unsigned long long)total);
    cr_assert_eq(test_sum(stats->gpu_histogram, DJ_GPU_BUCKETS), total);
}

void test_check_window(const struct dj_snapshot_window *window)
{
    uint64_t end = window->first_index + window->frame_count;
    check_sums(&window->cumulative);
    check_sums(&window->stats);
    check_sums(&window->process);
    cr_assert_eq(window->cumulative.counter[DJ_COUNTER_TOTAL], (uint32_t)end,
                 "counted %u frames, rows end at %llu",
                 window->cumulative.counter[DJ_COUNTER_TOTAL], (unsigned long long)end);
    cr_assert_eq(window->cumulative.counter[DJ_COUNTER_JANKY], test_slow_frames(end));
    for (size_t i = 0; i < window->frame_count; i++) {
        struct dj_frame expected = test_frame(window->key, window->first_index + i);
        cr_assert(dj_frame_equal(&window->frames[i], &expected), "row %llu is torn",
                  (unsigned long long)(window->first_index + i));
    }
}

void test_write_file(const char *path, const void *bytes, size_t size)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    cr_assert_geq(fd, 0);
    cr_assert_eq(write(fd, bytes, size), (ssize_t)size);
    close(fd);
}

char *test_read_file(const char *path, size_t *size)
{
    struct stat status;
    int fd = open(path, O_RDONLY);
    cr_assert_geq(fd, 0);
    cr_assert_eq(fstat(fd, &status), 0);
    *size = (size_t)status.st_size;
    char *bytes = malloc(*size);
    cr_assert_not_null(bytes);
    cr_assert_eq(read(fd, bytes, *size), (ssize_t)*size);
    close(fd);
    return bytes;
}
