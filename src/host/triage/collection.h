/* The data that triage collects from frames. A key is a possible cause, for example work
 * of a thread in a section. A share is the time that one frame spent on one key. */
#ifndef DEJANK_TRIAGE_COLLECTION_H
#define DEJANK_TRIAGE_COLLECTION_H

#include "base/map.h"
#include "trace/name_table.h"
#include "triage/path/path.h"
#include "triage/result.h"
#include "triage/rules.h"

/* A possible cause. Several keys can belong to one cause of the result. Strings are
 * interned, so equal strings have equal addresses. */
struct dj_triage_key {
    const char *name, *thread, *holder;
    /* Family of the holder. It is either `holder` without its trailing number, or the
     * name of a binder pool. */
    const char *family;
    uint8_t kind;
    bool preempted; /* True if the thread lost its CPU to another thread. */
    /* True if the thread was ready to run while another program or an unknown thread had
     * the CPU. */
    bool foreign;
};

/* Time in which a thread was ready to run but had no CPU. */
struct dj_triage_cpu_wait {
    int64_t ns;
    int64_t foreign_ns; /* The part of `ns` in which another program had the CPU. */
};

/* The time that one frame spent on one key. */
struct dj_triage_share {
    uint32_t frame; /* Index of the frame in triage->frames. */
    uint32_t key;
    int64_t ns;
    /* If the cause is the thread's own work: how long the thread ran between the last
     * time that it got a CPU and the end of the work. */
    int64_t tail_ns;
    /* If the cause is the thread's own work: how long the thread had no CPU just before
     * the time of `tail_ns`. */
    int64_t off_ns;
    /* For own work that is limited by wall time: time without a CPU. It is counted as
     * work. */
    int64_t clock_ns;
    /* For waits: time for which the thread waited for a CPU after it was woken. */
    struct dj_triage_cpu_wait woken;
    uint32_t pieces;
    uint32_t requests; /* Number of disk requests that the thread made during the work. */
    struct dj_triage_activity activity;
    /* Index of the evidence in triage->evidence, or UINT32_MAX if there is none. */
    uint32_t evidence;
    /* True if the compositor spent the time after the app had finished the frame. */
    bool shown;
};

struct dj_triage_frame_record {
    const char *name, *trace, *thread;
    int64_t trace_start_ns; /* Time of the first event of the frame's trace. */
    int64_t start_ns, end_ns, deadline_ns;
    /* Time from the deadline to the end of the frame. 0 or less if the frame was in time.
     */
    int64_t late_ns;
    /* The part of late_ns that the compositor caused, if the app was late too. Otherwise
     * 0. */
    int64_t shown_late_ns;
    bool janky, incomplete, base;
    size_t first_share, share_count;
    /* Range of the frame's parts in triage->parts. Empty if the frame is not janky. */
    size_t first_part, part_count;
    /* Range of the frame's samples in triage->samples. */
    size_t first_sample, sample_count;
};

/* A part of a janky frame. It consists of consecutive pieces with the same key. */
struct dj_triage_stored_part {
    int64_t start_ns, end_ns;
    uint32_t key;
};

/* A family is all threads whose names differ only in a trailing number. This struct
 * contains the running time of one family in one trace. If several threads of a family
 * run at the same time, this time is counted once. */
struct dj_triage_family_time {
    const char *family;
    int64_t ns;
    int64_t until_ns; /* End of the last running state that was added to `ns`. */
};

/* Numbers that are summed over all traces. Notes about what the traces do not show use
 * them. */
struct dj_triage_totals {
    size_t incomplete; /* Number of frames during which events were lost. */
    uint64_t lost;  /* Number of lost events in traces in which no frame is incomplete. */
    size_t guessed; /* Number of threads whose process is not recorded. */
    /* Number of frames that waited in the buffer queue (buffer stuffing) but were not
     * shown late. */
    size_t stuffed;
    int64_t stuffed_ns;
    size_t shown; /* Number of frames that were shown late by an unknown time. */
    const char *shown_by;
    uint64_t samples_lost; /* Number of sampled stacks that were lost. */
    uint64_t damaged, backwards;
    int64_t backwards_ns;
    /* Largest error of the offset between the clock of the gfxinfo dump and the clock of
     * the trace. */
    int64_t clock_ns;
    bool clock_known; /* True if clock_ns is known. */
};

/* A wait on the critical path of a janky frame, or a part of such a wait. */
struct dj_triage_wait {
    int64_t ns;
    int64_t sleep_start_ns; /* Time at which the thread left the CPU. */
    uint32_t tid, frame, key;
    /* Innermost node of the stack in `calls`, or DJ_CALLS_ROOT if the wait has no
     * stack. */
    uint32_t node;
    bool guessed; /* True if a part of the stack is a guess of the unwinder. */
};

struct dj_triage {
    struct dj_triage_rules rules;
    struct dj_trace_names names;
    struct dj_triage_frame_record *frames;
    size_t frame_count;
    struct dj_triage_share *shares; /* Shares, sorted by frame. */
    size_t share_count;
    struct dj_triage_key *keys;
    size_t key_count;
    /* Maps the hash of a key to the index of the key in `keys`. */
    struct dj_map key_numbers;
    struct dj_triage_stored_part *parts;
    size_t part_count;
    struct dj_triage_evidence *evidence;
    size_t evidence_count;
    struct dj_triage_family_time *ran;
    size_t ran_count;
    struct dj_calls_tree calls; /* The stacks of all samples. */
    /* Samples during own work on critical paths, sorted by frame. Within a frame, the
     * samples of each thread are sorted by time. */
    struct dj_triage_sample *samples;
    size_t sample_count, sample_capacity;
    struct dj_triage_wait *waits; /* Waits, sorted by frame, then time. */
    size_t wait_count;
    struct dj_triage_totals totals;
    struct dj_triage_result result;
    /* Number of elements of result.causes, including those that contributed to no frame.
     */
    size_t cause_total;
    /* For each key, the index of its cause in result.causes, or UINT32_MAX if the key has
     * no cause. */
    uint32_t *cause_of;
    const char *trace_name; /* Name of the trace that is being added. */
    bool adding_base;
};

/* Returns the interned copy of a string. The copy lives as long as `triage`. */
const char *dj_triage_intern(struct dj_triage *triage, const char *name);

/* Adds a sentence about what a trace does not show. Does nothing if `triage` already has
 * an equal sentence. `format` is a printf() format. */
void dj_triage_limit_add(struct dj_triage *triage, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
