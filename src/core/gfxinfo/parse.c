#include "gfxinfo/parse.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gfxinfo/grammar.h"
#include "gfxinfo/reader.h"
#include "gfxinfo/release.h"
#include "gfxinfo/scan.h"

/* ---- diagnostics ---- */

size_t dj_reader_byte(const struct dj_reader *reader)
{
    return reader->span_byte + (size_t)(reader->line_at - reader->span);
}

static void warn(struct dj_reader *reader, size_t line, size_t byte, const char *format,
                 va_list arguments)
{
    struct dj_parse_report *report = reader->report;
    if (report->warning_count < DJ_PARSE_WARNINGS) {
        struct dj_parse_warning *warning = &report->warning[report->warning_count];
        warning->line = line;
        warning->byte = byte;
        int part = report->part == NULL
                       ? 0
                       : snprintf(warning->message, sizeof(warning->message),
                                  "%.60s: ", report->part);
        vsnprintf(warning->message + part, sizeof(warning->message) - (size_t)part,
                  format, arguments);
    }
    report->warning_count++;
}

void dj_reader_warn(struct dj_reader *reader, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    warn(reader, reader->line, dj_reader_byte(reader), format, arguments);
    va_end(arguments);
}

void dj_reader_warn_at(struct dj_reader *reader, size_t line, size_t byte,
                       const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    warn(reader, line, byte, format, arguments);
    va_end(arguments);
}

/* ---- dumps ---- */

static void begin_dump(struct dj_reader *reader)
{
    *reader->dump = (struct dj_dump){.uptime_ms = -1, .realtime_ms = -1};
    reader->window_count = 0;
    reader->rows_held = 0;
    reader->text_held = 0;
}

static void end_dump(struct dj_reader *reader)
{
    struct dj_dump *dump = reader->dump;
    if (dump->process_count > 0) {
        /* Of several dumps in one text, those that found something count. */
        free(dump->not_found);
        dump->not_found = NULL;
    }
    dj_release_infer(dump);
}

void dj_reader_hand_out(struct dj_reader *reader)
{
    struct dj_dump *dump = reader->dump;
    bool empty = dump->process_count == 0 && dump->graphicsstats_count == 0 &&
                 dump->davey_count == 0 && dump->not_found == NULL;
    if (reader->take == NULL || reader->failed) {
        return;
    }
    if (empty) {
        begin_dump(reader);
        return;
    }
    end_dump(reader);
    if (reader->taken == 0) {
        reader->taken = reader->take(reader->take_data, dump);
    }
    dj_dump_finish(dump);
    begin_dump(reader);
}

/* What follows was dumped at the same time. */
void dj_reader_hand_out_so_far(struct dj_reader *reader)
{
    int64_t uptime_ms = reader->dump->uptime_ms;
    int64_t realtime_ms = reader->dump->realtime_ms;
    dj_reader_hand_out(reader);
    if (reader->take != NULL) {
        reader->dump->uptime_ms = uptime_ms;
        reader->dump->realtime_ms = realtime_ms;
    }
}

/* What is not a window's own waits for the last part. */
static void go_on_with(struct dj_dump_process *next, struct dj_dump_process *part)
{
    next->continues = true;
    next->pid = part->pid;
    next->pipeline = part->pipeline;
    next->sections = part->sections;
    next->section_count = part->section_count;
    next->name = part->name != NULL ? strdup(part->name) : NULL;
    part->unfinished = true;
    part->pipeline = NULL;
    part->sections = NULL;
    part->section_count = 0;
}

/* Of a process with more windows than fit, what there is goes out; the rest follows. */
static void hand_out_part(struct dj_reader *reader)
{
    struct dj_dump rest = {.uptime_ms = reader->dump->uptime_ms,
                           .realtime_ms = reader->dump->realtime_ms};
    struct dj_dump_process *next = dj_dump_add_process(&rest);
    dj_reader_close_section(reader);
    if (next == NULL) {
        reader->failed = true;
        return;
    }
    go_on_with(next, reader->process);
    reader->failed =
        reader->failed || (next->name == NULL && reader->process->name != NULL);
    dj_reader_hand_out(reader);
    if (reader->failed) {
        dj_dump_finish(&rest);
        return;
    }
    *reader->dump = rest;
    reader->process = next;
}

/* ---- where lines go ---- */

void dj_reader_close_block(struct dj_reader *reader)
{
    dj_reader_histogram_close(reader);
    dj_reader_flush_rows(reader);
    dj_reader_close_framestats(reader);
    reader->state = DJ_READING_LINES;
}

void dj_reader_close_process(struct dj_reader *reader)
{
    dj_reader_close_block(reader);
    dj_reader_close_name(reader);
    dj_reader_close_section(reader);
    dj_reader_close_entry(reader);
    dj_reader_close_davey(reader);
    if (reader->process != NULL) {
        dj_reader_apply_notes(reader->process);
    }
    reader->process = NULL;
    reader->window = NULL;
    reader->due = NULL;
    reader->in_windows = false;
    reader->in_hierarchy = false;
    free(reader->root);
    reader->root = NULL;
    reader->text_held += reader->section_bytes;
    reader->section_bytes = 0;
    if (reader->rows_held > DJ_PARSE_ROWS_HELD ||
        reader->text_held > DJ_PARSE_TEXT_HELD) {
        dj_reader_hand_out_so_far(reader);
    }
}

struct dj_dump_process *dj_reader_next_process(struct dj_reader *reader)
{
    dj_reader_close_process(reader);
    if (reader->dump->process_count >= DJ_READER_PROCESSES) {
        dj_reader_hand_out_so_far(reader);
    }
    if (reader->dump->process_count >= DJ_READER_PROCESSES) {
        dj_reader_warn(reader, "more than %d processes: passed over",
                       DJ_READER_PROCESSES);
        return NULL;
    }
    reader->seen = true;
    reader->process = dj_dump_add_process(reader->dump);
    reader->failed = reader->failed || reader->process == NULL;
    return reader->process;
}

struct dj_dump_process *dj_reader_process(struct dj_reader *reader)
{
    return reader->process != NULL ? reader->process : dj_reader_next_process(reader);
}

struct dj_dump_window *dj_reader_next_window(struct dj_reader *reader)
{
    dj_reader_close_block(reader);
    reader->window = NULL;
    struct dj_dump_process *process = dj_reader_process(reader);
    if (process == NULL) {
        return NULL;
    }
    if (reader->take != NULL && (reader->rows_held > DJ_PARSE_ROWS_PART ||
                                 reader->window_count >= DJ_READER_WINDOWS)) {
        hand_out_part(reader);
        process = reader->process;
        if (reader->failed) {
            return NULL;
        }
    }
    if (reader->window_count >= DJ_READER_WINDOWS) {
        dj_reader_warn(reader, "more than %d windows: passed over", DJ_READER_WINDOWS);
        return NULL;
    }
    reader->window_count++;
    reader->window = dj_dump_add_window(process);
    reader->failed = reader->failed || reader->window == NULL;
    return reader->window;
}

struct dj_dump_window *dj_reader_window(struct dj_reader *reader)
{
    return reader->window != NULL ? reader->window : dj_reader_next_window(reader);
}

/* How much of a name is one: a failure is no part of it, where two lines made it or what
 * became blanks, nor are blanks at its end. */
static size_t length_of_name(const char *name, size_t length)
{
    const char *failure = dj_reader_find_failure((struct dj_slice){name, length});
    length = failure != NULL ? (size_t)(failure - name) : length;
    while (length > 0 && dj_is_blank(name[length - 1])) {
        length--;
    }
    return length;
}

/* What cannot stand in a C string or in a line becomes a blank, and blanks at the ends
 * are nobody's: of the line's own indentation they could not be told. */
void dj_reader_keep(struct dj_reader *reader, char **string, struct dj_slice slice)
{
    char *copy = malloc(slice.length + 1);
    if (copy == NULL) {
        reader->failed = true;
        return;
    }
    size_t length = 0;
    for (size_t i = 0; i < slice.length; i++) {
        char c = slice.at[i] == '\0' || slice.at[i] == '\r' ? ' ' : slice.at[i];
        if (length > 0 || !dj_is_blank(c)) {
            copy[length++] = c;
        }
    }
    copy[length_of_name(copy, length)] = '\0';
    free(*string);
    *string = copy;
}

/* ---- the text as lines ---- */

/* A line that is passed over has a number and a place like any other. */
static void pass_over_line(struct dj_reader *reader, size_t length)
{
    dj_reader_warn(reader,
                   "a line of %zu bytes, longer than the %d that are read: passed over",
                   length, DJ_PARSE_LINE_MOST);
    if (reader->state == DJ_READING_FRAMESTATS) {
        reader->report->rows++;
        reader->report->rows_bad++;
        reader->window->rows_beyond++;
    }
}

/* Whether the next line has to wait for the one behind it: in a view hierarchy that one
 * tells what it is. */
static bool must_wait(const struct dj_reader *reader)
{
    if (!reader->in_hierarchy || !reader->more_comes) {
        return false;
    }
    const char *newline = memchr(reader->at, '\n', (size_t)(reader->end - reader->at));
    return newline == NULL ||
           memchr(newline + 1, '\n', (size_t)(reader->end - newline - 1)) == NULL;
}

/* Reads whole lines; the last one may lack its newline where the text ends there. Returns
 * how many bytes were read: fewer where lines have to wait. */
static size_t read_span(struct dj_reader *reader, const char *bytes, size_t length)
{
    reader->at = bytes;
    reader->span = bytes;
    reader->end = bytes + length;
    while (reader->at < reader->end && !reader->failed && reader->taken == 0 &&
           !must_wait(reader)) {
        if (reader->state == DJ_READING_FRAMESTATS && reader->piece_count == 0) {
            dj_reader_plain_rows(reader);
            if (reader->at == reader->end) {
                break;
            }
        }
        const char *newline =
            memchr(reader->at, '\n', (size_t)(reader->end - reader->at));
        const char *end = newline != NULL ? newline : reader->end;
        struct dj_slice raw = {reader->at, (size_t)(end - reader->at)};
        reader->line++;
        reader->line_at = reader->at;
        reader->cut = newline == NULL;
        reader->at = newline != NULL ? newline + 1 : reader->end;
        if (raw.length > DJ_PARSE_LINE_MOST) {
            pass_over_line(reader, raw.length);
        } else {
            dj_reader_line(reader, raw);
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

static void end_text(struct dj_reader *reader)
{
    size_t warnings = reader->report->warning_count;
    reader->ending = true;
    dj_reader_end_block(reader);
    dj_reader_close_block(reader);
    reader->end_told = reader->end_told || reader->report->warning_count > warnings;
    dj_reader_end_of_text(reader);
    dj_reader_close_process(reader);
    reader->report->seen = reader->report->seen || reader->seen;
}

/* Nothing reaches from one text into the next. */
static void begin_text(struct dj_reader *reader)
{
    reader->line = 0;
    reader->span_byte = 0;
    reader->quote_length = 0;
    reader->seen = false;
    reader->end_told = false;
    reader->ending = false;
    reader->in_service = false;
    reader->counting = false;
    reader->elsewhere = false;
    reader->bug_report = false;
    reader->package_seen = false;
    reader->uid = -1;
    dj_text_clear(&reader->title);
}

static void reader_init(struct dj_reader *reader, struct dj_dump *dump,
                        struct dj_parse_report *report)
{
    *reader = (struct dj_reader){.dump = dump, .report = report, .uid = -1};
    *report = (struct dj_parse_report){0};
    begin_dump(reader);
}

static void reader_finish(struct dj_reader *reader)
{
    dj_text_finish(&reader->title);
    free(reader->root);
    dj_text_finish(&reader->section);
    dj_text_finish(&reader->package);
    dj_text_finish(&reader->held);
    dj_text_finish(&reader->pair);
    dj_text_finish(&reader->davey);
}

static const char *const refusals[] = {
    [DJ_REFUSAL_NONE] = "no gfxinfo text",
    [DJ_REFUSAL_DENIED] = "the device denied the permission to dump, and nothing else is",
    [DJ_REFUSAL_FAILED] = "the app did not answer, and nothing else is",
};

int dj_parse_nothing(const struct dj_parse_report *report, struct dj_error *err)
{
    return dj_error_set(
        err, DJ_E_NO_DATA,
        "%s in %zu lines: expected the output of `dumpsys gfxinfo PACKAGE "
        "framestats`, with lines such as \"" DJ_PROCESS
        " …\", \"Total frames rendered: …\" or \"" DJ_MARKER "\"",
        refusals[report->refusal], report->lines);
}

int dj_parse_dump(const char *text, size_t length, struct dj_dump *dump,
                  struct dj_parse_report *report, struct dj_error *err)
{
    struct dj_parse_report unwanted;
    struct dj_reader reader;
    reader_init(&reader, dump, report != NULL ? report : &unwanted);
    if (length > 0) { /* nothing may come as NULL, which has no end to point to */
        read_span(&reader, text, length);
    }
    end_text(&reader);
    end_dump(&reader);
    reader_finish(&reader);
    if (reader.failed) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory at line %zu",
                            reader.line);
    }
    return reader.seen ? 0 : dj_parse_nothing(reader.report, err);
}

/* ---- a text in pieces ---- */

struct dj_parser {
    struct dj_reader reader;
    struct dj_dump dump;
    struct dj_text line; /* the beginning of a line whose end has not come yet, behind… */
    size_t waiting;      /* bytes of whole lines that wait for it */
    size_t too_long;     /* bytes so far of a line that is passed over; 0: none */
};

struct dj_parser *dj_parser_create(dj_parser_taker *take, void *data,
                                   struct dj_parse_report *report)
{
    struct dj_parser *parser = calloc(1, sizeof(*parser));
    if (parser != NULL) {
        reader_init(&parser->reader, &parser->dump, report);
        parser->reader.take = take;
        parser->reader.take_data = data;
        parser->reader.more_comes = true;
    }
    return parser;
}

void dj_parser_destroy(struct dj_parser *parser)
{
    if (parser != NULL) {
        dj_dump_finish(&parser->dump);
        dj_text_finish(&parser->line);
        reader_finish(&parser->reader);
        free(parser);
    }
}

static int state_of(const struct dj_parser *parser)
{
    return parser->reader.failed ? DJ_E_NO_MEMORY : parser->reader.taken;
}

/* Counts what is not kept of a line; `end` is the newline that ends it, or 0: the text.
 */
static void pass_over(struct dj_parser *parser, size_t length, bool ends, size_t end)
{
    struct dj_reader *reader = &parser->reader;
    parser->too_long += length;
    if (ends) {
        reader->line++;
        reader->report->lines = reader->line;
        pass_over_line(reader, parser->too_long - end);
        reader->span_byte += parser->too_long;
        reader->report->bytes = reader->span_byte;
        parser->too_long = 0;
    }
}

/* Reads what is held, which ends with a newline, up to lines that wait. */
static void read_held(struct dj_parser *parser)
{
    struct dj_text *line = &parser->line;
    size_t read = read_span(&parser->reader, line->data, line->length);
    size_t left = line->length - read;
    memmove(line->data, line->data + read, left);
    line->length = left;
    parser->waiting = left;
}

/* Reads lines that wait for one that is too long to be read. */
static void read_waiting(struct dj_parser *parser)
{
    parser->reader.more_comes = false;
    if (parser->waiting > 0) {
        read_span(&parser->reader, parser->line.data, parser->waiting);
    }
    parser->reader.more_comes = true;
    parser->waiting = 0;
    dj_text_clear(&parser->line);
}

/* Puts bytes behind the line that has begun, and reads it where they end it. */
static void go_on_with_line(struct dj_parser *parser, const char *bytes, size_t length,
                            bool ends)
{
    size_t begun = parser->line.length - parser->waiting;
    if (parser->too_long > 0 || begun + length - ends > DJ_PARSE_LINE_MOST) {
        read_waiting(parser);
        pass_over(parser, length + begun, ends, ends);
        return;
    }
    dj_text_append(&parser->line, bytes, length);
    parser->reader.failed = parser->reader.failed || parser->line.failed;
    if (ends && !parser->reader.failed) {
        read_held(parser);
    }
}

int dj_parser_feed(struct dj_parser *parser, const char *bytes, size_t length)
{
    if (length == 0 || state_of(parser) != 0) {
        return state_of(parser);
    }
    const char *end = bytes + length;
    while (bytes < end && state_of(parser) == 0 &&
           (parser->line.length > 0 || parser->too_long > 0)) {
        const char *newline = memchr(bytes, '\n', (size_t)(end - bytes));
        const char *after = newline != NULL ? newline + 1 : end;
        go_on_with_line(parser, bytes, (size_t)(after - bytes), newline != NULL);
        bytes = after;
    }
    const char *last = bytes < end ? memrchr(bytes, '\n', (size_t)(end - bytes)) : NULL;
    if (last != NULL && state_of(parser) == 0) {
        size_t length_whole = (size_t)(last + 1 - bytes);
        size_t read = read_span(&parser->reader, bytes, length_whole);
        dj_text_append(&parser->line, bytes + read, length_whole - read);
        parser->waiting = length_whole - read;
        bytes = last + 1;
    }
    if (bytes < end && state_of(parser) == 0) {
        go_on_with_line(parser, bytes, (size_t)(end - bytes), false);
    }
    return state_of(parser);
}

int dj_parser_end(struct dj_parser *parser)
{
    struct dj_reader *reader = &parser->reader;
    reader->more_comes = false;
    if (state_of(parser) == 0 && parser->too_long > 0) {
        pass_over(parser, 0, true, 0);
    }
    if (state_of(parser) == 0 && parser->line.length > 0) {
        read_span(reader, parser->line.data, parser->line.length);
        dj_text_clear(&parser->line);
        parser->waiting = 0;
    }
    if (state_of(parser) == 0) {
        end_text(reader);
        dj_reader_hand_out(reader);
        begin_text(reader);
        reader->more_comes = true;
    }
    return state_of(parser);
}
