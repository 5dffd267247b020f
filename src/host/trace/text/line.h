/*
 * Parses one line of the kernel's trace text, in all layouts that kernels and trace-cmd
 * have written.
 */
#ifndef DEJANK_TRACE_TEXT_LINE_H
#define DEJANK_TRACE_TEXT_LINE_H

#include "trace/event.h"

enum dj_text_line {
    DJ_LINE_EVENT,
    /* An event with a whole number as its time. Reports of trace-cmd contain
     * nanoseconds. In text of the kernel the number is a count of ticks, because the
     * kernel prints seconds for clocks that count nanoseconds. */
    DJ_LINE_COUNTED,
    /* A line such as "CPU 2 buffer started" or "[LOST 13 EVENTS]". The event is a
     * DJ_EVENT_LOST. */
    DJ_LINE_LOST,
    DJ_LINE_NOISE,  /* A comment, an empty line, or a line of a stack trace. */
    DJ_LINE_STRANGE /* Any other line. */
};

/* Value of event->interrupted if the line contains no interrupt flags. */
enum { DJ_LINE_WITHOUT_FLAGS = 2 };

/* Parses a line without its line end. Sets the kind and the fields of known events and
 * markers. Other events become DJ_EVENT_OTHER with the event's name. Strings of *event
 * point into the line. */
enum dj_text_line dj_text_line_read(struct dj_str line, struct dj_event *event);

/* ---- the text before the event's name: thread, CPU and time ---- */

struct dj_line_head {
    size_t length; /* Length in bytes. The event's name follows. */
    bool counted;  /* The time is a whole number. */
};

/* Parses the text before the event's name. Sets task, tid, pid, cpu, at_ns and
 * interrupted of *event. Strings point into the line. Returns false and does not change
 * *event if the line does not have the form of a trace line. */
bool dj_line_head_read(struct dj_str line, struct dj_line_head *head,
                       struct dj_event *event);

/* ---- the text after the event's name, for example "comm=weston pid=15596 prio=120"
 * ---- */

/* Parses the fields of an event. event->name must be set. The event stays
 * DJ_EVENT_OTHER if its name is unknown or its important fields are missing. */
void dj_line_fields_read(struct dj_str text, struct dj_event *event);

#endif
