/* Reads the sections of a perf.data file about mapped files, the machine and
 * tracepoints. */
#include <string.h>

#include "base/hash.h"
#include "memory/memory.h"
#include "trace/perf_data/file.h"

enum {
    BUILD_ID = 20,
    BUILD_ID_ROOM = 24,
    /* Bit of the record's header: the byte after the build-id contains the length of the
     * build-id. */
    HAS_LENGTH = 1 << 15
};

static bool is_zero(const char *bytes, const char *end)
{
    while (bytes < end && *bytes == '\0') {
        bytes++;
    }
    return bytes == end;
}

/* Returns the length of a build-id. simpleperf and old versions of perf do not store it,
 * and append zeros. Linkers write 8, 16 or 20 bytes. */
static size_t get_build_id_length(uint64_t misc, struct dj_str id)
{
    static const size_t shorter[] = {0, 8, 16};
    if ((misc & HAS_LENGTH) != 0 && (uint8_t)id.at[BUILD_ID] <= BUILD_ID) {
        return (uint8_t)id.at[BUILD_ID];
    }
    for (size_t i = 0; i < COUNT_OF(shorter); i++) {
        if (is_zero(id.at + shorter[i], id.at + BUILD_ID)) {
            return shorter[i];
        }
    }
    return BUILD_ID;
}

/* Returns the index of the build-id of a path, or DJ_MAP_NONE. */
static size_t find_build_id(const struct dj_perf_data *file, struct dj_str path)
{
    size_t at;
    uint64_t key = dj_hash_bytes(path.at, path.length);
    size_t found = dj_map_first(&file->build_id_places, key, &at);
    while (found != DJ_MAP_NONE && !dj_str_equal(file->build_ids[found].path, path)) {
        found = dj_map_next(&file->build_id_places, key, &at);
    }
    return found;
}

static void add_build_id(struct dj_perf_data *file, uint64_t misc, struct dj_str id,
                         struct dj_str path)
{
    struct dj_perf_data_build_id added = {
        .path = {path.at, strnlen(path.at, path.length)}};
    added.id.length = (uint8_t)get_build_id_length(misc, id);
    memcpy(added.id.bytes, id.at, added.id.length);
    if (added.path.length > 0 && added.id.length > 0 &&
        find_build_id(file, added.path) == DJ_MAP_NONE) {
        uint64_t key = dj_hash_bytes(added.path.at, added.path.length);
        dj_xcheck(dj_map_add(&file->build_id_places, key, file->build_id_count));
        DJ_XPUSH(file->build_ids, file->build_id_count, added);
    }
}

void dj_perf_data_add_build_ids(struct dj_perf_data *file, struct dj_str list)
{
    enum { HEADER = 8, PID = 4 };
    struct dj_byte_cursor at = {(const uint8_t *)list.at, list.length, 0, false};
    while (at.at < at.size) {
        dj_byte_cursor_read_number(&at, 4);
        uint64_t misc = dj_byte_cursor_read_number(&at, 2);
        uint64_t size = dj_byte_cursor_read_number(&at, 2);
        if (at.failed || size < HEADER + PID + BUILD_ID_ROOM) {
            dj_perf_data_note_damage(file, "the list of build-ids is damaged at byte %zu",
                                     at.at);
            return;
        }
        dj_byte_cursor_read_number(&at, PID);
        struct dj_str id = dj_byte_cursor_read_bytes(&at, BUILD_ID_ROOM);
        struct dj_str path =
            dj_byte_cursor_read_bytes(&at, size - HEADER - PID - BUILD_ID_ROOM);
        if (at.failed) {
            dj_perf_data_note_damage(file, "the list of build-ids is incomplete");
            return;
        }
        add_build_id(file, misc, id, path);
    }
}

const struct dj_stacks_build_id *
dj_perf_data_find_build_id(const struct dj_perf_data *file, const char *path)
{
    size_t found = find_build_id(file, dj_str_of(path));
    return found != DJ_MAP_NONE ? &file->build_ids[found].id : NULL;
}

struct dj_str dj_perf_data_find_meta(const struct dj_perf_data *file, const char *key)
{
    struct dj_str meta = file->sections[DJ_PERF_DATA_META];
    struct dj_byte_cursor at = {(const uint8_t *)meta.at, meta.length, 0, false};
    while (at.at < at.size) {
        struct dj_str name = dj_byte_cursor_read_string(&at);
        struct dj_str value = dj_byte_cursor_read_string(&at);
        if (at.failed) {
            break;
        }
        if (dj_str_is(name, key)) {
            return value;
        }
    }
    return (struct dj_str){"", 0};
}

enum dj_stacks_machine dj_perf_data_get_machine(const struct dj_perf_data *file)
{
    struct dj_str arch = file->sections[DJ_PERF_DATA_ARCH];
    struct dj_byte_cursor at = {(const uint8_t *)arch.at, arch.length, 0, false};
    struct dj_str name =
        dj_byte_cursor_read_bytes(&at, dj_byte_cursor_read_number(&at, 4));
    name.length = strnlen(name.at, name.length);
    return dj_str_is(name, "x86_64") || dj_str_is(name, "x86-64")   ? DJ_STACKS_X86_64
           : dj_str_is(name, "aarch64") || dj_str_is(name, "arm64") ? DJ_STACKS_ARM64
                                                                    : DJ_STACKS_MACHINES;
}

static void read_formats(struct dj_perf_data *file, struct dj_byte_cursor *at)
{
    uint64_t count = dj_byte_cursor_read_number(at, 4);
    for (uint64_t i = 0; i < count && !at->failed; i++) {
        struct dj_str text =
            dj_byte_cursor_read_bytes(at, dj_byte_cursor_read_number(at, 8));
        if (!at->failed) {
            dj_trace_formats_add(&file->formats, text, NULL);
        }
    }
}

/* Reads the formats of tracepoints. The section begins like a trace.dat file. It contains
 * first the formats of the kernel's own events, and then the formats of each system. */
static void read_tracing(struct dj_perf_data *file, struct dj_str section)
{
    enum { MAGIC = 10 };
    struct dj_byte_cursor at = {(const uint8_t *)section.at, section.length, 0, false};
    dj_byte_cursor_read_bytes(&at, MAGIC);
    dj_byte_cursor_read_string(&at);
    uint64_t is_big_endian = dj_byte_cursor_read_number(&at, 1);
    /* Skip the size of a long and the size of a page. */
    dj_byte_cursor_read_bytes(&at, 1 + 4);
    for (int i = 0; i < 2; i++) { /* Skip header_page and header_event. */
        dj_byte_cursor_read_string(&at);
        dj_byte_cursor_read_bytes(&at, dj_byte_cursor_read_number(&at, 8));
    }
    if (is_big_endian == 0) {
        read_formats(file, &at);
        uint64_t systems = dj_byte_cursor_read_number(&at, 4);
        for (uint64_t i = 0; i < systems && !at.failed; i++) {
            dj_byte_cursor_read_string(&at);
            read_formats(file, &at);
        }
    }
    if (at.failed) {
        dj_perf_data_note_damage(file,
                                 "the section with formats of tracepoints is incomplete");
    }
}

void dj_perf_data_read_sections(struct dj_perf_data *file)
{
    dj_perf_data_add_build_ids(file, file->sections[DJ_PERF_DATA_BUILD_IDS]);
    if (file->sections[DJ_PERF_DATA_TRACING].length > 0) {
        read_tracing(file, file->sections[DJ_PERF_DATA_TRACING]);
    }
}
