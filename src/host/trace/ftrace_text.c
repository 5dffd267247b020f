#include "trace/ftrace_text.h"

#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"
#include "trace/page.h"
#include "trace/text_line.h"

enum { LONGEST_LINE = 1 << 20 };

/* The kind of text that a line belongs to. */
enum place {
    PLACE_START,   /* only empty lines so far */
    PLACE_TEXT,    /* plain trace text */
    PLACE_HTML,    /* HTML outside the trace */
    PLACE_DATA,    /* inside <script class="trace-data"> */
    PLACE_FOREIGN, /* the same, but no trace: a list of processes */
    PLACE_QUOTED,  /* inside var linuxPerfData = "\ */
    PLACE_VIEWER   /* inside <script id="viewer-data">, which has no lines */
};

/* Returns true for lines around a trace that carry no information. */
static bool is_talk(struct dj_str line)
{
    static const char *const talk[] = {
        "capturing trace", "TRACE:", "version = ", "cpus=", "CPU ", "PROCESS DUMP"};
    for (size_t i = 0; i < COUNT_OF(talk); i++) {
        if (dj_str_begins(line, talk[i])) {
            return true;
        }
    }
    return dj_line_without_indent(line).length == 0;
}

/* Handles a line of a list of processes. */
static int take_listed(struct dj_ftrace_text *text, struct dj_str line, bool *known)
{
    int code = dj_process_dump_line(&text->dump, line, text->sink, known);
    text->told.listed += *known ? 1 : 0;
    return code;
}

static void note_strange(struct dj_ftrace_text *text, uint64_t line)
{
    if (text->told.strange++ == 0) {
        text->told.first_strange = line;
    }
}

static int take_strange(struct dj_ftrace_text *text, struct dj_str line)
{
    bool known;
    int code = take_listed(text, line, &known);
    if (!known && !is_talk(line)) {
        note_strange(text, text->line);
    }
    return code;
}

/* For lines without flags, other events show what happened in interrupts. */
static int take_event(struct dj_ftrace_text *text, struct dj_event *event)
{
    if (event->interrupted == DJ_LINE_WITHOUT_FLAGS && text->interrupts == NULL) {
        text->told.without_flags = true;
        text->interrupts = dj_told_interrupts_create();
    }
    if (event->interrupted == DJ_LINE_WITHOUT_FLAGS || event->kind == DJ_EVENT_LOST) {
        dj_told_interrupts_take(text->interrupts, event);
    }
    return text->sink.take(text->sink.user, event);
}

static int take_text(struct dj_ftrace_text *text, struct dj_str line)
{
    struct dj_event event;
    int code = 0;
    text->after_title = dj_str_begins(line, "TRACE:");
    if (dj_str_begins(line, "#")) {
        dj_trace_told_entries(&text->told, line);
        if (dj_text_clock_line(&text->clock, line, text->sink, &code)) {
            return code;
        }
    }
    enum dj_text_line kind = dj_text_line_read(line, &event);
    if (kind == DJ_LINE_STRANGE) {
        return take_strange(text, line);
    }
    if (kind == DJ_LINE_COUNTED) {
        code = dj_text_clock_counted(&text->clock, text->sink);
    }
    text->told.events += kind == DJ_LINE_EVENT || kind == DJ_LINE_COUNTED;
    return code != 0 || kind == DJ_LINE_NOISE ? code : take_event(text, &event);
}

static enum place place_of_start(struct dj_str line, bool part)
{
    struct dj_str text = dj_line_without_indent(line);
    return text.length == 0 ? PLACE_START
           : dj_str_begins(text, "<!DOCTYPE") || dj_str_begins(text, "<!doctype") ||
                   dj_str_begins(text, "<html") || dj_str_begins(text, "<HTML")
               ? PLACE_HTML
           : part && dj_line_is_foreign(line) ? PLACE_FOREIGN
                                              : PLACE_TEXT;
}

static void take_html(struct dj_ftrace_text *text, struct dj_str line)
{
    line = dj_line_without_indent(line);
    if (text->events != NULL && dj_line_begins_viewer(line)) {
        text->place = PLACE_VIEWER;
        text->viewer = text->viewer_reader->create(text->events);
        return;
    }
    text->place = dj_str_begins(line, "<script class=\"trace-data\"") ? PLACE_DATA
                  : dj_str_begins(line, "var linuxPerfData = \"\\")   ? PLACE_QUOTED
                                                                      : PLACE_HTML;
}

/* The oldest pages contain the text as a JavaScript string. */
static int take_quoted(struct dj_ftrace_text *text, struct dj_str line)
{
    bool ended;
    DJ_XRESERVE(text->room, text->room_size, line.length);
    struct dj_str said = dj_unquoted(line, text->room, &ended);
    text->place = ended ? PLACE_HTML : text->place;
    /* The last line of such pages, a clock_sync at 0, is not an event. */
    return dj_str_begins(dj_line_without_indent(said), "dummy-0000 ")
               ? 0
               : take_text(text, said);
}

/* Handles a line of a page's data. In data that is no trace, only lists of processes
 * matter. */
static int take_data(struct dj_ftrace_text *text, struct dj_str line)
{
    bool known;
    bool closed = dj_line_cut_closing(&line);
    bool ended = text->place == PLACE_QUOTED &&
                 (dj_str_begins(dj_line_without_indent(line), "\\n\";") ||
                  dj_str_begins(dj_line_without_indent(line), "\";"));
    int code = 0;
    if (!ended && (!closed || line.length > 0)) {
        if (text->place == PLACE_DATA && dj_line_is_foreign(line)) {
            text->place = PLACE_FOREIGN;
        }
        code = text->place == PLACE_DATA     ? take_text(text, line)
               : text->place == PLACE_QUOTED ? take_quoted(text, line)
                                             : take_listed(text, line, &known);
    }
    if (ended || closed) {
        text->place = PLACE_HTML;
        text->dump = (struct dj_process_dump){0};
    }
    return code;
}

/* Returns true inside a part of a page that has an explicit end. */
static bool is_in_page(const struct dj_ftrace_text *text)
{
    return text->place >= PLACE_DATA;
}

static int take_line(struct dj_ftrace_text *text, struct dj_str line)
{
    text->line++;
    if (line.length > 0 && line.at[line.length - 1] == '\r') {
        line.length--;
    }
    if (text->place == PLACE_START) {
        line = dj_line_without_mark(line);
        text->place = (uint8_t)place_of_start(line, text->part);
    }
    if (text->place == PLACE_TEXT) {
        return take_text(text, line);
    }
    if (text->place == PLACE_HTML) {
        take_html(text, line);
        return 0;
    }
    return is_in_page(text) ? take_data(text, line) : 0;
}

/* Stores the start of an incomplete line. */
static void keep(struct dj_ftrace_text *text, const char *bytes, size_t length)
{
    size_t wanted = text->rest_length + length;
    if (wanted > LONGEST_LINE) {
        text->too_long = true;
        text->rest_length = 0;
    } else if (length > 0) {
        DJ_XRESERVE(text->rest, text->rest_capacity, wanted);
        memcpy(text->rest + text->rest_length, bytes, length);
        text->rest_length = wanted;
    }
}

/* Completes the line with these bytes. */
static int complete(struct dj_ftrace_text *text, const char *bytes, size_t length)
{
    int code = 0;
    if (text->rest_length == 0 && !text->too_long) {
        return take_line(text, (struct dj_str){bytes, length});
    }
    if (!text->too_long) {
        keep(text, bytes, length);
    }
    if (!text->too_long) {
        code = take_line(text, (struct dj_str){text->rest, text->rest_length});
    } else {
        if (text->place != PLACE_HTML) { /* scripts there have lines of any length */
            note_strange(text, text->line + 1);
        }
        text->line++;
    }
    text->too_long = false;
    text->rest_length = 0;
    return code;
}

static int end_viewer(struct dj_ftrace_text *text, struct dj_error *err)
{
    int code = text->viewer_reader->end(text->viewer, err);
    struct dj_trace_told told = text->viewer_reader->told(text->viewer);
    dj_trace_told_add(&text->told, &told, "viewer-data");
    text->viewer_reader->destroy(text->viewer);
    text->viewer = NULL;
    text->place = PLACE_HTML;
    return code;
}

/* Reads up to "</script>". */
static int take_viewer(struct dj_ftrace_text *text, const char **bytes, const char *end,
                       struct dj_error *err)
{
    const char *from = *bytes;
    const char *closing = memchr(from, '<', (size_t)(end - from));
    *bytes = closing != NULL ? closing : end;
    for (const char *at = from; (at = memchr(at, '\n', (size_t)(*bytes - at))) != NULL;
         at++) {
        text->line++;
    }
    int code =
        text->viewer_reader->take(text->viewer, from, (size_t)(*bytes - from), err);
    return code == 0 && closing != NULL ? end_viewer(text, err) : code;
}

/* Reads lines, up to the title after which compressed data may follow. */
static int take_lines(struct dj_ftrace_text *text, const char **bytes, const char *end,
                      struct dj_error *err)
{
    int code = 0;
    while (code == 0 && *bytes < end && !text->after_title) {
        if (text->place == PLACE_VIEWER) {
            code = take_viewer(text, bytes, end, err);
            continue;
        }
        const char *newline = memchr(*bytes, '\n', (size_t)(end - *bytes));
        const char *from = *bytes;
        if (newline == NULL) {
            *bytes = end;
            if (!text->too_long) {
                keep(text, from, (size_t)(end - from));
            }
            return 0;
        }
        *bytes = newline + 1;
        code = complete(text, from, (size_t)(newline - from));
    }
    return code;
}

static int take_unfolded(void *user, const char *bytes, size_t length,
                         struct dj_error *err)
{
    struct dj_ftrace_text *text = user;
    const char *end = bytes + length;
    int code = 0;
    while (code == 0 && bytes < end) {
        text->after_title = false;
        code = take_lines(text, &bytes, end, err);
    }
    return code;
}

static int take_packed(struct dj_ftrace_text *text, const char *bytes, size_t length,
                       struct dj_error *err)
{
    int code = text->broken ? 0
                            : dj_inflate_take(text->packed, bytes, length, take_unfolded,
                                              text, err);
    if (code == DJ_E_INVALID) {
        note_strange(text, text->line + 1);
        text->broken = true;
        return 0;
    }
    return code;
}

/* After the title come more line ends, then text or compressed data, which zlib's first
 * byte shows. */
static void pass_title(struct dj_ftrace_text *text, const char **bytes)
{
    enum { ZLIB = 0x78 };
    if (**bytes == '\r' || **bytes == '\n') {
        ++*bytes;
        return;
    }
    text->after_title = false;
    if (**bytes == ZLIB) {
        text->packed = dj_inflate_create();
    }
}

int dj_ftrace_text_take(struct dj_ftrace_text *text, const char *bytes, size_t length,
                        struct dj_error *err)
{
    const char *end = bytes + length;
    int code = 0;
    while (code == 0 && bytes < end) {
        if (text->packed != NULL) {
            return take_packed(text, bytes, (size_t)(end - bytes), err);
        }
        if (text->after_title) {
            pass_title(text, &bytes);
        } else {
            code = take_lines(text, &bytes, end, err);
        }
    }
    return code;
}

int dj_ftrace_text_end(struct dj_ftrace_text *text, struct dj_error *err)
{
    int code = text->rest_length > 0 || text->too_long ? complete(text, "", 0) : 0;
    bool cut = (is_in_page(text) && !text->part) ||
               (text->packed != NULL && !text->broken && !dj_inflate_ended(text->packed));
    if (text->viewer != NULL) {
        int ended = end_viewer(text, err);
        code = code != 0 ? code : ended;
    }
    if (cut) {
        note_strange(text, text->line + 1); /* the end is missing */
    }
    return code;
}

void dj_ftrace_text_finish(struct dj_ftrace_text *text)
{
    free(text->interrupts);
    if (text->viewer != NULL) {
        text->viewer_reader->destroy(text->viewer);
    }
    dj_inflate_finish(text->packed);
    free(text->rest);
    free(text->room);
    *text = (struct dj_ftrace_text){.sink = text->sink, .told = text->told};
}

struct dj_trace_told dj_ftrace_text_told(const struct dj_ftrace_text *text)
{
    struct dj_trace_told told = text->told;
    if (text->viewer != NULL) {
        struct dj_trace_told viewer = text->viewer_reader->told(text->viewer);
        dj_trace_told_add(&told, &viewer, "viewer-data");
    }
    return told;
}
