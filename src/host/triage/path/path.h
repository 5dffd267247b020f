/* The critical path of a frame: the frame's time, divided into pieces. Each piece names
 * the thread that the frame was in and the reason why the time passed. */
#ifndef DEJANK_TRIAGE_PATH_PATH_H
#define DEJANK_TRIAGE_PATH_PATH_H

#include "triage/cause.h"
#include "triage/index/index.h"

enum { DJ_PATH_DEPTH = 8 };

/* Durations in ns of what threads did while another thread waited for them. */
struct dj_triage_activity {
    int64_t running, ready, io, asleep, unknown;
};

void dj_triage_activity_add(struct dj_triage_activity *sum,
                            const struct dj_triage_activity *more);

/* A piece is a part of a critical path in which one thread did one thing or waited for
 * one reason. */
struct dj_triage_piece {
    int64_t start_ns, end_ns;
    uint32_t tid; /* The thread that spent the time. */
    /* The lock holder, the peer, or the thread that had the CPU. 0 if it is unknown. */
    uint32_t other;
    int32_t slice;       /* Innermost slice of `tid`, or DJ_NO_SLICE. */
    int32_t other_slice; /* Slice of `other`, or DJ_NO_SLICE. */
    int32_t waker;       /* Thread that ended the piece, or −1 if it is unknown. */
    uint8_t kind;        /* A value of enum dj_cause_kind. */
    uint8_t state;       /* The enum dj_thread_state of `tid`. */
    bool interrupted;    /* True if an interrupt ended the piece. */
    bool reason_unknown; /* True if the piece is a sleep for an unknown reason. */
    /* Kernel function or interrupt handler, or NULL if it is unknown. */
    const char *detail;
    /* For ipc: the thread that was called. It can differ from `other`, which it may have
     * called in turn. 0 if it is unknown. */
    uint32_t called_tid;
    int32_t cpu; /* CPU that `tid` ran on, or −1 if it is unknown. */
    int64_t khz; /* Frequency of that CPU, or 0 if it is unknown. */
    /* For frequency: the frequency at which this time would not have been lost. */
    int64_t expected_khz;
    bool is_limited; /* True if a frequency limit kept the CPU below expected_khz. */
    /* Highest frequency of the CPU if other CPUs are of a faster kind. Otherwise 0. */
    int64_t core_khz;
    /* For lock and ipc: what the threads that were waited for did. */
    struct dj_triage_activity activity;
};

/* A critical path that is being built. Zero it, except for `index` and the origin. */
struct dj_triage_path {
    const struct dj_triage_index *index;
    struct dj_triage_piece *pieces; /* Sorted by time, without gaps or overlaps. Owned. */
    size_t count;
    int64_t origin_ns; /* Start of the frame. */
    /* Thread in which the frame began, or 0 if that is the thread in which it ended. */
    uint32_t origin_tid;
    /* Threads that the walk is in. Each one waits for the next. */
    uint32_t chain[DJ_PATH_DEPTH];
    size_t depth;
};

/* Appends the pieces of the time from from_ns to to_ns, at the end of which the frame is
 * in thread `tid`. Their lengths add up to to_ns − from_ns. */
void dj_triage_walk_thread(struct dj_triage_path *path, uint32_t tid, int64_t from_ns,
                           int64_t to_ns);

/* Returns whether path->chain contains the thread. */
bool dj_triage_is_followed(const struct dj_triage_path *path, uint32_t tid);

/* Returns an unexplained piece with only these values. */
struct dj_triage_piece dj_triage_piece_init(uint32_t tid, enum dj_thread_state state,
                                            int64_t from_ns, int64_t to_ns);

/* Returns the kind that the name of the slice, or of the nearest slice around it, states.
 * Sets *named_slice, unless named_slice is NULL, to the slice with that name. Returns
 * DJ_CAUSE_UNEXPLAINED if no name states a kind. */
enum dj_cause_kind
dj_triage_find_named_kind(const struct dj_triage_index *index, int32_t slice,
                          enum dj_cause_kind (*kind_of)(const char *name),
                          int32_t *named_slice);

bool dj_triage_is_before_handover(const struct dj_triage_path *path,
                                  const struct dj_triage_thread *thread, int32_t slice);
void dj_triage_path_append(struct dj_triage_path *path,
                           const struct dj_triage_piece *piece);

#endif
