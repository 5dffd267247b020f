/*
 * trace: the model of a recorded trace, whatever tool recorded the trace. The model
 * contains slices of threads, async slices, counters, thread states and frames. It does
 * not interpret them and prints nothing.
 *
 * This header defines the model. All timestamps are in ns of the clock that the trace
 * was recorded with. In recordings of dejank this clock is CLOCK_MONOTONIC of the
 * device.
 */
#ifndef DEJANK_TRACE_TRACE_H
#define DEJANK_TRACE_TRACE_H

#include "base/text.h"
#include "trace/event.h"
#include "trace/fold.h"
#include "trace/name_table.h"

/* A slice is a named section of work, with a begin and usually an end. */
struct dj_trace_slice {
    const char *name;
    int64_t start_ns;
    int64_t end_ns; /* Time of the end. Undefined while `open` is set. */
    /* Duration minus the duration of the slices inside this one. 0 for async and open
     * slices. */
    int64_t self_ns;
    int64_t cookie; /* Cookie that identifies an async slice. Unused for other slices. */
    uint32_t tid;   /* Thread that began the slice. */
    uint32_t end_tid;
    uint32_t depth; /* Number of slices around this one on its thread. */
    bool async;
    bool open; /* The trace ended before the slice did. */
};

struct dj_trace_count {
    const char *name;
    int64_t at_ns;
    int64_t value;
    uint32_t tid;
};

struct dj_trace_thread {
    uint32_t tid;
    int32_t pid;   /* Process of the thread, or −1 if unknown. */
    char name[16]; /* Name, or "" if unknown. */
    /* Time from which the id belongs to this thread, if an earlier thread had the same
     * id. Otherwise INT64_MIN or 0. */
    int64_t from_ns;
};

/* The full name of a process, for example the name of its package. The model stores it
 * separately because the kernel truncates the names of threads. */
struct dj_trace_process {
    int32_t pid;
    const char *name;
};

/* ---- thread states, as the scheduler sees them ---- */
/* Number of CPUs for which a trace stores a maximum frequency. */
enum { DJ_TRACE_CPUS = 64 };

enum dj_thread_state {
    DJ_THREAD_UNKNOWN, /* The thread does not run, and the reason is unknown. */
    DJ_THREAD_RUNNING,
    DJ_THREAD_RUNNABLE,   /* Was woken and waits for a CPU. */
    DJ_THREAD_PREEMPTED,  /* Was preempted and waits for a CPU. */
    DJ_THREAD_SLEEPING,   /* Interruptible sleep. */
    DJ_THREAD_BLOCKED,    /* Uninterruptible sleep. */
    DJ_THREAD_BLOCKED_IO, /* Waits for I/O, according to the kernel. */
    DJ_THREAD_STOPPED,
    DJ_THREAD_DEAD,
    DJ_THREAD_STATES
};

/* Returns a static string, for example "running" or "blocked-io". */
const char *dj_trace_get_thread_state_name(enum dj_thread_state state);

/* The state of a thread between two changes of its state. */
struct dj_trace_state {
    /* The state includes start_ns and ends before end_ns. Open states end with the
     * trace. */
    int64_t start_ns, end_ns;
    uint32_t tid;
    int32_t cpu; /* CPU on which the thread runs or ran last, or −1 if unknown. */
    /* Index of this state among all states of its thread. Orders states with equal
     * times. */
    uint32_t turn;
    int32_t waker;     /* Thread that ended the previous sleep, or −1 if unknown. */
    int32_t waker_cpu; /* CPU on which the waker ran, or −1 if unknown. */
    uint8_t state;     /* A value of enum dj_thread_state. */
    bool open;         /* The trace ended before the state did. */
    /* An interrupt on the waker's CPU woke the thread, not the code of thread `waker`. */
    bool interrupted;
    /* Kernel function in which the thread slept, or NULL if unknown. */
    const char *blocked_in;
};

/* A frame of an app or of the compositor, as the compositor recorded it. It combines an
 * expected and an actual timeline with equal process and token, and with equal layer if
 * possible. */
struct dj_trace_frame {
    const char *layer; /* Name of the layer, or "" if unknown. */
    /* Both 0 if there is no expected timeline. */
    int64_t expected_start_ns, expected_end_ns;
    int64_t start_ns, end_ns;     /* Both 0 if the frame was never produced. */
    int64_t token, display_token; /* 0 if there is none. */
    int32_t pid;
    /* These five fields have the meanings that struct dj_event_frame defines. */
    uint32_t jank_types;
    uint8_t present, prediction, severity;
    bool finished_on_time, composed_by_gpu;
    bool display; /* A frame of the compositor itself. */
    bool open;    /* The trace ended before the frame did. */
};

/* An event stored for later analysis: an interrupt, a request, a CPU change or a loss. */
struct dj_trace_mark {
    /* These fields have the same meanings as in struct dj_event. */
    int64_t at_ns, value, value_2;
    const char *name; /* Name, or "" if there is none. */
    int32_t tid, other, cpu;
    uint8_t kind; /* A value of enum dj_event_kind. */
    uint8_t state;
};

/* What a span describes. Each comment says what the fields of struct dj_trace_span
 * contain. The first six kinds are readings. A reading is valid until the next reading.
 */
enum dj_trace_span_kind {
    DJ_SPAN_FREQUENCY,     /* Frequency of `cpu`: `value` in kHz. */
    DJ_SPAN_LIMITS,        /* Frequency limits of `cpu`: `value` to `value_2` in kHz. */
    DJ_SPAN_GPU_FREQUENCY, /* Frequency of GPU number `value_2`: `value` in kHz. */
    DJ_SPAN_THERMAL, /* Temperature of zone `name`: `value` in millidegrees Celsius. */
    DJ_SPAN_COOLING, /* Cooling device `name` is at step `value`. */
    /* `cpu` is in idle state `value`, until it changes its idle state or wakes up. */
    DJ_SPAN_IDLE,
    /* An interrupt of thread `tid`. `value` is the IRQ line, or the softirq vector if
     * `soft` is set, or −1 for an interrupt from another CPU (IPI). */
    DJ_SPAN_INTERRUPT,
    DJ_SPAN_RECLAIM, /* Thread `tid` reclaims memory itself (direct reclaim). */
    /* Disk request of thread `tid` to device `value` (the kernel's dev_t) at sector
     * `value_2`. */
    DJ_SPAN_DISK,
    /* Binder transaction `value` of thread `tid`, until thread `other` received it.
     * Before it was received, `other` is the target thread, or 0 if any thread of
     * process `pid` may receive it. */
    DJ_SPAN_BINDER,
    /* Fence number `value_2` of context `value`, from its creation by thread `tid`
     * until its device signaled it. `name` is "DRIVER/TIMELINE". */
    DJ_SPAN_FENCE,
    /* Thread `tid` waits for fence number `value_2` of context `value`. */
    DJ_SPAN_FENCE_WAIT,
    DJ_SPAN_KINDS
};

/* A span of time: a reading of a CPU or device, an interrupt, or a request. */
struct dj_trace_span {
    const char *name; /* Name, or "" if there is none. */
    int64_t start_ns, end_ns;
    /* If `reply` is set, value_2 is the transaction that the reply answers. */
    int64_t value, value_2;
    /* Time at which the answered transaction was sent. Valid if `answers` is set. */
    int64_t asked_ns;
    int32_t tid, other; /* −1 if unknown. */
    int32_t pid;        /* Target process of a transaction, or −1 if unknown. */
    int32_t cpu;        /* −1 if unknown. */
    uint8_t kind;       /* A value of enum dj_trace_span_kind. */
    uint32_t issues;    /* How many times a disk request was issued. */
    bool soft, reply, answers, one_way;
    /* The end of the span is not recorded. For readings, end_ns is then the end of the
     * trace. For other kinds, or if the end of the trace is unknown, end_ns equals
     * start_ns. */
    bool open;
    bool unbegun; /* The begin is not recorded. Then start_ns equals end_ns. */
};

/* The relation between the trace's clock and CLOCK_MONOTONIC, the clock of framestats. */
struct dj_trace_clock {
    bool known;
    int64_t to_mono_ns; /* Add it to a time of the trace to get CLOCK_MONOTONIC. */
    int64_t error_ns;   /* Maximum error of to_mono_ns in either direction. */
    bool ticks;    /* Times in the trace are ticks of unknown length, not nanoseconds. */
    char name[16]; /* Name of the trace's clock, for example "boot", or "" if unknown. */
};

/* A trace. Zero it before use. Arrays and rows with "Owned" in their comment are freed
 * by dj_trace_finish(). */
struct dj_trace {
    /* Maximum memory in bytes for slices, for counts and for states, each. Set it
     * before reading. If it is 0, all elements are in the three arrays. Otherwise the
     * arrays are NULL and the elements may be in unnamed temporary files. The three
     * numbers of elements are valid in both cases, and dj_trace_next_slice(),
     * dj_trace_next_count() and dj_trace_next_state() return the elements in both
     * cases. */
    size_t memory_bytes;
    const char *source; /* Kind of recording, a static string. */
    char process[256], program[256];
    int64_t pid;
    bool ended; /* The process has ended. */
    /* Times of the first and last event. Both 0 if there are no events. */
    int64_t first_ns, last_ns;
    struct dj_trace_slice *slices; /* Sorted by start, outer slices first. Owned. */
    size_t slice_count;
    struct dj_trace_count *counts; /* Sorted by time. Owned. */
    size_t count_count;
    struct dj_trace_state *states; /* Sorted by start, then tid. Owned. */
    size_t state_count;
    struct dj_trace_thread *threads; /* Sorted by tid, then from_ns. Owned. */
    size_t thread_count;
    /* Processes with a known name, sorted by pid. Owned. */
    struct dj_trace_process *processes;
    size_t process_count;
    /* Sorted by actual start, or by expected start if there is no actual start. Owned. */
    struct dj_trace_frame *frames;
    size_t frame_count;
    bool keep_marks; /* Set it before reading if `marks` should be filled. */
    /* Set it before reading if only state_count is needed. Then no states are stored. */
    bool count_states;
    /* Set it before reading if only dj_trace_sum_slices() is needed. Then no slices are
     * stored. */
    bool sum_slices;
    struct dj_trace_mark *marks; /* Sorted by time. Owned. */
    size_t mark_count;
    bool keep_spans; /* Set it before reading if spans should be stored. */
    struct dj_trace_clock clock;
    /* ---- what is missing ---- */
    uint64_t overwritten; /* Fragments of events that newer fragments overwrote. */
    /* Overwritten chunks of Perfetto's ring buffers. If it is not 0, the trace begins
     * later than its recording did. */
    uint64_t overwritten_chunks;
    /* Perfetto packets that were skipped because they refer to overwritten chunks. */
    uint64_t skipped_packets;
    /* Events of some threads before this time are lost. 0 if no events are lost. */
    int64_t whole_from_ns;
    uint64_t dropped; /* Events that the recorder dropped. */
    uint64_t damaged; /* Damaged parts that could not be read. */
    uint64_t unread; /* Additional trace.dat instances with events. They were not read. */
    /* Context switches that are missing in the trace. Later events imply that they
     * happened. */
    uint64_t switches;
    uint64_t endings; /* Ends of slices without a begin. */
    /* Events with an earlier time than a previous event, because time ran backwards or
     * the recorded times wrapped around. */
    uint64_t backwards;
    int64_t backwards_ns; /* The largest step backwards. */
    uint64_t events;      /* Events that were read. 0 for recordings of dejank. */
    /* Used if memory_bytes is not 0. Owned. */
    struct dj_trace_rows slice_rows, count_rows, state_rows;
    /* Used if keep_spans is set, with any memory_bytes. Owned. */
    struct dj_trace_rows span_rows;
    /* Maximum frequency of each CPU according to the trace, or 0 if unknown. */
    int64_t core_khz[DJ_TRACE_CPUS];
    /* Events have no interrupt flags. Only events about interrupts show what happened
     * in an interrupt. */
    bool without_flags;
    struct dj_trace_fold sums; /* Sums of slices if sum_slices is set. Owned. */
    /* Line of the first damaged part, or 0 if there is no damage or the input is
     * binary. */
    uint64_t first_damaged_line;
    /* For binary input: the first damage, that is, what was expected at which byte. ""
     * if unknown. */
    char damage[200];
    /* Names of the traces if the input is an archive with several traces. The trace
     * that was read is first. A NUL ends each name. */
    struct dj_text members;
    /* 0 if the input is not an archive or contains only one trace. */
    size_t member_count;
    /* Storage of all names if the trace is a recording of dejank. Owned. */
    struct dj_text names;
    /* Storage of all names if the trace is of another kind. Owned. */
    struct dj_trace_names name_store;
};

void dj_trace_finish(struct dj_trace *trace);

/* Returns the name of the thread that had this id at time `at_ns`. Returns the name of
 * the last thread with this id if none is known for that time, and "" if the name is
 * unknown. The string is valid as long as the trace. */
const char *dj_trace_get_thread_name_at(const struct dj_trace *trace, uint32_t tid,
                                        int64_t at_ns);
const char *dj_trace_get_thread_name(const struct dj_trace *trace, uint32_t tid);

/* Returns the thread that had this id at time `at_ns`. Returns the first known thread
 * with this id if all of them started later, and NULL if no thread with this id is
 * known. */
const struct dj_trace_thread *dj_trace_find_thread_at(const struct dj_trace *trace,
                                                      uint32_t tid, int64_t at_ns);

/* A position in one of the sequences below. Zero it to start or restart. Each sequence
 * supports only one position at a time. */
struct dj_trace_position {
    size_t at;
    /* Set it at the start if the order of the elements does not matter. This is faster.
     */
    bool any_order;
    bool begun;
};

/* Return the next element, in the order of the arrays even if the arrays are NULL. The
 * element is valid until the next call. Return NULL at the end or after an error. Use
 * dj_trace_get_error() to distinguish the two. */
const struct dj_trace_slice *dj_trace_next_slice(struct dj_trace *trace,
                                                 struct dj_trace_position *position);
const struct dj_trace_count *dj_trace_next_count(struct dj_trace *trace,
                                                 struct dj_trace_position *position);
const struct dj_trace_state *dj_trace_next_state(struct dj_trace *trace,
                                                 struct dj_trace_position *position);
/* Returns the next span, sorted by kind, then by start. */
const struct dj_trace_span *dj_trace_next_span(struct dj_trace *trace,
                                               struct dj_trace_position *position);
int dj_trace_get_error(const struct dj_trace *trace, struct dj_error *err);

/* Returns the full name of a process, or "" if unknown. */
const char *dj_trace_get_process_name(const struct dj_trace *trace, int32_t pid);

/* The sums of all slices with the same name. */
struct dj_trace_sum {
    const char *name;
    bool async;
    size_t count, open;
    /* Sums and maximum of the slices that ended. */
    int64_t total_ns, self_ns, longest_ns;
};

/* Sums up slices by name. Writes rows of type struct dj_trace_sum to *sums: the largest
 * self time first, then async slices, the largest total first. The caller must finish
 * *sums, also after an error. Returns 0 or the error of dj_trace_rows_get_error(). */
int dj_trace_sum_slices(struct dj_trace *trace, struct dj_trace_rows *sums,
                        struct dj_error *err);

#endif
