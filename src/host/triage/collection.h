/* The data that triage collects of frames: each frame's time, split into shares of
 * causes. */
#ifndef DEJANK_TRIAGE_COLLECTION_H
#define DEJANK_TRIAGE_COLLECTION_H

#include "base/map.h"
#include "trace/name_table.h"
#include "triage/path/path.h"
#include "triage/result.h"
#include "triage/rules.h"

/* The finest distinction between causes, before they are weighed. Names are interned. */
struct dj_triage_key {
    const char *name, *thread, *holder;
    const char *family; /* the holder's name without its trailing number */
    uint8_t kind;
    bool kept_off; /* taken off a CPU that another thread then had */
    bool foreign;  /* ready to run, while another program or no known thread had the
                    * CPU */
};

/* Time that a thread was ready to run and had no CPU. */
struct dj_triage_cpu_wait {
    int64_t ns;
    int64_t foreign_ns; /* the part of it during which another program had the CPU */
};

struct dj_triage_share {
    uint32_t frame; /* place in triage->frames */
    uint32_t key;
    int64_t ns;
    int64_t tail_ns;  /* of own work: time that the thread ran since it last lost the
                       * CPU */
    int64_t off_ns;   /* of own work: how long it was off the CPU before that */
    int64_t clock_ns; /* of own work: time off the CPU, if the section is limited by wall
                       * time */
    struct dj_triage_cpu_wait woken; /* of waits: time from the wake-up until the thread
                                      * ran */
    uint32_t pieces;
    uint32_t requests; /* requests to disks that the thread made while it worked */
    struct dj_triage_activity activity;
    uint32_t evidence; /* place in triage->evidence, or UINT32_MAX */
    bool shown;        /* time after the app's part of the frame: the compositor's */
};

struct dj_triage_frame_record {
    const char *name, *trace, *thread;
    int64_t start_ns, end_ns, deadline_ns;
    int64_t late_ns;       /* 0 or negative: in time */
    int64_t shown_late_ns; /* the compositor's part of it, if the app was late as well */
    bool janky, incomplete, base;
    size_t first_share, share_count;
    size_t first_part, part_count; /* of janky frames only */
};

struct dj_triage_stored_part {
    int64_t start_ns, end_ns;
    uint32_t key;
};

/* How long threads of one family ran in one trace. Time when several ran counts once. */
struct dj_triage_family_time {
    const char *family;
    int64_t ns;
    int64_t until_ns; /* end of the time counted so far */
};

/* What the traces do not show, summed over all of them. */
struct dj_triage_totals {
    size_t incomplete; /* frames with lost events */
    uint64_t lost;     /* lost events, of traces without an incomplete frame */
    size_t guessed;    /* threads of unknown process */
    size_t stuffed;    /* frames that waited after others (buffer stuffing) */
    int64_t stuffed_ns;
    size_t shown; /* frames that were shown late by an unknown amount */
    const char *shown_by;
    uint64_t damaged, backwards;
    int64_t backwards_ns;
    int64_t clock_ns; /* largest error of the offset between the dump's clock and the
                       * trace's */
    bool clock_known; /* clock_ns is known */
};

struct dj_triage {
    struct dj_triage_rules rules;
    struct dj_trace_names names;
    struct dj_triage_frame_record *frames;
    size_t frame_count;
    struct dj_triage_share *shares; /* sorted by frame */
    size_t share_count;
    struct dj_triage_key *keys;
    size_t key_count;
    struct dj_map key_numbers; /* by hash of the key */
    struct dj_triage_stored_part *parts;
    size_t part_count;
    struct dj_triage_evidence *evidence;
    size_t evidence_count;
    struct dj_triage_family_time *ran;
    size_t ran_count;
    struct dj_triage_totals totals;
    struct dj_triage_result result;
    uint32_t *cause_of; /* place of each key's cause in result.causes; UINT32_MAX: none */
    const char *trace_name; /* of the trace that is being added */
    bool adding_base;
};

/* Returns the interned copy of a C string. It lives as long as `triage`. */
const char *dj_triage_intern(struct dj_triage *triage, const char *name);

/* Adds a sentence about what a trace cannot show, unless it was added before. `format` as
 * printf(). */
void dj_triage_limit_add(struct dj_triage *triage, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
