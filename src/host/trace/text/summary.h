/* Summarizes a text: the properties of the trace that the text states, and how much of
 * the text could be read. */
#ifndef DEJANK_TRACE_TEXT_SUMMARY_H
#define DEJANK_TRACE_TEXT_SUMMARY_H

#include "trace/event.h"

/* The properties of a whole text. */
struct dj_text_summary {
    uint64_t events;
    uint64_t samples;    /* Number of sampled call stacks. */
    uint64_t listed;     /* Number of threads and processes in the lists of the text. */
    uint64_t unreadable; /* Number of lines or records that could not be read. */
    /* Number of the first line that could not be read. The first line of a file has the
     * number 1. 0 if all lines could be read. */
    uint64_t first_unreadable_line;
    /* Number of entries in the kernel's buffer, as the text states it, or 0 if unknown.
     */
    uint64_t entries;
    /* Number of entries that were recorded. If it is larger than `entries`, the other
     * entries are lost. */
    uint64_t written;
    bool without_flags; /* True if the lines contain no interrupt flags. */
    /* If the first damage is not in a line of the file, its position. Otherwise "". */
    char damage[160];
};

/* Adds the summary of a part of the file. If the line numbers are not those of the file,
 * `place` is the name of the part, for example "systemTraceEvents". Otherwise `place` is
 * NULL. */
void dj_text_summary_add(struct dj_text_summary *summary,
                         const struct dj_text_summary *part, const char *place);

/* Reads a line such as "# entries-in-buffer/entries-written: 11945/12000 #P:2". Ignores
 * other lines. */
void dj_text_summary_read_entries(struct dj_text_summary *summary, struct dj_str line);

/* What is known about the clock of a text. Zero the struct before use. */
struct dj_text_clock {
    /* True if a line "# tracer:" was read. Such a text comes directly from the kernel. */
    bool of_kernel;
    bool is_known;
};

/* Reports the clock to the sink if the line is a comment that names the clock, such as
 * "# clock: mono". In this case sets *code to the sink's result, and returns true. */
bool dj_text_clock_read_line(struct dj_text_clock *clock, struct dj_str line,
                             struct dj_event_sink sink, int *code);

/* Reports to the sink that times are ticks. Call this function after a time that is a
 * whole number. The kernel prints seconds for clocks that count nanoseconds, and a whole
 * number of ticks for other clocks, but does not name the clock. Returns 0 or the sink's
 * result. */
int dj_text_clock_report_ticks(struct dj_text_clock *clock, struct dj_event_sink sink);

#endif
