/* Summarizes a text: what the text says about itself, and how much of it could be read.
 */
#ifndef DEJANK_TRACE_TEXT_SUMMARY_H
#define DEJANK_TRACE_TEXT_SUMMARY_H

#include "trace/event.h"

/* Properties of a text as a whole. */
struct dj_text_summary {
    uint64_t events;
    uint64_t listed;     /* Threads and processes that lists in the text contain. */
    uint64_t unreadable; /* Lines or records that could not be read. */
    /* Number of the first unreadable line, from 1. 0 if there is none. */
    uint64_t first_unreadable_line;
    uint64_t entries; /* Entries in the buffer according to the text, or 0 if unknown. */
    /* Entries that were recorded. The difference to `entries` is lost. */
    uint64_t written;
    bool without_flags; /* The lines contain no interrupt flags. */
    /* Position of the first damage if it is not a line of the file. Otherwise "". */
    char damage[160];
};

/* Adds the summary of a part of the file. `place` is the name of the part, for example
 * "systemTraceEvents", or NULL if the line numbers are those of the file. */
void dj_text_summary_add(struct dj_text_summary *summary,
                         const struct dj_text_summary *part, const char *place);

/* Reads a line such as "# entries-in-buffer/entries-written: 11945/12000 #P:2". Ignores
 * other lines. */
void dj_text_summary_read_entries(struct dj_text_summary *summary, struct dj_str line);

/* Zero it before use. */
struct dj_text_clock {
    /* A line "# tracer:" was read, so the kernel wrote the text itself. */
    bool of_kernel;
    bool is_known;
};

/* Returns true if the comment names the clock ("# clock_type=" or "# clock: "). Then
 * reports the clock to the sink and sets *code to the sink's code. */
bool dj_text_clock_read_line(struct dj_text_clock *clock, struct dj_str line,
                             struct dj_event_sink sink, int *code);

/* Reports that times are ticks, after a time that is a whole number was read. The
 * kernel prints seconds for clocks that count nanoseconds and ticks for other clocks,
 * but does not name the clock. Returns 0 or the sink's code. */
int dj_text_clock_report_ticks(struct dj_text_clock *clock, struct dj_event_sink sink);

#endif
