/* The critical path of a frame: its time, from start to end, cut into pieces. Each piece
 * has the thread that the frame was in and the reason why the time passed. */
#ifndef DEJANK_TRIAGE_PATH_PATH_H
#define DEJANK_TRIAGE_PATH_PATH_H

#include "triage/cause.h"
#include "triage/index/index.h"

enum { DJ_PATH_DEPTH = 8 };

/* What threads did while another one waited for them, in ns. */
struct dj_triage_activity {
    int64_t running, ready, io, asleep, unknown;
};

void dj_triage_activity_add(struct dj_triage_activity *sum,
                            const struct dj_triage_activity *more);

struct dj_triage_piece {
    int64_t start_ns, end_ns;
    uint32_t tid;         /* the thread that spent the time */
    uint32_t other;       /* lock holder, peer, or thread that had the CPU; 0: unknown */
    int32_t slice;        /* innermost slice of tid, or DJ_NO_SLICE */
    int32_t other_slice;  /* slice of `other`, or DJ_NO_SLICE */
    int32_t waker;        /* thread that ended the piece; −1: unknown */
    uint8_t kind;         /* enum dj_cause_kind */
    uint8_t state;        /* enum dj_thread_state of tid */
    bool interrupted;     /* an interrupt ended it */
    bool reason_unknown;  /* a sleep for an unknown reason */
    const char *detail;   /* kernel function or interrupt handler; NULL: unknown */
    uint32_t asked;       /* of ipc: the thread that was called; it may have called
                           * `other`; 0: unknown */
    int32_t cpu;          /* CPU that it ran on; −1: unknown */
    int64_t khz;          /* frequency of that CPU; 0: unknown */
    int64_t expected_khz; /* of frequency: the one at which it would not have lost this
                           * time */
    bool is_limited;      /* a limit kept the CPU below that */
    int64_t core_khz;     /* the highest of its CPU, if others are faster; 0: not the
                           * reason */
    struct dj_triage_activity activity; /* of the threads waited for (lock, ipc) */
};

/* Zero it, except for the index and the origin. */
struct dj_triage_path {
    const struct dj_triage_index *index;
    struct dj_triage_piece *pieces; /* sorted by time, without gaps or overlaps; owned */
    size_t count;
    int64_t origin_ns;   /* start of the frame */
    uint32_t origin_tid; /* thread in which the frame began; 0: the one in which it
                          * ended */
    uint32_t chain[DJ_PATH_DEPTH]; /* threads that are followed, outermost first */
    size_t depth;
};

/* Appends the pieces of [from_ns, to_ns), which ends in thread tid. Their lengths add up
 * to to_ns − from_ns. */
void dj_triage_walk_thread(struct dj_triage_path *path, uint32_t tid, int64_t from_ns,
                           int64_t to_ns);

/* Whether the path is being followed through that thread. */
bool dj_triage_is_followed(const struct dj_triage_path *path, uint32_t tid);

/* Returns a piece of which nothing else is known. */
struct dj_triage_piece dj_triage_piece_init(uint32_t tid, enum dj_thread_state state,
                                            int64_t from_ns, int64_t to_ns);

/* Returns the kind that the name of the slice, or else of one around it, states.
 * *named_slice (may be NULL) is that slice. DJ_CAUSE_UNEXPLAINED if no name states one.
 */
enum dj_cause_kind
dj_triage_find_named_kind(const struct dj_triage_index *index, int32_t slice,
                          enum dj_cause_kind (*kind_of)(const char *name),
                          int32_t *named_slice);

bool dj_triage_is_before_handover(const struct dj_triage_path *path,
                                  const struct dj_triage_thread *thread, int32_t slice);
void dj_triage_path_append(struct dj_triage_path *path,
                           const struct dj_triage_piece *piece);

#endif
