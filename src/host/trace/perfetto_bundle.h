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
    struct dj_words bytes; /* behind the stamp, where that comes first */
};

/* Switches or wake-ups, packed side by side. */
struct dj_pf_packed {
    struct dj_pf_message times, pids, names, third, fourth;
    int64_t next_ns; /* of the clock; meaningless once ended */
    bool ended;
};

struct dj_pf_bundle {
    int32_t cpu;
    bool lost;        /* events of this CPU before it */
    int64_t next_ns;  /* the trace's time of its next event; INT64_MAX: there is none */
    int64_t clock_ns; /* the same of its own clock */
    struct dj_pf_texts *symbols;
    int64_t shift_ns; /* from its clock to the trace's */
    struct dj_pf_message rest;
    struct dj_pf_stamped event;   /* the next one; bytes.at is NULL: there is none */
    struct dj_pf_stamped *sorted; /* where they are out of order; owned; else NULL */
    size_t sorted_count, sorted_at;
    struct dj_pf_packed switches, wakes;
    struct dj_words *names; /* of both; owned */
    size_t name_count;
    uint64_t damaged;
};

/* What a CPU runs, as far as bundles told it in order. */
struct dj_pf_running {
    int32_t tid; /* −1: not known */
    struct dj_words name;
};

/*
 * Opens a bundle of a packet of that sequence. NULL with 0: it holds no event, and no
 * loss; NULL with DJ_E_NO_MEMORY.
 */
struct dj_pf_bundle *dj_pf_bundle_open(struct dj_words bytes, struct dj_pf_clocks *clocks,
                                       const struct dj_pf_sequence *sequence, int *code);
void dj_pf_bundle_close(struct dj_pf_bundle *bundle);

/* Its next event, which there is. `running` is what its CPU does, and is kept up to date;
 * false: the event makes no sense, and is passed over. */
bool dj_pf_bundle_take(struct dj_pf_bundle *bundle, const struct dj_pf_kernel *kernel,
                       struct dj_pf_running *running, struct dj_event *event);

/* The time of the earliest event of a bundle, without opening it; INT64_MAX: none. */
int64_t dj_pf_bundle_earliest(struct dj_words bytes, struct dj_pf_clocks *clocks,
                              uint64_t sequence);

#endif
