/* A trace for Perfetto while it is written. Of pftrace_*.c only. */
#ifndef DEJANK_TRACE_PFTRACE_PARTS_H
#define DEJANK_TRACE_PFTRACE_PARTS_H

#include "trace/perfetto_wire.h"
#include "trace/pftrace_write.h"

/* ---- file_out.c: bytes on their way into a file, written in large pieces ---- */

/* Whatever is appended to `text` is written, once it is much. Zero it but for fd. */
struct dj_file_out {
    int fd;              /* the caller's */
    char *name;          /* of the file, for errors; owned */
    struct dj_text text; /* what has not been written yet */
    uint64_t written;    /* bytes before it */
    int failure;         /* errno of the first write that failed; then all is lost */
};

void dj_file_out_init(struct dj_file_out *out, int fd, const char *name);
void dj_file_out_finish(struct dj_file_out *out);

/* Writes what has been collected once it is a piece's worth, or all of it. 0 or
 * DJ_E_OUTPUT, and the same again ever after; err may be NULL. */
int dj_file_out_go_on(struct dj_file_out *out);
int dj_file_out_flush(struct dj_file_out *out, struct dj_error *err);

/*
 * What was written already is kept in tables of a fixed size, in which newer entries take
 * the place of older ones: what is not found there any more is written once more. That
 * costs bytes of the trace, never memory.
 */
enum { DJ_PF_THREADS = 1 << 16, DJ_PF_TRACKS = 1 << 14, DJ_PF_SYMBOLS = 1 << 12 };

/* What the trace says of a thread by now. */
struct dj_pf_thread {
    int32_t tid; /* 0: a free place */
    int32_t pid; /* 0: not told */
    bool named;
    bool titled;    /* its process has a name of its own */
    bool waits;     /* it is told before the trace's first event, whose time is its */
    uint8_t length; /* of the name that waits with it */
    char name[15];
};

/* What a CPU lost. */
struct dj_pf_losses {
    uint64_t events; /* in all, for the count at the trace's end */
    bool untold;     /* the CPU's next bundle tells */
};

struct dj_pftrace {
    struct dj_file_out out;
    struct dj_trace_clocks clocks;
    int code;                  /* what the last piece came to */
    bool begun;                /* what stands at the trace's beginning is written */
    int64_t now_ns;            /* of the newest event */
    struct dj_pf_losses *lost; /* by CPU; owned */
    size_t lost_count;
    uint64_t lost_elsewhere; /* of no CPU */
    bool dropped; /* events were lost of which no CPU is known: the next packet tells */
    /* The kernel's events of one CPU, one after the other, are one packet. */
    bool bundled; /* one is open */
    int32_t cpu;
    size_t packet, message; /* where they were opened, or others are */
    struct dj_pf_thread *threads;
    struct dj_text marker; /* the one that is being put together */
    uint64_t *tracks;      /* ids of those that are described */
    uint64_t *symbols;     /* ids of names of kernel functions */
};

/* A packet, closed by dj_proto_end(); ends the bundle that is open. */
size_t dj_pf_open_packet(struct dj_pftrace *writer);
/* The same with an event's time. */
size_t dj_pf_open_packet_at(struct dj_pftrace *writer, int64_t at_ns);

/* A packet and a message in it, writer->packet and writer->message; one at a time. */
void dj_pf_open(struct dj_pftrace *writer, uint32_t field);
void dj_pf_open_at(struct dj_pftrace *writer, int64_t at_ns, uint32_t field);
void dj_pf_close(struct dj_pftrace *writer);
/* The bundle of this CPU's events, which may be open already. */
void dj_pf_open_bundle(struct dj_pftrace *writer, int32_t cpu);
void dj_pf_end_bundle(struct dj_pftrace *writer);

/* pftrace_kernel.c: events of a CPU. */
void dj_pf_put_kernel(struct dj_pftrace *writer, const struct dj_event *event);

/* pftrace_lost.c */
void dj_pf_put_lost(struct dj_pftrace *writer, const struct dj_event *event);
/* In a bundle of the CPU, which has just been opened. */
void dj_pf_put_untold(struct dj_pftrace *writer, int32_t cpu);
void dj_pf_put_lost_sums(struct dj_pftrace *writer);

/* pftrace_tracks.c: sections, counters, instants, frames, states of threads. */
void dj_pf_put_section(struct dj_pftrace *writer, const struct dj_event *event);
void dj_pf_put_async(struct dj_pftrace *writer, const struct dj_event *event);
void dj_pf_put_counter(struct dj_pftrace *writer, const struct dj_event *event);
void dj_pf_put_frame(struct dj_pftrace *writer, const struct dj_event *event);

/* pftrace_threads.c: whose they are. */
void dj_pf_put_thread(struct dj_pftrace *writer, const struct dj_event *event);
void dj_pf_put_process(struct dj_pftrace *writer, int32_t pid, struct dj_str name);
void dj_pf_put_task(struct dj_pftrace *writer, const struct dj_event *event);
void dj_pf_put_rename(struct dj_pftrace *writer, const struct dj_event *event);
/* Those that wait. */
void dj_pf_put_threads(struct dj_pftrace *writer);
/* Tells of a thread what the trace does not say yet. pid ≤ 0 and no name: not known. */
void dj_pf_tell_thread(struct dj_pftrace *writer, int32_t tid, int32_t pid,
                       struct dj_str name);
/* An event is about to tell its name. */
void dj_pf_note_name(struct dj_pftrace *writer, int32_t tid, struct dj_str name);

/* pftrace_write.c */
uint64_t dj_pf_mix(uint64_t seed, uint64_t value);
uint64_t dj_pf_hash(uint64_t seed, struct dj_str words);

#endif
