/* What a text says of itself, and how it was read. Of this room only. */
#ifndef DEJANK_TRACE_TEXT_TOLD_H
#define DEJANK_TRACE_TEXT_TOLD_H

#include "trace/event.h"

/* What a text was like, beside its events. */
struct dj_trace_told {
    uint64_t events;
    uint64_t listed;        /* threads and processes, beside the events */
    uint64_t strange;       /* lines, or records, that could not be read */
    uint64_t first_strange; /* the line of the first one, from 1; 0: there is none */
    uint64_t entries;       /* that the text says it has; 0: it does not say */
    uint64_t written;       /* that were recorded: more are lost */
    bool without_flags;     /* lines do not say what happened in an interrupt */
    char damage[160]; /* where the first one is, if that is no line of the file's: "" */
};

/* Adds what a part told; `place` is where in the file its lines are
 * ("systemTraceEvents").
 */
void dj_trace_told_add(struct dj_trace_told *told, const struct dj_trace_told *part,
                       const char *place);

/* Takes "# entries-in-buffer/entries-written: 11945/12000   #P:2" in, if it is that. */
void dj_trace_told_entries(struct dj_trace_told *told, struct dj_str line);

/* Zero it. */
struct dj_text_clock {
    bool of_kernel; /* "# tracer:" was seen: the kernel wrote it itself */
    bool told;
};

/* Takes a comment in, if it tells of the clock ("# clock_type=", "# clock: "): true, and
 * *code is what the sink answered to its DJ_EVENT_CLOCK. */
bool dj_text_clock_line(struct dj_text_clock *clock, struct dj_str line,
                        struct dj_event_sink sink, int *code);

/* A stamp is a whole number: the kernel writes seconds of clocks that count nanoseconds,
 * and of others their ticks, but never which clock it is. What the sink answered. */
int dj_text_clock_counted(struct dj_text_clock *clock, struct dj_event_sink sink);

#endif
