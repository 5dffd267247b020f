#include "trace/text/ftrace.h"

#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"
#include "trace/text/html_page.h"
#include "trace/text/line.h"

enum { LONGEST_LINE = 1 << 20 };

/* The part of the text in which the current line is. */
enum place {
    PLACE_START, /* Before the first line that is not empty. */
    PLACE_TEXT,  /* Plain trace text. */
    PLACE_HTML,  /* In HTML, outside of the trace. */
    PLACE_DATA,  /* Inside <script class="trace-data">. */
    /* Inside <script class="trace-data">. The data is not a trace, but for example a list
     * of processes. */
    PLACE_FOREIGN,
    /* Inside the string that is assigned to the JavaScript variable linuxPerfData. */
    PLACE_QUOTED,
    /* Inside <script id="viewer-data">. The data is base64, which is not read line by
     * line. */
    PLACE_VIEWER
};

/* Returns true for known lines before and after a trace that need not be read. */
static bool is_ignored_line(struct dj_str line)
{
    static const char *const ignored_lines[] = {
        "capturing trace", "TRACE:", "version = ", "cpus=", "CPU ", "PROCESS DUMP"};
    for (size_t i = 0; i < COUNT_OF(ignored_lines); i++) {
        if (dj_str_begins(line, ignored_lines[i])) {
            return true;
        }
    }
    return dj_line_skip_indent(line).length == 0;
}

/* Reads a line that may belong to a list of processes. */
static int read_list_line(struct dj_ftrace_text *text, struct dj_str line, bool *known)
{
    int code = dj_process_list_read_line(&text->dump, line, text->sink, known);
    text->summary.listed += *known ? 1 : 0;
    return code;
}

static void note_unreadable(struct dj_ftrace_text *text, uint64_t line)
{
    if (text->summary.unreadable++ == 0) {
        text->summary.first_unreadable_line = line;
    }
}

static int handle_unreadable(struct dj_ftrace_text *text, struct dj_str line)
{
    bool known;
    int code = read_list_line(text, line, &known);
    if (!known && !is_ignored_line(line)) {
        note_unreadable(text, text->line);
    }
    return code;
}

/* Passes on an event. If its line contains no interrupt flags, finds out from earlier
 * events whether it happened in an interrupt. */
static int send_event(struct dj_ftrace_text *text, struct dj_event *event)
{
    if (event->interrupted == DJ_LINE_WITHOUT_FLAGS && text->interrupts == NULL) {
        text->summary.without_flags = true;
        text->interrupts = dj_interrupt_finder_create();
    }
    if (event->interrupted == DJ_LINE_WITHOUT_FLAGS || event->kind == DJ_EVENT_LOST) {
        dj_interrupt_finder_mark_event(text->interrupts, event);
    }
    return text->sink.take(text->sink.user, event);
}

/* Reads a line of 'perf script'. Sets *known to false if it is none. */
static int read_script_line(struct dj_ftrace_text *text, struct dj_str line, bool *known)
{
    struct dj_event event;
    int code;
    enum dj_perf_script_line kind = dj_perf_script_read_line(
        &text->script, line, text->clock.is_known, text->sink, &event, &code);
    *known = kind != DJ_PERF_SCRIPT_OTHER;
    text->summary.events += kind == DJ_PERF_SCRIPT_EVENT;
    text->summary.samples = text->script.samples;
    return code == 0 && kind == DJ_PERF_SCRIPT_EVENT ? send_event(text, &event) : code;
}

static int read_text_line(struct dj_ftrace_text *text, struct dj_str line)
{
    struct dj_event event;
    int code = 0;
    bool known = false;
    text->after_title = dj_str_begins(line, "TRACE:");
    if (text->script.begun) {
        code = read_script_line(text, line, &known);
        if (known || code != 0) {
            return code;
        }
    }
    if (dj_str_begins(line, "#")) {
        dj_text_summary_read_entries(&text->summary, line);
        if (dj_text_clock_read_line(&text->clock, line, text->sink, &code)) {
            return code;
        }
    }
    enum dj_text_line kind = dj_text_line_read(line, &event);
    if (kind == DJ_LINE_STRANGE && !text->script.begun) {
        code = read_script_line(text, line, &known);
    }
    if (kind == DJ_LINE_STRANGE) {
        return known || code != 0 ? code : handle_unreadable(text, line);
    }
    if (kind == DJ_LINE_COUNTED) {
        code = dj_text_clock_report_ticks(&text->clock, text->sink);
    }
    text->summary.events += kind == DJ_LINE_EVENT || kind == DJ_LINE_COUNTED;
    return code != 0 || kind == DJ_LINE_NOISE ? code : send_event(text, &event);
}

static enum place detect_place(struct dj_str line, bool part)
{
    struct dj_str text = dj_line_skip_indent(line);
    return text.length == 0 ? PLACE_START
           : dj_str_begins(text, "<!DOCTYPE") || dj_str_begins(text, "<!doctype") ||
                   dj_str_begins(text, "<html") || dj_str_begins(text, "<HTML")
               ? PLACE_HTML
           : part && dj_line_is_other_data(line) ? PLACE_FOREIGN
                                                 : PLACE_TEXT;
}

static void read_html_line(struct dj_ftrace_text *text, struct dj_str line)
{
    line = dj_line_skip_indent(line);
    if (text->events != NULL && dj_line_is_viewer_start(line)) {
        text->place = PLACE_VIEWER;
        text->viewer = text->viewer_reader->create(text->events);
        return;
    }
    text->place = dj_str_begins(line, "<script class=\"trace-data\"") ? PLACE_DATA
                  : dj_str_begins(line, "var linuxPerfData = \"\\")   ? PLACE_QUOTED
                                                                      : PLACE_HTML;
}

/* Reads a line of a trace that is in a JavaScript string. The oldest pages of systrace
 * contain such a string. */
static int read_quoted_line(struct dj_ftrace_text *text, struct dj_str line)
{
    bool ended;
    DJ_XRESERVE(text->line_buffer, text->line_buffer_size, line.length);
    struct dj_str unescaped = dj_line_unescape(line, text->line_buffer, &ended);
    text->place = ended ? PLACE_HTML : text->place;
    /* The last line of such a page is a clock_sync with the time 0. It is not an event.
     */
    return dj_str_begins(dj_line_skip_indent(unescaped), "dummy-0000 ")
               ? 0
               : read_text_line(text, unescaped);
}

/* Reads a line of the data in a page. If the data is not a trace, reads only lists of
 * processes. */
static int read_data_line(struct dj_ftrace_text *text, struct dj_str line)
{
    bool known;
    bool closed = dj_line_remove_closing_tag(&line);
    bool ended = text->place == PLACE_QUOTED &&
                 (dj_str_begins(dj_line_skip_indent(line), "\\n\";") ||
                  dj_str_begins(dj_line_skip_indent(line), "\";"));
    int code = 0;
    if (!ended && (!closed || line.length > 0)) {
        if (text->place == PLACE_DATA && dj_line_is_other_data(line)) {
            text->place = PLACE_FOREIGN;
        }
        code = text->place == PLACE_DATA     ? read_text_line(text, line)
               : text->place == PLACE_QUOTED ? read_quoted_line(text, line)
                                             : read_list_line(text, line, &known);
    }
    if (ended || closed) {
        text->place = PLACE_HTML;
        text->dump = (struct dj_process_list){0};
    }
    return code;
}

/* Returns true if the current line is in a part of a page that must be closed explicitly.
 */
static bool is_in_page(const struct dj_ftrace_text *text)
{
    return text->place >= PLACE_DATA;
}

static int read_line(struct dj_ftrace_text *text, struct dj_str line)
{
    text->line++;
    if (line.length > 0 && line.at[line.length - 1] == '\r') {
        line.length--;
    }
    if (text->place == PLACE_START) {
        line = dj_line_skip_byte_order_mark(line);
        text->place = (uint8_t)detect_place(line, text->part);
    }
    if (text->place == PLACE_TEXT) {
        return read_text_line(text, line);
    }
    if (text->place == PLACE_HTML) {
        read_html_line(text, line);
        return 0;
    }
    return is_in_page(text) ? read_data_line(text, line) : 0;
}

/* Appends bytes to the stored start of a line. The end of the line was not read yet. */
static void keep_partial_line(struct dj_ftrace_text *text, const char *bytes,
                              size_t length)
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

/* Appends the last bytes of a line to the stored start of the line, and reads the line.
 */
static int complete_line(struct dj_ftrace_text *text, const char *bytes, size_t length)
{
    int code = 0;
    if (text->rest_length == 0 && !text->too_long) {
        return read_line(text, (struct dj_str){bytes, length});
    }
    if (!text->too_long) {
        keep_partial_line(text, bytes, length);
    }
    if (!text->too_long) {
        code = read_line(text, (struct dj_str){text->rest, text->rest_length});
    } else {
        /* A line of a script in HTML may have any length, so it is not counted as damage.
         */
        if (text->place != PLACE_HTML) {
            note_unreadable(text, text->line + 1);
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
    struct dj_text_summary summary = text->viewer_reader->summary(text->viewer);
    dj_text_summary_add(&text->summary, &summary, "viewer-data");
    text->viewer_reader->destroy(text->viewer);
    text->viewer = NULL;
    text->place = PLACE_HTML;
    return code;
}

/* Reads the data of <script id="viewer-data"> up to "</script>". */
static int read_viewer(struct dj_ftrace_text *text, const char **bytes, const char *end,
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
        text->viewer_reader->read(text->viewer, from, (size_t)(*bytes - from), err);
    return code == 0 && closing != NULL ? end_viewer(text, err) : code;
}

/* Reads lines. Stops after the title "TRACE:", because compressed data may follow the
 * title. */
static int read_lines(struct dj_ftrace_text *text, const char **bytes, const char *end,
                      struct dj_error *err)
{
    int code = 0;
    while (code == 0 && *bytes < end && !text->after_title) {
        if (text->place == PLACE_VIEWER) {
            code = read_viewer(text, bytes, end, err);
            continue;
        }
        const char *newline = memchr(*bytes, '\n', (size_t)(end - *bytes));
        const char *from = *bytes;
        if (newline == NULL) {
            *bytes = end;
            if (!text->too_long) {
                keep_partial_line(text, from, (size_t)(end - from));
            }
            return 0;
        }
        *bytes = newline + 1;
        code = complete_line(text, from, (size_t)(newline - from));
    }
    return code;
}

static int read_unpacked(void *user, const char *bytes, size_t length,
                         struct dj_error *err)
{
    struct dj_ftrace_text *text = user;
    const char *end = bytes + length;
    int code = 0;
    while (code == 0 && bytes < end) {
        text->after_title = false;
        code = read_lines(text, &bytes, end, err);
    }
    return code;
}

static int read_packed(struct dj_ftrace_text *text, const char *bytes, size_t length,
                       struct dj_error *err)
{
    int code = text->broken ? 0
                            : dj_inflate_read(text->packed, bytes, length, read_unpacked,
                                              text, err);
    if (code == DJ_E_INVALID) {
        note_unreadable(text, text->line + 1);
        text->broken = true;
        return 0;
    }
    return code;
}

/* Skips line ends after the title, and checks the first other byte. If it is the first
 * byte of a zlib stream, compressed data follows. Otherwise text follows. */
static void skip_title(struct dj_ftrace_text *text, const char **bytes)
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

int dj_ftrace_text_read(struct dj_ftrace_text *text, const char *bytes, size_t length,
                        struct dj_error *err)
{
    const char *end = bytes + length;
    int code = 0;
    while (code == 0 && bytes < end) {
        if (text->packed != NULL) {
            return read_packed(text, bytes, (size_t)(end - bytes), err);
        }
        if (text->after_title) {
            skip_title(text, &bytes);
        } else {
            code = read_lines(text, &bytes, end, err);
        }
    }
    return code;
}

int dj_ftrace_text_end(struct dj_ftrace_text *text, struct dj_error *err)
{
    int code = text->rest_length > 0 || text->too_long ? complete_line(text, "", 0) : 0;
    code = code != 0 ? code : dj_perf_script_end(&text->script, text->sink);
    text->summary.samples = text->script.samples;
    bool is_truncated =
        (is_in_page(text) && !text->part) ||
        (text->packed != NULL && !text->broken && !dj_inflate_has_ended(text->packed));
    if (text->viewer != NULL) {
        int ended = end_viewer(text, err);
        code = code != 0 ? code : ended;
    }
    if (is_truncated) {
        note_unreadable(text, text->line + 1); /* The end of the text is missing. */
    }
    return code;
}

void dj_ftrace_text_finish(struct dj_ftrace_text *text)
{
    free(text->interrupts);
    dj_perf_script_finish(&text->script);
    if (text->viewer != NULL) {
        text->viewer_reader->destroy(text->viewer);
    }
    dj_inflate_destroy(text->packed);
    free(text->rest);
    free(text->line_buffer);
    *text = (struct dj_ftrace_text){.sink = text->sink, .summary = text->summary};
}

struct dj_text_summary dj_ftrace_text_get_summary(const struct dj_ftrace_text *text)
{
    struct dj_text_summary summary = text->summary;
    if (text->viewer != NULL) {
        struct dj_text_summary viewer = text->viewer_reader->summary(text->viewer);
        dj_text_summary_add(&summary, &viewer, "viewer-data");
    }
    return summary;
}
