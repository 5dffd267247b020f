/*
 * trace: the model of a recorded trace. It is the same for all tools that record traces.
 * The model contains slices of threads, async slices, counters, thread states and frames.
 * The module does not interpret them and prints nothing.
 *
 * This header defines the model. All times are in ns of the clock that the trace uses. In
 * recordings of dejank, this clock is the device's CLOCK_MONOTONIC.
 */
#ifndef DEJANK_TRACE_TRACE_H
#define DEJANK_TRACE_TRACE_H

#include "base/text.h"
#include "calls/tree.h"
#include "trace/event.h"
#include "trace/fold.h"
#include "trace/name_table.h"

/* A slice is a named section of work. It has a begin and usually an end. A slice of a
 * thread is inside another slice of this thread or outside of it. Async slices may
 * overlap. */
struct dj_trace_slice {
    const char *name;
    int64_t start_ns;
    int64_t end_ns; /* Time of the end. Not valid if `open` is set. */
    /* Duration minus the durations of the slices directly inside this one. 0 for async
     * slices and for open slices. */
    int64_t self_ns;
    int64_t cookie; /* Cookie that identifies an async slice. Unused for other slices. */
    uint32_t tid;   /* Thread that began the slice. */
    uint32_t end_tid;
    uint32_t depth; /* Number of slices of the same thread that contain this one. */
    bool async;
    bool open; /* True if the slice had not ended at the end of the trace. */
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
    /* If an earlier thread had the same id, the time from which this thread has the id.
     * Otherwise INT64_MIN or 0. */
    int64_t from_ns;
};

/* A process with its full name, for example the name of a package. The main thread of a
 * process has the same name, but the kernel truncates names of threads. */
struct dj_trace_process {
    int32_t pid;
    const char *name;
};

/* Number of CPUs for which a trace stores a maximum frequency. */
enum { DJ_TRACE_CPUS = 64 };

enum dj_thread_state {
    DJ_THREAD_UNKNOWN, /* The thread does not run. It is unknown why. */
    DJ_THREAD_RUNNING,
    DJ_THREAD_RUNNABLE,  /* The thread was woken and waits for a CPU. */
    DJ_THREAD_PREEMPTED, /* The thread was preempted and waits for a CPU. */
    DJ_THREAD_SLEEPING,  /* Interruptible sleep. */
    DJ_THREAD_BLOCKED,   /* Uninterruptible sleep. */
    /* Uninterruptible sleep. The kernel reports that the thread waits for I/O. */
    DJ_THREAD_BLOCKED_IO,
    DJ_THREAD_STOPPED,
    DJ_THREAD_DEAD,
    DJ_THREAD_STATES
};

/* Returns the name of a state, for example "running" or "blocked-io". The string is
 * static. */
const char *dj_trace_get_thread_state_name(enum dj_thread_state state);

/* The state of a thread from start_ns until it changes. */
struct dj_trace_state {
    /* First time of the state, and first time after it. An open state ends with the
     * trace. */
    int64_t start_ns, end_ns;
    uint32_t tid;
    int32_t cpu; /* CPU on which the thread runs or ran last, or −1 if unknown. */
    /* Index of this state among all states of its thread. It determines the order of
     * states with equal times. */
    uint32_t turn;
    /* Id of the thread that ended the sleep before this state, or −1 if unknown. */
    int32_t waker;
    int32_t waker_cpu; /* CPU on which the waker ran, or −1 if unknown. */
    uint8_t state;     /* A value of enum dj_thread_state. */
    bool open;         /* True if the state had not ended at the end of the trace. */
    /* True if an interrupt on the waker's CPU woke the thread. Thread `waker` was then
     * running, but did not wake the thread. */
    bool interrupted;
    /* Kernel function in which the thread slept, or NULL if unknown. */
    const char *blocked_in;
};

/* A frame of an app or of the compositor, as the compositor recorded it. It combines an
 * expected timeline and an actual timeline. Both have the same process and token, and the
 * same layer if possible. */
struct dj_trace_frame {
    const char *layer; /* Name of the layer, or "" if unknown. */
    /* Expected start and end. Both are 0 if there is no expected timeline. */
    int64_t expected_start_ns, expected_end_ns;
    /* Actual start and end. Both are 0 if the frame was not produced. */
    int64_t start_ns, end_ns;
    /* Tokens that identify the frame and the frame of the display in which it was shown.
     * 0 if there is none. */
    int64_t token, display_token;
    int32_t pid;
    /* struct dj_event_frame defines the meanings of the next five fields. */
    uint32_t jank_types;
    uint8_t present, prediction, severity;
    bool finished_on_time, composed_by_gpu;
    bool display; /* True if this is a frame of the compositor itself. */
    bool open;    /* True if the frame had not ended at the end of the trace. */
};

/* An event that is stored unchanged for later analysis: an interrupt, a request, a change
 * of a CPU, or a loss of events. */
struct dj_trace_mark {
    /* The members have the same meanings as in struct dj_event. */
    int64_t at_ns, value, value_2;
    const char *name; /* Name, or "" if there is none. */
    int32_t tid, other, cpu;
    uint8_t kind; /* A value of enum dj_event_kind. */
    uint8_t state;
};

/* A sampled stack of a thread. */
struct dj_trace_sample {
    int64_t at_ns;
    int64_t ns;     /* Time that the sample represents, or 0 if unknown. */
    uint32_t node;  /* Innermost node of the stack in trace->calls. */
    uint32_t tid;   /* Thread, or 0 if unknown. */
    int32_t pid;    /* Process, or −1 if unknown. */
    uint8_t source; /* A value of enum dj_stack_source. */
    uint8_t end;    /* A value of enum dj_stack_end. */
    bool in_kernel; /* True if the thread was in the kernel. */
};

/* The kind of a span. The comments say which values the members of struct
 * dj_trace_span have. The first six kinds are readings. A reading is a value that was
 * recorded when it changed, so it is valid until the next reading. */
enum dj_trace_span_kind {
    DJ_SPAN_FREQUENCY,     /* Frequency of `cpu`: `value` in kHz. */
    DJ_SPAN_LIMITS,        /* Frequency limits of `cpu`: `value` to `value_2` in kHz. */
    DJ_SPAN_GPU_FREQUENCY, /* Frequency of GPU number `value_2`: `value` in kHz. */
    DJ_SPAN_THERMAL, /* Temperature of zone `name`: `value` in millidegrees Celsius. */
    DJ_SPAN_COOLING, /* Cooling device `name` is at step `value`. */
    /* `cpu` is in idle state `value`. The span ends when the CPU enters another idle
     * state or becomes active. */
    DJ_SPAN_IDLE,
    /* An interrupt during thread `tid`. `value` is the IRQ line. If `soft` is set, it is
     * the softirq vector. For an interrupt from another CPU (IPI), it is −1. */
    DJ_SPAN_INTERRUPT,
    DJ_SPAN_RECLAIM, /* Thread `tid` frees memory itself (direct reclaim). */
    /* Disk request of thread `tid` to device `value` (the kernel's dev_t) at sector
     * `value_2`. */
    DJ_SPAN_DISK,
    /* Binder transaction `value` of thread `tid`. The span ends when thread `other`
     * receives the transaction. If it was not received, `other` is the target thread, or
     * 0 if any thread of process `pid` may receive it. */
    DJ_SPAN_BINDER,
    /* Fence number `value_2` of context `value`. Thread `tid` creates it, and the span
     * ends when the device signals it. `name` is "DRIVER/TIMELINE". */
    DJ_SPAN_FENCE,
    /* Thread `tid` waits for fence number `value_2` of context `value`. */
    DJ_SPAN_FENCE_WAIT,
    DJ_SPAN_KINDS
};

/* A span of time: a reading of a CPU or device, an interrupt, or a request. */
struct dj_trace_span {
    const char *name; /* Name, or "" if there is none. */
    int64_t start_ns, end_ns;
    /* The meaning of `value` and `value_2` depends on the kind. For a Binder transaction
     * that is a reply (`reply` is set), value_2 is the id of the transaction that it
     * answers. */
    int64_t value, value_2;
    /* For a reply: time at which the answered transaction was sent. Valid if `answers` is
     * set. */
    int64_t asked_ns;
    int32_t tid, other; /* Ids of threads, or −1 if unknown. */
    int32_t pid;        /* Target process of a transaction, or −1 if unknown. */
    int32_t cpu;        /* Number of the CPU, or −1 if unknown. */
    uint8_t kind;       /* A value of enum dj_trace_span_kind. */
    uint32_t issues;    /* How many times a disk request was issued. */
    bool soft, reply, answers, one_way;
    /* True if the end of the span is not recorded. For the kinds with a value, such as
     * a frequency or a temperature, end_ns is then the end of the trace. For all other
     * kinds, or if the end of the trace is unknown, end_ns is equal to start_ns. */
    bool open;
    /* True if the begin of the span is not recorded. start_ns is then equal to end_ns. */
    bool unbegun;
};

/* The relation between the trace's clock and CLOCK_MONOTONIC. Framestats use
 * CLOCK_MONOTONIC. */
struct dj_trace_clock {
    bool known;
    int64_t to_mono_ns; /* Add it to a time of the trace to get CLOCK_MONOTONIC. */
    int64_t error_ns;   /* Maximum error of to_mono_ns in either direction. */
    /* True if the times in the trace are ticks of unknown length instead of nanoseconds.
     */
    bool ticks;
    char name[16]; /* Name of the trace's clock, for example "boot", or "" if unknown. */
};

/* A trace. Zero the struct before use. dj_trace_finish() frees the arrays and rows whose
 * comments contain "Owned". */
struct dj_trace {
    /* Maximum memory in bytes for slices, and the same for counts, states and samples.
     * Set this member before reading. If it is 0, the arrays `slices`, `counts` and
     * `states` contain all elements. Otherwise the three arrays are NULL, and elements
     * may be in temporary files. In both cases, dj_trace_next_slice(),
     * dj_trace_next_count() and dj_trace_next_state() return all elements, and
     * slice_count, count_count and state_count are valid. */
    size_t memory_bytes;
    /* Kind of the recording, for example "ftrace". A static string. */
    const char *source;
    char process[256], program[256];
    int64_t pid;
    bool ended; /* True if the process had ended when the recording was read. */
    /* Times of the first and last event. Both 0 if there are no events. */
    int64_t first_ns, last_ns;
    /* Slices, sorted by start, outer slices first. Owned by this struct. */
    struct dj_trace_slice *slices;
    size_t slice_count;
    /* Values of counters, sorted by time. Owned by this struct. */
    struct dj_trace_count *counts;
    size_t count_count;
    /* Thread states, sorted by start, then tid. Owned by this struct. */
    struct dj_trace_state *states;
    size_t state_count;
    /* Threads, sorted by tid, then from_ns. Owned by this struct. */
    struct dj_trace_thread *threads;
    size_t thread_count;
    /* Processes with a known name, sorted by pid. Owned by this struct. */
    struct dj_trace_process *processes;
    size_t process_count;
    /* Frames, sorted by actual start. A frame without an actual start is sorted by its
     * expected start. Owned by this struct. */
    struct dj_trace_frame *frames;
    size_t frame_count;
    bool keep_marks; /* Set this member before reading to get `marks`. */
    /* Set this member before reading if only the number of states (state_count) is
     * needed. The states are then not stored. */
    bool count_states;
    /* Set this member before reading if slices are needed only for dj_trace_sum_slices().
     * The slices of a regular file are then not stored. dj_trace_read() clears it and
     * stores the slices if the input cannot be read twice, such as standard input or a
     * pipe, or if the slices cannot be summed up while they are read. */
    bool sum_slices;
    /* Stored events, sorted by time. Owned by this struct. */
    struct dj_trace_mark *marks;
    size_t mark_count;
    bool keep_samples; /* Set this member before reading to get samples and `calls`. */
    /* Samples of stacks, sorted by time. Owned by this struct. If memory_bytes is not 0,
     * NULL: dj_trace_next_sample() returns the samples. */
    struct dj_trace_sample *samples;
    size_t sample_count;
    struct dj_calls_tree calls; /* The stacks of the samples. Owned by this struct. */
    uint64_t stack_count;       /* Number of sampled stacks, also without keep_samples. */
    uint64_t samples_lost;      /* Number of samples that were lost. */
    /* Set this member before reading to get spans from dj_trace_next_span(). */
    bool keep_spans;
    struct dj_trace_clock clock;
    /* The following numbers and flags describe which data the trace lacks. */
    /* Number of fragments of events that newer fragments have overwritten. */
    uint64_t overwritten;
    /* Number of chunks that were overwritten in Perfetto's ring buffers. If it is not 0,
     * the trace begins later than its recording. */
    uint64_t overwritten_chunks;
    /* Number of Perfetto packets that were skipped because they refer to overwritten
     * chunks. */
    uint64_t skipped_packets;
    /* Before this time, events of some threads are lost. 0 if no events are lost. */
    int64_t whole_from_ns;
    uint64_t dropped; /* Number of events that the recorder dropped. */
    uint64_t damaged; /* Number of damaged parts that could not be read. */
    /* Number of further tracing instances in a trace.dat that contain events. They were
     * not read. */
    uint64_t unread;
    /* Number of context switches that the trace does not contain. Later events show that
     * they must have happened. */
    uint64_t switches;
    uint64_t endings; /* Number of ends of slices that have no begin. */
    /* Number of events with an earlier time than a previous event. Either time ran
     * backwards, or the recorded times wrapped around. */
    uint64_t backwards;
    /* Largest difference between such an event and the previous event. */
    int64_t backwards_ns;
    uint64_t events; /* Number of events that were read. 0 for recordings of dejank. */
    /* Used if memory_bytes is not 0: slices, counter values, states and samples. Owned by
     * this struct. */
    struct dj_trace_rows slice_rows, count_rows, state_rows, sample_rows;
    /* Spans if keep_spans is set. Used even if memory_bytes is 0. Owned by this
     * struct. */
    struct dj_trace_rows span_rows;
    /* Maximum frequency of each CPU according to the trace, or 0 if unknown. */
    int64_t core_khz[DJ_TRACE_CPUS];
    /* True if the events of the trace contain no interrupt flags. Only the begins and
     * ends of interrupts then show what happened in an interrupt. */
    bool without_flags;
    /* Sums of slices if sum_slices is set. Owned by this struct. */
    struct dj_trace_fold sums;
    /* Number of the line with the first damaged part. 0 if there is no damage or the
     * input is binary. */
    uint64_t first_damaged_line;
    /* Message about the first damage in binary input. It states the byte offset and the
     * expected content. "" if unknown. */
    char damage[200];
    /* Sentences about the input that a reader should know, for example which event was
     * sampled. A NUL ends each. */
    struct dj_text notes;
    size_t note_count;
    /* If the input is an archive with several traces, the names of these traces. The
     * trace that was read is first. A NUL ends each name. */
    struct dj_text members;
    /* Number of names in `members`. 0 if the input is not an archive or contains only one
     * trace. */
    size_t member_count;
    /* Storage of all names for recordings of dejank. Owned by this struct. */
    struct dj_text names;
    /* Storage of all names for other kinds of traces. Owned by this struct. */
    struct dj_trace_names name_store;
};

void dj_trace_finish(struct dj_trace *trace);

/* States that the trace's clock is CLOCK_MONOTONIC. Does nothing if the trace itself
 * relates its clock to CLOCK_MONOTONIC, or if its times are ticks. */
void dj_trace_assume_monotonic(struct dj_trace *trace);

/* Returns the name of the thread that dj_trace_find_thread_at() returns, or "" if it is
 * unknown. The string is valid as long as the trace. */
const char *dj_trace_get_thread_name_at(const struct dj_trace *trace, uint32_t tid,
                                        int64_t at_ns);

/* Returns the name of the last thread with this id, or "" if it is unknown. The string is
 * valid as long as the trace. */
const char *dj_trace_get_thread_name(const struct dj_trace *trace, uint32_t tid);

/* Returns the thread that had this id at `at_ns`. If all known threads with this id
 * started later, returns the first of them. Returns NULL if no thread with this id is
 * known. */
const struct dj_trace_thread *dj_trace_find_thread_at(const struct dj_trace *trace,
                                                      uint32_t tid, int64_t at_ns);

/* A position in the sequence of all slices, counts, states, samples or spans. Zero it to
 * start from the beginning. Only one position at a time may be used for each sequence. */
struct dj_trace_position {
    size_t at;
    /* Set this member before the first call if the order of the elements does not matter.
     * This is faster. */
    bool any_order;
    bool begun;
};

/* Return the next element, or NULL at the end or after an error. The order of the
 * elements is that of the arrays, even if the arrays are NULL. The element is valid until
 * the next call. Use dj_trace_get_error() to distinguish the end from an error. */
const struct dj_trace_slice *dj_trace_next_slice(struct dj_trace *trace,
                                                 struct dj_trace_position *position);
const struct dj_trace_count *dj_trace_next_count(struct dj_trace *trace,
                                                 struct dj_trace_position *position);
const struct dj_trace_state *dj_trace_next_state(struct dj_trace *trace,
                                                 struct dj_trace_position *position);
const struct dj_trace_sample *dj_trace_next_sample(struct dj_trace *trace,
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
    /* Sums over the slices that have an end, and the longest duration of these slices. */
    int64_t total_ns, self_ns, longest_ns;
};

/* Sums up slices by name, and writes rows of type struct dj_trace_sum to *sums. Slices of
 * threads come first, sorted by self time, the largest first. Async slices follow, sorted
 * by total time. The caller must finish *sums, even after an error. Returns 0 or the
 * error of dj_trace_rows_get_error(). */
int dj_trace_sum_slices(struct dj_trace *trace, struct dj_trace_rows *sums,
                        struct dj_error *err);

#endif
