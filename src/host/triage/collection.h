/* The data that triage collects from frames. A share is the time that one frame spent on
 * one key, and a key is a possible cause. */
#ifndef DEJANK_TRIAGE_COLLECTION_H
#define DEJANK_TRIAGE_COLLECTION_H

#include "base/map.h"
#include "trace/name_table.h"
#include "triage/path/path.h"
#include "triage/result.h"
#include "triage/rules.h"

/* A possible cause. Several keys can become one cause of the result. Strings are
 * interned, so equal strings have equal addresses. */
struct dj_triage_key {
    const char *name, *thread, *holder;
    /* Name of the holder's family: `holder` without its trailing number, or a binder
     * pool. */
    const char *family;
    uint8_t kind;
    bool preempted; /* The thread lost its CPU to another thread. */
    /* The thread was ready to run while another program or an unknown thread had the
     * CPU. */
    bool foreign;
};

/* Time in which a thread was ready to run but had no CPU. */
struct dj_triage_cpu_wait {
    int64_t ns;
    int64_t foreign_ns; /* The part of `ns` in which another program had the CPU. */
};

/* A share is the time that one frame spent on one key. */
struct dj_triage_share {
    uint32_t frame; /* Index in triage->frames. */
    uint32_t key;
    int64_t ns;
    /* For own work: time that the thread ran after it last lost the CPU. */
    int64_t tail_ns;
    int64_t off_ns; /* For own work: time off the CPU just before `tail_ns`. */
    /* For own work limited by wall time: time off the CPU that counts as work. */
    int64_t clock_ns;
    /* For waits: time between the wake-ups and the moments at which the thread ran. */
    struct dj_triage_cpu_wait woken;
    uint32_t pieces;
    uint32_t requests; /* Number of disk requests that the thread made during the work. */
    struct dj_triage_activity activity;
    /* Index in triage->evidence, or UINT32_MAX if there is no evidence. */
    uint32_t evidence;
    /* True if the time is the compositor's, after the app had finished the frame. */
    bool shown;
};

struct dj_triage_frame_record {
    const char *name, *trace, *thread;
    int64_t trace_start_ns; /* Time of the first event of its trace. */
    int64_t start_ns, end_ns, deadline_ns;
    int64_t late_ns; /* Time after the deadline, or 0 or less if the frame was in time. */
    /* The compositor's part of late_ns if the app was late, too. Otherwise 0. */
    int64_t shown_late_ns;
    bool janky, incomplete, base;
    size_t first_share, share_count;
    /* Range in triage->parts. Empty if the frame is not janky. */
    size_t first_part, part_count;
};

/* Consecutive pieces of a janky frame that have the same key. */
struct dj_triage_stored_part {
    int64_t start_ns, end_ns;
    uint32_t key;
};

/* Running time of the threads of one family in one trace. Time in which several of them
 * ran counts once. */
struct dj_triage_family_time {
    const char *family;
    int64_t ns;
    int64_t until_ns; /* End of the time that is included in `ns`. */
};

/* Sums over all traces for the notes about what the traces do not show. */
struct dj_triage_totals {
    size_t incomplete; /* Frames with lost events. */
    uint64_t lost;     /* Lost events in traces without an incomplete frame. */
    size_t guessed;    /* Threads whose process is not recorded. */
    /* Frames that waited in the buffer queue (buffer stuffing) but were not shown
     * late. */
    size_t stuffed;
    int64_t stuffed_ns;
    size_t shown; /* Frames that were shown late by an unknown amount. */
    const char *shown_by;
    uint64_t damaged, backwards;
    int64_t backwards_ns;
    /* Largest error of the offset between the clock of the gfxinfo dump and the trace's
     * clock. */
    int64_t clock_ns;
    bool clock_known; /* True if clock_ns is known. */
};

struct dj_triage {
    struct dj_triage_rules rules;
    struct dj_trace_names names;
    struct dj_triage_frame_record *frames;
    size_t frame_count;
    struct dj_triage_share *shares; /* Sorted by frame. */
    size_t share_count;
    struct dj_triage_key *keys;
    size_t key_count;
    struct dj_map key_numbers; /* Maps the hash of a key to its index in `keys`. */
    struct dj_triage_stored_part *parts;
    size_t part_count;
    struct dj_triage_evidence *evidence;
    size_t evidence_count;
    struct dj_triage_family_time *ran;
    size_t ran_count;
    struct dj_triage_totals totals;
    struct dj_triage_result result;
    /* For each key, the index of its cause in result.causes, or UINT32_MAX if it has
     * none. */
    uint32_t *cause_of;
    const char *trace_name; /* Name of the trace that is being added. */
    bool adding_base;
};

/* Returns the interned copy of a C string, which lives as long as `triage`. */
const char *dj_triage_intern(struct dj_triage *triage, const char *name);

/* Adds a sentence about what a trace cannot show, unless `triage` already has the same
 * sentence. `format` is a printf() format. */
void dj_triage_limit_add(struct dj_triage *triage, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
