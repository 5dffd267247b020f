/* What frames are made of: shares of causes. Of this room only. */
#ifndef DEJANK_TRIAGE_COLLECT_H
#define DEJANK_TRIAGE_COLLECT_H

#include "base/map.h"
#include "trace/names.h"
#include "triage/frames.h"
#include "triage/path.h"
#include "triage/triage.h"

/* As finely as causes are told apart before they are weighed; names are kept ones. */
struct dj_triage_key {
    const char *name, *thread, *holder;
    const char *family; /* the holder's name without the number behind it */
    uint8_t kind;
    bool kept_off; /* taken off a core that another one then had */
    bool foreign;  /* ready to run, and another program had the core, or nobody */
};

/* Time that a thread was ready and had no core. */
struct dj_triage_along {
    int64_t ns;
    int64_t foreign_ns; /* of that: while another program had it */
};

struct dj_triage_share {
    uint32_t frame; /* in struct dj_triage's frames */
    uint32_t key;
    int64_t ns;
    int64_t tail_ns;  /* of own work: run since the thread was last kept off, */
    int64_t off_ns;   /* … and how long it was kept off before that */
    int64_t clock_ns; /* … and off its core, where it lasts by the clock */
    struct dj_triage_along woken; /* of waits: from their ends until it ran */
    uint32_t pieces;
    uint32_t requests; /* to disks, that it made while it worked */
    struct dj_triage_doing doing;
    uint32_t evidence; /* in struct dj_triage's, or UINT32_MAX */
    bool shown;        /* after the frame had come: the compositor's */
};

struct dj_triage_seen { /* a frame */
    const char *name, *trace, *thread;
    int64_t start_ns, end_ns, deadline_ns;
    int64_t late_ns;       /* 0 and less: in time */
    int64_t shown_late_ns; /* of that: the compositor's share of a frame that came late
                              as well */
    bool janky, incomplete, base;
    size_t first_share, share_count;
    size_t first_part, part_count; /* of janky ones */
};

struct dj_triage_kept_part {
    int64_t start_ns, end_ns;
    uint32_t key;
};

/* How long threads of a name ran, in one trace: one of them at least, however many. */
struct dj_triage_ran {
    const char *family;
    int64_t ns;
    int64_t until_ns; /* so far */
};

/* What traces do not tell, of all of them. */
struct dj_triage_untold {
    size_t incomplete; /* frames where events are lost */
    uint64_t lost;     /* events, of traces that have no such frame */
    size_t guessed;    /* threads of no known process */
    size_t stuffed;    /* frames behind others */
    int64_t stuffed_ns;
    size_t shown; /* frames that were shown late, and not by how much */
    const char *shown_by;
    uint64_t damaged, backwards;
    int64_t backwards_ns;
    int64_t clock_ns; /* the dump's rows stand to the trace's clock */
    bool clocked;     /* … which is known */
};

struct dj_triage {
    struct dj_triage_rules rules;
    struct dj_names names;
    struct dj_triage_seen *frames;
    size_t frame_count;
    struct dj_triage_share *shares; /* by frame */
    size_t share_count;
    struct dj_triage_key *keys;
    size_t key_count;
    struct dj_map key_numbers; /* by hash of the key */
    struct dj_triage_kept_part *parts;
    size_t part_count;
    struct dj_triage_evidence *evidence;
    size_t evidence_count;
    struct dj_triage_ran *ran;
    size_t ran_count;
    struct dj_triage_untold untold;
    struct dj_triage_result result;
    uint32_t *cause_of; /* of each key: its place in result.causes; UINT32_MAX: none */
    const char *trace_name; /* of the one that is being added */
    bool adding_base;
};

/* A kept name of a C string. */
const char *dj_triage_keep(struct dj_triage *triage, const char *name);

/* Says once what a trace cannot show. */
void dj_triage_limit_add(struct dj_triage *triage, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds what a trace's threads ran. */
void dj_triage_collect_runs(struct dj_triage *triage,
                            const struct dj_triage_index *index);

/* Adds a frame's pieces. */
void dj_triage_collect(struct dj_triage *triage, const struct dj_triage_index *index,
                       const struct dj_triage_frame *frame,
                       const struct dj_triage_piece *pieces, size_t count);

#endif
