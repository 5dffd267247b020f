/* What triage finds: causes with evidence, the worst frames, and notes about what the
 * traces cannot show. */
#ifndef DEJANK_TRIAGE_RESULT_H
#define DEJANK_TRIAGE_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "triage/cause.h"

enum {
    DJ_TRIAGE_STACK = 8,    /* Maximum of sections in a stack. */
    DJ_TRIAGE_EVIDENCE = 3, /* Maximum of examples per cause. */
    DJ_TRIAGE_WORST = 5     /* Maximum of frames in result.worst. */
};

/*
 * All strings below live as long as the struct dj_triage. "" means none.
 */

/* One example of a cause: the time that the cause took in one frame. A piece is a part of
 * the frame's critical path. */
struct dj_triage_evidence {
    const char *frame;
    const char *trace;      /* Name under which the trace was added. */
    int64_t trace_start_ns; /* Time of the first event of the trace. */
    int64_t frame_start_ns;
    int64_t start_ns, end_ns; /* Longest piece of this cause in the frame. */
    int64_t ns;               /* Total time of this cause in the frame. */
    int64_t late_ns;          /* How late the frame was. */
    const char *thread, *waker, *holder;
    uint32_t tid, waker_tid, holder_tid; /* 0 if the thread is unknown. */
    bool interrupted;                    /* True if an interrupt ended the piece. */
    /* True if the piece is a sleep or a wait for an unknown reason. */
    bool reason_unknown;
    const char *holder_section;
    /* Process of the holder, or "" if it is also the process of `tid`. */
    const char *holder_process;
    /* For binder: the thread that was called. It may have called `holder` in turn. */
    const char *called;
    uint32_t called_tid;
    int32_t cpu; /* For frequency: CPU on which the thread ran, or −1 if it is unknown. */
    int64_t khz;          /* For frequency: frequency of the CPU. */
    int64_t expected_khz; /* For frequency: frequency that was expected. */
    bool is_limited;      /* True if a frequency limit kept the CPU below expected_khz. */
    /* Highest frequency of the CPU, and highest frequency of all CPUs, if the CPU is of a
     * slower kind. Otherwise both are 0. */
    int64_t core_khz;
    int64_t highest_khz;
    bool app_was_late;  /* For gpu and display: the app was late, too. */
    const char *detail; /* Kernel function, device, or interrupt handler. */
    const char *stack[DJ_TRIAGE_STACK]; /* Sections around the piece, innermost first. */
    size_t stack_count;
};

struct dj_triage_cause {
    enum dj_cause_kind kind;
    const char *name;   /* Innermost section, or the thread if it was in no section. */
    const char *thread; /* The thread that spent the time. */
    const char *holder; /* Lock holder, peer, or thread that had the CPU. */
    bool foreign;       /* True if other programs used the time. */
    /* True if this is noise of the machine, which sometimes delays every program. */
    bool machine;
    size_t frames; /* Number of late frames that the cause is part of. */
    int64_t ns;    /* Time of the cause in those frames. */
    /* Usual time in frames that were in time. Set only for kinds that have a usual
     * time. */
    int64_t usual_ns;
    /* The part of `ns` in which the thread was off the CPU. It counts as work because the
     * work is limited by wall time. */
    int64_t clock_ns;
    /* Waits for a CPU that would be gone together with the cause. Not included in `ns`.
     */
    int64_t cpu_wait_ns;
    size_t saved_frames;
    int64_t saved_ns;
    /* What the threads that were waited for did in these frames. */
    int64_t holder_ran_ns, holder_ready_ns, holder_io_ns, holder_slept_ns;
    int64_t holder_unknown_ns; /* Unknown because the trace lacks a context switch. */
    struct dj_triage_evidence evidence[DJ_TRIAGE_EVIDENCE];
    size_t evidence_count;
    /* Scratch members for the weighing. */
    size_t rank_was, rank_frames, ruled_frames, pieces, requests;
    int64_t rank_ns;
    bool behind;
};

/* Consecutive pieces of a frame that belong to one cause. */
struct dj_triage_part {
    int64_t start_ns, end_ns;
    /* Index in the result's causes. The array of machine noise follows them, so larger
     * indexes mean noise. SIZE_MAX if the part is unexplained or too short. */
    size_t cause;
    enum dj_cause_kind kind;
    const char *name, *thread;
};

struct dj_triage_worst {
    const char *frame, *trace, *thread;
    int64_t trace_start_ns; /* Time of the first event of the trace. */
    int64_t start_ns, end_ns, deadline_ns;
    /* Sorted by time. They cover the time from start_ns to end_ns without gaps. */
    struct dj_triage_part *parts;
    size_t part_count;
};

/* A sentence about something that the traces cannot show. */
struct dj_triage_limit {
    char text[240];
};

/* The display's refresh period from from_ns on, as one trace shows it. */
struct dj_triage_shown_rate {
    /* `source` is the name of a counter, or "FrameTimeline". */
    const char *trace, *source;
    int64_t from_ns, period_ns;
};

struct dj_triage_result {
    const char *frames_from; /* How the frames were found, for example "slices". */
    /* Source of the budget: "option", "deadlines" (each frame has its own), "assumed"
     * (1/60 s), "several" (traces differ), or the source of the display's refresh rate,
     * which is a counter's name or "FrameTimeline". */
    const char *budget_from;
    size_t frames, janky, incomplete;
    /* True if savings are relative to the base. Otherwise they are relative to the same
     * frames without the cause. */
    bool against_base;
    /* Total lateness, and budget of all frames. budget_ns is 0 if budgets differ. */
    int64_t late_ns, budget_ns;
    struct dj_triage_cause *causes; /* Sorted by rank. Owned by the struct dj_triage. */
    size_t cause_count;
    /* Causes that are noise of the machine. They follow the elements of `causes` in the
     * same array. */
    struct dj_triage_cause *machine;
    size_t machine_count;
    int64_t unexplained_ns; /* Unexplained time in janky frames. */
    struct dj_triage_worst *worst;
    size_t worst_count;
    struct dj_triage_limit *limits;
    size_t limit_count;
    /* Rates that determine budgets, sorted by trace, then time. */
    struct dj_triage_shown_rate *rates;
    size_t rate_count;
};

#endif
