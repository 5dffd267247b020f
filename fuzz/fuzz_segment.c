/* Reads a damaged segment. If the input begins with 'R', the rest is the file. Otherwise
 * the input is a list of changes to a valid segment, 8 bytes each: an offset of 4 bytes,
 * a byte that sets the width, and 3 bytes of the value. With such changes, the fuzzer
 * also reaches the code after the checks of the header. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "segment/snapshot.h"
#include "segment/writer.h"

enum { CHANGE = 8, KEEP = DJ_SEGMENT_KEEP_MIN, FRAMES = KEEP + 30, WINDOWS = 2 };

/* In $TMPDIR. fuzz/run removes it, because libFuzzer ends without calling the functions
 * of atexit(). */
static char folder[256];
static char path[sizeof(folder) + 16];
static uint8_t *sound;
static size_t sound_bytes;

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

static void remove_folder(void)
{
    unlink(path);
    rmdir(folder);
}

/* Writes data of a frame that becomes known after the frame, and data of its window. */
static void tell_later(struct dj_segment_writer *writer, uint64_t key, uint64_t row,
                       int64_t end_ns)
{
    struct dj_window_writer *window = dj_segment_find_window(writer, key);
    if (!dj_segment_amend_frame(writer, window, key, row, DJ_COLUMN_GPU_COMPLETED,
                                end_ns) ||
        !dj_segment_amend_frame(writer, window, key, row, DJ_COLUMN_DISPLAY_PRESENT_TIME,
                                end_ns + 1) ||
        !dj_segment_set_title(window, key, key % 2 != 0 ? "odd" : "even, renamed") ||
        !dj_segment_set_interval(window, key, INT64_C(16666666) / (int64_t)key) ||
        !dj_segment_set_visibility(window, key, DJ_INVISIBLE) ||
        !dj_segment_set_views(window, key, 12)) {
        fail("what the sound segment learns later");
    }
}

static void write_frames(struct dj_segment_writer *writer)
{
    static const char *const titles[WINDOWS] = {"left", "right"};
    for (int i = 0; i < FRAMES * WINDOWS; i++) {
        struct dj_window_writer *window = dj_segment_open_window(
            writer, (uint64_t)(i % WINDOWS) + 1, titles[i % WINDOWS]);
        struct dj_frame frame = {0};
        int64_t start_ns = INT64_C(1000000000) + i * INT64_C(16666666);
        for (int column = 0; column < DJ_COLUMN_COUNT; column++) {
            if (dj_frame_column_kind((enum dj_column)column) == DJ_KIND_STAGE) {
                start_ns += 1000000;
                dj_frame_set(&frame, (enum dj_column)column, start_ns);
            }
        }
        uint64_t row;
        if (window == NULL ||
            !dj_segment_write_frame(writer, window, (uint64_t)(i % WINDOWS) + 1, &frame,
                                    &row)) {
            fail("a frame of the sound segment");
        }
        if (i % 50 < WINDOWS) {
            tell_later(writer, (uint64_t)(i % WINDOWS) + 1, row, start_ns + 1000000);
        }
    }
}

/* Copies the bytes of the writer's file to `sound`, and removes the file. */
static void keep_bytes(const struct dj_segment_writer *writer)
{
    struct stat status;
    int fd = open(writer->path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &status) != 0) {
        fail(writer->path);
    }
    sound_bytes = (size_t)status.st_size;
    sound = malloc(sound_bytes);
    if (sound == NULL || pread(fd, sound, sound_bytes, 0) != (ssize_t)sound_bytes) {
        fail("the sound segment");
    }
    close(fd);
    unlink(writer->path);
}

static void prepare(void)
{
    struct dj_segment_writer writer = {0};
    struct dj_error err = {0};
    const char *place = getenv("TMPDIR");
    snprintf(folder, sizeof(folder), "%s/dejank-fuzz-XXXXXX",
             place != NULL ? place : "/tmp");
    if (mkdtemp(folder) == NULL) {
        fail(folder);
    }
    atexit(remove_folder);
    snprintf(path, sizeof(path), "%s/segment", folder);
    struct dj_segment_options options = {
        .directory = folder,
        .name = "fuzz",
        .program = "fuzz",
        .dialect = dj_frame_dialect_default(),
        .keep = KEEP,
        .interval_ns = 16666666,
        .profile = true,
        .now_ns = 1000000000,
        .wall_ns = INT64_C(1700000000000000000),
        .app_version = "1.2",
        .interval_assumed = true,
    };
    if (dj_segment_create(&writer, &options, &err) != 0) {
        fail(err.message);
    }
    write_frames(&writer);
    keep_bytes(&writer);
    dj_segment_unmap(&writer);
}

static void put(const uint8_t *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) {
        fail(path);
    }
}

static void put_changed(const uint8_t *changes, size_t size)
{
    uint8_t *bytes = malloc(sound_bytes);
    if (bytes == NULL) {
        fail("malloc");
    }
    memcpy(bytes, sound, sound_bytes);
    for (size_t i = 0; i + CHANGE <= size; i += CHANGE) {
        uint32_t offset;
        memcpy(&offset, changes + i, sizeof(offset));
        size_t width = (size_t)1 << (changes[i + 4] & 3);
        /* If bit 2 is not set, the upper bytes are 0, so the number is small. */
        uint8_t filler = changes[i + 4] & 4 ? changes[i + 7] : 0;
        for (size_t k = 0; k < width; k++) {
            bytes[(offset + k) % sound_bytes] = k < 3 ? changes[i + 5 + k] : filler;
        }
    }
    put(bytes, sound_bytes);
    free(bytes);
}

static void read_segment(const struct dj_snapshot_options *options, const char *release)
{
    struct dj_snapshot snapshot = {0};
    struct dj_segment_identity identity;
    struct dj_dump dump = {0};
    struct dj_error err = {0};
    dj_segment_identify(path, geteuid(), &identity, &err);
    if (dj_segment_snapshot_read(path, geteuid(), options, &snapshot, &err) == 0) {
        if (release != NULL) {
            dj_segment_snapshot_recount(&snapshot, dj_frame_dialect_find(release));
        }
        dj_segment_snapshot_to_dump(&snapshot, &dump);
        dj_segment_consume_profile(path, geteuid(), &snapshot, &err);
        dj_segment_reset_to(path, geteuid(), &snapshot, INT64_C(9000000000), &err);
    }
    dj_gfxinfo_dump_finish(&dump);
    dj_segment_snapshot_finish(&snapshot);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct dj_snapshot_options all = {0},
                                            some = {.rows = 7, .ignore_reset = true};
    if (sound == NULL) {
        prepare();
    }
    if (size > 0 && data[0] == 'R') {
        put(data + 1, size - 1);
    } else {
        put_changed(data, size);
    }
    read_segment(&all, NULL);
    read_segment(&some, "16");
    return 0;
}
