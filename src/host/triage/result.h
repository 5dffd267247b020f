/* What triage finds: causes with evidence, the worst frames, and limits of the traces. */
#ifndef DEJANK_TRIAGE_RESULT_H
#define DEJANK_TRIAGE_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "triage/cause.h"

enum {
    DJ_TRIAGE_STACK = 8,    /* sections shown around a piece of evidence */
    DJ_TRIAGE_EVIDENCE = 3, /* pieces of evidence per cause */
    DJ_TRIAGE_WORST = 5     /* frames that are kept whole */
};

/* All names below live as long as the struct dj_triage; "" means none. */

struct dj_triage_evidence {
    const char *frame;
    const char *trace; /* name under which the trace was added */
    int64_t frame_start_ns;
    int64_t start_ns, end_ns; /* the longest piece of this cause in that frame */
    int64_t ns;               /* total of this cause in that frame */
    int64_t late_ns;          /* lateness of that frame */
    const char *thread, *waker, *holder;
    uint32_t tid, waker_tid, holder_tid; /* 0: unknown */
    bool interrupted;                    /* an interrupt ended it */
    bool reason_unknown;                 /* a sleep or a wait for an unknown reason */
    const char *holder_section;
    const char *holder_process; /* set if it is not the process of tid */
    const char *asked; /* of binder: the thread that was called; it may have called the
                        * holder */
    uint32_t asked_tid;
    int32_t cpu;          /* of frequency: CPU that it ran on; −1: unknown */
    int64_t khz;          /* of frequency: its frequency */
    int64_t expected_khz; /* of frequency: the frequency that it is compared with */
    bool is_limited;      /* a limit kept the CPU below that */
    int64_t core_khz;     /* the highest of its CPU, which is lower than highest_khz of
                           * another one; both 0: not the reason */
    int64_t highest_khz;
    bool app_was_late;  /* of gpu and display: the app was late already */
    const char *detail; /* kernel function, device, or interrupt handler */
    const char *stack[DJ_TRIAGE_STACK]; /* sections around it, innermost first */
    size_t stack_count;
};

struct dj_triage_cause {
    enum dj_cause_kind kind;
    const char *name;   /* innermost section, or the thread if it was in none */
    const char *thread; /* the thread that spent the time */
    const char *holder; /* lock holder, peer, or thread that had the CPU */
    bool foreign;       /* time that other programs used */
    bool machine;       /* noise of the machine, which affects every program now and
                         * then */
    size_t frames;      /* late frames that it is part of */
    int64_t ns;         /* its time in them */
    int64_t usual_ns;   /* of own work: usual time in frames that were in time */
    int64_t clock_ns;   /* the part of ns off the CPU, which counts as work because wall
                         * time limits it */
    int64_t
        cpu_wait_ns; /* time without a CPU that would also be gone; not included in ns */
    size_t saved_frames;
    int64_t saved_ns;
    /* What the threads that were waited for did in these frames. */
    int64_t holder_ran_ns, holder_ready_ns, holder_io_ns, holder_slept_ns;
    int64_t holder_unknown_ns; /* the trace lacks a context switch */
    struct dj_triage_evidence evidence[DJ_TRIAGE_EVIDENCE];
    size_t evidence_count;
    /* Scratch members of the weighing. */
    size_t rank_was, rank_frames, ruled_frames, pieces, requests;
    int64_t rank_ns;
    bool behind;
};

struct dj_triage_part {
    int64_t start_ns, end_ns;
    size_t cause; /* place in the result's causes, or in its machine's, which follow them;
                   * SIZE_MAX: unexplained, or of no weight */
    enum dj_cause_kind kind;
    const char *name, *thread;
};

struct dj_triage_worst {
    const char *frame, *trace, *thread;
    int64_t start_ns, end_ns, deadline_ns;
    struct dj_triage_part *parts; /* sorted by time, covering [start_ns, end_ns) without
                                   * gaps */
    size_t part_count;
};

/* Something that these traces cannot show. */
struct dj_triage_limit {
    char text[240];
};

/* The display's refresh rate from from_ns on, as that trace shows it. */
struct dj_triage_shown_rate {
    const char *trace, *source; /* source: a counter, or "FrameTimeline" */
    int64_t from_ns, period_ns;
};

struct dj_triage_result {
    const char *frames_from; /* "slices" … */
    const char *budget_from; /* "option"; "deadlines": each frame's own; "assumed": 1/60
                              * s; "several" of these; otherwise the source of the
                              * display's refresh rate: a counter's name, or
                              * "FrameTimeline" */
    size_t frames, janky, incomplete;
    bool against_base; /* savings are relative to the base, not to removed causes */
    int64_t late_ns, budget_ns;     /* total lateness; budget of all frames, 0: each has
                                     * its own */
    struct dj_triage_cause *causes; /* by rank; owned by the struct dj_triage */
    size_t cause_count;
    struct dj_triage_cause *machine; /* the machine's noise */
    size_t machine_count;
    int64_t unexplained_ns; /* in janky frames */
    struct dj_triage_worst *worst;
    size_t worst_count;
    struct dj_triage_limit *limits;
    size_t limit_count;
    struct dj_triage_shown_rate *rates; /* rates that budgets follow, by trace, then
                                         * time */
    size_t rate_count;
};

#endif
