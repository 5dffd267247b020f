/* The kernel's trace as text: of tracefs, atrace and trace-cmd, plain or within the HTML
 * of systrace. Of this room only. */
#ifndef DEJANK_TRACE_FTRACE_TEXT_H
#define DEJANK_TRACE_FTRACE_TEXT_H

#include "trace/event.h"
#include "trace/inflate.h"
#include "trace/text_told.h"

/* ---- told_interrupts.c: what happened in an interrupt, in text whose lines have no
 * flags ---- */

struct dj_told_interrupts;

/* free() it. */
struct dj_told_interrupts *dj_told_interrupts_create(void);

/* Takes the events of a text in their order, and says of each whether it happened in an
 * interrupt as far as those before it tell: sets `interrupted` to 1 or 0. NULL: says
 * nothing. */
void dj_told_interrupts_take(struct dj_told_interrupts *told, struct dj_event *event);

/* ---- process_dump.c: lists of processes beside a trace ---- */

/* All zero: no list has begun. */
struct dj_process_dump {
    uint8_t list;    /* of process_dump.c's: which one the rows belong to */
    uint8_t name_at; /* the column of a process's name, from 0 */
    bool one_word;   /* … and more columns follow it */
    bool stateless; /* the header names no column of states, of which rows may have one */
};

/* Takes a line in, and tells the sink of its thread or process (DJ_EVENT_THREAD). *known:
 * it is one of these lists' lines. What the sink answered, else 0. */
int dj_process_dump_line(struct dj_process_dump *dump, struct dj_str line,
                         struct dj_event_sink sink, bool *known);

/* ---- ftrace_text.c ---- */

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
