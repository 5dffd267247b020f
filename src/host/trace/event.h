/*
 * One thing that happened, from whatever told it: the kernel's tracepoints, an app's
 * markers, frames of a compositor. Readers hand events out one by one, each as soon as it
 * is known, and keep none; what they add up to is others' business.
 */
#ifndef DEJANK_TRACE_EVENT_H
#define DEJANK_TRACE_EVENT_H

#include "base/error.h"
#include "base/str.h"

enum dj_event_kind {
    DJ_EVENT_OTHER, /* known by its name alone */
    /* threads */
    DJ_EVENT_SWITCH,   /* tid leaves the CPU in `state`, `other` gets it */
    DJ_EVENT_WAKING,   /* tid wakes `other`, for CPU `value` */
    DJ_EVENT_WAKEUP,   /* `other` is runnable now */
    DJ_EVENT_WAKE_NEW, /* the same for the first time */
    DJ_EVENT_BLOCKED,  /* why `other` slept: `name` called it, `value` 1 for I/O */
    DJ_EVENT_NEW_TASK, /* thread `other` named `other_name`; `value` has the flags of
                          clone() where they are told, else 0 */
    DJ_EVENT_RENAME,   /* the same, with its new name */
    DJ_EVENT_EXIT,     /* `other` */
    DJ_EVENT_TASK, /* `other` is in `thread_state` from now on, told without a switch */
    /* processors */
    DJ_EVENT_FREQUENCY,     /* of `cpu`: `value` kHz */
    DJ_EVENT_LIMITS,        /* of `cpu`: `value` … `value_2` kHz */
    DJ_EVENT_IDLE,          /* `cpu` goes to idle state `value`; 4294967295: leaves it */
    DJ_EVENT_GPU_FREQUENCY, /* `value` */
    DJ_EVENT_THERMAL,       /* zone `name`: `value` thousandths of a degree */
    DJ_EVENT_COOLING,       /* cooling device `name` to step `value` */
    /* interruptions */
    DJ_EVENT_IRQ_BEGIN, /* line `value`, handler `name` */
    DJ_EVENT_IRQ_END,
    DJ_EVENT_SOFTIRQ_BEGIN, /* vector `value` */
    DJ_EVENT_SOFTIRQ_END,
    DJ_EVENT_IPI_BEGIN, /* another CPU interrupted this one, as `name` says */
    DJ_EVENT_IPI_END,
    DJ_EVENT_TIMER_START, /* tid asks to be woken at `value` ns of the timer's own clock,
                             mostly CLOCK_MONOTONIC, or at the latest at `value_2` */
    DJ_EVENT_RECLAIM_BEGIN, /* tid has to free memory itself */
    DJ_EVENT_RECLAIM_END,
    /* requests */
    DJ_EVENT_BLOCK_ISSUE,     /* device `value` (dev_t of the kernel), sector `value_2` */
    DJ_EVENT_BLOCK_COMPLETE,  /* the same */
    DJ_EVENT_BINDER,          /* transaction `value` to thread `other` (0: any of process
                                 `value_2`); `state`: bits of enum dj_binder */
    DJ_EVENT_BINDER_RECEIVED, /* transaction `value` */
    DJ_EVENT_FENCE_MADE,      /* of timeline `name` of driver `other_name`, in context
                                 `value` with number `value_2` */
    DJ_EVENT_FENCE_EMITTED,   /* the same: its work is handed to the device */
    DJ_EVENT_FENCE_SIGNALED,  /* the same: that is done */
    DJ_EVENT_FENCE_WAIT_BEGIN, /* the same: tid waits for that */
    DJ_EVENT_FENCE_WAIT_END,
    /* an app's own, of thread tid */
    DJ_EVENT_BEGIN, /* section `name`; of BEGIN and ASYNC_BEGIN alike: those with the same
                       `value_2` are bound by a flow, one after the other; 0: none */
    DJ_EVENT_END,   /* of the one begun last */
    DJ_EVENT_INSTANT,
    DJ_EVENT_COUNTER,     /* `name` is `value` */
    DJ_EVENT_ASYNC_BEGIN, /* `name` with cookie `value`, on track `other_name` if any: of
                             no CPU, the cookie is then the track's own */
    DJ_EVENT_ASYNC_END,
    /* frames, as a compositor told them: FrameTimeline, or rows of gfxinfo */
    DJ_EVENT_FRAME_BEGIN, /* `frame` says all that is known of it; cookie `value` */
    DJ_EVENT_FRAME_END,   /* of the frame with cookie `value` */
    /* of the trace itself */
    DJ_EVENT_CLOCK,  /* at `at_ns` clock `name` ("mono", "realtime") stood at `value` ns,
                        or off that by up to `value_2`; without a name nothing of that. The
                        trace's own clock is called `other_name` ("boot"), if that is told.
                        `state` 1: its stamps are ticks, whose length is not told. Of no
                        CPU: nothing happened then */
    DJ_EVENT_THREAD, /* nothing happened: `other` is called `other_name`, if that is told,
                        and is of process `pid`, if that is known, which is called `name`,
                        if that is told */
    DJ_EVENT_LOST,   /* `value` events of `cpu` before this; 0: how many is not known.
                        Of no CPU: none is older than `value_2`; 0: that is not known */
    DJ_EVENT_KINDS
};

/* What a thread is that does not run. */
enum dj_task_state {
    DJ_TASK_UNKNOWN,
    DJ_TASK_RUNNABLE, /* it was taken off the CPU, or waits for one */
    DJ_TASK_SLEEPING, /* interruptibly: S */
    DJ_TASK_BLOCKED,  /* uninterruptibly: D, most often I/O */
    DJ_TASK_STOPPED,  /* T, t */
    DJ_TASK_DEAD,     /* X, Z */
    DJ_TASK_RESTING   /* I, P: kernel threads with nothing to do */
};

enum { DJ_PID_UNKNOWN = -1 };

/* CPUs that have a higher number are not told apart. */
enum { DJ_CPUS_MOST = 1 << 16 };

/* What a transaction of binder is; nobody waits for one that goes one way. */
enum dj_binder { DJ_BINDER_REPLY = 1, DJ_BINDER_ONE_WAY = 2 };

enum dj_frame_side {
    DJ_FRAME_EXPECTED_SURFACE, /* when an app's frame was to be made */
    DJ_FRAME_ACTUAL_SURFACE,   /* when it was */
    DJ_FRAME_EXPECTED_DISPLAY, /* the same of the compositor's own frame */
    DJ_FRAME_ACTUAL_DISPLAY,
    DJ_FRAME_SIDES
};

/* What FrameTimelineEvent tells of a frame, in its numbers (0: not told). Valid while the
 * event is handed out. */
struct dj_event_frame {
    int64_t token, display_token;
    struct dj_str layer;
    uint32_t jank_types; /* bits of JankType: 1 none, 64 the app was late, … */
    uint8_t side;        /* enum dj_frame_side */
    uint8_t present;     /* 1 on time, 2 late, 3 early, 4 dropped, 5 unknown */
    uint8_t prediction;  /* 1 valid, 2 expired, 3 unknown */
    uint8_t severity;    /* 1 none, 2 partial, 3 full */
    bool finished_on_time, composed_by_gpu;
};

struct dj_event {
    int64_t at_ns; /* of the trace's clock */
    int64_t value, value_2;
    struct dj_str name;                 /* of the event, where no kind says otherwise */
    struct dj_str task;                 /* what tid is called; empty: not told */
    struct dj_str other_name;           /* what `other` is called; empty: not told */
    const struct dj_event_frame *frame; /* of frames; else NULL */
    int32_t tid;                        /* in which it happened; 0: an idle CPU */
    int32_t pid;                        /* its process, or DJ_PID_UNKNOWN */
    int32_t other;
    int32_t cpu;          /* −1 unknown */
    uint8_t kind;         /* enum dj_event_kind */
    uint8_t state;        /* enum dj_task_state of a switch */
    uint8_t thread_state; /* enum dj_thread_state of trace/trace.h, of DJ_EVENT_TASK */
    uint8_t interrupted;  /* 1: it happened in an interrupt, not by tid's own doing */
};

/* One that no thread did, on no CPU: the rest is to be filled in. */
static inline struct dj_event dj_event_of(enum dj_event_kind kind)
{
    return (struct dj_event){.kind = (uint8_t)kind, .pid = DJ_PID_UNKNOWN, .cpu = -1};
}

/* Where events go. Not 0 ends the reading with that code. */
struct dj_event_sink {
    int (*take)(void *user, const struct dj_event *event);
    void *user;
};

/* What tells of the trace itself may have no time of its own. */
static inline bool dj_event_is_timed(const struct dj_event *event)
{
    return event->kind != DJ_EVENT_THREAD && event->kind != DJ_EVENT_LOST &&
           (event->kind != DJ_EVENT_CLOCK || event->cpu >= 0);
}

/* Whether the event is one that only the thread which its CPU runs can do, or be
 * interrupted in: then `tid` is that thread, whatever switches told before. Not a switch
 * itself. An app's own events, whose CPU is not sure in every recording, say so only
 * where the CPU was last told to be idle (`ran` is 0). */
bool dj_event_shows_who_runs(const struct dj_event *event, int32_t ran);

/* Whether that calls a thread something: "" does not, nor does what the kernel and
 * trace-cmd write of those whose name they do not know, and of idle CPUs. */
bool dj_task_name_is_placeholder(struct dj_str words);
static inline bool dj_task_name_is_known(struct dj_str words)
{
    return words.length > 0 &&
           (words.at[0] != '<' || !dj_task_name_is_placeholder(words));
}

/* What the kernel calls the main thread of a program or package with that name: of a path
 * its file, of another name of more than 15 bytes the last 15, as Android does. Threads
 * of the kernel keep their names. */
struct dj_str dj_task_name_of(struct dj_str name);

/* The state that a letter of the kernel's text tells ("S", "R+", "D|K"), or a number of
 * its bits. */
enum dj_task_state dj_task_state_of(struct dj_str text);
enum dj_task_state dj_task_state_of_bits(int64_t bits);

#endif
