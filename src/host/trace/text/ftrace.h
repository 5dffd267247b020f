/*
 * Reads the kernel's trace in text form, which tracefs, atrace and trace-cmd write, and
 * text of 'perf script'. The text may be inside an HTML page of systrace.
 */
#ifndef DEJANK_TRACE_TEXT_FTRACE_H
#define DEJANK_TRACE_TEXT_FTRACE_H

#include "trace/event.h"
#include "trace/perf/script.h"
#include "trace/text/inflate.h"
#include "trace/text/summary.h"

struct dj_interrupt_finder;

/* Creates a finder. The caller frees it with free(). */
struct dj_interrupt_finder *dj_interrupt_finder_create(void);

/* Sets event->interrupted to 1 if the event happened in an interrupt, and to 0 otherwise.
 * This is concluded from earlier events, so pass all events of a text in their order.
 * Does nothing if `finder` is NULL. */
void dj_interrupt_finder_mark_event(struct dj_interrupt_finder *finder,
                                    struct dj_event *event);

/* The list of processes that is currently read. In a zeroed struct, no list has started.
 */
struct dj_process_list {
    uint8_t list; /* Kind of the current list. Private. */
    /* Index of the column that contains the process's name. The first column has the
     * index 0. */
    uint8_t name_column;
    /* True if the name is one word. This is so if further columns follow the name. */
    bool name_is_one_word;
    /* True if the header names no column for the state of a process. The rows may contain
     * a state nevertheless. */
    bool has_no_state_column;
};

/* Reads a line. If it belongs to a list of processes, sets *known to true and passes its
 * thread or process to the sink as a DJ_EVENT_THREAD. Returns 0 or the sink's result. */
int dj_process_list_read_line(struct dj_process_list *dump, struct dj_str line,
                              struct dj_event_sink sink, bool *known);

struct dj_chrome_events;
struct dj_viewer_data;

/* Functions that read the viewer data of a page. Viewer data is a trace in base64. The
 * trace can have any text format. text/input.c contains the functions. */
struct dj_viewer_reader {
    struct dj_viewer_data *(*create)(struct dj_chrome_events *events);
    void (*destroy)(struct dj_viewer_data *data);
    /* Reads base64 characters. Line ends are ignored. Returns the same values as
     * dj_ftrace_text_read(). */
    int (*read)(struct dj_viewer_data *data, const char *bytes, size_t length,
                struct dj_error *err);
    int (*end)(struct dj_viewer_data *data, struct dj_error *err);
    struct dj_text_summary (*summary)(const struct dj_viewer_data *data);
};

/* Reads a text. The caller passes the text in pieces of any size. Zero the struct and set
 * `sink`. */
struct dj_ftrace_text {
    struct dj_event_sink sink;
    /* True if the text is a part of another format. It may contain a trace, a list of
     * processes, or other data. */
    bool part;
    /* Receives the events of JSON inside a page. If NULL, JSON is ignored. */
    struct dj_chrome_events *events;
    struct dj_text_summary summary;
    uint8_t place; /* A value of enum place in ftrace.c. Private. */
    uint64_t line; /* Number of the line that was read last. */
    char *rest;    /* Start of a line whose end was not read yet. Owned by this struct. */
    size_t rest_length, rest_capacity;
    struct dj_process_list dump;
    /* Created for the first line without interrupt flags. Owned by this struct. */
    struct dj_interrupt_finder *interrupts;
    bool too_long; /* True if the current line is too long. It is then ignored. */
    /* True if the previous line was "TRACE:". Compressed data may follow this line. */
    bool after_title;
    struct dj_inflate *packed; /* Unpacks the compressed data. Owned by this struct. */
    /* True if the compressed data is damaged. The rest of the text then cannot be read.
     */
    bool broken;
    /* Reads the viewer data of a page. Owned by this struct. */
    struct dj_viewer_data *viewer;
    struct dj_text_clock clock;
    struct dj_perf_script script;
    /* Buffer for a line after its escape sequences were replaced. Owned by this struct.
     */
    char *line_buffer;
    size_t line_buffer_size;
    const struct dj_viewer_reader *viewer_reader; /* Must be set if `events` is set. */
};

/* Reads the next piece of the text. Damaged compressed data is counted as an unreadable
 * line. Returns 0 or the sink's result. */
int dj_ftrace_text_read(struct dj_ftrace_text *text, const char *bytes, size_t length,
                        struct dj_error *err);
/* Returns a summary of everything that was read so far. */
struct dj_text_summary dj_ftrace_text_get_summary(const struct dj_ftrace_text *text);
/* Ends the text. Call this function after the last piece. Reads the last line even if it
 * has no line end. */
int dj_ftrace_text_end(struct dj_ftrace_text *text, struct dj_error *err);
void dj_ftrace_text_finish(struct dj_ftrace_text *text);

#endif
