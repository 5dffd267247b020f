/*
 * Reads a trace in a text format that the caller passes in pieces. The first bytes
 * determine the format: the kernel's text or a page of systrace (struct
 * dj_ftrace_text), or JSON (struct dj_chrome_reader).
 */
#ifndef DEJANK_TRACE_TEXT_INPUT_H
#define DEJANK_TRACE_TEXT_INPUT_H

#include "trace/chrome/read.h"

enum { DJ_TEXT_INPUT_HEAD = 256 };

/* Zero it and set the first two members. */
struct dj_text_input {
    struct dj_event_sink sink;
    /* Storage for the events of JSON. Its sink must be equal to `sink`. */
    struct dj_chrome_events *events;
    bool part; /* As in struct dj_ftrace_text. */
    /* The following members are private. */
    bool begun;
    char head[DJ_TEXT_INPUT_HEAD];
    size_t head_length;
    struct dj_chrome_reader *json; /* Owned. */
    struct dj_ftrace_text text;
};

/* These functions work like those of struct dj_ftrace_text. Events of JSON stay in
 * `events` until dj_chrome_events_flush(). */
int dj_text_input_read(struct dj_text_input *input, const char *bytes, size_t length,
                       struct dj_error *err);
int dj_text_input_end(struct dj_text_input *input, struct dj_error *err);
void dj_text_input_finish(struct dj_text_input *input);

/* Returns a summary of everything that was read so far. */
struct dj_text_summary dj_text_input_get_summary(const struct dj_text_input *input);

#endif
