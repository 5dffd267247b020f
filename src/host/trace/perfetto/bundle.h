/*
 * Reads a bundle. A bundle is a packet that contains the kernel events of one CPU. Most
 * events are separate messages ("whole events"). Context switches and wakeups may be in
 * packed arrays. The events of the bundle are returned one by one, in order of time.
 */
#ifndef DEJANK_TRACE_PERFETTO_BUNDLE_H
#define DEJANK_TRACE_PERFETTO_BUNDLE_H

#include "trace/perfetto/clocks.h"
#include "trace/perfetto/ftrace_event.h"
#include "trace/perfetto/sequence.h"

/* A whole event. Only its time is decoded. */
struct dj_perfetto_stamped {
    int64_t at_ns;
    /* The encoded event. If the time was its first field, the time is removed. */
    struct dj_str bytes;
};

enum { DJ_PF_AHEAD = 64 };

/* Numbers that were decoded from packed arrays before they are needed. Decoding many
 * numbers of one array together is faster than decoding one number of each array for each
 * event. */
struct dj_perfetto_ahead {
    size_t at; /* Index of the next event in the arrays below. */
    /* Times in the clock of the bundle. INT64_MAX marks the end. */
    uint64_t times[DJ_PF_AHEAD + 1];
    uint64_t pids[DJ_PF_AHEAD], names[DJ_PF_AHEAD];
    uint64_t third[DJ_PF_AHEAD], fourth[DJ_PF_AHEAD];
};

/* The context switches or the wakeups of a bundle, in packed arrays. */
struct dj_perfetto_packed {
    /* The parts of the arrays that were not decoded yet. */
    struct dj_proto_message times, pids, names, third, fourth;
    /* Time of the next event in ns of the bundle's clock, or INT64_MAX if there are no
     * more events. */
    int64_t next_ns;
    /* Time that was decoded last. The array contains the difference of each time to the
     * previous one. */
    int64_t last_ns;
    /* Decoded numbers, or NULL before the first use. Owned by this struct. */
    struct dj_perfetto_ahead *ahead;
};

/* The packed arrays of a bundle, and the names of threads to which they refer. */
struct dj_perfetto_compact {
    struct dj_perfetto_packed switches, wakes;
    struct dj_str *names; /* Names of threads. Owned by this struct. */
    size_t name_count;
};

/* A bundle that is being read. Data about packed arrays is in a separate struct, because
 * many bundles are open at the same time and few of them contain packed arrays. */
struct dj_perfetto_bundle {
    int32_t cpu;
    bool lost; /* True if events of this CPU before the bundle are lost. */
    /* Time of the next event in ns of the trace's clock, or INT64_MAX if there is none.
     */
    int64_t next_ns;
    int64_t clock_ns; /* Time of the next event in ns of the bundle's clock. */
    struct dj_perfetto_texts *symbols;
    int64_t shift_ns; /* Offset from the bundle's clock to the trace's clock. */
    struct dj_proto_message rest;
    /* The next whole event. bytes.at is NULL if there is none. */
    struct dj_perfetto_stamped event;
    /* Whole events in order of time. NULL if the bundle already contains them in this
     * order. Owned by this struct. */
    struct dj_perfetto_stamped *sorted;
    size_t sorted_count, sorted_at;
    /* Packed arrays, or NULL if the bundle has none. Owned by this struct. */
    struct dj_perfetto_compact *compact;
    uint64_t damaged;
    struct dj_perfetto_bundle *spare; /* Next bundle in the list of unused bundles. */
};

/* The thread that runs on a CPU, according to the events that were read so far. */
struct dj_perfetto_running {
    int32_t tid; /* Id of the thread, or −1 if unknown. */
    struct dj_str name;
};

/* Opens a bundle. `bytes` is the encoded bundle, and `sequence` is the sequence of its
 * packet. Zero *bundle before. After the call, bundle->next_ns is INT64_MAX if the bundle
 * contains no event. `plain` is the value that dj_perfetto_bundle_find_earliest() has
 * returned for this bundle. */
void dj_perfetto_bundle_open(struct dj_perfetto_bundle *bundle, struct dj_str bytes,
                             bool plain, struct dj_perfetto_clocks *clocks,
                             const struct dj_perfetto_sequence *sequence);
/* Frees the memory of a bundle. Does nothing if the bundle is zeroed. */
void dj_perfetto_bundle_finish(struct dj_perfetto_bundle *bundle);

/* Allocates memory that is needed only while the events of the bundle are read. Call this
 * function before the first call of dj_perfetto_bundle_read_event(). Most open bundles
 * only wait until their events are needed. */
void dj_perfetto_bundle_start(struct dj_perfetto_bundle *bundle);

/* Reads the next event. Call this function only after dj_perfetto_bundle_start(), and
 * only if bundle->next_ns is not INT64_MAX. *running is the thread that runs on the
 * bundle's CPU. The function updates it. Skips the event and returns false if the event
 * is invalid. */
bool dj_perfetto_bundle_read_event(struct dj_perfetto_bundle *bundle,
                                   const struct dj_perfetto_event_table *kernel,
                                   struct dj_perfetto_running *running,
                                   struct dj_event *event);

/* Returns the time of the earliest event of a bundle, or INT64_MAX if the bundle contains
 * no event. The bundle need not be open. Sets *plain to true if the bundle contains only
 * whole events in order of time, and its other fields precede them. */
int64_t dj_perfetto_bundle_find_earliest(struct dj_str bytes,
                                         struct dj_perfetto_clocks *clocks,
                                         uint64_t sequence, bool *plain);

/* Opens the packed arrays of switches and wakeups. Adds the number of invalid fields to
 * *damaged. Free the result with dj_perfetto_compact_close(). */
struct dj_perfetto_compact *dj_perfetto_compact_open(struct dj_str bytes,
                                                     uint64_t *damaged);
void dj_perfetto_compact_close(
    /* Frees the arrays. Does nothing if `compact` is NULL. */
    struct dj_perfetto_compact *compact);

/* Decodes the first numbers of all packed arrays. Call this function once. */
void dj_perfetto_compact_start(struct dj_perfetto_compact *compact);
/* Decodes the next numbers. Call this function after all numbers that were decoded before
 * have been used. */
void dj_perfetto_compact_read_ahead(struct dj_perfetto_packed *packed);

/* Returns the first time in a packed array of times, or INT64_MAX if the array is empty.
 */
int64_t dj_perfetto_compact_get_first_time(struct dj_proto_message times);

/* Returns the smaller one of at_ns and the time of the next packed event. */
static inline int64_t
dj_perfetto_compact_get_earlier_time(const struct dj_perfetto_compact *compact,
                                     int64_t at_ns)
{
    at_ns = compact->wakes.next_ns < at_ns ? compact->wakes.next_ns : at_ns;
    return compact->switches.next_ns < at_ns ? compact->switches.next_ns : at_ns;
}

/* Converts the next packed event to *event. Its time is `clock_ns`. A wakeup precedes a
 * switch with the same time. *running is the thread that runs before this event. This
 * thread leaves the CPU if the event is a switch. It is the waker if the event is a
 * wakeup. */
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
