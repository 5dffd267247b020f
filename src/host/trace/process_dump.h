/* Lists of processes and threads that stand beside a trace: in pages of systrace, as ps
 * printed them, and as names below /proc. Of this room only. */
#ifndef DEJANK_TRACE_PROCESS_DUMP_H
#define DEJANK_TRACE_PROCESS_DUMP_H

#include "trace/event.h"

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

#endif
