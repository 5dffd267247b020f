/*
 * What made the frames of one or more traces late, and what would have been saved without
 * it: traces are added one by one (each may be gone afterwards), then weighed together.
 * docs/format/triage.md says how.
 */
#ifndef DEJANK_TRIAGE_TRIAGE_H
#define DEJANK_TRIAGE_TRIAGE_H

#include "base/error.h"
#include "base/text.h"
#include "trace/trace.h"
#include "triage/kinds.h"
#include "triage/rows.h"

struct dj_triage;

struct dj_triage_rules {
    const char *frames; /* which slices are frames (*, ?); NULL: what the trace tells */
    const struct dj_triage_rows *rows; /* the frames, instead; NULL: not these */
    int64_t budget_ns; /* of a frame; 0: its deadline, the display's refresh period, or
                          1/60 s */
};

enum {
    DJ_TRIAGE_STACK = 8,    /* sections shown around a piece of evidence */
    DJ_TRIAGE_EVIDENCE = 3, /* pieces of it for each cause */
    DJ_TRIAGE_WORST = 5     /* frames that are kept whole */
};

/* Names in what follows live as long as the struct dj_triage; "" is none. */

struct dj_triage_evidence {
    const char *frame;
    const char *trace; /* what it was added as */
    int64_t frame_start_ns;
    int64_t start_ns, end_ns; /* the longest piece of this cause in that frame */
    int64_t ns;               /* all of this cause in that frame */
    int64_t late_ns;          /* of that frame */
    const char *thread, *waker, *holder;
    uint32_t tid, waker_tid, holder_tid; /* 0: none known */
    bool interrupted;                    /* an interrupt ended it */
    bool untold;                         /* a sleep, or a wait: nothing tells for what */
    const char *holder_section;
    const char *holder_process; /* where that is another one than tid's */
    const char *asked; /* of binder: who was asked, and maybe asked the holder in turn */
    uint32_t asked_tid;
    int32_t cpu;       /* of frequency: where it ran, −1 unknown, and at what speed, */
    int64_t khz;       /* … */
    int64_t ought_khz; /* … held against which one */
    bool limited;      /* … since a limit held it below that */
    int64_t core_khz; /* … since that core never has more than this, and another one has
                         highest_khz; both 0: not so */
    int64_t highest_khz;
    bool came_late;     /* of gpu and display: the frame was late already when it came */
    const char *detail; /* the kernel's function, a device, an interrupt's handler */
    const char *stack[DJ_TRIAGE_STACK]; /* sections around it, innermost first */
    size_t stack_count;
};

struct dj_triage_cause {
    enum dj_cause_kind kind;
    const char *name;   /* innermost section, or the thread where it has none */
    const char *thread; /* whose time it was */
    const char *holder; /* who kept it: lock holder, peer, who ran on its core */
    bool foreign;       /* what other programs did to it by running, too */
    bool machine;       /* … and what this machine does now and then to all */
    size_t frames;      /* late ones that it is part of */
    int64_t ns;         /* its time in them */
    int64_t usual_ns;   /* of own work: what a frame in time takes of it */
    int64_t clock_ns; /* … and how long of `ns` it was off its core, which counts as work
                         since it lasts until a time */
    int64_t along_ns; /* time without a core that would go with it, beside `ns` */
    size_t saved_frames;
    int64_t saved_ns;
    /* What those did who were waited for, in the frames above. */
    int64_t holder_ran_ns, holder_ready_ns, holder_io_ns, holder_slept_ns;
    int64_t holder_unknown_ns; /* a switch is missing */
    struct dj_triage_evidence evidence[DJ_TRIAGE_EVIDENCE];
    size_t evidence_count;
    /* Of triage's own. */
    size_t rank_was, rank_frames, ruled_frames, pieces, requests;
    int64_t rank_ns;
    bool behind;
};

struct dj_triage_part {
    int64_t start_ns, end_ns;
    size_t cause; /* in the result's causes, or its machine's behind those; SIZE_MAX:
                     unexplained, or of no weight */
    enum dj_cause_kind kind;
    const char *name, *thread;
};

struct dj_triage_worst {
    const char *frame, *trace, *thread;
    int64_t start_ns, end_ns, deadline_ns;
    struct dj_triage_part *parts; /* by time, [start_ns, end_ns) without gaps */
    size_t part_count;
};

/* Something that these traces cannot show. */
struct dj_triage_limit {
    char text[240];
};

/* The display's refresh rate from then on, as the trace of that name shows it. */
struct dj_triage_shown_rate {
    const char *trace, *source; /* source: a counter, or "FrameTimeline" */
    int64_t from_ns, period_ns;
};

struct dj_triage_result {
    const char *frames_from; /* "slices"… */
    const char *budget_from; /* "option", "deadlines": each frame's own, "assumed": 1/60
                                s, "several" of these; else what shows the display's
                                refresh rate: a counter's name, or "FrameTimeline" */
    size_t frames, janky, incomplete;
    bool against_base; /* what is saved is so as in the base, not without the cause */
    int64_t late_ns, budget_ns;     /* how late all were; 0: each its own */
    struct dj_triage_cause *causes; /* by rank; owned by the struct dj_triage */
    size_t cause_count;
    struct dj_triage_cause *machine; /* the machine's own noise, apart */
    size_t machine_count;
    int64_t unexplained_ns; /* in janky frames */
    struct dj_triage_worst *worst;
    size_t worst_count;
    struct dj_triage_limit *limits;
    size_t limit_count;
    struct dj_triage_shown_rate *rates; /* that budgets follow, by trace, then time */
    size_t rate_count;
};

/* The rules' text must outlive it. */
struct dj_triage *dj_triage_create(const struct dj_triage_rules *rules);
void dj_triage_destroy(struct dj_triage *triage); /* NULL is fine */

/* Takes the frames of a trace; read it with keep_marks set. `name` says which it is in
 * evidence. DJ_E_NO_DATA where it has no frames (the others stay). */
int dj_triage_add(struct dj_triage *triage, const struct dj_trace *trace,
                  const char *name, struct dj_error *err);

/* The same for traces that are held against: what their frames took is usual, whether
 * they were in time or not. */
int dj_triage_add_base(struct dj_triage *triage, const struct dj_trace *trace,
                       struct dj_error *err);

/* Weighs all that was added; once, after the last. *result lives as long as the struct
 * dj_triage. DJ_E_NO_DATA where nothing was added. */
int dj_triage_weigh(struct dj_triage *triage, const struct dj_triage_result **result,
                    struct dj_error *err);

#endif
