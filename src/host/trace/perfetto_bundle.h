/*
 * A bundle of one CPU's events of the kernel, while they are read one by one in order of
 * time: whole events, and switches and wake-ups packed side by side. Of this room only.
 */
#ifndef DEJANK_TRACE_PERFETTO_BUNDLE_H
#define DEJANK_TRACE_PERFETTO_BUNDLE_H

#include "trace/perfetto_clocks.h"
#include "trace/perfetto_kernel.h"
#include "trace/perfetto_sequence.h"

/* One of them, not read yet but for its stamp. */
struct dj_pf_stamped {
    int64_t at_ns;
    struct dj_str bytes; /* behind the stamp, where that comes first */
};

enum { DJ_PF_AHEAD = 64 };

/* Numbers of packed arrays, read ahead: fewer steps than one of each in turn. */
struct dj_pf_ahead {
    size_t at;                       /* the next ones */
    uint64_t times[DJ_PF_AHEAD + 1]; /* of the clock; INT64_MAX: there are no more */
    uint64_t pids[DJ_PF_AHEAD], names[DJ_PF_AHEAD];
    uint64_t third[DJ_PF_AHEAD], fourth[DJ_PF_AHEAD];
};

/* Switches or wake-ups, packed side by side. */
struct dj_pf_packed {
    struct dj_proto_message times, pids, names, third, fourth; /* what is not read yet */
    int64_t next_ns;           /* of the clock; INT64_MAX: there are no more */
    int64_t last_ns;           /* as far as times are read */
    struct dj_pf_ahead *ahead; /* owned; NULL: none is read yet */
};

/* What of a bundle is packed so, and the names of both. */
struct dj_pf_compact {
    struct dj_pf_packed switches, wakes;
    struct dj_str *names; /* owned */
    size_t name_count;
};

/* Many are open at once, and few have packed switches: those lie apart. */
struct dj_pf_bundle {
    int32_t cpu;
    bool lost;        /* events of this CPU before it */
    int64_t next_ns;  /* the trace's time of its next event; INT64_MAX: there is none */
    int64_t clock_ns; /* the same of its own clock */
    struct dj_pf_texts *symbols;
    int64_t shift_ns; /* from its clock to the trace's */
    struct dj_proto_message rest;
    struct dj_pf_stamped event;   /* the next one; bytes.at is NULL: there is none */
    struct dj_pf_stamped *sorted; /* where they are out of order; owned; else NULL */
    size_t sorted_count, sorted_at;
    struct dj_pf_compact *compact; /* NULL: it has none; owned */
    uint64_t damaged;
    struct dj_pf_bundle *spare; /* the next one of those that are not open */
};

/* What a CPU runs, as far as bundles told it in order. */
struct dj_pf_running {
    int32_t tid; /* −1: not known */
    struct dj_str name;
};

/*
 * Opens a bundle of a packet of that sequence in a zeroed one; next_ns tells whether it
 * holds an event. `plain` is what dj_pf_bundle_earliest() said of it.
 */
void dj_pf_bundle_open(struct dj_pf_bundle *bundle, struct dj_str bytes, bool plain,
                       struct dj_pf_clocks *clocks,
                       const struct dj_pf_sequence *sequence);
void dj_pf_bundle_finish(struct dj_pf_bundle *bundle); /* it may be zeroed */

/* Its first event is to be taken: many bundles are open at once, few are under way, and
 * what only these need is made here. */
void dj_pf_bundle_begin(struct dj_pf_bundle *bundle);

/* Its next event, which there is; it has begun. `running` is what its CPU does, and is
 * kept up to date; false: the event makes no sense, and is passed over. */
bool dj_pf_bundle_take(struct dj_pf_bundle *bundle, const struct dj_pf_kernel *kernel,
                       struct dj_pf_running *running, struct dj_event *event);

/* The time of the earliest event of a bundle, without opening it; INT64_MAX: none.
 * *plain: it holds whole events alone, in order, and says all else before them. */
int64_t dj_pf_bundle_earliest(struct dj_str bytes, struct dj_pf_clocks *clocks,
                              uint64_t sequence, bool *plain);

/* ---- perfetto_packed.c: switches and wake-ups packed side by side, for
 * perfetto_bundle.c ---- */

/* Opens both; *damaged counts what makes no sense. */
struct dj_pf_compact *dj_pf_packed_open(struct dj_str bytes, uint64_t *damaged);
void dj_pf_packed_close(struct dj_pf_compact *compact); /* frees it; NULL is fine */

/* Reads the first of them ahead, once. */
void dj_pf_packed_begin(struct dj_pf_compact *compact);
/* Reads the next of them ahead, all those before having been taken. */
void dj_pf_packed_read_on(struct dj_pf_packed *packed);

/* The first of packed times; INT64_MAX: there is none. */
int64_t dj_pf_packed_first(struct dj_proto_message times);

/* That time, or that of its next one, if that is earlier. */
static inline int64_t dj_pf_packed_earlier(const struct dj_pf_compact *compact,
                                           int64_t at_ns)
{
    at_ns = compact->wakes.next_ns < at_ns ? compact->wakes.next_ns : at_ns;
    return compact->switches.next_ns < at_ns ? compact->switches.next_ns : at_ns;
}

/* The next switch or wake-up that is at that time as an event, a wake-up before a switch;
 * who was there before, or wakes, is whom the CPU runs. */
static inline void dj_pf_packed_take(struct dj_pf_compact *compact, int64_t clock_ns,
                                     const struct dj_pf_running *running,
                                     struct dj_event *event)
{
    bool wakes = compact->wakes.next_ns == clock_ns;
    struct dj_pf_packed *packed = wakes ? &compact->wakes : &compact->switches;
    struct dj_pf_ahead *ahead = packed->ahead;
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
        event->interrupted = dj_pf_kernel_interrupted(ahead->fourth[at]);
    } else {
        event->kind = DJ_EVENT_SWITCH;
        event->state = (uint8_t)dj_task_state_of_bits((int64_t)ahead->third[at]);
    }
    packed->next_ns = (int64_t)ahead->times[at + 1];
    if (at + 1 == DJ_PF_AHEAD) {
        dj_pf_packed_read_on(packed);
    }
}

#endif
