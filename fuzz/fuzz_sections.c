/* Reads a damaged sections file. If the input begins with 'R', the rest is the file.
 * Otherwise the input is a list of changes to a valid file, 8 bytes each: an offset of 4
 * bytes, a byte that sets the width, and 3 bytes of the value. Each name must end within
 * the names. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "segment/sections_reader.h"
#include "segment/sections_writer.h"

enum { CHANGE = 8, KEEP = DJ_SECTIONS_KEEP_MIN, RINGS = 2, EVENTS = KEEP };

/* Size of the valid file up to the end of its last used ring. */
enum { SOUND = DJ_SEGMENT_PAGE + RINGS * (DJ_SEGMENT_PAGE + KEEP * 32) };

static char folder[256]; /* In $TMPDIR. fuzz/run removes it after libFuzzer. */
static char path[sizeof(folder) + 32];
static uint8_t sound[SOUND];

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

static void write_events(struct dj_section_ring *ring, uint32_t tid)
{
    static const char *const names[] = {"a", "longer than eight",
                                        "longer than thirty-two, by far"};
    for (int i = 0; i < EVENTS; i++) {
        const char *name = names[i % 3];
        struct dj_section_data note = {(enum dj_section_kind)(DJ_SECTION_BEGIN + i % 5),
                                       name, strlen(name), i};
        dj_segment_ring_write(ring, KEEP - 1, tid, 100 + i, &note);
    }
}

static void prepare(void)
{
    char segment[sizeof(folder) + 8];
    struct dj_error err = {0};
    struct dj_sections_writer writer = {0};
    const char *place = getenv("TMPDIR");
    snprintf(folder, sizeof(folder), "%s/dejank-fuzz-XXXXXX",
             place != NULL ? place : "/tmp");
    if (mkdtemp(folder) == NULL) {
        fail(folder);
    }
    atexit(remove_folder);
    snprintf(segment, sizeof(segment), "%s/1.1", folder);
    snprintf(path, sizeof(path), "%s%s", segment, DJ_SECTIONS_SUFFIX);
    const struct dj_sections_options options = {segment, "fuzz", "fuzz", KEEP, 1};
    if (dj_segment_sections_create(&writer, &options, &err) != 0) {
        fail(err.message);
    }
    for (uint32_t tid = 1; tid <= RINGS; tid++) {
        struct dj_section_ring *ring = dj_segment_ring_acquire(&writer, tid, "thread", 1);
        if (ring == NULL) {
            fail("a ring");
        }
        write_events(ring, tid);
    }
    memcpy(sound, writer.header, SOUND);
    dj_segment_sections_unmap(&writer);
}

static void put(const uint8_t *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL || (size > 0 && fwrite(bytes, 1, size, file) != size) ||
        fclose(file) != 0) {
        fail(path);
    }
}

static void put_changed(const uint8_t *changes, size_t size)
{
    static uint8_t bytes[SOUND];
    memcpy(bytes, sound, SOUND);
    for (size_t i = 0; i + CHANGE <= size; i += CHANGE) {
        uint32_t offset;
        memcpy(&offset, changes + i, sizeof(offset));
        size_t width = (size_t)1 << (changes[i + 4] & 3);
        for (size_t k = 0; k < width; k++) {
            bytes[(offset + k) % SOUND] = k < 3 ? changes[i + 5 + k] : changes[i + 7];
        }
    }
    put(bytes, SOUND);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dj_sections sections = {0};
    struct dj_error err = {0};
    if (path[0] == '\0') {
        prepare();
    }
    if (size > 0 && data[0] == 'R') {
        put(data + 1, size - 1);
    } else {
        put_changed(data, size);
    }
    dj_segment_sections_read(path, geteuid(), &sections, &err);
    for (size_t i = 0; i < sections.count; i++) { /* each name ends within names */
        if (sections.events[i].name +
                strlen(sections.names.data + sections.events[i].name) >=
            sections.names.length) {
            abort();
        }
    }
    dj_segment_sections_finish(&sections);
    return 0;
}
