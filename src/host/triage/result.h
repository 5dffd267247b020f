/* The result of triage: causes with examples, the worst frames, and notes about what the
 * traces do not show. */
#ifndef DEJANK_TRIAGE_RESULT_H
#define DEJANK_TRIAGE_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "calls/difference.h"
#include "jank/present.h"
#include "triage/cause.h"

enum {
    DJ_TRIAGE_STACK = 8,    /* Maximum number of sections in a stack. */
    DJ_TRIAGE_EVIDENCE = 3, /* Maximum number of examples of a cause. */
    DJ_TRIAGE_WORST = 5     /* Maximum number of frames in dj_triage_result.worst. */
};

/* All strings in the structs below live as long as the struct dj_triage. A string is ""
 * if there is none. */

/* An example of a cause: the time that the cause took in one frame. A piece is a part of
 * the frame's critical path. */
struct dj_triage_evidence {
    const char *frame;
    const char *trace;      /* Name under which the trace was added. */
    int64_t trace_start_ns; /* Time of the first event of the trace. */
    int64_t frame_start_ns;
    /* Start and end of the longest piece of this cause in the frame. */
    int64_t start_ns, end_ns;
    int64_t ns;      /* Total time of this cause in the frame. */
    int64_t late_ns; /* Time from the deadline of the frame to its end. */
    const char *thread, *waker, *holder;
    /* Ids of these three threads. An id is 0 if the thread is unknown. */
    uint32_t tid, waker_tid, holder_tid;
    bool interrupted; /* True if an interrupt ended the piece. */
    /* True if the piece is a sleep or a wait, and its reason is unknown. */
    bool reason_unknown;
    const char *holder_section;
    /* Name of the holder's process, or "" if thread `tid` belongs to the same process. */
    const char *holder_process;
    /* For a binder call: the thread that was called. `holder` may be another thread,
     * which the called thread has called. */
    const char *called;
    uint32_t called_tid;
    /* For DJ_CAUSE_FREQUENCY: number of the CPU on which the thread ran, or −1 if it is
     * unknown. */
    int32_t cpu;
    int64_t khz; /* For DJ_CAUSE_FREQUENCY: frequency of this CPU. */
    /* For DJ_CAUSE_FREQUENCY: frequency at which the CPU was expected to run. */
    int64_t expected_khz;
    /* True if the CPU was below expected_khz because of a frequency limit. */
    bool is_limited;
    /* Highest frequency of this CPU and highest frequency of all CPUs, if other CPUs have
     * a higher one than this CPU. Otherwise both are 0. */
    int64_t core_khz;
    int64_t highest_khz;
    /* For DJ_CAUSE_GPU and DJ_CAUSE_DISPLAY: true if the app was late too. */
    bool app_was_late;
    const char *detail; /* Name of a kernel function, a device or an interrupt handler. */
    /* Names of the sections around the piece, the innermost first. */
    const char *stack[DJ_TRIAGE_STACK];
    size_t stack_count;
};

/* A function in which janky frames spent more time than smooth frames. */
struct dj_triage_function {
    const struct dj_calls_function *function;
    uint32_t node; /* Node of the function in result.calls. */
    /* The outermost and the innermost node of a chain of calls that contains `node`. All
     * nodes of the chain have the same samples. Both are equal to `node` if there is no
     * such chain. */
    uint32_t chain_first, chain_last;
    /* Mean extra time per janky frame, and its 95 % confidence interval. */
    double extra_ns, low_ns, high_ns;
    size_t samples; /* Number of samples in janky frames. */
    /* Fraction of these samples that end in a function with a symbol, and fraction with a
     * guessed stack. From 0 to 1. */
    double named, guessed;
    size_t frames; /* Number of janky frames that show the extra time. */
    /* The janky frame in which the function took longest, and the trace of this frame.
     * worst_ns is the time of the function in this frame. */
    const char *worst_frame, *worst_trace;
    int64_t worst_start_ns, worst_trace_start_ns;
    double worst_ns;
};

/* The functions in which some work took extra time. The result compares janky frames with
 * smooth frames. The janky frames are those to whose lateness the work contributed. The
 * smooth frames are all complete frames in time, or those of the baseline. */
struct dj_triage_functions {
    /* Functions, sorted by extra time, the largest first. */
    struct dj_triage_function all[DJ_CALLS_CAUSES_MAX];
    size_t count;
    size_t janky_frames, smooth_frames;
    size_t janky_samples, smooth_samples;
    bool
        too_few; /* True if there are too few janky or smooth frames to name functions. */
    /* The time of each node of result.calls. */
    struct dj_calls_difference difference;
};

/* A function that waited in janky frames. It is the innermost function that is not in a
 * library whose functions wait for their callers, such as the C library. */
struct dj_triage_waiter {
    const struct dj_calls_function *function;
    /* The node of the function, and the node of the function that it called to wait. Both
     * are equal if no callee is known. */
    uint32_t node, call;
    int64_t ns;     /* Time of its waits on critical paths. */
    size_t waits;   /* Number of these waits. */
    size_t frames;  /* Number of janky frames that contain these waits. */
    size_t guessed; /* Number of these waits with a stack that is partly a guess. */
};

enum { DJ_TRIAGE_WAITERS = 8 }; /* Maximum number of functions that waited. */

/* The functions that waited in the janky frames to which a cause contributed. */
struct dj_triage_waiters {
    /* Functions, sorted by waiting time, the longest first. */
    struct dj_triage_waiter all[DJ_TRIAGE_WAITERS];
    size_t count;
    /* Number of all waits of the cause, and number of waits with a known stack. */
    size_t waits, known_waits;
    int64_t ns, known_ns;
};

struct dj_triage_cause {
    enum dj_cause_kind kind;
    /* Name of the innermost section, or of the thread if the thread was in no section. */
    const char *name;
    const char *thread; /* Thread that worked or waited. */
    const char *holder; /* Thread that held the lock, served the call, or had the CPU. */
    bool foreign;       /* True if programs other than the app used the time. */
    /* True if the cause is noise of the machine, which occasionally delays every program.
     */
    bool machine;
    size_t frames; /* Number of late frames to whose lateness the cause contributed. */
    int64_t ns;    /* Time that the cause took in these frames. */
    /* Time that the cause usually takes in frames that are in time. 0 for kinds of causes
     * that have no usual time. */
    int64_t usual_ns;
    /* The part of `ns` in which the thread had no CPU. It is included because the work is
     * limited by wall time, not by CPU time. */
    int64_t clock_ns;
    /* How long threads waited for a CPU because of the cause. Without the cause, they
     * would not have waited. Not included in `ns`. */
    int64_t cpu_wait_ns;
    size_t saved_frames;
    int64_t saved_ns;
    /* How the holders spent the time in these frames in which other threads waited for
     * them. */
    int64_t holder_ran_ns, holder_ready_ns, holder_io_ns, holder_slept_ns;
    /* Time in which the state of the holder is unknown, because the trace lacks a context
     * switch. */
    int64_t holder_unknown_ns;
    struct dj_triage_evidence evidence[DJ_TRIAGE_EVIDENCE];
    size_t evidence_count;
    /* For DJ_CAUSE_OWN_WORK: the functions in which the work took extra time, or NULL if
     * no stacks were sampled during the work. Owned by the struct dj_triage. */
    struct dj_triage_functions *functions;
    /* For waits: the functions that waited, or NULL if no stacks of waits were sampled.
     * Owned by the struct dj_triage. */
    struct dj_triage_waiters *waiters;
    /* Temporary values that are used while causes are ranked. */
    size_t rank_was, rank_frames, ruled_frames, pieces, requests;
    int64_t rank_ns;
    bool behind;
};

/* A part of a frame. It consists of consecutive pieces that belong to the same cause. */
struct dj_triage_part {
    int64_t start_ns, end_ns;
    /* Index of the cause in result.causes. The elements of result.machine follow
     * result.causes in the same array, so an index of cause_count or more is a cause of
     * result.machine. SIZE_MAX if the part is unexplained or too short. */
    size_t cause;
    enum dj_cause_kind kind;
    const char *name, *thread;
};

/* A sampled stack in a frame. */
struct dj_triage_sample {
    int64_t at_ns;
    int64_t ns; /* Time that the sample represents. */
    uint32_t frame, key;
    uint32_t node; /* Innermost node in result.calls. */
    bool guessed;
};

struct dj_triage_worst {
    const char *frame, *trace, *thread;
    int64_t trace_start_ns; /* Time of the first event of the trace. */
    int64_t start_ns, end_ns, deadline_ns;
    /* Parts, sorted by time. They cover the time from start_ns to end_ns without gaps. */
    struct dj_triage_part *parts;
    size_t part_count;
    /* Samples during the work on the critical path, sorted by time. */
    const struct dj_triage_sample *samples;
    size_t sample_count;
};

/* A sentence about something that the traces do not show. */
struct dj_triage_limit {
    char text[240];
};

/* Refresh period of the display from from_ns on, as the trace `trace` shows it. */
struct dj_triage_shown_rate {
    /* Name of the trace, and source of the period: the name of a counter, or
     * "FrameTimeline". */
    const char *trace, *source;
    int64_t from_ns, period_ns;
};

/* The figures about when the display showed the frames of one layer. */
struct dj_triage_presents {
    const char *layer; /* Name of the layer, or "" if unknown. */
    const char *trace; /* Name under which the trace was added. */
    struct dj_present_figures figures;
};

struct dj_triage_result {
    const char *frames_from; /* How the frames were found, for example "slices". */
    /* Source of the budget:
     * - "option" for the option --budget
     * - "deadlines" if each frame has its own deadline
     * - "assumed" for 1/60 s
     * - "several" if traces have different budgets
     * - the name of a counter or "FrameTimeline" if the budget is the refresh period of
     *   the display. */
    const char *budget_from;
    size_t frames, janky, incomplete;
    bool from_android; /* True if a trace is from an Android device. */
    /* True if a baseline was added. Savings are then the difference to the baseline.
     * Otherwise they are the difference to the same frames without the cause. */
    bool against_base;
    /* Total time by which frames were late, and the budget of a frame, or 0 if frames
     * have different budgets. */
    int64_t late_ns, budget_ns;
    /* Causes, the most important first. Owned by the struct dj_triage. */
    struct dj_triage_cause *causes;
    size_t cause_count;
    /* Causes that are noise of the machine. They follow the elements of `causes` in the
     * same array. */
    struct dj_triage_cause *machine;
    size_t machine_count;
    int64_t unexplained_ns; /* Time in janky frames that belongs to no known cause. */
    struct dj_triage_worst *worst;
    size_t worst_count;
    struct dj_triage_limit *limits;
    size_t limit_count;
    /* Refresh periods on which budgets depend, sorted by trace, then by time. */
    struct dj_triage_shown_rate *rates;
    size_t rate_count;
    const struct dj_calls_tree *calls; /* The stacks of all samples. */
    /* The functions in which the work of all janky frames took extra time. NULL if no
     * stacks were sampled. */
    struct dj_triage_functions *functions;
    /* The layers of all traces, by trace, process and name. Owned by the struct
     * dj_triage. */
    struct dj_triage_presents *presents;
    size_t present_count;
};

#endif
