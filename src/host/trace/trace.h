/*
 * trace: what happened when, from whatever recorded it — slices of threads, async slices
 * and counters in one model. Not what it means for frames, and no output.
 *
 * This header: the model. All stamps are ns of the clock the trace was made with; of our
 * own recordings that is the machine's CLOCK_MONOTONIC.
 */
#ifndef DEJANK_TRACE_TRACE_H
#define DEJANK_TRACE_TRACE_H

#include "base/text.h"
#include "trace/event.h"
#include "trace/fold.h"
#include "trace/names.h"

/* Something with a beginning and, mostly, an end. */
struct dj_trace_slice {
    const char *name;
    int64_t start_ns;
    int64_t end_ns;  /* meaningless while `open` */
    int64_t self_ns; /* without the slices inside it; 0 of async and open ones */
    int64_t cookie;  /* of an async slice */
    uint32_t tid;    /* where it began */
    uint32_t end_tid;
    uint32_t depth; /* slices around it, on its thread */
    bool async;
    bool open; /* it had not ended when the trace did */
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
    char name[16];   /* "": unknown */
    int64_t from_ns; /* where its id was another thread's before: since when it is this
                        one's; else INT64_MIN, or 0 */
};

/* What a process is called in full, a package for example: its threads' names are cut. */
struct dj_trace_process {
    int32_t pid;
    const char *name;
};

/* What a thread did, seen from the scheduler. */
/* Of more CPUs it is not kept how fast they can be. */
enum { DJ_TRACE_CORES = 64 };

enum dj_thread_state {
    DJ_THREAD_UNKNOWN, /* it does not run, and why is not told */
    DJ_THREAD_RUNNING,
    DJ_THREAD_RUNNABLE,   /* woken, it waits for a CPU */
    DJ_THREAD_PREEMPTED,  /* taken off a CPU, it waits for one */
    DJ_THREAD_SLEEPING,   /* until something happens */
    DJ_THREAD_BLOCKED,    /* the same, and no signal wakes it */
    DJ_THREAD_BLOCKED_IO, /* the kernel said that it waits for I/O */
    DJ_THREAD_STOPPED,
    DJ_THREAD_DEAD,
    DJ_THREAD_STATES
};

/* "running", "blocked-io". */
const char *dj_thread_state_name(enum dj_thread_state state);

/* A thread's state from one change to the next. */
struct dj_trace_state {
    int64_t start_ns, end_ns; /* [start, end); open ones end with the trace */
    uint32_t tid;
    int32_t cpu;       /* it runs on, or ran on before; −1 unknown */
    uint32_t turn;     /* which of its thread's it is: those of one instant, in order */
    int32_t waker;     /* thread that ended the sleep before this; −1: none known */
    int32_t waker_cpu; /* where it did; −1 unknown */
    uint8_t state;     /* enum dj_thread_state */
    bool open;         /* it had not ended when the trace did */
    bool interrupted;  /* an interrupt woke it, not the thread that `waker` was */
    const char *blocked_in; /* the kernel's function; NULL: not told */
};

/* A frame that a compositor told of: an app's, or its own. What was expected of it and
 * what became of it are one, by their token (and layer). */
struct dj_trace_frame {
    const char *layer;                          /* "": not told */
    int64_t expected_start_ns, expected_end_ns; /* both 0: nothing was */
    int64_t start_ns, end_ns;                   /* both 0: it never came */
    int64_t token, display_token;               /* 0: none */
    int32_t pid;
    uint32_t jank_types; /* these as struct dj_event_frame has them */
    uint8_t present, prediction, severity;
    bool finished_on_time, composed_by_gpu;
    bool display; /* the compositor's own */
    bool open;    /* it had not ended when the trace did */
};

/* What happened beside that, for who asks why: interrupts, requests, processors, losses.
 */
struct dj_trace_mark {
    int64_t at_ns, value, value_2; /* these as struct dj_event has them */
    const char *name;              /* "": none */
    int32_t tid, other, cpu;
    uint8_t kind; /* enum dj_event_kind */
    uint8_t state;
};

/* What spans are of. The first six are readings, each of which holds until the next. */
enum dj_trace_span_kind {
    DJ_SPAN_FREQUENCY,     /* of `cpu`: `value` kHz */
    DJ_SPAN_LIMITS,        /* of `cpu`: `value` … `value_2` kHz */
    DJ_SPAN_GPU_FREQUENCY, /* of GPU `value_2`: `value` kHz */
    DJ_SPAN_THERMAL,       /* of zone `name`: `value` thousandths of a degree */
    DJ_SPAN_COOLING,       /* of device `name`: step `value` */
    DJ_SPAN_IDLE,          /* of `cpu`: state `value`, until the next or its end */
    DJ_SPAN_INTERRUPT, /* that came upon `tid`: line `value`, where `soft` vector; −1:
                          another CPU's */
    DJ_SPAN_RECLAIM,   /* `tid` had to free memory itself */
    DJ_SPAN_DISK,      /* request of `tid`: device `value` (dev_t of the kernel), sector
                          `value_2` */
    DJ_SPAN_BINDER, /* transaction `value` of `tid`, until thread `other` took it (before
                       that: was to take it; 0: any of process `pid`) */
    DJ_SPAN_FENCE,  /* fence `value_2` of context `value`, made by `tid`, until its device
                       was done: `name` is "DRIVER/TIMELINE" */
    DJ_SPAN_FENCE_WAIT, /* `tid` waited for that one */
    DJ_SPAN_KINDS
};

/* What was told of processors, interruptions and requests. */
struct dj_trace_span {
    const char *name; /* "": none */
    int64_t start_ns, end_ns;
    int64_t value, value_2; /* of a reply value_2 is the transaction that it answers */
    int64_t asked_ns;       /* and this, when that was sent; where `answers` is true */
    int32_t tid, other;     /* −1: not told */
    int32_t pid;            /* to which a transaction goes; −1 unknown */
    int32_t cpu;            /* −1 unknown */
    uint8_t kind;           /* enum dj_trace_span_kind */
    uint32_t issues;        /* of a request, to the disk */
    bool soft, reply, answers, one_way;
    bool open; /* when it ended is not told; end_ns is the trace's end of a reading, and
                  its start else, or where that is not told either */
    bool unbegun; /* when it began is not told; start_ns is its end */
};

/* How the trace's clock stands to CLOCK_MONOTONIC, the clock of framestats. */
struct dj_trace_clock {
    bool known;
    int64_t to_mono_ns; /* to be added to a stamp */
    int64_t error_ns;   /* that it may be off by, either way */
    bool ticks;         /* stamps are no nanoseconds, but of a length that is not told */
    char name[16];      /* of the trace's clock: "boot"; "": not told */
};

/* Zero it before use. */
struct dj_trace {
    /* Set it before reading: most bytes of memory for slices, for counts and for states
     * each. They then have no arrays, and may lie in files without a name; the three
     * counts tell how many there are, and dj_trace_next_slice() and its like hand them
     * out. 0: all is in the arrays. */
    size_t memory_bytes;
    const char *source; /* what kind of recording it was */
    char process[256], program[256];
    int64_t pid;
    bool ended;                    /* the process is no more */
    int64_t first_ns, last_ns;     /* of all events; 0, 0 where there is none */
    struct dj_trace_slice *slices; /* by start, outer before inner; owned */
    size_t slice_count;
    struct dj_trace_count *counts; /* by time; owned */
    size_t count_count;
    struct dj_trace_state *states; /* by start, then tid; owned */
    size_t state_count;
    struct dj_trace_thread *threads; /* by tid, then from_ns; owned */
    size_t thread_count;
    struct dj_trace_process *processes; /* those whose name is told, by pid; owned */
    size_t process_count;
    struct dj_trace_frame *frames; /* by start, expected where there is no other; owned */
    size_t frame_count;
    bool keep_marks;   /* set it before reading: there are marks only then */
    bool count_states; /* set it before reading: state_count is all that is kept */
    bool sum_slices;   /* set it before reading: dj_trace_sum_up() alone can be asked */
    struct dj_trace_mark *marks; /* by time; owned */
    size_t mark_count;
    bool keep_spans; /* set it before reading: there are spans only then */
    struct dj_trace_clock clock;
    /* What is missing. */
    uint64_t overwritten;        /* pieces of events that newer ones have taken */
    uint64_t overwritten_chunks; /* of ring buffers of Perfetto: the trace begins later
                                    than its recording did */
    uint64_t skipped_packets;    /* of Perfetto, that refer to such chunks */
    int64_t whole_from_ns; /* before it some threads' events are lost; 0: none are */
    uint64_t dropped;      /* events that could not be recorded */
    uint64_t damaged;      /* parts that could not be read */
    uint64_t unread;       /* other instances of trace.dat that have events, too */
    uint64_t switches;     /* of CPUs between threads, known by what came after */
    uint64_t endings;      /* ends of slices whose beginning is not there */
    uint64_t backwards;    /* events that are stamped earlier than one before them: time
                              went backwards, or the stamps were wrapped around */
    int64_t backwards_ns;  /* by up to so much */
    uint64_t events;       /* that were read; 0: of a recording of ours */
    struct dj_rows slice_rows, count_rows, state_rows; /* with memory_bytes; owned */
    struct dj_rows span_rows;         /* with keep_spans, whatever memory_bytes; owned */
    int64_t core_khz[DJ_TRACE_CORES]; /* the highest that the trace says each CPU can;
                                         0: it does not */
    bool without_flags;          /* only interrupts' own events say what was in them */
    struct dj_fold sums;         /* of slices, while or where they are summed up; owned */
    uint64_t first_damaged_line; /* where the first damaged part is; 0: none, or bytes */
    char damage[200];            /* of bytes: what was expected there; "": not told */
    struct dj_text members; /* of an archive with several traces: their names, each with
                               its NUL, first that of the one that was read */
    size_t member_count;    /* 0: not an archive, or one trace only */
    struct dj_text names;   /* where names point to, or */
    struct dj_names kept;   /* these; owned */
};

void dj_trace_finish(struct dj_trace *trace);

/* The name of the thread that had this id then, or last of all; "" where unknown. */
const char *dj_trace_thread_name_at(const struct dj_trace *trace, uint32_t tid,
                                    int64_t at_ns);
const char *dj_trace_thread_name(const struct dj_trace *trace, uint32_t tid);

/* The thread that had this id then, or last of all; NULL where none is known. */
const struct dj_trace_thread *dj_trace_thread_at(const struct dj_trace *trace,
                                                 uint32_t tid, int64_t at_ns);

/* A place in one of these; zero it to begin, or to begin anew. Of each kind there can
 * be one at a time. */
struct dj_trace_place {
    size_t at;
    bool any_order; /* set it to begin: the order is nothing to the caller */
    bool begun;
};

/* The next one, in the order of the arrays, whether there are arrays or not; valid until
 * the next call. NULL: there are no more, or dj_trace_error() says what failed. */
const struct dj_trace_slice *dj_trace_next_slice(struct dj_trace *trace,
                                                 struct dj_trace_place *place);
const struct dj_trace_count *dj_trace_next_count(struct dj_trace *trace,
                                                 struct dj_trace_place *place);
const struct dj_trace_state *dj_trace_next_state(struct dj_trace *trace,
                                                 struct dj_trace_place *place);
/* By kind, then start. */
const struct dj_trace_span *dj_trace_next_span(struct dj_trace *trace,
                                               struct dj_trace_place *place);
int dj_trace_error(const struct dj_trace *trace, struct dj_error *err);

/* The process's full name, "" where it is not told. */
const char *dj_trace_process_name(const struct dj_trace *trace, int32_t pid);

/* What slices of one name add up to. */
struct dj_trace_sum {
    const char *name;
    bool async;
    size_t count, open;
    int64_t total_ns, self_ns, longest_ns; /* of those that ended */
};

/* By name, most self time first, async ones after the others by total: rows of struct
 * dj_trace_sum, to be finished by the caller in every case. As dj_rows_error(). */
int dj_trace_sum_up(struct dj_trace *trace, struct dj_rows *sums, struct dj_error *err);

#endif
