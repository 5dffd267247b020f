/* The kernel's trace as text: of tracefs, atrace and trace-cmd, plain or within the HTML
 * of systrace. Of this room only. */
#ifndef DEJANK_TRACE_FTRACE_TEXT_H
#define DEJANK_TRACE_FTRACE_TEXT_H

#include "trace/inflate.h"
#include "trace/process_dump.h"
#include "trace/text_told.h"
#include "trace/told_interrupts.h"

struct dj_chrome_events;
struct dj_viewer_data;

/* Reads a text in pieces of any size. Zero it but for the sink. */
struct dj_ftrace_text {
    struct dj_event_sink sink;
    bool part; /* it is what something else has within: maybe a list of processes, or of
                  something else */
    struct dj_chrome_events *events; /* for Chrome's JSON in a page; NULL: none is read */
    struct dj_trace_told told;
    uint8_t place; /* of ftrace_text.c's */
    uint64_t line; /* that was read last */
    char *rest;    /* a line that has not ended yet; owned */
    size_t rest_length, rest_capacity;
    struct dj_process_dump dump;
    struct dj_told_interrupts *interrupts; /* of lines without flags; owned */
    bool too_long;    /* the line that has not ended is passed over */
    bool after_title; /* "TRACE:" was the last line: the rest may be compressed */
    struct dj_inflate *packed;     /* it is; owned */
    bool broken;                   /* … and damaged: what is left cannot be read */
    struct dj_viewer_data *viewer; /* a page's part in base64; owned */
    struct dj_text_clock clock;
    char *room; /* for a line within a string; owned */
    size_t room_size;
};

/* What the sink answered. Damage in text that is compressed within counts as strange. */
int dj_ftrace_text_take(struct dj_ftrace_text *text, const char *bytes, size_t length,
                        struct dj_error *err);
/* What it told up to now: `told`, and what a part of it does that has not ended. */
struct dj_trace_told dj_ftrace_text_told(const struct dj_ftrace_text *text);
/* The last line may have no end. */
int dj_ftrace_text_end(struct dj_ftrace_text *text, struct dj_error *err);
void dj_ftrace_text_finish(struct dj_ftrace_text *text);

#endif
