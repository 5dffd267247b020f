/* Splits the text into lines, and parses a whole text at once. */
#include "gfxinfo/grammar.h"
#include <stdlib.h>
#include <string.h>

#include "gfxinfo/read/reader.h"

/* Counts the skipped line, so that later line numbers and offsets are correct. */
void dj_reader_skip_line(struct dj_reader *reader, size_t length)
{
    dj_reader_warn(reader, "ignored a line of %zu bytes: the maximum is %d", length,
                   DJ_PARSE_LINE_MOST);
    if (reader->state == DJ_READING_FRAMESTATS) {
        reader->report->rows++;
        reader->report->rows_bad++;
        reader->window->rows_beyond++;
    }
}

/* Returns whether the next line cannot be read yet, because in a view hierarchy its
 * meaning depends on the line after it. */
static bool must_wait(const struct dj_reader *reader)
{
    if (!reader->in_hierarchy || !reader->more_comes) {
        return false;
    }
    const char *newline = memchr(reader->at, '\n', (size_t)(reader->end - reader->at));
    return newline == NULL ||
           memchr(newline + 1, '\n', (size_t)(reader->end - newline - 1)) == NULL;
}

size_t dj_reader_read_span(struct dj_reader *reader, const char *bytes, size_t length)
{
    reader->at = bytes;
    reader->span = bytes;
    reader->end = bytes + length;
    while (reader->at < reader->end && !reader->failed && reader->callback_result == 0 &&
           !must_wait(reader)) {
        if (reader->state == DJ_READING_FRAMESTATS && reader->buffered_count == 0) {
            const char *from = reader->at;
            dj_reader_read_plain_rows(reader);
            if (reader->at != from) {
                continue; /* The line after the rows may have to wait. */
            }
        }
        const char *newline =
            memchr(reader->at, '\n', (size_t)(reader->end - reader->at));
        const char *end = newline != NULL ? newline : reader->end;
        struct dj_str raw = dj_str_between(reader->at, end);
        reader->line++;
        reader->line_at = reader->at;
        reader->truncated = newline == NULL;
        reader->at = newline != NULL ? newline + 1 : reader->end;
        if (raw.length > DJ_PARSE_LINE_MOST) {
            dj_reader_skip_line(reader, raw.length);
        } else {
            dj_reader_read_line(reader, raw);
        }
    }
    size_t read = (size_t)(reader->at - bytes);
    reader->span_byte += read;
    reader->span = reader->at;
    reader->line_at = reader->at;
    reader->report->lines = reader->line;
    reader->report->bytes = reader->span_byte;
    reader->report->seen = reader->report->seen || reader->seen;
    return read;
}

void dj_reader_end_text(struct dj_reader *reader)
{
    size_t warnings = reader->report->warning_count;
    reader->ending = true;
    dj_reader_end_block(reader);
    dj_reader_close_block(reader);
    reader->end_reported =
        reader->end_reported || reader->report->warning_count > warnings;
    dj_reader_report_truncation(reader);
    dj_surface_close(reader);
    dj_reader_close_process(reader);
    reader->report->seen = reader->report->seen || reader->seen;
}

void dj_reader_begin_text(struct dj_reader *reader)
{
    reader->line = 0;
    reader->span_byte = 0;
    reader->quote_length = 0;
    reader->seen = false;
    reader->end_reported = false;
    reader->ending = false;
    reader->in_service = false;
    reader->counting = false;
    reader->elsewhere = false;
    reader->bug_report = false;
    reader->stated_releases = 0;
    reader->package_seen = false;
    reader->uid = -1;
    reader->surface.command = DJ_SURFACE_NO_COMMAND;
    reader->surface.in_part = false;
    reader->surface.content_seen = false;
    dj_text_clear(&reader->title);
}

void dj_reader_init(struct dj_reader *reader, struct dj_dump *dump,
                    struct dj_parse_report *report)
{
    *reader = (struct dj_reader){.dump = dump, .report = report, .uid = -1};
    dj_surface_state_init(&reader->surface);
    *report = (struct dj_parse_report){0};
    dj_reader_begin_dump(reader);
}

void dj_reader_finish(struct dj_reader *reader)
{
    dj_text_finish(&reader->title);
    free(reader->root);
    dj_text_finish(&reader->section);
    dj_text_finish(&reader->package);
    dj_text_finish(&reader->buffered);
    dj_text_finish(&reader->pair);
    dj_text_finish(&reader->davey);
    dj_surface_state_finish(&reader->surface);
}

static const char *const refusals[] = {
    [DJ_REFUSAL_NONE] = "no gfxinfo text",
    [DJ_REFUSAL_DENIED] =
        "the device refused the dump (permission denied) and printed nothing else",
    [DJ_REFUSAL_FAILED] = "the app did not answer, and the device printed nothing else",
};

int dj_gfxinfo_describe_no_data(const struct dj_parse_report *report,
                                struct dj_error *err)
{
    if (report->is_whole_surface_flinger && report->refusal == DJ_REFUSAL_NONE) {
        return dj_error_set(
            err, DJ_E_NO_DATA,
            "this is the output of `dumpsys SurfaceFlinger`, which has no "
            "frame times: dump it with --timestats -dump or with "
            "--latency LAYER");
    }
    return dj_error_set(
        err, DJ_E_NO_DATA,
        "%s in %zu lines: expected the output of `dumpsys gfxinfo PACKAGE "
        "framestats`, with lines such as \"" DJ_PROCESS
        " …\", \"Total frames rendered: …\" or \"" DJ_MARKER "\"",
        refusals[report->refusal], report->lines);
}

int dj_gfxinfo_parse_dump(const char *text, size_t length, struct dj_dump *dump,
                          struct dj_parse_report *report, struct dj_error *err)
{
    struct dj_parse_report unwanted;
    struct dj_reader reader;
    dj_reader_init(&reader, dump, report != NULL ? report : &unwanted);
    /* `text` may be NULL if it is empty. No length may be added to NULL. */
    if (length > 0) {
        dj_reader_read_span(&reader, text, length);
    }
    dj_reader_end_text(&reader);
    dj_reader_end_dump(&reader);
    dj_reader_finish(&reader);
    if (reader.failed) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory at line %zu",
                            reader.line);
    }
    return reader.seen ? 0 : dj_gfxinfo_describe_no_data(reader.report, err);
}
