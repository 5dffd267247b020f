/*
 * Reads the kernel's trace as text: from tracefs, atrace and trace-cmd, either plain or
 * inside an HTML page of systrace.
 */
#ifndef DEJANK_TRACE_TEXT_FTRACE_H
#define DEJANK_TRACE_TEXT_FTRACE_H

#include "trace/event.h"
#include "trace/text/inflate.h"
#include "trace/text/summary.h"

/* ---- detecting events in interrupts, for text without interrupt flags ---- */

struct dj_interrupt_finder;

/* The caller frees the result with free(). */
struct dj_interrupt_finder *dj_interrupt_finder_create(void);

/* Sets event->interrupted to 1 or 0, according to the events before it. Pass all events
 * of a text in their order. Does nothing if `finder` is NULL. */
void dj_interrupt_finder_mark_event(struct dj_interrupt_finder *finder,
                                    struct dj_event *event);

/* ---- lists of processes in addition to a trace ---- */

/* A zeroed struct means that no list has started. */
struct dj_process_list {
    uint8_t list;        /* Kind of the current list. Private. */
    uint8_t name_column; /* Column of the process's name. The first column is 0. */
    /* The name is a single word, because other columns follow it. */
    bool name_is_one_word;
    /* The header contains no column for the state, but rows may contain one. */
    bool has_no_state_column;
};

/* Reads a line and reports its thread or process to the sink as DJ_EVENT_THREAD. Sets
 * *known to true if the line belongs to a list of processes. Returns 0 or the sink's
 * code. */
int dj_process_list_read_line(struct dj_process_list *dump, struct dj_str line,
                              struct dj_event_sink sink, bool *known);

struct dj_chrome_events;
struct dj_viewer_data;

/* Functions that read the viewer data of a page. Viewer data is a trace in base64. The
 * trace may have any text format. text/input.c implements the functions. */
struct dj_viewer_reader {
    struct dj_viewer_data *(*create)(struct dj_chrome_events *events);
    void (*destroy)(struct dj_viewer_data *data);
    /* Reads base64, with or without line ends. Returns like dj_ftrace_text_read(). */
    int (*read)(struct dj_viewer_data *data, const char *bytes, size_t length,
                struct dj_error *err);
    int (*end)(struct dj_viewer_data *data, struct dj_error *err);
    struct dj_text_summary (*summary)(const struct dj_viewer_data *data);
};

/* Reads a text that the caller passes in pieces of any size. Zero it and set `sink`. */
struct dj_ftrace_text {
    struct dj_event_sink sink;
    /* The text is embedded in another format. It may contain a trace, a list of
     * processes, or other data. */
    bool part;
    /* Storage for the events of JSON inside a page, or NULL to ignore JSON. */
    struct dj_chrome_events *events;
    struct dj_text_summary summary;
    uint8_t place; /* Private. */
    uint64_t line; /* Number of the line that was read last. */
    char *rest;    /* Start of a line whose end was not read yet. Owned. */
    size_t rest_length, rest_capacity;
    struct dj_process_list dump;
    /* Used if lines have no interrupt flags. Owned. */
    struct dj_interrupt_finder *interrupts;
    bool too_long;    /* The current line is too long and is ignored. */
    bool after_title; /* The previous line was "TRACE:". Compressed data may follow. */
    struct dj_inflate *packed; /* Unpacks the compressed data. Owned. */
    /* The compressed data is damaged, so the rest of the text cannot be read. */
    bool broken;
    struct dj_viewer_data *viewer; /* Reads the base64 data of a page. Owned. */
    struct dj_text_clock clock;
    char *line_buffer; /* Buffer for a line without escape sequences. Owned. */
    size_t line_buffer_size;
    const struct dj_viewer_reader *viewer_reader; /* Must be set if `events` is set. */
};

/* Reads the next piece of the text. Returns 0 or the sink's code. Damaged compressed
 * data is counted as an unreadable line. */
int dj_ftrace_text_read(struct dj_ftrace_text *text, const char *bytes, size_t length,
                        struct dj_error *err);
/* Returns a summary of everything that was read so far. */
struct dj_text_summary dj_ftrace_text_get_summary(const struct dj_ftrace_text *text);
/* Ends the text. Also reads a last line without a line end. */
int dj_ftrace_text_end(struct dj_ftrace_text *text, struct dj_error *err);
void dj_ftrace_text_finish(struct dj_ftrace_text *text);

#endif
