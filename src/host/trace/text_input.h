/* What tells a trace as text, in pieces: the kernel's text or a page of systrace
 * (ftrace_text.h), or JSON (chrome_read.h). Its first bytes say which. Of this room only.
 */
#ifndef DEJANK_TRACE_TEXT_INPUT_H
#define DEJANK_TRACE_TEXT_INPUT_H

#include "trace/chrome_read.h"

enum { DJ_TEXT_INPUT_HEAD = 256 };

/* Zero it but for the first two. */
struct dj_text_input {
    struct dj_event_sink sink;
    struct dj_chrome_events *events; /* what they are kept in that JSON tells; its sink is
                                        the same */
    bool part;                       /* as that of struct dj_ftrace_text */
    /* Of text_input.c alone. */
    bool begun;
    char head[DJ_TEXT_INPUT_HEAD];
    size_t head_length;
    struct dj_chrome_read *json; /* owned */
    struct dj_ftrace_text text;
};

/* As those of ftrace_text.h. Events of JSON stay in `events` also after the end. */
int dj_text_input_take(struct dj_text_input *input, const char *bytes, size_t length,
                       struct dj_error *err);
int dj_text_input_end(struct dj_text_input *input, struct dj_error *err);
void dj_text_input_finish(struct dj_text_input *input);

/* What it told up to now. */
struct dj_trace_told dj_text_input_told(const struct dj_text_input *input);

#endif
