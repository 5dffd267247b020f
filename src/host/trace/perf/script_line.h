/*
 * Parses a line of text that 'perf script' prints. A sample is a line with the thread,
 * the time and the event, then a line for each function of its stack, the innermost one
 * first, then an empty line:
 *
 *     my app  4242/4243  [001]   513.032185:    1000000 cpu-clock:ppp:
 *             55d04a7e12ce draw_text+0xe (/usr/bin/my-app)
 *                    2724a [unknown] (/usr/lib/libc.so.6)
 *
 * Which of these fields are printed depends on the recording and on the option -F.
 */
#ifndef DEJANK_TRACE_PERF_SCRIPT_LINE_H
#define DEJANK_TRACE_PERF_SCRIPT_LINE_H

#include <stdbool.h>

#include "base/str.h"

struct dj_perf_head {
    struct dj_str comm; /* Name of the thread, or empty if it is not printed. */
    int32_t tid, pid;   /* Ids of the thread and its process, or −1 if unknown. */
    int32_t cpu;        /* Number of the CPU, or −1 if unknown. */
    int64_t at_ns;
    int64_t period; /* Period of the sample, or 0 if it is not printed. */
    /* Name of the event with its modifiers, or empty if it is not printed. */
    struct dj_str event;
    /* The rest of the line after the event. It contains the fields of a tracepoint, or
     * the only function of a sample without a stack, or it is empty. */
    struct dj_str rest;
    /* The type of a record that is not a sample, for example "PERF_RECORD_LOST", or
     * empty. `rest` is then the text after the type. */
    struct dj_str record;
};

struct dj_perf_frame {
    uint64_t address;
    /* Name of the function without the offset, or empty if unknown. */
    struct dj_str symbol;
    struct dj_str module; /* Path of the file, or empty if unknown. */
    /* True if the function is inlined in the next function. Its file is then that of the
     * next function. */
    bool inlined;
};

/* Parse a line without its line end. Strings point into the line. If the line does not
 * have this form, return false; *head and *frame are then undefined. */
bool dj_perf_script_read_head(struct dj_str line, struct dj_perf_head *head);
bool dj_perf_script_read_frame(struct dj_str line, struct dj_perf_frame *frame);

#endif
