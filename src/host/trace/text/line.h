/*
 * Parses one line of the kernel's trace text, in every layout that kernels and trace-cmd
 * have written.
 */
#ifndef DEJANK_TRACE_TEXT_LINE_H
#define DEJANK_TRACE_TEXT_LINE_H

#include "trace/event.h"

enum dj_text_line {
    DJ_LINE_EVENT,
    DJ_LINE_COUNTED, /* an event with a whole number as stamp: nanoseconds in reports of
                        trace-cmd, ticks in text of the kernel, which writes seconds for
                        other clocks */
    DJ_LINE_LOST,  /* "CPU 2 buffer started", "[LOST 13 EVENTS]": becomes DJ_EVENT_LOST */
    DJ_LINE_NOISE, /* a comment or an empty line */
    DJ_LINE_STRANGE /* anything else */
};

/* Value of `interrupted` for an event from a line without flags: unknown. */
enum { DJ_LINE_WITHOUT_FLAGS = 2 };

/* Parses a line without its line end. Fills in kind and fields of known events and
 * markers. Other events become DJ_EVENT_OTHER with the event's name. The event points
 * into the line. */
enum dj_text_line dj_text_line_read(struct dj_str line, struct dj_event *event);

/* ---- the text before the event's name: thread, CPU, time ---- */

struct dj_line_head {
    size_t length; /* in bytes; the event's name follows */
    bool counted;  /* its stamp is a whole number */
};

/* Sets task, tid, pid, cpu, at_ns and interrupted; texts point into the line. Returns
 * false and changes nothing if the line does not begin like a line of a trace. */
bool dj_line_head_read(struct dj_str line, struct dj_line_head *head,
                       struct dj_event *event);

/* ---- the text after the event's name: "comm=weston pid=15596 prio=120"
 * ---- */

/* Fills the event with the name event->name from the text of its fields. The event stays
 * DJ_EVENT_OTHER if it is unknown or lacks its essential fields. */
void dj_line_fields_read(struct dj_str text, struct dj_event *event);

#endif
