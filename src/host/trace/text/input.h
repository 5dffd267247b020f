/*
 * Reads a trace in text form, in pieces: the kernel's text or a page of systrace
 * (dj_ftrace_text), or JSON (dj_chrome_reader). The first bytes show which.
 */
#ifndef DEJANK_TRACE_TEXT_INPUT_H
#define DEJANK_TRACE_TEXT_INPUT_H

#include "trace/chrome/read.h"

enum { DJ_TEXT_INPUT_HEAD = 256 };

/* Zero it and set the first two members. */
struct dj_text_input {
    struct dj_event_sink sink;
    struct dj_chrome_events *events; /* store for the events of JSON; has the same sink */
    bool part;                       /* as in struct dj_ftrace_text */
    /* The rest is private. */
    bool begun;
    char head[DJ_TEXT_INPUT_HEAD];
    size_t head_length;
    struct dj_chrome_reader *json; /* owned */
    struct dj_ftrace_text text;
};

/* As the functions of struct dj_ftrace_text. Events of JSON stay in `events`, also after
 * the end.
 */
int dj_text_input_read(struct dj_text_input *input, const char *bytes, size_t length,
                       struct dj_error *err);
int dj_text_input_end(struct dj_text_input *input, struct dj_error *err);
void dj_text_input_finish(struct dj_text_input *input);

/* Returns the summary of the text so far. */
struct dj_text_summary dj_text_input_get_summary(const struct dj_text_input *input);

#endif
