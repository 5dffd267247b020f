/*
 * Parses a line of the kernel's trace text. Accepts the layouts of all versions of the
 * kernel and of trace-cmd.
 */
#ifndef DEJANK_TRACE_TEXT_LINE_H
#define DEJANK_TRACE_TEXT_LINE_H

#include "trace/event.h"

enum dj_text_line {
    DJ_LINE_EVENT,
    /* An event whose time is a whole number. In text of trace-cmd, the number is in
     * nanoseconds. In text of the kernel, it is a count of ticks, because the kernel
     * prints seconds with decimals for clocks that count nanoseconds. */
    DJ_LINE_COUNTED,
    /* A line such as "CPU 2 buffer started" or "[LOST 13 EVENTS]". The event is a
     * DJ_EVENT_LOST. */
    DJ_LINE_LOST,
    /* A line without information: a comment, an empty line, or a line of a stack trace.
     */
    DJ_LINE_NOISE,
    DJ_LINE_STRANGE /* A line in an unknown form. */
};

/* Value of event->interrupted if the line contains no interrupt flags. */
enum { DJ_LINE_WITHOUT_FLAGS = 2 };

/* Parses a line without its line end. For known events and markers, sets the kind and the
 * fields of *event. Other events become DJ_EVENT_OTHER with the name of the event.
 * Strings of *event point into the line. */
enum dj_text_line dj_text_line_read(struct dj_str line, struct dj_event *event);

struct dj_line_head {
    /* Length of the head in bytes. The name of the event follows the head. */
    size_t length;
    bool counted; /* True if the time is a whole number. */
};

/* Parses the text before the name of the event. Sets the members task, tid, pid, cpu,
 * at_ns and interrupted of *event. Strings point into the line. If the line does not have
 * the form of a trace line, returns false and does not change *event. */
bool dj_line_head_read(struct dj_str line, struct dj_line_head *head,
                       struct dj_event *event);

/* Parses the fields of an event, or the text of a marker. Set event->name and
 * event->at_ns before. */
void dj_line_event_read(struct dj_str text, struct dj_event *event);

/* Parses the fields of an event. Set event->name before. The event stays a DJ_EVENT_OTHER
 * if its name is unknown or important fields are missing. */
void dj_line_fields_read(struct dj_str text, struct dj_event *event);

#endif
