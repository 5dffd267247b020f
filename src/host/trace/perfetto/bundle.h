/*
 * Reads a bundle of one CPU's kernel events, one by one in order of time. A bundle
 * contains whole events, and switches and wakeups in packed arrays.
 */
#ifndef DEJANK_TRACE_PERFETTO_BUNDLE_H
#define DEJANK_TRACE_PERFETTO_BUNDLE_H

#include "trace/perfetto/clocks.h"
#include "trace/perfetto/ftrace_event.h"
#include "trace/perfetto/sequence.h"

/* An event with only its stamp read so far. */
struct dj_perfetto_stamped {
    int64_t at_ns;
    struct dj_str bytes; /* without the stamp, if that comes first */
};

enum { DJ_PF_AHEAD = 64 };

/* Numbers that are read ahead from packed arrays: a batch needs fewer steps than one
 * number of each array at a time. */
struct dj_perfetto_ahead {
    size_t at;                       /* index of the next ones */
    uint64_t times[DJ_PF_AHEAD + 1]; /* of the bundle's clock; INT64_MAX ends the list */
    uint64_t pids[DJ_PF_AHEAD], names[DJ_PF_AHEAD];
    uint64_t third[DJ_PF_AHEAD], fourth[DJ_PF_AHEAD];
};

/* Switches or wakeups in packed arrays. */
struct dj_perfetto_packed {
    struct dj_proto_message times, pids, names, third, fourth; /* the unread rest */
    int64_t next_ns;                 /* of the bundle's clock; INT64_MAX: no more */
    int64_t last_ns;                 /* time of the last stamp that was read */
    struct dj_perfetto_ahead *ahead; /* owned; NULL before the first read */
};

/* The packed arrays of a bundle, and the names that both kinds use. */
struct dj_perfetto_compact {
    struct dj_perfetto_packed switches, wakes;
    struct dj_str *names; /* owned */
    size_t name_count;
};

/* Many bundles are open at once, and few have packed arrays, so these are separate. */
struct dj_perfetto_bundle {
    int32_t cpu;
    bool lost;        /* events of this CPU before the bundle are lost */
    int64_t next_ns;  /* time of the next event in the trace's clock; INT64_MAX: none */
    int64_t clock_ns; /* the same in the bundle's clock */
    struct dj_perfetto_texts *symbols;
    int64_t shift_ns; /* from the bundle's clock to the trace's */
    struct dj_proto_message rest;
    struct dj_perfetto_stamped event; /* the next whole event; bytes.at is NULL: none */
    /* the events, if the bundle has them out of order; owned; else NULL */
    struct dj_perfetto_stamped *sorted;
    size_t sorted_count, sorted_at;
    struct dj_perfetto_compact *compact; /* NULL: no packed arrays; owned */
    uint64_t damaged;
    struct dj_perfetto_bundle *spare; /* next element of the list of unused bundles */
};

/* What a CPU runs, as far as the bundles read so far show. */
struct dj_perfetto_running {
    int32_t tid; /* −1 unknown */
    struct dj_str name;
};

/* Opens the bundle of a packet of that sequence. *bundle must be zeroed. Afterwards
 * next_ns shows whether it contains an event. `plain` is the result of
 * dj_perfetto_bundle_find_earliest(). */
void dj_perfetto_bundle_open(struct dj_perfetto_bundle *bundle, struct dj_str bytes,
                             bool plain, struct dj_perfetto_clocks *clocks,
                             const struct dj_perfetto_sequence *sequence);
void dj_perfetto_bundle_finish(struct dj_perfetto_bundle *bundle); /* it may be zeroed */

/* Prepares the bundle for its first event. Many bundles are open at once, but few are
 * being read, so memory that only these need is allocated here. */
void dj_perfetto_bundle_start(struct dj_perfetto_bundle *bundle);

/* Reads the next event, which must exist, after dj_perfetto_bundle_start(). Uses and
 * updates `running`, the state of its CPU. Returns false if the event is invalid; then it
 * is skipped. */
bool dj_perfetto_bundle_read_event(struct dj_perfetto_bundle *bundle,
                                   const struct dj_perfetto_event_table *kernel,
                                   struct dj_perfetto_running *running,
                                   struct dj_event *event);

/* Returns the time of the earliest event of a bundle without opening it; INT64_MAX: none.
 * Sets *plain if the bundle contains only whole events, in order, after all other fields.
 */
int64_t dj_perfetto_bundle_find_earliest(struct dj_str bytes,
                                         struct dj_perfetto_clocks *clocks,
                                         uint64_t sequence, bool *plain);

/* ---- switches and wakeups in packed arrays ---- */

/* Opens both arrays. *damaged counts invalid fields. */
struct dj_perfetto_compact *dj_perfetto_compact_open(struct dj_str bytes,
                                                     uint64_t *damaged);
void dj_perfetto_compact_close(
    struct dj_perfetto_compact *compact); /* frees it; NULL is allowed */

/* Reads the first numbers of both arrays ahead. Call it once. */
void dj_perfetto_compact_start(struct dj_perfetto_compact *compact);
/* Reads the next numbers ahead, after all earlier ones were used. */
void dj_perfetto_compact_read_ahead(struct dj_perfetto_packed *packed);

/* Returns the first time of a packed array; INT64_MAX: none. */
int64_t dj_perfetto_compact_get_first_time(struct dj_proto_message times);

/* Returns the earlier one of that time and the time of the next packed event. */
static inline int64_t
dj_perfetto_compact_get_earlier_time(const struct dj_perfetto_compact *compact,
                                     int64_t at_ns)
{
    at_ns = compact->wakes.next_ns < at_ns ? compact->wakes.next_ns : at_ns;
    return compact->switches.next_ns < at_ns ? compact->switches.next_ns : at_ns;
}

/* Converts the next packed event, which has that time, to an event. A wakeup comes before
 * a switch. The thread that runs on the CPU is the previous thread of a switch, and the
 * waker of a wakeup. */
static inline void
dj_perfetto_compact_read_event(struct dj_perfetto_compact *compact, int64_t clock_ns,
                               const struct dj_perfetto_running *running,
                               struct dj_event *event)
{
    bool wakes = compact->wakes.next_ns == clock_ns;
    struct dj_perfetto_packed *packed = wakes ? &compact->wakes : &compact->switches;
    struct dj_perfetto_ahead *ahead = packed->ahead;
    size_t at = ahead->at++;
    uint64_t name = ahead->names[at];
    event->tid = running->tid;
    event->task = running->name;
    event->other = (int32_t)ahead->pids[at];
    event->other_name =
        name < compact->name_count ? compact->names[name] : (struct dj_str){"", 0};
    if (wakes) {
        event->kind = DJ_EVENT_WAKING;
        event->value = (int64_t)ahead->third[at];
        event->interrupted = dj_perfetto_ftrace_event_is_interrupted(ahead->fourth[at]);
    } else {
        event->kind = DJ_EVENT_SWITCH;
        event->state = (uint8_t)dj_event_decode_task_state((int64_t)ahead->third[at]);
    }
    packed->next_ns = (int64_t)ahead->times[at + 1];
    if (at + 1 == DJ_PF_AHEAD) {
        dj_perfetto_compact_read_ahead(packed);
    }
}

#endif
