
#include "gfxinfo/lines.h"
#include "gfxinfo/read/reader.h"
#include "gfxinfo/scan.h"

/* An entry of graphicsstats consists of "Package: com.x", since Android 8 also
 * "Version: 12", "Stats since: …ns" and "Stats end: …ns" (which are ms in spite of
 * the unit), and a statistics block. Since Android 15, "UID: 10123" precedes the
 * package. Many other texts contain "Package:" and "Version:", so an entry begins
 * only if statistics follow. */

/* Reads a non-negative number with its unit. Returns −1 if the text is anything else. */
static int64_t read_number_with_unit(struct dj_str rest, const char *unit)
{
    int64_t number;
    dj_scan_blanks(&rest);
    return dj_scan_count(&rest, &number) && dj_str_is(rest, unit) ? number : -1;
}

/* Converts "Stats since" of an entry with a version, which is in ms. Older entries have
 * the same block as gfxinfo, in ns. */
static void convert_start(struct dj_graphicsstats *entry)
{
    uint32_t since = dj_gfxinfo_lines_of_kind(DJ_LINE_SINCE);
    if (entry->version >= 0 && (entry->stats.lines & since) != 0) {
        entry->start_ms = entry->stats.stats.since_ns;
        entry->stats.stats.since_ns = 0;
        entry->stats.lines &= ~since;
    }
}

void dj_reader_close_entry(struct dj_reader *reader)
{
    dj_reader_close_histogram(reader);
    if (reader->entry != NULL) {
        convert_start(reader->entry);
    }
    reader->entry = NULL;
}

static bool open_entry(struct dj_reader *reader)
{
    if (reader->dump->graphicsstats_count >= DJ_READER_ENTRIES) {
        dj_reader_emit_partial_dump(reader);
    }
    if (reader->dump->graphicsstats_count >= DJ_READER_ENTRIES) {
        dj_reader_warn(reader,
                       "more than %d graphicsstats entries: this entry is ignored",
                       DJ_READER_ENTRIES);
        return false;
    }
    reader->entry = dj_gfxinfo_dump_add_graphicsstats(reader->dump);
    if (reader->entry == NULL) {
        reader->failed = true;
        return false;
    }
    reader->seen = true;
    reader->entry->uid = reader->uid;
    reader->entry->stats.present = true;
    dj_reader_set_string(reader, &reader->entry->package, dj_text_str(&reader->package));
    return true;
}

static void read_end(struct dj_reader *reader, struct dj_str rest)
{
    int64_t end_ms = read_number_with_unit(rest, "ns");
    if (end_ms >= 0) {
        reader->entry->end_ms = end_ms;
    } else {
        dj_reader_warn(reader, "expected a number after \"Stats end:\"");
    }
}

/* Starts an entry at its first statistics line. The package lines before this line were
 * stored as text of the previous process, and are removed from that text. */
static void begin_entry(struct dj_reader *reader)
{
    if (reader->process != NULL && reader->section.length > reader->package_section) {
        reader->section.length = reader->package_section;
    }
    dj_reader_close_process(reader);
    if (!open_entry(reader)) {
        return;
    }
    if (reader->version_place.line != 0 && reader->version < 0) {
        dj_reader_warn_at(reader, reader->version_place,
                          "expected a number after \"Version:\"");
    }
    reader->entry->version = reader->version;
}

static bool read_version(struct dj_reader *reader, struct dj_str line)
{
    if (!dj_scan_word(&line, "Version:") || reader->version_place.line != 0) {
        return false;
    }
    reader->version_place = dj_reader_get_place(reader);
    reader->version = read_number_with_unit(line, "");
    return true;
}

static bool read_package(struct dj_reader *reader, struct dj_str line)
{
    if (!dj_scan_word(&line, "Package:")) {
        return false;
    }
    if (reader->uid < 0) {
        reader->package_section = reader->section.length;
    }
    dj_text_clear(&reader->package);
    dj_reader_append(reader, &reader->package, line);
    reader->version = -1;
    reader->version_place.line = 0;
    return true;
}

static bool read_uid(struct dj_reader *reader, struct dj_str line)
{
    int64_t uid = dj_scan_word(&line, "UID:") ? read_number_with_unit(line, "") : -1;
    if (uid < 0) {
        return false;
    }
    reader->uid = uid;
    reader->package_section = reader->section.length;
    return true;
}

bool dj_reader_read_graphicsstats_line(struct dj_reader *reader, struct dj_str line)
{
    bool pending = reader->package_seen;
    reader->package_seen = read_package(reader, line);
    if (reader->package_seen || read_uid(reader, line)) {
        return reader->process == NULL;
    }
    if (pending && read_version(reader, line)) {
        reader->package_seen = true;
        return reader->process == NULL;
    }
    if (pending && (dj_str_begins(line, "Stats since:") ||
                    dj_str_begins(line, "Total frames rendered:"))) {
        begin_entry(reader);
    }
    reader->uid = -1;
    if (reader->entry == NULL || !dj_scan_word(&line, "Stats end:")) {
        return false;
    }
    read_end(reader, line);
    return true;
}
