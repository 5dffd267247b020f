#include "trace/perf_data/file.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char magic[] = "PERFILE2", reversed[] = "2ELIFREP", old[] = "PERFFILE";
enum { MAGIC = 8 };

bool dj_perf_data_sniff(const char *bytes, size_t length)
{
    return length >= DJ_PERF_DATA_HEAD &&
           (memcmp(bytes, magic, MAGIC) == 0 || memcmp(bytes, reversed, MAGIC) == 0 ||
            memcmp(bytes, old, MAGIC) == 0);
}

void dj_perf_data_note_damage(struct dj_perf_data *file, const char *format, ...)
{
    va_list arguments;
    if (file->damaged++ > 0) {
        return;
    }
    va_start(arguments, format);
    vsnprintf(file->damage, sizeof(file->damage), format, arguments);
    va_end(arguments);
}

void dj_perf_data_close(struct dj_perf_data *file)
{
    free(file->events);
    free(file->build_ids);
    dj_map_finish(&file->ids);
    dj_map_finish(&file->build_id_places);
    dj_trace_formats_finish(&file->formats);
    *file = (struct dj_perf_data){0};
}

struct section {
    uint64_t offset, size;
};

static struct section read_section(struct dj_byte_cursor *at)
{
    uint64_t offset = dj_byte_cursor_read_number(at, 8);
    return (struct section){offset, dj_byte_cursor_read_number(at, 8)};
}

/* Returns the bytes of a section. If the file is too short, notes the damage and returns
 * the bytes that exist. */
static struct dj_str get_section(struct dj_perf_data *file, struct section section,
                                 const char *name)
{
    size_t left = section.offset < file->size ? file->size - (size_t)section.offset : 0;
    if (section.size > left) {
        dj_perf_data_note_damage(file,
                                 "byte %zu: the file ends here; expected %llu bytes of "
                                 "%s from byte %llu on",
                                 file->size, (unsigned long long)section.size, name,
                                 (unsigned long long)section.offset);
    }
    return (struct dj_str){(const char *)file->bytes + (left > 0 ? section.offset : 0),
                           section.size < left ? (size_t)section.size : left};
}

/* Reads the table of events. Each row consists of the attributes of an event and the
 * position of a list of ids. */
static int read_events(struct dj_perf_data *file, struct section table, uint64_t row,
                       struct dj_error *err)
{
    enum { PLACE = 16, ATTRIBUTES_MOST = 4096 };
    struct dj_str rows = get_section(file, table, "the list of events");
    if (row < PERF_ATTR_SIZE_VER0 + PLACE || row > ATTRIBUTES_MOST) {
        return dj_error_set_at(err, DJ_E_INVALID, 16,
                               "byte 16: expected the size of an event's attributes (%d "
                               "to %d), found %llu",
                               PERF_ATTR_SIZE_VER0 + PLACE, ATTRIBUTES_MOST,
                               (unsigned long long)row);
    }
    for (size_t i = 0; i < rows.length / row; i++) {
        struct dj_str attributes = {rows.at + i * row, (size_t)row - PLACE};
        struct dj_byte_cursor place = {(const uint8_t *)attributes.at + attributes.length,
                                       PLACE, 0, false};
        if (dj_perf_data_add_event(file, attributes) == NULL) {
            break;
        }
        struct dj_str ids = get_section(file, read_section(&place), "ids of events");
        struct dj_byte_cursor list = {(const uint8_t *)ids.at, ids.length, 0, false};
        dj_perf_data_add_ids(file, &list, file->event_count - 1);
    }
    return file->event_count > 0
               ? 0
               : dj_error_set_at(err, DJ_E_INVALID, 24,
                                 "byte 24: the file contains no events");
}

/* Finds the positions of the optional sections. These positions follow the records, in
 * the order of the bits. */
static void find_sections(struct dj_perf_data *file, const uint8_t *bits)
{
    enum { PLACE = 16 };
    struct dj_byte_cursor at = {file->bytes, file->size,
                                file->records_at + file->records_size, false};
    for (size_t i = 0; i < DJ_PERF_DATA_SECTIONS; i++) {
        if ((bits[i / 8] & 1 << i % 8) == 0) {
            continue;
        }
        struct section place = read_section(&at);
        if (at.failed) {
            dj_perf_data_note_damage(
                file, "byte %zu: the file ends here; expected the place of section %zu",
                file->size, i);
            return;
        }
        file->sections[i] = get_section(file, place, "a section");
    }
}

static int read_table(struct dj_perf_data *file, struct dj_byte_cursor *at,
                      struct dj_error *err)
{
    uint64_t row = dj_byte_cursor_read_number(at, 8);
    struct section events = read_section(at), records = read_section(at);
    read_section(at); /* Skips the names of event types, which only old files contain. */
    struct dj_str bits = dj_byte_cursor_read_bytes(at, DJ_PERF_DATA_SECTIONS / 8);
    if (at->failed) {
        return dj_error_set_at(err, DJ_E_INVALID, (long long)file->size,
                               "byte %zu: the file ends in its header", file->size);
    }
    int code = read_events(file, events, row, err);
    if (code != 0) {
        return code;
    }
    bool is_unfinished = records.size == 0 && records.offset < file->size;
    if (is_unfinished) {
        /* perf writes the size only when it ends, so the recording was interrupted. */
        dj_perf_data_note_damage(file, "byte 48: the size of the records is missing, "
                                       "because perf did not end normally");
        records.size = file->size - records.offset;
    }
    struct dj_str found = get_section(file, records, "records");
    file->records_at = (size_t)((const uint8_t *)found.at - file->bytes);
    file->records_size = found.length;
    if (!is_unfinished && found.length == records.size) {
        find_sections(file, (const uint8_t *)bits.at);
    }
    return 0;
}

int dj_perf_data_open(struct dj_perf_data *file, const uint8_t *bytes, size_t size,
                      struct dj_error *err)
{
    struct dj_byte_cursor at = {bytes, size, MAGIC, false};
    *file = (struct dj_perf_data){.bytes = bytes, .size = size};
    if (size >= MAGIC && memcmp(bytes, magic, MAGIC) != 0) {
        return dj_error_set_at(err, DJ_E_INVALID, 0,
                               memcmp(bytes, reversed, MAGIC) == 0
                                   ? "byte 0: a perf.data file of a big-endian machine; "
                                     "expected a little-endian one"
                                   : "byte 0: expected PERFILE2, found an older format "
                                     "of perf.data");
    }
    uint64_t header_size = dj_byte_cursor_read_number(&at, 8);
    if (header_size == DJ_PERF_DATA_HEAD && !at.failed) {
        file->is_piped = true;
        file->records_at = DJ_PERF_DATA_HEAD;
        file->records_size = size - DJ_PERF_DATA_HEAD;
        return 0;
    }
    int code = read_table(file, &at, err);
    if (code == 0) {
        dj_perf_data_read_sections(file);
        dj_perf_data_name_events(file);
        dj_perf_data_choose_events(file);
    }
    return code;
}
