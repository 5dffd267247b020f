/*
 * Reads the kernel's trace as text: from tracefs, atrace and trace-cmd, plain or inside
 * the HTML of systrace.
 */
#ifndef DEJANK_TRACE_TEXT_FTRACE_H
#define DEJANK_TRACE_TEXT_FTRACE_H

#include "trace/event.h"
#include "trace/text/inflate.h"
#include "trace/text/summary.h"

/* ---- finds what happened in interrupts, for text without flags ----
 */

struct dj_interrupt_finder;

/* The caller frees it with free(). */
struct dj_interrupt_finder *dj_interrupt_finder_create(void);

/* Accepts the events of a text in order. Sets `interrupted` of each to 1 or 0, as far as
 * earlier events show. Does nothing if `finder` is NULL. */
void dj_interrupt_finder_mark_event(struct dj_interrupt_finder *finder,
                                    struct dj_event *event);

/* ---- lists of processes next to a trace ---- */

/* All zero: no list has begun. */
struct dj_process_list {
    uint8_t list;             /* kind of the current list, private */
    uint8_t name_column;      /* column of a process's name, from 0 */
    bool name_is_one_word;    /* the name is one word, since more columns follow */
    bool has_no_state_column; /* the header has no column of states, but rows may have one
                               */
};

/* Accepts a line and reports its thread or process to the sink (DJ_EVENT_THREAD). Sets
 * *known if the line belongs to such a list. Returns the sink's code, else 0. */
int dj_process_list_read_line(struct dj_process_list *dump, struct dj_str line,
                              struct dj_event_sink sink, bool *known);

struct dj_chrome_events;
struct dj_viewer_data;

/* Reads the viewer data of a page: a trace in base64, which may itself be of any kind of
 * text. The reader of text input implements it. */
struct dj_viewer_reader {
    struct dj_viewer_data *(*create)(struct dj_chrome_events *events);
    void (*destroy)(struct dj_viewer_data *data);
    /* Reads base64, with or without line ends. Returns as dj_ftrace_text_read(). */
    int (*take)(struct dj_viewer_data *data, const char *bytes, size_t length,
                struct dj_error *err);
    int (*end)(struct dj_viewer_data *data, struct dj_error *err);
    struct dj_text_summary (*summary)(const struct dj_viewer_data *data);
};

/* Reads a text in pieces of any size. Zero it and set the sink. */
struct dj_ftrace_text {
    struct dj_event_sink sink;
    bool part; /* it is embedded in another format, and may be a list of processes or
                  something else */
    /* store for Chrome's JSON in a page; NULL: JSON is ignored */
    struct dj_chrome_events *events;
    struct dj_text_summary summary;
    uint8_t place; /* private */
    uint64_t line; /* number of the line that was read last */
    char *rest;    /* the start of a line that has not ended yet; owned */
    size_t rest_length, rest_capacity;
    struct dj_process_list dump;
    struct dj_interrupt_finder *interrupts; /* state for lines without flags; owned */
    bool too_long;                          /* the current line is ignored */
    bool after_title; /* "TRACE:" was the last line: compressed data may follow */
    struct dj_inflate *packed; /* unpacks the compressed data; owned */
    bool broken; /* the compressed data is damaged: the rest cannot be read */
    struct dj_viewer_data *viewer; /* reads the base64 part of a page; owned */
    struct dj_text_clock clock;
    char *line_buffer; /* buffer for an unescaped line; owned */
    size_t line_buffer_size;
    const struct dj_viewer_reader *viewer_reader; /* set it together with `events` */
};

/* Reads a piece. Returns the sink's code. Damage in compressed text counts as a line that
 * could not be read. */
int dj_ftrace_text_read(struct dj_ftrace_text *text, const char *bytes, size_t length,
                        struct dj_error *err);
/* Returns the summary so far, including a part that has not ended. */
struct dj_text_summary dj_ftrace_text_get_summary(const struct dj_ftrace_text *text);
/* Ends the text. The last line may have no line end. */
int dj_ftrace_text_end(struct dj_ftrace_text *text, struct dj_error *err);
void dj_ftrace_text_finish(struct dj_ftrace_text *text);

#endif
