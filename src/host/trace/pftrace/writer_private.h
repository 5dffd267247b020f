/* The state of writing a trace for Perfetto, which the files of the writer share. */
#ifndef DEJANK_TRACE_PFTRACE_WRITER_PRIVATE_H
#define DEJANK_TRACE_PFTRACE_WRITER_PRIVATE_H

#include "trace/perfetto/fields.h"
#include "trace/pftrace_writer.h"

/* ---- writes bytes to a file in large pieces ---- */

/* Append to `text`; it is written once it is large. Zero it and set fd. */
struct dj_file_output {
    int fd;              /* belongs to the caller */
    char *name;          /* of the file, for error messages; owned */
    struct dj_text text; /* not written yet */
    uint64_t written;    /* bytes written so far */
    int failure; /* errno of the first failed write; everything after it is lost */
};

void dj_file_output_init(struct dj_file_output *out, int fd, const char *name);
void dj_file_output_finish(struct dj_file_output *out);

/* The first writes the collected text once it is large enough, the second always. Both
 * return 0 or DJ_E_OUTPUT. After an error they return the same code every time. err may
 * be NULL. */
int dj_file_output_write_if_large(struct dj_file_output *out);
int dj_file_output_flush(struct dj_file_output *out, struct dj_error *err);

/* Tables of fixed size hold what was already written. Newer entries replace older ones,
 * and what is no longer in a table is written again. That costs bytes of the trace but no
 * memory. */
enum { DJ_PF_THREADS = 1 << 16, DJ_PF_TRACKS = 1 << 14, DJ_PF_SYMBOLS = 1 << 12 };

/* What the trace contains about a thread so far. */
struct dj_pftrace_written_thread {
    int32_t tid; /* 0: unused entry */
    int32_t pid; /* 0: unknown */
    bool named;
    bool titled;    /* its process has a full name */
    bool waits;     /* it is written before the trace's first event, and needs the time of
                       that event */
    uint8_t length; /* of the name that waits with it */
    char name[15];
};

/* The losses of a CPU. */
struct dj_pftrace_losses {
    uint64_t events; /* total, for the count at the trace's end */
    bool is_pending; /* the CPU's next bundle must report a loss */
};

struct dj_trace_writer {
    struct dj_file_output out;
    struct dj_trace_clock_offsets clocks;
    int code;                       /* result of the last write */
    bool begun;                     /* the head of the trace is written */
    int64_t now_ns;                 /* time of the newest event */
    struct dj_pftrace_losses *lost; /* by CPU; owned */
    size_t lost_count;
    uint64_t lost_without_cpu; /* losses without a CPU */
    bool dropped; /* events without a CPU are lost: the next packet reports it */
    /* Consecutive kernel events of one CPU share one packet. */
    bool bundled; /* such a packet is open */
    int32_t cpu;
    size_t packet, message; /* offsets of the open packet and message */
    struct dj_pftrace_written_thread *threads;
    struct dj_text marker; /* buffer for a marker */
    uint64_t *tracks;      /* ids of tracks that are described */
    uint64_t *symbols;     /* ids of names of kernel functions */
};

/* Opens a packet, which dj_proto_end() closes. Closes the open bundle. */
size_t dj_pftrace_open_packet(struct dj_trace_writer *writer);
/* The same with an event's time. */
size_t dj_pftrace_open_packet_at(struct dj_trace_writer *writer, int64_t at_ns);

/* Opens a packet and a message in it: writer->packet and writer->message. Only one can be
 * open. */
void dj_pftrace_open_message(struct dj_trace_writer *writer, uint32_t field);
void dj_pftrace_open_message_at(struct dj_trace_writer *writer, int64_t at_ns,
                                uint32_t field);
void dj_pftrace_close_message(struct dj_trace_writer *writer);
/* Opens the bundle for this CPU's events, unless it is already open. */
void dj_pftrace_open_bundle(struct dj_trace_writer *writer, int32_t cpu);
void dj_pftrace_close_bundle(struct dj_trace_writer *writer);

/* ---- events of a CPU ---- */
void dj_pftrace_write_kernel_event(struct dj_trace_writer *writer,
                                   const struct dj_event *event);

/* ---- losses ---- */
void dj_pftrace_write_loss(struct dj_trace_writer *writer, const struct dj_event *event);
/* Reports a pending loss in the bundle of the CPU, which has just been opened. */
void dj_pftrace_write_pending_loss(struct dj_trace_writer *writer, int32_t cpu);
void dj_pftrace_write_loss_totals(struct dj_trace_writer *writer);

/* ---- sections, counters, instants, frames ---- */
void dj_pftrace_write_section(struct dj_trace_writer *writer,
                              const struct dj_event *event);
void dj_pftrace_write_async(struct dj_trace_writer *writer, const struct dj_event *event);
void dj_pftrace_write_counter(struct dj_trace_writer *writer,
                              const struct dj_event *event);
void dj_pftrace_write_frame(struct dj_trace_writer *writer, const struct dj_event *event);

/* ---- threads and processes ---- */
void dj_pftrace_write_thread(struct dj_trace_writer *writer,
                             const struct dj_event *event);
void dj_pftrace_write_process(struct dj_trace_writer *writer, int32_t pid,
                              struct dj_str name);
void dj_pftrace_write_task(struct dj_trace_writer *writer, const struct dj_event *event);
void dj_pftrace_write_rename(struct dj_trace_writer *writer,
                             const struct dj_event *event);
/* Writes the threads that wait for the first event. */
void dj_pftrace_write_waiting_threads(struct dj_trace_writer *writer);
/* Writes what is new about a thread. pid ≤ 0 and an empty name mean unknown. */
void dj_pftrace_describe_thread(struct dj_trace_writer *writer, int32_t tid, int32_t pid,
                                struct dj_str name);
/* Notes that the next event contains the thread's name. */
void dj_pftrace_note_name(struct dj_trace_writer *writer, int32_t tid,
                          struct dj_str name);

/* ---- hashes for ids ---- */
uint64_t dj_pftrace_mix(uint64_t seed, uint64_t value);
uint64_t dj_pftrace_hash(uint64_t seed, struct dj_str words);

#endif
