#include <string.h>

#include "gfxinfo/lines.h"
#include "gfxinfo/reader.h"
#include "gfxinfo/scan.h"

/* An entry of graphicsstats: "Package: com.x", from 8 on "Version: 12", "Stats since:
 * …ns" and "Stats end: …ns" (milliseconds, for all they say), then a statistics block;
 * since 15 "UID: 10123" stands above it. "Package:" and "Version:" stand in many texts:
 * the figures behind them tell. */

static bool read_number(struct dj_str rest, const char *unit, int64_t *number)
{
    const char *at = rest.at;
    const char *end = rest.at + rest.length;
    int64_t value;
    dj_scan_blanks(&at, end);
    if (!dj_scan_int64(&at, end, &value) || !dj_scan_word(&at, end, unit) || at != end) {
        return false;
    }
    *number = value;
    return true;
}

static bool split(struct dj_str line, const char *word, struct dj_str *rest)
{
    const char *at = line.at;
    if (!dj_scan_word(&at, line.at + line.length, word)) {
        return false;
    }
    *rest = (struct dj_str){at, (size_t)(line.at + line.length - at)};
    return true;
}

/* Entries with a version say milliseconds, whatever unit they print; older ones have the
 * block of gfxinfo as it is. */
static void settle_start(struct dj_graphicsstats *entry)
{
    uint32_t since = dj_lines_of_kind(DJ_LINE_SINCE);
    if (entry->version >= 0 && (entry->stats.lines & since) != 0) {
        entry->start_ms = entry->stats.stats.since_ns;
        entry->stats.stats.since_ns = 0;
        entry->stats.lines &= ~since;
    }
}

void dj_reader_close_entry(struct dj_reader *reader)
{
    dj_reader_histogram_close(reader);
    if (reader->entry != NULL) {
        settle_start(reader->entry);
    }
    reader->entry = NULL;
}

static bool open_entry(struct dj_reader *reader)
{
    if (reader->dump->graphicsstats_count >= DJ_READER_ENTRIES) {
        dj_reader_hand_out_so_far(reader);
    }
    if (reader->dump->graphicsstats_count >= DJ_READER_ENTRIES) {
        dj_reader_warn(reader, "more than %d entries of graphicsstats: passed over",
                       DJ_READER_ENTRIES);
        return false;
    }
    reader->entry = dj_dump_add_graphicsstats(reader->dump);
    if (reader->entry == NULL) {
        reader->failed = true;
        return false;
    }
    reader->seen = true;
    reader->entry->uid = reader->uid;
    reader->entry->stats.present = true;
    dj_reader_keep(
        reader, &reader->entry->package,
        (struct dj_str){dj_text_get(&reader->package), reader->package.length});
    return true;
}

static void read_end(struct dj_reader *reader, struct dj_str rest)
{
    int64_t end_ms;
    if (read_number(rest, "ns", &end_ms) && end_ms >= 0) {
        reader->entry->end_ms = end_ms;
    } else {
        dj_reader_warn(reader, "expected a number after \"Stats end:\"");
    }
}

/* The first line of an entry's figures: all that was held of it is its own, and not the
 * last lines of a process above it. */
static void begin_entry(struct dj_reader *reader)
{
    if (reader->process != NULL && reader->section.length > reader->package_section) {
        reader->section.length = reader->package_section;
    }
    dj_reader_close_process(reader);
    if (!open_entry(reader)) {
        return;
    }
    if (reader->version_line != 0 && reader->version < 0) {
        dj_reader_warn_at(reader, reader->version_line, reader->version_byte,
                          "expected a number after \"Version:\"");
    }
    reader->entry->version = reader->version;
}

static bool read_version(struct dj_reader *reader, struct dj_str line)
{
    struct dj_str rest;
    int64_t version;
    if (!split(line, "Version:", &rest) || reader->version_line != 0) {
        return false;
    }
    reader->version_line = reader->line;
    reader->version_byte = dj_reader_byte(reader);
    reader->version = read_number(rest, "", &version) && version >= 0 ? version : -1;
    return true;
}

static bool read_package(struct dj_reader *reader, struct dj_str line)
{
    struct dj_str rest;
    if (!split(line, "Package:", &rest)) {
        return false;
    }
    if (reader->uid < 0) {
        reader->package_section = reader->section.length;
    }
    dj_text_clear(&reader->package);
    dj_text_append(&reader->package, rest.at, rest.length);
    reader->failed = reader->failed || reader->package.failed;
    reader->version = -1;
    reader->version_line = 0;
    return true;
}

static bool read_uid(struct dj_reader *reader, struct dj_str line)
{
    struct dj_str rest;
    int64_t uid;
    if (!split(line, "UID:", &rest) || !read_number(rest, "", &uid) || uid < 0) {
        return false;
    }
    reader->uid = uid;
    reader->package_section = reader->section.length;
    return true;
}

bool dj_reader_graphicsstats_line(struct dj_reader *reader, struct dj_str line)
{
    struct dj_str rest;
    bool pending = reader->package_seen;
    reader->package_seen = read_package(reader, line);
    if (reader->package_seen || read_uid(reader, line)) {
        return reader->process == NULL;
    }
    if (pending && read_version(reader, line)) {
        reader->package_seen = true;
        return reader->process == NULL;
    }
    if (pending && (split(line, "Stats since:", &rest) ||
                    split(line, "Total frames rendered:", &rest))) {
        begin_entry(reader);
    }
    reader->uid = -1;
    if (reader->entry == NULL || !split(line, "Stats end:", &rest)) {
        return false;
    }
    read_end(reader, rest);
    return true;
}
