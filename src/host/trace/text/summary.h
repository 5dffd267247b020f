/* Summarizes a text: what it says about itself, and how well it could be read. */
#ifndef DEJANK_TRACE_TEXT_SUMMARY_H
#define DEJANK_TRACE_TEXT_SUMMARY_H

#include "trace/event.h"

/* The summary of a text, apart from its events. */
struct dj_text_summary {
    uint64_t events;
    uint64_t listed;     /* threads and processes in lists, apart from the events */
    uint64_t unreadable; /* lines or records that could not be read */
    uint64_t first_unreadable_line; /* line of the first one, from 1; 0: none */
    uint64_t entries;   /* number of entries that the text reports; 0: unknown */
    uint64_t written;   /* number of entries that were recorded; the difference is lost */
    bool without_flags; /* the lines do not show what happened in an interrupt */
    char damage[160];   /* place of the first one, if that is not a line of the file; else
                           "" */
};

/* Adds the summary of a part. `place` names the part of the file that contains its lines
 * ("systemTraceEvents"); NULL: the file itself. */
void dj_text_summary_add(struct dj_text_summary *summary,
                         const struct dj_text_summary *part, const char *place);

/* Stores the numbers of a line "# entries-in-buffer/entries-written: 11945/12000 #P:2".
 * Ignores other lines. */
void dj_text_summary_read_entries(struct dj_text_summary *summary, struct dj_str line);

/* Zero it before use. */
struct dj_text_clock {
    bool of_kernel; /* a line "# tracer:" was read: the kernel itself wrote the text */
    bool is_known;
};

/* Returns true if the comment names the clock ("# clock_type=", "# clock: "). Then it
 * reports the clock to the sink and sets *code to the sink's code. */
bool dj_text_clock_read_line(struct dj_text_clock *clock, struct dj_str line,
                             struct dj_event_sink sink, int *code);

/* Handles a stamp that is a whole number. The kernel writes seconds for clocks that count
 * nanoseconds and ticks for others, but never names the clock. Returns the sink's code.
 */
int dj_text_clock_report_ticks(struct dj_text_clock *clock, struct dj_event_sink sink);

#endif
