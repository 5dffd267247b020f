/* Tests the dump of a segment in use. With UBSan the test also checks the code that
 * removes rows. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "dumpsys/gfxinfo.h"
#include "segment/writer.h"

enum { MS = 1000000, WINDOW = 7 };

static char directory[64], output[96];
static struct dj_segment_writer writer;

static int64_t read_clock_ns(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static void create_segment(void)
{
    snprintf(directory, sizeof(directory), "/tmp/dejank-test-XXXXXX");
    cr_assert_not_null(mkdtemp(directory));
    snprintf(output, sizeof(output), "%s.out", directory);
    setenv("DEJANK_DIR", directory, 1);
    const struct dj_segment_options options = {.directory = directory,
                                               .name = "app",
                                               .program = "app",
                                               .dialect = dj_frame_dialect_find("11"),
                                               .keep = DJ_SEGMENT_KEEP_MIN,
                                               .interval_ns = 16 * MS,
                                               .now_ns = read_clock_ns(CLOCK_MONOTONIC),
                                               .wall_ns = read_clock_ns(CLOCK_REALTIME)};
    struct dj_error err = {0};
    cr_assert_eq(dj_segment_create(&writer, &options, &err), 0, "%s", err.message);
}

static void remove_segment(void)
{
    unlink(writer.path);
    dj_segment_unmap(&writer);
    rmdir(directory);
    unlink(output);
}

TestSuite(gfxinfo, .init = create_segment, .fini = remove_segment);

static void write_frame(void)
{
    struct dj_frame frame = {0};
    for (size_t i = 0; i < DJ_COLUMN_COUNT; i++) {
        dj_frame_set(&frame, (enum dj_column)i, read_clock_ns(CLOCK_MONOTONIC));
    }
    dj_frame_set(&frame, DJ_COLUMN_FLAGS, 0);
    struct dj_window_writer *window = dj_segment_open_window(&writer, WINDOW, "a window");
    cr_assert(dj_segment_write_frame(&writer, window, WINDOW, &frame, NULL));
}

/* Writes the dump to a file. Returns the number of frames that the dump contains. */
static int dump_to_file(char *word)
{
    char app[] = "app", text[8192];
    char *words[] = {app, word};
    int file = open(output, O_RDWR | O_CREAT | O_TRUNC, 0600),
        before = dup(STDOUT_FILENO);
    cr_assert(file >= 0 && dup2(file, STDOUT_FILENO) >= 0);
    int status = dj_gfxinfo_dump(2, words);
    dup2(before, STDOUT_FILENO);
    close(before);
    ssize_t length = pread(file, text, sizeof(text) - 1, 0);
    close(file);
    cr_assert(status == 0 && length >= 0);
    text[length] = '\0';
    const char *total = strstr(text, "Total frames rendered: ");
    cr_assert_not_null(total, "%s", text);
    return atoi(strchr(total, ':') + 1);
}

Test(gfxinfo, a_window_without_rows_is_dumped_after_a_reset)
{
    char reset[] = "reset", framestats[] = "framestats";
    write_frame();
    cr_assert_eq(dump_to_file(reset), 1);
    cr_assert_eq(dump_to_file(reset), 0);
    cr_assert_eq(dump_to_file(framestats), 0);
    write_frame();
    cr_assert_eq(dump_to_file(framestats), 1);
}
