/*
 * Reads a trace in a text format. The caller passes the text in pieces. The first bytes
 * determine the format. It is either the kernel's text or a page of systrace (struct
 * dj_ftrace_text), or JSON (struct dj_chrome_reader).
 */
#ifndef DEJANK_TRACE_TEXT_INPUT_H
#define DEJANK_TRACE_TEXT_INPUT_H

#include "trace/chrome/read.h"

enum { DJ_TEXT_INPUT_HEAD = 256 };

/* The state of a reader. Zero the struct and set `sink` and `events`. */
struct dj_text_input {
    struct dj_event_sink sink;
    /* Receives the events of JSON. The sink of *events must be the same as `sink`. */
    struct dj_chrome_events *events;
    /* True if the text is a part of another format, as in struct dj_ftrace_text. */
    bool part;
    /* The following members are private. */
    bool begun;
    char head[DJ_TEXT_INPUT_HEAD];
    size_t head_length;
    struct dj_chrome_reader *json; /* Reader of JSON. Owned by this struct. */
    struct dj_ftrace_text text;
};

/* Read the next piece of the text, end the text, and free the reader, as
 * dj_ftrace_text_read(), dj_ftrace_text_end() and dj_ftrace_text_finish() do. Events of
 * JSON are stored in `events` until dj_chrome_events_flush() is called. */
int dj_text_input_read(struct dj_text_input *input, const char *bytes, size_t length,
                       struct dj_error *err);
int dj_text_input_end(struct dj_text_input *input, struct dj_error *err);
void dj_text_input_finish(struct dj_text_input *input);

/* Returns a summary of everything that was read so far. */
struct dj_text_summary dj_text_input_get_summary(const struct dj_text_input *input);

#endif
