/* Parses a text in chunks. Whole lines are read directly from the chunk. An unfinished
 * line is buffered until a later chunk contains its end. */
#include <stdlib.h>
#include <string.h>

#include "gfxinfo/read/reader.h"

struct dj_parser {
    struct dj_reader reader;
    struct dj_dump dump;
    /* Buffer of lines that cannot be read yet: `waiting` bytes of whole lines, then the
     * start of an unfinished line. */
    struct dj_text line;
    /* Number of bytes of whole lines in the buffer. These lines cannot be read yet,
     * because their meaning depends on a later line. */
    size_t waiting;
    /* Number of bytes so far of an overlong line that is skipped, or 0. */
    size_t too_long;
};

struct dj_parser *dj_gfxinfo_parser_create(dj_gfxinfo_dump_callback *callback, void *data,
                                           struct dj_parse_report *report)
{
    struct dj_parser *parser = calloc(1, sizeof(*parser));
    if (parser != NULL) {
        dj_reader_init(&parser->reader, &parser->dump, report);
        parser->reader.callback = callback;
        parser->reader.callback_data = data;
        parser->reader.more_comes = true;
    }
    return parser;
}

void dj_gfxinfo_parser_destroy(struct dj_parser *parser)
{
    if (parser != NULL) {
        dj_gfxinfo_dump_finish(&parser->dump);
        dj_text_finish(&parser->line);
        dj_reader_finish(&parser->reader);
        free(parser);
    }
}

static int get_result(const struct dj_parser *parser)
{
    return parser->reader.failed ? DJ_E_NO_MEMORY : parser->reader.callback_result;
}

/* Skips bytes of an overlong line. `ends` is true if the line ends after these bytes,
 * and `end` is the number of bytes of its newline. */
static void skip_bytes(struct dj_parser *parser, size_t length, bool ends, size_t end)
{
    struct dj_reader *reader = &parser->reader;
    parser->too_long += length;
    if (ends) {
        reader->line++;
        reader->report->lines = reader->line;
        dj_reader_skip_line(reader, parser->too_long - end);
        reader->span_byte += parser->too_long;
        reader->report->bytes = reader->span_byte;
        parser->too_long = 0;
    }
}

/* Reads the whole lines in the buffer, except those that must wait for a later line. */
static void read_buffer(struct dj_parser *parser)
{
    struct dj_text *line = &parser->line;
    size_t read = dj_reader_read_span(&parser->reader, line->data, line->length);
    size_t left = line->length - read;
    memmove(line->data, line->data + read, left);
    line->length = left;
    parser->waiting = left;
}

/* Reads the waiting lines without the line after them, because that line is skipped. */
static void read_waiting(struct dj_parser *parser)
{
    parser->reader.more_comes = false;
    if (parser->waiting > 0) {
        dj_reader_read_span(&parser->reader, parser->line.data, parser->waiting);
    }
    parser->reader.more_comes = true;
    parser->waiting = 0;
    dj_text_clear(&parser->line);
}

/* Appends bytes to the unfinished line. If `ends` is true, these bytes end the line, and
 * the line is read. */
static void continue_line(struct dj_parser *parser, const char *bytes, size_t length,
                          bool ends)
{
    size_t begun = parser->line.length - parser->waiting;
    if (parser->too_long > 0 || begun + length - ends > DJ_PARSE_LINE_MOST) {
        read_waiting(parser);
        skip_bytes(parser, length + begun, ends, ends);
        return;
    }
    dj_text_append(&parser->line, bytes, length);
    parser->reader.failed = parser->reader.failed || parser->line.failed;
    if (ends && !parser->reader.failed) {
        read_buffer(parser);
    }
}

int dj_gfxinfo_parser_feed(struct dj_parser *parser, const char *bytes, size_t length)
{
    if (length == 0 || get_result(parser) != 0) {
        return get_result(parser);
    }
    const char *end = bytes + length;
    while (bytes < end && get_result(parser) == 0 &&
           (parser->line.length > 0 || parser->too_long > 0)) {
        const char *newline = memchr(bytes, '\n', (size_t)(end - bytes));
        const char *after = newline != NULL ? newline + 1 : end;
        continue_line(parser, bytes, (size_t)(after - bytes), newline != NULL);
        bytes = after;
    }
    const char *last = bytes < end ? memrchr(bytes, '\n', (size_t)(end - bytes)) : NULL;
    if (last != NULL && get_result(parser) == 0) {
        size_t length_whole = (size_t)(last + 1 - bytes);
        size_t read = dj_reader_read_span(&parser->reader, bytes, length_whole);
        dj_text_append(&parser->line, bytes + read, length_whole - read);
        parser->waiting = length_whole - read;
        bytes = last + 1;
    }
    if (bytes < end && get_result(parser) == 0) {
        continue_line(parser, bytes, (size_t)(end - bytes), false);
    }
    return get_result(parser);
}

int dj_gfxinfo_parser_end(struct dj_parser *parser)
{
    struct dj_reader *reader = &parser->reader;
    reader->more_comes = false;
    if (get_result(parser) == 0 && parser->too_long > 0) {
        skip_bytes(parser, 0, true, 0);
    }
    if (get_result(parser) == 0 && parser->line.length > 0) {
        dj_reader_read_span(reader, parser->line.data, parser->line.length);
        dj_text_clear(&parser->line);
        parser->waiting = 0;
    }
    if (get_result(parser) == 0) {
        dj_reader_end_text(reader);
        dj_reader_emit_dump(reader);
        dj_reader_begin_text(reader);
        reader->more_comes = true;
    }
    return get_result(parser);
}
