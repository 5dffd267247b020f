/*
 * trace: the model of a recorded trace. It holds slices of threads, async slices,
 * counters, thread states and frames, whatever tool recorded them. It does not interpret
 * them and prints nothing.
 *
 * This header defines the model. All stamps are ns of the clock that the trace was
 * recorded with. In recordings of dejank that is CLOCK_MONOTONIC of the device.
 */
#ifndef DEJANK_TRACE_TRACE_H
#define DEJANK_TRACE_TRACE_H

#include "base/text.h"
#include "trace/event.h"
#include "trace/fold.h"
#include "trace/name_table.h"

/* A section with a begin and, usually, an end. */
struct dj_trace_slice {
    const char *name;
    int64_t start_ns;
    int64_t end_ns; /* undefined while `open` */
    /* duration without the slices inside it; 0 for async and open slices */
    int64_t self_ns;
    int64_t cookie; /* only for async slices */
    uint32_t tid;   /* thread that began it */
    uint32_t end_tid;
    uint32_t depth; /* number of slices around it on its thread */
    bool async;
    bool open; /* the trace ended before the slice did */
};

struct dj_trace_count {
    const char *name;
    int64_t at_ns;
    int64_t value;
    uint32_t tid;
};

struct dj_trace_thread {
    uint32_t tid;
    int32_t pid;     /* of its process; −1 unknown */
    char name[16];   /* "" unknown */
    int64_t from_ns; /* if an earlier thread had the same id: the time from which the id
                        belongs to this thread; else INT64_MIN or 0 */
};

/* The full name of a process, for example its package. The kernel truncates the names of
 * threads. */
struct dj_trace_process {
    int32_t pid;
    const char *name;
};

/* ---- thread states, as the scheduler sees them ---- */
/* The trace keeps no maximum frequency for CPUs with a higher number. */
enum { DJ_TRACE_CPUS = 64 };

enum dj_thread_state {
    DJ_THREAD_UNKNOWN, /* it does not run, for an unknown reason */
    DJ_THREAD_RUNNING,
    DJ_THREAD_RUNNABLE,   /* woken, waits for a CPU */
    DJ_THREAD_PREEMPTED,  /* preempted, waits for a CPU */
    DJ_THREAD_SLEEPING,   /* interruptible sleep */
    DJ_THREAD_BLOCKED,    /* uninterruptible sleep */
    DJ_THREAD_BLOCKED_IO, /* the kernel reported that it waits for I/O */
    DJ_THREAD_STOPPED,
    DJ_THREAD_DEAD,
    DJ_THREAD_STATES
};

/* Returns a static string, for example "running" or "blocked-io". */
const char *dj_trace_get_thread_state_name(enum dj_thread_state state);

/* One state of a thread, from one change to the next. */
struct dj_trace_state {
    int64_t start_ns, end_ns; /* [start, end); open states end with the trace */
    uint32_t tid;
    int32_t cpu; /* CPU that it runs on, or ran on last; −1 unknown */
    /* index of this state on its thread; orders states with equal stamps */
    uint32_t turn;
    int32_t waker;     /* thread that ended the previous sleep; −1 unknown */
    int32_t waker_cpu; /* CPU on which the waker ran; −1 unknown */
    uint8_t state;     /* enum dj_thread_state */
    bool open;         /* the trace ended before the state did */
    bool interrupted;  /* an interrupt woke the thread, not the work of thread `waker` */
    const char *blocked_in; /* kernel function in which it slept; NULL unknown */
};

/* A frame that a compositor recorded: a frame of an app or of the compositor. The
 * expected and the actual timeline of a frame are joined by their token (and layer). */
struct dj_trace_frame {
    const char *layer;                          /* "" unknown */
    int64_t expected_start_ns, expected_end_ns; /* both 0: no expected timeline */
    int64_t start_ns, end_ns;                   /* both 0: the frame was never produced */
    int64_t token, display_token;               /* 0 none */
    int32_t pid;
    uint32_t jank_types; /* these fields have the meanings of struct dj_event_frame */
    uint8_t present, prediction, severity;
    bool finished_on_time, composed_by_gpu;
    bool display; /* a frame of the compositor itself */
    bool open;    /* the trace ended before the frame did */
};

/* An event for later analysis: an interrupt, a request, a CPU change or a loss. */
struct dj_trace_mark {
    int64_t at_ns, value, value_2; /* as in struct dj_event */
    const char *name;              /* "" none */
    int32_t tid, other, cpu;
    uint8_t kind; /* enum dj_event_kind */
    uint8_t state;
};

/* What a span measures. The first six kinds are readings. A reading holds until the next
 * one. */
enum dj_trace_span_kind {
    DJ_SPAN_FREQUENCY,     /* of `cpu`: `value` kHz */
    DJ_SPAN_LIMITS,        /* of `cpu`: `value` to `value_2` kHz */
    DJ_SPAN_GPU_FREQUENCY, /* of GPU `value_2`: `value` kHz */
    DJ_SPAN_THERMAL,       /* of zone `name`: `value` millidegrees Celsius */
    DJ_SPAN_COOLING,       /* of device `name`: step `value` */
    DJ_SPAN_IDLE,       /* of `cpu`: state `value`, until the next idle state or wakeup */
    DJ_SPAN_INTERRUPT,  /* that interrupted `tid`: IRQ line `value`, or softirq vector if
                           `soft`; −1 for an IPI from another CPU */
    DJ_SPAN_RECLAIM,    /* direct memory reclaim by `tid` */
    DJ_SPAN_DISK,       /* request of `tid`: device `value` (dev_t of the kernel), sector
                           `value_2` */
    DJ_SPAN_BINDER,     /* transaction `value` of `tid`, until thread `other` received it;
                           before that `other` is the target thread (0: any thread of process
                           `pid`) */
    DJ_SPAN_FENCE,      /* fence `value_2` of context `value`, created by `tid`, until its
                           device signaled it; `name` is "DRIVER/TIMELINE" */
    DJ_SPAN_FENCE_WAIT, /* `tid` waited for that fence */
    DJ_SPAN_KINDS
};

/* A span of time: a reading of a CPU or device, an interrupt, or a request. */
struct dj_trace_span {
    const char *name; /* "" none */
    int64_t start_ns, end_ns;
    int64_t value, value_2; /* in a reply, value_2 is the transaction that it answers */
    int64_t asked_ns;   /* time at which that transaction was sent; valid if `answers` */
    int32_t tid, other; /* −1 unknown */
    int32_t pid;        /* target process of a transaction; −1 unknown */
    int32_t cpu;        /* −1 unknown */
    uint8_t kind;       /* enum dj_trace_span_kind */
    uint32_t issues;    /* how often a disk request was issued */
    bool soft, reply, answers, one_way;
    /* its end is not recorded; end_ns is the end of the trace for a reading, and start_ns
     * for other kinds or if the end of the trace is unknown too */
    bool open;
    bool unbegun; /* its begin is not recorded; start_ns is end_ns */
};

/* Relation of the trace's clock to CLOCK_MONOTONIC, the clock of framestats. */
struct dj_trace_clock {
    bool known;
    int64_t to_mono_ns; /* add it to a stamp */
    int64_t error_ns;   /* maximum error in either direction */
    bool ticks;         /* stamps are ticks of unknown length, not nanoseconds */
    char name[16];      /* name of the trace's clock, for example "boot"; "" unknown */
};

/* Zero it before use. */
struct dj_trace {
    /* Set it before reading: the maximum memory in bytes for slices, for counts and for
     * states, each. If it is not 0, the three arrays are NULL and the data may be in
     * unnamed temporary files. The three counts are still valid, and
     * dj_trace_next_slice() and its siblings return the elements. 0: everything is in the
     * arrays. */
    size_t memory_bytes;
    const char *source; /* kind of recording, a static string */
    char process[256], program[256];
    int64_t pid;
    bool ended;                    /* the process has ended */
    int64_t first_ns, last_ns;     /* of all events; 0, 0 if there are none */
    struct dj_trace_slice *slices; /* by start, outer before inner; owned */
    size_t slice_count;
    struct dj_trace_count *counts; /* by time; owned */
    size_t count_count;
    struct dj_trace_state *states; /* by start, then tid; owned */
    size_t state_count;
    struct dj_trace_thread *threads; /* by tid, then from_ns; owned */
    size_t thread_count;
    struct dj_trace_process *processes; /* processes with a known name, by pid; owned */
    size_t process_count;
    /* by actual start, or expected start if there is no actual one; owned */
    struct dj_trace_frame *frames;
    size_t frame_count;
    bool keep_marks;   /* set it before reading; without it there are no marks */
    bool count_states; /* set it before reading: only state_count is filled */
    bool sum_slices;   /* set it before reading: only dj_trace_sum_slices() works */
    struct dj_trace_mark *marks; /* by time; owned */
    size_t mark_count;
    bool keep_spans; /* set it before reading; without it there are no spans */
    struct dj_trace_clock clock;
    /* ---- what is missing ---- */
    uint64_t overwritten;        /* event fragments that newer ones overwrote */
    uint64_t overwritten_chunks; /* chunks of Perfetto's ring buffers; the trace begins
                                    later than its recording did */
    uint64_t skipped_packets;    /* Perfetto packets that refer to such chunks */
    int64_t whole_from_ns; /* before this time events of some threads are lost; 0: none
                              are lost */
    uint64_t dropped;      /* events that the recorder dropped */
    uint64_t damaged;      /* parts that could not be read */
    uint64_t unread;       /* further trace.dat instances that contain events */
    uint64_t switches;  /* context switches that the trace does not contain but that later
                           events imply */
    uint64_t endings;   /* slice ends without a begin */
    uint64_t backwards; /* events with a stamp before that of an earlier event: time went
                           backwards, or the stamps wrapped around */
    int64_t backwards_ns; /* the largest step backwards */
    uint64_t events;      /* events that were read; 0 for dejank's own recordings */
    struct dj_trace_rows slice_rows, count_rows,
        state_rows; /* used if memory_bytes is set; owned */
    struct dj_trace_rows
        span_rows; /* used if keep_spans is set, for any memory_bytes; owned */
    int64_t core_khz[DJ_TRACE_CPUS]; /* maximum frequency of each CPU as the trace
                                         reports it; 0 unknown */
    bool without_flags; /* only interrupt events show which events happened in interrupts
                         */
    struct dj_trace_fold sums;   /* sums of slices, if slices are summed up; owned */
    uint64_t first_damaged_line; /* line of the first damaged part; 0: none, or the input
                                    is binary */
    char damage[200];       /* for binary input: what was expected where; "" unknown */
    struct dj_text members; /* if the input is an archive with several traces: their
                               names, each with its NUL, first the one that was read */
    size_t member_count;    /* 0: not an archive, or only one trace */
    struct dj_text names;   /* storage of the names, or */
    struct dj_trace_names name_store; /* this one; owned */
};

void dj_trace_finish(struct dj_trace *trace);

/* Returns the name of the thread that had this id at that time, or of the last one that
 * had it. Returns "" if it is unknown. Valid as long as the trace. */
const char *dj_trace_get_thread_name_at(const struct dj_trace *trace, uint32_t tid,
                                        int64_t at_ns);
const char *dj_trace_get_thread_name(const struct dj_trace *trace, uint32_t tid);

/* Returns the thread that had this id at that time, or the last one that had it. Returns
 * NULL if none is known. */
const struct dj_trace_thread *dj_trace_find_thread_at(const struct dj_trace *trace,
                                                      uint32_t tid, int64_t at_ns);

/* A position in one of the sequences below. Zero it to start or restart. Each sequence
 * supports one position at a time. */
struct dj_trace_position {
    size_t at;
    bool any_order; /* set it at the start if the order does not matter: faster */
    bool begun;
};

/* Returns the next element in the order of the arrays, whether or not the arrays exist.
 * It is valid until the next call. Returns NULL at the end or after an error.
 * dj_trace_get_error() reports the error. */
const struct dj_trace_slice *dj_trace_next_slice(struct dj_trace *trace,
                                                 struct dj_trace_position *place);
const struct dj_trace_count *dj_trace_next_count(struct dj_trace *trace,
                                                 struct dj_trace_position *place);
const struct dj_trace_state *dj_trace_next_state(struct dj_trace *trace,
                                                 struct dj_trace_position *place);
/* By kind, then start. */
const struct dj_trace_span *dj_trace_next_span(struct dj_trace *trace,
                                               struct dj_trace_position *place);
int dj_trace_get_error(const struct dj_trace *trace, struct dj_error *err);

/* Returns the full name of a process, "" if unknown. */
const char *dj_trace_get_process_name(const struct dj_trace *trace, int32_t pid);

/* The sums of all slices of one name. */
struct dj_trace_sum {
    const char *name;
    bool async;
    size_t count, open;
    int64_t total_ns, self_ns, longest_ns; /* only of slices that ended */
};

/* Sums up slices by name: largest self time first, then async slices by total. Writes
 * rows of struct dj_trace_sum. The caller must finish *sums, also after an error. Returns
 * as dj_trace_rows_get_error(). */
int dj_trace_sum_slices(struct dj_trace *trace, struct dj_trace_rows *sums,
                        struct dj_error *err);

#endif
