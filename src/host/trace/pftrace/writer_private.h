/* The state of a writer of Perfetto traces, for the source files of the writer. */
#ifndef DEJANK_TRACE_PFTRACE_WRITER_PRIVATE_H
#define DEJANK_TRACE_PFTRACE_WRITER_PRIVATE_H

#include "base/map.h"
#include "trace/perfetto/fields.h"
#include "trace/pftrace_writer.h"

/* An output file. Initialize it with dj_file_output_init(). Append the bytes to write to
 * `text`, and call dj_file_output_write_if_large(). */
struct dj_file_output {
    int fd;              /* File descriptor. Owned by the caller. */
    char *name;          /* Name of the file for error messages. Owned by this struct. */
    struct dj_text text; /* Bytes that were not written yet. */
    uint64_t written;    /* Number of bytes that were written. */
    /* The errno of the first write error, or 0. After an error, nothing is written any
     * more. */
    int failure;
};

void dj_file_output_init(struct dj_file_output *out, int fd, const char *name);
void dj_file_output_finish(struct dj_file_output *out);

/* Writes the bytes in `text` to the file if there are many bytes. Returns 0 or
 * DJ_E_OUTPUT. After the first error, always returns DJ_E_OUTPUT. */
int dj_file_output_write_if_large(struct dj_file_output *out);

/* Writes the bytes in `text` to the file. Returns 0 or DJ_E_OUTPUT. After the first
 * error, always returns DJ_E_OUTPUT. `err` may be NULL. */
int dj_file_output_flush(struct dj_file_output *out, struct dj_error *err);

/* Sizes of the tables that record what was already written to the trace. In a full table,
 * new entries replace old ones. The data of a replaced entry may be written again. This
 * makes the trace larger, but limits the memory use. */
enum { DJ_PF_THREADS = 1 << 16, DJ_PF_TRACKS = 1 << 14, DJ_PF_SYMBOLS = 1 << 12 };

/* The data about a thread that the trace already contains. */
struct dj_pftrace_written_thread {
    int32_t tid; /* Id of the thread, or 0 if the entry is unused. */
    int32_t pid; /* Id of the process, or 0 if unknown. */
    bool named;
    bool titled; /* True if the full name of the process was written. */
    /* True if the thread was reported before the first event. It is written later, with
     * the time of the first event. */
    bool waits;
    uint8_t length; /* Length of `name`. Used if `waits` is set. */
    char name[15];
};

/* Lost events of a CPU. */
struct dj_pftrace_losses {
    /* Total number of lost events. It is written at the end of the trace. */
    uint64_t events;
    bool is_pending; /* True if the next bundle of the CPU must report a loss. */
};

/* Tables of a sequence of call stacks. Each table maps a hash of an entry to the entry's
 * id in the trace. DJ_PF_KEYS maps the keys of stacks to ids of DJ_PF_CALLSTACKS. */
enum dj_pftrace_stack_table {
    DJ_PF_FUNCTIONS,
    DJ_PF_PATHS,
    DJ_PF_BUILD_IDS,
    DJ_PF_MAPPINGS,
    DJ_PF_FRAMES,
    DJ_PF_CALLSTACKS,
    DJ_PF_KEYS,
    DJ_PF_STACK_TABLES
};

/* The data of a sequence of call stacks that the trace already contains. */
struct dj_pftrace_stacks {
    struct dj_map tables[DJ_PF_STACK_TABLES];
    size_t entries;          /* Number of entries in all tables. */
    int64_t interval_ns;     /* Time between two samples, as the trace contains it. */
    bool begun;              /* True if the sequence was started. */
    struct dj_text interned; /* Entries that the next packet must contain. */
};

struct dj_trace_writer {
    struct dj_file_output out;
    struct dj_trace_clock_offsets clocks;
    int code;                       /* Result of the last write. */
    bool begun;                     /* True after the start of the trace was written. */
    int64_t now_ns;                 /* Time of the newest event in ns. */
    struct dj_pftrace_losses *lost; /* One element for each CPU. Owned by this struct. */
    size_t lost_count;
    uint64_t lost_without_cpu; /* Number of lost events with an unknown CPU. */
    /* True if events without a CPU are lost. The next packet must report this. */
    bool dropped;
    /* A bundle is a packet with consecutive kernel events of one CPU. */
    bool bundled; /* True if a bundle is open. */
    int32_t cpu;
    size_t packet, message; /* Offsets of the open packet and of the open message. */
    struct dj_pftrace_written_thread *threads;
    struct dj_text marker; /* Buffer for the text of a marker. */
    uint64_t *tracks;      /* Ids of the tracks whose descriptions were written. */
    uint64_t *symbols;     /* Ids of the names of kernel functions that were written. */
    struct dj_pftrace_stacks stacks[DJ_STACK_SOURCES];
};

/* Closes the open bundle and opens a packet. The caller ends the packet with
 * dj_proto_end(). */
size_t dj_pftrace_open_packet(struct dj_trace_writer *writer);
/* Opens a packet with the time `at_ns`. The caller ends the packet with dj_proto_end().
 */
size_t dj_pftrace_open_packet_at(struct dj_trace_writer *writer, int64_t at_ns);

/* Opens a packet and a message in the packet. Sets writer->packet and writer->message, so
 * only one message can be open. */
void dj_pftrace_open_message(struct dj_trace_writer *writer, uint32_t field);
void dj_pftrace_open_message_at(struct dj_trace_writer *writer, int64_t at_ns,
                                uint32_t field);
void dj_pftrace_close_message(struct dj_trace_writer *writer);
/* Opens the bundle of this CPU, unless it is already open. */
void dj_pftrace_open_bundle(struct dj_trace_writer *writer, int32_t cpu);
void dj_pftrace_close_bundle(struct dj_trace_writer *writer);

/* Writes an event of a CPU. */
void dj_pftrace_write_kernel_event(struct dj_trace_writer *writer,
                                   const struct dj_event *event);

/* Stores a DJ_EVENT_LOST. The trace reports the loss later. */
void dj_pftrace_write_loss(struct dj_trace_writer *writer, const struct dj_event *event);
/* Writes a pending loss of the CPU to the CPU's bundle, which must be open. Does nothing
 * if no loss is pending. */
void dj_pftrace_write_pending_loss(struct dj_trace_writer *writer, int32_t cpu);
void dj_pftrace_write_loss_totals(struct dj_trace_writer *writer);

void dj_pftrace_write_section(struct dj_trace_writer *writer,
                              const struct dj_event *event);
void dj_pftrace_write_async(struct dj_trace_writer *writer, const struct dj_event *event);
void dj_pftrace_write_counter(struct dj_trace_writer *writer,
                              const struct dj_event *event);
void dj_pftrace_write_frame(struct dj_trace_writer *writer, const struct dj_event *event);

void dj_pftrace_write_stack(struct dj_trace_writer *writer, const struct dj_event *event);
void dj_pftrace_finish_stacks(struct dj_trace_writer *writer);

void dj_pftrace_write_thread(struct dj_trace_writer *writer,
                             const struct dj_event *event);
void dj_pftrace_write_process(struct dj_trace_writer *writer, int32_t pid,
                              struct dj_str name);
void dj_pftrace_write_task(struct dj_trace_writer *writer, const struct dj_event *event);
void dj_pftrace_write_rename(struct dj_trace_writer *writer,
                             const struct dj_event *event);
/* Writes the threads that were reported before the first event. */
void dj_pftrace_write_waiting_threads(struct dj_trace_writer *writer);
/* Writes the process and the name of a thread if the trace does not contain them yet. A
 * pid of 0 or less means that the process is unknown. An empty name means that the name
 * is unknown. */
void dj_pftrace_describe_thread(struct dj_trace_writer *writer, int32_t tid, int32_t pid,
                                struct dj_str name);
/* Notes that the trace contains the name of the thread, because an event that contains
 * the name is written. */
void dj_pftrace_note_name(struct dj_trace_writer *writer, int32_t tid,
                          struct dj_str name);

uint64_t dj_pftrace_mix(uint64_t seed, uint64_t value);
uint64_t dj_pftrace_hash(uint64_t seed, struct dj_str words);

#endif
