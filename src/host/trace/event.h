/*
 * An event of a trace: a tracepoint of the kernel, a marker of an app, or a frame of a
 * compositor. The readers of all trace formats produce these events. A reader passes each
 * event to a sink as soon as the event is known, and does not store the event. A sink
 * can, for example, build a trace model (trace/trace.h) from the events.
 */
#ifndef DEJANK_TRACE_EVENT_H
#define DEJANK_TRACE_EVENT_H

#include "base/error.h"
#include "base/str.h"

enum dj_event_kind {
    DJ_EVENT_OTHER, /* An event whose meaning is unknown. Only its name is stored. */
    /* Events about threads: */
    /* Thread `tid` leaves the CPU in `state`, and thread `other` starts to run. */
    DJ_EVENT_SWITCH,
    /* Thread `tid` wakes thread `other`, which will run on CPU `value`. */
    DJ_EVENT_WAKING,
    DJ_EVENT_WAKEUP,   /* Thread `other` becomes runnable. */
    DJ_EVENT_WAKE_NEW, /* The new thread `other` becomes runnable. */
    /* Thread `other` slept because the kernel function `name` called the scheduler.
     * `value` is 1 if the thread waited for I/O. */
    DJ_EVENT_BLOCKED,
    /* Thread `other` with the name `other_name` is created. `value` contains the flags of
     * clone(), or 0 if the flags are unknown. */
    DJ_EVENT_NEW_TASK,
    DJ_EVENT_RENAME, /* Thread `other` changes its name to `other_name`. */
    DJ_EVENT_EXIT,   /* Thread `other` ends. */
    /* Thread `other` is in the state `thread_state` from now on. Recordings without
     * context switches contain this event. */
    DJ_EVENT_TASK,
    /* Events about CPUs and temperatures: */
    DJ_EVENT_FREQUENCY, /* Frequency of `cpu`: `value` in kHz. */
    DJ_EVENT_LIMITS,    /* Frequency limits of `cpu`: `value` to `value_2` in kHz. */
    /* `cpu` enters idle state `value`, or becomes active if `value` is 4294967295. */
    DJ_EVENT_IDLE,
    DJ_EVENT_GPU_FREQUENCY, /* Frequency of a GPU: `value` in kHz. */
    DJ_EVENT_THERMAL, /* Temperature of zone `name`: `value` in millidegrees Celsius. */
    DJ_EVENT_COOLING, /* Cooling device `name` changes to step `value`. */
    /* Events about interrupts and memory: */
    DJ_EVENT_IRQ_BEGIN, /* The interrupt of line `value` begins in handler `name`. */
    DJ_EVENT_IRQ_END,
    DJ_EVENT_SOFTIRQ_BEGIN, /* The softirq of vector `value` begins. */
    DJ_EVENT_SOFTIRQ_END,
    /* An interrupt that another CPU has raised (IPI) begins. `name` is the reason. */
    DJ_EVENT_IPI_BEGIN,
    DJ_EVENT_IPI_END,
    /* Thread `tid` starts a timer that expires between `value` and `value_2`, in ns of
     * the timer's own clock (usually CLOCK_MONOTONIC). `state` may be DJ_TIMER_HARD. */
    DJ_EVENT_TIMER_START,
    /* Thread `tid` begins to free memory itself (direct reclaim). */
    DJ_EVENT_RECLAIM_BEGIN,
    DJ_EVENT_RECLAIM_END,
    /* Events about requests to devices and to other processes: */
    /* A request to device `value` (the kernel's dev_t), sector `value_2`, is issued. */
    DJ_EVENT_BLOCK_ISSUE,
    /* The request to device `value`, sector `value_2`, is complete. */
    DJ_EVENT_BLOCK_COMPLETE,
    /* Transaction `value` is sent to thread `other`. If `other` is 0, it is sent to any
     * thread of process `value_2`. `state` contains bits of enum dj_binder. */
    DJ_EVENT_BINDER,
    DJ_EVENT_BINDER_RECEIVED, /* Thread `tid` receives transaction `value`. */
    /* A fence is created on timeline `name` of driver `other_name`. `value` is the
     * context of the fence, and `value_2` is its number. These four fields identify the
     * fence in this event and in events of the next four kinds. */
    DJ_EVENT_FENCE_MADE,
    DJ_EVENT_FENCE_EMITTED,    /* The work of the fence is submitted to the device. */
    DJ_EVENT_FENCE_SIGNALED,   /* The device has finished the work of the fence. */
    DJ_EVENT_FENCE_WAIT_BEGIN, /* Thread `tid` begins to wait for the fence. */
    DJ_EVENT_FENCE_WAIT_END,
    /* Events that the app itself writes. All of them happened in thread `tid`: */
    /* Section `name` begins. If `value_2` is not 0, it is the id of a flow. A flow
     * consists of all BEGIN and ASYNC_BEGIN events with the same id, in the order of
     * their times. */
    DJ_EVENT_BEGIN,
    DJ_EVENT_END, /* The innermost open section of the thread ends. */
    DJ_EVENT_INSTANT,
    DJ_EVENT_COUNTER, /* Counter `name` has the value `value`. */
    /* Async section `name` with cookie `value` begins. `other_name` is the name of its
     * track, or empty if there is none. If the event has no CPU, the cookie identifies
     * the track. */
    DJ_EVENT_ASYNC_BEGIN,
    DJ_EVENT_ASYNC_END,
    /* Events about frames. They come from FrameTimeline of a compositor or from rows of
     * gfxinfo: */
    /* A frame with cookie `value` begins. `frame` contains its known properties. */
    DJ_EVENT_FRAME_BEGIN,
    DJ_EVENT_FRAME_END, /* The frame with cookie `value` ends. */
    /* Events about call stacks: */
    /* Thread `tid` had the call stack `stack`. `value` is the time between two samples in
     * ns, or 0 if the stack was not sampled by a timer. */
    DJ_EVENT_STACK,
    /* Events about the trace itself: */
    /* At `at_ns`, clock `name` ("mono" or "realtime") showed `value` ns, with an error of
     * at most `value_2`. If `name` is empty, no other clock was read. `other_name` is the
     * name of the trace's own clock (for example "boot"), or empty if it is unknown. If
     * `state` is 1, the times in the trace are ticks of unknown length. If the event has
     * no CPU, it describes the whole trace, and nothing happened at `at_ns`. */
    DJ_EVENT_CLOCK,
    /* Thread `other` has the name `other_name` and belongs to process `pid`. The process
     * has the name `name`. Each of these three values may be unknown. The event has no
     * time. */
    DJ_EVENT_THREAD,
    /* Events of `cpu` before this event are lost. `value` is their number, or 0 if the
     * number is unknown. If the event has no CPU, no lost event is older than `value_2`.
     * If `value_2` is 0, the times of the lost events are unknown. */
    DJ_EVENT_LOST,
    DJ_EVENT_KINDS
};

/* The state of a thread that is not running. The letters are those that the kernel
 * prints. */
enum dj_task_state {
    DJ_TASK_UNKNOWN,
    DJ_TASK_RUNNABLE, /* Preempted, or waits for a CPU. */
    DJ_TASK_SLEEPING, /* Interruptible sleep: letter S. */
    DJ_TASK_BLOCKED,  /* Uninterruptible sleep: D, usually I/O. */
    DJ_TASK_STOPPED,  /* Letters T and t. */
    DJ_TASK_DEAD,     /* A task that has ended: letters X and Z. */
    DJ_TASK_RESTING   /* Letters I and P: an idle kernel thread. */
};

enum { DJ_PID_UNKNOWN = -1 };

/* Maximum number of CPUs. If an event has this or a higher CPU number, its CPU is treated
 * as unknown. */
enum { DJ_CPUS_MAX = 1 << 16 };

/* Bits for properties of a Binder transaction. The sender of a one-way transaction does
 * not wait for a reply. */
enum dj_binder { DJ_BINDER_REPLY = 1, DJ_BINDER_ONE_WAY = 2 };

/* Bit of the kernel's enum hrtimer_mode. If it is set, the timer expires in a hard
 * interrupt. It is set for timers of the scheduler. It is not set for timers of sleeping
 * threads, except for those of real-time threads with PREEMPT_RT. */
enum { DJ_TIMER_HARD = 8 };

enum dj_frame_side {
    DJ_FRAME_EXPECTED_SURFACE, /* Expected timeline of an app's frame. */
    DJ_FRAME_ACTUAL_SURFACE,   /* Actual timeline of an app's frame. */
    DJ_FRAME_EXPECTED_DISPLAY, /* Expected timeline of the compositor's own frame. */
    DJ_FRAME_ACTUAL_DISPLAY,
    DJ_FRAME_SIDES
};

/* The content of Perfetto's message FrameTimelineEvent. Its numbers have the same
 * meanings as in Perfetto. A number of 0 means that it is not recorded. The struct is
 * valid until the sink returns. */
struct dj_event_frame {
    int64_t token, display_token;
    struct dj_str layer;
    /* Bits of Perfetto's JankType, for example 1 for no jank or 64 for a missed app
     * deadline. */
    uint32_t jank_types;
    uint8_t side;       /* A value of enum dj_frame_side. */
    uint8_t present;    /* 1 on time, 2 late, 3 early, 4 dropped, 5 unknown. */
    uint8_t prediction; /* 1 valid, 2 expired, 3 unknown. */
    uint8_t severity;   /* 1 none, 2 partial, 3 full. */
    bool finished_on_time, composed_by_gpu;
};

/* Maximum number of frames of a stack. */
enum { DJ_STACK_FRAMES_MAX = 1024 };

/* Why a stack was sampled. */
enum dj_stack_source {
    DJ_STACK_CPU,  /* A timer of the CPU expired while the thread ran. */
    DJ_STACK_WAIT, /* The thread left the CPU. */
    DJ_STACK_SOURCES
};

/* How the unwinding of a stack ended. */
enum dj_stack_end {
    DJ_STACK_COMPLETE, /* The outermost frame has no caller. */
    /* The outermost frame has no caller, but one of the callers was guessed, because the
     * code before it had no unwind table. */
    DJ_STACK_GUESSED,
    /* Outer frames are missing: the copied part of the stack was too short, or code had
     * no unwind table. */
    DJ_STACK_INCOMPLETE,
    DJ_STACK_ENDS
};

/* A file that is mapped into a process. */
struct dj_event_mapping {
    struct dj_str path;     /* Path of the file, or a name in brackets such as [vdso]. */
    struct dj_str build_id; /* Bytes of the build-id, or empty if unknown. */
    uint64_t start, end;    /* Addresses of the mapping in the process. */
    uint64_t offset;        /* Offset of the mapping in the file. */
    /* Address minus offset in the file, for the code in the mapped segment. */
    uint64_t load_bias;
};

struct dj_event_call {
    const struct dj_event_mapping *mapping; /* NULL if the address is in no mapping. */
    /* Address of the instruction in the numbering of the file's symbol table. For a
     * caller, the address is inside the call instruction. Without a mapping, it is the
     * address in the process. */
    uint64_t address;
    struct dj_str function; /* Name of the function, or empty if unknown. */
    struct dj_str file;     /* Path of its source file, or empty if unknown. */
    uint32_t line;          /* Line of the address in this file, or 0 if unknown. */
    /* True if the name was found after the recording. Functions that are inlined into
     * another one are then calls of their own, with the same address. */
    bool is_symbolized;
};

/* Either a sample or a loss. The struct is valid until the sink returns. */
struct dj_event_stack {
    const struct dj_event_call *frames; /* The innermost function is first. */
    /* Number of frames. 0 if the stack could not be unwound at all. */
    size_t count;
    /* If not 0, all stacks of this source with this key have the same frames. The writer
     * then compares only the key. */
    uint32_t key;
    uint8_t source; /* A value of enum dj_stack_source. */
    uint8_t end;    /* A value of enum dj_stack_end. */
    bool in_kernel; /* True if the thread was in the kernel. */
    /* If not 0, the event is a loss, and this is the number of lost records of the
     * CPU. */
    uint64_t lost;
};

struct dj_event {
    int64_t at_ns; /* Time in ns of the trace's clock. */
    int64_t value, value_2;
    /* Name of the event, unless the event's kind defines another meaning. */
    struct dj_str name;
    struct dj_str task;       /* Name of thread `tid`, or empty if unknown. */
    struct dj_str other_name; /* Name of thread `other`, or empty if unknown. */
    /* Properties of the frame for DJ_EVENT_FRAME_BEGIN. NULL for events of other kinds.
     */
    const struct dj_event_frame *frame;
    /* The stack for DJ_EVENT_STACK. NULL for events of other kinds. */
    const struct dj_event_stack *stack;
    int32_t tid; /* Thread in which the event happened, or 0 for an idle CPU. */
    int32_t pid; /* Process of thread `tid`, or DJ_PID_UNKNOWN. */
    int32_t other;
    int32_t cpu;  /* Number of the CPU, or −1 if unknown. */
    uint8_t kind; /* A value of enum dj_event_kind. */
    /* For DJ_EVENT_SWITCH: a value of enum dj_task_state. Other kinds define their own
     * meaning. */
    uint8_t state;
    /* For DJ_EVENT_TASK: a value of enum dj_thread_state of trace/trace.h. */
    uint8_t thread_state;
    /* 1 if the event happened in an interrupt. Thread `tid` then did not cause the event.
     */
    uint8_t interrupted;
};

/* Returns an event without a thread and without a CPU. The caller sets the other
 * fields. */
static inline struct dj_event dj_event_make(enum dj_event_kind kind)
{
    return (struct dj_event){.kind = (uint8_t)kind, .pid = DJ_PID_UNKNOWN, .cpu = -1};
}

/* Receives events. If `take` returns a value other than 0, the reader stops and returns
 * this value. */
struct dj_event_sink {
    int (*take)(void *user, const struct dj_event *event);
    void *user;
};

/* Returns true if at_ns is valid. Returns false for events that describe the trace
 * itself, because such events may have no time. */
static inline bool dj_event_has_time(const struct dj_event *event)
{
    return event->kind != DJ_EVENT_THREAD && event->kind != DJ_EVENT_LOST &&
           (event->kind != DJ_EVENT_CLOCK || event->cpu >= 0);
}

/* Returns true if the event shows that thread `tid` is running on the CPU now. This may
 * contradict the recorded switches. `ran` is the thread that the last recorded switch
 * started, or 0 if the CPU is idle. Events of apps count only if `ran` is 0, because some
 * recordings contain wrong CPUs for them. Returns false for context switches. */
bool dj_event_shows_running_thread(const struct dj_event *event, int32_t ran);

/* Returns true if the text is empty, or if it is a placeholder instead of the name of a
 * thread. The kernel and trace-cmd write placeholders for unknown names and for idle
 * CPUs. */
bool dj_event_is_placeholder_name(struct dj_str words);
static inline bool dj_event_is_known_name(struct dj_str words)
{
    return words.length > 0 &&
           (words.at[0] != '<' || !dj_event_is_placeholder_name(words));
}

/* Returns the name that the kernel gives to the main thread of a program or package.
 * `name` is a path or the name of a package. For a path, the result is the name of the
 * file. Otherwise it is the last 15 bytes of the name, as on Android. Names of kernel
 * threads are unchanged. The result points into `name`. */
struct dj_str dj_event_shorten_task_name(struct dj_str name);

/* Converts the state of a task from the letters that the kernel prints ("S", "R+", "D|K")
 * or from a printed number. The bits of a number are the bits of the state. */
enum dj_task_state dj_event_parse_task_state(struct dj_str text);

/* Converts the state of a task from a number, whose bits are the bits of the state. */
enum dj_task_state dj_event_decode_task_state(int64_t bits);

#endif
