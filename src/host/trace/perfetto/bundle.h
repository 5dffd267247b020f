/*
 * Reads a bundle: a packet with the kernel events of one CPU. Returns its events one by
 * one in order of time. A bundle contains events as single messages ("whole events")
 * and context switches and wakeups in packed arrays.
 */
#ifndef DEJANK_TRACE_PERFETTO_BUNDLE_H
#define DEJANK_TRACE_PERFETTO_BUNDLE_H

#include "trace/perfetto/clocks.h"
#include "trace/perfetto/ftrace_event.h"
#include "trace/perfetto/sequence.h"

/* A whole event. Only its time is decoded, the rest is still encoded. */
struct dj_perfetto_stamped {
    int64_t at_ns;
    /* The encoded event. The time is removed from it if it is the first field. */
    struct dj_str bytes;
};

enum { DJ_PF_AHEAD = 64 };

/* Numbers that were decoded in advance from packed arrays. Decoding many numbers of one
 * array at a time is faster than decoding one number of each array. */
struct dj_perfetto_ahead {
    size_t at; /* Index of the next event in the arrays below. */
    /* Times of the bundle's clock. INT64_MAX marks the end. */
    uint64_t times[DJ_PF_AHEAD + 1];
    uint64_t pids[DJ_PF_AHEAD], names[DJ_PF_AHEAD];
    uint64_t third[DJ_PF_AHEAD], fourth[DJ_PF_AHEAD];
};

/* Context switches or wakeups in packed arrays. */
struct dj_perfetto_packed {
    /* The parts of the arrays that are not decoded yet. */
    struct dj_proto_message times, pids, names, third, fourth;
    /* Next time in ns of the bundle's clock, or INT64_MAX if there are no more events. */
    int64_t next_ns;
    /* Time that was decoded last. The array contains differences between times. */
    int64_t last_ns;
    struct dj_perfetto_ahead *ahead; /* Owned. NULL before the first use. */
};

/* The packed arrays of a bundle, and the thread names that both of them use. */
struct dj_perfetto_compact {
    struct dj_perfetto_packed switches, wakes;
    struct dj_str *names; /* Owned. */
    size_t name_count;
};

/* A bundle that is being read. The packed arrays are stored separately, because many
 * bundles are open at once and few of them have packed arrays. */
struct dj_perfetto_bundle {
    int32_t cpu;
    bool lost; /* Events of this CPU before the bundle are lost. */
    /* Time of the next event in ns of the trace's clock, or INT64_MAX if there is none.
     */
    int64_t next_ns;
    int64_t clock_ns; /* Time of the next event in ns of the bundle's clock. */
    struct dj_perfetto_texts *symbols;
    int64_t shift_ns; /* Offset to add to the bundle's clock to get the trace's clock. */
    struct dj_proto_message rest;
    /* The next whole event. bytes.at is NULL if there is none. */
    struct dj_perfetto_stamped event;
    /* The whole events in order of time, if the bundle contains them in another order.
     * Otherwise NULL. Owned. */
    struct dj_perfetto_stamped *sorted;
    size_t sorted_count, sorted_at;
    /* NULL if the bundle has no packed arrays. Owned. */
    struct dj_perfetto_compact *compact;
    uint64_t damaged;
    struct dj_perfetto_bundle *spare; /* The next element in a list of unused bundles. */
};

/* The thread that a CPU runs, according to the bundles that were read so far. */
struct dj_perfetto_running {
    int32_t tid; /* −1 if unknown. */
    struct dj_str name;
};

/* Opens the bundle of a packet of `sequence`. The caller zeroes *bundle before. If
 * bundle->next_ns is not INT64_MAX afterwards, the bundle contains an event. `plain` is
 * a result of dj_perfetto_bundle_find_earliest(). */
void dj_perfetto_bundle_open(struct dj_perfetto_bundle *bundle, struct dj_str bytes,
                             bool plain, struct dj_perfetto_clocks *clocks,
                             const struct dj_perfetto_sequence *sequence);
/* Does nothing if the bundle is zeroed. */
void dj_perfetto_bundle_finish(struct dj_perfetto_bundle *bundle);

/* Prepares the bundle for its first call of dj_perfetto_bundle_read_event(). Allocates
 * memory that only the bundles that are being read need. Most open bundles are not
 * being read. */
void dj_perfetto_bundle_start(struct dj_perfetto_bundle *bundle);

/* Reads the next event. Call it only if bundle->next_ns is not INT64_MAX, and after
 * dj_perfetto_bundle_start(). *running is the state of the bundle's CPU, and is
 * updated. Returns false if the event is invalid. An invalid event is skipped. */
bool dj_perfetto_bundle_read_event(struct dj_perfetto_bundle *bundle,
                                   const struct dj_perfetto_event_table *kernel,
                                   struct dj_perfetto_running *running,
                                   struct dj_event *event);

/* Returns the time of the earliest event of a bundle without opening the bundle, or
 * INT64_MAX if it contains no event. Sets *plain if the bundle contains only whole
 * events, they are in order of time, and they follow all other fields. */
int64_t dj_perfetto_bundle_find_earliest(struct dj_str bytes,
                                         struct dj_perfetto_clocks *clocks,
                                         uint64_t sequence, bool *plain);

/* ---- switches and wakeups in packed arrays ---- */

/* Opens the packed arrays of switches and wakeups. Adds the number of invalid fields to
 * *damaged. */
struct dj_perfetto_compact *dj_perfetto_compact_open(struct dj_str bytes,
                                                     uint64_t *damaged);
void dj_perfetto_compact_close(
    /* Frees the arrays. Does nothing if `compact` is NULL. */
    struct dj_perfetto_compact *compact);

/* Decodes the first numbers of both arrays. Call it once. */
void dj_perfetto_compact_start(struct dj_perfetto_compact *compact);
/* Decodes the next numbers. Call it after all numbers that were decoded before were
 * used. */
void dj_perfetto_compact_read_ahead(struct dj_perfetto_packed *packed);

/* Returns the first time of a packed array, or INT64_MAX if it is empty. */
int64_t dj_perfetto_compact_get_first_time(struct dj_proto_message times);

/* Returns the time of the next packed event, or at_ns if that is earlier. */
static inline int64_t
dj_perfetto_compact_get_earlier_time(const struct dj_perfetto_compact *compact,
                                     int64_t at_ns)
{
    at_ns = compact->wakes.next_ns < at_ns ? compact->wakes.next_ns : at_ns;
    return compact->switches.next_ns < at_ns ? compact->switches.next_ns : at_ns;
}

/* Converts the next packed event, which must have the time `clock_ns`, to *event. A
 * wakeup comes before a switch with the same time. The running thread is the previous
 * thread of a switch and the waker of a wakeup. */
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
