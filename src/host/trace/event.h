/*
 * One event of a trace, whatever recorded it: a tracepoint of the kernel, a marker of an
 * app, a frame of a compositor. Readers pass events to a sink one by one, as soon as
 * they are known, and keep none. Other files build a trace from them.
 */
#ifndef DEJANK_TRACE_EVENT_H
#define DEJANK_TRACE_EVENT_H

#include "base/error.h"
#include "base/str.h"

enum dj_event_kind {
    DJ_EVENT_OTHER, /* known only by its name */
    /* ---- threads ---- */
    DJ_EVENT_SWITCH,   /* tid leaves the CPU in `state`, `other` gets it */
    DJ_EVENT_WAKING,   /* tid wakes `other`, for CPU `value` */
    DJ_EVENT_WAKEUP,   /* `other` is runnable now */
    DJ_EVENT_WAKE_NEW, /* the same for a new thread */
    DJ_EVENT_BLOCKED,  /* why `other` slept: `name` is the caller in the kernel, `value` 1
                          means I/O */
    DJ_EVENT_NEW_TASK, /* new thread `other` with name `other_name`; `value` is the flags
                          of clone() if known, else 0 */
    DJ_EVENT_RENAME,   /* thread `other` gets the name `other_name` */
    DJ_EVENT_EXIT,     /* thread `other` ends */
    DJ_EVENT_TASK, /* `other` is in `thread_state` from now on; recorded without a switch
                    */
    /* ---- CPUs and temperatures ---- */
    DJ_EVENT_FREQUENCY, /* of `cpu`: `value` kHz */
    DJ_EVENT_LIMITS,    /* of `cpu`: `value` to `value_2` kHz */
    DJ_EVENT_IDLE,      /* `cpu` enters idle state `value`; 4294967295: it leaves idle */
    DJ_EVENT_GPU_FREQUENCY, /* `value` kHz */
    DJ_EVENT_THERMAL,       /* zone `name`: `value` millidegrees Celsius */
    DJ_EVENT_COOLING,       /* cooling device `name` goes to step `value` */
    /* ---- interrupts ---- */
    DJ_EVENT_IRQ_BEGIN, /* line `value`, handler `name` */
    DJ_EVENT_IRQ_END,
    DJ_EVENT_SOFTIRQ_BEGIN, /* vector `value` */
    DJ_EVENT_SOFTIRQ_END,
    DJ_EVENT_IPI_BEGIN, /* IPI: another CPU interrupted this one for the reason `name` */
    DJ_EVENT_IPI_END,
    DJ_EVENT_TIMER_START, /* tid starts a timer that expires at `value` ns of the timer's
                             own clock, usually CLOCK_MONOTONIC, at the latest at
                             `value_2`; `state` may be DJ_TIMER_HARD */
    DJ_EVENT_RECLAIM_BEGIN, /* direct reclaim: tid must free memory itself */
    DJ_EVENT_RECLAIM_END,
    /* ---- requests ---- */
    DJ_EVENT_BLOCK_ISSUE,    /* device `value` (dev_t of the kernel), sector `value_2` */
    DJ_EVENT_BLOCK_COMPLETE, /* the same fields */
    DJ_EVENT_BINDER, /* transaction `value` to thread `other` (0: any thread of process
                        `value_2`); `state` has bits of enum dj_binder */
    DJ_EVENT_BINDER_RECEIVED, /* transaction `value` */
    DJ_EVENT_FENCE_MADE, /* of timeline `name` of driver `other_name`, in context `value`
                            with number `value_2` */
    DJ_EVENT_FENCE_EMITTED,    /* the same fields: its work was submitted to the device */
    DJ_EVENT_FENCE_SIGNALED,   /* the same fields: the device has done it */
    DJ_EVENT_FENCE_WAIT_BEGIN, /* the same fields: tid waits for it */
    DJ_EVENT_FENCE_WAIT_END,
    /* ---- events of apps, on thread tid ---- */
    DJ_EVENT_BEGIN, /* section `name`. For BEGIN and ASYNC_BEGIN, events with equal
                       `value_2` form a flow in their order; 0: no flow */
    DJ_EVENT_END,   /* ends the section that the thread began last */
    DJ_EVENT_INSTANT,
    DJ_EVENT_COUNTER,     /* `name` has the value `value` */
    DJ_EVENT_ASYNC_BEGIN, /* `name` with cookie `value`, on track `other_name` if not
                             empty. If the event has no CPU, the cookie identifies the
                             track */
    DJ_EVENT_ASYNC_END,
    /* ---- frames, from FrameTimeline of a compositor or from rows of gfxinfo ---- */
    DJ_EVENT_FRAME_BEGIN, /* `frame` has all that is known of it; cookie `value` */
    DJ_EVENT_FRAME_END,   /* ends the frame with cookie `value` */
    /* ---- the trace itself ---- */
    DJ_EVENT_CLOCK,  /* at `at_ns` clock `name` ("mono", "realtime") showed `value` ns,
                        with an error of at most `value_2`; no reading if `name` is empty.
                        `other_name` is the name of the trace's own clock ("boot"), if
                        known. `state` 1: its stamps are ticks of unknown length. Without a
                        CPU, this is a fact, not something that happened */
    DJ_EVENT_THREAD, /* a fact without a time: `other` has the name `other_name`, if
                        known, and belongs to process `pid`, if known, which has the name
                        `name`, if known */
    DJ_EVENT_LOST, /* `value` events of `cpu` before this one are lost; 0: unknown number.
                      Without a CPU: no lost event is older than `value_2`; 0: unknown */
    DJ_EVENT_KINDS
};

/* The state of a thread that does not run. */
enum dj_task_state {
    DJ_TASK_UNKNOWN,
    DJ_TASK_RUNNABLE, /* preempted, or waits for a CPU */
    DJ_TASK_SLEEPING, /* interruptible: S */
    DJ_TASK_BLOCKED,  /* uninterruptible: D, usually I/O */
    DJ_TASK_STOPPED,  /* T, t */
    DJ_TASK_DEAD,     /* X, Z */
    DJ_TASK_RESTING   /* I, P: idle kernel threads */
};

enum { DJ_PID_UNKNOWN = -1 };

/* Events of CPUs with a higher number count as events of an unknown CPU. */
enum { DJ_CPUS_MAX = 1 << 16 };

/* Kind of a Binder transaction. The sender does not wait for a one-way transaction. */
enum dj_binder { DJ_BINDER_REPLY = 1, DJ_BINDER_ONE_WAY = 2 };

/* Bit of the kernel's enum hrtimer_mode: the timer expires in a hard interrupt. Timers of
 * the scheduler do, those of sleeping threads do not (except for real-time threads with
 * PREEMPT_RT). */
enum { DJ_TIMER_HARD = 8 };

enum dj_frame_side {
    DJ_FRAME_EXPECTED_SURFACE, /* expected timeline of an app's frame */
    DJ_FRAME_ACTUAL_SURFACE,   /* actual timeline of an app's frame */
    DJ_FRAME_EXPECTED_DISPLAY, /* the same two for the compositor's own frame */
    DJ_FRAME_ACTUAL_DISPLAY,
    DJ_FRAME_SIDES
};

/* The content of a FrameTimelineEvent, with Perfetto's numbers (0: not recorded). It is
 * valid only while the sink handles the event. */
struct dj_event_frame {
    int64_t token, display_token;
    struct dj_str layer;
    uint32_t jank_types; /* bits of JankType: 1 none, 64 app deadline missed, … */
    uint8_t side;        /* enum dj_frame_side */
    uint8_t present;     /* 1 on time, 2 late, 3 early, 4 dropped, 5 unknown */
    uint8_t prediction;  /* 1 valid, 2 expired, 3 unknown */
    uint8_t severity;    /* 1 none, 2 partial, 3 full */
    bool finished_on_time, composed_by_gpu;
};

struct dj_event {
    int64_t at_ns; /* of the trace's clock */
    int64_t value, value_2;
    struct dj_str name;                 /* of the event, unless its kind says otherwise */
    struct dj_str task;                 /* name of tid; empty: unknown */
    struct dj_str other_name;           /* name of `other`; empty: unknown */
    const struct dj_event_frame *frame; /* only for frames; else NULL */
    int32_t tid;                        /* thread in which it happened; 0: an idle CPU */
    int32_t pid;                        /* process of tid, or DJ_PID_UNKNOWN */
    int32_t other;
    int32_t cpu;          /* −1 unknown */
    uint8_t kind;         /* enum dj_event_kind */
    uint8_t state;        /* enum dj_task_state of a switch */
    uint8_t thread_state; /* enum dj_thread_state of trace/trace.h, for DJ_EVENT_TASK */
    uint8_t interrupted;  /* 1: it happened in an interrupt and is not the work of tid */
};

/* Returns an event without a thread and without a CPU. The caller fills in the rest. */
static inline struct dj_event dj_event_make(enum dj_event_kind kind)
{
    return (struct dj_event){.kind = (uint8_t)kind, .pid = DJ_PID_UNKNOWN, .cpu = -1};
}

/* Receives events. A return value other than 0 ends the reading with that code. */
struct dj_event_sink {
    int (*take)(void *user, const struct dj_event *event);
    void *user;
};

/* Returns false for events about the trace itself, which may have no time. */
static inline bool dj_event_has_time(const struct dj_event *event)
{
    return event->kind != DJ_EVENT_THREAD && event->kind != DJ_EVENT_LOST &&
           (event->kind != DJ_EVENT_CLOCK || event->cpu >= 0);
}

/* Returns true if only the running thread of a CPU can cause this event, or be
 * interrupted by it. Then `tid` runs on that CPU, whatever earlier switches say. False
 * for switches. For events of apps, not every recording has a reliable CPU, so they count
 * only if the CPU was idle by the last switch (`ran` is 0). */
bool dj_event_shows_running_thread(const struct dj_event *event, int32_t ran);

/* Returns true if the text is not a thread name: "", or what the kernel and trace-cmd
 * write for unknown names and idle CPUs. */
bool dj_event_is_placeholder_name(struct dj_str words);
static inline bool dj_event_is_known_name(struct dj_str words)
{
    return words.length > 0 &&
           (words.at[0] != '<' || !dj_event_is_placeholder_name(words));
}

/* Returns the name that the kernel gives the main thread of a program or package: the
 * file name of a path, or the last 15 bytes of a longer name, as on Android. Names of
 * kernel threads stay unchanged. The result points into `name`. */
struct dj_str dj_event_shorten_task_name(struct dj_str name);

/* Converts a state letter of the kernel's text ("S", "R+", "D|K"), or a number with its
 * bits. */
enum dj_task_state dj_event_parse_task_state(struct dj_str text);
enum dj_task_state dj_event_decode_task_state(int64_t bits);

#endif
